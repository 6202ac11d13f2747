//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MfmaReference.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace fly;
using namespace fly::test;
using llvm::cantFail;

namespace {

struct Form {
  const char *name;
  bool onGfx942, onGfx950;
};

// As llvm-mc accepts them.
const Form forms[] = {
    {"v_mfma_f32_32x32x1_2b_f32", true, true},
    {"v_mfma_f32_16x16x1_4b_f32", true, true},
    {"v_mfma_f32_4x4x1_16b_f32", true, true},
    {"v_mfma_f32_32x32x2_f32", true, true},
    {"v_mfma_f32_16x16x4_f32", true, true},
    {"v_mfma_f32_16x16x8_xf32", true, false},
    {"v_mfma_f32_32x32x4_xf32", true, false},
    {"v_mfma_f32_32x32x4_2b_f16", true, true},
    {"v_mfma_f32_16x16x4_4b_f16", true, true},
    {"v_mfma_f32_4x4x4_16b_f16", true, true},
    {"v_mfma_f32_32x32x8_f16", true, true},
    {"v_mfma_f32_16x16x16_f16", true, true},
    {"v_mfma_f32_32x32x4_2b_bf16", true, true},
    {"v_mfma_f32_16x16x4_4b_bf16", true, true},
    {"v_mfma_f32_4x4x4_16b_bf16", true, true},
    {"v_mfma_f32_32x32x8_bf16", true, true},
    {"v_mfma_f32_16x16x16_bf16", true, true},
    {"v_mfma_f32_16x16x32_fp8_fp8", true, true},
    {"v_mfma_f32_16x16x32_fp8_bf8", true, true},
    {"v_mfma_f32_16x16x32_bf8_fp8", true, true},
    {"v_mfma_f32_16x16x32_bf8_bf8", true, true},
    {"v_mfma_f32_32x32x16_fp8_fp8", true, true},
    {"v_mfma_f32_32x32x16_fp8_bf8", true, true},
    {"v_mfma_f32_32x32x16_bf8_fp8", true, true},
    {"v_mfma_f32_32x32x16_bf8_bf8", true, true},
    {"v_mfma_f32_16x16x32_f16", false, true},
    {"v_mfma_f32_32x32x16_f16", false, true},
    {"v_mfma_f32_16x16x32_bf16", false, true},
    {"v_mfma_f32_32x32x16_bf16", false, true},
    {"v_mfma_f32_16x16x128_f8f6f4", false, true},
    {"v_mfma_f32_32x32x64_f8f6f4", false, true},
};

const Form intForms[] = {
    {"v_mfma_i32_32x32x4_2b_i8", true, true},
    {"v_mfma_i32_16x16x4_4b_i8", true, true},
    {"v_mfma_i32_4x4x4_16b_i8", true, true},
    {"v_mfma_i32_32x32x16_i8", true, true},
    {"v_mfma_i32_16x16x32_i8", true, true},
    {"v_mfma_i32_32x32x32_i8", false, true},
    {"v_mfma_i32_16x16x64_i8", false, true},
};

const MfmaRounding allRoundings[] = {MfmaRounding::SequentialFused,
                                     MfmaRounding::ExactThenRound,
                                     MfmaRounding::Cdna3Grouped};

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

std::mt19937 &generator() {
  static std::mt19937 engine(42);
  return engine;
}
uint32_t randomBits() { return generator()(); }

/// A finite code of \p type. \p wide: any exponent; else f32 and bf16 stay near
/// 1, so that products of different k meet.
uint64_t randomCode(MfmaType type, Fp8Format fp8, bool wide) {
  unsigned bits = mfmaTypeBits(type);
  if (type == MfmaType::F64)
    return uint64_t(0x3ff00000 + randomBits() % 0x100000) << 32 | randomBits();
  for (;;) {
    uint64_t code = randomBits() >> (32 - bits);
    if (bits >= 16 && !wide) {
      unsigned mantissa = type == MfmaType::F16    ? 10
                          : type == MfmaType::BF16 ? 7
                                                   : 23;
      uint64_t field =
          (type == MfmaType::F16 ? 15 : 127) - 4 + randomBits() % 8;
      uint64_t exponents = (uint64_t(1) << (bits - 1)) - (1u << mantissa);
      code = (code & ~exponents) | field << mantissa;
    }
    if (std::isfinite(elementValue(type, fp8, code)))
      return code;
  }
}

void fillRandom(MfmaFixture &f, bool wide) {
  const MfmaShape &s = f.shape();
  for (unsigned block = 0; block < s.blocks; ++block)
    for (unsigned i = 0; i < s.m; ++i) {
      for (unsigned k = 0; k < s.k; ++k) {
        f.setA(block, i, k, randomCode(s.a, f.fp8(), wide));
        f.setB(block, i, k, randomCode(s.b, f.fp8(), wide));
      }
      for (unsigned j = 0; j < s.n; ++j)
        f.setC(block, i, j,
               randomCode(s.result == MfmaResult::F64 ? MfmaType::F64
                                                      : MfmaType::F32,
                          f.fp8(), wide));
    }
}

/// Runs every policy and compares every element.
void expectAllPolicies(MfmaFixture &f, MfmaCache *cache = nullptr) {
  const MfmaShape &s = f.shape();
  for (MfmaRounding rounding : allRoundings) {
    f.run(rounding, cache);
    unsigned wrong = 0;
    for (unsigned block = 0; block < s.blocks; ++block)
      for (unsigned i = 0; i < s.m; ++i)
        for (unsigned j = 0; j < s.n; ++j) {
          float expected = f.expected(rounding, block, i, j);
          uint32_t bits = std::isnan(expected) ? 0x7fc00000 : bitsOf(expected);
          if (f.getD(block, i, j) == bits || ++wrong > 3)
            continue;
          ADD_FAILURE() << "policy " << int(rounding) << " block " << block
                        << " D[" << i << "][" << j << "] is " << std::hex
                        << f.getD(block, i, j) << ", expected " << bits;
        }
    EXPECT_EQ(wrong, 0u);
  }
}

template <typename Body>
void forEachForm(llvm::ArrayRef<Form> list, Body body) {
  for (const Form &form : list)
    for (const char *arch : {"gfx942", "gfx950"}) {
      if (arch == std::string("gfx942") ? !form.onGfx942 : !form.onGfx950)
        continue;
      SCOPED_TRACE(std::string(form.name) + " on " + arch);
      body(form.name, arch);
    }
}

} // namespace

