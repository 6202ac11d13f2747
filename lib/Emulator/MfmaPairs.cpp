//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// SequentialFused with x86's VDPBF16PS, which does the work of two fused
// multiply-adds: sum = fma(a.low, b.low, fma(a.high, b.high, sum)), each
// rounded to the nearest even f32 (Intel, "BFLOAT16 - Hardware Numerics
// Definition"). It differs from them in one thing only: denormals, of bf16 and
// of f32, count as zeros and become zeros. So it is used where none can come
// up: if every value of A and B is zero or at least 2^-56, the products are
// multiples of 2^-126; if so is C, every sum is one, and thus zero or normal.

#include "MfmaInternal.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace fly::mfma {

#if defined(__x86_64__)

// The whole file is compiled for the baseline: what a function template or an
// inline function of a header becomes here may serve the program elsewhere.
#define FLY_PAIRS __attribute__((target("avx512f,avx512bw,avx512bf16")))
#define FLY_PAIRS_INLINE FLY_PAIRS __attribute__((always_inline)) inline

/// bf16 of 2^-56, and the f32 from which on all are multiples of 2^-126.
static constexpr uint16_t leastValue = (127 - 56) << 7;
static constexpr uint32_t leastC = uint32_t(127 - 126 + 23) << 23;

bool hasPairs() {
  static const bool has = __builtin_cpu_supports("avx512f") &&
                          __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512bf16");
  return has;
}

namespace {
/// Looks for values that are neither zero nor large enough.
class SmallValues {
public:
  FLY_PAIRS_INLINE SmallValues()
      : pairs(_mm512_set1_epi16(-1)), c(_mm512_set1_epi32(-1)) {}

  // Without its sign and less one, zero becomes the largest magnitude.
  FLY_PAIRS_INLINE void addPairs(__m512i values) {
    __m512i doubled = _mm512_add_epi16(values, values);
    pairs = _mm512_min_epu16(pairs,
                             _mm512_sub_epi16(doubled, _mm512_set1_epi16(1)));
  }
  FLY_PAIRS_INLINE void addC(__m512i values) {
    __m512i doubled = _mm512_add_epi32(values, values);
    c = _mm512_min_epu32(c, _mm512_sub_epi32(doubled, _mm512_set1_epi32(1)));
  }
  FLY_PAIRS_INLINE void setFound() { pairs = _mm512_setzero_si512(); }
  FLY_PAIRS_INLINE bool found() const {
    const __m512i leastPair = _mm512_set1_epi16(2 * leastValue - 1);
    const __m512i leastSum = _mm512_set1_epi32(int(2 * leastC - 1));
    return _mm512_cmplt_epu16_mask(pairs, leastPair) |
           _mm512_cmplt_epu32_mask(c, leastSum);
  }

private:
  __m512i pairs, c;
};

/// C and D as floats.
struct FloatSums {
  static FLY_PAIRS_INLINE __m512 begin(const uint32_t *c, SmallValues &small) {
    __m512i sum = _mm512_loadu_si512(c);
    small.addC(sum);
    return _mm512_castsi512_ps(sum);
  }
  static FLY_PAIRS_INLINE void end(__m512 sum, const uint32_t *, uint32_t *d) {
    _mm512_storeu_ps(d, sum);
  }
};

/// Exact sums of integers below 2^24, to be added to the integer C.
struct IntSums {
  static FLY_PAIRS_INLINE __m512 begin(const uint32_t *, SmallValues &) {
    return _mm512_setzero_ps();
  }
  static FLY_PAIRS_INLINE void end(__m512 sum, const uint32_t *c, uint32_t *d) {
    _mm512_storeu_si512(
        d, _mm512_add_epi32(_mm512_loadu_si512(c), _mm512_cvtps_epi32(sum)));
  }
};

/// sum + a0 * b0 + a1 * b1 where no denormals come up.
struct DotStep {
  static FLY_PAIRS_INLINE __m512 add(__m512 sum, __m512i a, __m512i b) {
    return _mm512_dpbf16_ps(sum, (__m512bh)a, (__m512bh)b);
  }
};

/// The same for all values.
struct ExactStep {
  static FLY_PAIRS_INLINE __m512 add(__m512 sum, __m512i a, __m512i b) {
    sum = _mm512_fmadd_ps(even(a), even(b), sum);
    return _mm512_fmadd_ps(odd(a), odd(b), sum);
  }
  static FLY_PAIRS_INLINE __m512 even(__m512i pairs) {
    return _mm512_castsi512_ps(
        _mm512_and_si512(pairs, _mm512_set1_epi32(int(0xffff0000))));
  }
  static FLY_PAIRS_INLINE __m512 odd(__m512i pairs) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(pairs, 16));
  }
};

