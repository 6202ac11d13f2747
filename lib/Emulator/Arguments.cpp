//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Emulator/Arguments.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

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
  if (*status & APFloat::opOverflow)
    return badValue(spec, "a number that the type can hold, or inf");
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
  return path.consume_front("@") ? makeBuffer(path, memory) : makeScalar(spec);
}

Expected<std::vector<uint8_t>>
KernelArguments::makeBuffer(StringRef path, DeviceMemory &memory) {
  Buffer buffer;
  buffer.writeBack = path.consume_back(":rw");
  buffer.path = path.str();
  for (const Buffer &other : buffers)
    if (buffer.writeBack && other.writeBack &&
        sys::fs::equivalent(other.path, buffer.path))
      return createStringError("two arguments write '" + path +
                               "' back (:rw), expected one");
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

/// That what \p spec gives can be \p argument.
static Error checkKind(StringRef spec, size_t bytes,
                       const ArgumentMetadata &argument) {
  std::string name = argument.name.empty() ? "" : " (" + argument.name + ")";
  bool isPointer = spec.starts_with("@") || spec.starts_with("ptr:");
  if (argument.valueKind == "global_buffer" && !isPointer)
    return createStringError(name +
                             " is a pointer, expected @FILE.npy, "
                             "ptr:null or ptr:ADDRESS, got '" +
                             spec + "'");
  if (bytes != argument.size)
    return createStringError(formatv("{0} has {1} bytes, '{2}' has {3}", name,
                                     argument.size, spec, bytes));
  return Error::success();
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
      if (Error error = checkKind(specs[i], size, *known[i]))
        return createStringError(formatv("argument {0} of kernel '{1}'{2}", i,
                                         kernel.name,
                                         toString(std::move(error))));
      offset = known[i]->offset;
    } else {
      offset = alignTo(result.packed.size(), size);
    }
    result.packed.resize(std::max(result.packed.size(), offset + size));
    std::copy(value->begin(), value->end(),
              result.packed.begin() + long(offset));
  }
  return std::move(result);
}

std::vector<std::string> KernelArguments::outputs() const {
  std::vector<std::string> paths;
  for (const Buffer &buffer : buffers)
    if (buffer.writeBack)
      paths.push_back(buffer.path);
  return paths;
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
