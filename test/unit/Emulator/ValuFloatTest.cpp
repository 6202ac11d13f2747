//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// f32 arithmetic, modifiers, MODE and division.

#include "ValuMachine.h"

#include "gtest/gtest.h"

#include <cfenv>
#include <cmath>

using namespace fly;
using namespace fly::test;

using u32 = uint32_t;
using u64 = uint64_t;

namespace {

u32 quiet(u32 bits) {
  return (bits & 0x7fffffff) > 0x7f800000 ? bits | 0x400000 : bits;
}
/// NaNs compare equal: their payload is that of the CPU.
u32 canonical(u32 bits) {
  return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
}

void checkFloat(ValuMachine &machine, llvm::StringRef op, unsigned numSources,
                const std::vector<u32> &values,
                const std::function<float(const float *)> &f,
                llvm::StringRef modifiers = "") {
  machine.check32(
      op, numSources, values,
      [&](const u32 *s) {
        float sources[3] = {floatOf(s[0]), floatOf(s[1]), floatOf(s[2])};
        return bitsOf(f(sources));
      },
      modifiers);
}

std::vector<u32> withoutNaN(std::vector<u32> values) {
  std::vector<u32> result;
  for (u32 value : values)
    if (canonical(value) != 0x7fc00000)
      result.push_back(value);
  return result;
}
std::vector<u32> finite(std::vector<u32> values) {
  std::vector<u32> result;
  for (u32 value : values)
    if ((value & 0x7f800000) != 0x7f800000)
      result.push_back(value);
  return result;
}

float minimum(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  if (a == b)
    return std::signbit(a) ? a : b;
  return std::min(a, b);
}
float maximum(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  if (a == b)
    return std::signbit(a) ? b : a;
  return std::max(a, b);
}

} // namespace

TEST(ValuFloat, Arithmetic) {
  ValuMachine machine;
  auto values = finite(floatSamples(20));
  checkFloat(machine, "v_add_f32", 2, values,
             [](const float *s) { return s[0] + s[1]; });
  checkFloat(machine, "v_sub_f32", 2, values,
             [](const float *s) { return s[0] - s[1]; });
  checkFloat(machine, "v_subrev_f32", 2, values,
             [](const float *s) { return s[1] - s[0]; });
  checkFloat(machine, "v_mul_f32", 2, values,
             [](const float *s) { return s[0] * s[1]; });
  checkFloat(machine, "v_fma_f32", 3, finite(floatSamples(2)),
             [](const float *s) { return std::fma(s[0], s[1], s[2]); });
  checkFloat(machine, "v_mul_legacy_f32", 2, withoutNaN(floatSamples(4)),
             [](const float *s) {
               return s[0] == 0 || s[1] == 0 ? 0.0f : s[0] * s[1];
             });
}

TEST(ValuFloat, AccumulatesInPlace) {
  ValuMachine machine;
  machine.vgpr(0)[0] = bitsOf(1.5f);
  machine.vgpr(1)[0] = bitsOf(2.0f);
  machine.vgpr(2)[0] = bitsOf(3.0f);
  machine.run("v_fmac_f32 v0, v1, v2");
  EXPECT_EQ(machine.vgpr(0)[0], bitsOf(7.5f));
  machine.run("v_fmac_f32 v0, v0, v0");
  EXPECT_EQ(machine.vgpr(0)[0], bitsOf(63.75f));
  machine.run("v_fmamk_f32 v0, v1, 0x41000000, v2");
  EXPECT_EQ(machine.vgpr(0)[0], bitsOf(19.0f));
  machine.run("v_fmaak_f32 v0, v1, v2, 0x41000000");
  EXPECT_EQ(machine.vgpr(0)[0], bitsOf(14.0f));
}