/// R rows from i0 on, V vectors of columns from the first on.
template <unsigned M, unsigned R, unsigned V> struct Tile {
  static_assert(V * 16 == M && R * V % 2 == 0);
  const uint32_t *c[R];
  uint32_t *d[R];
  __m512 sum[R * V];

  FLY_PAIRS_INLINE Tile(const Accumulator &accumulator, unsigned i0) {
    for (unsigned r = 0; r < R; ++r) {
      RowPlace place = placeOfRow<M>(0, i0 + r);
      c[r] = accumulator.c + place.reg * accumulator.cStride + place.lane;
      d[r] = accumulator.d + size_t(place.reg) * 64 + place.lane;
    }
  }

  /// \p a: pairs of the tile's first row.
  template <typename Step, typename Sums>
  FLY_PAIRS_INLINE void multiply(unsigned numPairs, const uint32_t *a,
                                 const uint32_t *b, SmallValues &small) {
    for (unsigned n = 0; n < R * V; ++n)
      sum[n] = Sums::begin(c[n / V] + n % V * 16, small);
    for (unsigned p = 0; p < numPairs; ++p) {
      __m512i columns[V];
      for (unsigned v = 0; v < V; ++v)
        columns[v] = _mm512_loadu_si512(b + size_t(p) * M + 16 * v);
      for (unsigned r = 0; r < R; ++r) {
        __m512i row = _mm512_set1_epi32(int(a[size_t(p) * M + r]));
        for (unsigned v = 0; v < V; ++v)
          sum[r * V + v] = Step::add(sum[r * V + v], row, columns[v]);
      }
    }
  }

  template <typename Sums> FLY_PAIRS_INLINE void store() const {
    unsigned nan = 0;
    for (unsigned n = 0; n < R * V; n += 2)
      nan |= _mm512_cmp_ps_mask(sum[n], sum[n + 1], _CMP_UNORD_Q);
    for (unsigned n = 0; n < R * V; ++n)
      Sums::end(sum[n], c[n / V] + n % V * 16, d[n / V] + n % V * 16);
    if (__builtin_expect(nan, 0))
      for (unsigned n = 0; n < R * V; ++n)
        canonicalize(d[n / V] + n % V * 16);
  }

  /// Replaces the NaNs in 16 values of D.
  static FLY_PAIRS void canonicalize(uint32_t *d) {
    __m512 sum = _mm512_loadu_ps(d);
    __mmask16 nan = _mm512_cmp_ps_mask(sum, sum, _CMP_UNORD_Q);
    _mm512_mask_storeu_epi32(d, nan, _mm512_set1_epi32(0x7fc00000));
  }
};
} // namespace

template <unsigned M, typename Sums>
static FLY_PAIRS_INLINE void
multiplyTiles(unsigned numPairs, const uint32_t *a, const uint32_t *b,
              const Accumulator &accumulator, const SmallValues &smallOfA) {
  constexpr unsigned rows = 16 * 16 / M;
  for (unsigned i = 0; i < M; i += rows) {
    Tile<M, rows, M / 16> tile(accumulator, i);
    SmallValues small = smallOfA;
    tile.template multiply<DotStep, Sums>(numPairs, a + i, b, small);
    if (__builtin_expect(small.found(), 0))
      tile.template multiply<ExactStep, Sums>(numPairs, a + i, b, small);
    tile.template store<Sums>();
  }
}

