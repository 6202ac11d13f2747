//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Traps of these chips that emulators fall into, as machine code in both
/// modes. docs/emulator.md lists them all with the tests that hold them.

#include "Machine.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace fly;
using namespace fly::test;

namespace {

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

/// Runs \p body over a buffer full of \p fill, and expects \p value at every
/// lane of v4.
void expectV4(const std::string &body, uint32_t fill, float value) {
  for (bool check : {true, false}) {
    Machine machine;
    machine.options.check = check;
    machine.kernel.ldsBytes = 4096;
    machine.buffer.assign(1024, fill);
    machine.runWithBuffer(body +
                          "\ns_nop 15\ns_nop 3\n"
                          "buffer_store_dword v4, v30, s[12:15], 0 offen\n");
    ASSERT_EQ(machine.error, "");
    ASSERT_EQ(machine.reports(), "");
    for (unsigned l = 0; l != 64; ++l)
      EXPECT_EQ(machine.buffer[l], bitsOf(value)) << "lane " << l;
  }
}

} // namespace

TEST(Traps, FragmentsInAccumulatorRegisters) {
  // A by a buffer load, B by way of LDS, both into AGPRs and used from there.
  expectV4("buffer_load_dwordx2 a[0:1], v30, s[12:15], 0 offen\n"
           "buffer_load_dwordx2 a[4:5], v30, s[12:15], 0 offen\n"
           "s_waitcnt vmcnt(0)\n"
           "v_lshlrev_b32 v28, 3, v31\n"
           "ds_write_b64 v28, a[4:5]\n"
           "s_waitcnt lgkmcnt(0)\n"
           "ds_read_b64 a[2:3], v28\n"
           "s_waitcnt lgkmcnt(0)\n"
           "v_mfma_f32_16x16x16_f16 v[4:7], a[0:1], a[2:3], 0\n",
           0x3c003c00, 16);
  // And the sum in AGPRs, C as well.
  expectV4("buffer_load_dwordx2 a[0:1], v30, s[12:15], 0 offen\n"
           "s_waitcnt vmcnt(0)\n"
           "v_mfma_f32_16x16x16_f16 a[4:7], a[0:1], a[0:1], 0\n"
           "v_mfma_f32_16x16x16_f16 a[4:7], a[0:1], a[0:1], a[4:7]\n"
           "s_nop 15\n"
           "v_accvgpr_read_b32 v4, a4\n",
           0x3c003c00, 32);
}

TEST(Traps, UnscaledF8f6f4IsEightBytes) {
  const std::string load =
      "buffer_load_dwordx4 v[8:11], v30, s[12:15], 0 offen\n"
      "buffer_load_dwordx4 v[12:15], v30, s[12:15], 0 offen\n"
      "s_waitcnt vmcnt(0)\n";
  // The branch skips 8 bytes: the second instruction runs, the first does not.
  expectV4(load + "v_mov_b32 v4, 0\ns_branch 2\n"
                  "v_mfma_f32_16x16x128_f8f6f4 v[4:7], v[8:15], v[8:15], 0\n"
                  "v_mov_b32 v4, 1.0\n",
           0x38383838, 1);
  // All scales are 1, whatever registers hold.
  expectV4(load + "v_mfma_f32_16x16x128_f8f6f4 v[4:7], v[8:15], v[8:15], 0\n",
           0x38383838, 128);
  expectV4(load + "v_mfma_f32_32x32x64_f8f6f4 v[32:47], v[8:15], v[8:15], 0\n"
                  "s_nop 15\ns_nop 15\nv_mov_b32 v4, v32\n",
           0x38383838, 64);
}

