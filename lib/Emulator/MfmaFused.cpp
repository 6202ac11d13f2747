//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The products of SequentialFused, compiled for several vector
// instruction sets. Where the CPU has no fused multiply-add, std::fma takes its
// place: slow, and bit for bit the same.

#include "MfmaInternal.h"

#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "MfmaFused.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fly::mfma {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using F32 = hn::CappedTag<float, 16>;
using I32 = hn::RebindToSigned<F32>;
using VecF = hn::Vec<F32>;

static HWY_INLINE VecF fusedMultiplyAdd(VecF a, VecF b, VecF c) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, b, c);
#else
  const F32 f;
  alignas(64) float x[16], y[16], z[16];
  hn::Store(a, f, x);
  hn::Store(b, f, y);
  hn::Store(c, f, z);
  for (size_t i = 0; i < hn::Lanes(f); ++i)
    z[i] = std::fma(x[i], y[i], z[i]);
  return hn::Load(f, z);
#endif
}

/// What begins and ends an accumulator: C and D as floats.
struct FloatResult {
  static HWY_INLINE VecF begin(const uint32_t *c) {
    return hn::LoadU(F32(), reinterpret_cast<const float *>(c));
  }
  static HWY_INLINE void end(VecF sum, const uint32_t *, uint32_t *d) {
    const F32 f;
    hn::StoreU(sum, f, reinterpret_cast<float *>(d));
  }
  /// Replaces the NaNs in a row of D.
  static HWY_INLINE void canonicalize(uint32_t *d) {
    const F32 f;
    float *row = reinterpret_cast<float *>(d);
    VecF sum = hn::LoadU(f, row);
    hn::StoreU(hn::IfThenElse(hn::IsNaN(sum),
                              hn::BitCast(f, hn::Set(I32(), 0x7fc00000)), sum),
               f, row);
  }
};

/// An exact sum of integers below 2^24, to be added to the integer C.
struct IntResult {
  static HWY_INLINE VecF begin(const uint32_t *) { return hn::Zero(F32()); }
  static HWY_INLINE void end(VecF sum, const uint32_t *c, uint32_t *d) {
    const I32 s;
    auto old = hn::LoadU(s, reinterpret_cast<const int32_t *>(c));
    hn::StoreU(hn::Add(old, hn::ConvertTo(s, sum)), s,
               reinterpret_cast<int32_t *>(d));
  }
  static HWY_INLINE void canonicalize(uint32_t *) {}
};

/// Rows i0 .. i0 + R of one block, V vectors of columns from j0 on.
template <unsigned R, unsigned V, typename Result>
static HWY_INLINE void tile(const MfmaShape &shape, const float *a,
                            const float *b, const Accumulator &accumulator,
                            unsigned block, unsigned i0, unsigned j0) {
  const F32 f;
  const size_t lanes = hn::Lanes(f);
  const size_t m = shape.m;
  const uint32_t *c[R];
  uint32_t *d[R];
  VecF sum[R][V];
  for (unsigned r = 0; r < R; ++r) {
    RowPlace place = placeOfRow(shape, block, i0 + r);
    c[r] = accumulator.c + place.reg * accumulator.cStride + place.lane + j0;
    d[r] = accumulator.d + size_t(place.reg) * 64 + place.lane + j0;
    for (unsigned v = 0; v < V; ++v)
      sum[r][v] = Result::begin(c[r] + v * lanes);
  }
  const float *aRow = a + size_t(block) * shape.k * m + i0;
  const float *bRow = b + size_t(block) * shape.k * m + j0;
  for (unsigned k = 0; k < shape.k; ++k, aRow += m, bRow += m) {
    VecF columns[V];
    for (unsigned v = 0; v < V; ++v)
      columns[v] = hn::LoadU(f, bRow + v * lanes);
    for (unsigned r = 0; r < R; ++r) {
      VecF row = hn::Set(f, aRow[r]);
      for (unsigned v = 0; v < V; ++v)
        sum[r][v] = fusedMultiplyAdd(row, columns[v], sum[r][v]);
    }
  }
  auto nan = hn::IsNaN(sum[0][0]);
  for (unsigned r = 0; r < R; ++r)
    for (unsigned v = 0; v < V; ++v) {
      nan = hn::Or(nan, hn::IsNaN(sum[r][v]));
      Result::end(sum[r][v], c[r] + v * lanes, d[r] + v * lanes);
    }
  if (HWY_UNLIKELY(!hn::AllFalse(f, nan)))
    for (unsigned r = 0; r < R; ++r)
      for (unsigned v = 0; v < V; ++v)
        Result::canonicalize(d[r] + v * lanes);
}

