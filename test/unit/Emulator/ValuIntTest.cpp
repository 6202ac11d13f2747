//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Integer VALU instructions against their definition in 64-bit arithmetic.

#include "ValuMachine.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace fly;
using namespace fly::test;

using u32 = uint32_t;
using u64 = uint64_t;
using i64 = int64_t;

namespace {

i64 sx(u32 a) { return int32_t(a); }
i64 sx24(u32 a) { return (i64(a & 0xffffff) ^ 0x800000) - 0x800000; }

struct Case2 {
  const char *op;
  std::function<u64(u32, u32)> f;
};
struct Case3 {
  const char *op;
  std::function<u64(u32, u32, u32)> f;
};

} // namespace

TEST(ValuInt, TwoSources) {
  const Case2 cases[] = {
      {"v_add_u32", [](u32 a, u32 b) { return u64(a) + b; }},
      {"v_sub_u32", [](u32 a, u32 b) { return u64(a) - b; }},
      {"v_subrev_u32", [](u32 a, u32 b) { return u64(b) - a; }},
      {"v_add_i32", [](u32 a, u32 b) { return u64(a) + b; }},
      {"v_sub_i32", [](u32 a, u32 b) { return u64(a) - b; }},
      {"v_mul_lo_u32", [](u32 a, u32 b) { return u64(a) * b; }},
      {"v_mul_hi_u32", [](u32 a, u32 b) { return u64(a) * b >> 32; }},
      {"v_mul_hi_i32", [](u32 a, u32 b) { return u64(sx(a) * sx(b) >> 32); }},
      {"v_mul_u32_u24",
       [](u32 a, u32 b) { return u64(a & 0xffffff) * (b & 0xffffff); }},
      {"v_mul_hi_u32_u24",
       [](u32 a, u32 b) { return u64(a & 0xffffff) * (b & 0xffffff) >> 32; }},
      {"v_mul_i32_i24", [](u32 a, u32 b) { return u64(sx24(a) * sx24(b)); }},
      {"v_mul_hi_i32_i24",
       [](u32 a, u32 b) { return u64(sx24(a) * sx24(b) >> 32); }},
      {"v_and_b32", [](u32 a, u32 b) { return a & b; }},
      {"v_or_b32", [](u32 a, u32 b) { return a | b; }},
      {"v_xor_b32", [](u32 a, u32 b) { return a ^ b; }},
      {"v_xnor_b32", [](u32 a, u32 b) { return u32(~(a ^ b)); }},
      {"v_lshlrev_b32", [](u32 a, u32 b) { return u64(b) << (a % 32); }},
      {"v_lshrrev_b32", [](u32 a, u32 b) { return b >> (a % 32); }},
      {"v_ashrrev_i32", [](u32 a, u32 b) { return u64(sx(b) >> (a % 32)); }},
      {"v_min_u32", [](u32 a, u32 b) { return std::min(a, b); }},
      {"v_max_u32", [](u32 a, u32 b) { return std::max(a, b); }},
      {"v_min_i32", [](u32 a, u32 b) { return u64(std::min(sx(a), sx(b))); }},
      {"v_max_i32", [](u32 a, u32 b) { return u64(std::max(sx(a), sx(b))); }},
      {"v_bfm_b32",
       [](u32 a, u32 b) { return ((u64(1) << a % 32) - 1) << b % 32; }},
      {"v_bcnt_u32_b32",
       [](u32 a, u32 b) { return u64(__builtin_popcount(a)) + b; }},
  };
  ValuMachine machine;
  for (const Case2 &c : cases)
    machine.check32(c.op, 2, intSamples(20),
                    [&](const u32 *s) { return u32(c.f(s[0], s[1])); });
}

