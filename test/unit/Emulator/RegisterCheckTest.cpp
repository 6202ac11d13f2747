//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Registers that are written in part, and what the rare instructions read and
/// need to wait for.

#include "CheckCase.h"

using namespace fly;
using namespace fly::test;

namespace {

class RegisterCheck : public testing::TestWithParam<CheckCase> {};

const CheckCase cases[] = {
    {"HalfOfARegisterIsStoredWhole", R"(
       buffer_load_short_d16 v1, v30, s[12:15], 0 offen
       !buffer_load_short_d16_hi v1, v30, s[12:15], 0 offen
       s_waitcnt vmcnt(0)
       buffer_store_dword v1, v30, s[12:15], 0 offen)",
     "uninitialised-register", "reads v1"},
    {"SdwaPreservesWhatNobodyWrote", R"(
       !v_mov_b32 v1, 0
       v_mov_b32_sdwa v1, v40 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
       s_nop 1
       buffer_store_dword v1, v30, s[12:15], 0 offen)",
     "uninitialised-register", "reads v1"},
    {"SdwaBytesMakeARegisterWhole", R"(
       v_mov_b32_sdwa v1, v40 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
       s_nop 1
       v_mov_b32_sdwa v1, v40 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
       s_nop 1
       !v_mov_b32_sdwa v1, v40 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
       s_nop 1
       global_store_dword v30, v1, s[8:9])",
     "uninitialised-register", "reads v1"},
    {"OpSelKeepsWhatNobodyWrote", R"(
       !v_fma_f16 v1, v40, v40, v40 op_sel:[0,0,0,1]
       s_nop 1
       v_fma_f16 v1, v40, v40, v40
       s_nop 1
       ds_write_b32 v30, v1)",
     "uninitialised-register", "reads v1"},
    {"HighHalfIsStoredButTheLowIsWritten", R"(
       v_fma_f16 v1, v40, v40, v40
       s_nop 1
       !v_and_b32 v1, 0xffff, v1
       global_store_short_d16_hi v30, v1, s[8:9])",
     "uninitialised-register", "reads v1"},
    {"SdwaMergesIntoALoadInFlight", R"(
       buffer_load_dword v1, v30, s[12:15], 0 offen
       !s_waitcnt vmcnt(0)
       v_mov_b32_sdwa v1, v40 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
       s_waitcnt vmcnt(0))",
     "register-overwritten-in-flight", "vmcnt(0)"},
    {"SdwaMergesIntoATranscendental", R"(
       v_exp_f32 v1, v40
       !s_nop 0
       v_mov_b32_sdwa v1, v40 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD)",
     "missing-wait-states", "transcendental"},
    {"AppendWithoutM0", R"(
       !s_mov_b32 m0, 0
       v_mov_b32 v1, 0
       ds_write_b32 v1, v1
       ds_append v2
       s_waitcnt lgkmcnt(0))",
     "uninitialised-register", "m0"},
    {"HalvesOfMixedPrecision", R"(
       v_fma_mixlo_f16 v1, v40, v41, v42
       !v_fma_mixhi_f16 v1, v40, v41, v42
       global_store_dword v30, v1, s[8:9])",
     "uninitialised-register", "reads v1"},
    {"LowHalfOfMixedPrecision", R"(
       ?v_fma_mixhi_f16 v1, v40, v41, v42
       !v_fma_mixlo_f16 v1, v40, v41, v42
       global_store_short v30, v1, s[8:9])",
     "uninitialised-register", "reads v1"},
    {"SparseMatrixReadsItsIndices", R"(
       v_mov_b32 v10, 0
       v_mov_b32 v11, 0
       v_mov_b32 v16, 0
       v_mov_b32 v17, 0
       v_mov_b32 v18, 0
       v_mov_b32 v19, 0
       !v_mov_b32 v1, 0
       s_nop 1
       v_smfmac_f32_16x16x32_f16 v[40:43], v[10:11], v[16:19], v1)",
     "uninitialised-register", "reads v1"},
    {"SparseMatrixResultReadEarly", R"(
       v_mov_b32 v1, 0
       v_mov_b32 v10, 0
       v_mov_b32 v11, 0
       v_mov_b32 v16, 0
       v_mov_b32 v17, 0
       v_mov_b32 v18, 0
       v_mov_b32 v19, 0
       v_mov_b32 v44, 0
       v_mov_b32 v45, 0
       v_mov_b32 v46, 0
       v_mov_b32 v47, 0
       s_nop 1
       v_smfmac_f32_16x16x32_f16 v[40:43], v[10:11], v[16:19], v1
       !s_nop 8
       v_smfmac_f32_16x16x32_f16 v[44:47], v[40:41], v[16:19], v1)",
     "missing-wait-states", "as A or B"},
};

