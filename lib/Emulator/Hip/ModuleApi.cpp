//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// hipModule*, hipFunc* and the occupancy queries.

#include "Image.h"
#include "Launch.h"
#include "Registration.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace fly;
using namespace fly::hip;
using namespace llvm;

static Error addModule(void **result, Expected<std::vector<uint8_t>> object,
                       Runtime &runtime) {
  if (!object)
    return object.takeError();
  auto module = Module::load(*runtime.emulator, std::move(*object));
  if (!module)
    return module.takeError();
  *result = runtime.modules.add(std::move(*module));
  return Error::success();
}

static Error loadFile(void **result, const char *path) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  if (!result || !path)
    return fail(hipErrorInvalidValue, "module or path is null");
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (std::error_code code = buffer.getError())
    return fail(hipErrorFileNotFound, Twine(path) + ": " + code.message());
  StringRef bytes = (*buffer)->getBuffer();
  return addModule(result,
                   readImage(arrayRefFromStringRef(bytes), runtime->target()),
                   *runtime);
}

static Error loadData(void **result, const void *image) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  if (!result || !image)
    return fail(hipErrorInvalidValue, "module or image is null");
  return addModule(result, readImage(image, runtime->target()), *runtime);
}

static Expected<std::shared_ptr<Module>> findModule(Runtime &runtime,
                                                    const void *handle) {
  if (std::shared_ptr<Module> module = runtime.modules.find(handle))
    return module;
  return fail(hipErrorInvalidHandle,
              formatv("{0} is no module", const_cast<void *>(handle)));
}

static Error unload(void *handle) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  auto module = findModule(*runtime, handle);
  if (!module)
    return module.takeError();
  runtime->streams.drain();
  runtime->modules.remove(handle);
  std::lock_guard<std::mutex> lock((*module)->mutex);
  for (auto &entry : (*module)->functionHandles)
    runtime->functions.remove(entry.second);
  for (uint64_t address : (*module)->globals)
    runtime->memory.removeGlobal(address);
  return Error::success();
}

static Error getFunction(void **result, void *handle, const char *name) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  auto module = findModule(*runtime, handle);
  if (!module)
    return module.takeError();
  if (!result || !name)
    return fail(hipErrorInvalidValue, "function or name is null");
  auto kernel = (*module)->object().findKernel(name);
  if (!kernel)
    return failAs(hipErrorNotFound, kernel.takeError());
  std::lock_guard<std::mutex> lock((*module)->mutex);
  void *&function = (*module)->functionHandles[name];
  if (!function)
    function = runtime->functions.add(
        std::make_shared<Function>(Function{*module, &*kernel}));
  *result = function;
  return Error::success();
}

static Error getGlobal(void **address, size_t *bytes, void *handle,
                       const char *name) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  auto module = findModule(*runtime, handle);
  if (!module)
    return module.takeError();
  if (!name || (!address && !bytes))
    return fail(hipErrorInvalidValue, "name or both results are null");
  auto variable = (*module)->variable(name);
  if (!variable)
    return variable.takeError();
  if (Error error =
          runtime->memory.addGlobal(variable->address, variable->bytes))
    return error;
  std::lock_guard<std::mutex> lock((*module)->mutex);
  (*module)->globals.push_back(variable->address);
  if (address)
    *address = reinterpret_cast<void *>(variable->address);
  if (bytes)
    *bytes = variable->bytes;
  return Error::success();
}

FLY_HIP_EXPORT hipError_t hipModuleLoad(void **module, const char *path) {
  return finish("hipModuleLoad", loadFile(module, path));
}

FLY_HIP_EXPORT hipError_t hipModuleLoadData(void **module, const void *image) {
  return finish("hipModuleLoadData", loadData(module, image));
}

/// The options are those of a JIT compiler; there is none.
FLY_HIP_EXPORT hipError_t hipModuleLoadDataEx(void **module, const void *image,
                                              unsigned, void *, void **) {
  return finish("hipModuleLoadDataEx", loadData(module, image));
}

