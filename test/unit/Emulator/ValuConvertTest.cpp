//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Conversions: integers, f16, bf16, fp8 with and without scales. The formats
// themselves are tested in test/unit/Numerics.

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

u32 toInt(double x) {
  if (std::isnan(x))
    return 0;
  return u32(int32_t(std::clamp(std::trunc(x), -2147483648.0, 2147483647.0)));
}
u32 toUnsigned(double x) {
  if (std::isnan(x))
    return 0;
  return u32(std::clamp(std::trunc(x), 0.0, 4294967295.0));
}

/// v1 in all lanes, then \p text; v0 of lane 0.
u32 run1(ValuMachine &machine, llvm::StringRef text, u32 a, u32 b = 0,
         u32 c = 0) {
  machine.vgpr(1)[0] = a;
  machine.vgpr(2)[0] = b;
  machine.vgpr(3)[0] = c;
  machine.run(text);
  return machine.vgpr(0)[0];
}

} // namespace

TEST(ValuConvert, FloatsAndIntegers) {
  ValuMachine machine;
  auto floats = floatSamples(100);
  for (float edge :
       {2147483520.0f, 2147483648.0f, -2147483648.0f, 4294967040.0f,
        4294967296.0f, 0.99999994f, -0.5f, 16777217.0f})
    floats.push_back(bitsOf(edge));
  auto ints = intSamples(100);
  machine.check32("v_cvt_i32_f32", 1, floats,
                  [](const u32 *s) { return toInt(floatOf(s[0])); });
  machine.check32("v_cvt_u32_f32", 1, floats,
                  [](const u32 *s) { return toUnsigned(floatOf(s[0])); });
  machine.check32("v_cvt_f32_i32", 1, ints,
                  [](const u32 *s) { return bitsOf(float(int32_t(s[0]))); });
  machine.check32("v_cvt_f32_u32", 1, ints,
                  [](const u32 *s) { return bitsOf(float(s[0])); });
  machine.check32("v_cvt_flr_i32_f32", 1, floats, [](const u32 *s) {
    return toInt(std::floor(floatOf(s[0])));
  });
  machine.check32("v_cvt_rpi_i32_f32", 1, floats, [](const u32 *s) {
    return toInt(std::floor(double(floatOf(s[0])) + 0.5));
  });
  for (int byte = 0; byte < 4; ++byte)
    machine.check32(
        "v_cvt_f32_ubyte" + std::to_string(byte), 1, ints,
        [byte](const u32 *s) { return bitsOf(float(s[0] >> 8 * byte & 255)); });
  machine.check32(
      "v_cvt_off_f32_i4", 1, {0, 1, 7, 8, 15, 0xf8}, [](const u32 *s) {
        int nibble = int(s[0] & 15);
        return bitsOf(float(nibble < 8 ? nibble : nibble - 16) / 16);
      });
}

TEST(ValuConvert, Doubles) {
  ValuMachine machine;
  for (u64 bits : doubleSamples(50)) {
    double value = doubleOf(bits);
    machine.vgpr(2)[0] = u32(bits);
    machine.vgpr(3)[0] = u32(bits >> 32);
    machine.run("v_cvt_f32_f64 v0, v[2:3]");
    if (!std::isnan(value)) {
      EXPECT_EQ(machine.vgpr(0)[0], bitsOf(float(value)));
    }
    machine.run("v_cvt_i32_f64 v0, v[2:3]");
    EXPECT_EQ(machine.vgpr(0)[0], toInt(value));
    machine.run("v_cvt_u32_f64 v0, v[2:3]");
    EXPECT_EQ(machine.vgpr(0)[0], toUnsigned(value));
    machine.run("v_cvt_f64_i32 v[0:1], v2");
    EXPECT_EQ(machine.vgpr(1)[0], u32(bits64(int32_t(u32(bits))) >> 32));
    machine.run("v_cvt_f64_u32 v[0:1], v2");
    EXPECT_EQ(machine.vgpr(0)[0], u32(bits64(u32(bits))));
    float single = float(value);
    machine.vgpr(2)[0] = bitsOf(single);
    machine.run("v_cvt_f64_f32 v[0:1], -v2");
    if (!std::isnan(single)) {
      EXPECT_EQ(machine.vgpr(1)[0], u32(bits64(-double(single)) >> 32));
    }
  }
}

