//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Every conversion is checked over all codes against the definition of the
// format written down here a second time, and rounding against a search for the
// nearest code.

#include "fly/Numerics/SmallFloat.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace fly;

namespace {

struct Definition {
  FloatKind kind;
  int bits, exponent, mantissa, bias;
  double largest;
  bool hasNaN, hasInfinity, fnuz;
};

const Definition definitions[] = {
    {FloatKind::E4M3FN, 8, 4, 3, 7, 448, true, false, false},
    {FloatKind::E5M2, 8, 5, 2, 15, 57344, true, true, false},
    {FloatKind::E4M3FNUZ, 8, 4, 3, 8, 240, true, false, true},
    {FloatKind::E5M2FNUZ, 8, 5, 2, 16, 57344, true, false, true},
    {FloatKind::E2M3, 6, 2, 3, 1, 7.5, false, false, false},
    {FloatKind::E3M2, 6, 3, 2, 3, 28, false, false, false},
    {FloatKind::E2M1, 4, 2, 1, 1, 6, false, false, false},
};

const double infinity = std::numeric_limits<double>::infinity();

double valueOf(const Definition &d, unsigned code) {
  unsigned sign = code >> (d.bits - 1);
  unsigned exponent = (code >> d.mantissa) & ((1u << d.exponent) - 1);
  unsigned mantissa = code & ((1u << d.mantissa) - 1);
  if (d.fnuz && code == 0x80)
    return NAN;
  if (d.kind == FloatKind::E4M3FN && (code & 0x7f) == 0x7f)
    return NAN;
  if (d.kind == FloatKind::E5M2 && exponent == 31)
    return mantissa ? NAN : (sign ? -infinity : infinity);
  double fraction = double(mantissa) / (1 << d.mantissa);
  double value = exponent ? std::ldexp(1 + fraction, int(exponent) - d.bias)
                          : std::ldexp(fraction, 1 - d.bias);
  return sign ? -value : value;
}

/// All finite values >= 0 in ascending order with their codes.
std::vector<std::pair<double, unsigned>> ascending(const Definition &d) {
  std::vector<std::pair<double, unsigned>> result;
  for (unsigned code = 0; code < (1u << (d.bits - 1)); ++code) {
    double value = valueOf(d, code);
    if (std::isfinite(value))
      result.push_back({value, code});
  }
  for (size_t i = 1; i < result.size(); ++i)
    EXPECT_LT(result[i - 1].first, result[i].first);
  return result;
}

unsigned expectBeyond(const Definition &d, bool negative, bool saturate) {
  unsigned sign = negative ? 1u << (d.bits - 1) : 0;
  unsigned top = ascending(d).back().second;
  if (saturate || !d.hasNaN)
    return sign | top;
  if (d.fnuz)
    return 0x80;
  return sign | (d.hasInfinity ? 0x7c : 0x7f);
}

/// Nearest by search. The value at which overflow begins lies half a step
/// above the largest; at exactly half, the even of the two neighbours wins, and
/// the one above the largest would have the next code.
unsigned expectNearest(const Definition &d, double x, bool saturate) {
  auto values = ascending(d);
  double magnitude = std::fabs(x);
  unsigned sign = std::signbit(x) ? 1u << (d.bits - 1) : 0;
  double step = values.back().first - values[values.size() - 2].first;
  double limit = values.back().first + step / 2;
  bool topIsEven = values.back().second % 2 == 0;
  if (magnitude > limit || (magnitude == limit && !topIsEven))
    return expectBeyond(d, sign, saturate);
  unsigned best = 0;
  double bestDistance = infinity;
  for (auto &[value, code] : values) {
    double distance = std::fabs(value - magnitude);
    if (distance < bestDistance ||
        (distance == bestDistance && code % 2 == 0)) {
      best = code;
      bestDistance = distance;
    }
  }
  if (best == 0 && d.fnuz)
    return 0;
  return sign | best;
}

/// Values around every code and every midpoint, and the ends of f32.
std::vector<float> probes(const Definition &d) {
  std::vector<float> result = {0.0f, 1e-45f, 1e-38f, 3e38f, 1e-9f, 65536.0f};
  auto values = ascending(d);
  values.push_back({values.back().first * 2, 0});
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    double low = values[i].first, high = values[i + 1].first;
    for (double x : {low, (low + high) / 2, low + (high - low) / 4, high})
      for (float towards : {-INFINITY, INFINITY}) {
        result.push_back(float(x));
        result.push_back(std::nextafter(float(x), towards));
      }
  }
  size_t count = result.size();
  for (size_t i = 0; i < count; ++i)
    result.push_back(-result[i]);
  return result;
}

class SmallFloat : public testing::TestWithParam<Definition> {};

} // namespace

TEST_P(SmallFloat, DecodesEveryCode) {
  const Definition &d = GetParam();
  EXPECT_EQ(getFormat(d.kind).bits, unsigned(d.bits));
  EXPECT_EQ(decode(d.kind, getFormat(d.kind).maxCode), d.largest);
  for (unsigned code = 0; code < 256; ++code) {
    double expected = valueOf(d, code & ((1u << d.bits) - 1));
    float actual = decode(d.kind, uint8_t(code));
    EXPECT_EQ(floatBits(actual), floatBits(decodeTable(d.kind)[code]));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(actual)) << code;
    } else {
      EXPECT_EQ(expected, actual) << code;
      EXPECT_EQ(std::signbit(expected), std::signbit(actual)) << code;
    }
  }
}

