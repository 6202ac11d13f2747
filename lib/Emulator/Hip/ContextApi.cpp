//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// hipCtx*: each thread has a stack of contexts, at whose bottom the primary
/// one of the device lies. All of them share the device's memory and streams.

#include "Runtime.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::hip;
using namespace llvm;

static thread_local SmallVector<std::shared_ptr<Context>, 2> contextStack;

static std::shared_ptr<Context> current(Runtime &runtime) {
  return contextStack.empty() ? runtime.primary : contextStack.back();
}

static Expected<std::shared_ptr<Context>> findContext(Runtime &runtime,
                                                      const void *handle) {
  if (std::shared_ptr<Context> context = runtime.contexts.find(handle))
    return context;
  return fail(hipErrorInvalidContext,
              formatv("{0} is no context", const_cast<void *>(handle)));
}

static Error create(void **result, unsigned flags, int device) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  if (Error error = checkDevice(device))
    return error;
  if (!result)
    return fail(hipErrorInvalidValue, "no place for the context");
  auto context = std::make_shared<Context>();
  context->flags = flags;
  *result = runtime->contexts.add(context);
  contextStack.push_back(context);
  return Error::success();
}

static Error destroy(void *handle) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  if (handle == runtime->primary.get())
    return fail(hipErrorInvalidContext,
                "the primary context, which hipDevicePrimaryCtxRelease gives "
                "back");
  std::shared_ptr<Context> context = runtime->contexts.remove(handle);
  if (!context)
    return findContext(*runtime, handle).takeError();
  llvm::erase(contextStack, context);
  return Error::success();
}

static Error push(void *handle) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  auto context = findContext(*runtime, handle);
  if (!context)
    return context.takeError();
  contextStack.push_back(*context);
  return Error::success();
}

static Error pop(void **result) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  if (contextStack.empty())
    return fail(hipErrorInvalidContext, "no context was pushed");
  if (result)
    *result = contextStack.back().get();
  contextStack.pop_back();
  return Error::success();
}

static Error setCurrent(void *handle) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  if (!handle) {
    contextStack.clear();
    return Error::success();
  }
  auto context = findContext(*runtime, handle);
  if (!context)
    return context.takeError();
  if (contextStack.empty())
    contextStack.push_back(*context);
  else
    contextStack.back() = *context;
  return Error::success();
}

FLY_HIP_EXPORT hipError_t hipCtxCreate(void **context, unsigned flags,
                                       int device) {
  return finish("hipCtxCreate", create(context, flags, device));
}

FLY_HIP_EXPORT hipError_t hipCtxDestroy(void *context) {
  return finish("hipCtxDestroy", destroy(context));
}

FLY_HIP_EXPORT hipError_t hipCtxPushCurrent(void *context) {
  return finish("hipCtxPushCurrent", push(context));
}

FLY_HIP_EXPORT hipError_t hipCtxPopCurrent(void **context) {
  return finish("hipCtxPopCurrent", pop(context));
}

FLY_HIP_EXPORT hipError_t hipCtxSetCurrent(void *context) {
  return finish("hipCtxSetCurrent", setCurrent(context));
}

FLY_HIP_EXPORT hipError_t hipCtxGetCurrent(void **context) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return finish("hipCtxGetCurrent", runtime.takeError());
  if (!context)
    return finish("hipCtxGetCurrent", fail(hipErrorInvalidValue));
  *context = current(*runtime).get();
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipCtxGetDevice(int *device) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return finish("hipCtxGetDevice", runtime.takeError());
  if (!device)
    return finish("hipCtxGetDevice", fail(hipErrorInvalidValue));
  *device = 0;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipCtxGetFlags(unsigned *flags) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return finish("hipCtxGetFlags", runtime.takeError());
  if (!flags)
    return finish("hipCtxGetFlags", fail(hipErrorInvalidValue));
  *flags = current(*runtime)->flags;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipCtxSynchronize() {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return finish("hipCtxSynchronize", runtime.takeError());
  hipError_t code = runtime->streams.synchronizeAll();
  return finish("hipCtxSynchronize",
                code == hipSuccess ? Error::success() : fail(code));
}

FLY_HIP_EXPORT hipError_t hipDevicePrimaryCtxRetain(void **context,
                                                    int device) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return finish("hipDevicePrimaryCtxRetain", runtime.takeError());
  if (Error error = checkDevice(device))
    return finish("hipDevicePrimaryCtxRetain", std::move(error));
  if (!context)
    return finish("hipDevicePrimaryCtxRetain", fail(hipErrorInvalidValue));
  *context = runtime->primary.get();
  return hipSuccess;
}

/// The primary context lives as long as the library.
FLY_HIP_EXPORT hipError_t hipDevicePrimaryCtxRelease(int device) {
  Expected<Runtime &> runtime = Runtime::get();
  return finish("hipDevicePrimaryCtxRelease",
                runtime ? checkDevice(device) : runtime.takeError());
}

FLY_HIP_EXPORT hipError_t hipDevicePrimaryCtxGetState(int device,
                                                      unsigned *flags,
                                                      int *active) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return finish("hipDevicePrimaryCtxGetState", runtime.takeError());
  if (Error error = checkDevice(device))
    return finish("hipDevicePrimaryCtxGetState", std::move(error));
  if (flags)
    *flags = runtime->primary->flags;
  if (active)
    *active = 1;
  return hipSuccess;
}
