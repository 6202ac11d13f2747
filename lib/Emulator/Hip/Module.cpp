//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Module.h"

#include "Failure.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace llvm;

namespace fly {
namespace hip {

Expected<std::shared_ptr<Module>> Module::load(Emulator &emulator,
                                               std::vector<uint8_t> object) {
  Expected<CodeObject> code = CodeObject::parse(object);
  if (!code)
    return failAs(hipErrorInvalidImage, code.takeError());
  auto loaded = emulator.load(object);
  if (!loaded)
    return failAs(hipErrorInvalidImage, loaded.takeError());
  std::shared_ptr<Module> module(
      new Module(std::move(*code), std::move(*loaded)));
  if (Error error = module->readVariables())
    return failAs(hipErrorInvalidImage, std::move(error));
  return module;
}

Error Module::readVariables() {
  StringRef bytes = toStringRef(code.bytes());
  auto file = object::ELFObjectFile<object::ELF64LE>::create(
      MemoryBufferRef(bytes, "code object"));
  if (!file)
    return file.takeError();
  for (const object::ELFSymbolRef &symbol : file->getDynamicSymbolIterators()) {
    auto flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    auto name = symbol.getName();
    if (!name)
      return name.takeError();
    auto address = symbol.getAddress();
    if (!address)
      return address.takeError();
    if (symbol.getELFType() == ELF::STT_OBJECT && !name->ends_with(".kd") &&
        !(*flags & object::SymbolRef::SF_Undefined))
      variables[*name] = {module->loadBase() + *address, symbol.getSize()};
  }
  return Error::success();
}

Expected<Module::Variable> Module::variable(StringRef name) const {
  auto it = variables.find(name);
  if (it != variables.end())
    return it->second;
  std::vector<StringRef> names(variables.keys().begin(),
                               variables.keys().end());
  llvm::sort(names);
  return fail(hipErrorNotFound,
              "no variable '" + name + "', the code object has: " +
                  (names.empty() ? "none" : join(names, ", ")));
}

static std::string sizes(const std::array<uint64_t, 3> &values) {
  return formatv("{0} x {1} x {2}", values[0], values[1], values[2]);
}

/// A cooperative grid must fit the chip at once.
static Error checkResidency(const Kernel &kernel, const TargetInfo &target,
                            const LaunchRequest &request, unsigned threads) {
  uint64_t most = uint64_t(workgroupsPerCu(kernel, target, threads,
                                           request.dynamicLdsBytes)) *
                  target.computeUnits;
  // Each is below 2^32, and the product of two does not overflow.
  uint64_t plane = request.grid[0] * request.grid[1];
  if (plane <= most && request.grid[2] <= most / plane)
    return Error::success();
  return fail(hipErrorCooperativeLaunchTooLarge,
              formatv("cooperative launch of kernel '{0}' with a grid of {1} "
                      "workgroups, {2} holds {3} at once",
                      kernel.name, sizes(request.grid), target.name, most));
}

Error checkShape(const Kernel &kernel, const TargetInfo &target,
                 const LaunchRequest &request) {
  uint64_t threads = 1;
  for (unsigned i = 0; i != 3; ++i) {
    uint64_t block = request.block[i], grid = request.grid[i];
    if (block == 0 || block > target.maxWorkgroupSize || grid == 0 ||
        grid > UINT32_MAX / block)
      return fail(request.badShape,
                  formatv("kernel '{0}' with a grid of {1} workgroups of {2} "
                          "threads; expected 1 to {3} threads, and from 1 to "
                          "2^32 - 1 in each dimension of the grid",
                          kernel.name, sizes(request.grid),
                          sizes(request.block), target.maxWorkgroupSize));
    threads *= block;
  }
  if (threads > target.maxWorkgroupSize)
    return fail(
        request.badShape,
        formatv("kernel '{0}' with workgroups of {1} threads, {2} takes "
                "at most {3}",
                kernel.name, sizes(request.block), target.name,
                target.maxWorkgroupSize));
  if (kernel.maxFlatWorkgroupSize && threads > kernel.maxFlatWorkgroupSize)
    return fail(hipErrorLaunchFailure,
                formatv("kernel '{0}' with workgroups of {1} threads, it was "
                        "compiled for at most {2}",
                        kernel.name, sizes(request.block),
                        kernel.maxFlatWorkgroupSize));
  uint64_t fixed = kernel.descriptor.groupSegmentBytes;
  if (request.dynamicLdsBytes > target.ldsBytes ||
      fixed + request.dynamicLdsBytes > target.ldsBytes)
    return fail(hipErrorInvalidValue,
                formatv("kernel '{0}' with {1} bytes of LDS ({2} its own, {3} "
                        "dynamic), {4} has {5}",
                        kernel.name, fixed + request.dynamicLdsBytes, fixed,
                        request.dynamicLdsBytes, target.name, target.ldsBytes));
  return request.cooperative
             ? checkResidency(kernel, target, request, unsigned(threads))
             : Error::success();
}

static uint64_t explicitBytes(const Kernel &kernel) {
  uint64_t end = 0;
  for (const ArgumentMetadata &argument : kernel.arguments)
    if (!argument.isHidden())
      end = std::max<uint64_t>(end, uint64_t(argument.offset) + argument.size);
  return end;
}

static Expected<std::vector<uint8_t>> packFromPointers(const Kernel &kernel,
                                                       void **parameters) {
  if (!kernel.hasMetadata && parameters)
    return fail(hipErrorInvalidValue,
                "kernel '" + kernel.name +
                    "' has no metadata that says where its arguments lie: pass "
                    "them in a packed buffer");
  std::vector<uint8_t> bytes(explicitBytes(kernel));
  unsigned index = 0;
  for (const ArgumentMetadata &argument : kernel.arguments) {
    if (argument.isHidden())
      continue;
    const void *value = parameters ? parameters[index] : nullptr;
    if (!value)
      return fail(hipErrorInvalidValue,
                  formatv("kernel '{0}': no value for its argument {1} of {2} "
                          "bytes",
                          kernel.name, index, argument.size));
    std::memcpy(bytes.data() + argument.offset, value, argument.size);
    ++index;
  }
  return bytes;
}

Expected<std::vector<uint8_t>> packArguments(const Kernel &kernel,
                                             const LaunchRequest &request) {
  if (!request.extra)
    return packFromPointers(kernel, request.parameters);
  if (request.parameters)
    return fail(hipErrorInvalidValue,
                "kernel '" + kernel.name +
                    "': arguments by pointers and in a "
                    "packed buffer, expected one of them");
  void **extra = request.extra;
  if (extra[0] != launchBufferPointer || extra[2] != launchBufferSize ||
      extra[4] != launchEnd || !extra[3])
    return fail(hipErrorInvalidValue,
                "kernel '" + kernel.name +
                    "': expected in 'extra' the marks of pointer, size and end "
                    "(1, 2, 3), the pointer and the size behind theirs");
  size_t given = *static_cast<const size_t *>(extra[3]);
  uint64_t needed = explicitBytes(kernel), segment = kernel.kernargBytes();
  // A struct that holds the arguments may be longer by its own alignment.
  uint64_t most = segment ? alignTo(std::max(segment, needed), 16) : given;
  if (given < needed || given > most || (given && !extra[1]))
    return fail(
        hipErrorInvalidValue,
        formatv("kernel '{0}' takes {1} bytes of arguments in a segment "
                "of {2}, a buffer of {3} bytes was given",
                kernel.name, needed, segment, given));
  // Arguments behind the explicit ones are the runtime's to fill.
  uint64_t taken = kernel.hasMetadata ? needed
                   : segment          ? std::min<uint64_t>(given, segment)
                                      : given;
  const auto *buffer = static_cast<const uint8_t *>(extra[1]);
  return std::vector<uint8_t>(buffer, buffer + taken);
}

unsigned workgroupsPerCu(const Kernel &kernel, const TargetInfo &target,
                         unsigned threads, uint64_t dynamicLdsBytes) {
  unsigned waves = unsigned(divideCeil(threads, target.waveSize));
  unsigned registers = std::max(kernel.descriptor.vgprs, 8u);
  unsigned wavesPerSimd =
      std::min(target.maxWavesPerSimd, target.registersPerSimd / registers);
  // Waves go to the SIMDs in turn, each of a workgroup needs a place.
  unsigned groups = wavesPerSimd * target.simdsPerCu / waves;
  // A compute unit has 16 barriers (LLVM, AMDGPUBaseInfo); one wave needs none.
  constexpr unsigned barriers = 16;
  if (waves > 1)
    groups = std::min(groups, barriers);
  uint64_t lds = alignTo(kernel.descriptor.groupSegmentBytes + dynamicLdsBytes,
                         target.ldsGranuleBytes);
  if (lds)
    groups = unsigned(std::min<uint64_t>(groups, target.ldsBytes / lds));
  return groups;
}

} // namespace hip
} // namespace fly
