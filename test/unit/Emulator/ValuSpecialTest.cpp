//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Instructions with a rule of their own (sums of differences, cube coordinates,
// the bits of 2/pi) and MODE.FP16_OVFL in arithmetic.

#include "ValuMachine.h"
#include "fly/CodeObject/InstructionSpace.h"
#include "fly/Numerics/SmallFloat.h"

#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace fly;
using namespace fly::test;

using u32 = uint32_t;
using u64 = uint64_t;

//===----------------------------------------------------------------------===//
// Sums of differences
//===----------------------------------------------------------------------===//

/// |a - b| summed over \p count fields of \p bits; masked: where b is not 0.
static u64 differences(u64 a, u64 b, unsigned count, unsigned bits,
                       bool masked) {
  u64 sum = 0;
  for (unsigned i = 0; i != count; ++i) {
    int64_t x = int64_t(a >> bits * i & ((u64(1) << bits) - 1));
    int64_t y = int64_t(b >> bits * i & ((u64(1) << bits) - 1));
    if (y || !masked)
      sum += u64(std::llabs(x - y));
  }
  return sum;
}

TEST(ValuSad, EveryFormWithAndWithoutClamp) {
  struct {
    const char *op;
    unsigned count, bits, shift;
    bool masked;
  } forms[] = {{"v_sad_u8", 4, 8, 0, false},
               {"v_sad_hi_u8", 4, 8, 16, false},
               {"v_sad_u16", 2, 16, 0, false},
               {"v_sad_u32", 1, 32, 0, false},
               {"v_msad_u8", 4, 8, 0, true}};
  ValuMachine machine;
  auto values = intSamples(3);
  values.push_back(0xff00ff00);
  for (const auto &form : forms)
    for (bool clamp : {false, true})
      machine.check32(
          form.op, 3, values,
          [&](const u32 *s) {
            u64 sum =
                (differences(s[0], s[1], form.count, form.bits, form.masked)
                 << form.shift) +
                s[2];
            return clamp && sum > 0xffffffff ? 0xffffffff : u32(sum);
          },
          clamp ? " clamp" : "");
}

TEST(ValuSad, OneByteExhaustively) {
  ValuMachine machine;
  for (u32 b = 0; b < 256; b += 5)
    for (u32 block = 0; block != 256; block += 64) {
      for (u32 l = 0; l != 64; ++l) {
        machine.vgpr(1)[l] = (block + l) << 8;
        machine.vgpr(2)[l] = b << 8;
        machine.vgpr(3)[l] = 7;
      }
      machine.run("v_sad_u8 v4, v1, v2, v3");
      machine.run("v_msad_u8 v5, v1, v2, v3");
      for (u32 l = 0; l != 64; ++l) {
        u32 difference = u32(std::abs(int(block + l) - int(b)));
        ASSERT_EQ(machine.vgpr(4)[l], difference + 7);
        ASSERT_EQ(machine.vgpr(5)[l], b ? difference + 7 : 7);
      }
    }
}