TEST(ValuFloat, SpecialOperands) {
  ValuMachine machine;
  auto run2 = [&](const char *op, u32 a, u32 b) {
    machine.vgpr(1)[0] = a;
    machine.vgpr(2)[0] = b;
    machine.run(std::string(op) + " v0, v1, v2");
    return canonical(machine.vgpr(0)[0]);
  };
  EXPECT_EQ(run2("v_add_f32", 0x7f800000, 0xff800000), 0x7fc00000u);
  EXPECT_EQ(run2("v_mul_f32", 0x7f800000, 0), 0x7fc00000u);
  EXPECT_EQ(run2("v_add_f32", 0x7f800000, 0x3f800000), 0x7f800000u);
  EXPECT_EQ(run2("v_add_f32", 0x7fa00000, 0x3f800000), 0x7fc00000u);
}

TEST(ValuFloat, MinimumAndMaximum) {
  ValuMachine machine;
  auto values = withoutNaN(floatSamples(6));
  values.push_back(0x7fc00000);
  checkFloat(machine, "v_min_f32", 2, values,
             [](const float *s) { return minimum(s[0], s[1]); });
  checkFloat(machine, "v_max_f32", 2, values,
             [](const float *s) { return maximum(s[0], s[1]); });
  checkFloat(machine, "v_min3_f32", 3, values,
             [](const float *s) { return minimum(minimum(s[0], s[1]), s[2]); });
  checkFloat(machine, "v_max3_f32", 3, values,
             [](const float *s) { return maximum(maximum(s[0], s[1]), s[2]); });
  checkFloat(machine, "v_med3_f32", 3, values, [](const float *s) {
    float least = minimum(minimum(s[0], s[1]), s[2]);
    if (std::isnan(s[0]) || std::isnan(s[1]) || std::isnan(s[2]))
      return least;
    float sorted[3] = {s[0], s[1], s[2]};
    std::sort(sorted, sorted + 3, [](float a, float b) {
      return a < b || (a == b && std::signbit(a) && !std::signbit(b));
    });
    return sorted[1];
  });
  for (bool max : {false, true})
    checkFloat(machine, max ? "v_maximum3_f32" : "v_minimum3_f32", 3, values,
               [max](const float *s) {
                 if (std::isnan(s[0]) || std::isnan(s[1]) || std::isnan(s[2]))
                   return floatOf(0x7fc00000);
                 return max ? maximum(maximum(s[0], s[1]), s[2])
                            : minimum(minimum(s[0], s[1]), s[2]);
               });
}

TEST(ValuFloat, IeeeModeReturnsSignallingNaNsQuiet) {
  ValuMachine machine;
  machine.vgpr(1)[0] = 0x7fa00001;
  machine.vgpr(2)[0] = 0x3f800000;
  machine.run("v_max_f32 v0, v1, v2");
  EXPECT_EQ(machine.vgpr(0)[0], 0x3f800000u);
  machine.wave->mode |= emu::ModeIeee;
  machine.run("v_max_f32 v0, v1, v2");
  EXPECT_EQ(machine.vgpr(0)[0], 0x7fe00001u);
  machine.run("v_max_f32 v0, v1, v1");
  EXPECT_EQ(machine.vgpr(0)[0], quiet(0x7fa00001));
}

TEST(ValuFloat, Roundings) {
  ValuMachine machine;
  auto values = withoutNaN(floatSamples(200));
  checkFloat(machine, "v_trunc_f32", 1, values,
             [](const float *s) { return std::trunc(s[0]); });
  checkFloat(machine, "v_ceil_f32", 1, values,
             [](const float *s) { return std::ceil(s[0]); });
  checkFloat(machine, "v_floor_f32", 1, values,
             [](const float *s) { return std::floor(s[0]); });
  checkFloat(machine, "v_rndne_f32", 1, values,
             [](const float *s) { return std::nearbyint(s[0]); });
  checkFloat(machine, "v_fract_f32", 1, finite(values), [](const float *s) {
    return std::min(s[0] - std::floor(s[0]), 0x1.fffffep-1f);
  });
}