TEST(Mfma, TheListsAreWhole) {
  for (const char *arch : {"gfx942", "gfx950"}) {
    std::set<std::string> names = {"v_mfma_f64_16x16x4_f64",
                                   "v_mfma_f64_4x4x4_4b_f64"};
    bool isGfx950 = arch == std::string("gfx950");
    for (llvm::ArrayRef<Form> list :
         {llvm::ArrayRef<Form>(forms), llvm::ArrayRef<Form>(intForms)})
      for (const Form &form : list)
        if (isGfx950 ? form.onGfx950 : form.onGfx942)
          names.insert(form.name);
    std::set<std::string> known = matrixInstructions("v_mfma_", arch);
    // Their tests are in MfmaScaledTest.cpp.
    EXPECT_EQ(known.erase("v_mfma_scale_f32_16x16x128_f8f6f4"), isGfx950);
    EXPECT_EQ(known.erase("v_mfma_scale_f32_32x32x64_f8f6f4"), isGfx950);
    EXPECT_EQ(names, known);
  }
}

TEST(Mfma, RandomOperandsInEveryPolicy) {
  forEachForm(forms, [](const char *name, const char *arch) {
    for (bool wide : {false, true}) {
      MfmaFixture f(name, arch);
      fillRandom(f, wide);
      expectAllPolicies(f);
    }
  });
}

