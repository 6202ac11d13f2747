//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Launch.h"

#include "Registration.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace hip {

static void reportFindings(StringRef kernel, const LaunchResult &result) {
  for (const Report &finding : result.reports) {
    std::string line = formatv(
        "fly-hip: {0}: kernel '{1}': {2}: {3}",
        finding.severity == Report::Severity::Error ? "error" : "warning",
        kernel, finding.kind, finding.message);
    if (finding.count > 1)
      line += formatv(" ({0} times)", finding.count);
    report(line);
  }
  if (result.suppressedReports)
    report(formatv("fly-hip: kernel '{0}': {1} further findings", kernel,
                   result.suppressedReports)
               .str());
}

/// On the stream's thread.
static hipError_t run(Runtime &runtime, const EmulatorModule &module,
                      const LaunchParams &params) {
  runtime.memory.beginLaunch();
  Expected<LaunchResult> result = runtime.emulator->launch(module, params);
  runtime.memory.endLaunch();
  if (!result) {
    report("fly-hip: error: kernel '" + params.kernel +
           "' could not run: " + toString(result.takeError()));
    return hipErrorLaunchFailure;
  }
  reportFindings(params.kernel, *result);
  return result->passed() ? hipSuccess : hipErrorLaunchFailure;
}

Error launch(Runtime &runtime, const Function &function,
             const LaunchRequest &request, const void *streamHandle) {
  auto stream = runtime.stream(streamHandle);
  if (!stream)
    return stream.takeError();
  if (Error error = checkShape(*function.kernel, runtime.target(), request))
    return error;
  auto arguments = packArguments(*function.kernel, request);
  if (!arguments)
    return arguments.takeError();
  LaunchParams params;
  params.kernel = function.kernel->name;
  for (unsigned i = 0; i != 3; ++i) {
    params.grid[i] = uint32_t(request.grid[i]);
    params.block[i] = uint32_t(request.block[i]);
  }
  params.dynamicLdsBytes = uint32_t(request.dynamicLdsBytes);
  runtime.streams.submit(*stream, [&runtime, params, module = function.module,
                                   bytes = std::move(*arguments)]() mutable {
    params.kernargs = bytes;
    return run(runtime, module->loaded(), params);
  });
  return Error::success();
}

Error record(Runtime &runtime, const void *eventHandle,
             const void *streamHandle) {
  auto event = runtime.event(eventHandle);
  if (!event)
    return event.takeError();
  auto stream = runtime.stream(streamHandle);
  if (!stream)
    return stream.takeError();
  (*event)->record(runtime.streams.submit(*stream, [] { return hipSuccess; }));
  return Error::success();
}

Expected<Function> findFunction(Runtime &runtime, const void *handle,
                                hipError_t code) {
  if (std::shared_ptr<Function> function = runtime.functions.find(handle))
    return *function;
  return findRegisteredFunction(runtime, handle, code);
}

} // namespace hip
} // namespace fly

using namespace fly::hip;

static Error launchByHandle(const void *function, const LaunchRequest &request,
                            const void *stream, const void *start = nullptr,
                            const void *stop = nullptr) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  Expected<Function> found =
      findFunction(*runtime, function, request.badFunction);
  if (!found)
    return found.takeError();
  if (start)
    if (Error error = record(*runtime, start, stream))
      return error;
  if (Error error = launch(*runtime, *found, request, stream))
    return error;
  return stop ? record(*runtime, stop, stream) : Error::success();
}

static LaunchRequest request(dim3 grid, dim3 block, size_t ldsBytes,
                             void **parameters, void **extra = nullptr) {
  LaunchRequest result;
  result.grid = {grid.x, grid.y, grid.z};
  result.block = {block.x, block.y, block.z};
  result.dynamicLdsBytes = ldsBytes;
  result.parameters = parameters;
  result.extra = extra;
  return result;
}

/// The errors of the functions that take the address of a host function.
static LaunchRequest ofHostFunction(LaunchRequest request) {
  request.badShape = hipErrorInvalidConfiguration;
  request.badFunction = hipErrorInvalidDeviceFunction;
  return request;
}

static LaunchRequest cooperative(LaunchRequest request) {
  request.cooperative = true;
  return request;
}

FLY_HIP_EXPORT hipError_t hipModuleLaunchKernel(
    void *function, unsigned gridX, unsigned gridY, unsigned gridZ,
    unsigned blockX, unsigned blockY, unsigned blockZ, unsigned ldsBytes,
    void *stream, void **parameters, void **extra) {
  return finish(
      "hipModuleLaunchKernel",
      launchByHandle(function,
                     request({gridX, gridY, gridZ}, {blockX, blockY, blockZ},
                             ldsBytes, parameters, extra),
                     stream));
}

