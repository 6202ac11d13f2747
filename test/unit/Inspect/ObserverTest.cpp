//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What the emulator tells an observer, and what BankConflictObserver makes of
/// it.

#include "fly/Emulator/Emulator.h"
#include "fly/Inspect/BankConflicts.h"

#include "LinkedObject.h"
#include "Support/Unwrap.h"

#include "gtest/gtest.h"

#include <mutex>

using namespace fly;
using namespace fly::test;

namespace {

/// Runs \p body in two workgroups of \p threads with \p observer.
void run(llvm::StringRef body, AccessObserver &observer, bool check,
         uint32_t threads = 64) {
  EmulatorOptions options;
  options.check = check;
  options.observer = &observer;
  KernelOptions kernel;
  kernel.ldsBytes = 32768;
  auto emulator = unwrap(Emulator::create("gfx950", options));
  auto module =
      unwrap(emulator->load(linkSource("gfx950", kernelSource(kernel, body))));
  std::vector<uint8_t> kernargs(64);
  LaunchParams params;
  params.kernel = "k";
  params.grid = {2, 1, 1};
  params.block = {threads, 1, 1};
  params.kernargs = kernargs;
  LaunchResult result = unwrap(emulator->launch(*module, params));
  for (const Report &report : result.reports)
    ADD_FAILURE() << report.message;
}

struct Seen {
  std::string key;
  uint64_t workgroup, lanes;
  uint32_t wave;
  unsigned bytes, parts;
  uint64_t address;    ///< of lane 3
  uint32_t ldsAddress; ///< the same
};

class Recorder : public AccessObserver {
public:
  void onAccess(const ObservedAccess &access) override {
    std::lock_guard<std::mutex> lock(mutex);
    seen.push_back({access.instruction.key.str(), access.workgroup,
                    access.lanes, access.wave, access.bytes, access.parts,
                    access.addresses[3], access.ldsAddresses[3]});
  }
  std::mutex mutex;
  std::vector<Seen> seen;
};

} // namespace

TEST(Observer, SeesEveryAccessInBothModes) {
  for (bool check : {false, true}) {
    Recorder recorder;
    run(R"(
      v_lshlrev_b32 v1, 3, v0
      ds_write2_b32 v1, v0, v0 offset1:1
      s_mov_b32 s8, 0
      s_mov_b32 s9, 0
      s_mov_b32 s10, 0
      s_mov_b32 s11, 0x27000
      v_readfirstlane_b32 s12, v0
      s_lshl_b32 s12, s12, 2
      s_add_u32 m0, s12, 0x1000
      s_nop 0
      buffer_load_dword v1, s[8:11], 0 offen lds
      s_waitcnt vmcnt(0) lgkmcnt(0))",
        recorder, check, 96);
    // Two workgroups of two waves, the second one with half its lanes.
    ASSERT_EQ(recorder.seen.size(), 8u);
    unsigned writes = 0, copies = 0, halves = 0;
    for (const Seen &seen : recorder.seen) {
      EXPECT_LT(seen.workgroup, 2u);
      EXPECT_LT(seen.wave, 2u);
      halves += seen.lanes == 0xffffffff && seen.wave == 1;
      if (seen.key == "ds_write2_b32") {
        ++writes;
        EXPECT_EQ(seen.parts, 2u);
        EXPECT_EQ(seen.bytes, 4u);
        EXPECT_EQ(seen.address, 8 * (64 * seen.wave + 3));
        EXPECT_EQ(seen.ldsAddress, 8 * (64 * seen.wave + 3) + 4);
      } else {
        ++copies;
        EXPECT_EQ(seen.key, "buffer_load_dword_lds");
        EXPECT_EQ(seen.parts, 1u);
        EXPECT_EQ(seen.address, 8 * (64 * seen.wave + 3));
        EXPECT_EQ(seen.ldsAddress, 0x1000u + 4 * (64 * seen.wave + 3));
      }
    }
    EXPECT_EQ(writes, 4u);
    EXPECT_EQ(copies, 4u);
    EXPECT_EQ(halves, 4u);
  }
}

TEST(Observer, ConflictsAreAddedUpByInstruction) {
  BankConflictObserver observer(unwrap(lookupTarget("gfx950")));
  run(R"(
    v_lshlrev_b32 v1, 8, v0
    v_mov_b32 v2, 0
    v_mov_b32 v3, 0
    ds_write_b64 v1, v[2:3]
    s_waitcnt lgkmcnt(0)
    ds_read2_b32 v[4:5], v1 offset1:1
    ds_bpermute_b32 v6, v2, v3
    s_waitcnt lgkmcnt(0))",
      observer, /*check=*/true);
  ASSERT_EQ(observer.entries().size(), 2u);
  const auto &write = observer.entries().begin()->second;
  EXPECT_EQ(write.executions, 2u);
  // Rows of 256 bytes: every lane of a phase wants the same banks.
  EXPECT_EQ(write.cycles.factor(), 16);
  const auto &read = observer.entries().rbegin()->second;
  EXPECT_EQ(read.executions, 2u);
  EXPECT_EQ(read.cycles.phases, 4u);
  EXPECT_EQ(read.cycles.factor(), 64);
}