INSTANTIATE_TEST_SUITE_P(Findings, RegisterCheck, testing::ValuesIn(cases),
                         nameOf);

} // namespace

TEST_P(RegisterCheck, FaultIsReportedAndTheCorrectKernelIsNot) {
  expectCase(GetParam());
}

TEST(CheckMode, FunctionsSaveWhatNobodyWrote) {
  const char *save = "s_mov_b64 exec, -1\n"
                     "scratch_store_dword off, v5, off\n"
                     "v_writelane_b32 v5, s40, 3\n"
                     "s_mov_b32 s40, 7\n"
                     "v_readlane_b32 s40, v5, 3\n"
                     "s_waitcnt vmcnt(0)\n"
                     "scratch_load_dword v5, off, off\n"
                     "s_waitcnt vmcnt(0)\n";
  Machine machine;
  machine.kernel.scratchBytes = 64;
  machine.runWithBuffer(save);
  EXPECT_EQ(machine.reports(), "");
  // What comes back is still what nobody wrote.
  machine.runWithBuffer(std::string(save) + "v_mov_b32 v1, s40\n"
                                            "ds_write_b32 v30, v1\n");
  EXPECT_TRUE(machine.reported("uninitialised-register", "s40"))
      << machine.reports();
  machine.runWithBuffer("v_mov_b32 v5, 0\nv_writelane_b32 v5, s40, s40\n");
  EXPECT_TRUE(machine.reported("uninitialised-register", "s40"))
      << machine.reports();
}

// Compilers compute with SGPRs that are undefined, in part or on some way
// there.
TEST(CheckMode, UndefinedScalarsMayBeLeftOut) {
  struct {
    const char *text, *report;
  } cases[] = {
      // Only s40 is read.
      {"s_mov_b32 s40, 0\n"
       "v_pk_mul_f32 v[2:3], s[40:41], v[40:41] op_sel_hi:[0,1]\n"
       "global_store_dwordx2 v30, v[2:3], s[8:9]\n",
       ""},
      {"s_mov_b32 s41, 0\n"
       "v_pk_mul_f32 v[2:3], s[40:41], v[40:41] op_sel:[1,0]\n"
       "global_store_dwordx2 v30, v[2:3], s[8:9]\n",
       ""},
      // Each half takes its own.
      {"s_mov_b32 s40, 0\nv_mov_b64 v[2:3], s[40:41]\n"
       "global_store_dword v30, v2, s[8:9]\n",
       ""},
      {"s_mov_b32 s40, 0\nv_mov_b64 v[2:3], s[40:41]\n"
       "global_store_dword v30, v3, s[8:9]\n",
       "its value comes from s41"},
      {"s_mov_b32 s40, 0\n"
       "v_pk_mul_f32 v[2:3], s[40:41], v[40:41]\n"
       "global_store_dwordx2 v30, v[2:3], s[8:9]\n",
       "its value comes from s41"},
      {"s_mov_b32 s40, 0\ns_mov_b64 s[42:43], s[40:41]\n"
       "v_mov_b32 v2, s42\nglobal_store_dword v30, v2, s[8:9]\n",
       ""},
      {"s_mov_b32 s40, 0\ns_not_b64 s[40:41], s[40:41]\n"
       "v_mov_b32 v2, s40\nglobal_store_dword v30, v2, s[8:9]\n",
       ""},
      {"s_mov_b32 s41, 0\ns_mov_b64 s[42:43], s[40:41]\n"
       "v_mov_b32 v2, s43\nglobal_store_dword v30, v2, s[8:9]\n",
       ""},
      {"s_mov_b32 s40, 0\ns_mov_b64 s[42:43], s[40:41]\n"
       "v_mov_b32 v2, s43\nglobal_store_dword v30, v2, s[8:9]\n",
       "its value comes from s43"},
      // Bits move up only, or anywhere.
      {"s_mov_b32 s40, 0\ns_lshl_b64 s[42:43], s[40:41], 3\n"
       "v_mov_b32 v2, s42\nglobal_store_dword v30, v2, s[8:9]\n",
       ""},
      {"s_mov_b32 s41, 0\ns_lshl_b64 s[42:43], s[40:41], 3\n"
       "v_mov_b32 v2, s43\nglobal_store_dword v30, v2, s[8:9]\n",
       "its value comes from s43"},
      {"s_mov_b32 s40, 0\ns_lshr_b64 s[42:43], s[40:41], 3\n"
       "v_mov_b32 v2, s42\nglobal_store_dword v30, v2, s[8:9]\n",
       "its value comes from s42"},
      // Overwritten.
      {"v_mov_b32 v2, s40\nv_mov_b32 v2, 0\n"
       "global_store_dword v30, v2, s[8:9]\n",
       ""},
      // Used at once.
      {"v_cndmask_b32 v2, v40, v41, s[40:41]\n", "reads s40"},
      {"v_cmp_eq_u32 vcc, s40, v40\n", "reads s40"},
      {"v_mov_b32 v2, 0\nglobal_store_dword v30, v2, s[40:41]\n", "reads s40"}};
  for (const auto &c : cases) {
    Machine machine;
    std::string setUp = "v_mov_b32 v40, 0\nv_mov_b32 v41, 0\n";
    machine.runWithBuffer(setUp + c.text);
    if (*c.report)
      EXPECT_TRUE(machine.reported("uninitialised-register", c.report))
          << c.text << machine.reports();
    else
      EXPECT_EQ(machine.reports(), "") << c.text;
  }
}

