//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What a kernel finds in its argument segment and dispatch packet.

#include "Machine.h"

#include <gtest/gtest.h>

using namespace fly;
using namespace fly::test;

TEST(KernelArguments, HiddenArgumentsDescribeTheLaunch) {
  Machine machine;
  machine.kernel.kernargBytes = 128;
  machine.kernel.ldsBytes = 64;
  machine.kernel.arguments = {"by_value 8 8",
                              "hidden_block_count_x 16 4",
                              "hidden_block_count_y 20 4",
                              "hidden_block_count_z 24 4",
                              "hidden_group_size_x 28 2",
                              "hidden_group_size_y 30 2",
                              "hidden_group_size_z 32 2",
                              "hidden_remainder_x 34 2",
                              "hidden_grid_dims 36 2",
                              "hidden_none 38 2",
                              "hidden_dynamic_lds_size 40 4",
                              "hidden_private_base 44 4",
                              "hidden_shared_base 48 4",
                              "hidden_global_offset_x 56 8"};
  machine.dynamicLds = 640;
  const char *body = R"(
    s_load_dwordx2 s[8:9], s[0:1], 0
    s_load_dwordx8 s[16:23], s[0:1], 16
    s_load_dwordx8 s[24:31], s[0:1], 48
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v0, 0
    .macro put from
    v_mov_b32 v1, s\from
    global_store_dword v0, v1, s[8:9] offset:4*(\from-16)
    .endm
    .irp i, 16,17,18,19,20,21,22,23,24,25,26,27
    put \i
    .endr)";
  struct {
    std::array<uint32_t, 3> grid, block;
    uint32_t dims;
  } const launches[] = {{{3, 1, 1}, {64, 1, 1}, 1},
                        {{1, 1, 1}, {16, 4, 1}, 2},
                        {{3, 5, 2}, {8, 4, 2}, 3}};
  for (const auto &launch : launches) {
    machine.grid = launch.grid;
    machine.block = launch.block;
    machine.run(body);
    EXPECT_EQ(machine.errors(), "");
    const std::vector<uint32_t> &b = machine.buffer;
    for (unsigned i = 0; i < 3; ++i)
      EXPECT_EQ(b[i], launch.grid[i]);
    EXPECT_EQ(b[3], launch.block[0] | launch.block[1] << 16);
    EXPECT_EQ(b[4], launch.block[2]) << "and no remainder";
    EXPECT_EQ(b[5], launch.dims);
    EXPECT_EQ(b[6], 640u);
    EXPECT_NE(b[7], b[8]) << "the apertures";
    EXPECT_EQ(b[10] | b[11], 0u);
  }
}

TEST(KernelArguments, DispatchPacketDescribesTheLaunch) {
  Machine machine;
  machine.kernel.extra = ".amdhsa_user_sgpr_dispatch_ptr 1";
  machine.kernel.ldsBytes = 256;
  machine.dynamicLds = 32;
  machine.grid = {3, 5, 2};
  machine.block = {8, 4, 2};
  machine.run(R"(
    s_load_dwordx2 s[8:9], s[2:3], 0
    s_load_dwordx16 s[16:31], s[0:1], 0
    s_waitcnt lgkmcnt(0)
    s_sub_u32 s26, s26, s2
    s_sub_u32 s27, s27, s3
    v_mov_b32 v0, 0
    .macro put from
    v_mov_b32 v1, s\from
    global_store_dword v0, v1, s[8:9] offset:4*(\from-16)
    .endm
    .irp i, 16,17,18,19,20,21,22,23,26,27
    put \i
    .endr)");
  EXPECT_EQ(machine.errors(), "");
  const std::vector<uint32_t> expected = {
      3u << 16 | 2, 4u << 16 | 8, 2, 24, 20, 4, 0, 288};
  EXPECT_EQ(
      std::vector<uint32_t>(machine.buffer.begin(), machine.buffer.begin() + 8),
      expected);
  EXPECT_EQ(machine.buffer[10] | machine.buffer[11], 0u)
      << "the arguments' address";
}

TEST(KernelArguments, DispatchPacketStatesTheScratchThatThereIs) {
  // private_segment_size; the dispatch pointer comes before that of arguments.
  const char *body = "s_load_dword s10, s[0:1], 24\n"
                     "s_load_dwordx2 s[8:9], s[2:3], 0\n"
                     "s_waitcnt lgkmcnt(0)\nv_mov_b32 v0, 0\n"
                     "v_mov_b32 v1, s10\nglobal_store_dword v0, v1, s[8:9]\n";
  Machine machine;
  machine.kernel.scratchBytes = 64;
  machine.kernel.extra = ".amdhsa_user_sgpr_dispatch_ptr 1";
  machine.run(body);
  EXPECT_EQ(machine.error + machine.reports(), "");
  EXPECT_EQ(machine.buffer[0], 64u);
  machine.kernel.extra += "\n.amdhsa_uses_dynamic_stack 1";
  machine.options.dynamicStackBytes = 5000;
  machine.run(body);
  EXPECT_EQ(machine.buffer[0], 5008u) << "a multiple of 16";
}

// Those that are enabled follow each other in this order.
TEST(KernelArguments, InitialScalarsInOrder) {
  Machine machine;
  machine.kernel.scratchBytes = 48;
  machine.kernel.extra = ".amdhsa_user_sgpr_dispatch_ptr 1\n"
                         ".amdhsa_user_sgpr_queue_ptr 1\n"
                         ".amdhsa_user_sgpr_dispatch_id 1\n"
                         ".amdhsa_user_sgpr_private_segment_size 1\n";
  machine.grid = {2, 3, 4};
  // s[0:1] dispatch packet, s[2:3] queue, s[4:5] arguments, s[6:7] dispatch
  // id, s8 scratch, s9 to s11 the workgroup's ids. The last group writes.
  machine.run(R"(
    s_load_dwordx2 s[20:21], s[4:5], 0
    s_load_dword s22, s[0:1], 4
    s_add_u32 s23, s9, s10
    s_add_u32 s23, s23, s11
    s_cmp_lg_u32 s23, 6
    s_cbranch_scc1 .Lend
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v0, 0
    .macro put from, at
    v_mov_b32 v1, s\from
    global_store_dword v0, v1, s[20:21] offset:4*\at
    .endm
    put 8, 0
    put 9, 1
    put 10, 2
    put 11, 3
    put 22, 4
  .Lend:)");
  EXPECT_EQ(machine.errors(), "");
  EXPECT_EQ(
      std::vector<uint32_t>(machine.buffer.begin(), machine.buffer.begin() + 5),
      (std::vector<uint32_t>{48, 1, 2, 3, 1u << 16 | 64}));
}