TEST(ValuFloat, LdexpAndFrexp) {
  ValuMachine machine;
  auto values = withoutNaN(floatSamples(20));
  for (int n : {0, 1, -1, 23, -23, 100, -100, 127, -149, 300, -300, 2000000000})
    for (u32 value : values) {
      machine.vgpr(1)[0] = value;
      machine.vgpr(2)[0] = u32(n);
      machine.run("v_ldexp_f32 v0, v1, v2");
      EXPECT_EQ(machine.vgpr(0)[0], bitsOf(std::ldexp(floatOf(value), n)));
    }
  machine.check32("v_frexp_exp_i32_f32", 1, values, [](const u32 *s) {
    int exponent = 0;
    if (std::isfinite(floatOf(s[0])))
      std::frexp(floatOf(s[0]), &exponent);
    return u32(exponent);
  });
  checkFloat(machine, "v_frexp_mant_f32", 1, values, [](const float *s) {
    int exponent;
    return std::isfinite(s[0]) ? std::frexp(s[0], &exponent) : s[0];
  });
}

TEST(ValuFloat, InputAndOutputModifiers) {
  ValuMachine machine;
  auto run = [&](const char *text, float a, float b) {
    machine.vgpr(1)[0] = bitsOf(a);
    machine.vgpr(2)[0] = bitsOf(b);
    machine.run(text);
    return floatOf(machine.vgpr(0)[0]);
  };
  EXPECT_EQ(run("v_add_f32_e64 v0, -v1, |v2|", 3, -5), 2);
  EXPECT_EQ(run("v_add_f32_e64 v0, -|v1|, v2", -3, 5), 2);
  EXPECT_EQ(run("v_add_f32_e64 v0, v1, v2 clamp", 3, 5), 1);
  EXPECT_EQ(run("v_add_f32_e64 v0, v1, v2 clamp", -3, 1), 0);
  EXPECT_EQ(run("v_add_f32_e64 v0, v1, v2 clamp", 0.25f, 0.5f), 0.75f);
  // omod counts only with flushed output denormals, and not under IEEE.
  EXPECT_EQ(run("v_add_f32_e64 v0, v1, v2 mul:2", 3, 5), 8);
  machine.wave->mode &= ~u32(emu::ModeDenormF32Out);
  EXPECT_EQ(run("v_add_f32_e64 v0, v1, v2 mul:2", 3, 5), 16);
  EXPECT_EQ(run("v_add_f32_e64 v0, v1, v2 mul:4", 3, 5), 32);
  EXPECT_EQ(run("v_add_f32_e64 v0, v1, v2 div:2", 3, 5), 4);
  EXPECT_EQ(run("v_mul_f32_e64 v0, v1, v2 clamp div:2", 3, 0.5f), 0.75f);
  machine.wave->mode |= emu::ModeIeee;
  EXPECT_EQ(run("v_add_f32_e64 v0, v1, v2 mul:2", 3, 5), 8);
  // DX10_CLAMP turns a NaN into 0.
  EXPECT_TRUE(std::isnan(run("v_add_f32_e64 v0, v1, v2 clamp", NAN, 5)));
  machine.wave->mode |= emu::ModeDx10Clamp;
  EXPECT_EQ(bitsOf(run("v_add_f32_e64 v0, v1, v2 clamp", NAN, 5)), 0u);
}

