//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Quantisation with block scales, bit for bit as DeepGEMM's Python helpers do
/// it, and its measure of error. All matrices are row major, [rows][columns],
/// without gaps.

#ifndef FLY_NUMERICS_QUANTIZE_H
#define FLY_NUMERICS_QUANTIZE_H

#include "fly/Numerics/SmallFloat.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fly {

/// The least power of two >= |x|, as a bit operation on f32: exponent field
/// plus one if the mantissa is not zero, held to [1, 254]. Hence 0 and
/// denormals give 2^-126; infinity, NaN and values above 2^127 give 2^127.
float ceilToUe8m0(float x);

/// The E8M0 code of a positive power of two: bits 30:23 of the f32.
inline uint8_t ue8m0Code(float powerOfTwo) {
  return uint8_t(floatBits(powerOfTwo) >> 23);
}

struct QuantizeOptions {
  FloatKind format = FloatKind::E4M3FN;
  /// Columns (and for blocks also rows) that share one scale.
  size_t granularity = 128;
  /// Scales are rounded up to powers of two.
  bool ue8m0 = false;
};

/// Codes [rows][columns] and scales; value = decode(code) * scale.
struct Quantized {
  std::vector<uint8_t> codes;
  std::vector<float> scales;
  size_t scaleRows = 0, scaleColumns = 0;
};

/// One scale for each row and \p granularity columns: scales are
/// [rows][ceil(columns / granularity)]. A partial last block counts as padded
/// with zeros.
///
/// With amax = max(|x|, 1e-4) over the block, all in f32: scale = amax / max of
/// the format, rounded up to a power of two if asked for; code =
/// encode(x * (1 / scale)), nearest even, overflow not saturated.
Quantized quantizePerToken(llvm::ArrayRef<float> values, size_t rows,
                           size_t columns, const QuantizeOptions &options = {});

/// The same with one scale for granularity x granularity values: scales are
/// [ceil(rows / granularity)][ceil(columns / granularity)].
Quantized quantizePerBlock(llvm::ArrayRef<float> values, size_t rows,
                           size_t columns, const QuantizeOptions &options = {});

/// DeepGEMM's calc_diff: 1 - 2 sum(x y) / sum(x^2 + y^2) in f64; 0 if the
/// denominator is 0; NaN if an input is NaN. \p x and \p y are equally long.
double calcDiff(llvm::ArrayRef<float> x, llvm::ArrayRef<float> y);

} // namespace fly

#endif // FLY_NUMERICS_QUANTIZE_H
