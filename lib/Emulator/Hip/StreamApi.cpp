//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// hipStream* and hipEvent*.

#include "Launch.h"

#include "llvm/Support/FormatVariadic.h"

using namespace fly;
using namespace fly::hip;
using namespace llvm;

/// The error of earlier work, whose texts have been reported when it was found.
static Error earlier(hipError_t code) {
  return code == hipSuccess ? Error::success() : fail(code);
}

namespace {
/// A stream and the runtime it is of.
struct Target {
  Runtime &runtime;
  std::shared_ptr<Stream> stream;
};
} // namespace

static Expected<Target> findStream(const void *handle) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  auto stream = runtime->stream(handle);
  if (!stream)
    return stream.takeError();
  return Target{*runtime, *stream};
}

static Error createStream(void **result, unsigned flags, int priority) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  if (!result || flags & ~hipStreamNonBlocking)
    return fail(hipErrorInvalidValue,
                formatv("stream with flags {0:x}, expected 0 or {1}, and a "
                        "place for the handle",
                        flags, hipStreamNonBlocking));
  *result =
      runtime->streamHandles.add(runtime->streams.create(flags, priority));
  return Error::success();
}

static Error destroyStream(void *handle) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  std::shared_ptr<Stream> stream = runtime->streamHandles.remove(handle);
  if (!stream)
    return fail(hipErrorInvalidHandle,
                formatv("{0} is no stream to destroy", handle));
  return earlier(runtime->streams.destroy(stream));
}

FLY_HIP_EXPORT hipError_t hipStreamCreate(void **stream) {
  return finish("hipStreamCreate", createStream(stream, 0, 0));
}

FLY_HIP_EXPORT hipError_t hipStreamCreateWithFlags(void **stream,
                                                   unsigned flags) {
  return finish("hipStreamCreateWithFlags", createStream(stream, flags, 0));
}

/// Priorities are kept; the CPU's threads share it anyway.
FLY_HIP_EXPORT hipError_t hipStreamCreateWithPriority(void **stream,
                                                      unsigned flags,
                                                      int priority) {
  return finish("hipStreamCreateWithPriority",
                createStream(stream, flags, priority));
}