TEST(ValuInt, ThreeSources) {
  const Case3 cases[] = {
      {"v_mad_u32_u24",
       [](u32 a, u32 b, u32 c) {
         return u64(a & 0xffffff) * (b & 0xffffff) + c;
       }},
      {"v_mad_i32_i24",
       [](u32 a, u32 b, u32 c) { return u64(sx24(a) * sx24(b)) + c; }},
      {"v_add3_u32", [](u32 a, u32 b, u32 c) { return u64(a) + b + c; }},
      {"v_lshl_add_u32",
       [](u32 a, u32 b, u32 c) { return (u64(a) << b % 32) + c; }},
      {"v_add_lshl_u32",
       [](u32 a, u32 b, u32 c) { return u64(u32(a + b)) << c % 32; }},
      {"v_xad_u32", [](u32 a, u32 b, u32 c) { return u64(a ^ b) + c; }},
      {"v_lshl_or_b32",
       [](u32 a, u32 b, u32 c) { return u64(a) << b % 32 | c; }},
      {"v_and_or_b32", [](u32 a, u32 b, u32 c) { return (a & b) | c; }},
      {"v_or3_b32", [](u32 a, u32 b, u32 c) { return a | b | c; }},
      {"v_bfi_b32", [](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); }},
      {"v_bfe_u32",
       [](u32 a, u32 b, u32 c) {
         return u64(a) >> b % 32 & ((u64(1) << c % 32) - 1);
       }},
      {"v_bfe_i32",
       [](u32 a, u32 b, u32 c) {
         unsigned offset = b % 32, width = c % 32;
         i64 value = sx(a) >> offset;
         return width ? u64(i64(u64(value) << (64 - width)) >> (64 - width))
                      : 0;
       }},
      {"v_alignbit_b32",
       [](u32 a, u32 b, u32 c) { return (u64(a) << 32 | b) >> c % 32; }},
      {"v_alignbyte_b32",
       [](u32 a, u32 b, u32 c) { return (u64(a) << 32 | b) >> 8 * (c % 4); }},
      {"v_sad_u32",
       [](u32 a, u32 b, u32 c) { return u64(std::abs(i64(a) - i64(b))) + c; }},
      {"v_min3_i32",
       [](u32 a, u32 b, u32 c) {
         return u64(std::min({sx(a), sx(b), sx(c)}));
       }},
      {"v_max3_i32",
       [](u32 a, u32 b, u32 c) {
         return u64(std::max({sx(a), sx(b), sx(c)}));
       }},
      {"v_min3_u32", [](u32 a, u32 b, u32 c) { return std::min({a, b, c}); }},
      {"v_max3_u32", [](u32 a, u32 b, u32 c) { return std::max({a, b, c}); }},
      {"v_med3_i32",
       [](u32 a, u32 b, u32 c) {
         i64 s[3] = {sx(a), sx(b), sx(c)};
         std::sort(s, s + 3);
         return u64(s[1]);
       }},
      {"v_med3_u32",
       [](u32 a, u32 b, u32 c) {
         u32 s[3] = {a, b, c};
         std::sort(s, s + 3);
         return u64(s[1]);
       }},
  };
  ValuMachine machine;
  for (const Case3 &c : cases)
    machine.check32(c.op, 3, intSamples(2),
                    [&](const u32 *s) { return u32(c.f(s[0], s[1], s[2])); });
}

TEST(ValuInt, OneSource) {
  ValuMachine machine;
  auto samples = intSamples(100);
  machine.check32("v_not_b32", 1, samples, [](const u32 *s) { return ~s[0]; });
  machine.check32("v_bfrev_b32", 1, samples, [](const u32 *s) {
    u32 r = 0;
    for (int i = 0; i < 32; ++i)
      r |= (s[0] >> i & 1) << (31 - i);
    return r;
  });
  machine.check32("v_ffbh_u32", 1, samples, [](const u32 *s) {
    for (u32 i = 0; i < 32; ++i)
      if (s[0] >> (31 - i) & 1)
        return i;
    return ~0u;
  });
  machine.check32("v_ffbl_b32", 1, samples, [](const u32 *s) {
    for (u32 i = 0; i < 32; ++i)
      if (s[0] >> i & 1)
        return i;
    return ~0u;
  });
  machine.check32("v_ffbh_i32", 1, samples, [](const u32 *s) {
    for (u32 i = 1; i < 32; ++i)
      if ((s[0] >> (31 - i) & 1) != s[0] >> 31)
        return i;
    return ~0u;
  });
  machine.check32("v_prng_b32", 1, samples, [](const u32 *s) {
    return (s[0] << 1) ^ (s[0] >> 31 ? 197u : 0u);
  });
}

