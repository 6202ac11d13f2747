//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Transcendental functions of all widths.

#include "ValuMachine.h"

#include "fly/Numerics/SmallFloat.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace fly;
using namespace fly::test;

using u32 = uint32_t;
using u64 = uint64_t;

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

TEST(ValuTranscendental, Accuracy) {
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

TEST(ValuTranscendental, Specials) {
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

// Revolutions: beyond 256 the hardware gives 0 and 1; infinities give NaN.
TEST(ValuTranscendental, SinesOfEverySize) {
  ValuMachine machine;
  const double pi = 3.14159265358979323846;
  for (bool cosine : {false, true}) {
    std::string op = cosine ? "v_cos_f" : "v_sin_f";
    auto exact = [&](double x) {
      if (std::fabs(x) > 256)
        return cosine ? 1.0 : 0.0;
      double turns = x - std::floor(x);
      return cosine ? std::cos(2 * pi * turns) : std::sin(2 * pi * turns);
    };
    auto run = [&](float x) {
      machine.vgpr(1)[0] = bitsOf(x);
      machine.run(op + "32 v0, v1");
      return floatOf(machine.vgpr(0)[0]);
    };
    for (float x : {INFINITY, -INFINITY, NAN})
      EXPECT_TRUE(std::isnan(run(x))) << op << x;
    for (float x : {256.0f, -256.0f, 256.25f, -300.5f, 1e9f, -3e38f, 1e30f})
      EXPECT_EQ(run(x), float(exact(x))) << op << x;
    for (float x = 0x1p-126f; x < 256; x *= 1.37f)
      for (float y : {x, -x}) {
        float nearest = float(exact(y));
        if (std::fabs(nearest) < 0x1p-126f)
          nearest = 0;
        EXPECT_NEAR(run(y), nearest, std::fabs(nearest) * 0x1p-23 + 0x1p-50)
            << op << y;
      }
    for (u32 code = 0; code < 65536; ++code) {
      float x = f16ToFloat(uint16_t(code));
      machine.vgpr(1)[code % 64] = code;
      if (code % 64 != 63)
        continue;
      machine.run(op + "16 v0, v1");
      for (u32 l = 0; l < 64; ++l) {
        x = f16ToFloat(uint16_t(code - 63 + l));
        float actual = f16ToFloat(uint16_t(machine.vgpr(0)[l]));
        if (!std::isfinite(x))
          EXPECT_TRUE(std::isnan(actual)) << op << x;
        else
          EXPECT_NEAR(actual, exact(x), std::fabs(exact(x)) * 0x1p-11 + 0x1p-25)
              << op << x;
      }
    }
  }
}

TEST(ValuTranscendental, OtherNamesOfTheSame) {
  ValuMachine machine;
  const char *const pairs[][2] = {{"v_exp_legacy_f32", "v_exp_f32"},
                                  {"v_log_legacy_f32", "v_log_f32"},
                                  {"v_rcp_iflag_f32", "v_rcp_f32"}};
  auto values = floatSamples(23);
  for (const auto &pair : pairs) {
    std::copy(values.begin(), values.end(), machine.vgpr(1));
    machine.run(std::string(pair[0]) + " v0, v1");
    machine.run(std::string(pair[1]) + " v2, v1");
    for (size_t l = 0; l < values.size(); ++l)
      EXPECT_EQ(machine.vgpr(0)[l], machine.vgpr(2)[l])
          << pair[0] << std::hex << " of " << values[l];
  }
}

// Computed wide enough to be rounded once; zeros and infinity included.
TEST(ValuTranscendental, HalvesOverAllCodes) {
  ValuMachine machine;
  std::vector<u32> all;
  for (u32 code = 0; code <= 0x7c00; ++code)
    all.push_back(code);
  auto check = [&](const char *op, double (*f)(double)) {
    machine.check32(op, 1, all, [&](const u32 *s) {
      return u32(floatToF16(float(f(f16ToFloat(uint16_t(s[0]))))));
    });
  };
  check("v_sqrt_f16", [](double x) { return std::sqrt(x); });
  check("v_rsq_f16", [](double x) { return 1 / std::sqrt(x); });
  check("v_log_f16", [](double x) { return std::log2(x); });
}

TEST(ValuTranscendental, Doubles) {
  ValuMachine machine;
  std::vector<u64> values;
  for (u64 value : doubleSamples(40))
    if (!std::isnan(doubleOf(value)) && !(value >> 63))
      values.push_back(value);
  machine.check64("v_rsq_f64", 1, values, [](const u64 *s) {
    return bits64(1.0 / std::sqrt(doubleOf(s[0])));
  });
  machine.check64("v_rcp_f64", 1, values,
                  [](const u64 *s) { return bits64(1.0 / doubleOf(s[0])); });
}
