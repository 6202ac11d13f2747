//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Code that is not meant to run: random instructions, random bytes and damaged
/// kernels end in an error or a result, never in a crash, in both modes.

#include "Machine.h"

#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <random>

using namespace fly;
using namespace fly::test;

namespace {

/// First dwords by encoding, so that most random words are instructions.
uint32_t randomWord(std::mt19937 &random) {
  static const uint32_t prefixes[][2] = {
      {0x80000000, 0x1fffffff}, // SOP2, SOPK, SOP1, SOPC, SOPP
      {0xbe800000, 0x007fffff}, // SOP1
      {0xbf000000, 0x007fffff}, // SOPC
      {0xc0000000, 0x03ffffff}, // SMEM
      {0xd8000000, 0x03ffffff}, // DS
      {0xe0000000, 0x03ffffff}, // MUBUF
      {0xdc000000, 0x03ffffff}, // FLAT
      {0xd0000000, 0x03ffffff}, // VOP3
      {0xd3800000, 0x007fffff}, // VOP3P, MFMA
      {0x7e000000, 0x01ffffff}, // VOP1
      {0x7c000000, 0x01ffffff}, // VOPC
      {0x00000000, 0x7fffffff}, // VOP2
  };
  const auto &p = prefixes[random() % std::size(prefixes)];
  return p[0] | (uint32_t(random()) & p[1]);
}

void runWords(std::mt19937 &random, bool check, llvm::StringRef arch) {
  std::string body;
  for (unsigned i = 0; i != 24; ++i)
    body += llvm::formatv(".long {0:x8}\n.long {1:x8}\n", randomWord(random),
                          uint32_t(random()));
  Machine machine;
  machine.arch = arch.str();
  machine.options.check = check;
  machine.options.maxInstructionsPerWave = 2000;
  machine.kernel.ldsBytes = 1024;
  machine.kernel.scratchBytes = 32;
  machine.block = {random() % 2 ? 64u : 150u, 1, 1};
  machine.runWithBuffer(body);
}

} // namespace

TEST(Damage, RandomInstructionsNeverCrash) {
  std::mt19937 random(7);
  for (unsigned round = 0; round != 150; ++round)
    runWords(random, round % 2, round % 3 ? "gfx950" : "gfx942");
}

TEST(Damage, DamagedObjectsNeverCrash) {
  KernelOptions options;
  options.ldsBytes = 512;
  options.name = "k";
  std::vector<uint8_t> good = linkSource("gfx950", kernelSource(options, R"(
    s_load_dwordx4 s[8:11], s[0:1], 0x0
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_load_dword v2, v1, s[8:9]
    s_waitcnt vmcnt(0)
    ds_write_b32 v1, v2
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v3, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v3, s[8:9])"));
  std::mt19937 random(3);
  unsigned ran = 0;
  for (unsigned round = 0; round != 400; ++round) {
    std::vector<uint8_t> bytes = good;
    for (unsigned n = 1 + random() % 4; n != 0; --n)
      bytes[random() % bytes.size()] = uint8_t(random());
    EmulatorOptions emulatorOptions;
    emulatorOptions.check = round % 2;
    emulatorOptions.maxInstructionsPerWave = 1000;
    auto emulator = llvm::cantFail(Emulator::create("gfx950", emulatorOptions));
    uint64_t address = llvm::cantFail(emulator->memory().allocate(256));
    auto module = emulator->load(bytes);
    if (!module) {
      llvm::consumeError(module.takeError());
      continue;
    }
    std::vector<uint8_t> args(64);
    std::memcpy(args.data(), &address, 8);
    LaunchParams params;
    params.kernel = "k";
    params.block = {64, 1, 1};
    params.kernargs = args;
    auto result = emulator->launch(**module, params);
    if (!result)
      llvm::consumeError(result.takeError());
    ++ran;
  }
  EXPECT_GT(ran, 100u);
}
