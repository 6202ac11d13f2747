//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// f32, f64 and f16 arithmetic, modifiers, MODE, transcendental functions and
// division.

#include "ValuMachine.h"

#include "fly/Numerics/SmallFloat.h"

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

TEST(ValuFloat, DoublePrecision) {
  ValuMachine machine;
  std::vector<u64> values;
  for (u64 value : doubleSamples(10))
    if (std::isfinite(doubleOf(value)))
      values.push_back(value);
  machine.check64("v_add_f64", 2, values, [](const u64 *s) {
    return bits64(doubleOf(s[0]) + doubleOf(s[1]));
  });
  machine.check64("v_mul_f64", 2, values, [](const u64 *s) {
    return bits64(doubleOf(s[0]) * doubleOf(s[1]));
  });
  machine.check64("v_max_f64", 2, values, [](const u64 *s) {
    double a = doubleOf(s[0]), b = doubleOf(s[1]);
    return a == b ? (std::signbit(a) ? s[1] : s[0]) : bits64(std::max(a, b));
  });
  machine.check64("v_min_f64", 2, values, [](const u64 *s) {
    double a = doubleOf(s[0]), b = doubleOf(s[1]);
    return a == b ? (std::signbit(a) ? s[0] : s[1]) : bits64(std::min(a, b));
  });
  machine.check64(
      "v_fma_f64", 3, {values.begin(), values.begin() + 10}, [](const u64 *s) {
        return bits64(std::fma(doubleOf(s[0]), doubleOf(s[1]), doubleOf(s[2])));
      });
  machine.check64("v_floor_f64", 1, values, [](const u64 *s) {
    return bits64(std::floor(doubleOf(s[0])));
  });
  machine.check64("v_rndne_f64", 1, values, [](const u64 *s) {
    return bits64(std::nearbyint(doubleOf(s[0])));
  });
  machine.check64(
      "v_sqrt_f64", 1, {bits64(2), bits64(0), bits64(0x1p-1060)},
      [](const u64 *s) { return bits64(std::sqrt(doubleOf(s[0]))); });
  machine.check64("v_frexp_mant_f64", 1, values, [](const u64 *s) {
    int exponent;
    return bits64(std::frexp(doubleOf(s[0]), &exponent));
  });
  for (int n : {0, 5, -5, 1023, -1022, -1074, 2098, -2098, 100000})
    for (u64 value : values) {
      machine.vgpr(2)[0] = u32(value);
      machine.vgpr(3)[0] = u32(value >> 32);
      machine.vgpr(4)[0] = u32(n);
      machine.run("v_ldexp_f64 v[0:1], v[2:3], v4");
      EXPECT_EQ(machine.vgpr(0)[0] | u64(machine.vgpr(1)[0]) << 32,
                bits64(std::ldexp(doubleOf(value), n)))
          << n << " " << std::hex << value;
      int exponent;
      std::frexp(doubleOf(value), &exponent);
      machine.run("v_frexp_exp_i32_f64 v0, v[2:3]");
      EXPECT_EQ(int(machine.vgpr(0)[0]), exponent);
    }
}

TEST(ValuFloat, DoubleModifiers) {
  ValuMachine machine;
  auto set = [&](unsigned row, double value) {
    machine.vgpr(row)[0] = u32(bits64(value));
    machine.vgpr(row + 1)[0] = u32(bits64(value) >> 32);
  };
  set(2, 3.0);
  set(4, -5.0);
  machine.run("v_add_f64 v[0:1], -v[2:3], |v[4:5]|");
  EXPECT_EQ(machine.vgpr(1)[0], u32(bits64(2.0) >> 32));
  machine.run("v_add_f64 v[0:1], v[2:3], |v[4:5]| clamp");
  EXPECT_EQ(machine.vgpr(1)[0], u32(bits64(1.0) >> 32));
  machine.wave->mode &= ~u32(emu::ModeDenormF64F16In);
  set(2, 0x1p-1060);
  set(4, 0x1p100);
  machine.run("v_mul_f64 v[0:1], v[2:3], v[4:5]");
  EXPECT_EQ(machine.vgpr(0)[0] | machine.vgpr(1)[0], 0u);
}

