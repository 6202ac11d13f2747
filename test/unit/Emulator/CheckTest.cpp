//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Every finding of checking mode: a kernel that has the fault and is reported,
/// beside the correct one, which is not.

#include "CheckCase.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

class Check : public testing::TestWithParam<CheckCase> {};

const CheckCase cases[] = {
    {"GlobalLoadReadEarly", R"(
       buffer_load_dword v1, v30, s[12:15], 0 offen
       buffer_load_dword v2, v30, s[12:15], 0 offen
       !s_waitcnt vmcnt(1)
       v_add_u32 v3, 1, v1)",
     "early-register-read", "s_waitcnt vmcnt(1) is missing"},
    {"WaitOneTooHigh", R"(
       buffer_load_dword v1, v30, s[12:15], 0 offen
       buffer_load_dword v2, v30, s[12:15], 0 offen
       !s_waitcnt vmcnt(0)
       ?s_waitcnt vmcnt(1)
       v_add_u32 v3, 1, v2)",
     "early-register-read", "buffer_load_dword v2"},
    {"LdsReadEarly", R"(
       v_mov_b32 v1, 5
       ds_write_b32 v30, v1
       ds_read_b32 v2, v30
       !s_waitcnt lgkmcnt(0)
       v_add_u32 v3, 1, v2)",
     "early-register-read", "lgkmcnt(0) is missing"},
    {"ScalarLoadReadEarly", R"(
       s_load_dword s20, s[0:1], 0x8
       !s_waitcnt lgkmcnt(0)
       s_add_u32 s21, s20, 1)",
     "early-register-read", "reads s20"},
    {"PartialCountProvesNoScalarLoad", R"(
       s_load_dword s20, s[0:1], 0x8
       s_load_dword s21, s[0:1], 0xc
       !s_waitcnt lgkmcnt(0)
       ?s_waitcnt lgkmcnt(1)
       s_add_u32 s21, s20, 1)",
     "early-register-read", "reads s20"},
    {"MfmaReadsFragmentEarly", R"(
       v_mov_b32 v1, 0
       ds_write_b128 v29, v[40:43]
       s_waitcnt lgkmcnt(0)
       ds_read_b128 v[4:7], v29
       !s_waitcnt lgkmcnt(0)
       v_mfma_f32_16x16x32_bf16 v[8:11], v[4:7], v[4:7], 0)",
     "early-register-read", "v_mfma_f32_16x16x32_bf16"},
    {"OverwrittenInFlight", R"(
       buffer_load_dword v1, v30, s[12:15], 0 offen
       !s_waitcnt vmcnt(0)
       v_mov_b32 v1, 0)",
     "register-overwritten-in-flight", "writes v1"},
    {"ScalarOverwrittenInFlight", R"(
       s_load_dword s20, s[0:1], 0x8
       !s_waitcnt lgkmcnt(0)
       s_mov_b32 s20, 0
       s_waitcnt lgkmcnt(0))",
     "register-overwritten-in-flight", "writes s20"},
    {"StreamsAreNotOrdered", R"(
       v_mov_b32 v1, 0
       ds_write_b32 v30, v1
       buffer_load_dword v2, v30, s[12:15], 0 offen
       !s_waitcnt vmcnt(0)
       ds_read_b32 v2, v30
       s_waitcnt vmcnt(0) lgkmcnt(0))",
     "register-overwritten-in-flight", "writes v2"},
    {"FlatNeedsBothCounters", R"(
       v_mov_b32 v2, s8
       v_mov_b32 v3, s9
       flat_load_dword v1, v[2:3]
       !s_waitcnt vmcnt(0) lgkmcnt(0)
       ?s_waitcnt vmcnt(0)
       v_add_u32 v4, 1, v1)",
     "early-register-read", "s_waitcnt vmcnt(0) lgkmcnt(0) is missing"},
    {"UnwrittenVgpr", R"(
       !v_mov_b32 v1, 0
       v_add_u32 v2, 1, v1
       v_mov_b32 v3, v2
       buffer_store_dword v3, v30, s[12:15], 0 offen)",
     "uninitialised-register", "its value comes from v1, read by"},
    {"UnwrittenVgprStored", R"(
       !v_mov_b32 v1, 0
       buffer_store_dword v1, v30, s[12:15], 0 offen)",
     "uninitialised-register", "reads v1"},
    // Of undefined halves only what depends on them is undefined.
    {"UnwrittenHighHalf", R"(
       v_mov_b32 v4, 5
       v_mov_b32 v7, 3
       v_mad_u64_u32 v[2:3], s[20:21], v7, v7, v[4:5]
       v_lshlrev_b64 v[2:3], 2, v[2:3]
       v_lshl_add_u64 v[2:3], v[2:3], 0, v[2:3]
       !v_mov_b32 v3, v2
       buffer_store_dword v3, v30, s[12:15], 0 offen)",
     "uninitialised-register", "reads v3"},
    {"UnwrittenHalfOfPackedMove", R"(
       v_mov_b32 v4, 5
       !v_pk_mov_b32 v[2:3], v[4:5], v[4:5] op_sel:[1,0]
       ?v_pk_mov_b32 v[2:3], v[4:5], v[4:5] op_sel:[0,1]
       buffer_store_dword v3, v30, s[12:15], 0 offen)",
     "uninitialised-register", "reads v3"},
    {"UnwrittenHalfOfPackedMultiply", R"(
       v_mov_b32 v4, 5
       !v_pk_mul_f32 v[2:3], v[4:5], v[4:5] op_sel_hi:[0,0]
       ?v_pk_mul_f32 v[2:3], v[4:5], v[4:5]
       buffer_store_dword v3, v30, s[12:15], 0 offen)",
     "uninitialised-register", "reads v3"},
    {"UnwrittenSelected", R"(
       v_mov_b32 v4, 5
       s_mov_b64 vcc, 0
       ?s_mov_b64 vcc, 8
       v_cndmask_b32 v2, v4, v5, vcc
       buffer_store_dword v2, v30, s[12:15], 0 offen)",
     "uninitialised-register", "lane 3,"},
    // The mask of a loop: only the bits of active lanes are looked at.
    {"UnwrittenMask", R"(
       !s_or_b64 s[40:41], s[40:41], exec
       s_and_saveexec_b64 s[42:43], s[40:41]
       s_mov_b64 exec, s[42:43])",
     "uninitialised-register", "reads s40"},
    {"UnwrittenLanes", R"(
       v_mov_b32 v1, 0
       ?s_mov_b64 exec, 1
       v_mov_b32 v2, 0
       s_mov_b64 exec, -1
       v_add_u32 v2, v1, v2
       buffer_store_dword v2, v30, s[12:15], 0 offen)",
     "uninitialised-register", "lane 1,"},
    {"UnwrittenAgpr", R"(
       !v_accvgpr_write_b32 a3, 0
       v_accvgpr_read_b32 v1, a3
       buffer_store_dword v1, v30, s[12:15], 0 offen)",
     "uninitialised-register", "comes from a3"},
    {"VgprNotAllocated", R"(
       !v_mov_b32 v63, 0
       ?v_mov_b32 v64, 0)",
     "register-out-of-range", "uses v64, kernel 'k' has 64 VGPRs"},
    {"AgprNotAllocated", R"(
       !v_accvgpr_write_b32 a63, 0
       ?v_accvgpr_write_b32 a64, 0)",
     "register-out-of-range", "uses a64, kernel 'k' has 64 AGPRs"},
    {"UnwrittenSgpr", R"(
       !s_mov_b32 s40, 0
       s_add_u32 s41, s40, 1
       s_cmp_eq_u32 s41, 0)",
     "uninitialised-register", "reads s41"},
    {"UnwrittenM0", R"(
       !s_mov_b32 m0, 0
       s_nop 0
       buffer_load_dword v30, s[12:15], 0 offen lds
       s_waitcnt vmcnt(0))",
     "uninitialised-register", "reads m0"},
    // Two waves that store the same need no order, in flight or not.
    {"SameValueStoredTwice", R"(
       v_mov_b32 v2, 7
       v_lshlrev_b32 v4, 3, v31
       ds_write_b32 v30, v2 offset:2048
       ds_write2_b32 v4, v2, v2 offset1:1
       ?v_readfirstlane_b32 s40, v0
       ?v_mov_b32 v2, s40
       ?ds_write2_b32 v4, v2, v2 offset1:1
       s_waitcnt lgkmcnt(0)
       ds_write2_b32 v4, v2, v2 offset1:1
       ds_write_b8 v30, v2 offset:2048
       s_waitcnt lgkmcnt(0))",
     "lds-race", "ds_write2_b32", 128},
    {"DifferentBytesStoredTwice", R"(
       v_mov_b32 v2, 7
       ?v_readfirstlane_b32 s40, v0
       ?v_mov_b32 v2, s40
       v_lshlrev_b32 v2, 16, v2
       ds_write_b16_d16_hi v30, v2
       s_waitcnt lgkmcnt(0))",
     "lds-race", "ds_write_b16_d16_hi", 128},
    {"UnwrittenLds", R"(
       v_mov_b32 v1, 0
       !ds_write_b32 v30, v1
       ds_read_b32 v2, v30
       s_waitcnt lgkmcnt(0))",
     "uninitialised-lds", "bytes [0, 4)"},
    {"LdsOutOfBounds", R"(
       v_mov_b32 v1, 0
       !v_mov_b32 v2, v30
       ?v_add_u32 v2, 0xf10, v30
       ds_write_b32 v2, v1)",
     "lds-out-of-bounds", "has 4096 bytes"},
    {"DirectCopyOutOfBounds", R"(
       !s_mov_b32 m0, 0xf00
       ?s_mov_b32 m0, 0xf04
       s_nop 0
       buffer_load_dword v30, s[12:15], 0 offen lds
       s_waitcnt vmcnt(0))",
     "lds-out-of-bounds", "lane 63"},
    {"GlobalOutOfBounds", R"(
       !v_mov_b32 v1, 0x3fc
       ?v_mov_b32 v1, 0x3fd
       global_load_dword v2, v1, s[8:9]
       s_waitcnt vmcnt(0))",
     "global-out-of-bounds", "read of 4 bytes"},
    {"ScalarOutOfBounds", R"(
       !s_load_dword s20, s[8:9], 0x3fc
       ?s_load_dword s20, s[8:9], 0x400
       s_waitcnt lgkmcnt(0))",
     "global-out-of-bounds", "scalar read"},
    // Hazards between waves: two of them exchange data through LDS.
    {"RawWithoutBarrier", R"(
       v_lshlrev_b32 v1, 2, v0
       v_xor_b32 v2, 0x100, v1
       ds_write_b32 v1, v0
       s_waitcnt lgkmcnt(0)
       !s_barrier
       ?s_nop 0
       ds_read_b32 v3, v2
       s_waitcnt lgkmcnt(0))",
     "lds-race", "an s_barrier between them is missing", 128},
    {"BarrierWaitsForNothing", R"(
       v_lshlrev_b32 v1, 2, v0
       v_xor_b32 v2, 0x100, v1
       ds_write_b32 v1, v0
       !s_waitcnt lgkmcnt(0)
       s_barrier
       ds_read_b32 v3, v2
       s_waitcnt lgkmcnt(0))",
     "lds-race", "s_waitcnt lgkmcnt(0) in wave", 128},
    {"WarWithoutBarrier", R"(
       v_lshlrev_b32 v1, 2, v0
       v_xor_b32 v2, 0x100, v1
       ds_write_b32 v1, v0
       s_waitcnt lgkmcnt(0)
       s_barrier
       ds_read_b32 v3, v2
       s_waitcnt lgkmcnt(0)
       !s_barrier
       ds_write_b32 v1, v3)",
     "lds-race", "is not ordered after a read", 128},
    {"WarReadStillInFlight", R"(
       v_lshlrev_b32 v1, 2, v0
       v_xor_b32 v2, 0x100, v1
       ds_write_b32 v1, v0
       s_waitcnt lgkmcnt(0)
       s_barrier
       ds_read_b32 v3, v2
       !s_waitcnt lgkmcnt(0)
       s_barrier
       ds_write_b32 v1, v0
       s_waitcnt lgkmcnt(0))",
     "lds-race", "lgkmcnt(0) in wave", 128},
    {"WawWithoutBarrier", R"(
       v_and_b32 v1, 63, v0
       v_lshlrev_b32 v1, 2, v1
       v_cmp_gt_u32 vcc, 64, v0
       s_and_saveexec_b64 s[20:21], vcc
       ds_write_b32 v1, v0
       s_waitcnt lgkmcnt(0)
       s_mov_b64 exec, s[20:21]
       !s_barrier
       v_cmp_le_u32 vcc, 64, v0
       s_and_saveexec_b64 s[20:21], vcc
       ds_write_b32 v1, v0)",
     "lds-race", "is not ordered after a write", 128},
    {"DirectCopyNotWaitedFor", R"(
       v_readfirstlane_b32 s20, v0
       s_lshl_b32 s20, s20, 2
       s_mov_b32 m0, s20
       s_nop 0
       buffer_load_dword v30, s[12:15], 0 offen lds
       !s_waitcnt vmcnt(0)
       s_barrier
       v_lshlrev_b32 v1, 2, v0
       v_xor_b32 v2, 0x100, v1
       ds_read_b32 v3, v2
       s_waitcnt lgkmcnt(0))",
     "lds-race", "vmcnt(0) in wave", 128},
    {"DirectCopyReadByItsOwnWave", R"(
       s_mov_b32 m0, 0
       s_nop 0
       buffer_load_dword v30, s[12:15], 0 offen lds
       !s_waitcnt vmcnt(0)
       ds_read_b32 v3, v30
       s_waitcnt vmcnt(0) lgkmcnt(0))",
     "lds-race", "between them is missing"},
    {"DirectCopyOverSlotStillRead", R"(
       s_mov_b32 m0, 0
       v_mov_b32 v1, 0
       ds_write_b32 v30, v1
       ds_read_b32 v3, v30
       !s_waitcnt lgkmcnt(0)
       buffer_load_dword v30, s[12:15], 0 offen lds
       s_waitcnt vmcnt(0) lgkmcnt(0))",
     "lds-race", "is not ordered after a"},
    {"OnlyTheBytesCount", R"(
       v_lshlrev_b32 v1, 1, v0
       v_mov_b32 v4, 0
       !v_mov_b32 v2, v1
       ?v_xor_b32 v2, 0x80, v1
       ds_write_b16 v1, v4
       s_waitcnt lgkmcnt(0)
       ds_read_u16 v3, v2
       s_waitcnt lgkmcnt(0))",
     "lds-race", "", 128},
    // Wait states.
    {"MatrixResultReadByValu", R"(
       v_mfma_f32_16x16x32_bf16 v[4:7], v[40:43], v[40:43], 0
       !s_nop 7
       v_add_u32 v8, 1, v4)",
     "missing-wait-states", "needs 8 wait states, there are 0"},
    {"MatrixResultReadAsA", R"(
       v_mfma_f32_16x16x32_bf16 v[4:7], v[40:43], v[40:43], 0
       !s_nop 7
       ?s_nop 6
       v_mfma_f32_16x16x32_bf16 v[8:11], v[4:7], v[40:43], 0)",
     "missing-wait-states", "as A or B"},
    {"MatrixResultReadInPartAsC", R"(
       v_mfma_f32_16x16x32_bf16 v[4:7], v[40:43], v[40:43], 0
       v_mfma_f32_16x16x32_bf16 v[8:11], v[40:43], v[40:43], 0
       !s_nop 5
       ?s_nop 4
       v_mfma_f32_16x16x32_bf16 v[12:15], v[40:43], v[40:43], v[6:9])",
     "missing-wait-states", "part of a matrix result as C"},
    {"MatrixResultOverwritten", R"(
       v_mfma_f32_16x16x32_bf16 v[4:7], v[40:43], v[40:43], 0
       !s_nop 7
       v_mov_b32 v5, 0)",
     "missing-wait-states", "overwriting a matrix result"},
    {"MatrixSourceOverwritten", R"(
       v_mfma_f32_16x16x32_bf16 v[4:7], v[40:43], v[40:43], v[40:43]
       !s_nop 2
       ?s_nop 1
       v_mov_b32 v40, 0)",
     "missing-wait-states", "overwriting source C"},
    {"TranscendentalResult", R"(
       v_mov_b32 v1, 1.0
       v_rcp_f32 v2, v1
       !s_nop 0
       v_add_u32 v3, v2, v1)",
     "missing-wait-states", "transcendental"},
    {"ValuScalarReadByMemory", R"(
       v_mov_b32 v1, s15
       s_mov_b64 s[20:21], s[12:13]
       s_mov_b32 s22, s14
       v_readfirstlane_b32 s23, v1
       !s_nop 4
       ?s_nop 3
       buffer_load_dword v2, v30, s[20:23], 0 offen
       s_waitcnt vmcnt(0))",
     "missing-wait-states", "an SGPR that the VALU wrote"},
    {"M0BeforeDirectCopy", R"(
       s_mov_b32 m0, 0
       !s_nop 0
       buffer_load_dword v30, s[12:15], 0 offen lds
       s_waitcnt vmcnt(0))",
     "missing-wait-states", "direct-to-LDS"},
    {"SetRegBeforeGetReg", R"(
       s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0
       !s_nop 1
       ?s_nop 0
       s_getreg_b32 s20, hwreg(HW_REG_MODE))",
     "missing-wait-states", "s_getreg"},
    {"WideStoreDataOverwritten", R"(
       buffer_store_dwordx4 v[40:43], v29, s[12:15], 0 offen
       !s_nop 1
       ?s_nop 0
       v_mov_b32 v41, 0)",
     "missing-wait-states", "wide store"},
    {"WideStoreWithScalarOffset", R"(
       s_mov_b32 s20, 0
       buffer_store_dwordx4 v[40:43], v29, s[12:15], s20 offen
       !s_nop 0
       v_mov_b32 v41, 0)",
     "missing-wait-states", "wide store"},
    {"LaneSelectedByValuScalar", R"(
       v_mov_b32 v1, 3
       s_nop 0
       v_readfirstlane_b32 s20, v1
       v_writelane_b32 v2, s20, 4
       !s_nop 2
       ?s_nop 1
       v_readlane_b32 s21, v40, s20)",
     "missing-wait-states", "lane select"},
    {"LaneReadWithValuExec", R"(
       v_cmpx_le_u32 vcc, 0, v0
       !s_nop 3
       ?s_nop 2
       v_readlane_b32 s21, v40, 0)",
     "missing-wait-states", "a move of one lane with an EXEC"},
    {"MatrixWithValuExec", R"(
       v_cmpx_le_u32 vcc, 0, v0
       !s_nop 3
       ?s_nop 2
       v_mfma_f32_16x16x32_bf16 v[4:7], v[40:43], v[40:43], 0)",
     "missing-wait-states", "a matrix instruction with an EXEC"},
    {"M0BeforeLaneAddresses", R"(
       s_mov_b32 m0, 0
       !s_nop 0
       ds_write_addtid_b32 v40 offset:16
       s_waitcnt lgkmcnt(0))",
     "missing-wait-states", "use of M0"},
    {"Misaligned", R"(
       !v_mov_b32 v1, 4
       ?v_mov_b32 v1, 6
       global_load_dword v2, v1, s[8:9]
       s_waitcnt vmcnt(0))",
     "misaligned", "no multiple of 4"},
    {"BarrierAfterAWaveHasEnded", R"(
       v_cmp_gt_u32 vcc, 64, v0
       ?s_cbranch_vccz .Lend
       s_barrier
       .Lend:)",
     "barrier-after-end", "counts as arrived", 128},
    {"BarrierThatSomeWavesSkip", R"(
       s_barrier
       v_cmp_gt_u32 vcc, 64, v0
       ?s_cbranch_vccz .Lend
       s_barrier
       .Lend:)",
     "barrier-after-end", "barrier number 2", 128},
};

