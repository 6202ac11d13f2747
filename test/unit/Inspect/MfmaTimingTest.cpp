//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Cycles and rates of matrix instructions, against the published peaks.

#include "fly/Inspect/MfmaTiming.h"

#include "fly/Arch/MatrixRates.h"

#include "Support/Unwrap.h"

#include "gtest/gtest.h"

using namespace fly;

namespace {

struct Case {
  const char *arch;
  const char *text; ///< assembly
  unsigned cycles;
  double rate;
};

const Case cases[] = {
    {"gfx950", "v_mfma_f32_16x16x32_bf16 v[0:3], v[4:7], v[8:11], v[0:3]", 16,
     1},
    {"gfx950", "v_mfma_f32_32x32x16_f16 v[0:15], v[20:23], v[24:27], v[0:15]",
     32, 1},
    {"gfx950", "v_mfma_f32_16x16x16_bf16 v[0:3], v[4:5], v[6:7], v[0:3]", 16,
     0.5},
    {"gfx942", "v_mfma_f32_16x16x16_bf16 v[0:3], v[4:5], v[6:7], v[0:3]", 16,
     1},
    {"gfx950", "v_mfma_f32_16x16x32_fp8_fp8 v[0:3], v[4:5], v[6:7], v[0:3]", 16,
     0.5},
    {"gfx950", "v_mfma_f32_32x32x16_fp8_bf8 a[0:15], v[4:5], v[6:7], a[0:15]",
     32, 0.5},
    {"gfx942", "v_mfma_f32_16x16x32_fp8_fp8 v[0:3], v[4:5], v[6:7], v[0:3]", 16,
     1},
    {"gfx950", "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[8:15], v[16:23], v[0:3]",
     32, 1},
    {"gfx950",
     "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[8:11], v[16:19], v[0:3] cbsz:4 "
     "blgp:4",
     16, 1},
    {"gfx950",
     "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[8:11], v[16:23], v[0:3] cbsz:4", 32,
     1},
    {"gfx950",
     "v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[16:23], v[24:31], v[0:15]", 64, 1},
    {"gfx950",
     "v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[16:21], v[24:27], v[0:15] cbsz:2 "
     "blgp:4",
     32, 1},
    {"gfx950",
     "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[8:15], v[16:23], v[0:3], "
     "v30, v31 op_sel_hi:[0,0,0]",
     32, 1},
    {"gfx950", "v_mfma_i32_16x16x64_i8 v[0:3], v[4:7], v[8:11], v[0:3]", 16, 1},
    {"gfx950", "v_mfma_i32_16x16x32_i8 v[0:3], v[4:5], v[6:7], v[0:3]", 16,
     0.5},
    {"gfx950", "v_mfma_f32_16x16x4_f32 v[0:3], v4, v5, v[0:3]", 32, 1},
    {"gfx950", "v_mfma_f32_32x32x2_f32 v[0:15], v20, v21, v[0:15]", 64, 1},
    {"gfx942", "v_mfma_f32_16x16x8_xf32 v[0:3], v[4:5], v[6:7], v[0:3]", 16, 1},
    {"gfx950", "v_mfma_f64_16x16x4_f64 v[0:7], v[8:9], v[10:11], v[0:7]", 64,
     1},
    {"gfx942", "v_mfma_f64_16x16x4_f64 v[0:7], v[8:9], v[10:11], v[0:7]", 32,
     1},
    {"gfx942", "v_mfma_f64_4x4x4_4b_f64 v[0:1], v[8:9], v[10:11], v[0:1]", 16,
     0.5},
    {"gfx942", "v_mfma_f32_16x16x4_4b_f16 a[0:15], v[0:1], v[2:3], a[0:15]", 32,
     0.5},
    {"gfx942", "v_mfma_f32_32x32x4_2b_f16 a[0:31], v[0:1], v[2:3], a[0:31]", 64,
     0.5},
    {"gfx942", "v_mfma_f32_4x4x4_16b_f16 a[0:3], v[0:1], v[2:3], a[0:3]", 8,
     0.5},
};

} // namespace