TEST(ValuConvert, HalfAndBf16OverAllCodes) {
  ValuMachine machine;
  std::vector<u32> codes;
  for (u32 code = 0; code < 65536; ++code)
    codes.push_back(code | 0x77770000);
  machine.check32("v_cvt_f32_f16", 1, codes, [](const u32 *s) {
    u32 bits = bitsOf(f16ToFloat(uint16_t(s[0])));
    return (bits & 0x7fffffff) > 0x7f800000 ? bits | 0x400000 : bits;
  });
  machine.check32("v_cvt_f32_bf16", 1, codes,
                  [](const u32 *s) { return s[0] << 16; });
  machine.check32("v_cvt_u16_f16", 1, codes, [](const u32 *s) {
    float x = f16ToFloat(uint16_t(s[0]));
    return std::isnan(x) ? 0 : u32(std::clamp(std::trunc(x), 0.0f, 65535.0f));
  });
  machine.check32("v_cvt_i16_f16", 1, codes, [](const u32 *s) {
    float x = f16ToFloat(uint16_t(s[0]));
    return std::isnan(x)
               ? 0
               : u32(int(std::clamp(std::trunc(x), -32768.0f, 32767.0f))) &
                     0xffff;
  });
  machine.check32("v_cvt_f16_u16", 1, codes, [](const u32 *s) {
    return u32(floatToF16(float(s[0] & 0xffff)));
  });
  machine.check32("v_cvt_f16_i16", 1, codes, [](const u32 *s) {
    return u32(floatToF16(float(int16_t(s[0]))));
  });
}

TEST(ValuConvert, ToHalfAndBf16) {
  ValuMachine machine;
  std::vector<u32> values;
  for (u32 value : floatSamples(200))
    if ((value & 0x7fffffff) <= 0x7f800000)
      values.push_back(value);
  for (float edge : {65504.0f, 65519.0f, 65520.0f, 1e-8f, 2.9802322e-8f,
                     2.98023259e-8f, 1.00048828125f, 1.00146484375f})
    values.push_back(bitsOf(edge));
  machine.check32("v_cvt_f16_f32", 1, values,
                  [](const u32 *s) { return u32(floatToF16(floatOf(s[0]))); });
  machine.check32("v_cvt_pk_f16_f32", 2, {values.begin(), values.begin() + 30},
                  [](const u32 *s) {
                    return floatToF16(floatOf(s[0])) |
                           u32(floatToF16(floatOf(s[1]))) << 16;
                  });
  machine.check32("v_cvt_pk_bf16_f32", 2, {values.begin(), values.begin() + 60},
                  [](const u32 *s) {
                    return floatToBf16(floatOf(s[0])) |
                           u32(floatToBf16(floatOf(s[1]))) << 16;
                  });
  auto towardZero = [](float x) {
    u32 code = floatToF16(x);
    return std::fabs(f16ToFloat(uint16_t(code))) > std::fabs(x) ? code - 1
                                                                : code;
  };
  machine.check32("v_cvt_pkrtz_f16_f32", 2,
                  {values.begin(), values.begin() + 40}, [&](const u32 *s) {
                    return towardZero(floatOf(s[0])) | towardZero(floatOf(s[1]))
                                                           << 16;
                  });
  EXPECT_EQ(run1(machine, "v_cvt_pkrtz_f16_f32 v0, -v1, |v2|", bitsOf(1e6f),
                 bitsOf(-65519.0f)),
            0x7bfffbffu);
  machine.wave->mode |= emu::ModeFp16Overflow;
  EXPECT_EQ(run1(machine, "v_cvt_f16_f32 v0, v1", bitsOf(-1e6f)), 0xfbffu);
  EXPECT_EQ(run1(machine, "v_cvt_f16_f32 v0, v1", 0x7f800000), 0x7c00u);
}

TEST(ValuConvert, PackedIntegers) {
  ValuMachine machine;
  auto ints = intSamples(20);
  machine.check32("v_cvt_pk_u16_u32", 2, ints, [](const u32 *s) {
    return std::min(s[0], 65535u) | std::min(s[1], 65535u) << 16;
  });
  machine.check32("v_cvt_pk_i16_i32", 2, ints, [](const u32 *s) {
    auto held = [](u32 x) {
      return u32(std::clamp(int32_t(x), -32768, 32767)) & 0xffff;
    };
    return held(s[0]) | held(s[1]) << 16;
  });
  machine.check32("v_sat_pk_u8_i16", 1, ints, [](const u32 *s) {
    auto held = [](u32 x) { return u32(std::clamp(int(int16_t(x)), 0, 255)); };
    return held(s[0]) | held(s[0] >> 16) << 8;
  });
  EXPECT_EQ(run1(machine, "v_cvt_pknorm_i16_f32 v0, v1, v2", bitsOf(1.0f),
                 bitsOf(-2.0f)),
            0x80017fffu);
  EXPECT_EQ(run1(machine, "v_cvt_pknorm_u16_f32 v0, v1, v2", bitsOf(0.5f),
                 bitsOf(-2.0f)),
            0x00008000u);
  EXPECT_EQ(run1(machine, "v_cvt_pk_u8_f32 v0, v1, v2, v3", bitsOf(200.5f), 2,
                 0x11223344),
            0x11c83344u);
  machine.vgpr(0)[0] = 0x12345678;
  EXPECT_EQ(
      run1(machine, "v_ashr_pk_i8_i32 v0, v1, v2, v3", u32(-1000), 500, 2),
      0x12347d80u);
  EXPECT_EQ(run1(machine, "v_ashr_pk_u8_i32 v0, v1, v2, v3 op_sel:[0,0,0,1]",
                 u32(-1000), 2000, 2),
            0xff007d80u);
}