FLY_HIP_EXPORT hipError_t hipDeviceGetStreamPriorityRange(int *least,
                                                          int *greatest) {
  if (least)
    *least = 0;
  if (greatest)
    *greatest = 0;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipStreamDestroy(void *stream) {
  return finish("hipStreamDestroy", destroyStream(stream));
}

FLY_HIP_EXPORT hipError_t hipStreamSynchronize(void *stream) {
  auto target = findStream(stream);
  return finish(
      "hipStreamSynchronize",
      target ? earlier(target->runtime.streams.synchronize(target->stream))
             : target.takeError());
}

FLY_HIP_EXPORT hipError_t hipStreamQuery(void *stream) {
  auto target = findStream(stream);
  return finish("hipStreamQuery",
                target ? earlier(target->runtime.streams.query(target->stream))
                       : target.takeError());
}

static Error waitEvent(void *streamHandle, void *eventHandle) {
  auto target = findStream(streamHandle);
  if (!target)
    return target.takeError();
  auto event = target->runtime.event(eventHandle);
  if (!event)
    return event.takeError();
  if (CompletionPtr completion = (*event)->lastRecorded())
    target->runtime.streams.submit(
        target->stream, [] { return hipSuccess; }, completion);
  return Error::success();
}

FLY_HIP_EXPORT hipError_t hipStreamWaitEvent(void *stream, void *event,
                                             unsigned) {
  return finish("hipStreamWaitEvent", waitEvent(stream, event));
}

FLY_HIP_EXPORT hipError_t hipStreamGetFlags(void *stream, unsigned *flags) {
  auto target = findStream(stream);
  if (!target)
    return finish("hipStreamGetFlags", target.takeError());
  if (!flags)
    return finish("hipStreamGetFlags", fail(hipErrorInvalidValue));
  *flags = target->stream->flags;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipStreamGetPriority(void *stream, int *priority) {
  auto target = findStream(stream);
  if (!target)
    return finish("hipStreamGetPriority", target.takeError());
  if (!priority)
    return finish("hipStreamGetPriority", fail(hipErrorInvalidValue));
  *priority = target->stream->priority;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipStreamGetDevice(void *stream, int *device) {
  auto target = findStream(stream);
  if (!target)
    return finish("hipStreamGetDevice", target.takeError());
  if (!device)
    return finish("hipStreamGetDevice", fail(hipErrorInvalidValue));
  *device = 0;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t
hipStreamAddCallback(void *stream, void (*callback)(void *, hipError_t, void *),
                     void *data, unsigned) {
  auto target = findStream(stream);
  if (!target)
    return finish("hipStreamAddCallback", target.takeError());
  if (!callback)
    return finish("hipStreamAddCallback", fail(hipErrorInvalidValue));
  target->runtime.streams.submit(target->stream, [=] {
    callback(stream, hipSuccess, data);
    return hipSuccess;
  });
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipLaunchHostFunc(void *stream,
                                            void (*function)(void *),
                                            void *data) {
  auto target = findStream(stream);
  if (!target)
    return finish("hipLaunchHostFunc", target.takeError());
  if (!function)
    return finish("hipLaunchHostFunc", fail(hipErrorInvalidValue));
  target->runtime.streams.submit(target->stream, [=] {
    function(data);
    return hipSuccess;
  });
  return hipSuccess;
}

static Error createEvent(void **result, unsigned flags) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  // The upper bits choose fences, which a CPU's memory does not need.
  constexpr unsigned known = hipEventBlockingSync | hipEventDisableTiming |
                             hipEventInterprocess | 0xe0000000;
  if (!result || flags & ~known)
    return fail(hipErrorInvalidValue,
                formatv("event with flags {0:x}, or no place for it", flags));
  if (flags & hipEventInterprocess)
    return fail(hipErrorNotSupported, "events of several processes");
  *result = runtime->events.add(std::make_shared<Event>(flags));
  return Error::success();
}

FLY_HIP_EXPORT hipError_t hipEventCreate(void **event) {
  return finish("hipEventCreate", createEvent(event, 0));
}

FLY_HIP_EXPORT hipError_t hipEventCreateWithFlags(void **event,
                                                  unsigned flags) {
  return finish("hipEventCreateWithFlags", createEvent(event, flags));
}

FLY_HIP_EXPORT hipError_t hipEventDestroy(void *event) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return finish("hipEventDestroy", runtime.takeError());
  if (!runtime->events.remove(event))
    return finish("hipEventDestroy",
                  fail(hipErrorInvalidHandle,
                       formatv("{0} is no event to destroy", event)));
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipEventRecord(void *event, void *stream) {
  Expected<Runtime &> runtime = Runtime::get();
  return finish("hipEventRecord", runtime ? record(*runtime, event, stream)
                                          : runtime.takeError());
}

static Error awaitEvent(void *handle, bool isQuery) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  auto event = runtime->event(handle);
  if (!event)
    return event.takeError();
  CompletionPtr completion = (*event)->lastRecorded();
  if (!completion)
    return Error::success();
  if (isQuery && !runtime->streams.isDone(completion))
    return fail(hipErrorNotReady);
  runtime->streams.wait(completion);
  return earlier(runtime->streams.takeError(completion));
}

FLY_HIP_EXPORT hipError_t hipEventSynchronize(void *event) {
  return finish("hipEventSynchronize", awaitEvent(event, /*isQuery=*/false));
}

FLY_HIP_EXPORT hipError_t hipEventQuery(void *event) {
  return finish("hipEventQuery", awaitEvent(event, /*isQuery=*/true));
}

static Error elapsed(float *result, void *startHandle, void *stopHandle) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  if (!result)
    return fail(hipErrorInvalidValue, "no place for the time");
  std::chrono::steady_clock::time_point times[2];
  void *handles[] = {startHandle, stopHandle};
  for (unsigned i = 0; i != 2; ++i) {
    auto event = runtime->event(handles[i]);
    if (!event)
      return event.takeError();
    CompletionPtr completion = (*event)->lastRecorded();
    if (!completion || (*event)->flags & hipEventDisableTiming)
      return fail(hipErrorInvalidHandle,
                  formatv("event {0} {1}", handles[i],
                          completion ? "was created without timing"
                                     : "was never recorded"));
    if (!runtime->streams.isDone(completion))
      return fail(hipErrorNotReady);
    times[i] = runtime->streams.timeOf(completion);
  }
  *result =
      std::chrono::duration<float, std::milli>(times[1] - times[0]).count();
  return Error::success();
}

FLY_HIP_EXPORT hipError_t hipEventElapsedTime(float *milliseconds, void *start,
                                              void *stop) {
  return finish("hipEventElapsedTime", elapsed(milliseconds, start, stop));
}