TEST(ValuInt, PermSelectsBytesSignsAndConstants) {
  ValuMachine machine;
  const u32 a = 0x8799a37f, b = 0x12f45680;
  for (u32 select = 0; select < 256; ++select) {
    u32 expected;
    const u32 bytes[8] = {0x80, 0x56, 0xf4, 0x12, 0x7f, 0xa3, 0x99, 0x87};
    if (select < 8)
      expected = bytes[select];
    else if (select < 12)
      expected = bytes[2 * (select - 8) + 1] & 0x80 ? 0xff : 0;
    else
      expected = select == 12 ? 0 : 0xff;
    for (unsigned byte = 0; byte < 4; ++byte) {
      machine.vgpr(1)[3] = a;
      machine.vgpr(2)[3] = b;
      machine.vgpr(3)[3] = 0x0c0c0c0c ^ ((select ^ 12) << 8 * byte);
      machine.run("v_perm_b32 v0, v1, v2, v3");
      EXPECT_EQ(machine.vgpr(0)[3], expected << 8 * byte) << select;
    }
  }
}

TEST(ValuInt, Bitop3IsItsTruthTable) {
  ValuMachine machine;
  for (u32 table = 0; table < 256; ++table) {
    machine.vgpr(1)[0] = 0xf0f0aaaa;
    machine.vgpr(2)[0] = 0xcccc3355;
    machine.vgpr(3)[0] = 0xaa551234;
    machine.run("v_bitop3_b32 v0, v1, v2, v3 bitop3:" + std::to_string(table));
    for (unsigned i = 0; i < 32; ++i) {
      u32 index = (0xf0f0aaaa >> i & 1) << 2 | (0xcccc3355 >> i & 1) << 1 |
                  (0xaa551234 >> i & 1);
      ASSERT_EQ(machine.vgpr(0)[0] >> i & 1, table >> index & 1)
          << table << " bit " << i;
    }
  }
  machine.vgpr(0)[0] = 0x11112222;
  machine.vgpr(1)[0] = 0xf0f00000;
  machine.vgpr(2)[0] = 0x0000ff00;
  machine.vgpr(3)[0] = 0;
  machine.run("v_bitop3_b16 v0, v1, v2, v3 bitop3:0x3c op_sel:[1,0,0,1]");
  EXPECT_EQ(machine.vgpr(0)[0], 0x0ff02222u);
}

TEST(ValuInt, ClampSaturates) {
  ValuMachine machine;
  auto samples = intSamples(20);
  auto unsignedLimit = [](i64 v) {
    return u32(std::clamp<i64>(v, 0, 0xffffffff));
  };
  auto signedLimit = [](i64 v) {
    return u32(std::clamp<i64>(v, INT32_MIN, INT32_MAX));
  };
  machine.check32(
      "v_add_u32_e64", 2, samples,
      [&](const u32 *s) { return unsignedLimit(i64(s[0]) + s[1]); }, " clamp");
  machine.check32(
      "v_sub_u32_e64", 2, samples,
      [&](const u32 *s) { return unsignedLimit(i64(s[0]) - s[1]); }, " clamp");
  machine.check32(
      "v_add_i32", 2, samples,
      [&](const u32 *s) { return signedLimit(sx(s[0]) + sx(s[1])); }, " clamp");
  machine.check32(
      "v_sub_i32", 2, samples,
      [&](const u32 *s) { return signedLimit(sx(s[0]) - sx(s[1])); }, " clamp");
  machine.check32(
      "v_mad_u32_u24", 3, intSamples(2),
      [&](const u32 *s) {
        return unsignedLimit(i64(s[0] & 0xffffff) * (s[1] & 0xffffff) + s[2]);
      },
      " clamp");
  machine.check32(
      "v_mad_i32_i24", 3, intSamples(2),
      [&](const u32 *s) {
        return signedLimit(sx24(s[0]) * sx24(s[1]) + sx(s[2]));
      },
      " clamp");
  machine.check32(
      "v_add_u16_e64", 2, samples,
      [&](const u32 *s) {
        return std::min((s[0] & 0xffff) + (s[1] & 0xffff), 0xffffu);
      },
      " clamp");
  machine.check32(
      "v_sub_u16_e64", 2, samples,
      [&](const u32 *s) {
        return u32(std::max(int(s[0] & 0xffff) - int(s[1] & 0xffff), 0));
      },
      " clamp");
}

