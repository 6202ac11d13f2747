//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Loads that go to LDS without a register between.

#include "MemoryCase.h"

using namespace fly;
using namespace fly::test;

TEST(DirectToLds, LanesAreContiguousFromM0) {
  // The lanes gather backwards; the offset counts on both sides.
  Machine machine = numbered(1024);
  runBoth(machine, R"(
    s_movk_i32 m0, 0x40
    v_sub_u32 v2, 63, v31
    v_lshlrev_b32 v2, 4, v2
    buffer_load_dwordx4 v2, s[12:15], 0 offen offset:32 lds
    s_waitcnt vmcnt(0)
    ds_read_b32 v1, v29 offset:0x64)" +
                       storeV1);
  // LDS 0x40 + 32 + 16 * lane; dword 1 of the lane is at 0x64 + 16 * lane.
  for (unsigned l = 0; l != 64; ++l)
    EXPECT_EQ(machine.buffer[256 + l], 0x1000 + 8 + 4 * (63 - l) + 1);
}

TEST(DirectToLds, OutOfRangeLanesWriteZerosAndInactiveOnesNothing) {
  Machine machine = numbered(1024);
  runBoth(machine, R"(
    v_mov_b32 v3, -1
    ds_write_b32 v30, v3
    s_waitcnt lgkmcnt(0)
    s_mov_b32 m0, 0
    s_movk_i32 s14, 0x20
    s_mov_b64 exec, 0xffff
    buffer_load_dword v30, s[12:15], 0 offen lds
    s_mov_b64 exec, -1
    s_waitcnt vmcnt(0)
    s_movk_i32 s14, 0x1000
    ds_read_b32 v1, v30)" +
                       storeV1);
  for (unsigned l = 0; l != 64; ++l)
    EXPECT_EQ(machine.buffer[256 + l], l < 8 ? 0x1000 + l : l < 16 ? 0 : ~0u);
}

// Behind all LDS that the chip has nothing is written, and compilers mean that;
// behind what the workgroup has it is a mistake.
TEST(DirectToLds, WavesMayWriteBehindAllOfLds) {
  struct {
    const char *m0;
    bool isMistake;
  } cases[] = {{"0x7fffffff", false},
               {"-1", false},
               {"0x28000", false},
               {"0x27ffc", true},
               {"0x1000", true}};
  for (const auto &c : cases) {
    Machine machine = numbered(1024);
    machine.kernel.ldsBytes = 4096;
    machine.runWithBuffer(std::string("v_mov_b32 v3, -1\n"
                                      "ds_write_b32 v30, v3\n"
                                      "s_movk_i32 s14, 0x1000\n"
                                      "s_mov_b32 m0, ") +
                          c.m0 +
                          "\nbuffer_load_dword v30, s[12:15], 0 offen lds\n"
                          "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
                          "ds_read_b32 v1, v30" +
                          storeV1);
    EXPECT_EQ(machine.reported("lds-out-of-bounds", ""), c.isMistake)
        << c.m0 << machine.reports();
    for (unsigned l = 0; l != 64; ++l)
      EXPECT_EQ(machine.buffer[256 + l], ~0u) << c.m0;
  }
}

TEST(DirectToLds, NarrowFormsWriteWholeDwords) {
  Machine machine = numbered();
  machine.buffer[0] = 0x80ff7f01;
  runBoth(machine, R"(
    s_mov_b32 m0, 0
    buffer_load_sbyte v31, s[12:15], 0 offen lds
    s_movk_i32 m0, 0x100
    buffer_load_ushort v31, s[12:15], 0 offen lds
    s_waitcnt vmcnt(0)
    ds_read_b32 v1, v30
    ds_read_b32 v2, v30 offset:256
    s_waitcnt lgkmcnt(0)
    buffer_store_dword v2, v30, s[12:15], 0 offen offset:1280)" +
                       storeV1);
  EXPECT_EQ(machine.buffer[256 + 0], 1u);
  EXPECT_EQ(machine.buffer[256 + 2], ~0u);
  EXPECT_EQ(machine.buffer[256 + 3], 0xffffff80u);
  EXPECT_EQ(machine.buffer[320 + 2], 0x80ffu);
}

TEST(DirectToLds, GlobalForm) {
  Machine machine = numbered(1024);
  runBoth(machine, R"(
    s_movk_i32 m0, 0x10
    v_sub_u32 v2, 63, v31
    v_lshlrev_b32 v2, 4, v2
    global_load_lds_dwordx4 v2, s[8:9] offset:16
    s_waitcnt vmcnt(0)
    ds_read_b32 v1, v29 offset:0x2c)" +
                       storeV1);
  for (unsigned l = 0; l != 64; ++l)
    EXPECT_EQ(machine.buffer[256 + l], 0x1000 + 4 + 4 * (63 - l) + 3);
}

TEST(DirectToLds, StepOfThreeDwordsIsAnOption) {
  for (unsigned step : {16u, 12u})
    for (const char *load : {"buffer_load_dwordx3 v29, s[12:15], 0 offen lds",
                             "global_load_lds_dwordx3 v29, s[8:9]"}) {
      Machine machine = numbered();
      machine.options.ldsCopyX3Step = step;
      machine.runWithBuffer("s_mov_b32 m0, 0\n" + std::string(load) +
                            "\ns_waitcnt vmcnt(0)\n"
                            "v_mul_u32_u24 v28, " +
                            std::to_string(step) +
                            ", v31\n"
                            "ds_read_b96 v[4:6], v28\n"
                            "s_waitcnt lgkmcnt(0)\n"
                            "v_mov_b32 v1, v6\n" +
                            storeV1);
      ASSERT_EQ(machine.errors(), "");
      for (unsigned l = 0; l != 64; ++l)
        EXPECT_EQ(machine.buffer[256 + l], 0x1000 + 4 * l + 2) << load;
    }
}

TEST(DirectToLds, Gfx942TakesDwordsOnly) {
  Machine machine = numbered();
  machine.arch = "gfx942";
  runBoth(machine, R"(
    s_mov_b32 m0, 0
    buffer_load_dword v30, s[12:15], 0 offen lds
    s_waitcnt vmcnt(0)
    ds_read_b32 v1, v30)" +
                       storeV1);
  EXPECT_EQ(machine.buffer[256 + 7], 0x1007u);
}
