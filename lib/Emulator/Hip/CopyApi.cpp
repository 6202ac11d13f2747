//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Copies and fills. Those without "Async" wait, and return the error of
/// earlier work as any call that waits does. So do asynchronous copies from or
/// to memory that HIP was not told of wait (HIP API reference: such copies are
/// performed synchronously), but they leave that error.

#include "Registration.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace fly;
using namespace fly::hip;
using namespace llvm;

/// Runs \p work on the stream; waits and takes its error unless \p isAsync.
static Error submit(Runtime &runtime, const std::shared_ptr<Stream> &stream,
                    std::function<hipError_t()> work, bool isAsync) {
  runtime.streams.submit(stream, std::move(work));
  if (isAsync)
    return Error::success();
  hipError_t code = runtime.streams.synchronize(stream);
  return code == hipSuccess ? Error::success() : fail(code);
}

static Error copy(void *to, const void *from, size_t bytes, int kind,
                  void *streamHandle, bool isAsync) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  auto stream = runtime->stream(streamHandle);
  if (!stream)
    return stream.takeError();
  Side toSide = Side::Any, fromSide = Side::Any;
  switch (kind) {
  case hipMemcpyHostToHost:
    toSide = fromSide = Side::Host;
    break;
  case hipMemcpyHostToDevice:
    fromSide = Side::Host;
    toSide = Side::Device;
    break;
  case hipMemcpyDeviceToHost:
    fromSide = Side::Device;
    toSide = Side::Host;
    break;
  case hipMemcpyDeviceToDevice:
  case hipMemcpyDeviceToDeviceNoCU:
    toSide = fromSide = Side::Device;
    break;
  case hipMemcpyDefault:
    break;
  default:
    return fail(hipErrorInvalidMemcpyDirection,
                formatv("direction {0}, expected 0 to 4", kind));
  }
  if (bytes == 0)
    return Error::success();
  auto target = runtime->memory.resolve(to, bytes, toSide, "destination");
  if (!target)
    return target.takeError();
  auto source = runtime->memory.resolve(from, bytes, fromSide, "source");
  if (!source)
    return source.takeError();
  auto work = [to = target->host, from = source->host, bytes] {
    std::memmove(to, from, bytes);
    return hipSuccess;
  };
  if (isAsync && (target->isPageable || source->isPageable)) {
    runtime->streams.wait(runtime->streams.submit(*stream, work));
    return Error::success();
  }
  return submit(*runtime, *stream, work, isAsync);
}

FLY_HIP_EXPORT hipError_t hipMemcpy(void *to, const void *from, size_t bytes,
                                    int kind) {
  return finish("hipMemcpy", copy(to, from, bytes, kind, nullptr, false));
}

FLY_HIP_EXPORT hipError_t hipMemcpyWithStream(void *to, const void *from,
                                              size_t bytes, int kind,
                                              void *stream) {
  return finish("hipMemcpyWithStream",
                copy(to, from, bytes, kind, stream, false));
}

FLY_HIP_EXPORT hipError_t hipMemcpyAsync(void *to, const void *from,
                                         size_t bytes, int kind, void *stream) {
  return finish("hipMemcpyAsync", copy(to, from, bytes, kind, stream, true));
}

FLY_HIP_EXPORT hipError_t hipMemcpyHtoD(void *to, const void *from,
                                        size_t bytes) {
  return finish("hipMemcpyHtoD",
                copy(to, from, bytes, hipMemcpyHostToDevice, nullptr, false));
}

FLY_HIP_EXPORT hipError_t hipMemcpyDtoH(void *to, const void *from,
                                        size_t bytes) {
  return finish("hipMemcpyDtoH",
                copy(to, from, bytes, hipMemcpyDeviceToHost, nullptr, false));
}

FLY_HIP_EXPORT hipError_t hipMemcpyDtoD(void *to, const void *from,
                                        size_t bytes) {
  return finish("hipMemcpyDtoD",
                copy(to, from, bytes, hipMemcpyDeviceToDevice, nullptr, false));
}

FLY_HIP_EXPORT hipError_t hipMemcpyHtoDAsync(void *to, const void *from,
                                             size_t bytes, void *stream) {
  return finish("hipMemcpyHtoDAsync",
                copy(to, from, bytes, hipMemcpyHostToDevice, stream, true));
}

FLY_HIP_EXPORT hipError_t hipMemcpyDtoHAsync(void *to, const void *from,
                                             size_t bytes, void *stream) {
  return finish("hipMemcpyDtoHAsync",
                copy(to, from, bytes, hipMemcpyDeviceToHost, stream, true));
}

FLY_HIP_EXPORT hipError_t hipMemcpyDtoDAsync(void *to, const void *from,
                                             size_t bytes, void *stream) {
  return finish("hipMemcpyDtoDAsync",
                copy(to, from, bytes, hipMemcpyDeviceToDevice, stream, true));
}

