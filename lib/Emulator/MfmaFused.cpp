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

/// B as unpacked values.
template <unsigned M> struct UnpackedB {
  const float *values; ///< of the block

  /// Calls body(k, columns) for k ascending, with V vectors from column j0 on.
  template <unsigned V, typename Body>
  HWY_INLINE void forEachK(unsigned count, unsigned j0, Body body) const {
    const F32 f;
    const float *row = values + j0;
    for (unsigned k = 0; k < count; ++k, row += M) {
      VecF columns[V];
      for (unsigned v = 0; v < V; ++v)
        columns[v] = hn::LoadU(f, row + v * hn::Lanes(f));
      body(k, columns);
    }
  }
};

using U32 = hn::RebindToUnsigned<F32>;
using VecU = hn::Vec<U32>;

/// The two bf16 of each dword as floats.
struct Bf16Pair {
  static HWY_INLINE VecF even(VecU pair) {
    return hn::BitCast(F32(), hn::ShiftLeft<16>(pair));
  }
  static HWY_INLINE VecF odd(VecU pair) {
    return hn::BitCast(F32(), hn::And(pair, hn::Set(U32(), 0xffff0000u)));
  }
};

/// The two f16 of each dword as floats.
struct F16Pair {
  static HWY_INLINE VecF even(VecU pair) {
    const hn::Rebind<uint16_t, F32> bits;
    const hn::Rebind<hwy::float16_t, F32> half;
    VecU low = hn::And(pair, hn::Set(U32(), 0xffffu));
    return hn::PromoteTo(F32(), hn::BitCast(half, hn::TruncateTo(bits, low)));
  }
  static HWY_INLINE VecF odd(VecU pair) {
    return even(hn::ShiftRight<16>(pair));
  }
};

/// B as 16-bit floats in the registers of a one-block form: a dword holds two
/// k.
template <unsigned M, typename Pair> struct RegisterB {
  const uint32_t *rows;

  template <unsigned V, typename Body>
  HWY_INLINE void forEachK(unsigned count, unsigned j0, Body body) const {
    constexpr unsigned groups = 64 / M;
    const unsigned registers = count / groups / 2;
    unsigned k = 0;
    for (unsigned group = 0; group < groups; ++group)
      for (unsigned r = 0; r < registers; ++r, k += 2) {
        const uint32_t *row = rows + size_t(r) * 64 + group * M + j0;
        VecF even[V], odd[V];
        for (unsigned v = 0; v < V; ++v) {
          VecU pair = hn::LoadU(U32(), row + v * hn::Lanes(F32()));
          even[v] = Pair::even(pair);
          odd[v] = Pair::odd(pair);
        }
        body(k, even);
        body(k + 1, odd);
      }
  }
};

