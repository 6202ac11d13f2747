//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Emulator/Arguments.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {

static std::vector<uint8_t> littleEndian(uint64_t value, unsigned bytes) {
  std::vector<uint8_t> result;
  for (unsigned i = 0; i != bytes; ++i)
    result.push_back(uint8_t(value >> (8 * i)));
  return result;
}

static Error badValue(StringRef spec, StringRef expected) {
  return createStringError("argument '" + spec + "': expected " + expected);
}

static Expected<std::vector<uint8_t>> makeFloat(StringRef spec, StringRef value,
                                                const fltSemantics &semantics) {
  APFloat number(semantics);
  Expected<APFloat::opStatus> status =
      number.convertFromString(value, APFloat::rmNearestTiesToEven);
  if (!status) {
    consumeError(status.takeError());
    return badValue(spec, "a number after the colon");
  }
  APInt bits = number.bitcastToAPInt();
  return littleEndian(bits.getZExtValue(), bits.getBitWidth() / 8);
}

static Expected<std::vector<uint8_t>>
makeInteger(StringRef spec, StringRef value, unsigned bits, bool isSigned) {
  uint64_t number = 0;
  bool fits;
  if (isSigned) {
    int64_t wide = 0;
    fits = !value.getAsInteger(0, wide) && isIntN(bits, wide);
    number = uint64_t(wide);
  } else {
    fits = !value.getAsInteger(0, number) && isUIntN(bits, number);
  }
  if (!fits)
    return badValue(spec, formatv("{0} integer of {1} bits after the colon",
                                  isSigned ? "a signed" : "an unsigned", bits)
                              .str());
  return littleEndian(number, bits / 8);
}

static Expected<std::vector<uint8_t>> makeScalar(StringRef spec) {
  auto [type, value] = spec.split(':');
  if (type == "ptr") {
    uint64_t address = 0;
    if (value != "null" && value.getAsInteger(0, address))
      return badValue(spec, "ptr:null or ptr:ADDRESS");
    return littleEndian(address, 8);
  }
  if (type == "f16")
    return makeFloat(spec, value, APFloat::IEEEhalf());
  if (type == "bf16")
    return makeFloat(spec, value, APFloat::BFloat());
  if (type == "f32")
    return makeFloat(spec, value, APFloat::IEEEsingle());
  if (type == "f64")
    return makeFloat(spec, value, APFloat::IEEEdouble());
  unsigned bits = StringSwitch<unsigned>(type.drop_front(!type.empty()))
                      .Case("8", 8)
                      .Case("16", 16)
                      .Case("32", 32)
                      .Case("64", 64)
                      .Default(0);
  if (bits == 0 || (type[0] != 'i' && type[0] != 'u'))
    return badValue(spec, "@FILE.npy, @FILE.npy:rw, ptr:null or TYPE:VALUE "
                          "with TYPE one of i8 i16 i32 i64 u8 u16 u32 u64 f16 "
                          "bf16 f32 f64");
  return makeInteger(spec, value, bits, type[0] == 'i');
}

Expected<std::vector<uint8_t>>
KernelArguments::makeValue(StringRef spec, DeviceMemory &memory) {
  StringRef path = spec;
  if (!path.consume_front("@"))
    return makeScalar(spec);
  Buffer buffer;
  buffer.writeBack = path.consume_back(":rw");
  buffer.path = path.str();
  Expected<NpyFile> file = NpyFile::read(path);
  if (!file)
    return file.takeError();
  buffer.file = std::move(*file);
  Expected<uint64_t> address = memory.allocate(buffer.file.data.size());
  if (!address)
    return address.takeError();
  buffer.address = *address;
  if (Error error = memory.copyToDevice(*address, buffer.file.data))
    return std::move(error);
  buffers.push_back(std::move(buffer));
  return littleEndian(*address, 8);
}

Expected<KernelArguments> KernelArguments::create(ArrayRef<std::string> specs,
                                                  const Kernel &kernel,
                                                  DeviceMemory &memory) {
  std::vector<const ArgumentMetadata *> known;
  for (const ArgumentMetadata &argument : kernel.arguments)
    if (!argument.isHidden())
      known.push_back(&argument);
  if (kernel.hasMetadata && known.size() != specs.size())
    return createStringError(
        formatv("kernel '{0}' takes {1} arguments, {2} were given", kernel.name,
                known.size(), specs.size()));
  KernelArguments result;
  for (size_t i = 0; i != specs.size(); ++i) {
    Expected<std::vector<uint8_t>> value = result.makeValue(specs[i], memory);
    if (!value)
      return value.takeError();
    size_t size = value->size(), offset;
    if (kernel.hasMetadata) {
      offset = known[i]->offset;
      if (size != known[i]->size)
        return createStringError(
            formatv("argument {0} of kernel '{1}'{2} has {3} bytes, '{4}' has "
                    "{5}",
                    i, kernel.name,
                    known[i]->name.empty() ? "" : " (" + known[i]->name + ")",
                    known[i]->size, specs[i], size));
    } else {
      offset = (result.packed.size() + size - 1) / size * size;
    }
    result.packed.resize(std::max(result.packed.size(), offset + size));
    std::copy(value->begin(), value->end(),
              result.packed.begin() + long(offset));
  }
  return std::move(result);
}

Error KernelArguments::writeBack(DeviceMemory &memory) {
  for (Buffer &buffer : buffers) {
    if (!buffer.writeBack)
      continue;
    if (Error error = memory.copyToHost(buffer.file.data, buffer.address))
      return error;
    if (Error error = buffer.file.write(buffer.path))
      return error;
  }
  return Error::success();
}

} // namespace fly