TEST(ValuSad, FourPlacesOfEightBytes) {
  ValuMachine machine;
  for (bool clamp : {false, true})
    for (u32 seed = 1; seed != 20; ++seed) {
      auto random = [state = seed * 2654435761u]() mutable {
        state = state * 1664525 + 1013904223;
        return state ^ state >> 15;
      };
      // v[2:3] eight bytes, v4 four bytes with zeros, v[8:11] sums near the
      // top.
      for (u32 r : {2u, 3u, 4u, 8u, 9u, 10u, 11u})
        for (u32 l = 0; l != 64; ++l) {
          machine.vgpr(r)[l] = random();
          if (r == 4 && l % 2)
            machine.vgpr(r)[l] &= 0xff00ffff;
          if (r >= 8 && l % 3 == 0)
            machine.vgpr(r)[l] = 0xfffffff0;
        }
      std::string end = clamp ? " clamp" : "";
      machine.run("v_qsad_pk_u16_u8 v[12:13], v[2:3], v4, v[8:9]" + end);
      machine.run("v_mqsad_pk_u16_u8 v[14:15], v[2:3], v4, v[8:9]" + end);
      machine.run("v_mqsad_u32_u8 v[16:19], v[2:3], v4, v[8:11]" + end);
      for (u32 l = 0; l != 64; ++l) {
        u64 bytes = machine.vgpr(2)[l] | u64(machine.vgpr(3)[l]) << 32;
        u32 four = machine.vgpr(4)[l];
        for (u32 i = 0; i != 4; ++i) {
          u64 all = differences(u32(bytes >> 8 * i), four, 4, 8, false);
          u64 some = differences(u32(bytes >> 8 * i), four, 4, 8, true);
          u32 shift = 16 * (i % 2);
          u64 sum = machine.vgpr(8 + i / 2)[l] >> shift & 0xffff;
          u64 top = clamp ? 0xffff : ~u64(0);
          EXPECT_EQ(machine.vgpr(12 + i / 2)[l] >> shift & 0xffff,
                    std::min(all + sum, top) & 0xffff);
          EXPECT_EQ(machine.vgpr(14 + i / 2)[l] >> shift & 0xffff,
                    std::min(some + sum, top) & 0xffff);
          top = clamp ? 0xffffffff : ~u64(0);
          EXPECT_EQ(machine.vgpr(16 + i)[l],
                    u32(std::min(some + machine.vgpr(8 + i)[l], top)));
        }
      }
    }
}

//===----------------------------------------------------------------------===//
// Cube coordinates
//===----------------------------------------------------------------------===//

namespace {
/// The face's s and t axes and its major axis, by OpenGL's table of cube faces:
/// +x: -z -y, -x: +z -y, +y: +x +z, -y: +x -z, +z: +x -y, -z: -x -y.
struct Face {
  int sAxis, sSign, tAxis, tSign, major;
};
const Face faces[6] = {{2, -1, 1, -1, 0}, {2, 1, 1, -1, 0}, {0, 1, 2, 1, 1},
                       {0, 1, 2, -1, 1},  {0, 1, 1, -1, 2}, {0, -1, 1, -1, 2}};
} // namespace

TEST(ValuCube, FacesByTheirTable) {
  ValuMachine machine;
  const std::vector<u32> values = {
      bitsOf(0.0f), bitsOf(-0.0f), bitsOf(1.0f),      bitsOf(-1.0f),
      bitsOf(2.5f), bitsOf(-2.5f), bitsOf(0x1p-130f), bitsOf(INFINITY)};
  auto faceOf = [](const u32 *s) {
    unsigned axis = 2;
    for (unsigned other : {1u, 0u})
      if (std::fabs(floatOf(s[other])) > std::fabs(floatOf(s[axis])))
        axis = other;
    return 2 * axis + (floatOf(s[axis]) < 0);
  };
  machine.check32("v_cubeid_f32", 3, values,
                  [&](const u32 *s) { return bitsOf(float(faceOf(s))); });
  machine.check32("v_cubesc_f32", 3, values, [&](const u32 *s) {
    const Face &face = faces[faceOf(s)];
    return s[face.sAxis] ^ (face.sSign < 0 ? 0x80000000 : 0);
  });
  machine.check32("v_cubetc_f32", 3, values, [&](const u32 *s) {
    const Face &face = faces[faceOf(s)];
    return s[face.tAxis] ^ (face.tSign < 0 ? 0x80000000 : 0);
  });
  machine.check32("v_cubema_f32", 3, values, [&](const u32 *s) {
    return bitsOf(2 * floatOf(s[faces[faceOf(s)].major]));
  });
}

//===----------------------------------------------------------------------===//
// v_trig_preop_f64
//===----------------------------------------------------------------------===//

/// sin(x) by three segments: whole turns drop out of x times 2/pi.
static double sineBySegments(double x, const double *segments) {
  int exponent = int(bits64(x) >> 52 & 0x7ff);
  u64 significand = (bits64(x) & ((u64(1) << 52) - 1)) | u64(1) << 52;
  double quarters = 0;
  for (unsigned i = 0; i != 3; ++i) {
    int at;
    double fraction = std::frexp(segments[i], &at);
    if (fraction == 0)
      continue;
    unsigned __int128 product =
        (unsigned __int128)significand * u64(std::ldexp(fraction, 53));
    int weight = exponent - 1075 + at - 53 - (exponent >= 1968 ? 128 : 0);
    if (2 - weight < 128 && weight <= 0)
      product &= ((unsigned __int128)1 << (2 - weight)) - 1; // modulo 4
    quarters += std::ldexp(double(product), weight);
  }
  return std::sin(std::fmod(quarters, 4) * 1.57079632679489661923);
}