template <unsigned M>
static FLY_PAIRS void multiply(const MfmaShape &shape, const PairsOperand &a,
                               const PairsOperand &b,
                               const Accumulator &accumulator) {
  SmallValues small;
  if (a.small || b.small)
    small.setFound();
  if (shape.result == MfmaResult::I32)
    multiplyTiles<M, IntSums>(shape.k / 2, a.pairs, b.pairs, accumulator,
                              small);
  else
    multiplyTiles<M, FloatSums>(shape.k / 2, a.pairs, b.pairs, accumulator,
                                small);
}

FLY_PAIRS void multiplyPairs(const MfmaShape &shape, const PairsOperand &a,
                             const PairsOperand &b,
                             const Accumulator &accumulator) {
  shape.m == 16 ? multiply<16>(shape, a, b, accumulator)
                : multiply<32>(shape, a, b, accumulator);
}

/// The pairs of bf16 registers, [k / 2][M].
template <unsigned M>
static FLY_PAIRS_INLINE void packBf16(unsigned registers, const uint32_t *rows,
                                      uint32_t *pairs, SmallValues &small) {
  for (unsigned r = 0; r < registers; ++r)
    for (unsigned lane = 0; lane < 64; lane += 16) {
      __m512i values = _mm512_rol_epi32(
          _mm512_loadu_si512(rows + size_t(r) * 64 + lane), 16);
      small.addPairs(values);
      size_t row = lane / M * registers + r;
      _mm512_storeu_si512(pairs + row * M + lane % M, values);
    }
}

template <unsigned M>
static FLY_PAIRS void multiplyBf16(unsigned k, const uint32_t *aRows,
                                   const uint32_t *bRows, uint32_t *d) {
  constexpr unsigned maxPairs = 256;
  alignas(64) uint32_t a[maxPairs], b[maxPairs];
  SmallValues small;
  packBf16<M>(M * k / 128, aRows, a, small);
  packBf16<M>(M * k / 128, bRows, b, small);
  multiplyTiles<M, FloatSums>(k / 2, a, b, {d, 64, d}, small);
}

FLY_PAIRS void multiplyBf16Pairs(const MfmaShape &shape, const uint32_t *aRows,
                                 const uint32_t *bRows, uint32_t *d) {
  shape.m == 16 ? multiplyBf16<16>(shape.k, aRows, bRows, d)
                : multiplyBf16<32>(shape.k, aRows, bRows, d);
}

FLY_PAIRS bool packPairs(unsigned m, unsigned k, const float *values,
                         uint32_t *pairs) {
  SmallValues small;
  for (unsigned p = 0; p < k / 2; ++p)
    for (unsigned i = 0; i < m; i += 16) {
      __m512i even = _mm512_loadu_si512(values + size_t(2 * p) * m + i);
      __m512i odd = _mm512_loadu_si512(values + size_t(2 * p + 1) * m + i);
      __m512i pair =
          _mm512_mask_blend_epi16(0xaaaaaaaa, _mm512_srli_epi32(odd, 16), even);
      small.addPairs(pair);
      _mm512_storeu_si512(pairs + size_t(p) * m + i, pair);
    }
  return small.found();
}

#else

bool hasPairs() { return false; }
void multiplyPairs(const MfmaShape &, const PairsOperand &,
                   const PairsOperand &, const Accumulator &) {}
void multiplyBf16Pairs(const MfmaShape &, const uint32_t *, const uint32_t *,
                       uint32_t *) {}
bool packPairs(unsigned, unsigned, const float *, uint32_t *) { return false; }

#endif

} // namespace fly::mfma
