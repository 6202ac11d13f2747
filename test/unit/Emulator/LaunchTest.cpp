//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Launches that do not end by themselves: loops, deadlocks, limits,
/// cancellation; what is told of a launch while it runs.

#include "Machine.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

class Launch : public testing::TestWithParam<bool> {
protected:
  Machine machine;
  void SetUp() override { machine.options.check = GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Modes, Launch, testing::Values(false, true),
                         [](const testing::TestParamInfo<bool> &info) {
                           return info.param ? "Checking" : "Fast";
                         });

/// Workgroup 0 stores 1 to the flag after 3 million instructions; the others
/// wait for it, and then all store to a place of their own.
constexpr char waitForWorkgroup0[] = R"(
  v_mov_b32 v1, 0
  s_mov_b32 s20, 0
  s_cmp_eq_u32 s2, 0
  s_cbranch_scc0 .Lpoll
  .Lcount:
  s_add_u32 s20, s20, 1
  s_cmp_lt_u32 s20, 0x100000
  s_cbranch_scc1 .Lcount
  v_mov_b32 v2, 1
  FLAG
  s_waitcnt vmcnt(0)
  s_branch .Ldone
  .Lpoll:
  global_load_dword v2, v1, s[8:9] sc1
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s21, v2
  s_cmp_eq_u32 s21, 0
  s_cbranch_scc1 .Lpoll
  .Ldone:
  s_lshl_b32 s22, s2, 2
  s_add_u32 s22, s22, 64
  v_mov_b32 v3, s22
  global_store_dword v3, v31, s[8:9]
)";

std::string withFlag(const char *store) {
  std::string text = waitForWorkgroup0;
  return text.replace(text.find("FLAG"), 4, store);
}

} // namespace

TEST_P(Launch, LoopThatReadsNothingIsFoundAtOnce) {
  machine.options.threads = 1;
  machine.runWithBuffer("v_mov_b32 v1, 1\n .Ltop: v_add_u32 v2, v1, v1\n"
                        "s_nop 0\n s_branch .Ltop");
  EXPECT_TRUE(machine.result.hung);
  EXPECT_FALSE(machine.result.passed());
  EXPECT_TRUE(
      machine.reported("endless-loop", "repeats the 3 instructions from"))
      << machine.reports();
  EXPECT_TRUE(
      machine.reported("endless-loop", "'v_add_u32_e32 v2, v1, v1' to"));
  EXPECT_LT(machine.result.instructions, 3000000u);
}

TEST_P(Launch, OneWaveInALoopIsFoundWhileTheOthersWait) {
  machine.block = {128, 1, 1};
  machine.runWithBuffer("v_cmp_gt_u32 vcc, 64, v0\n s_cbranch_vccz .Lbarrier\n"
                        ".Ltop: s_branch .Ltop\n .Lbarrier: s_barrier");
  EXPECT_TRUE(machine.reported("endless-loop", "wave 0 repeats"))
      << machine.reports();
}

TEST_P(Launch, LoopThatCountsReachesTheLimit) {
  machine.options.maxInstructionsPerWave = 100000;
  machine.runWithBuffer(".Ltop: s_add_u32 s20, s20, 1\n s_branch .Ltop");
  EXPECT_TRUE(machine.result.hung);
  EXPECT_TRUE(machine.reported("endless-loop", "--max-instructions"))
      << machine.reports();
}

TEST_P(Launch, LongLoopsThatEndAreNotReported) {
  machine.options.threads = 2;
  machine.grid = {3, 1, 1};
  machine.runWithBuffer(R"(
    s_mov_b32 s20, 0
    .Ltop:
    s_add_u32 s20, s20, 1
    s_cmp_lt_u32 s20, 0x180000
    s_cbranch_scc1 .Ltop)");
  EXPECT_EQ(machine.reports(), "");
  EXPECT_EQ(machine.result.instructions, 3u * (10 + 1 + 3 * 0x180000 + 1));
}

TEST_P(Launch, PollingOfMemoryThatIsWrittenEnds) {
  for (unsigned threads : {1, 2}) {
    machine.options.threads = threads;
    machine.grid = {5, 1, 1};
    machine.buffer.assign(256, 0);
    machine.runWithBuffer(withFlag("global_store_dword v1, v2, s[8:9] sc1"));
    EXPECT_EQ(machine.errors(), "");
    EXPECT_FALSE(machine.result.hung);
    EXPECT_EQ(machine.buffer[0], 1u);
  }
}

