//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstdlib>

using namespace llvm;

namespace fly {
namespace hip {

static std::mutex runtimeMutex;
static Runtime *runtime = nullptr;
static bool unloading = false;

/// Its destructor runs when the process ends, before anything that kernels on
/// other threads may need is gone. The rest stays: threads of the program may
/// still be inside a call.
struct Unloading {
  ~Unloading() {
    Runtime *last = nullptr;
    {
      std::lock_guard<std::mutex> lock(runtimeMutex);
      unloading = true;
      last = runtime;
    }
    if (last)
      last->streams.shutdown();
  }
};
static Unloading atUnloading;

Runtime::Runtime(std::unique_ptr<Emulator> created)
    : emulator(std::move(created)), memory(emulator->memory()) {
  contexts.add(primary);
}

Expected<std::unique_ptr<Emulator>> Runtime::createEmulator() {
  const char *arch = std::getenv("FLY_HIP_ARCH");
  if (!arch)
    return fail(hipErrorNoDevice,
                "FLY_HIP_ARCH is not set: set it to the chip to emulate, "
                "gfx950 or gfx942");
  EmulatorOptions options;
  // The program goes on while a kernel runs.
  options.memoryIsShared = true;
  if (const char *check = std::getenv("FLY_HIP_CHECK")) {
    options.check = StringRef(check) == "on";
    if (!options.check && StringRef(check) != "off")
      return fail(hipErrorNoDevice, "FLY_HIP_CHECK is '" + Twine(check) +
                                        "', expected 'on' or 'off'");
  }
  if (const char *jobs = std::getenv("FLY_HIP_JOBS"))
    if (StringRef(jobs).getAsInteger(10, options.threads))
      return fail(hipErrorNoDevice, "FLY_HIP_JOBS is '" + Twine(jobs) +
                                        "', expected a number of threads");
  auto emulator = Emulator::create(arch, options);
  if (!emulator)
    return failAs(hipErrorNoDevice, emulator.takeError());
  return std::move(*emulator);
}

Expected<Runtime &> Runtime::get() {
  std::lock_guard<std::mutex> lock(runtimeMutex);
  if (unloading)
    return fail(hipErrorDeinitialized);
  if (!runtime) {
    auto emulator = createEmulator();
    if (!emulator)
      return emulator.takeError();
    runtime = new Runtime(std::move(*emulator));
  }
  return *runtime;
}

namespace {
/// The stream that hipStreamPerThread names in this thread.
struct ThreadStream {
  std::shared_ptr<Stream> stream;
  ~ThreadStream() {
    if (!stream)
      return;
    if (Expected<Runtime &> runtime = Runtime::get())
      runtime->streams.destroy(stream);
    else
      consumeError(runtime.takeError());
  }
};
} // namespace

Expected<std::shared_ptr<Stream>> Runtime::stream(const void *handle) {
  static thread_local ThreadStream own;
  if (!handle || handle == hipStreamLegacy)
    return streams.defaultStream();
  if (handle == hipStreamPerThread) {
    if (!own.stream)
      own.stream = streams.create(/*flags=*/0, /*priority=*/0);
    return own.stream;
  }
  if (std::shared_ptr<Stream> stream = streamHandles.find(handle))
    return stream;
  return fail(hipErrorInvalidHandle,
              formatv("{0} is no stream", const_cast<void *>(handle)));
}

Expected<std::shared_ptr<Event>> Runtime::event(const void *handle) {
  if (std::shared_ptr<Event> event = events.find(handle))
    return event;
  return fail(hipErrorInvalidHandle,
              formatv("{0} is no event", const_cast<void *>(handle)));
}

Error checkDevice(int device) {
  if (device == 0)
    return Error::success();
  return fail(
      hipErrorInvalidDevice,
      formatv("device {0} was asked for, there is device 0 only", device));
}

} // namespace hip
} // namespace fly