/// The grid is given in threads here.
FLY_HIP_EXPORT hipError_t hipExtModuleLaunchKernel(
    void *function, uint32_t threadsX, uint32_t threadsY, uint32_t threadsZ,
    uint32_t blockX, uint32_t blockY, uint32_t blockZ, size_t ldsBytes,
    void *stream, void **parameters, void **extra, void *startEvent,
    void *stopEvent, uint32_t) {
  LaunchRequest request;
  request.block = {blockX, blockY, blockZ};
  const uint64_t threads[] = {threadsX, threadsY, threadsZ};
  for (unsigned i = 0; i != 3; ++i) {
    if (request.block[i] && threads[i] % request.block[i])
      return finish(
          "hipExtModuleLaunchKernel",
          fail(hipErrorInvalidValue,
               formatv("{0} threads in dimension {1}, expected a multiple of "
                       "the workgroup's {2}",
                       threads[i], i, request.block[i])));
    request.grid[i] = request.block[i] ? threads[i] / request.block[i] : 0;
  }
  request.dynamicLdsBytes = ldsBytes;
  request.parameters = parameters;
  request.extra = extra;
  request.badShape = hipErrorInvalidConfiguration;
  return finish(
      "hipExtModuleLaunchKernel",
      launchByHandle(function, request, stream, startEvent, stopEvent));
}

FLY_HIP_EXPORT hipError_t hipLaunchKernel(const void *function, dim3 grid,
                                          dim3 block, void **parameters,
                                          size_t ldsBytes, void *stream) {
  return finish(
      "hipLaunchKernel",
      launchByHandle(function,
                     ofHostFunction(request(grid, block, ldsBytes, parameters)),
                     stream));
}

FLY_HIP_EXPORT hipError_t hipModuleLaunchCooperativeKernel(
    void *function, unsigned gridX, unsigned gridY, unsigned gridZ,
    unsigned blockX, unsigned blockY, unsigned blockZ, unsigned ldsBytes,
    void *stream, void **parameters) {
  return finish("hipModuleLaunchCooperativeKernel",
                launchByHandle(function,
                               cooperative(request({gridX, gridY, gridZ},
                                                   {blockX, blockY, blockZ},
                                                   ldsBytes, parameters)),
                               stream));
}

FLY_HIP_EXPORT hipError_t hipLaunchCooperativeKernel(const void *function,
                                                     dim3 grid, dim3 block,
                                                     void **parameters,
                                                     unsigned ldsBytes,
                                                     void *stream) {
  return finish("hipLaunchCooperativeKernel",
                launchByHandle(function,
                               ofHostFunction(cooperative(
                                   request(grid, block, ldsBytes, parameters))),
                               stream));
}

/// A launch with a list of attributes, of which these chips have one.
static Expected<LaunchRequest> requestOf(const LaunchConfig *config,
                                         void **parameters,
                                         void **extra = nullptr) {
  if (!config || (config->numAttributes && !config->attributes))
    return fail(hipErrorInvalidValue, "the configuration is null");
  LaunchRequest result =
      request(config->grid, config->block, config->ldsBytes, parameters, extra);
  for (unsigned i = 0; i != config->numAttributes; ++i) {
    const LaunchAttribute &attribute = config->attributes[i];
    const int *value = attribute.value;
    if (attribute.id == LaunchAttributeCooperative)
      result.cooperative = value[0] != 0;
    else if (attribute.id != LaunchAttributeClusterDimension || value[0] != 1 ||
             value[1] != 1 || value[2] != 1)
      return fail(hipErrorNotSupported,
                  formatv("launch attribute {0} is not supported, only 2 "
                          "(cooperative)",
                          attribute.id));
  }
  return result;
}

FLY_HIP_EXPORT hipError_t hipDrvLaunchKernelEx(const LaunchConfig *config,
                                               void *function,
                                               void **parameters,
                                               void **extra) {
  Expected<LaunchRequest> asked = requestOf(config, parameters, extra);
  return finish("hipDrvLaunchKernelEx",
                asked ? launchByHandle(function, *asked, config->stream)
                      : asked.takeError());
}

FLY_HIP_EXPORT hipError_t hipLaunchKernelExC(const LaunchConfig *config,
                                             const void *function,
                                             void **parameters) {
  Expected<LaunchRequest> asked = requestOf(config, parameters);
  return finish(
      "hipLaunchKernelExC",
      asked ? launchByHandle(function, ofHostFunction(*asked), config->stream)
            : asked.takeError());
}
