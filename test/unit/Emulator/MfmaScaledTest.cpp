//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The f8f6f4 forms: every pair of formats, scales and their lanes and bytes.

#include "MfmaReference.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace fly;
using namespace fly::test;

namespace {

const char *const scaledForms[] = {"v_mfma_scale_f32_16x16x128_f8f6f4",
                                   "v_mfma_scale_f32_32x32x64_f8f6f4"};
const MfmaRounding allRoundings[] = {MfmaRounding::SequentialFused,
                                     MfmaRounding::ExactThenRound,
                                     MfmaRounding::Cdna3Grouped};

std::mt19937 engine(7);

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

void fillRandom(MfmaFixture &f, unsigned lowestScale, unsigned scales) {
  const MfmaShape &s = f.shape();
  auto code = [&](MfmaType type) {
    uint64_t result;
    do
      result = engine() >> (32 - mfmaTypeBits(type));
    while (!std::isfinite(elementValue(type, f.fp8(), result)));
    return result;
  };
  for (unsigned i = 0; i < s.m; ++i) {
    for (unsigned k = 0; k < s.k; ++k) {
      f.setA(0, i, k, code(s.a));
      f.setB(0, i, k, code(s.b));
    }
    for (unsigned kb = 0; kb < s.k / 32; ++kb) {
      f.setScaleA(i, kb, uint8_t(lowestScale + engine() % scales));
      f.setScaleB(i, kb, uint8_t(lowestScale + engine() % scales));
    }
    for (unsigned j = 0; j < s.n; ++j)
      f.setC(0, i, j, bitsOf(std::ldexp(float(int(engine())), -24)));
  }
}

void expectPolicy(MfmaFixture &f, MfmaRounding rounding,
                  MfmaCache *cache = nullptr) {
  f.run(rounding, cache);
  unsigned wrong = 0;
  for (unsigned i = 0; i < f.shape().m; ++i)
    for (unsigned j = 0; j < f.shape().n; ++j) {
      float expected = f.expected(rounding, 0, i, j);
      uint32_t bits = std::isnan(expected) ? 0x7fc00000 : bitsOf(expected);
      if (f.getD(0, i, j) == bits || ++wrong > 3)
        continue;
      ADD_FAILURE() << "policy " << int(rounding) << " D[" << i << "][" << j
                    << "] is " << std::hex << f.getD(0, i, j) << ", expected "
                    << bits;
    }
  EXPECT_EQ(wrong, 0u);
}

} // namespace

TEST(MfmaScaled, EveryPairOfFormats) {
  for (const char *name :
       {"v_mfma_f32_16x16x128_f8f6f4", "v_mfma_f32_32x32x64_f8f6f4",
        scaledForms[0], scaledForms[1]})
    for (uint8_t a = 0; a < 5; ++a)
      for (uint8_t b = 0; b < 5; ++b) {
        SCOPED_TRACE(std::string(name) + " " + std::to_string(a) + " " +
                     std::to_string(b));
        MfmaFixture f(name, "gfx950", {a, 0, b});
        f.operands.scaleByteA = uint8_t(engine() % 4);
        f.operands.scaleByteB = uint8_t(engine() % 4);
        fillRandom(f, 120, 12);
        MfmaCache cache;
        expectPolicy(f, MfmaRounding::SequentialFused, &cache);
        expectPolicy(f, MfmaRounding::SequentialFused, &cache);
        expectPolicy(f, MfmaRounding::ExactThenRound);
        expectPolicy(f, MfmaRounding::Cdna3Grouped);
      }
}

// A different power of two in every (row, block) and byte; the operands are
// ones, one block at a time, so that D shows the scales that were used.
TEST(MfmaScaled, ScaleLanesAndBytes) {
  for (const char *name : scaledForms)
    for (uint8_t byteA = 0; byteA < 4; ++byteA)
      for (uint8_t byteB = 0; byteB < 4; ++byteB) {
        MfmaFixture f(name, "gfx950");
        const MfmaShape &s = f.shape();
        f.operands.c = MfmaSource::bits(0);
        auto scaleA = [](unsigned lane, unsigned byte) {
          return 60 + lane % 32 + 32 * (lane / 32) + (byte * 17) % 5;
        };
        auto scaleB = [](unsigned lane, unsigned byte) {
          return 90 + (lane * 7 + byte * 29) % 61;
        };
        for (unsigned lane = 0; lane < 64; ++lane) {
          f.regs[80][lane] = f.regs[81][lane] = 0;
          for (unsigned byte = 0; byte < 4; ++byte) {
            f.regs[80][lane] |= scaleA(lane, byte) << 8 * byte;
            f.regs[81][lane] |= scaleB(lane, byte) << 8 * byte;
          }
        }
        f.operands.scaleByteA = byteA;
        f.operands.scaleByteB = byteB;
        for (unsigned kb = 0; kb < s.k / 32; ++kb) {
          for (unsigned i = 0; i < s.m; ++i)
            for (unsigned k = 0; k < s.k; ++k) {
              f.setA(0, i, k, k == 32 * kb + 5 ? 0x38 : 0);
              f.setB(0, i, k, k == 32 * kb + 5 ? 0x38 : 0);
            }
          f.run(MfmaRounding::SequentialFused);
          for (unsigned i = 0; i < s.m; ++i)
            for (unsigned j = 0; j < s.n; ++j) {
              int exponent = int(scaleA(kb * s.m + i, byteA)) +
                             int(scaleB(kb * s.n + j, byteB)) - 254;
              ASSERT_EQ(f.getD(0, i, j), bitsOf(std::ldexp(1.0f, exponent)))
                  << name << " " << i << " " << j << " block " << kb;
            }
        }
      }
}