TEST_P(SmallFloat, EveryFiniteCodeSurvives) {
  const Definition &d = GetParam();
  for (unsigned code = 0; code < (1u << d.bits); ++code) {
    double value = valueOf(d, code);
    if (!std::isfinite(value))
      continue;
    EXPECT_EQ(encode(d.kind, float(value)), code);
    for (uint32_t random : {0u, 1u, 0x7fffffffu, 0xffffffffu})
      EXPECT_EQ(encodeStochastic(d.kind, float(value), random), code);
  }
}

TEST_P(SmallFloat, EncodesToTheNearest) {
  const Definition &d = GetParam();
  for (float x : probes(d)) {
    EXPECT_EQ(encode(d.kind, x, Overflow::Special), expectNearest(d, x, false))
        << std::hexfloat << x;
    EXPECT_EQ(encode(d.kind, x, Overflow::Saturate), expectNearest(d, x, true))
        << std::hexfloat << x;
  }
}

TEST_P(SmallFloat, EncodesSpecials) {
  const Definition &d = GetParam();
  for (bool negative : {false, true}) {
    float inf = negative ? -INFINITY : INFINITY;
    EXPECT_EQ(encode(d.kind, inf, Overflow::Special),
              expectBeyond(d, negative, false));
    EXPECT_EQ(encode(d.kind, inf, Overflow::Saturate),
              expectBeyond(d, negative, true));
    for (Overflow overflow : {Overflow::Special, Overflow::Saturate}) {
      uint8_t code = encode(d.kind, std::copysign(NAN, inf), overflow);
      if (d.hasNaN)
        EXPECT_TRUE(std::isnan(decode(d.kind, code)));
      else
        EXPECT_EQ(code, expectBeyond(d, negative, true));
    }
  }
}

TEST_P(SmallFloat, StochasticRoundingHasTheRightThreshold) {
  const Definition &d = GetParam();
  auto values = ascending(d);
  for (size_t i = 0; i + 1 < values.size(); ++i)
    for (int eighth = 1; eighth < 8; ++eighth) {
      double low = values[i].first, step = values[i + 1].first - low;
      float x = float(low + step * eighth / 8);
      // Rounds up exactly when random / 2^32 >= 1 - eighth / 8.
      uint32_t threshold = uint32_t((8 - eighth) * (uint64_t(1) << 29));
      EXPECT_EQ(encodeStochastic(d.kind, x, threshold - 1), values[i].second);
      EXPECT_EQ(encodeStochastic(d.kind, x, threshold), values[i + 1].second);
      EXPECT_EQ(encodeStochastic(d.kind, x, 0), values[i].second);
    }
}

INSTANTIATE_TEST_SUITE_P(All, SmallFloat, testing::ValuesIn(definitions),
                         [](const auto &info) {
                           return getFormat(info.param.kind).name;
                         });

TEST(E8M0, DecodesEveryCode) {
  for (int code = 0; code < 255; ++code)
    EXPECT_EQ(double(decodeE8M0(uint8_t(code))), std::pow(2.0, code - 127));
  EXPECT_TRUE(std::isnan(decodeE8M0(255)));
}

TEST(Bf16, EveryCodeSurvivesAndTiesGoToEven) {
  for (unsigned code = 0; code < 65536; ++code) {
    float value = bf16ToFloat(uint16_t(code));
    if (std::isnan(value)) {
      EXPECT_EQ(floatToBf16(value), code | 0x40);
      continue;
    }
    EXPECT_EQ(floatToBf16(value), code);
    if ((code & 0x7fff) >= 0x7f80)
      continue;
    uint32_t bits = uint32_t(code) << 16;
    EXPECT_EQ(floatToBf16(floatFromBits(bits + 0x7fff)), code);
    EXPECT_EQ(floatToBf16(floatFromBits(bits + 0x8000)), code + (code & 1));
    EXPECT_EQ(floatToBf16(floatFromBits(bits + 0x8001)), code + 1);
  }
}

static double f16Value(unsigned code) {
  int exponent = (code >> 10) & 31;
  double fraction = (code & 0x3ff) / 1024.0;
  double value = exponent ? std::ldexp(1 + fraction, exponent - 15)
                          : std::ldexp(fraction, -14);
  return code & 0x8000 ? -value : value;
}

TEST(F16, EveryCodeSurvivesAndTiesGoToEven) {
  for (unsigned code = 0; code < 65536; ++code) {
    float value = f16ToFloat(uint16_t(code));
    unsigned magnitude = code & 0x7fff;
    if (magnitude > 0x7c00) {
      EXPECT_TRUE(std::isnan(value));
      EXPECT_EQ(floatToF16(value), code | 0x200);
      continue;
    }
    EXPECT_EQ(floatToF16(value), code);
    if (magnitude == 0x7c00) {
      EXPECT_TRUE(std::isinf(value));
      continue;
    }
    ASSERT_EQ(double(value), f16Value(code));
    // The next code's value; that after the largest is 65536.
    double next = magnitude == 0x7bff ? (code & 0x8000 ? -65536.0 : 65536.0)
                                      : f16Value(code + 1);
    float middle = float((f16Value(code) + next) / 2);
    float away = code & 0x8000 ? -INFINITY : INFINITY;
    EXPECT_EQ(floatToF16(middle), code + (code & 1));
    EXPECT_EQ(floatToF16(std::nextafter(middle, away)), code + 1);
    EXPECT_EQ(floatToF16(std::nextafter(middle, -away)), code);
  }
  EXPECT_EQ(floatToF16(1e-45f), 0);
  EXPECT_EQ(floatToF16(-1e-30f), 0x8000);
  EXPECT_EQ(floatToF16(3e38f), 0x7c00);
}
