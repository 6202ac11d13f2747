//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// LDS instructions with a rule of their own: counters, exchanges of two cells,
/// addresses by lane, the FFT swizzle; scratch copied to LDS.

#include "Machine.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

/// Runs \p body on 64 lanes with LDS dword i = 100 + i for i < 64, in both
/// modes; v1 is stored at dword 0.., v2 at 64.., and LDS at 128.. afterwards.
std::vector<uint32_t> run(const std::string &body,
                          llvm::StringRef arch = "gfx950") {
  std::vector<uint32_t> first;
  for (bool check : {true, false}) {
    Machine machine;
    machine.arch = arch.str();
    machine.options.check = check;
    machine.kernel.ldsBytes = 1024;
    machine.runWithBuffer("v_add_u32 v3, 0x64, v31\n"
                          "ds_write_b32 v30, v3\n"
                          "v_mov_b32 v1, 0\nv_mov_b32 v2, 0\n"
                          "s_mov_b32 m0, 0\n"
                          "s_waitcnt lgkmcnt(0)\n" +
                          body +
                          "\ns_waitcnt vmcnt(0) lgkmcnt(0)\n"
                          "s_mov_b64 exec, -1\n"
                          "ds_read_b32 v4, v30\n"
                          "s_waitcnt lgkmcnt(0)\n"
                          "buffer_store_dword v1, v30, s[12:15], 0 offen\n"
                          "buffer_store_dword v2, v30, s[12:15], 0 offen "
                          "offset:256\n"
                          "buffer_store_dword v4, v30, s[12:15], 0 offen "
                          "offset:512\n");
    EXPECT_EQ(machine.errors(), "") << body;
    EXPECT_EQ(machine.error, "") << body;
    if (check)
      first = machine.buffer;
    else
      EXPECT_EQ(first, machine.buffer) << "the modes differ: " << body;
  }
  return first;
}

} // namespace

TEST(DsSpecial, AppendAndConsumeCountLanes) {
  auto b = run("s_mov_b32 m0, 8\n"
               "s_mov_b64 exec, 0x7f0\n"
               "ds_append v1 offset:4\n"
               "s_mov_b64 exec, 3\n"
               "ds_consume v2 offset:4\n");
  for (unsigned l = 0; l != 64; ++l) {
    EXPECT_EQ(b[l], l >= 4 && l <= 10 ? 103u : 0u);
    EXPECT_EQ(b[64 + l], l < 2 ? 110u : 0u);
  }
  EXPECT_EQ(b[128 + 3], 108u);
  EXPECT_EQ(b[128 + 4], 104u);
  // Nobody counts.
  b = run("s_mov_b64 exec, 0\nds_append v1");
  EXPECT_EQ(b[128], 100u);
}

TEST(DsSpecial, WrapGoesOnOrBack) {
  // Old values 100 + lane; the limit is 120: below it 7 is added.
  auto b = run("v_mov_b32 v5, 0x78\nv_mov_b32 v6, 7\n"
               "ds_wrap_rtn_b32 v1, v30, v5, v6");
  for (unsigned l = 0; l != 64; ++l) {
    EXPECT_EQ(b[l], 100 + l);
    EXPECT_EQ(b[128 + l], 100 + l >= 120 ? 100 + l - 120 : 107 + l);
  }
}

TEST(DsSpecial, TwoExchanges) {
  auto b = run("s_mov_b64 exec, 1\nv_mov_b32 v5, 1\nv_mov_b32 v6, 2\n"
               "v_mov_b32 v7, 0\n"
               "ds_wrxchg2_rtn_b32 v[8:9], v7, v5, v6 offset0:3 offset1:9\n"
               "s_waitcnt lgkmcnt(0)\nv_mov_b32 v1, v8\nv_mov_b32 v2, v9");
  EXPECT_EQ(b[0], 103u);
  EXPECT_EQ(b[64], 109u);
  EXPECT_EQ(b[128 + 3], 1u);
  EXPECT_EQ(b[128 + 9], 2u);
  b = run("s_mov_b64 exec, 1\nv_mov_b32 v16, 1\nv_mov_b32 v17, 2\n"
          "v_mov_b32 v10, 3\nv_mov_b32 v11, 4\nv_mov_b32 v7, 0\n"
          "ds_wrxchg2_rtn_b64 v[12:15], v7, v[16:17], v[10:11] offset0:1 "
          "offset1:4\n"
          "s_waitcnt lgkmcnt(0)\nv_mov_b32 v1, v13\nv_mov_b32 v2, v14");
  EXPECT_EQ(b[0], 103u);
  EXPECT_EQ(b[64], 108u);
  EXPECT_EQ(b[128 + 2], 1u);
  EXPECT_EQ(b[128 + 3], 2u);
  EXPECT_EQ(b[128 + 8], 3u);
  EXPECT_EQ(b[128 + 9], 4u);
  // In units of 64 elements: dword 64 is beyond what LDS holds at first.
  b = run("s_mov_b64 exec, 1\nv_mov_b32 v5, 1\nv_mov_b32 v6, 2\n"
          "v_mov_b32 v7, 0\nv_mov_b32 v8, 0x100\nds_write_b32 v8, v6\n"
          "ds_wrxchg2st64_rtn_b32 v[8:9], v7, v5, v6 offset1:1\n"
          "s_waitcnt lgkmcnt(0)\nv_mov_b32 v1, v8\nv_mov_b32 v2, v9");
  EXPECT_EQ(b[0], 100u);
  EXPECT_EQ(b[64], 2u);
}