/// Fills \p count values of type T.
template <typename T>
static Error fill(void *to, T value, size_t count, void *streamHandle,
                  bool isAsync) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  auto stream = runtime->stream(streamHandle);
  if (!stream)
    return stream.takeError();
  if (count == 0)
    return Error::success();
  if (count > SIZE_MAX / sizeof(T) ||
      reinterpret_cast<uint64_t>(to) % sizeof(T))
    return fail(hipErrorInvalidValue, formatv("{0} values of {1} bytes at {2}",
                                              count, sizeof(T), to));
  auto target = runtime->memory.resolve(to, count * sizeof(T), Side::Device,
                                        "destination");
  if (!target)
    return target.takeError();
  auto work = [to = reinterpret_cast<T *>(target->host), value, count] {
    std::fill_n(to, count, value);
    return hipSuccess;
  };
  return submit(*runtime, *stream, work, isAsync);
}

FLY_HIP_EXPORT hipError_t hipMemset(void *to, int value, size_t bytes) {
  return finish("hipMemset", fill(to, uint8_t(value), bytes, nullptr, false));
}

FLY_HIP_EXPORT hipError_t hipMemsetAsync(void *to, int value, size_t bytes,
                                         void *stream) {
  return finish("hipMemsetAsync",
                fill(to, uint8_t(value), bytes, stream, true));
}

FLY_HIP_EXPORT hipError_t hipMemsetD8(void *to, unsigned char value,
                                      size_t count) {
  return finish("hipMemsetD8", fill(to, uint8_t(value), count, nullptr, false));
}

FLY_HIP_EXPORT hipError_t hipMemsetD8Async(void *to, unsigned char value,
                                           size_t count, void *stream) {
  return finish("hipMemsetD8Async",
                fill(to, uint8_t(value), count, stream, true));
}

FLY_HIP_EXPORT hipError_t hipMemsetD16(void *to, unsigned short value,
                                       size_t count) {
  return finish("hipMemsetD16",
                fill(to, uint16_t(value), count, nullptr, false));
}

FLY_HIP_EXPORT hipError_t hipMemsetD16Async(void *to, unsigned short value,
                                            size_t count, void *stream) {
  return finish("hipMemsetD16Async",
                fill(to, uint16_t(value), count, stream, true));
}

FLY_HIP_EXPORT hipError_t hipMemsetD32(void *to, int value, size_t count) {
  return finish("hipMemsetD32",
                fill(to, uint32_t(value), count, nullptr, false));
}

FLY_HIP_EXPORT hipError_t hipMemsetD32Async(void *to, int value, size_t count,
                                            void *stream) {
  return finish("hipMemsetD32Async",
                fill(to, uint32_t(value), count, stream, true));
}

/// The address of a registered variable, \p bytes from \p offset on in it.
static Expected<void *> addressOf(const void *symbol, size_t offset,
                                  size_t bytes) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  auto variable = findRegisteredVariable(*runtime, symbol);
  if (!variable)
    return variable.takeError();
  if (offset > variable->bytes || bytes > variable->bytes - offset)
    return fail(hipErrorInvalidValue,
                formatv("{0} bytes from {1} on of a variable of {2}", bytes,
                        offset, variable->bytes));
  return reinterpret_cast<void *>(variable->address + offset);
}

FLY_HIP_EXPORT hipError_t hipMemcpyToSymbol(const void *symbol,
                                            const void *from, size_t bytes,
                                            size_t offset, int kind) {
  auto to = addressOf(symbol, offset, bytes);
  return finish("hipMemcpyToSymbol",
                to ? copy(*to, from, bytes, kind, nullptr, false)
                   : to.takeError());
}

FLY_HIP_EXPORT hipError_t hipMemcpyFromSymbol(void *to, const void *symbol,
                                              size_t bytes, size_t offset,
                                              int kind) {
  auto from = addressOf(symbol, offset, bytes);
  return finish("hipMemcpyFromSymbol",
                from ? copy(to, *from, bytes, kind, nullptr, false)
                     : from.takeError());
}

FLY_HIP_EXPORT hipError_t hipGetSymbolAddress(void **result,
                                              const void *symbol) {
  auto address = addressOf(symbol, 0, 0);
  if (!address)
    return finish("hipGetSymbolAddress", address.takeError());
  if (!result)
    return finish("hipGetSymbolAddress", fail(hipErrorInvalidValue));
  *result = *address;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipGetSymbolSize(size_t *bytes, const void *symbol) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return finish("hipGetSymbolSize", runtime.takeError());
  auto variable = findRegisteredVariable(*runtime, symbol);
  if (!variable)
    return finish("hipGetSymbolSize", variable.takeError());
  if (!bytes)
    return finish("hipGetSymbolSize", fail(hipErrorInvalidValue));
  *bytes = variable->bytes;
  return hipSuccess;
}