/// 16x16 and 32x32: as many accumulators as the CPU has registers for.
template <typename Result>
static void multiplyTiles(const MfmaShape &shape, const float *a,
                          const float *b, const Accumulator &accumulator) {
  const unsigned lanes = unsigned(hn::Lanes(F32()));
  for (unsigned block = 0; block < shape.blocks; ++block) {
    if (lanes == 16 && shape.m == 16) {
      tile<16, 1, Result>(shape, a, b, accumulator, block, 0, 0);
    } else if (lanes == 16) {
      for (unsigned i = 0; i < shape.m; i += 8)
        tile<8, 2, Result>(shape, a, b, accumulator, block, i, 0);
    } else {
      for (unsigned i = 0; i < shape.m; i += 4)
        for (unsigned j = 0; j < shape.n; j += 2 * lanes)
          tile<4, 2, Result>(shape, a, b, accumulator, block, i, j);
    }
  }
}

/// Row I of all sixteen 4x4 blocks: register I, lane 4 * block + column.
template <unsigned I, typename Result>
static HWY_INLINE void rowOfSmallBlocks(const MfmaShape &shape, const float *a,
                                        const float *b,
                                        const Accumulator &accumulator) {
  const F32 f;
  for (size_t lane = 0; lane < 64; lane += hn::Lanes(f)) {
    const uint32_t *c = accumulator.c + I * accumulator.cStride + lane;
    uint32_t *d = accumulator.d + I * 64 + lane;
    VecF sum = Result::begin(c);
    for (unsigned k = 0; k < shape.k; ++k)
      sum = fusedMultiplyAdd(hn::Broadcast<I>(hn::LoadU(f, a + k * 64 + lane)),
                             hn::LoadU(f, b + k * 64 + lane), sum);
    Result::end(sum, c, d);
    Result::canonicalize(d);
  }
}

template <typename Result>
static void multiplyAll(const MfmaShape &shape, const float *a, const float *b,
                        const Accumulator &accumulator) {
  if (shape.m != 4)
    return multiplyTiles<Result>(shape, a, b, accumulator);
  rowOfSmallBlocks<0, Result>(shape, a, b, accumulator);
  rowOfSmallBlocks<1, Result>(shape, a, b, accumulator);
  rowOfSmallBlocks<2, Result>(shape, a, b, accumulator);
  rowOfSmallBlocks<3, Result>(shape, a, b, accumulator);
}

static void multiplyFusedImpl(const MfmaShape &shape, const float *a,
                              const float *b, const Accumulator &accumulator) {
  if (shape.result == MfmaResult::I32)
    multiplyAll<IntResult>(shape, a, b, accumulator);
  else
    multiplyAll<FloatResult>(shape, a, b, accumulator);
}

} // namespace HWY_NAMESPACE
} // namespace fly::mfma
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fly::mfma {
HWY_EXPORT(multiplyFusedImpl);
void multiplyFused(const MfmaShape &shape, const float *a, const float *b,
                   const Accumulator &accumulator) {
  HWY_DYNAMIC_DISPATCH(multiplyFusedImpl)(shape, a, b, accumulator);
}
} // namespace fly::mfma
#endif