FLY_HIP_EXPORT hipError_t hipModuleUnload(void *module) {
  return finish("hipModuleUnload", unload(module));
}

FLY_HIP_EXPORT hipError_t hipModuleGetFunction(void **function, void *module,
                                               const char *name) {
  return finish("hipModuleGetFunction", getFunction(function, module, name));
}

FLY_HIP_EXPORT hipError_t hipModuleGetGlobal(void **address, size_t *bytes,
                                             void *module, const char *name) {
  return finish("hipModuleGetGlobal", getGlobal(address, bytes, module, name));
}

static int maxThreads(const Kernel &kernel, const TargetInfo &target) {
  return int(kernel.maxFlatWorkgroupSize ? kernel.maxFlatWorkgroupSize
                                         : target.maxWorkgroupSize);
}

static Error getAttribute(int *value, int attribute, const void *handle,
                          hipError_t code) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  if (!value)
    return fail(hipErrorInvalidValue, "value is null");
  auto function = findFunction(*runtime, handle, code);
  if (!function)
    return function.takeError();
  const Kernel &kernel = *function->kernel;
  const TargetInfo &target = runtime->target();
  switch (attribute) {
  case MaxThreadsPerBlock:
    *value = maxThreads(kernel, target);
    return Error::success();
  case SharedSizeBytes:
    *value = int(kernel.descriptor.groupSegmentBytes);
    return Error::success();
  case LocalSizeBytes:
    *value = int(kernel.descriptor.privateSegmentBytes);
    return Error::success();
  case NumRegs:
    *value = int(kernel.descriptor.vgprs);
    return Error::success();
  case MaxDynamicSharedSizeBytes:
    *value = int(target.ldsBytes) - int(kernel.descriptor.groupSegmentBytes);
    return Error::success();
  case ConstSizeBytes:
  case PtxVersion:
  case BinaryVersion:
  case CacheModeCA:
  case PreferredSharedMemoryCarveout:
    *value = 0; // nothing of the kind exists here
    return Error::success();
  }
  return fail(hipErrorInvalidValue,
              formatv("there is no function attribute {0}", attribute));
}

static Error getAttributes(hipFuncAttributes *result, const void *handle) {
  if (!result)
    return fail(hipErrorInvalidValue, "attributes are null");
  *result = hipFuncAttributes();
  int shared = 0, local = 0;
  const std::pair<int, int *> wanted[] = {
      {MaxThreadsPerBlock, &result->maxThreadsPerBlock},
      {NumRegs, &result->numRegs},
      {MaxDynamicSharedSizeBytes, &result->maxDynamicSharedSizeBytes},
      {SharedSizeBytes, &shared},
      {LocalSizeBytes, &local}};
  for (auto [attribute, value] : wanted)
    if (Error error = getAttribute(value, attribute, handle,
                                   hipErrorInvalidDeviceFunction))
      return error;
  result->sharedSizeBytes = size_t(shared);
  result->localSizeBytes = size_t(local);
  return Error::success();
}

/// Dynamic LDS needs no leave on this hardware, so that the value is checked
/// and otherwise without effect.
static Error setAttribute(const void *handle, int attribute, int value) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  auto function = findFunction(*runtime, handle, hipErrorInvalidDeviceFunction);
  if (!function)
    return function.takeError();
  int most = int(runtime->target().ldsBytes) -
             int(function->kernel->descriptor.groupSegmentBytes);
  if (attribute == PreferredSharedMemoryCarveout && value >= -1 && value <= 100)
    return Error::success();
  if (attribute == MaxDynamicSharedSizeBytes && value >= 0 && value <= most)
    return Error::success();
  return fail(hipErrorInvalidValue,
              formatv("attribute {0} of kernel '{1}' cannot be {2}; expected "
                      "attribute 8 up to {3} (dynamic LDS) or 9 up to 100",
                      attribute, function->kernel->name, value, most));
}