//===----------------------------------------------------------------------===//
// Transcendental functions
//===----------------------------------------------------------------------===//

/// Whether \p actual is the nearest f32 to \p exact or its neighbour, and how
/// often it is not the nearest.
static void expectClose(ValuMachine &machine, const char *op,
                        const std::function<double(double)> &f, float low,
                        float high) {
  unsigned notNearest = 0, count = 0;
  for (unsigned block = 0; block < 64; ++block) {
    for (unsigned l = 0; l < 64; ++l)
      machine.vgpr(1)[l] =
          bitsOf(low + (high - low) * float(block * 64 + l) / 4096);
    machine.run(std::string(op) + " v0, v1");
    for (unsigned l = 0; l < 64; ++l) {
      double exact = f(floatOf(machine.vgpr(1)[l]));
      float nearest = float(exact), actual = floatOf(machine.vgpr(0)[l]);
      if (std::fabs(nearest) < 0x1p-126f)
        nearest = std::copysign(0.0f, nearest);
      ++count;
      notNearest += bitsOf(nearest) != bitsOf(actual);
      ASSERT_LE(std::abs(int64_t(bitsOf(nearest)) - int64_t(bitsOf(actual))), 1)
          << op << " of " << floatOf(machine.vgpr(1)[l]);
    }
  }
  EXPECT_LT(notNearest, count / 500) << op;
}

TEST(ValuFloat, TranscendentalAccuracy) {
  ValuMachine machine;
  const double pi = 3.14159265358979323846;
  expectClose(
      machine, "v_exp_f32", [](double x) { return std::exp2(x); }, -150, 130);
  expectClose(
      machine, "v_exp_f32", [](double x) { return std::exp2(x); }, -1, 1);
  expectClose(
      machine, "v_log_f32", [](double x) { return std::log2(x); }, 0.5f, 2);
  expectClose(
      machine, "v_log_f32", [](double x) { return std::log2(x); }, 1e-30f,
      1e30f);
  expectClose(machine, "v_rcp_f32", [](double x) { return 1 / x; }, 0.1f, 3e8f);
  expectClose(
      machine, "v_rsq_f32", [](double x) { return 1 / std::sqrt(x); }, 1e-3f,
      1e6f);
  expectClose(
      machine, "v_sqrt_f32", [](double x) { return std::sqrt(x); }, 0, 1e6f);
  expectClose(
      machine, "v_sin_f32", [&](double x) { return std::sin(2 * pi * x); },
      0.01f, 0.49f);
  expectClose(
      machine, "v_cos_f32", [&](double x) { return std::cos(2 * pi * x); },
      -0.24f, 0.24f);
}

