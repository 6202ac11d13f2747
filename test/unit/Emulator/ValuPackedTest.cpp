//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Packed, mixed-precision and dot instructions.

#include "ValuMachine.h"

#include "fly/Numerics/SmallFloat.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>

using namespace fly;
using namespace fly::test;

using u32 = uint32_t;
using i64 = int64_t;

namespace {

float half(u32 code) { return f16ToFloat(uint16_t(code)); }
u32 pack(float low, float high) {
  return floatToF16(low) | u32(floatToF16(high)) << 16;
}
int s16(u32 code) { return int16_t(code); }

std::vector<u32> pairSamples() {
  std::vector<u32> values;
  auto halves = halfSamples(8);
  for (size_t i = 0; i < halves.size(); ++i)
    if ((halves[i] & 0x7c00) != 0x7c00)
      values.push_back(halves[i] | (halves[(i * 7 + 3) % 11] & 0x3fff) << 16);
  return values;
}

} // namespace

TEST(ValuPacked, HalfFloats) {
  ValuMachine machine;
  auto values = pairSamples();
  machine.check32("v_pk_add_f16", 2, values, [](const u32 *s) {
    return pack(half(s[0]) + half(s[1]), half(s[0] >> 16) + half(s[1] >> 16));
  });
  machine.check32("v_pk_mul_f16", 2, values, [](const u32 *s) {
    return pack(half(s[0]) * half(s[1]), half(s[0] >> 16) * half(s[1] >> 16));
  });
  // Values whose products and sums are exact in f32.
  std::vector<u32> small = {pack(1.5f, -2), pack(0.25f, 100), pack(-7, 0.125f)};
  machine.check32("v_pk_fma_f16", 3, small, [](const u32 *s) {
    return pack(half(s[0]) * half(s[1]) + half(s[2]),
                half(s[0] >> 16) * half(s[1] >> 16) + half(s[2] >> 16));
  });
  machine.check32(
      "v_pk_add_f16", 2, small,
      [](const u32 *s) {
        return pack(-half(s[0] >> 16) + half(s[1]), half(s[0]) - half(s[1]));
      },
      " op_sel:[1,0] op_sel_hi:[0,0] neg_lo:[1,0] neg_hi:[0,1]");
  machine.check32(
      "v_pk_add_f16", 2, small,
      [](const u32 *s) {
        auto clamp = [](float x) { return std::clamp(x, 0.0f, 1.0f); };
        return pack(clamp(half(s[0]) + half(s[1])),
                    clamp(half(s[0] >> 16) + half(s[1] >> 16)));
      },
      " clamp");
  machine.check32("v_pk_maximum3_f16", 3, small, [](const u32 *s) {
    return pack(
        std::max({half(s[0]), half(s[1]), half(s[2])}),
        std::max({half(s[0] >> 16), half(s[1] >> 16), half(s[2] >> 16)}));
  });
  machine.check32("v_pk_minimum3_f16", 3, {pack(1, 2), pack(NAN, 3)},
                  [](const u32 *s) {
                    bool nan = false;
                    for (int i = 0; i < 3; ++i)
                      nan |= std::isnan(half(s[i]));
                    float high = 3;
                    for (int i = 0; i < 3; ++i)
                      high = std::min(high, half(s[i] >> 16));
                    return pack(nan ? NAN : 1, high);
                  });
}

TEST(ValuPacked, Integers) {
  ValuMachine machine;
  auto values = intSamples(10);
  auto both = [](auto f) {
    return [f](const u32 *s) {
      return (f(s[0] & 0xffff, s[1] & 0xffff) & 0xffff) |
             f(s[0] >> 16, s[1] >> 16) << 16;
    };
  };
  machine.check32("v_pk_add_u16", 2, values,
                  both([](u32 a, u32 b) { return a + b; }));
  machine.check32("v_pk_sub_i16", 2, values,
                  both([](u32 a, u32 b) { return a - b; }));
  machine.check32("v_pk_mul_lo_u16", 2, values,
                  both([](u32 a, u32 b) { return a * b; }));
  machine.check32("v_pk_lshlrev_b16", 2, values,
                  both([](u32 a, u32 b) { return b << a % 16; }));
  machine.check32("v_pk_lshrrev_b16", 2, values,
                  both([](u32 a, u32 b) { return b >> a % 16; }));
  machine.check32("v_pk_ashrrev_i16", 2, values,
                  both([](u32 a, u32 b) { return u32(s16(b) >> a % 16); }));
  machine.check32("v_pk_max_i16", 2, values, both([](u32 a, u32 b) {
                    return u32(std::max(s16(a), s16(b)));
                  }));
  machine.check32("v_pk_min_u16", 2, values,
                  both([](u32 a, u32 b) { return std::min(a, b); }));
  machine.check32("v_pk_add_i16", 2, values, both([](u32 a, u32 b) {
                    return u32(std::clamp(s16(a) + s16(b), -32768, 32767));
                  }),
                  " clamp");
  machine.check32("v_pk_sub_u16", 2, values,
                  both([](u32 a, u32 b) { return a > b ? a - b : 0; }),
                  " clamp");
}