// Every pair of one element of A and one of B meets only where it should.
TEST(Mfma, LayoutByOneHotMatrices) {
  forEachForm(forms, [](const char *name, const char *arch) {
    MfmaFixture f(name, arch);
    const MfmaShape &s = f.shape();
    uint64_t one[2];
    for (unsigned side : {0, 1}) {
      MfmaType type = side ? s.b : s.a;
      one[side] = 0;
      while (elementValue(type, f.fp8(), one[side]) != 1)
        one[side] = mfmaTypeBits(type) == 32 ? 0x3f800000 : one[side] + 1;
    }
    f.operands.c = MfmaSource::bits(0);
    for (unsigned k = 0; k < s.k; ++k) {
      for (unsigned r = 0; r < 32; ++r)
        std::fill_n(f.regs[r], 64, 0);
      unsigned block = randomBits() % s.blocks;
      unsigned i = randomBits() % s.m, j = randomBits() % s.n;
      f.setA(block, i, k, one[0]);
      f.setB(block, j, k, one[1]);
      f.run(MfmaRounding::SequentialFused);
      for (unsigned b = 0; b < s.blocks; ++b)
        for (unsigned x = 0; x < s.m; ++x)
          for (unsigned y = 0; y < s.n; ++y)
            ASSERT_EQ(f.getD(b, x, y) == 0x3f800000,
                      b == block && x == i && y == j)
                << "k " << k << " of A[" << i << "], B[" << j << "]";
    }
  });
}

namespace {

/// Each code of A (or of B) times one, and added to zero.
void expectEveryCode(MfmaFixture &f, bool ofA) {
  const MfmaShape &s = f.shape();
  MfmaType type = ofA ? s.a : s.b, other = ofA ? s.b : s.a;
  unsigned codes = 1u << mfmaTypeBits(type);
  uint64_t one = 0;
  while (elementValue(other, f.fp8(), one) != 1)
    ++one;
  for (unsigned r = 0; r < 32; ++r)
    std::fill_n(f.regs[r], 64, 0);
  f.operands.c = MfmaSource::bits(0);
  for (unsigned first = 0; first < codes; first += s.m) {
    unsigned k = first / s.m % s.k;
    for (unsigned i = 0; i < s.m; ++i) {
      uint64_t code = (first + i) % codes;
      f.setA(0, i, k, ofA ? code : one);
      f.setB(0, i, k, ofA ? one : code);
    }
    f.run(MfmaRounding::SequentialFused);
    for (unsigned i = 0; i < s.m; ++i) {
      unsigned code = (first + i) % codes;
      float value = float(elementValue(type, f.fp8(), code));
      uint32_t bits = std::isnan(value) ? 0x7fc00000
                      : value == 0      ? 0 // -0 + 0
                                        : bitsOf(value);
      for (unsigned j : {0u, 1u, s.n - 1})
        EXPECT_EQ(f.getD(0, ofA ? i : j, ofA ? j : i), bits)
            << (ofA ? "A" : "B") << " code " << code;
      f.setA(0, i, k, 0);
      f.setB(0, i, k, 0);
    }
  }
}

} // namespace

TEST(Mfma, EveryCodeOfSmallFormats) {
  forEachForm(forms, [](const char *name, const char *arch) {
    bool allFormats = llvm::StringRef(name).ends_with("f8f6f4");
    for (uint8_t a = 0; a < (allFormats ? 5 : 1); ++a)
      for (uint8_t b = 0; b < (allFormats ? 5 : 1); ++b) {
        MfmaFixture f(name, arch, {a, 0, b});
        if (mfmaTypeBits(f.shape().a) > 8)
          return;
        expectEveryCode(f, true);
        expectEveryCode(f, false);
      }
  });
}