INSTANTIATE_TEST_SUITE_P(Findings, Check, testing::ValuesIn(cases), nameOf);

} // namespace

TEST_P(Check, FaultIsReportedAndTheCorrectKernelIsNot) {
  expectCase(GetParam());
}

TEST(CheckMode, HaltedWaveIsADeadlock) {
  Machine machine;
  machine.block = {128, 1, 1};
  machine.runWithBuffer("v_cmp_gt_u32 vcc, 64, v0\n s_cbranch_vccz 1\n"
                        "s_sethalt 1\n s_barrier");
  EXPECT_TRUE(machine.result.hung);
  EXPECT_FALSE(machine.result.passed());
  EXPECT_TRUE(machine.reported("deadlock", "wave 0 is halted"))
      << machine.reports();
  EXPECT_TRUE(machine.reported("deadlock", "wave 1 waits"));
}

TEST(CheckMode, TrapsEndALaunch) {
  for (bool check : {true, false})
    for (const char *trap : {"s_trap 2", "s_trap 1", "s_trap 3"}) {
      Machine machine;
      machine.options.check = check;
      machine.runWithBuffer(trap);
      // Number 3 is the debugger's, and there is none.
      bool stops = trap[7] != '3';
      EXPECT_EQ(machine.result.hung, stops);
      EXPECT_EQ(machine.reported("trap", "wave 0 has trapped at"), stops)
          << machine.reports();
    }
}