TEST_P(Launch, PollingOfMemoryThatNobodyWritesIsADeadlock) {
  for (unsigned threads : {1, 2}) {
    machine.options.threads = threads;
    machine.grid = {5, 1, 1};
    machine.runWithBuffer(withFlag("s_nop 0"));
    EXPECT_TRUE(machine.result.hung);
    EXPECT_TRUE(machine.reported("deadlock", "wave 0 polls memory in the loop "
                                             "from"))
        << machine.reports();
    EXPECT_TRUE(machine.reported("deadlock", "'global_load_dword v2"));
  }
}

TEST_P(Launch, SharedMemoryIsNoDeadlock) {
  machine.options.memoryIsShared = true;
  machine.options.maxInstructionsPerWave = 5000000;
  machine.grid = {2, 1, 1};
  machine.runWithBuffer(withFlag("s_nop 0"));
  EXPECT_FALSE(machine.reported("deadlock"));
  EXPECT_TRUE(machine.reported("endless-loop", "limit")) << machine.reports();
}

TEST_P(Launch, PollingOfLdsThatNobodyWritesIsADeadlock) {
  machine.block = {128, 1, 1};
  machine.kernel.ldsBytes = 64;
  machine.runWithBuffer(R"(
    v_mov_b32 v1, 0
    ds_write_b32 v1, v1
    s_waitcnt lgkmcnt(0)
    s_barrier
    v_cmp_gt_u32 vcc, 64, v0
    s_cbranch_vccz .Lbarrier
    .Lpoll:
    ds_read_b32 v2, v1
    s_waitcnt lgkmcnt(0)
    v_readfirstlane_b32 s20, v2
    s_cmp_eq_u32 s20, 0
    s_cbranch_scc1 .Lpoll
    .Lbarrier:
    s_barrier)");
  EXPECT_TRUE(machine.reported("deadlock", "wave 0 polls"))
      << machine.reports();
  EXPECT_TRUE(machine.reported("deadlock", "wave 1 waits at"));
  EXPECT_TRUE(machine.reported("deadlock", "its barrier number 2"));
}

TEST_P(Launch, CancelledLaunchSaysHowFarItGot) {
  CancellationToken token;
  unsigned calls = 0;
  machine.options.cancellation = &token;
  machine.options.progress = [&](const LaunchProgress &progress) {
    ++calls;
    EXPECT_EQ(progress.workgroups, 3u);
    EXPECT_EQ(progress.endedWorkgroups, 0u);
    EXPECT_GT(progress.instructions, 0u);
    EXPECT_GT(progress.seconds, 0.0);
    token.cancel();
  };
  machine.grid = {3, 1, 1};
  machine.runWithBuffer(".Ltop: s_add_u32 s20, s20, 1\n s_branch .Ltop");
  EXPECT_GE(calls, 1u);
  EXPECT_NE(machine.error.find("cancelled: 0 of 3 workgroups had ended, after"),
            std::string::npos)
      << machine.error;
}

TEST_P(Launch, CancelledTokenStopsALaunchAtOnce) {
  CancellationToken token;
  token.cancel();
  machine.options.cancellation = &token;
  machine.block = {128, 1, 1};
  machine.runWithBuffer(".Ltop: s_add_u32 s20, s20, 1\n s_branch .Ltop");
  EXPECT_NE(machine.error.find("cancelled: 0 of 1 workgroups"),
            std::string::npos);
}

TEST_P(Launch, SizesThatOverflowAreErrors) {
  machine.block = {1u << 20, 1u << 20, 1u << 24};
  machine.run("");
  EXPECT_NE(machine.error.find("kernel 'k' takes at most 1024"),
            std::string::npos)
      << machine.error;
  machine.block = {64, 1, 1};
  machine.grid = {1u << 20, 1u << 20, 1u << 24};
  machine.run("");
  EXPECT_EQ(machine.error, "the grid has more than 2^40 workgroups");
  machine.grid = {1, 1u << 26, 1};
  machine.block = {1, 64, 1};
  machine.run("");
  EXPECT_EQ(machine.error, "dimension y of the grid has 67108864 x 64 threads, "
                           "expected at most 4294967295");
}