TEST(ValuConvert, Fp8OfBothChips) {
  for (const char *arch : {"gfx950", "gfx942"}) {
    ValuMachine machine(arch);
    bool ocp = arch == std::string("gfx950");
    FloatKind kinds[2] = {ocp ? FloatKind::E4M3FN : FloatKind::E4M3FNUZ,
                          ocp ? FloatKind::E5M2 : FloatKind::E5M2FNUZ};
    for (unsigned k = 0; k < 2; ++k) {
      std::string type = k ? "bf8" : "fp8";
      FloatKind kind = kinds[k];
      for (u32 code = 0; code < 256; ++code) {
        u32 expected = bitsOf(decode(kind, uint8_t(code)));
        u32 word = code << 16 | (255 - code) << 24 | 0x1234;
        EXPECT_EQ(run1(machine,
                       "v_cvt_f32_" + type +
                           "_sdwa v0, v1 "
                           "src0_sel:BYTE_2",
                       word),
                  expected);
        EXPECT_EQ(run1(machine, "v_cvt_f32_" + type + " v0, v1", word >> 16),
                  expected);
        run1(machine,
             "v_cvt_pk_f32_" + type +
                 "_sdwa v[4:5], v1 "
                 "src0_sel:WORD_1",
             word);
        EXPECT_EQ(machine.vgpr(4)[0], expected);
        EXPECT_EQ(machine.vgpr(5)[0],
                  bitsOf(decode(kind, uint8_t(255 - code))));
      }
      for (bool saturate : {false, true}) {
        machine.wave->mode = 0xf0 | (saturate ? u32(emu::ModeFp16Overflow) : 0);
        Overflow overflow = saturate ? Overflow::Saturate : Overflow::Special;
        for (u32 a : floatSamples(40)) {
          u32 b = a ^ 0x80100000;
          u32 low = encode(kind, floatOf(a), overflow);
          u32 high = encode(kind, floatOf(b), overflow);
          machine.vgpr(0)[0] = 0xaabbccdd;
          EXPECT_EQ(run1(machine, "v_cvt_pk_" + type + "_f32 v0, v1, v2", a, b),
                    0xaabb0000 | low | high << 8);
          machine.vgpr(0)[0] = 0xaabbccdd;
          EXPECT_EQ(run1(machine,
                         "v_cvt_pk_" + type + "_f32 v0, v1, v2 op_sel:[0,0,1]",
                         a, b),
                    0x0000ccdd | low << 16 | high << 24);
          for (u32 byte = 0; byte < 4; ++byte) {
            machine.vgpr(0)[0] = 0xaabbccdd;
            u32 code = encodeStochastic(kind, floatOf(a), 0x89abcdef, overflow);
            u32 mask = 255u << 8 * byte;
            EXPECT_EQ(run1(machine,
                           "v_cvt_sr_" + type + "_f32 v0, v1, v2 op_sel:[0,0," +
                               std::to_string(byte % 2) + "," +
                               std::to_string(byte / 2) + "]",
                           a, 0x89abcdef),
                      (0xaabbccdd & ~mask) | code << 8 * byte);
          }
        }
      }
    }
  }
}

TEST(ValuConvert, StochasticHalfAndBf16) {
  ValuMachine machine;
  machine.vgpr(0)[0] = 0xaaaabbbb;
  // 1 + 2^-9 is a quarter of the way from one bf16 to the next.
  u32 quarter = bitsOf(1.0f + 0x1p-9f);
  EXPECT_EQ(run1(machine, "v_cvt_sr_bf16_f32 v0, v1, v2", quarter, 0xbfffffff),
            0xaaaa3f80u);
  EXPECT_EQ(run1(machine, "v_cvt_sr_bf16_f32 v0, v1, v2 op_sel:[0,0,1]",
                 quarter, 0xc0000000),
            0x3f813f80u);
  quarter = bitsOf(1.0f + 0x1p-12f);
  EXPECT_EQ(run1(machine, "v_cvt_sr_f16_f32 v0, v1, v2", quarter, 0xbfffffff),
            0x3f813c00u);
  EXPECT_EQ(run1(machine, "v_cvt_sr_f16_f32 v0, v1, v2", quarter, 0xc0000000),
            0x3f813c01u);
}