// Which register a relative move touches is told by M0.
TEST(CheckMode, RelativeMovesOfUnwrittenNames) {
  Machine machine;
  machine.runWithBuffer(R"(
    s_mov_b32 m0, 4
    s_mov_b32 s41, 7
    s_movreld_b32 s50, s41
    s_movrels_b32 s20, s50
    v_mov_b32 v1, s20
    buffer_store_dword v1, v30, s[12:15], 0 offen)");
  EXPECT_EQ(machine.reports(), "");
  EXPECT_EQ(machine.buffer[0], 7u);
  machine.runWithBuffer(R"(
    s_mov_b32 m0, 4
    s_movreld_b32 s50, s41
    s_cmp_eq_u32 s54, 0
    s_cbranch_scc1 .Lend
  .Lend:)");
  EXPECT_TRUE(machine.reported("uninitialised-register", "s41"))
      << machine.reports();
}

TEST(CheckMode, UndefinedPartsMayBeLeftOut) {
  Machine machine;
  machine.kernel.scratchBytes = 64;
  machine.kernel.ldsBytes = 4096;
  // The high half of v1 is never written, and nothing takes it anywhere.
  machine.runWithBuffer("buffer_load_short_d16 v1, v30, s[12:15], 0 offen\n"
                        "s_waitcnt vmcnt(0)\n"
                        "global_store_short v30, v1, s[8:9]\n"
                        "ds_write_b16 v30, v1\n"
                        "v_and_b32 v2, 0xffff, v1\n"
                        "v_lshlrev_b32 v3, 16, v1\n"
                        "v_or_b32 v2, v2, v3\n"
                        "global_store_dword v30, v2, s[8:9]\n"
                        "scratch_store_dword off, v1, off\n"
                        "ds_bpermute_b32 v4, v30, v1\n"
                        "s_waitcnt lgkmcnt(0)\n");
  EXPECT_EQ(machine.errors(), "");
}

TEST(CheckMode, WaitStatesOfMatrixInstructionsAreOptions) {
  auto run = [](Machine &machine, const char *text) {
    std::string zero;
    for (unsigned i = 1; i != 24; ++i)
      zero += "v_mov_b32 v" + std::to_string(i) + ", 0\n";
    machine.runWithBuffer(zero + text);
  };
  const char *source = "s_nop 4\nv_mov_b32 v8, 0\n"
                       "v_mfma_f32_16x16x16_f16 v[4:7], v[8:9], v[10:11], 0\n";
  for (unsigned waits : {0u, 2u}) {
    Machine machine;
    machine.options.valuToMfmaWaits = waits;
    run(machine, source);
    EXPECT_EQ(machine.reported("missing-wait-states", "reading a VALU result"),
              waits != 0)
        << machine.reports();
  }
  const char *chain = "s_nop 4\n"
                      "v_mfma_f32_16x16x16_f16 v[4:7], v[8:9], v[10:11], 0\n"
                      "v_mov_b32 v1, v4\ns_nop 15\n"
                      "v_mfma_f32_16x16x16_f16 v[4:7], v[8:9], v[10:11], 0\n"
                      "v_mfma_f32_16x16x16_f16 v[12:15], v[4:5], v[10:11], 0\n";
  struct {
    MfmaInterlock interlock;
    bool readIsError, operandIsError;
  } cases[] = {{MfmaInterlock::None, true, true},
               {MfmaInterlock::Results, false, true},
               {MfmaInterlock::All, false, false}};
  for (const auto &c : cases) {
    Machine machine;
    machine.options.mfmaInterlock = c.interlock;
    run(machine, chain);
    EXPECT_EQ(machine.errors().find("reading a matrix result after") !=
                  std::string::npos,
              c.readIsError);
    EXPECT_EQ(machine.errors().find("as A or B") != std::string::npos,
              c.operandIsError);
    EXPECT_TRUE(machine.reported("missing-wait-states", "as A or B"));
  }
}