TEST(DsSpecial, ConditionalExchange) {
  auto b = run("s_mov_b64 exec, 1\nv_mov_b32 v4, 0x80000005\n"
               "v_mov_b32 v5, 0x7fffffff\nv_mov_b32 v7, 0\n"
               "ds_condxchg32_rtn_b64 v[8:9], v7, v[4:5] offset:16\n"
               "s_waitcnt lgkmcnt(0)\nv_mov_b32 v1, v8\nv_mov_b32 v2, v9");
  EXPECT_EQ(b[0], 104u);
  EXPECT_EQ(b[64], 105u);
  EXPECT_EQ(b[128 + 4], 5u);
  EXPECT_EQ(b[128 + 5], 105u);
}

TEST(DsSpecial, FloatCompareAndSwapComparesNumbers) {
  // Dwords 0..2: -0, NaN, 1.
  auto b = run("v_bfrev_b32 v5, 1\nv_mov_b32 v6, 0x7fc00000\n"
               "v_mov_b32 v7, 1.0\nv_mov_b32 v8, 0\nv_mov_b32 v9, 0x55\n"
               "s_mov_b64 exec, 1\n"
               "ds_write2_b32 v8, v5, v6 offset1:1\n"
               "ds_write_b32 v8, v7 offset:8\n"
               "ds_cmpst_f32 v8, v8, v9\n"
               "ds_cmpst_rtn_f32 v1, v8, v6, v9 offset:4\n"
               "ds_cmpst_rtn_f32 v2, v8, v7, v9 offset:8");
  EXPECT_EQ(b[128], 0x55u) << "zeros of both signs are equal";
  EXPECT_EQ(b[129], 0x7fc00000u) << "a NaN is equal to nothing";
  EXPECT_EQ(b[130], 0x55u);
  EXPECT_EQ(b[0], 0x7fc00000u);
  EXPECT_EQ(b[64], 0x3f800000u);
}

TEST(DsSpecial, AddressesByLane) {
  auto b = run("s_mov_b32 m0, 8\ns_mov_b64 exec, 0xff\n"
               "ds_read_addtid_b32 v1 offset:16\n"
               "ds_write_addtid_b32 v31 offset:64");
  for (unsigned l = 0; l != 64; ++l) {
    EXPECT_EQ(b[l], l < 8 ? 106 + l : 0u);
    EXPECT_EQ(b[128 + l], l >= 18 && l < 26 ? l - 18 : 100 + l);
  }
}

TEST(DsSpecial, FftSwizzle) {
  // The tables of the ISA manual for inputs 1, 2, ..., 32 (hexadecimal).
  const unsigned none[32] = {0x01, 0x11, 0x09, 0x19, 0x05, 0x15, 0x0d, 0x1d,
                             0x03, 0x13, 0x0b, 0x1b, 0x07, 0x17, 0x0f, 0x1f,
                             0x02, 0x12, 0x0a, 0x1a, 0x06, 0x16, 0x0e, 0x1e,
                             0x04, 0x14, 0x0c, 0x1c, 0x08, 0x18, 0x10, 0x20};
  const unsigned top[32] = {0x01, 0x09, 0x05, 0x0d, 0x03, 0x0b, 0x07, 0x0f,
                            0x02, 0x0a, 0x06, 0x0e, 0x04, 0x0c, 0x08, 0x10,
                            0x11, 0x19, 0x15, 0x1d, 0x13, 0x1b, 0x17, 0x1f,
                            0x12, 0x1a, 0x16, 0x1e, 0x14, 0x1c, 0x18, 0x20};
  auto b = run("v_add_u32 v5, 1, v31\n"
               "ds_swizzle_b32 v1, v5 offset:0xe000\n"
               "ds_swizzle_b32 v2, v5 offset:0xe010");
  for (unsigned l = 0; l != 64; ++l) {
    EXPECT_EQ(b[l], none[l % 32] + (l & 32));
    EXPECT_EQ(b[64 + l], top[l % 32] + (l & 32));
  }
  b = run("v_add_u32 v5, 1, v31\nds_swizzle_b32 v1, v5 offset:0xe01f");
  for (unsigned l = 0; l != 64; ++l)
    EXPECT_EQ(b[l], l + 1) << "no swizzle";
}

TEST(DsSpecial, ScratchCopiesToLds) {
  for (bool check : {true, false}) {
    Machine machine;
    machine.options.check = check;
    machine.kernel.ldsBytes = 1024;
    machine.kernel.scratchBytes = 64;
    machine.runWithBuffer("v_add_u32 v1, 0x200, v31\n"
                          "scratch_store_dword off, v1, off offset:8\n"
                          "s_waitcnt vmcnt(0)\n"
                          "s_mov_b32 m0, 0x100\nv_mov_b32 v2, 4\n"
                          "scratch_load_lds_dword v2, off offset:4\n"
                          "s_waitcnt vmcnt(0)\n"
                          "ds_read_b32 v3, v30 offset:0x104\n"
                          "s_waitcnt lgkmcnt(0)\n"
                          "buffer_store_dword v3, v30, s[12:15], 0 offen\n");
    EXPECT_EQ(machine.errors(), "");
    for (unsigned l = 0; l != 64; ++l)
      EXPECT_EQ(machine.buffer[l], 0x200 + l);
  }
}

TEST(DsSpecial, WhatIsNotModelledStopsWithAReason) {
  struct {
    const char *text, *reason;
  } cases[] = {
      {"v_mov_b32 v2, 0\nds_gws_barrier v2 gds", "global wave sync"},
      {"s_rfe_b64 s[2:3]", "trap"},
      {"s_cbranch_join s2", "fork stack"},
      {"s_setkill 1", "kills waves"},
      {"s_scratch_load_dword s2, s[4:5], 0", "scalar"},
  };
  for (const auto &c : cases) {
    Machine machine;
    machine.run(c.text);
    EXPECT_NE(machine.error.find(c.reason), std::string::npos)
        << c.text << ": " << machine.error;
  }
}