// Positions read off AMD's matrix instruction calculator.
TEST(Mfma, LayoutSpotChecks) {
  MfmaFixture wide("v_mfma_f32_16x16x32_bf16", "gfx950");
  wide.regs[2][19] = 0x12345678;
  EXPECT_EQ(wide.getA(0, 3, 13), 0x1234u);
  wide.regs[256 + 3][37] = 0x3f800000;
  EXPECT_EQ(wide.getD(0, 11, 5), 0x3f800000u);
  MfmaFixture big("v_mfma_f32_32x32x16_f16", "gfx950");
  big.regs[256 + 13][40] = 7;
  EXPECT_EQ(big.getD(0, 29, 8), 7u);
  MfmaFixture fp4("v_mfma_f32_16x16x128_f8f6f4", "gfx950", {4, 0, 0});
  fp4.regs[1][17] = 0xa0;
  EXPECT_EQ(fp4.getA(0, 1, 41), 0xau);
  fp4.regs[16 + 4][17] = 0xab00;
  EXPECT_EQ(fp4.getB(0, 1, 64 + 16 + 1), 0xabu);
}

TEST(Mfma, IntegerSumsWrap) {
  forEachForm(intForms, [](const char *name, const char *arch) {
    MfmaFixture f(name, arch);
    fillRandom(f, true);
    const MfmaShape &s = f.shape();
    f.setC(0, 1, 1, 0x7fffffff);
    for (unsigned k = 0; k < s.k; ++k) {
      f.setA(0, 1, k, 0x80);
      f.setB(0, 1, k, 0x80);
    }
    for (MfmaRounding rounding : allRoundings) {
      f.run(rounding);
      for (unsigned b = 0; b < s.blocks; ++b)
        for (unsigned i = 0; i < s.m; ++i)
          for (unsigned j = 0; j < s.n; ++j) {
            uint32_t sum = uint32_t(f.getC(b, i, j));
            for (unsigned k = 0; k < s.k; ++k)
              sum +=
                  uint32_t(int8_t(f.getA(b, i, k)) * int8_t(f.getB(b, j, k)));
            ASSERT_EQ(f.getD(b, i, j), sum) << b << " " << i << " " << j;
          }
    }
  });
}

static double asDouble(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, 8);
  return value;
}
static uint64_t doubleBits(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}

TEST(Mfma, DoublePrecisionWithNegation) {
  std::normal_distribution<double> normal;
  for (const char *name : {"v_mfma_f64_16x16x4_f64", "v_mfma_f64_4x4x4_4b_f64"})
    for (uint8_t negate = 0; negate < 16; ++negate) {
      MfmaFixture f(name, negate < 8 ? "gfx942" : "gfx950",
                    {0, 0, uint8_t(negate % 8)});
      const MfmaShape &s = f.shape();
      auto sign = [&](unsigned bit) { return negate >> bit & 1 ? -1.0 : 1.0; };
      for (unsigned b = 0; b < s.blocks; ++b)
        for (unsigned i = 0; i < s.m; ++i) {
          for (unsigned k = 0; k < s.k; ++k) {
            f.setA(b, i, k, doubleBits(normal(generator())));
            f.setB(b, i, k, doubleBits(normal(generator())));
          }
          for (unsigned j = 0; j < s.n; ++j)
            f.setC(b, i, j, doubleBits(normal(generator())));
        }
      f.run(MfmaRounding::SequentialFused);
      for (unsigned b = 0; b < s.blocks; ++b)
        for (unsigned i = 0; i < s.m; ++i)
          for (unsigned j = 0; j < s.n; ++j) {
            double sum = sign(2) * asDouble(f.getC(b, i, j));
            for (unsigned k = 0; k < s.k; ++k)
              sum = std::fma(sign(0) * asDouble(f.getA(b, i, k)),
                             sign(1) * asDouble(f.getB(b, j, k)), sum);
            ASSERT_EQ(f.getD(b, i, j), doubleBits(sum));
          }
    }
}

