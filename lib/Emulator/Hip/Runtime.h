//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The one emulated device of the process and all that belongs to it. It is
/// made by the first call that needs it, from the environment:
///   FLY_HIP_ARCH   gfx950 or gfx942; without it there is no device
///   FLY_HIP_CHECK  on (default) or off: checking mode
///   FLY_HIP_JOBS   worker threads of a launch; 0 (default) is one a core
///   FLY_HIP_REPORT file to which findings and texts of errors are added
/// Internal to the HIP library; see docs/hip-library.md.

#ifndef FLY_LIB_EMULATOR_HIP_RUNTIME_H
#define FLY_LIB_EMULATOR_HIP_RUNTIME_H

#include "Failure.h"
#include "Handles.h"
#include "Memory.h"
#include "Module.h"
#include "Streams.h"

#include "fly/Emulator/Emulator.h"

namespace fly {
namespace hip {

class Event {
public:
  explicit Event(unsigned flags) : flags(flags) {}
  void record(CompletionPtr completion) {
    std::lock_guard<std::mutex> lock(mutex);
    recorded = std::move(completion);
  }
  /// Null before hipEventRecord.
  CompletionPtr lastRecorded() const {
    std::lock_guard<std::mutex> lock(mutex);
    return recorded;
  }
  const unsigned flags;

private:
  mutable std::mutex mutex;
  CompletionPtr recorded;
};

/// All contexts share the device; hipCtx* only keep account of them.
struct Context {
  unsigned flags = 0;
};

class Runtime {
public:
  /// hipErrorNoDevice without a usable environment, hipErrorDeinitialized once
  /// the process is ending.
  static llvm::Expected<Runtime &> get();

  const TargetInfo &target() const { return emulator->target(); }
  /// The stream of a handle, the default ones included.
  llvm::Expected<std::shared_ptr<Stream>> stream(const void *handle);
  llvm::Expected<std::shared_ptr<Event>> event(const void *handle);

  std::unique_ptr<Emulator> emulator;
  Memory memory;
  Streams streams;
  Handles<Stream> streamHandles;
  Handles<Event> events;
  Handles<Module> modules;
  Handles<Function> functions;
  Handles<Context> contexts;
  const std::shared_ptr<Context> primary = std::make_shared<Context>();

private:
  friend struct Unloading;
  explicit Runtime(std::unique_ptr<Emulator> emulator);
  static llvm::Expected<std::unique_ptr<Emulator>> createEmulator();
};

/// hipErrorInvalidDevice unless \p device is 0, the only one there is.
llvm::Error checkDevice(int device);

} // namespace hip
} // namespace fly

#endif // FLY_LIB_EMULATOR_HIP_RUNTIME_H