/// Rows i0 .. i0 + R of one block, V vectors of columns from j0 on.
template <unsigned M, unsigned R, unsigned V, typename Result, typename B>
static HWY_INLINE void tile(unsigned count, const float *a, B b,
                            const Accumulator &accumulator, unsigned block,
                            unsigned i0, unsigned j0) {
  const F32 f;
  const size_t lanes = hn::Lanes(f);
  const uint32_t *c[R];
  uint32_t *d[R];
  VecF sum[R][V];
  for (unsigned r = 0; r < R; ++r) {
    RowPlace place = placeOfRow<M>(block, i0 + r);
    c[r] = accumulator.c + place.reg * accumulator.cStride + place.lane + j0;
    d[r] = accumulator.d + size_t(place.reg) * 64 + place.lane + j0;
    for (unsigned v = 0; v < V; ++v)
      sum[r][v] = Result::begin(c[r] + v * lanes);
  }
  const float *aBlock = a + size_t(block) * count * M + i0;
  b.template forEachK<V>(
      count, j0, [&](unsigned k, const VecF *columns) HWY_ATTR {
        const float *row = aBlock + size_t(k) * M;
        for (unsigned r = 0; r < R; ++r) {
          VecF value = hn::Set(f, row[r]);
          for (unsigned v = 0; v < V; ++v)
            sum[r][v] = fusedMultiplyAdd(value, columns[v], sum[r][v]);
        }
      });
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
template <unsigned M, typename Result, typename B>
static HWY_INLINE void multiplyBlock(unsigned count, const float *a, B b,
                                     const Accumulator &accumulator,
                                     unsigned block) {
  const unsigned lanes = unsigned(hn::Lanes(F32()));
  if (lanes == 16 && M == 16)
    return tile<M, 16, 1, Result>(count, a, b, accumulator, block, 0, 0);
  if (lanes == 16) {
    for (unsigned i = 0; i < M; i += 8)
      tile<M, 8, 2, Result>(count, a, b, accumulator, block, i, 0);
    return;
  }
  for (unsigned i = 0; i < M; i += 4)
    for (unsigned j = 0; j < M; j += 2 * lanes)
      tile<M, 4, 2, Result>(count, a, b, accumulator, block, i, j);
}

template <unsigned M, typename Result>
static void multiplyBlocks(const MfmaShape &shape, const float *a,
                           const float *b, const Accumulator &accumulator) {
  for (unsigned block = 0; block < shape.blocks; ++block)
    multiplyBlock<M, Result>(shape.k, a,
                             UnpackedB<M>{b + size_t(block) * shape.k * M},
                             accumulator, block);
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
  if (shape.m == 16)
    return multiplyBlocks<16, Result>(shape, a, b, accumulator);
  if (shape.m == 32)
    return multiplyBlocks<32, Result>(shape, a, b, accumulator);
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

/// 16-bit floats of A of one block as floats [k][M]: a register holds two k,
/// the even one in its low half.
template <unsigned M, typename Pair>
static HWY_INLINE void unpackPairs(unsigned registers, const uint32_t *rows,
                                   float *values) {
  const F32 f;
  for (unsigned lane = 0; lane < 64; lane += unsigned(hn::Lanes(f))) {
    float *to = values + size_t(lane / M) * 2 * registers * M + lane % M;
    for (unsigned r = 0; r < registers; ++r, to += 2 * M) {
      VecU pair = hn::LoadU(U32(), rows + size_t(r) * 64 + lane);
      hn::StoreU(Pair::even(pair), f, to);
      hn::StoreU(Pair::odd(pair), f, to + M);
    }
  }
}

template <unsigned M, typename Pair>
static HWY_INLINE void multiplyRegisters(unsigned count, const uint32_t *aRows,
                                         const uint32_t *bRows, uint32_t *d) {
  constexpr unsigned maxValues16 = 512;
  alignas(64) float a[maxValues16];
  unpackPairs<M, Pair>(count * M / 128, aRows, a);
  multiplyBlock<M, FloatResult>(count, a, RegisterB<M, Pair>{bRows}, {d, 64, d},
                                0);
}

template <typename Pair>
static HWY_INLINE void multiplyRegisters(const MfmaShape &shape,
                                         const uint32_t *aRows,
                                         const uint32_t *bRows, uint32_t *d) {
  if (shape.m == 16)
    multiplyRegisters<16, Pair>(shape.k, aRows, bRows, d);
  else
    multiplyRegisters<32, Pair>(shape.k, aRows, bRows, d);
}

static void multiplyFromRegistersImpl(const MfmaShape &shape,
                                      const uint32_t *aRows,
                                      const uint32_t *bRows, uint32_t *d) {
  if (shape.a == MfmaType::F16)
    multiplyRegisters<F16Pair>(shape, aRows, bRows, d);
  else
    multiplyRegisters<Bf16Pair>(shape, aRows, bRows, d);
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

HWY_EXPORT(multiplyFromRegistersImpl);
void multiplyFromRegisters(const MfmaShape &shape, const uint32_t *aRows,
                           const uint32_t *bRows, uint32_t *d) {
  HWY_DYNAMIC_DISPATCH(multiplyFromRegistersImpl)(shape, aRows, bRows, d);
}
} // namespace fly::mfma
#endif