TEST(Mfma, DoublePrecisionExactSum) {
  MfmaFixture f("v_mfma_f64_16x16x4_f64", "gfx950");
  for (unsigned k = 0; k < 4; ++k)
    f.setA(0, 2, k, doubleBits(k == 1 ? std::ldexp(1.0, -1074) : 1.0));
  const double column[] = {1e300, std::ldexp(1.0, -1000), -1e300, 3.0};
  for (unsigned k = 0; k < 4; ++k)
    f.setB(0, 5, k, doubleBits(column[k]));
  f.setC(0, 2, 5, doubleBits(-3.0));
  f.run(MfmaRounding::ExactThenRound);
  EXPECT_EQ(f.getD(0, 2, 5), 0u);
  f.setB(0, 5, 1, doubleBits(0x1.8p0));
  f.run(MfmaRounding::ExactThenRound);
  // 1.5 2^-1074 is between the two least denormals.
  EXPECT_EQ(f.getD(0, 2, 5), 2u);
  f.setB(0, 5, 0, doubleBits(INFINITY));
  f.run(MfmaRounding::ExactThenRound);
  EXPECT_EQ(asDouble(f.getD(0, 2, 5)), INFINITY);
  f.setB(0, 5, 2, doubleBits(-INFINITY));
  for (MfmaRounding rounding : allRoundings) {
    f.run(rounding);
    EXPECT_EQ(f.getD(0, 2, 5), 0x7ff8000000000000u);
  }
}

TEST(Mfma, SpecialValues) {
  forEachForm(forms, [](const char *name, const char *arch) {
    MfmaFixture f(name, arch);
    const MfmaShape &s = f.shape();
    if (s.b == MfmaType::FP6)
      return;
    fillRandom(f, false);
    // NaN in A's row 1; the largest code (NaN or infinity where there is one)
    // in B's column 2; infinities and a signalling NaN in C.
    unsigned bits = mfmaTypeBits(s.a);
    f.setA(0, 1, 0,
           f.fp8() == Fp8Format::FNUZ && bits == 8
               ? 0x80
               : (uint64_t(1) << (bits - 1)) - 1);
    f.setB(0, 2, 0, f.fp8() == Fp8Format::FNUZ && bits == 8 ? 0x80 : 0x7c);
    f.setC(0, 2, 3, 0x7f800000);
    f.setC(0, 3, 2, 0xff800000);
    f.setC(0, 3, 3, 0xffa00001);
    expectAllPolicies(f);
    for (unsigned j = 0; j < s.n; ++j)
      EXPECT_EQ(f.getD(0, 1, j), 0x7fc00000u);
    EXPECT_EQ(f.getD(0, 2, 3), 0x7f800000u);
    EXPECT_EQ(f.getD(0, 3, 3), 0x7fc00000u);
  });
}

TEST(Mfma, FlushesF32InputsOnlyWhenAsked) {
  MfmaFixture f("v_mfma_f32_16x16x4_f32", "gfx942");
  for (unsigned k = 0; k < 4; ++k) {
    f.setA(0, 1, k, 0x00400000); // 2^-127
    f.setB(0, 1, k, 0x7e800000); // 2^126
  }
  f.setC(0, 1, 1, 0x00000003);
  f.run(MfmaRounding::SequentialFused, nullptr, false);
  EXPECT_EQ(f.getD(0, 1, 1), bitsOf(2.0f));
  f.run(MfmaRounding::SequentialFused, nullptr, true);
  EXPECT_EQ(f.getD(0, 1, 1), 3u);
}

TEST(Mfma, BroadcastsBlocksOfA) {
  for (const char *name :
       {"v_mfma_f32_32x32x4_2b_f16", "v_mfma_f32_16x16x4_4b_bf16",
        "v_mfma_f32_4x4x4_16b_f16", "v_mfma_f32_16x16x1_4b_f32"})
    for (uint8_t cbsz = 1; cbsz <= 4; ++cbsz)
      for (uint8_t abid = 0; abid < 1 << cbsz; ++abid) {
        MfmaModifiers modifiers{cbsz, abid, 0};
        if ((1u << cbsz) > cantFail(parseMfmaName(name, {})).blocks)
          continue;
        MfmaFixture f(name, "gfx942", modifiers), plain(name, "gfx942");
        fillRandom(f, false);
        std::memcpy(plain.regs, f.regs, 512 * 256);
        const MfmaShape &s = f.shape();
        for (unsigned b = 0; b < s.blocks; ++b)
          for (unsigned i = 0; i < s.m; ++i)
            for (unsigned k = 0; k < s.k; ++k)
              plain.setA(b, i, k, f.getA((b >> cbsz << cbsz) + abid, i, k));
        f.run(MfmaRounding::SequentialFused);
        plain.run(MfmaRounding::SequentialFused);
        EXPECT_EQ(
            std::memcmp(f.regs[256], plain.regs[256], s.dRegisters() * 256), 0)
            << name << " cbsz " << int(cbsz) << " abid " << int(abid);
      }
}