TEST(ValuPacked, PairsOfFloats) {
  ValuMachine machine;
  auto set = [&](unsigned row, float low, float high) {
    machine.vgpr(row)[0] = bitsOf(low);
    machine.vgpr(row + 1)[0] = bitsOf(high);
  };
  auto expect = [&](const char *text, float low, float high) {
    machine.run(text);
    EXPECT_EQ(floatOf(machine.vgpr(0)[0]), low) << text;
    EXPECT_EQ(floatOf(machine.vgpr(1)[0]), high) << text;
  };
  set(2, 2, 3);
  set(4, 10, 100);
  set(6, 0.5f, 0.25f);
  expect("v_pk_add_f32 v[0:1], v[2:3], v[4:5]", 12, 103);
  expect("v_pk_mul_f32 v[0:1], v[2:3], v[4:5] op_sel:[1,0] op_sel_hi:[0,1]", 30,
         200);
  expect("v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] neg_lo:[1,0,0] "
         "neg_hi:[0,0,1]",
         -19.5f, 299.75f);
  expect("v_pk_mul_f32 v[0:1], v[2:3], v[6:7] clamp", 1, 0.75f);
  machine.sgpr(4) = bitsOf(7);
  machine.sgpr(5) = bitsOf(8);
  expect("v_pk_mul_f32 v[0:1], v[2:3], s[4:5]", 14, 24);
  expect("v_pk_mul_f32 v[0:1], v[2:3], s[4:5] op_sel_hi:[1,0]", 14, 21);
  // In place, with halves exchanged.
  set(0, 2, 3);
  expect("v_pk_mul_f32 v[0:1], v[0:1], v[0:1] op_sel:[1,0] op_sel_hi:[0,1]", 6,
         6);
}

TEST(ValuPacked, MovPicksOneDwordOfEachSource) {
  ValuMachine machine;
  for (unsigned row = 0; row < 6; ++row)
    machine.vgpr(row)[0] = row;
  auto expect = [&](const char *modifiers, u32 low, u32 high) {
    machine.run(std::string("v_pk_mov_b32 v[0:1], v[2:3], v[4:5]") + modifiers);
    EXPECT_EQ(machine.vgpr(0)[0], low) << modifiers;
    EXPECT_EQ(machine.vgpr(1)[0], high) << modifiers;
  };
  expect("", 2, 4);
  expect(" op_sel:[1,0]", 3, 4);
  expect(" op_sel:[0,1]", 2, 5);
  expect(" op_sel:[1,1] op_sel_hi:[0,0]", 3, 5);
  machine.vgpr(2)[0] = 22;
  machine.vgpr(3)[0] = 33;
  machine.run("v_pk_mov_b32 v[2:3], v[2:3], v[2:3] op_sel:[1,0]");
  EXPECT_EQ(machine.vgpr(2)[0], 33u);
  EXPECT_EQ(machine.vgpr(3)[0], 22u);
}

TEST(ValuPacked, MixedPrecision) {
  ValuMachine machine;
  machine.vgpr(1)[0] = pack(2, 3);
  machine.vgpr(2)[0] = bitsOf(-10.0f);
  machine.vgpr(3)[0] = pack(0.5f, -4);
  machine.run("v_fma_mix_f32 v0, v1, v2, v3 op_sel:[1,0,1] op_sel_hi:[1,0,1]");
  EXPECT_EQ(floatOf(machine.vgpr(0)[0]), 3 * -10.0f - 4);
  machine.run("v_fma_mix_f32 v0, -v1, |v2|, v3 op_sel:[0,0,0] "
              "op_sel_hi:[1,0,1]");
  EXPECT_EQ(floatOf(machine.vgpr(0)[0]), -2 * 10.0f + 0.5f);
  machine.vgpr(0)[0] = 0x11112222;
  machine.run("v_fma_mixlo_f16 v0, v1, v2, v3 op_sel_hi:[1,0,1]");
  EXPECT_EQ(machine.vgpr(0)[0], 0x11110000u | floatToF16(-19.5f));
  machine.run("v_fma_mixhi_f16 v0, v1, v2, v3 op_sel_hi:[1,0,1] clamp");
  EXPECT_EQ(machine.vgpr(0)[0], u32(floatToF16(-19.5f)));
}

