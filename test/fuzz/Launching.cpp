//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Launching.h"

#include <cstring>

using namespace llvm;

namespace fly {
namespace fuzz {

static void runOnce(ArrayRef<uint8_t> object, StringRef arch,
                    const Launch &launch) {
  auto emulator = Emulator::create(arch, launch.options);
  if (!emulator)
    return consumeError(emulator.takeError());
  auto module = (*emulator)->load(object);
  if (!module)
    return consumeError(module.takeError());
  constexpr uint64_t bufferBytes = 4096;
  Expected<uint64_t> buffer = (*emulator)->memory().allocate(bufferBytes);
  if (!buffer)
    return consumeError(buffer.takeError());
  std::vector<uint8_t> args(128);
  std::memcpy(args.data(), &*buffer, 8);
  std::memcpy(args.data() + 8, &bufferBytes, 8);
  LaunchParams params;
  params.kernel = launch.kernel;
  params.grid = launch.grid;
  params.block = launch.block;
  params.dynamicLdsBytes = launch.dynamicLds;
  params.kernargs = args;
  Expected<LaunchResult> result = (*emulator)->launch(**module, params);
  if (!result)
    consumeError(result.takeError());
}

void run(ArrayRef<uint8_t> object, StringRef arch, Launch launch) {
  launch.options.threads = 1;
  launch.options.maxReports = 8;
  launch.options.maxInstructionsPerWave = 500;
  for (bool check : {false, true}) {
    launch.options.check = check;
    runOnce(object, arch, launch);
  }
}

} // namespace fuzz
} // namespace fly