TEST(ValuTrigPreop, SegmentsReduceEveryArgument) {
  ValuMachine machine;
  for (double x : {1.0, 3.0, 710.25, 1e5, 123456789.0, 1e22, 0x1.8p60,
                   0x1.23456789abcdep200, 0x1.9p900, 1e300, 1.7e308}) {
    double segments[3];
    u64 bits = bits64(x);
    for (u32 l = 0; l != 64; ++l) {
      machine.vgpr(2)[l] = u32(bits);
      machine.vgpr(3)[l] = u32(bits >> 32);
      machine.vgpr(4)[l] = l;
    }
    machine.run("v_trig_preop_f64 v[0:1], v[2:3], v4");
    for (u32 i = 0; i != 3; ++i)
      segments[i] =
          doubleOf(machine.vgpr(0)[i] | u64(machine.vgpr(1)[i]) << 32);
    EXPECT_NEAR(sineBySegments(x, segments), std::sin(x), 1e-12) << x;
    // Only the low five bits choose the segment.
    EXPECT_EQ(machine.vgpr(1)[33], machine.vgpr(1)[1]);
  }
  machine.run("v_trig_preop_f64 v[0:1], 1.0, 0");
  EXPECT_EQ(machine.vgpr(0)[0] | u64(machine.vgpr(1)[0]) << 32,
            bits64(0x1.45f306dc9c882p-1));
}

//===----------------------------------------------------------------------===//
// f16 that overflows
//===----------------------------------------------------------------------===//

/// \p exact rounded to nearest; with FP16_OVFL a finite one stays finite.
static u32 halfOf(double exact, bool held) {
  u32 code = floatToF16(float(exact));
  bool overflows = (code & 0x7fff) == 0x7c00 && std::isfinite(exact);
  return overflows && held ? code - 1 : code;
}

static std::vector<u32> largeHalves() {
  std::vector<u32> values;
  for (u32 magnitude : {0x0000u, 0x0001u, 0x3c00u, 0x3c01u, 0x5bffu, 0x7800u,
                        0x7bf0u, 0x7bfeu, 0x7bffu, 0x7c00u})
    for (u32 sign : {0u, 0x8000u})
      values.push_back(magnitude | sign);
  return values;
}

TEST(ValuHalfOverflow, ArithmeticHoldsWhatIsFinite) {
  auto value = [](u32 code) { return double(f16ToFloat(uint16_t(code))); };
  for (bool held : {false, true}) {
    ValuMachine machine;
    if (held)
      machine.wave->mode |= emu::ModeFp16Overflow;
    auto check = [&](const char *op, unsigned count,
                     std::function<double(const u32 *)> f) {
      machine.check32(op, count, largeHalves(), [&](const u32 *s) {
        double exact = f(s);
        if (std::isnan(exact)) // inf - inf, 0 inf: as the CPU makes it
          return u32(0xfe00);
        return halfOf(exact, held);
      });
    };
    check("v_add_f16", 2,
          [&](const u32 *s) { return value(s[0]) + value(s[1]); });
    check("v_sub_f16", 2,
          [&](const u32 *s) { return value(s[0]) - value(s[1]); });
    check("v_mul_f16", 2,
          [&](const u32 *s) { return value(s[0]) * value(s[1]); });
    check("v_fma_legacy_f16", 3, [&](const u32 *s) {
      return value(s[0]) * value(s[1]) + value(s[2]);
    });
  }
}