TEST(ValuFloat, TranscendentalSpecials) {
  ValuMachine machine;
  const float inf = INFINITY;
  auto run = [&](const char *op, float x) {
    machine.vgpr(1)[0] = bitsOf(x);
    machine.run(std::string(op) + " v0, v1");
    return floatOf(machine.vgpr(0)[0]);
  };
  EXPECT_EQ(run("v_exp_f32", inf), inf);
  EXPECT_EQ(run("v_exp_f32", -inf), 0);
  EXPECT_EQ(run("v_exp_f32", 0), 1);
  EXPECT_EQ(run("v_exp_f32", -126), 0x1p-126f);
  EXPECT_EQ(run("v_exp_f32", -127), 0) << "no denormal results";
  EXPECT_EQ(run("v_log_f32", 0), -inf);
  EXPECT_EQ(run("v_log_f32", 0x1p-130f), -inf) << "no denormal inputs";
  EXPECT_EQ(run("v_log_f32", inf), inf);
  EXPECT_EQ(run("v_log_f32", 8), 3);
  EXPECT_TRUE(std::isnan(run("v_log_f32", -1)));
  EXPECT_EQ(run("v_rcp_f32", 0), inf);
  EXPECT_EQ(run("v_rcp_f32", -0.0f), -inf);
  EXPECT_EQ(run("v_rcp_f32", inf), 0);
  EXPECT_EQ(run("v_rcp_f32", 0x1.8p127f), 0);
  EXPECT_EQ(run("v_rsq_f32", 0), inf);
  EXPECT_TRUE(std::isnan(run("v_sqrt_f32", -1)));
  EXPECT_EQ(run("v_sin_f32", 0.25f), 1);
  EXPECT_EQ(run("v_sin_f32", 1000), 0);
  EXPECT_EQ(run("v_cos_f32", 0.5f), -1);
  EXPECT_TRUE(std::isnan(run("v_cos_f32", inf)));
  for (const char *op : {"v_exp_f32", "v_log_f32", "v_rcp_f32", "v_sin_f32"})
    EXPECT_TRUE(std::isnan(run(op, NAN))) << op;
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

TEST(ValuFloat, DoubleDivisionSequence) {
  ValuMachine machine;
  std::vector<u64> values;
  for (u64 value : doubleSamples(20))
    if (!(value >> 52 & 2047) == false)
      values.push_back(value);
  for (u64 n : values)
    for (u64 d : values) {
      double expected = doubleOf(n) / doubleOf(d);
      machine.vgpr(2)[0] = u32(n);
      machine.vgpr(3)[0] = u32(n >> 32);
      machine.vgpr(4)[0] = u32(d);
      machine.vgpr(5)[0] = u32(d >> 32);
      for (const char *text :
           {"v_div_scale_f64 v[6:7], s[4:5], v[4:5], v[4:5], v[2:3]",
            "v_rcp_f64 v[8:9], v[6:7]",
            "v_fma_f64 v[10:11], -v[6:7], v[8:9], 1.0",
            "v_fma_f64 v[8:9], v[8:9], v[10:11], v[8:9]",
            "v_div_scale_f64 v[12:13], vcc, v[2:3], v[4:5], v[2:3]",
            "v_mul_f64 v[10:11], v[12:13], v[8:9]",
            "v_fma_f64 v[6:7], -v[6:7], v[10:11], v[12:13]",
            "v_div_fmas_f64 v[6:7], v[6:7], v[8:9], v[10:11]",
            "v_div_fixup_f64 v[0:1], v[6:7], v[4:5], v[2:3]"})
        machine.run(text);
      u64 actual = machine.vgpr(0)[0] | u64(machine.vgpr(1)[0]) << 32;
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(doubleOf(actual)));
      else
        EXPECT_EQ(actual, bits64(expected)) << std::hex << n << " / " << d;
    }
}

//===----------------------------------------------------------------------===//
// f16
//===----------------------------------------------------------------------===//

TEST(ValuHalf, Arithmetic) {
  ValuMachine machine;
  auto values = halfSamples(60);
  std::vector<u32> finite;
  for (u32 value : values)
    if ((value & 0x7c00) != 0x7c00)
      finite.push_back(value | 0xabcd0000); // the upper half does not count
  auto value = [](u32 code) { return double(f16ToFloat(uint16_t(code))); };
  // The exact result is a double; rounding it by way of f32 is harmless where
  // f32 holds it.
  machine.check32("v_add_f16", 2, finite, [&](const u32 *s) {
    return u32(floatToF16(float(value(s[0]) + value(s[1]))));
  });
  machine.check32("v_mul_f16", 2, finite, [&](const u32 *s) {
    return u32(floatToF16(float(value(s[0]) * value(s[1]))));
  });
  machine.check32("v_subrev_f16", 2, finite, [&](const u32 *s) {
    return u32(floatToF16(float(value(s[1]) - value(s[0]))));
  });
}

