//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// f16 arithmetic.

#include "ValuMachine.h"

#include "fly/Numerics/SmallFloat.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>

using namespace fly;
using namespace fly::test;

using u32 = uint32_t;

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
  __int128 exact = integer(a) * integer(b) + integer(c) * (1 << 24);
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

namespace {
float valueOf(u32 code) { return f16ToFloat(uint16_t(code)); }
/// -0 is below +0.
bool isBelow(u32 a, u32 b) {
  float x = valueOf(a), y = valueOf(b);
  return x < y || (x == y && std::signbit(x) && !std::signbit(y));
}
std::vector<u32> numbers(unsigned random) {
  std::vector<u32> list;
  for (u32 code : halfSamples(random))
    if (!std::isnan(valueOf(code)))
      list.push_back(code);
  return list;
}
} // namespace

TEST(ValuHalf, MinimumMaximumMedian) {
  ValuMachine machine;
  auto sorted = [](const u32 *s, unsigned n) {
    std::vector<u32> list(s, s + n);
    std::sort(list.begin(), list.end(), isBelow);
    return list;
  };
  auto check = [&](const char *op, unsigned n, unsigned which) {
    machine.check32(op, n, numbers(n == 2 ? 40 : 4),
                    [&](const u32 *s) { return sorted(s, n)[which]; });
  };
  check("v_min_f16", 2, 0);
  check("v_max_f16", 2, 1);
  check("v_min3_f16", 3, 0);
  check("v_med3_f16", 3, 1);
  check("v_max3_f16", 3, 2);
}

TEST(ValuHalf, PartsOfNumbers) {
  ValuMachine machine;
  std::vector<u32> all;
  for (u32 code = 0; code < 65536; ++code)
    if ((code & 0x7fff) < 0x7c00)
      all.push_back(code);
  machine.check32("v_fract_f16", 1, all, [](const u32 *s) {
    float x = valueOf(s[0]);
    return u32(floatToF16(std::min(x - std::floor(x), 0x1.ffcp-1f)));
  });
  machine.check32("v_frexp_mant_f16", 1, all, [](const u32 *s) {
    int exponent;
    return u32(floatToF16(std::frexp(valueOf(s[0]), &exponent)));
  });
  machine.check32("v_frexp_exp_i16_f16", 1, all, [](const u32 *s) {
    int exponent;
    std::frexp(valueOf(s[0]), &exponent);
    return u32(exponent) & 0xffff;
  });
  machine.check32("v_pack_b32_f16", 2, numbers(40),
                  [](const u32 *s) { return (s[0] & 0xffff) | s[1] << 16; });
}

TEST(ValuHalf, LegacyMultiplyAddAndDivision) {
  ValuMachine machine;
  std::vector<u32> small = {0x3c00, 0xbc00, 0x4200, 0x3800, 0x0000, 0x4880};
  machine.check32("v_mad_legacy_f16", 3, small, [](const u32 *s) {
    return u32(floatToF16(valueOf(s[0]) * valueOf(s[1]) + valueOf(s[2])));
  });
  // The quotient as LLVM makes it: an estimate in f32, then the special cases.
  auto values = halfSamples(20);
  for (u32 n : values)
    for (u32 d : values) {
      float quotient = valueOf(n) / valueOf(d);
      machine.vgpr(1)[0] = floatToF16(quotient);
      machine.vgpr(2)[0] = d;
      machine.vgpr(3)[0] = n;
      machine.run("v_div_fixup_f16 v0, v1, v2, v3");
      u32 actual = machine.vgpr(0)[0];
      if (std::isnan(quotient))
        EXPECT_TRUE(std::isnan(valueOf(actual))) << n << " / " << d;
      else
        EXPECT_EQ(actual, floatToF16(quotient)) << std::hex << n << " / " << d;
    }
}