TEST(ValuInt, SixtyFourBits) {
  ValuMachine machine;
  const u64 values[] = {0, 1, ~u64(0), 0x123456789abcdef0, u64(1) << 63};
  for (u64 value : values)
    for (u32 n : {0u, 1u, 4u, 31u, 32u, 63u, 64u}) {
      machine.vgpr(1)[0] = n;
      machine.vgpr(2)[0] = u32(value);
      machine.vgpr(3)[0] = u32(value >> 32);
      machine.vgpr(4)[0] = 0xfffffff0;
      machine.vgpr(5)[0] = 0x7fffffff;
      auto result = [&](const char *text, unsigned row) {
        machine.run(text);
        return machine.vgpr(row)[0] | u64(machine.vgpr(row + 1)[0]) << 32;
      };
      EXPECT_EQ(result("v_lshlrev_b64 v[6:7], v1, v[2:3]", 6), value << n % 64);
      EXPECT_EQ(result("v_lshrrev_b64 v[6:7], v1, v[2:3]", 6), value >> n % 64);
      EXPECT_EQ(result("v_ashrrev_i64 v[6:7], v1, v[2:3]", 6),
                u64(i64(value) >> n % 64));
      if (n <= 4) {
        EXPECT_EQ(result("v_lshl_add_u64 v[6:7], v[2:3], v1, v[4:5]", 6),
                  (value << n) + 0x7ffffffffffffff0);
        EXPECT_EQ(result("v_lshl_add_u64 v[2:3], v[2:3], v1, v[4:5]", 2),
                  (value << n) + 0x7ffffffffffffff0)
            << "in place";
      }
    }
}

TEST(ValuInt, MultiplyAdd64AndCarries) {
  ValuMachine machine;
  auto samples = intSamples(6);
  for (u32 a : samples)
    for (u32 b : samples)
      for (u64 c : {u64(0), ~u64(0), u64(1) << 63, u64(0x7fffffffffffffff)}) {
        machine.vgpr(2)[5] = a;
        machine.vgpr(3)[5] = b;
        machine.vgpr(4)[5] = u32(c);
        machine.vgpr(5)[5] = u32(c >> 32);
        machine.run("v_mad_u64_u32 v[0:1], s[2:3], v2, v3, v[4:5]");
        unsigned __int128 sum = (unsigned __int128)(u64(a) * b) + c;
        EXPECT_EQ(machine.vgpr(0)[5] | u64(machine.vgpr(1)[5]) << 32, u64(sum));
        EXPECT_EQ(machine.pair(2) >> 5 & 1, u64(sum >> 64));
        machine.run("v_mad_i64_i32 v[0:1], s[2:3], v2, v3, v[4:5]");
        EXPECT_EQ(machine.vgpr(0)[5] | u64(machine.vgpr(1)[5]) << 32,
                  u64(sx(a) * sx(b)) + c);
        for (u32 carry : {0u, 1u}) {
          machine.sgpr(4) = carry << 5;
          machine.sgpr(5) = 0;
          machine.run("v_addc_co_u32_e64 v0, s[2:3], v2, v3, s[4:5]");
          EXPECT_EQ(machine.vgpr(0)[5], u32(a + b + carry));
          EXPECT_EQ(machine.pair(2) >> 5 & 1, (u64(a) + b + carry) >> 32);
          machine.run("v_subb_co_u32_e64 v0, s[2:3], v2, v3, s[4:5]");
          EXPECT_EQ(machine.vgpr(0)[5], u32(a - b - carry));
          EXPECT_EQ(machine.pair(2) >> 5 & 1, u64(u64(a) < u64(b) + carry));
        }
        machine.run("v_subrev_co_u32 v0, vcc, v2, v3");
        EXPECT_EQ(machine.vgpr(0)[5], u32(b - a));
        EXPECT_EQ(machine.pair(ScalarVcc) >> 5 & 1, u64(b < a));
      }
}