TEST(ValuHalfOverflow, DirectedRoundingDoesNotMakeInfinities) {
  ValuMachine machine;
  auto sum = [&](u32 a, u32 b, unsigned rounding, bool held) {
    machine.wave->mode = (machine.wave->mode & ~u32(0xc)) | rounding << 2;
    machine.wave->mode &= ~u32(emu::ModeFp16Overflow);
    machine.wave->mode |= held ? emu::ModeFp16Overflow : 0;
    machine.vgpr(1)[0] = a;
    machine.vgpr(2)[0] = b;
    machine.run("v_add_f16 v0, v1, v2");
    return machine.vgpr(0)[0];
  };
  // 65504 + 1: up and down, nearest, toward zero.
  EXPECT_EQ(sum(0x7bff, 0x3c00, 1, false), 0x7c00u);
  EXPECT_EQ(sum(0x7bff, 0x3c00, 1, true), 0x7bffu);
  EXPECT_EQ(sum(0xfbff, 0xbc00, 2, false), 0xfc00u);
  EXPECT_EQ(sum(0xfbff, 0xbc00, 2, true), 0xfbffu);
  EXPECT_EQ(sum(0x7bff, 0x3c00, 0, true), 0x7bffu);
  EXPECT_EQ(sum(0x7bff, 0x7bff, 3, true), 0x7bffu);
}

TEST(ValuHalfOverflow, EveryKindOfInstruction) {
  struct {
    const char *text;
    u32 v1, v2, v3, old, plain, held;
  } cases[] = {
      {"v_pk_mul_f16 v0, v1, v2", 0x7bff7c00, 0x4000c000, 0, 0, 0x7c00fc00,
       0x7bfffc00},
      {"v_pk_add_f16 v0, v1, v2", 0x7bfffbff, 0x7bfffbff, 0, 0, 0x7c00fc00,
       0x7bfffbff},
      {"v_pk_fma_f16 v0, v1, v2, v3", 0x7bff7bff, 0x7bff7bff, 0xfc007bff, 0,
       0xfc007c00, 0xfc007bff},
      {"v_pk_fmac_f16 v0, v1, v2", 0x7bff4000, 0x40004000, 0, 0x00003c00,
       0x7c004500, 0x7bff4500},
      {"v_mac_f16 v0, v1, v2", 0x7bff, 0x4000, 0, 0, 0x7c00, 0x7bff},
      {"v_mad_f16 v0, v1, v2, v3", 0x7bff, 0x4000, 0x3c00, 0x12340000,
       0x12347c00, 0x12347bff},
      {"v_madak_f16 v0, v1, v2, 0x4000", 0x7bff, 0x4000, 0, 0, 0x7c00, 0x7bff},
      {"v_madmk_f16 v0, v1, 0x4000, v2", 0x7bff, 0x3c00, 0, 0, 0x7c00, 0x7bff},
      {"v_madak_f16 v0, v1, v2, 0x4200", 0x4000, 0x4400, 0, 0, 0x4980, 0x4980},
      {"v_madmk_f16 v0, v1, 0x4200, v2", 0x4000, 0x4400, 0, 0, 0x4900, 0x4900},
      {"v_ldexp_f16 v0, v1, v2", 0x7bff, 20, 0, 0, 0x7c00, 0x7bff},
      {"v_ldexp_f16 v0, v1, v2", 0x7c00, 20, 0, 0, 0x7c00, 0x7c00},
      {"v_exp_f16 v0, v1", 0x7bff, 0, 0, 0, 0x7c00, 0x7bff},
      {"v_exp_f16 v0, v1", 0x7c00, 0, 0, 0, 0x7c00, 0x7c00},
      {"v_rcp_f16 v0, v1", 0x8001, 0, 0, 0, 0xfc00, 0xfbff},
      {"v_rcp_f16 v0, v1", 0, 0, 0, 0, 0x7c00, 0x7c00},
      {"v_cvt_f16_f32 v0, v1", 0x47800000, 0, 0, 0, 0x7c00, 0x7bff},
      {"v_cvt_f16_u16 v0, v1", 0xffff, 0, 0, 0, 0x7c00, 0x7bff},
      {"v_fma_mixlo_f16 v0, v1, v2, v3", 0x47800000, 0x47800000, 0, 0x11112222,
       0x11117c00, 0x11117bff},
      {"v_fma_mixhi_f16 v0, v1, v2, v3", 0x47800000, 0x47800000, 0, 0x11112222,
       0x7c002222, 0x7bff2222},
      {"v_div_fixup_legacy_f16 v0, v1, v2, v3", 0x4000, 0, 0x3c00, 0xffff0000,
       0x7c00, 0x7c00},
      {"v_div_fixup_legacy_f16 v0, v1, v2, v3", 0x4000, 0x3c00, 0xc000, 0,
       0xc000, 0xc000},
  };
  for (const auto &c : cases)
    for (bool held : {false, true}) {
      ValuMachine machine;
      if (held)
        machine.wave->mode |= emu::ModeFp16Overflow;
      machine.vgpr(0)[0] = c.old;
      machine.vgpr(1)[0] = c.v1;
      machine.vgpr(2)[0] = c.v2;
      machine.vgpr(3)[0] = c.v3;
      machine.run(c.text);
      EXPECT_EQ(machine.vgpr(0)[0], held ? c.held : c.plain)
          << c.text << " of " << std::hex << c.v1 << " held " << held;
    }
}

