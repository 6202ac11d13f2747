//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Numerics/Quantize.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace fly;

TEST(Quantize, CeilToUe8m0AroundEveryPowerOfTwo) {
  for (int exponent = -126; exponent <= 127; ++exponent) {
    float power = std::ldexp(1.0f, exponent);
    EXPECT_EQ(ceilToUe8m0(power), power);
    EXPECT_EQ(ceilToUe8m0(-power), power);
    EXPECT_EQ(ue8m0Code(power), exponent + 127);
    EXPECT_EQ(decodeE8M0(ue8m0Code(power)), power);
    float above = exponent == 127 ? power : 2 * power;
    EXPECT_EQ(ceilToUe8m0(std::nextafter(power, INFINITY)), above);
    EXPECT_EQ(ceilToUe8m0(std::nextafter(power, 0.0f)), power);
  }
  EXPECT_EQ(ceilToUe8m0(448.0f), 512.0f);
  EXPECT_EQ(ceilToUe8m0(1.0000001f), 2.0f);
  for (float tiny : {0.0f, 1e-45f, 1e-38f})
    EXPECT_EQ(ceilToUe8m0(tiny), std::ldexp(1.0f, -126));
  for (float huge : {3e38f, INFINITY, NAN})
    EXPECT_EQ(ceilToUe8m0(huge), std::ldexp(1.0f, 127));
}

static std::vector<float> randomMatrix(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float &value : values)
    value = normal(generator);
  return values;
}

// The rule, element by element, for blocks of blockRows x 128.
static void expectQuantized(const Quantized &q, const std::vector<float> &x,
                            size_t rows, size_t columns, size_t blockRows,
                            bool ue8m0) {
  ASSERT_EQ(q.scaleRows, (rows + blockRows - 1) / blockRows);
  ASSERT_EQ(q.scaleColumns, (columns + 127) / 128);
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c) {
      float amax = 1e-4f;
      for (size_t i = r / blockRows * blockRows;
           i < std::min(rows, (r / blockRows + 1) * blockRows); ++i)
        for (size_t j = c / 128 * 128;
             j < std::min(columns, (c / 128 + 1) * 128); ++j)
          amax = std::max(amax, std::fabs(x[i * columns + j]));
      float scale = amax / 448.0f;
      if (ue8m0)
        scale = std::exp2(std::ceil(std::log2(double(scale))));
      ASSERT_EQ(q.scales[r / blockRows * q.scaleColumns + c / 128], scale);
      ASSERT_EQ(q.codes[r * columns + c],
                encode(FloatKind::E4M3FN, x[r * columns + c] * (1.0f / scale)));
    }
}

TEST(Quantize, FollowsTheRulePerTokenAndPerBlock) {
  size_t rows = 130, columns = 200;
  auto x = randomMatrix(rows * columns, 1);
  for (bool ue8m0 : {false, true}) {
    QuantizeOptions options;
    options.ue8m0 = ue8m0;
    expectQuantized(quantizePerToken(x, rows, columns, options), x, rows,
                    columns, 1, ue8m0);
    expectQuantized(quantizePerBlock(x, rows, columns, options), x, rows,
                    columns, 128, ue8m0);
  }
}

TEST(Quantize, ZeroRowsGetTheSmallestScale) {
  std::vector<float> zeros(256, 0.0f);
  QuantizeOptions options;
  Quantized plain = quantizePerToken(zeros, 2, 128, options);
  EXPECT_EQ(plain.scales[1], 1e-4f / 448.0f);
  options.ue8m0 = true;
  Quantized power = quantizePerToken(zeros, 2, 128, options);
  EXPECT_EQ(ue8m0Code(power.scales[0]), 105);
  EXPECT_EQ(power.codes, std::vector<uint8_t>(256, 0));
}

TEST(Quantize, NanPoisonsItsBlock) {
  std::vector<float> x(256, 1.0f);
  x[3] = NAN;
  Quantized q = quantizePerToken(x, 1, 256);
  EXPECT_TRUE(std::isnan(q.scales[0]));
  EXPECT_EQ(q.codes[0], 0x7f);
  EXPECT_EQ(q.scales[1], 1.0f / 448.0f);
}

TEST(Quantize, ErrorOfTheProductIsTheExpectedOne) {
  auto x = randomMatrix(256 * 2048, 2);
  Quantized q = quantizePerToken(x, 256, 2048);
  std::vector<float> back(x.size());
  for (size_t i = 0; i < x.size(); ++i)
    back[i] = decode(FloatKind::E4M3FN, q.codes[i]) *
              q.scales[i / 2048 * q.scaleColumns + i % 2048 / 128];
  double diff = calcDiff(x, back);
  EXPECT_GT(diff, 2e-4);
  EXPECT_LT(diff, 5e-4);
}

TEST(CalcDiff, Cases) {
  EXPECT_EQ(calcDiff({0, 0}, {0, 0}), 0.0);
  EXPECT_EQ(calcDiff({1, 2}, {1, 2}), 0.0);
  EXPECT_EQ(calcDiff({1, 0}, {0, 1}), 1.0);
  EXPECT_EQ(calcDiff({1, 1}, {-1, -1}), 2.0);
  EXPECT_TRUE(std::isnan(calcDiff({NAN}, {1})));
}