TEST(ValuFloat, DenormalBitsOfMode) {
  const u32 tiny = 0x00012345, least = 0x00800000;
  for (bool in : {false, true})
    for (bool out : {false, true}) {
      ValuMachine machine;
      machine.wave->mode =
          (in ? emu::ModeDenormF32In : 0) | (out ? emu::ModeDenormF32Out : 0);
      machine.vgpr(1)[0] = tiny | 0x80000000;
      machine.vgpr(2)[0] = bitsOf(1.0f);
      machine.run("v_mul_f32 v0, v1, v2");
      EXPECT_EQ(machine.vgpr(0)[0], in && out ? tiny | 0x80000000 : 0x80000000);
      machine.vgpr(1)[0] = tiny;
      machine.vgpr(2)[0] = bitsOf(0x1p60f);
      machine.run("v_mul_f32 v0, v1, v2");
      EXPECT_EQ(machine.vgpr(0)[0], in ? bitsOf(floatOf(tiny) * 0x1p60f) : 0u);
      machine.vgpr(1)[0] = least;
      machine.vgpr(2)[0] = bitsOf(0.5f);
      machine.run("v_mul_f32 v0, v1, v2");
      EXPECT_EQ(machine.vgpr(0)[0], out ? least / 2 : 0u);
      machine.vgpr(0)[0] = tiny;
      machine.vgpr(1)[0] = 0;
      machine.run("v_fmac_f32 v0, v1, v2");
      EXPECT_EQ(machine.vgpr(0)[0], in && out ? tiny : 0u);
      machine.vgpr(1)[0] = tiny;
      machine.run("v_cmp_gt_f32 vcc, v1, v3");
      EXPECT_EQ(machine.pair(ScalarVcc) & 1, u64(in));
      machine.run("v_mov_b32 v0, v1");
      EXPECT_EQ(machine.vgpr(0)[0], tiny) << "moves change nothing";
    }
}

TEST(ValuFloat, RoundingModes) {
  const int host[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  ValuMachine machine;
  auto values = finite(floatSamples(20));
  for (unsigned mode = 0; mode < 4; ++mode) {
    auto rounded = [&](double exact) {
      // No double here is rounded: a product of two f32.
      volatile double operand = exact;
      std::fesetround(host[mode]);
      volatile float result = float(operand);
      std::fesetround(FE_TONEAREST);
      return float(result);
    };
    machine.wave->mode = 0xf0 | mode;
    checkFloat(machine, "v_mul_f32", 2, values, [&](const float *s) {
      return rounded(double(s[0]) * double(s[1]));
    });
    machine.wave->mode = 0xf0 | mode << 2;
    checkFloat(machine, "v_mul_f32", 2, values,
               [&](const float *s) { return s[0] * s[1]; });
    machine.vgpr(1)[0] = bitsOf(1.00048828125f); // halfway between two f16
    machine.run("v_cvt_f16_f32 v0, v1");
    EXPECT_EQ(machine.vgpr(0)[0], mode == 1 ? 0x3c01u : 0x3c00u);
    machine.vgpr(1)[0] = bitsOf(-1.00048828125f);
    machine.run("v_cvt_f16_f32 v0, v1");
    EXPECT_EQ(machine.vgpr(0)[0], mode == 2 ? 0xbc01u : 0xbc00u);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  }
}

//===----------------------------------------------------------------------===//
// Division as LLVM expands it
//===----------------------------------------------------------------------===//

TEST(ValuFloat, DivisionSequenceIsCorrectlyRounded) {
  ValuMachine machine;
  auto values = floatSamples(60);
  for (u32 denominator : values) {
    for (size_t first = 0; first < values.size(); first += 64) {
      size_t count = std::min<size_t>(64, values.size() - first);
      for (size_t l = 0; l < count; ++l) {
        machine.vgpr(1)[l] = values[first + l];
        machine.vgpr(2)[l] = denominator;
      }
      for (const char *text :
           {"v_div_scale_f32 v3, s[4:5], v2, v2, v1",
            "v_div_scale_f32 v4, vcc, v1, v2, v1", "v_rcp_f32 v5, v3",
            "v_fma_f32 v6, -v3, v5, 1.0", "v_fma_f32 v5, v6, v5, v5",
            "v_mul_f32 v6, v4, v5", "v_fma_f32 v7, -v3, v6, v4",
            "v_fma_f32 v6, v7, v5, v6", "v_fma_f32 v3, -v3, v6, v4",
            "v_div_fmas_f32 v3, v3, v5, v6", "v_div_fixup_f32 v0, v3, v2, v1"})
        machine.run(text);
      for (size_t l = 0; l < count; ++l) {
        u32 expected =
            bitsOf(floatOf(values[first + l]) / floatOf(denominator));
        EXPECT_EQ(canonical(machine.vgpr(0)[l]), canonical(expected))
            << std::hex << values[first + l] << " / " << denominator;
      }
    }
  }
}