TEST(ValuConvert, PackAccumulateWritesOneByte) {
  ValuMachine machine;
  for (u32 byte = 0; byte != 4; ++byte)
    for (float x : {-1.0f, 0.5f, 1.5f, 200.0f, 300.0f, NAN}) {
      machine.vgpr(0)[0] = 0xddccbbaa;
      machine.vgpr(1)[0] = bitsOf(x);
      machine.vgpr(2)[0] = byte | 0xf0;
      machine.run("v_cvt_pkaccum_u8_f32 v0, v1, v2");
      u32 code = x > 0 ? u32(std::min(std::nearbyint(x), 255.0f)) : 0;
      u32 expected = (0xddccbbaa & ~(u32(255) << 8 * byte)) | code << 8 * byte;
      EXPECT_EQ(machine.vgpr(0)[0], expected) << x;
    }
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

/// Every VALU form with a modifier that LLVM assembles for it has a handler, or
/// is named here.
TEST(ValuModifiers, WhatAssemblesRuns) {
  // What a clamp does to an integer that comes of floats, to packed halves, and
  // to those that cannot tell an overflow is not documented: a run stops there.
  auto clampIsUnknown = [](llvm::StringRef key) {
    for (llvm::StringRef prefix :
         {"v_cvt_flr_i32", "v_cvt_i16", "v_cvt_i32", "v_cvt_norm", "v_cvt_pk",
          "v_cvt_rpi_i32", "v_cvt_u16", "v_cvt_u32", "v_frexp_exp_", "v_align",
          "v_mul_i32_i24", "v_mul_u32_u24", "v_pack_"})
      if (key.starts_with(prefix))
        return true;
    return false;
  };
  const llvm::StringRef excused[] = {
      "v_pk_fmac_f16",              // modifiers of the 64-bit form
      "v_screen_partition_4se_b32", // pixel shaders
  };
  for (const char *arch : {"gfx950", "gfx942"}) {
    ValuMachine machine(arch);
    const TargetInfo &target = llvm::cantFail(lookupTarget(arch));
    std::vector<uint8_t> bytes = llvm::cantFail(instructionSpace(target));
    Disassembly code = llvm::cantFail(Disassembly::decode(target, bytes, 0));
    unsigned checked = 0;
    for (const Instruction &inst : code.instructions()) {
      if (inst.unit != Unit::Valu || inst.encoding == Encoding::Dpp ||
          llvm::is_contained(excused, inst.key))
        continue;
      std::string plain = code.text(inst);
      std::vector<std::string> texts = {plain + " mul:2"};
      if (!clampIsUnknown(inst.key))
        texts.push_back(plain + " clamp");
      size_t source = plain.find(", v");
      if (source != std::string::npos) {
        std::string name = plain.substr(source + 2);
        size_t end = std::min(name.find_first_of(", "), name.size());
        std::string head = plain.substr(0, source + 2), tail = name.substr(end);
        name.resize(end);
        texts.push_back(head + "-" + name + tail);
        texts.push_back(head + "|" + name + "|" + tail);
      }
      for (const std::string &text : texts) {
        llvm::Expected<std::vector<uint8_t>> assembled =
            assembleText(target, text);
        if (!assembled) {
          llvm::consumeError(assembled.takeError());
          continue;
        }
        ++checked;
        EXPECT_TRUE(machine.canRun(text)) << arch << ": " << text;
      }
    }
    EXPECT_GT(checked, 400u);
  }
}
