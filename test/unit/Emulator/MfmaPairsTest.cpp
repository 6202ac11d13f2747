//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The products that use VDPBF16PS against the fused ones, bit for bit. The
// instruction loses denormals, so the operands come from bands of exponents
// around every bound at which one can come up, and from the edges of f32.

#include "MfmaInternal.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace fly;
using namespace fly::mfma;

namespace {

/// Biased exponents first .. last, of the values of one operand.
struct Band {
  unsigned first, last;
};

class Values {
public:
  explicit Values(unsigned seed) : generator(seed) {}

  /// A float with \p mantissa random bits, or now and then a zero.
  uint32_t draw(Band band, uint32_t mantissa) {
    uint32_t random = uint32_t(generator());
    uint32_t sign = random & 0x80000000u;
    if (random % 16 == 0)
      return sign;
    uint32_t exponent =
        band.first + uint32_t(generator()) % (band.last - band.first + 1);
    return sign | exponent << 23 | (random & mantissa);
  }
  uint32_t drawBf16(Band band) { return draw(band, 0x007f0000u); }

private:
  std::mt19937 generator;
};

struct alignas(64) Operands {
  float a[maxValues], b[maxValues];
  uint32_t aRows[maxOperandRegisters][64], bRows[maxOperandRegisters][64];
  uint32_t c[maxResultRegisters][64], d[maxResultRegisters][64];
  uint32_t expected[maxResultRegisters][64];
};

MfmaShape shapeOf(unsigned m, unsigned k) {
  MfmaShape shape;
  shape.m = shape.n = m;
  shape.k = k;
  shape.a = shape.b = MfmaType::BF16;
  return shape;
}

/// Registers of bf16 and the same values unpacked, [k][m].
void fill(Values &values, Band band, const MfmaShape &shape,
          uint32_t (*rows)[64], float *unpacked) {
  unsigned registers = shape.m * shape.k / 128;
  for (unsigned r = 0; r < registers; ++r)
    for (unsigned lane = 0; lane < 64; ++lane) {
      uint32_t even = values.drawBf16(band), odd = values.drawBf16(band);
      rows[r][lane] = even >> 16 | odd;
      unsigned k = (lane / shape.m * registers + r) * 2;
      std::memcpy(&unpacked[k * shape.m + lane % shape.m], &even, 4);
      std::memcpy(&unpacked[(k + 1) * shape.m + lane % shape.m], &odd, 4);
    }
}

bool equal(const MfmaShape &shape, const Operands &o) {
  return std::memcmp(o.d, o.expected, shape.dRegisters() * sizeof(o.d[0])) == 0;
}

/// Both forms of the pairs against the fused form. Says whether any sum was a
/// denormal, so that a test sees that it tests something.
bool checkOnce(Values &values, const MfmaShape &shape, Band ab, Band c) {
  static Operands o;
  fill(values, ab, shape, o.aRows, o.a);
  fill(values, ab, shape, o.bRows, o.b);
  bool denormal = false;
  for (unsigned r = 0; r < shape.dRegisters(); ++r)
    for (uint32_t &value : o.c[r])
      value = values.draw(c, 0x007fffffu);
  multiplyFused(shape, o.a, o.b, {o.c[0], 64, o.expected[0]});
  for (unsigned r = 0; r < shape.dRegisters(); ++r)
    for (uint32_t value : o.expected[r])
      denormal |= (value & 0x7f800000u) == 0 && (value & 0x007fffffu) != 0;

  static uint32_t pairsA[maxValues], pairsB[maxValues];
  bool smallA = packPairs(shape.m, shape.k, o.a, pairsA);
  bool smallB = packPairs(shape.m, shape.k, o.b, pairsB);
  multiplyPairs(shape, {pairsA, smallA}, {pairsB, smallB},
                {o.c[0], 64, o.d[0]});
  EXPECT_TRUE(equal(shape, o)) << "of pairs";
  std::memcpy(o.d, o.c, sizeof(o.d));
  multiplyBf16Pairs(shape, o.aRows[0], o.bRows[0], o.d[0]);
  EXPECT_TRUE(equal(shape, o)) << "of registers";
  std::memcpy(o.d, o.c, sizeof(o.d));
  multiplyFromRegisters(shape, o.aRows[0], o.bRows[0], o.d[0]);
  EXPECT_TRUE(equal(shape, o)) << "of registers, fused";
  return denormal;
}

const MfmaShape shapes[] = {shapeOf(16, 8), shapeOf(16, 16), shapeOf(16, 32),
                            shapeOf(32, 4), shapeOf(32, 8),  shapeOf(32, 16)};

/// For each shape; returns how many of the products had denormals.
unsigned checkBands(Band ab, Band c) {
  Values values(ab.first * 256 + c.first);
  unsigned denormals = 0;
  for (const MfmaShape &shape : shapes)
    for (unsigned i = 0; i < 8; ++i) {
      denormals += checkOnce(values, shape, ab, c);
      if (testing::Test::HasFailure()) {
        ADD_FAILURE() << shape.m << "x" << shape.m << "x" << shape.k
                      << ", exponents of A and B from " << ab.first
                      << ", of C from " << c.first;
        return denormals;
      }
    }
  return denormals;
}

TEST(MfmaPairs, OrdinaryValues) {
  if (!hasPairs())
    GTEST_SKIP() << "this CPU has no AVX512_BF16";
  EXPECT_EQ(checkBands({100, 140}, {100, 140}), 0u);
}

TEST(MfmaPairs, AroundTheBoundsOfDenormals) {
  if (!hasPairs())
    GTEST_SKIP() << "this CPU has no AVX512_BF16";
  unsigned denormals = 0;
  for (unsigned ab = 50; ab <= 75; ++ab)
    for (unsigned c : {0u, 1u, 10u, 22u, 23u, 24u, 25u, 30u})
      denormals += checkBands({ab, ab + 1}, {c, c + 1});
  EXPECT_GT(denormals, 1000u);
}

TEST(MfmaPairs, DenormalOperands) {
  if (!hasPairs())
    GTEST_SKIP() << "this CPU has no AVX512_BF16";
  EXPECT_GT(checkBands({0, 127}, {0, 60}), 0u);
  EXPECT_GT(checkBands({0, 0}, {0, 0}), 0u);
  checkBands({0, 255}, {0, 255});
}

TEST(MfmaPairs, InfinitiesAndNaNs) {
  if (!hasPairs())
    GTEST_SKIP() << "this CPU has no AVX512_BF16";
  // Products beyond f32 that C may bring back, and what has no exponent more.
  checkBands({185, 192}, {240, 254});
  checkBands({127, 254}, {127, 254});
  checkBands({250, 255}, {100, 255});
  checkBands({255, 255}, {127, 127});
}

/// A product takes away all of C but its last bit.
TEST(MfmaPairs, LastBitOfC) {
  if (!hasPairs())
    GTEST_SKIP() << "this CPU has no AVX512_BF16";
  const MfmaShape shape = shapeOf(16, 16);
  static Operands o;
  for (unsigned exponent = 10; exponent < 40; ++exponent) {
    for (unsigned lane = 0; lane < 16; ++lane) {
      o.aRows[0][lane] = (127 - 50) << 7;
      o.bRows[0][lane] = (exponent + 50) << 7;
    }
    for (auto &row : o.d)
      for (uint32_t &sum : row)
        sum = 0x80000001u | exponent << 23;
    multiplyBf16Pairs(shape, o.aRows[0], o.bRows[0], o.d[0]);
    float expected = -std::ldexp(1.0f, int(exponent) - 127 - 23), found;
    std::memcpy(&found, &o.d[1][17], 4);
    EXPECT_EQ(found, expected) << exponent;
  }
}

/// One value too small among ordinary ones, at every place of A, B and C.
TEST(MfmaPairs, OneSmallValueAnywhere) {
  if (!hasPairs())
    GTEST_SKIP() << "this CPU has no AVX512_BF16";
  const MfmaShape shape = shapeOf(16, 16);
  static Operands o;
  unsigned registers = shape.m * shape.k / 128;
  auto check = [&](uint32_t (*rows)[64], unsigned r, unsigned lane,
                   uint32_t value) {
    for (unsigned i = 0; i < registers; ++i)
      for (unsigned l = 0; l < 64; ++l)
        o.aRows[i][l] = o.bRows[i][l] = 0;
    for (auto &row : o.c)
      for (uint32_t &sum : row)
        sum = 0x00800000u; // with the small one, a sum that needs 2^-149
    // A and B are zero but for the row or column of the value.
    uint32_t one = 0x3f803f80u;
    for (unsigned i = 0; i < registers; ++i)
      for (unsigned l = 0; l < 64; ++l)
        (rows == o.aRows ? o.bRows : o.aRows)[i][l] = one;
    rows[r][lane] = value;
    std::memcpy(o.d, o.c, sizeof(o.d));
    std::memcpy(o.expected, o.c, sizeof(o.d));
    multiplyFromRegisters(shape, o.aRows[0], o.bRows[0], o.expected[0]);
    multiplyBf16Pairs(shape, o.aRows[0], o.bRows[0], o.d[0]);
    EXPECT_TRUE(equal(shape, o)) << "register " << r << " lane " << lane;
    // Not so with a small C: there the products are zero, and D is C.
    bool changes =
        std::memcmp(o.c, o.d, shape.dRegisters() * sizeof(o.d[0])) != 0;
    EXPECT_EQ(changes, rows != o.c);
  };
  for (uint32_t value : {0x00000001u, 0x00010000u, 0x80010000u, 0x00008040u})
    for (unsigned r = 0; r < registers; ++r)
      for (unsigned lane = 0; lane < 64; ++lane) {
        check(o.aRows, r, lane, value);
        check(o.bRows, r, lane, value);
      }
  for (unsigned r = 0; r < shape.dRegisters(); ++r)
    for (unsigned lane = 0; lane < 64; ++lane)
      check(o.c, r, lane, 0x00000003u);
}

} // namespace