TEST(MfmaTiming, CyclesAndRates) {
  for (const Case &c : cases) {
    const TargetInfo &target = unwrap(lookupTarget(c.arch));
    Disassembly code = unwrap(
        Disassembly::decode(target, unwrap(assembleText(target, c.text)), 0));
    auto shape = mfmaShapeOf(code.instructions()[0]);
    ASSERT_TRUE(shape) << c.text;
    EXPECT_EQ(mfmaCycles(*shape, target), c.cycles) << c.arch << " " << c.text;
    EXPECT_EQ(mfmaRate(*shape, target), c.rate) << c.arch << " " << c.text;
  }
}

// Peaks of the data sheets: FLOP a cycle of a compute unit of four SIMDs.
TEST(MfmaTiming, FullRateIsThePublishedPeak) {
  auto peak = [](unsigned rate, const TargetInfo &target, double ghz) {
    return 1e-3 * rate * target.simdsPerCu * target.computeUnits * ghz;
  };
  const TargetInfo &gfx950 = unwrap(lookupTarget("gfx950"));
  EXPECT_NEAR(peak(matrixRatesOf(gfx950).float16, gfx950, 2.4), 2517, 1);
  EXPECT_NEAR(peak(matrixRatesOf(gfx950).float8, gfx950, 2.4), 5033, 1);
  EXPECT_NEAR(peak(matrixRatesOf(gfx950).float6and4, gfx950, 2.4), 10066, 1);
  EXPECT_NEAR(peak(matrixRatesOf(gfx950).f64, gfx950, 2.4), 78.6, 0.1);
  const TargetInfo &gfx942 = unwrap(lookupTarget("gfx942"));
  EXPECT_NEAR(peak(matrixRatesOf(gfx942).float16, gfx942, 2.1), 1307, 1);
  EXPECT_NEAR(peak(matrixRatesOf(gfx942).float8, gfx942, 2.1), 2615, 1);
  EXPECT_NEAR(peak(matrixRatesOf(gfx942).f64, gfx942, 2.1), 163.4, 0.1);
}

TEST(MfmaTiming, NamesSayTheTypesOfF8f6f4) {
  const TargetInfo &target = unwrap(lookupTarget("gfx950"));
  auto nameOf = [&](llvm::StringRef text) {
    Disassembly code = unwrap(
        Disassembly::decode(target, unwrap(assembleText(target, text)), 0));
    return mfmaNameOf(code.instructions()[0]);
  };
  EXPECT_EQ(nameOf("v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[8:13], v[16:23], "
                   "v[0:3] cbsz:3 blgp:1"),
            "v_mfma_f32_16x16x128_f8f6f4 bf6 bf8");
  EXPECT_EQ(nameOf("v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[8:13], v[16:19], "
                   "v[0:3] cbsz:2 blgp:4"),
            "v_mfma_f32_16x16x128_f8f6f4 fp6 fp4");
  EXPECT_EQ(nameOf("v_mfma_f32_16x16x32_bf16 v[0:3], v[4:7], v[8:11], v[0:3]"),
            "v_mfma_f32_16x16x32_bf16");
}

TEST(MfmaTiming, SparseFormsTakeAsLongAsDenseOnesOfHalfTheK) {
  const TargetInfo &target = unwrap(lookupTarget("gfx942"));
  Disassembly code = unwrap(Disassembly::decode(
      target,
      unwrap(assembleText(
          target, "v_smfmac_f32_16x16x32_f16 a[0:3], v[0:1], v[2:5], v6\n"
                  "v_smfmac_i32_32x32x32_i8 a[0:15], v[0:1], v[2:5], v6")),
      0));
  unsigned cycles[] = {16, 32}, k[] = {32, 32};
  for (unsigned i = 0; i != 2; ++i) {
    std::optional<MfmaShape> shape = mfmaShapeOf(code.instructions()[i]);
    ASSERT_TRUE(shape);
    EXPECT_TRUE(shape->sparse);
    EXPECT_EQ(shape->k, k[i]);
    EXPECT_EQ(mfmaCycles(*shape, target), cycles[i]);
  }
}