TEST(MfmaScaled, EveryScaleCode) {
  for (const char *name : scaledForms)
    for (uint8_t type : {0, 1, 4}) {
      SCOPED_TRACE(std::string(name) + " " + std::to_string(type));
      MfmaFixture f(name, "gfx950", {type, 0, type});
      fillRandom(f, 127, 1);
      for (unsigned first = 0; first < 256; first += f.shape().m) {
        for (unsigned i = 0; i < f.shape().m; ++i)
          for (unsigned kb = 0; kb < f.shape().k / 32; ++kb) {
            f.setScaleA(i, kb, uint8_t(first + i));
            f.setScaleB(i, kb, uint8_t(254 - first - i + int(engine() % 9)));
          }
        for (MfmaRounding rounding : allRoundings)
          expectPolicy(f, rounding);
      }
    }
}

TEST(MfmaScaled, ScaleOfZeroIsAnOption) {
  const TargetInfo &target = llvm::cantFail(lookupTarget("gfx950"));
  struct {
    ScaleZero zero;
    float value;
  } cases[] = {{ScaleZero::Minus127, 0x1p-7f},
               {ScaleZero::Minus126, 0x1p-6f},
               {ScaleZero::Flush, 0.0f}};
  for (const auto &c : cases)
    for (MfmaRounding rounding : allRoundings) {
      MfmaFixture f("v_mfma_scale_f32_16x16x128_f8f6f4", "gfx950", {0, 0, 0});
      for (unsigned i = 0; i < 16; ++i)
        for (unsigned k = 0; k < 128; ++k) {
          f.setA(0, i, k, k == 0 ? 0x38 : 0); // 1
          f.setB(0, i, k, k == 0 ? 0x38 : 0);
        }
      for (unsigned i = 0; i < 16; ++i)
        for (unsigned kb = 0; kb < 4; ++kb) {
          f.setScaleA(i, kb, 0);
          f.setScaleB(i, kb, 127 + 120);
          for (unsigned j = 0; j < 16; ++j)
            f.setC(0, i, j, 0);
        }
      Mfma mfma =
          llvm::cantFail(Mfma::create("v_mfma_scale_f32_16x16x128_f8f6f4",
                                      {0, 0, 0}, target, rounding, c.zero));
      mfma.execute(f.regs, f.operands);
      EXPECT_EQ(f.getD(0, 3, 5), bitsOf(c.value));
    }
}

TEST(MfmaScaled, Scale255PoisonsItsRowAndColumnOnly) {
  for (const char *name : scaledForms)
    for (MfmaRounding rounding : allRoundings) {
      MfmaFixture f(name, "gfx950", {4, 0, 0});
      fillRandom(f, 126, 3);
      f.setScaleA(5, 1, 255);
      f.setScaleB(9, 0, 255);
      f.run(rounding);
      for (unsigned i = 0; i < f.shape().m; ++i)
        for (unsigned j = 0; j < f.shape().n; ++j)
          EXPECT_EQ(f.getD(0, i, j) == 0x7fc00000, i == 5 || j == 9);
    }
}

TEST(MfmaScaled, ConstantScales) {
  struct {
    float constant;
    uint8_t code;
  } floats[] = {{1.0f, 127}, {0.5f, 126}, {2.0f, 128}, {-4.0f, 129}};
  for (auto [constant, code] : floats) {
    MfmaFixture f(scaledForms[0], "gfx950");
    fillRandom(f, 127, 4);
    for (unsigned i = 0; i < 16; ++i)
      for (unsigned kb = 0; kb < 4; ++kb)
        f.setScaleA(i, kb, code);
    f.run(MfmaRounding::SequentialFused);
    std::vector<uint32_t> byRegister(f.regs[256], f.regs[260]);
    f.operands.scaleA = MfmaSource::bits(bitsOf(constant));
    f.run(MfmaRounding::SequentialFused);
    EXPECT_EQ(byRegister, std::vector<uint32_t>(f.regs[256], f.regs[260]));
  }
  for (uint32_t integer : {64u, uint32_t(-1)}) {
    MfmaFixture f(scaledForms[0], "gfx950");
    for (unsigned k = 0; k < 128; ++k) {
      f.setA(0, 0, k, k == 0 ? 0x38 : 0);
      f.setB(0, 0, k, k == 0 ? 0x38 : 0);
    }
    f.operands.c = MfmaSource::bits(0);
    f.operands.scaleA = MfmaSource::bits(integer);
    f.operands.scaleB = MfmaSource::bits(bitsOf(2.0f));
    f.run(MfmaRounding::SequentialFused);
    EXPECT_EQ(f.getD(0, 0, 0), bitsOf(std::ldexp(1.0f, -126)));
  }
}

TEST(MfmaScaled, AbsAndNegOfC) {
  for (int mods = 0; mods < 4; ++mods) {
    MfmaFixture f("v_mfma_f32_16x16x128_f8f6f4", "gfx950", {4, 0, 4});
    fillRandom(f, 127, 1);
    f.operands.absC = mods & 1;
    f.operands.negC = mods & 2;
    expectPolicy(f, MfmaRounding::SequentialFused);
    expectPolicy(f, MfmaRounding::ExactThenRound);
  }
}