TEST(ValuDot, Integers) {
  ValuMachine machine;
  auto values = intSamples(6);
  auto dot = [](u32 a, u32 b, int bits, bool isSigned) {
    i64 sum = 0;
    for (int i = 0; i < 32; i += bits) {
      i64 x = a >> i & ((i64(1) << bits) - 1),
          y = b >> i & ((i64(1) << bits) - 1);
      if (isSigned && x >> (bits - 1))
        x -= i64(1) << bits;
      if (isSigned && y >> (bits - 1))
        y -= i64(1) << bits;
      sum += x * y;
    }
    return sum;
  };
  const struct {
    const char *op;
    int bits;
    bool isSigned;
  } forms[] = {{"v_dot2_i32_i16", 16, true}, {"v_dot2_u32_u16", 16, false},
               {"v_dot4_i32_i8", 8, true},   {"v_dot4_u32_u8", 8, false},
               {"v_dot8_i32_i4", 4, true},   {"v_dot8_u32_u4", 4, false}};
  for (const auto &form : forms) {
    auto exact = [&](const u32 *s) {
      return dot(s[0], s[1], form.bits, form.isSigned) +
             (form.isSigned ? i64(int32_t(s[2])) : i64(s[2]));
    };
    machine.check32(form.op, 3, values,
                    [&](const u32 *s) { return u32(exact(s)); });
    machine.check32(
        form.op, 3, values,
        [&](const u32 *s) {
          return u32(form.isSigned
                         ? std::clamp<i64>(exact(s), INT32_MIN, INT32_MAX)
                         : std::clamp<i64>(exact(s), 0, 0xffffffff));
        },
        " clamp");
  }
  machine.vgpr(0)[0] = 1000;
  machine.vgpr(1)[0] = 0x01ff0203;
  machine.vgpr(2)[0] = 0x05060708;
  machine.run("v_dot4c_i32_i8 v0, v1, v2");
  EXPECT_EQ(machine.vgpr(0)[0], 1000u + 5 - 6 + 14 + 24);
}

TEST(ValuDot, Floats) {
  ValuMachine machine;
  machine.vgpr(1)[0] = pack(2, 3);
  machine.vgpr(2)[0] = pack(-1, 0.5f);
  machine.vgpr(3)[0] = bitsOf(100.0f);
  machine.run("v_dot2_f32_f16 v0, v1, v2, v3");
  EXPECT_EQ(floatOf(machine.vgpr(0)[0]), 99.5f);
  machine.run("v_dot2_f32_f16 v0, v1, v2, v3 neg_lo:[1,0,0]");
  EXPECT_EQ(floatOf(machine.vgpr(0)[0]), 103.5f);
  machine.run("v_dot2_f32_f16 v0, v1, v2, v3 neg_hi:[0,1,0] clamp");
  EXPECT_EQ(floatOf(machine.vgpr(0)[0]), 1.0f);
  machine.vgpr(0)[0] = bitsOf(1.0f);
  machine.run("v_dot2c_f32_f16 v0, v1, v2");
  EXPECT_EQ(floatOf(machine.vgpr(0)[0]), 0.5f);
  machine.vgpr(1)[0] = floatToBf16(2) | u32(floatToBf16(3)) << 16;
  machine.vgpr(2)[0] = floatToBf16(-1) | u32(floatToBf16(0.5f)) << 16;
  machine.run("v_dot2_f32_bf16 v0, v1, v2, v3");
  EXPECT_EQ(floatOf(machine.vgpr(0)[0]), 99.5f);
  machine.vgpr(0)[0] = bitsOf(1.0f);
  machine.run("v_dot2c_f32_bf16 v0, v1, v2");
  EXPECT_EQ(floatOf(machine.vgpr(0)[0]), 0.5f);
}