TEST(ValuInt, InactiveLanesKeepTheirValueAndClearTheirMask) {
  ValuMachine machine;
  for (unsigned l = 0; l < 64; ++l) {
    machine.vgpr(0)[l] = 7;
    machine.vgpr(1)[l] = ~0u;
    machine.vgpr(2)[l] = 1;
  }
  machine.setExec(0xf0f0);
  machine.run("v_add_co_u32 v0, vcc, v1, v2");
  EXPECT_EQ(machine.pair(ScalarVcc), 0xf0f0u);
  for (unsigned l = 0; l < 64; ++l)
    EXPECT_EQ(machine.vgpr(0)[l], 0xf0f0ull >> l & 1 ? 0 : 7);
}

TEST(ValuInt, ConditionalMove) {
  ValuMachine machine;
  for (unsigned l = 0; l < 64; ++l) {
    machine.vgpr(1)[l] = 0x3f800000 + l;
    machine.vgpr(2)[l] = 0xc0000000 + l;
  }
  machine.wave->setPair(ScalarVcc, 0x00000000ffffffff);
  machine.wave->setPair(2, 0x0f0f0f0f0f0f0f0f);
  machine.run("v_cndmask_b32 v0, v1, v2, vcc");
  EXPECT_EQ(machine.vgpr(0)[31], 0xc000001fu);
  EXPECT_EQ(machine.vgpr(0)[32], 0x3f800020u);
  machine.run("v_cndmask_b32_e64 v0, -v1, |v2|, s[2:3]");
  EXPECT_EQ(machine.vgpr(0)[0], 0x40000000u);
  EXPECT_EQ(machine.vgpr(0)[4], 0xbf800004u);
}

TEST(ValuInt, SumsOfDifferences) {
  ValuMachine machine;
  machine.check32("v_sad_u8", 3, intSamples(4), [](const u32 *s) {
    u32 sum = s[2];
    for (int i = 0; i < 4; ++i)
      sum += u32(std::abs(int(s[0] >> 8 * i & 255) - int(s[1] >> 8 * i & 255)));
    return sum;
  });
  machine.check32("v_msad_u8", 3, intSamples(4), [](const u32 *s) {
    u32 sum = s[2];
    for (int i = 0; i < 4; ++i)
      if (s[1] >> 8 * i & 255)
        sum +=
            u32(std::abs(int(s[0] >> 8 * i & 255) - int(s[1] >> 8 * i & 255)));
    return sum;
  });
  machine.check32("v_sad_u16", 3, intSamples(4), [](const u32 *s) {
    return s[2] + u32(std::abs(int(s[0] & 0xffff) - int(s[1] & 0xffff))) +
           u32(std::abs(int(s[0] >> 16) - int(s[1] >> 16)));
  });
  machine.check32("v_lerp_u8", 3, intSamples(4), [](const u32 *s) {
    u32 r = 0;
    for (int i = 0; i < 32; i += 8)
      r |= ((s[0] >> i & 255) + (s[1] >> i & 255) + (s[2] >> i & 1)) / 2 << i;
    return r;
  });
}