FLY_HIP_EXPORT hipError_t hipFuncGetAttribute(int *value, int attribute,
                                              void *function) {
  return finish("hipFuncGetAttribute", getAttribute(value, attribute, function,
                                                    hipErrorInvalidHandle));
}

FLY_HIP_EXPORT hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes,
                                               const void *function) {
  return finish("hipFuncGetAttributes", getAttributes(attributes, function));
}

FLY_HIP_EXPORT hipError_t hipFuncSetAttribute(const void *function,
                                              int attribute, int value) {
  return finish("hipFuncSetAttribute",
                setAttribute(function, attribute, value));
}

/// There is no L1 cache to divide.
FLY_HIP_EXPORT hipError_t hipFuncSetCacheConfig(const void *function, int) {
  if (!function)
    return finish("hipFuncSetCacheConfig", fail(hipErrorInvalidDeviceFunction));
  return hipSuccess;
}

static Error activeBlocks(int *result, const void *handle, int threads,
                          size_t ldsBytes) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  auto function = findFunction(*runtime, handle, hipErrorInvalidDeviceFunction);
  if (!function)
    return function.takeError();
  int most = maxThreads(*function->kernel, runtime->target());
  if (!result || threads <= 0 || threads > most)
    return fail(hipErrorInvalidValue,
                formatv("blocks of {0} threads of kernel '{1}', which takes 1 "
                        "to {2}",
                        threads, function->kernel->name, most));
  *result = int(workgroupsPerCu(*function->kernel, runtime->target(),
                                unsigned(threads), ldsBytes));
  return Error::success();
}

/// The block that keeps most threads on a compute unit, the larger of two.
static Error bestBlock(int *gridSize, int *blockSize, const void *handle,
                       size_t ldsBytes, int limit) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  auto function = findFunction(*runtime, handle, hipErrorInvalidDeviceFunction);
  if (!function)
    return function.takeError();
  if (!gridSize || !blockSize || limit < 0)
    return fail(hipErrorInvalidValue, "a result is null or the limit negative");
  const TargetInfo &target = runtime->target();
  int most = maxThreads(*function->kernel, target);
  if (limit)
    most = std::min(most, limit);
  int bestThreads = 0, groups = 0;
  int step = int(target.waveSize);
  for (int threads = std::min(step, most); threads <= most; threads += step) {
    int held = int(workgroupsPerCu(*function->kernel, target, unsigned(threads),
                                   ldsBytes));
    if (held * threads < bestThreads)
      continue;
    bestThreads = held * threads;
    groups = held;
    *blockSize = threads;
  }
  *gridSize = groups * int(target.computeUnits);
  return Error::success();
}

FLY_HIP_EXPORT hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, void *function, int threads, size_t ldsBytes) {
  return finish("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor",
                activeBlocks(blocks, function, threads, ldsBytes));
}

FLY_HIP_EXPORT hipError_t
hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, void *function, int threads, size_t ldsBytes, unsigned) {
  return finish("hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                activeBlocks(blocks, function, threads, ldsBytes));
}

FLY_HIP_EXPORT hipError_t hipModuleOccupancyMaxPotentialBlockSize(
    int *grid, int *block, void *function, size_t ldsBytes, int limit) {
  return finish("hipModuleOccupancyMaxPotentialBlockSize",
                bestBlock(grid, block, function, ldsBytes, limit));
}

FLY_HIP_EXPORT hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, const void *function, int threads, size_t ldsBytes) {
  return finish("hipOccupancyMaxActiveBlocksPerMultiprocessor",
                activeBlocks(blocks, function, threads, ldsBytes));
}

FLY_HIP_EXPORT hipError_t hipOccupancyMaxPotentialBlockSize(
    int *grid, int *block, const void *function, size_t ldsBytes, int limit) {
  return finish("hipOccupancyMaxPotentialBlockSize",
                bestBlock(grid, block, function, ldsBytes, limit));
}
