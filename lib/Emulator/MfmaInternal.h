//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The steps of an MFMA, between the files that implement it.
///
/// Operands are unpacked to f32 [blocks][k][m] ("k-major": a row holds the m
/// values of one k), in 64-byte aligned memory. The 4x4 forms, whose 16 blocks
/// lie side by side in the lanes, are unpacked as [k][64], lane order.

#ifndef FLY_LIB_EMULATOR_MFMAINTERNAL_H
#define FLY_LIB_EMULATOR_MFMAINTERNAL_H

#include "fly/Emulator/Mfma.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fly::mfma {

/// The most values of an unpacked operand: 16 x 128, 32 x 64, 32 x 32 (2
/// blocks of 32 x 4, ...).
inline constexpr size_t maxValues = 2048;
/// The most scales of an operand: 64, one a lane.
inline constexpr size_t maxScales = 64;
/// The most 32-bit registers of an operand and of a result.
inline constexpr size_t maxOperandRegisters = 8, maxResultRegisters = 32;

/// How one operand (A or B) lies in the registers.
struct OperandLayout {
  MfmaType type;
  Fp8Format fp8;
  unsigned m, k, blocks;
  unsigned registers;
  bool flush; ///< f32: denormals count as zero
};

/// Unpacks \p layout from \p rows (register r at rows + 64 r). Values of row k
/// are multiplied with scales[k / 32][m] unless \p scales is null.
void unpack(const OperandLayout &layout, const uint32_t *rows,
            const float *scales, float *values);

/// Where C comes from and D goes to: register r is at c + r * cStride. C and D
/// are either the same registers or do not overlap.
struct Accumulator {
  const uint32_t *c;
  size_t cStride; ///< 64, or 0 for one row for all registers
  uint32_t *d;    ///< stride 64
};

/// Register and first lane of row i of block b; its n values follow in the
/// next lanes.
struct RowPlace {
  unsigned reg, lane;
};
template <unsigned M> inline RowPlace placeOfRow(unsigned block, unsigned i) {
  if (M == 4)
    return {i, 4 * block};
  constexpr unsigned groups = 64 / M;
  return {block * M * M / 64 + i / (4 * groups) * 4 + i % 4,
          i / 4 % groups * M};
}
inline RowPlace placeOfRow(const MfmaShape &shape, unsigned block, unsigned i) {
  return shape.m == 4    ? placeOfRow<4>(block, i)
         : shape.m == 16 ? placeOfRow<16>(block, i)
                         : placeOfRow<32>(block, i);
}

/// SequentialFused over unpacked f32 operands; for I32 the products are exact
/// in f32 and C is added as integers.
void multiplyFused(const MfmaShape &shape, const float *a, const float *b,
                   const Accumulator &accumulator);

/// SequentialFused of a one-block form of bf16 or f16 from its registers. D is
/// C, and apart from B.
void multiplyFromRegisters(const MfmaShape &shape, const uint32_t *aRows,
                           const uint32_t *bRows, uint32_t *d);

/// Whether the CPU has VDPBF16PS, and with it the functions on pairs below.
/// They take one block of 16x16 or 32x32 and types whose values bf16 holds
/// exactly. A pair is a dword with an even k in the high half and the next in
/// the low one; they lie as [k / 2][m].
bool hasPairs();

struct PairsOperand {
  const uint32_t *pairs;
  bool small; ///< what packPairs() said
};

/// The pairs of unpacked values. True if some are so small that sums of their
/// products may be denormals, with which the CPU needs longer.
bool packPairs(unsigned m, unsigned k, const float *values, uint32_t *pairs);

/// multiplyFused() of pairs.
void multiplyPairs(const MfmaShape &shape, const PairsOperand &a,
                   const PairsOperand &b, const Accumulator &accumulator);

/// multiplyFromRegisters() of bf16 by pairs.
void multiplyBf16Pairs(const MfmaShape &shape, const uint32_t *aRows,
                       const uint32_t *bRows, uint32_t *d);

/// F64, whose operands stay in the registers: A, B and C have rows in pairs,
/// low and high halves. The bits of \p negate: A, B, C.
void multiplyF64(const MfmaShape &shape, const uint32_t *a, const uint32_t *b,
                 const Accumulator &accumulator, unsigned negate,
                 MfmaRounding rounding);

/// An operand for the policies that look at each product: unscaled values, and
/// exponents of scales as [k / 32][m], null if there are none.
struct ScaledOperand {
  const float *values;
  const int16_t *scales;
  /// The exponent of the type's denormals.
  int minExponent;
};
/// Stands for a scale that is NaN, and for one that is zero.
inline constexpr int16_t nanScale = 128, flushedScale = -32768;

/// Every policy with f32 results, one product after another and without any
/// limit on the scales.
void multiplyScalar(const MfmaShape &shape, const ScaledOperand &a,
                    const ScaledOperand &b, const Accumulator &accumulator,
                    MfmaRounding rounding);

/// One product of the grouped scheme: significand times 2^exponent, the
/// significand not normalised.
struct GroupedProduct {
  double significand;
  int exponent;
};

/// One group of Cdna3Grouped: its products and the sum so far. \p halves: even
/// and odd products are summed separately, as the fp8 forms do.
float addGroup(llvm::ArrayRef<GroupedProduct> products, float c, bool halves);

/// The exponent of the denormals of \p type.
int minExponent(MfmaType type, Fp8Format fp8);

/// One row of A or column of B, for the policies that look at each product.
struct Line {
  std::vector<double> values;
  std::vector<GroupedProduct> parts; ///< the same, taken apart

  /// Adds value 2^scale; \p minExponent is that of its type.
  void append(double value, int minExponent, int scale);
};

/// c and the products of two lines, rounded by \p rounding; \p shape gives the
/// type and the K by which Cdna3Grouped makes its groups.
float dot(const MfmaShape &shape, const Line &a, const Line &b, float c,
          MfmaRounding rounding);

/// Where A[i][k] or B[k][i] of a block is in unpacked values.
inline size_t valueIndex(const MfmaShape &shape, unsigned block, unsigned i,
                         unsigned k) {
  if (shape.m == 4)
    return size_t(k) * 64 + 4 * block + i;
  return (size_t(block) * shape.k + k) * shape.m + i;
}

} // namespace fly::mfma

#endif // FLY_LIB_EMULATOR_MFMAINTERNAL_H