TEST(CheckMode, ReportsNameBothAccessesOnce) {
  Machine machine;
  machine.block = {128, 1, 1};
  machine.kernel.ldsBytes = 1024;
  machine.grid = {4, 1, 1};
  machine.runWithBuffer(R"(
    v_lshlrev_b32 v1, 2, v0
    v_xor_b32 v2, 0x100, v1
    ds_write_b32 v1, v0
    s_waitcnt lgkmcnt(0)
    ds_read_b32 v3, v2
    s_waitcnt lgkmcnt(0))");
  unsigned races = 0;
  for (const Report &report : machine.result.reports) {
    if (report.kind != "lds-race")
      continue;
    ++races;
    EXPECT_GT(report.count, 4u);
    for (const char *part : {"'ds_write_b32 v1, v0'", "'ds_read_b32 v3, v2'",
                             "wave 0", "wave 1", "lane", "LDS bytes [",
                             " at 0x", "an s_barrier between them is missing"})
      EXPECT_NE(report.message.find(part), std::string::npos)
          << part << " in " << report.message;
  }
  // The pairs (read, write) and (write, read).
  EXPECT_LE(races, 2u);
  EXPECT_GE(races, 1u);
}

TEST(CheckMode, ConversionFromABytePairWritesWholeRegisters) {
  Machine machine;
  machine.arch = "gfx942";
  machine.runWithBuffer("v_mov_b32 v4, 0\n"
                        "v_cvt_pk_f32_fp8_sdwa v[2:3], v4 src0_sel:WORD_1\n"
                        "v_add_u32 v5, v2, v3");
  EXPECT_EQ(machine.reports(), "");
}