TEST(Mfma, PermutesLanesOfB) {
  // From which 16-lane group each group is fed.
  const unsigned groups[8][4] = {{0, 1, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3},
                                 {1, 2, 3, 0}, {0, 0, 0, 0}, {1, 1, 1, 1},
                                 {2, 2, 2, 2}, {3, 3, 3, 3}};
  for (const char *name :
       {"v_mfma_f32_32x32x8_f16", "v_mfma_f32_16x16x4_4b_f16",
        "v_mfma_i32_16x16x32_i8"})
    for (uint8_t blgp = 0; blgp < 8; ++blgp) {
      MfmaFixture f(name, "gfx942", {0, 0, blgp}), plain(name, "gfx942");
      fillRandom(f, false);
      std::memcpy(plain.regs, f.regs, 512 * 256);
      for (unsigned r = 0; r < f.shape().bRegisters(); ++r)
        for (unsigned l = 0; l < 64; ++l)
          plain.regs[16 + r][l] =
              f.regs[16 + r][16 * groups[blgp][l / 16] + l % 16];
      f.run(MfmaRounding::SequentialFused);
      plain.run(MfmaRounding::SequentialFused);
      EXPECT_EQ(std::memcmp(f.regs[256], plain.regs[256],
                            f.shape().dRegisters() * 256),
                0)
          << name << " blgp " << int(blgp);
    }
}

TEST(Mfma, ResultMayOverlapAnySource) {
  for (const char *name :
       {"v_mfma_f32_32x32x16_bf16", "v_mfma_f32_16x16x32_f16",
        "v_mfma_f64_16x16x4_f64", "v_mfma_f32_32x32x4_2b_f16"})
    for (unsigned d : {0u, 2u, 14u, 16u, 30u, 32u, 34u}) {
      MfmaFixture f(name, "gfx950"), overlapping(name, "gfx950");
      fillRandom(f, false);
      std::memcpy(overlapping.regs, f.regs, 512 * 256);
      overlapping.operands.d = uint16_t(d);
      f.run(MfmaRounding::SequentialFused);
      overlapping.run(MfmaRounding::SequentialFused);
      EXPECT_EQ(std::memcmp(f.regs[256], overlapping.regs[d],
                            f.shape().dRegisters() * 256),
                0)
          << name << " d " << d;
    }
}

// The accumulation of every GEMM, for which some forms have a way of their own:
// ordinary values, any finite ones, and any bits at all.
TEST(Mfma, AccumulatesInPlace) {
  forEachForm(forms, [](const char *name, const char *arch) {
    for (int kind = 0; kind < 3; ++kind) {
      MfmaFixture f(name, arch), inPlace(name, arch);
      fillRandom(f, kind == 1);
      for (unsigned row = 0; kind == 2 && row < 64; ++row)
        for (unsigned lane = 0; lane < 64; ++lane)
          f.regs[row][lane] = randomBits();
      std::memcpy(inPlace.regs, f.regs, 512 * 256);
      inPlace.operands.d = inPlace.operands.c.row;
      f.run(MfmaRounding::SequentialFused);
      inPlace.run(MfmaRounding::SequentialFused);
      EXPECT_EQ(std::memcmp(f.regs[256], inPlace.regs[inPlace.operands.d],
                            f.shape().dRegisters() * 256),
                0)
          << "kind " << kind;
    }
  });
}