/// a b + c in units of 2^-48, rounded to the nearest f16 by comparing with the
/// neighbours of an estimate.
static u32 fusedHalf(u32 a, u32 b, u32 c) {
  auto integer = [](u32 code) {
    return __int128(std::ldexp(double(f16ToFloat(uint16_t(code))), 24));
  };
  __int128 exact = integer(a) * integer(b) + (integer(c) << 24);
  __int128 magnitude = exact < 0 ? -exact : exact;
  u32 best = 0;
  __int128 bestDistance = -1;
  // 65536 stands for the code after the largest.
  for (u32 code = 0; code <= 0x7c00; ++code) {
    __int128 at = code == 0x7c00 ? __int128(1) << 64 : integer(code) << 24;
    __int128 distance = at > magnitude ? at - magnitude : magnitude - at;
    if (bestDistance < 0 || distance < bestDistance ||
        (distance == bestDistance && code % 2 == 0)) {
      best = code;
      bestDistance = distance;
    }
  }
  return best | (exact < 0 ? 0x8000 : 0);
}

TEST(ValuHalf, FusedMultiplyAddRoundsOnce) {
  ValuMachine machine;
  const u32 cases[][3] = {{0x3c01, 0x3c01, 0x0001}, {0x3c01, 0x3c01, 0x8001},
                          {0x6801, 0x5801, 0x0001}, {0x7bff, 0x7bff, 0xfbff},
                          {0x3801, 0x3c03, 0x3555}, {0x0001, 0x0001, 0x3c00},
                          {0x0001, 0x8001, 0x3c01}, {0x4200, 0x3555, 0xbc00},
                          {0x03ff, 0x3bff, 0x0001}, {0x1401, 0x1401, 0x0400}};
  for (const auto &s : cases) {
    for (unsigned i = 0; i < 3; ++i)
      machine.vgpr(1 + i)[0] = s[i];
    machine.vgpr(0)[0] = 0x55550000;
    machine.run("v_fma_f16 v0, v1, v2, v3");
    EXPECT_EQ(machine.vgpr(0)[0], 0x55550000 | fusedHalf(s[0], s[1], s[2]))
        << std::hex << s[0] << " " << s[1] << " " << s[2];
  }
}

TEST(ValuHalf, OpSelPicksHalvesAndKeepsTheOther) {
  ValuMachine machine;
  machine.vgpr(0)[0] = 0x11112222;
  machine.vgpr(1)[0] = 0x40003c00; // 2, 1
  machine.vgpr(2)[0] = 0x42004400; // 3, 4
  machine.vgpr(3)[0] = 0x45004600; // 5, 6
  machine.run("v_fma_f16 v0, v1, v2, v3 op_sel:[1,0,1,1]");
  EXPECT_EQ(machine.vgpr(0)[0], 0x4a802222u); // 2 * 4 + 5 = 13
  machine.run("v_fma_f16 v0, v1, v2, -v3 op_sel:[0,1,0,0]");
  EXPECT_EQ(machine.vgpr(0)[0], 0x4a80c200u); // 1 * 3 - 6 = -3
  machine.run("v_mad_u16 v0, v1, v2, v3 op_sel:[1,1,1,1]");
  EXPECT_EQ(machine.vgpr(0)[0] >> 16, (0x4000u * 0x4200 + 0x4500) & 0xffff);
  machine.run("v_add_f16 v0, v1, v2");
  EXPECT_EQ(machine.vgpr(0)[0], 0x4500u) << "clears the upper half";
}

TEST(ValuHalf, UnaryOverAllCodes) {
  ValuMachine machine;
  std::vector<u32> all;
  for (u32 code = 0; code < 65536; ++code)
    if ((code & 0x7fff) < 0x7c00)
      all.push_back(code);
  auto check = [&](const char *op, float (*f)(float)) {
    machine.check32(op, 1, all, [&](const u32 *s) {
      return u32(floatToF16(f(f16ToFloat(uint16_t(s[0])))));
    });
  };
  check("v_trunc_f16", [](float x) { return std::trunc(x); });
  check("v_floor_f16", [](float x) { return std::floor(x); });
  check("v_ceil_f16", [](float x) { return std::ceil(x); });
  check("v_rndne_f16", [](float x) { return std::nearbyint(x); });
  check("v_rcp_f16", [](float x) { return 1.0f / x; });
}