TEST(CheckMode, FurtherReportsAreCounted) {
  Machine machine;
  machine.options.maxReports = 2;
  machine.runWithBuffer("v_cmp_eq_u32 vcc, 1, v50\nv_cmp_eq_u32 vcc, 1, v51\n"
                        "v_cmp_eq_u32 vcc, 1, v52\nv_cmp_eq_u32 vcc, 1, v53");
  EXPECT_EQ(machine.result.reports.size(), 2u);
  EXPECT_EQ(machine.result.suppressedReports, 2u);
  EXPECT_FALSE(machine.result.passed());
}

TEST(CheckMode, FullCountersForceTheOldest) {
  // 65 loads: the first two must be back when the last is issued.
  std::string body;
  for (unsigned i = 0; i != 65; ++i)
    body += "buffer_load_dword v" + std::to_string(i == 64 ? 62 : i % 29 + 1) +
            ", v30, s[12:15], 0 offen\n";
  Machine machine;
  machine.runWithBuffer(body + "s_waitcnt vmcnt(0)");
  EXPECT_EQ(machine.reports(), "");
}

TEST(CheckMode, LanesOfDisjointMasksDoNotConflict) {
  // A load into some lanes, a move into the others while it is in flight.
  Machine machine;
  machine.runWithBuffer(R"(
    s_mov_b64 exec, 0xff
    buffer_load_dword v1, v30, s[12:15], 0 offen
    s_mov_b64 exec, 0xff00
    v_mov_b32 v1, 7
    v_add_u32 v2, 1, v1
    s_mov_b64 exec, 0xffff
    s_waitcnt vmcnt(0)
    v_add_u32 v3, 1, v1)");
  EXPECT_EQ(machine.reports(), "");
}

TEST(CheckMode, AtFirstLandingNothingElseIsAssumed) {
  // The load lands at the wait, after the store by the same wave: in order.
  Machine machine;
  machine.buffer[0] = 1;
  machine.runWithBuffer(R"(
    v_mov_b32 v1, 9
    v_mov_b32 v5, 0
    global_store_dword v5, v1, s[8:9]
    global_load_dword v2, v5, s[8:9]
    s_waitcnt vmcnt(0)
    global_store_dword v5, v2, s[8:9] offset:8)");
  EXPECT_EQ(machine.reports(), "");
  EXPECT_EQ(machine.buffer[2], 9u);
}