TEST(Traps, ScalesPickTheirByteByOpSel) {
  // Bytes of the scale register, lowest first: 2^0, 2^1, 2^2, 2^3. The first
  // bit of the byte is op_sel, the second op_sel_hi.
  const char *selects[4] = {
      "op_sel:[0,0,0] op_sel_hi:[0,0,0]", "op_sel:[1,0,0] op_sel_hi:[0,0,0]",
      "op_sel:[0,0,0] op_sel_hi:[1,0,0]", "op_sel:[1,0,0] op_sel_hi:[1,0,0]"};
  for (unsigned byte = 0; byte != 4; ++byte)
    expectV4("buffer_load_dwordx4 v[8:11], v30, s[12:15], 0 offen\n"
             "buffer_load_dwordx4 v[12:15], v30, s[12:15], 0 offen\n"
             "v_mov_b32 v16, 0x8281807f\nv_mov_b32 v17, 0x7f7f7f7f\n"
             "s_waitcnt vmcnt(0)\ns_nop 0\n"
             "v_mfma_scale_f32_16x16x128_f8f6f4 v[4:7], v[8:15], v[8:15], 0, "
             "v16, v17 " +
                 std::string(selects[byte]) + "\n",
             0x38383838, float(128 << byte));
}

TEST(Traps, MatricesReadNoScalarRegisters) {
  // A scale in s16.
  Machine machine;
  machine.runWithBuffer(".long 0xd3ac0000, 0x00022010, 0xd3ad0804, 0x02021108");
  EXPECT_NE(machine.error.find("the emulator does not know this instruction"),
            std::string::npos)
      << machine.error;
}

TEST(Traps, PackedAtomicsAddEachHalf) {
  struct {
    const char *op;
    uint32_t one, sum;
  } cases[] = {
      {"buffer_atomic_pk_add_f16 v1, off, s[12:15], 0", 0x40003c00, 0x58005400},
      {"global_atomic_pk_add_f16 v28, v1, s[8:9]", 0x40003c00, 0x58005400},
      {"buffer_atomic_pk_add_bf16 v1, off, s[12:15], 0", 0x40003f80,
       0x43004280},
      {"global_atomic_pk_add_bf16 v28, v1, s[8:9]", 0x40003f80, 0x43004280},
  };
  for (const auto &c : cases) {
    Machine machine;
    machine.runWithBuffer("v_mov_b32 v28, 0\nv_mov_b32 v1, " +
                          std::to_string(c.one) + "\n" + c.op);
    EXPECT_EQ(machine.reports(), "") << c.op;
    EXPECT_EQ(machine.buffer[0], c.sum) << c.op << ": 64 times 1 and 2";
  }
}

TEST(Traps, SoffsetMayBeAConstant) {
  Machine machine;
  for (unsigned i = 0; i != 256; ++i)
    machine.buffer[i] = i;
  machine.runWithBuffer("buffer_load_dword v1, v30, s[12:15], 64 offen\n"
                        "s_waitcnt vmcnt(0)\n"
                        "buffer_store_dword v1, v30, s[12:15], 0 offen "
                        "offset:512\n");
  EXPECT_EQ(machine.reports(), "");
  for (unsigned l = 0; l != 64; ++l)
    EXPECT_EQ(machine.buffer[128 + l], 16 + l);
}

TEST(Traps, MatrixInstructionsIgnoreExec) {
  for (const char *exec : {"0", "0x5a5a"}) {
    Machine machine;
    machine.runWithBuffer("v_mov_b32 v2, 0x3f803f80\nv_mov_b32 v3, v2\n"
                          "s_mov_b64 exec, " +
                          std::string(exec) + R"(
      s_nop 1
      v_mfma_f32_16x16x16_bf16 v[4:7], v[2:3], v[2:3], 0
      s_mov_b64 exec, -1
      s_nop 7
      buffer_store_dword v7, v30, s[12:15], 0 offen)");
    EXPECT_EQ(machine.errors(), "");
    for (unsigned l = 0; l != 64; ++l)
      EXPECT_EQ(machine.buffer[l], 0x41800000u) << "16 in lane " << l;
  }
}
