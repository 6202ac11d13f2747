//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Integers of 16 bits, packed or not, carries in all forms, and moves.

#include "ValuMachine.h"

#include "fly/Numerics/SmallFloat.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>

using namespace fly;
using namespace fly::test;

using u32 = uint32_t;
using u64 = uint64_t;

namespace {

int s16(u32 x) { return int16_t(x); }

/// Of the low halves of the sources; the upper halves do not count.
struct Case {
  const char *op;
  unsigned sources;
  std::function<u32(u32, u32, u32)> f;
};

std::vector<u32> shorts(unsigned random) {
  std::vector<u32> values = {0, 1, 2, 15, 16, 0x7fff, 0x8000, 0xffff, 0xfffe};
  for (u32 value : intSamples(random))
    values.push_back(value);
  return values;
}
int middle(int a, int b, int c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

} // namespace

TEST(ValuShort, SixteenBitArithmetic) {
  const Case cases[] = {
      {"v_add_i16", 2, [](u32 a, u32 b, u32) { return a + b; }},
      {"v_sub_i16", 2, [](u32 a, u32 b, u32) { return a - b; }},
      {"v_subrev_u16", 2, [](u32 a, u32 b, u32) { return b - a; }},
      {"v_mul_lo_u16", 2, [](u32 a, u32 b, u32) { return a * b; }},
      {"v_lshlrev_b16", 2, [](u32 a, u32 b, u32) { return b << a % 16; }},
      {"v_lshrrev_b16", 2, [](u32 a, u32 b, u32) { return b >> a % 16; }},
      {"v_ashrrev_i16", 2,
       [](u32 a, u32 b, u32) { return u32(s16(b) >> a % 16); }},
      {"v_min_u16", 2, [](u32 a, u32 b, u32) { return std::min(a, b); }},
      {"v_max_u16", 2, [](u32 a, u32 b, u32) { return std::max(a, b); }},
      {"v_min_i16", 2,
       [](u32 a, u32 b, u32) { return u32(std::min(s16(a), s16(b))); }},
      {"v_max_i16", 2,
       [](u32 a, u32 b, u32) { return u32(std::max(s16(a), s16(b))); }},
      {"v_min3_u16", 3,
       [](u32 a, u32 b, u32 c) { return std::min({a, b, c}); }},
      {"v_max3_u16", 3,
       [](u32 a, u32 b, u32 c) { return std::max({a, b, c}); }},
      {"v_med3_u16", 3,
       [](u32 a, u32 b, u32 c) { return u32(middle(a, b, c)); }},
      {"v_min3_i16", 3,
       [](u32 a, u32 b, u32 c) {
         return u32(std::min({s16(a), s16(b), s16(c)}));
       }},
      {"v_max3_i16", 3,
       [](u32 a, u32 b, u32 c) {
         return u32(std::max({s16(a), s16(b), s16(c)}));
       }},
      {"v_med3_i16", 3,
       [](u32 a, u32 b, u32 c) { return u32(middle(s16(a), s16(b), s16(c))); }},
      {"v_mad_u16", 3, [](u32 a, u32 b, u32 c) { return a * b + c; }},
      {"v_mad_i16", 3, [](u32 a, u32 b, u32 c) { return a * b + c; }},
      {"v_mad_legacy_u16", 3, [](u32 a, u32 b, u32 c) { return a * b + c; }},
      {"v_mad_legacy_i16", 3, [](u32 a, u32 b, u32 c) { return a * b + c; }},
  };
  for (const Case &c : cases) {
    ValuMachine machine;
    machine.check32(
        c.op, c.sources, shorts(c.sources == 2 ? 20 : 0), [&](const u32 *s) {
          return c.f(s[0] & 0xffff, s[1] & 0xffff, s[2] & 0xffff) & 0xffff;
        });
  }
}

TEST(ValuShort, ProductsOfShortsPlusADword) {
  ValuMachine machine;
  auto values = shorts(0);
  machine.check32("v_mad_u32_u16", 3, values, [](const u32 *s) {
    return (s[0] & 0xffff) * (s[1] & 0xffff) + s[2];
  });
  machine.check32("v_mad_i32_i16", 3, values, [](const u32 *s) {
    return u32(s16(s[0]) * s16(s[1])) + s[2];
  });
}

TEST(ValuShort, PackedForms) {
  auto both = [](std::function<u32(u32, u32, u32)> f) {
    return [f](const u32 *s) {
      u32 low = f(s[0] & 0xffff, s[1] & 0xffff, s[2] & 0xffff) & 0xffff;
      return low | f(s[0] >> 16, s[1] >> 16, s[2] >> 16) << 16;
    };
  };
  ValuMachine machine;
  auto values = shorts(4);
  auto product = [](u32 a, u32 b, u32 c) { return a * b + c; };
  machine.check32("v_pk_mad_u16", 3, values, both(product));
  machine.check32("v_pk_mad_i16", 3, values, both(product));
  machine.check32("v_pk_max_u16", 2, values,
                  both([](u32 a, u32 b, u32) { return std::max(a, b); }));
  machine.check32("v_pk_min_i16", 2, values, both([](u32 a, u32 b, u32) {
                    return u32(std::min(s16(a), s16(b)));
                  }));
  std::vector<u32> floats;
  for (u32 code : halfSamples(40))
    if (!std::isnan(f16ToFloat(uint16_t(code))))
      floats.push_back(code | code << 17);
  for (bool max : {false, true})
    machine.check32(
        max ? "v_pk_max_f16" : "v_pk_min_f16", 2,
        {0x3c004200, 0xbc003c00, 0x7c00fc00, 0x00018001, 0x04007bff},
        both([max](u32 a, u32 b, u32) {
          float x = f16ToFloat(uint16_t(a)), y = f16ToFloat(uint16_t(b));
          return (x < y) == max ? b : a;
        }));
}

// The form without a carry in, and with; VCC or an SGPR pair.
TEST(ValuShort, CarriesOut) {
  ValuMachine machine;
  auto values = intSamples(50);
  for (size_t l = 0; l < 64; ++l) {
    machine.vgpr(1)[l] = values[l];
    machine.vgpr(2)[l] = values[(7 * l + 3) % 64];
  }
  const u64 carries = 0x123456789abcdef0;
  auto check = [&](const char *text, bool reversed, bool takes) {
    machine.wave->setPair(20, carries);
    machine.run(text);
    for (size_t l = 0; l < 64; ++l) {
      u64 a = machine.vgpr(1)[l], b = machine.vgpr(2)[l];
      u64 difference =
          (reversed ? b - a : a - b) - (takes ? carries >> l & 1 : 0);
      EXPECT_EQ(machine.vgpr(0)[l], u32(difference)) << text;
      EXPECT_EQ(machine.pair(22) >> l & 1, difference >> 63) << text;
    }
  };
  check("v_sub_co_u32_e64 v0, s[22:23], v1, v2", false, false);
  check("v_subrev_co_u32_e64 v0, s[22:23], v1, v2", true, false);
  check("v_subb_co_u32_e64 v0, s[22:23], v1, v2, s[20:21]", false, true);
  check("v_subbrev_co_u32_e64 v0, s[22:23], v1, v2, s[20:21]", true, true);
}

TEST(ValuShort, DotProductsInPlace) {
  ValuMachine machine;
  auto values = intSamples(50);
  auto run = [&](const char *text, unsigned elements) {
    for (size_t l = 0; l < 64; ++l) {
      machine.vgpr(0)[l] = values[(3 * l) % 64];
      machine.vgpr(1)[l] = values[l];
      machine.vgpr(2)[l] = values[(7 * l + 3) % 64];
    }
    machine.run(text);
    unsigned bits = 32 / elements;
    auto element = [&](u32 word, unsigned i) {
      return int32_t(word << (32 - bits - bits * i)) >> (32 - bits);
    };
    for (size_t l = 0; l < 64; ++l) {
      u32 sum = values[(3 * l) % 64];
      for (unsigned i = 0; i < elements; ++i)
        sum += u32(element(machine.vgpr(1)[l], i) *
                   element(machine.vgpr(2)[l], i));
      EXPECT_EQ(machine.vgpr(0)[l], sum) << text << " lane " << l;
    }
  };
  run("v_dot2c_i32_i16 v0, v1, v2", 2);
  run("v_dot4c_i32_i8 v0, v1, v2", 4);
  run("v_dot8c_i32_i4 v0, v1, v2", 8);
}

// To 16-bit fractions of one: nearest, ties to even, held.
TEST(ValuShort, NormalisedConversionsOfHalves) {
  ValuMachine machine;
  auto code = [](u32 half, bool isSigned) -> u32 {
    float x = f16ToFloat(uint16_t(half));
    if (std::isnan(x))
      return 0;
    float most = isSigned ? 32767 : 65535, least = isSigned ? -32767 : 0;
    double value = std::nearbyint(double(x) * most);
    return u32(int(std::clamp<double>(value, least, most))) & 0xffff;
  };
  std::vector<u32> all;
  for (u32 half = 0; half < 65536; ++half)
    all.push_back(half);
  for (bool isSigned : {false, true}) {
    std::string type = isSigned ? "i16_f16" : "u16_f16";
    machine.check32("v_cvt_norm_" + type, 1, all,
                    [&](const u32 *s) { return code(s[0], isSigned); });
    machine.check32("v_cvt_pknorm_" + type, 2, halfSamples(40),
                    [&](const u32 *s) {
                      return code(s[0], isSigned) | code(s[1], isSigned) << 16;
                    });
  }
}

TEST(ValuShort, Moves) {
  ValuMachine machine;
  machine.setExec(0xf0f0f0f0f0f0f0f0);
  for (u32 l = 0; l < 64; ++l) {
    machine.vgpr(1)[l] = 100 + l;
    machine.vgpr(2)[l] = 200 + l;
    machine.wave->regs[256 + 5][l] = 300 + l;
    machine.wave->regs[256 + 6][l] = 400 + l;
  }
  machine.run("v_swap_b32 v1, v2");
  machine.run("v_accvgpr_mov_b32 a6, a5");
  machine.run("v_nop");
  machine.run("v_clrexcp");
  for (u32 l = 0; l < 64; ++l) {
    bool active = l & 4;
    EXPECT_EQ(machine.vgpr(1)[l], (active ? 200 : 100) + l);
    EXPECT_EQ(machine.vgpr(2)[l], (active ? 100 : 200) + l);
    EXPECT_EQ(machine.wave->regs[256 + 6][l], (active ? 300 : 400) + l);
  }
}

// v_cmpx_class writes EXEC as v_cmp_class writes its mask.
TEST(ValuShort, ClassesIntoExec) {
  for (const char *type : {"f16", "f32", "f64"})
    for (u32 classes = 1; classes < 1024; classes <<= 1) {
      ValuMachine machine;
      auto floats = floatSamples(23);
      for (u32 l = 0; l < 64; ++l) {
        machine.vgpr(2)[l] = machine.vgpr(3)[l] = floats[l];
        machine.vgpr(4)[l] = classes;
      }
      std::string source = type == std::string("f64") ? "v[2:3]" : "v2";
      machine.run(std::string("v_cmp_class_") + type + " vcc, " + source +
                  ", v4");
      u64 mask = machine.pair(ScalarVcc);
      machine.run(std::string("v_cmpx_class_") + type + " s[20:21], " + source +
                  ", v4");
      EXPECT_EQ(machine.wave->exec(), mask) << type << " " << classes;
      EXPECT_EQ(machine.pair(20), mask) << type << " " << classes;
    }
}
