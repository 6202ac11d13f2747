//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// v_mfma_f64_*: operands in register pairs, sequential fused multiply-adds.

#include "MfmaInternal.h"
#include "MfmaSum.h"

#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "MfmaF64.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fly::mfma {
namespace HWY_NAMESPACE {

/// sum[j] = fma(a, b[j], sum[j]) for \p n columns.
static void addRow(double a, const double *b, double *sum, unsigned n) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<double, 4> f;
  for (unsigned j = 0; j < n; j += unsigned(hn::Lanes(f))) {
#if HWY_NATIVE_FMA
    hn::StoreU(
        hn::MulAdd(hn::Set(f, a), hn::LoadU(f, b + j), hn::LoadU(f, sum + j)),
        f, sum + j);
#else
    for (unsigned lane = 0; lane < hn::Lanes(f); ++lane)
      sum[j + lane] = std::fma(a, b[j + lane], sum[j + lane]);
#endif
  }
}

} // namespace HWY_NAMESPACE
} // namespace fly::mfma
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fly::mfma {
HWY_EXPORT(addRow);

/// The value of \p lane in the register pair at \p rows.
static double loadPair(const uint32_t *rows, unsigned lane, bool negate) {
  uint64_t bits = uint64_t(rows[64 + lane]) << 32 | rows[lane];
  double value;
  std::memcpy(&value, &bits, 8);
  return negate ? -value : value;
}

static void storePair(double value, uint32_t *rows, unsigned lane) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  if (std::isnan(value))
    bits = 0x7ff8000000000000;
  rows[lane] = uint32_t(bits);
  rows[64 + lane] = uint32_t(bits >> 32);
}

/// A[i][k] or B[k][i] of a block lies in this lane; k and blocks are 4 and 1,
/// or 4 and 4.
static unsigned inputLane(const MfmaShape &shape, unsigned block, unsigned i,
                          unsigned k) {
  return block * shape.m + k * shape.m * shape.blocks + i;
}

/// One row of D, \p sum holding C and then the result.
static void multiplyRow(const double *a, const double (*b)[16], double *sum,
                        const MfmaShape &shape, MfmaRounding rounding) {
  if (rounding != MfmaRounding::ExactThenRound) {
    for (unsigned k = 0; k < shape.k; ++k)
      HWY_DYNAMIC_DISPATCH(addRow)(a[k], b[k], sum, shape.n);
    return;
  }
  for (unsigned j = 0; j < shape.n; ++j) {
    ExactSum exact;
    exact.add(sum[j]);
    for (unsigned k = 0; k < shape.k; ++k)
      exact.addProduct(a[k], b[k][j]);
    sum[j] = exact.toDouble();
  }
}

void multiplyF64(const MfmaShape &shape, const uint32_t *a, const uint32_t *b,
                 const Accumulator &accumulator, unsigned negate,
                 MfmaRounding rounding) {
  // All of A and B first: D may be the same registers.
  double rows[4][16][4], columns[4][4][16];
  for (unsigned block = 0; block < shape.blocks; ++block)
    for (unsigned k = 0; k < shape.k; ++k)
      for (unsigned i = 0; i < shape.m; ++i) {
        unsigned lane = inputLane(shape, block, i, k);
        rows[block][i][k] = loadPair(a, lane, negate & 1);
        columns[block][k][i] = loadPair(b, lane, negate & 2);
      }
  for (unsigned block = 0; block < shape.blocks; ++block)
    for (unsigned i = 0; i < shape.m; ++i) {
      size_t pair = size_t(i) / 4 * 128;
      unsigned lane = 16 * (i % 4) + 4 * block;
      double sum[16];
      for (unsigned j = 0; j < shape.n; ++j)
        sum[j] = loadPair(accumulator.c + pair, lane + j, negate & 4);
      multiplyRow(rows[block][i], columns[block], sum, shape, rounding);
      for (unsigned j = 0; j < shape.n; ++j)
        storePair(sum[j], accumulator.d + pair, lane + j);
    }
}

} // namespace fly::mfma
#endif