TEST(Mfma, ConstantC) {
  for (const char *name :
       {"v_mfma_f32_32x32x16_bf16", "v_mfma_f32_16x16x32_f16",
        "v_mfma_f32_4x4x4_16b_f16"}) {
    MfmaFixture f(name, "gfx950");
    fillRandom(f, false);
    f.operands.c = MfmaSource::bits(bitsOf(4.0f));
    expectAllPolicies(f);
  }
  MfmaFixture f("v_mfma_f64_4x4x4_4b_f64", "gfx950");
  for (unsigned r = 0; r < 32; ++r)
    std::fill_n(f.regs[r], 64, 0);
  f.operands.c = MfmaSource::bits(doubleBits(-4.0));
  f.run(MfmaRounding::SequentialFused);
  EXPECT_EQ(f.getD(3, 2, 1), doubleBits(-4.0));
}

TEST(Mfma, CacheFollowsTheRegisters) {
  MfmaCache cache;
  for (int round = 0; round < 3; ++round) {
    MfmaFixture f("v_mfma_f32_16x16x32_bf16", "gfx950");
    fillRandom(f, false);
    expectAllPolicies(f, &cache);
    f.setA(0, 3, 31, 0x4000);
    expectAllPolicies(f, &cache);
    f.setB(0, 15, 0, 0xc000);
    expectAllPolicies(f, &cache);
    // The same registers as another type and shape.
    MfmaFixture g("v_mfma_f32_32x32x16_f16", "gfx950");
    std::memcpy(g.regs, f.regs, 512 * 256);
    fillRandom(g, false);
    expectAllPolicies(g, &cache);
    g.operands.b = g.operands.a;
    expectAllPolicies(g, &cache);
  }
}

TEST(MfmaName, Errors) {
  auto message = [](llvm::StringRef name, MfmaModifiers modifiers) {
    auto shape = parseMfmaName(name, modifiers);
    return shape ? std::string() : llvm::toString(shape.takeError());
  };
  for (const char *name :
       {"v_add_f32", "v_mfma_f32_16x16x33_bf16", "v_mfma_f32_16x16x4_2b_f16",
        "v_mfma_i32_16x16x32_bf16", "v_mfma_scale_f32_16x16x32_bf16",
        "v_mfma_f32_16x32x32_bf16", "v_mfma_f32_", "v_mfma_f32_16x16x4_4_f16",
        "v_mfma_f32_16x16x32_bf16_x"})
    EXPECT_EQ(message(name, {}).find("unknown matrix instruction '" +
                                     std::string(name) + "'"),
              0u)
        << name;
  EXPECT_EQ(message("v_mfma_f32_16x16x128_f8f6f4", {5, 0, 0}),
            "v_mfma_f32_16x16x128_f8f6f4: cbsz is 5, expected a type 0 to 4");
  EXPECT_EQ(message("v_mfma_f32_16x16x128_f8f6f4", {0, 0, 7}),
            "v_mfma_f32_16x16x128_f8f6f4: blgp is 7, expected a type 0 to 4");
  EXPECT_EQ(message("v_mfma_f32_16x16x32_bf16", {0, 0, 8}),
            "v_mfma_f32_16x16x32_bf16: blgp is 8, expected 0 to 7");
  EXPECT_EQ(message("v_mfma_f32_32x32x4_2b_f16", {2, 0, 0}),
            "v_mfma_f32_32x32x4_2b_f16: cbsz 2 asks for groups of 4 blocks, "
            "but there are 2");
  EXPECT_EQ(message("v_mfma_f32_32x32x4_2b_f16", {1, 2, 0}),
            "v_mfma_f32_32x32x4_2b_f16: abid is 2, expected less than 2 with "
            "cbsz 1");
  auto mfma = Mfma::create("v_mfma_f32_16x16x5_f32", {},
                           cantFail(lookupTarget("gfx942")),
                           MfmaRounding::SequentialFused);
  EXPECT_FALSE(bool(mfma));
  llvm::consumeError(mfma.takeError());
}
