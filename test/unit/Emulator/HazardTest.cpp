//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Every rule of wait states, by the numbers that llc inserts: with one wait
/// state fewer it is reported, with as many it is not.

#include "Machine.h"

#include <gtest/gtest.h>

using namespace fly;
using namespace fly::test;
using llvm::StringRef;

namespace {

std::string nops(unsigned waits) {
  std::string text;
  for (; waits > 16; waits -= 16)
    text += "s_nop 15\n";
  return waits ? text + "s_nop " + std::to_string(waits - 1) + "\n" : text;
}

struct Rule {
  std::string first, second;
  unsigned need;
  bool isLint = false;
};

/// Whether \p rule is reported with \p waits between the two.
bool isReported(const char *arch, const Rule &rule, unsigned waits) {
  Machine machine;
  machine.arch = arch;
  machine.kernel.ldsBytes = 1024;
  machine.runWithBuffer("s_mov_b64 vcc, 0\ns_mov_b64 s[20:21], 0\n"
                        "v_mov_b32 v40, 0\ns_nop 7\n" +
                        rule.first + "\n" + nops(waits) + rule.second +
                        "\ns_nop 15\ns_nop 15\n");
  EXPECT_EQ(machine.error, "") << rule.first << "; " << rule.second;
  std::string needs = "needs " + std::to_string(rule.need) +
                      " wait states, there are " + std::to_string(waits);
  bool found = false;
  for (const Report &report : machine.result.reports) {
    bool isThis = report.kind == "missing-wait-states" &&
                  report.message.find(needs) != std::string::npos;
    found |= isThis;
    bool isLint = report.severity == Report::Severity::Lint;
    EXPECT_TRUE(!isThis || isLint == rule.isLint) << report.message;
  }
  return found;
}

void expectRule(const char *arch, const Rule &rule) {
  std::string name = std::string(arch) + ": " + rule.first + "; " + rule.second;
  EXPECT_TRUE(!rule.need || isReported(arch, rule, rule.need - 1)) << name;
  Machine machine;
  machine.arch = arch;
  machine.runWithBuffer("v_mov_b32 v40, 0\ns_nop 7\n" + rule.first + "\n" +
                        nops(rule.need) + rule.second);
  EXPECT_FALSE(machine.reported("missing-wait-states"))
      << name << machine.reports();
}

struct Matrix {
  const char *name, *operands; ///< D is v[4:...], sources from v40 on
  unsigned dRegisters;
  unsigned passes942, passes950; ///< 0: not on the chip
  bool isXdl = true;
};
const Matrix matrices[] = {
    {"v_mfma_f32_4x4x4_16b_f16", "v[40:41], v[40:41], ", 4, 2, 2},
    {"v_mfma_f32_16x16x16_bf16", "v[40:41], v[40:41], ", 4, 4, 4},
    {"v_mfma_f32_16x16x32_fp8_bf8", "v[40:41], v[40:41], ", 4, 4, 4},
    {"v_mfma_i32_16x16x32_i8", "v[40:41], v[40:41], ", 4, 4, 4},
    {"v_mfma_f32_16x16x32_f16", "v[40:43], v[40:43], ", 4, 0, 4},
    {"v_mfma_f32_32x32x8_f16", "v[40:41], v[40:41], ", 16, 8, 8},
    {"v_mfma_f32_32x32x16_bf16", "v[40:43], v[40:43], ", 16, 0, 8},
    {"v_mfma_f32_32x32x4_2b_f16", "v[40:41], v[40:41], ", 32, 16, 16},
    {"v_mfma_f32_16x16x4_f32", "v40, v40, ", 4, 8, 8, false},
    {"v_mfma_f32_32x32x2_f32", "v40, v40, ", 16, 16, 16, false},
    {"v_mfma_f64_16x16x4_f64", "v[40:41], v[40:41], ", 8, 8, 16, false},
    {"v_mfma_f32_16x16x128_f8f6f4", "v[40:47], v[40:47], ", 4, 0, 8},
    {"v_mfma_f32_32x32x64_f8f6f4", "v[40:47], v[40:47], ", 16, 0, 16},
};

std::string rows(unsigned first, unsigned count) {
  return "v[" + std::to_string(first) + ":" +
         std::to_string(first + count - 1) + "]";
}

} // namespace

TEST(Hazard, MatrixResults) {
  for (const char *arch : {"gfx942", "gfx950"})
    for (const Matrix &m : matrices) {
      bool isGfx950 = arch == std::string("gfx950");
      unsigned p = isGfx950 ? m.passes950 : m.passes942;
      if (!p)
        continue;
      // llc: 5, 7, 11, 19 wait states on gfx942; 5, 8, 12, 20 on gfx950.
      unsigned result = !m.isXdl ? p + 2 : isGfx950 && p > 2 ? p + 4 : p + 3;
      unsigned overwrite = result, memory = result;
      if (StringRef(m.name).contains("f64")) { // of the large form
        result = p + 3;
        overwrite = 11;
        memory = 18;
      }
      // The matrix core proper waits itself for what runs elsewhere.
      unsigned part = !m.isXdl ? 0 : isGfx950 ? p + 2 : p + 1;
      std::string mfma =
          std::string(m.name) + " " + rows(4, m.dRegisters) + ", " + m.operands;
      std::string d = mfma + "0";
      expectRule(arch, {d, "v_add_u32 v60, 1, v4", result, true});
      expectRule(arch, {d, "v_mov_b32 v5, 0", overwrite});
      expectRule(arch, {d, "buffer_store_dword v4, v40, s[12:15], 0 offen",
                        memory, true});
      expectRule(arch, {d,
                        "v_mfma_f32_16x16x16_bf16 v[56:59], v[4:5], "
                        "v[40:41], 0",
                        result});
      expectRule(arch, {d,
                        "v_mfma_f32_16x16x16_bf16 v[56:59], v[40:41], "
                        "v[4:5], 0",
                        result});
      expectRule(arch, {d,
                        "v_mfma_f32_16x16x16_bf16 v[56:59], v[40:41], "
                        "v[40:41], v[2:5]",
                        part});
      expectRule(arch, {d, mfma + rows(4, m.dRegisters), p == 2 ? 2u : 0u});
      std::string withC = mfma + rows(4, m.dRegisters);
      size_t at = withC.find("v[4:");
      withC.replace(at, rows(4, m.dRegisters).size(), rows(8, m.dRegisters));
      if (m.dRegisters == 4) // C is v[4:7], D is v[8:11]
        expectRule(arch, {withC, "v_mov_b32 v4, 0", m.isXdl ? p - 1 : 0});
    }
}

TEST(Hazard, NarrowFormatsTakeHalfThePasses) {
  for (auto [shape, registers, passes] :
       {std::tuple("16x16x128", 4u, 4u), std::tuple("32x32x64", 16u, 8u)}) {
    std::string fp4 = std::string("v_mfma_f32_") + shape + "_f8f6f4 " +
                      rows(4, registers) +
                      ", v[40:43], v[40:43], 0 cbsz:4 blgp:4";
    expectRule("gfx950", {fp4, "v_mov_b32 v5, 0", passes + 4});
    std::string mixed = std::string("v_mfma_f32_") + shape + "_f8f6f4 " +
                        rows(4, registers) + ", v[40:43], v[40:47], 0 cbsz:4";
    expectRule("gfx950", {mixed, "v_mov_b32 v5, 0", 2 * passes + 4});
  }
}

TEST(Hazard, VectorResults) {
  const Rule rules[] = {
      {"v_exp_f32 v4, v40", "v_add_u32 v60, 1, v4", 1},
      {"v_exp_f32 v4, v40", "v_exp_f32 v60, v4", 0},
      {"v_mov_b32 v4, v40",
       "v_mov_b32_dpp v60, v4 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf",
       2},
      {"v_cmpx_eq_u32 s[22:23], v40, v40",
       "v_mov_b32_dpp v60, v40 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf",
       5},
      {"v_cmpx_eq_u32 s[22:23], v40, v40",
       "v_mfma_f32_16x16x16_bf16 v[56:59], v[40:41], v[40:41], 0", 4},
      {"v_cmp_eq_u32 vcc, v40, v40", "v_div_fmas_f32 v60, v40, v40, v40", 4},
      {"v_readfirstlane_b32 s20, v40", "v_readlane_b32 s22, v40, s20", 4},
      {"v_readfirstlane_b32 s20, v40",
       "buffer_load_dword v60, v40, s[12:15], s20 offen", 5},
      {"s_mov_b32 m0, 0", "s_movrels_b32 s22, s20", 1},
      {"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0",
       "s_getreg_b32 s22, hwreg(HW_REG_MODE)", 2},
      {"v_mov_b32 v4, v40",
       "v_mfma_f32_16x16x16_bf16 v[56:59], v[4:5], v[40:41], 0", 2},
      {"buffer_store_dwordx4 v[40:43], v40, s[12:15], 0 offen",
       "v_mov_b32 v41, 0", 2, true},
      {"buffer_store_dwordx3 v[40:42], v40, s[12:15], 0 offen",
       "v_mov_b32 v41, 0", 2, true},
      {"buffer_store_dwordx2 v[40:41], v40, s[12:15], 0 offen",
       "v_mov_b32 v41, 0", 0}};
  for (const char *arch : {"gfx942", "gfx950"})
    for (const Rule &rule : rules)
      expectRule(arch, rule);
  for (const char *arch : {"gfx942", "gfx950"}) {
    expectRule(arch, {"v_cvt_pk_fp8_f32 v40, v40, v40 op_sel:[0,0,1]",
                      "v_add_u32 v60, 1, v40", 1});
    expectRule(arch, {"v_mov_b32_sdwa v40, v40 dst_sel:BYTE_1 "
                      "dst_unused:UNUSED_PRESERVE src0_sel:DWORD",
                      "v_add_u32 v60, 1, v40", 1});
    expectRule(arch, {"s_mov_b32 m0, 0",
                      "buffer_load_dword v40, s[12:15], 0 offen lds", 1, true});
  }
  // The first wait state must be there, the second one is asked for.
  Rule swap = {"v_mov_b32 v4, v40", "v_permlane16_swap_b32 v4, v40", 2};
  EXPECT_TRUE(isReported("gfx950", swap, 0));
  swap.isLint = true;
  expectRule("gfx950", swap);
}
