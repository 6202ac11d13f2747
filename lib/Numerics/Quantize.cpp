//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Numerics/Quantize.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace llvm;

namespace fly {

float ceilToUe8m0(float x) {
  uint32_t bits = floatBits(x) & 0x7fffffff;
  uint32_t exponent = (bits >> 23) + ((bits & 0x7fffff) != 0);
  return floatFromBits(std::clamp<uint32_t>(exponent, 1, 254) << 23);
}

/// The largest |x|, at least 1e-4; a NaN makes it NaN, as torch's amax does.
static float clampedAmax(ArrayRef<float> values, float amax) {
  for (float value : values) {
    float magnitude = std::fabs(value);
    if (!(magnitude <= amax))
      amax = magnitude;
    if (std::isnan(amax))
      return amax;
  }
  return amax;
}

/// Quantises blocks of \p blockRows x granularity.
static Quantized quantize(ArrayRef<float> values, size_t rows, size_t columns,
                          size_t blockRows, const QuantizeOptions &options) {
  assert(values.size() == rows * columns && "matrix size");
  size_t blockColumns = options.granularity;
  Quantized result;
  result.codes.resize(rows * columns);
  result.scaleRows = (rows + blockRows - 1) / blockRows;
  result.scaleColumns = (columns + blockColumns - 1) / blockColumns;
  result.scales.resize(result.scaleRows * result.scaleColumns);
  float largest = decode(options.format, getFormat(options.format).maxCode);
  for (size_t block = 0; block < result.scales.size(); ++block) {
    size_t firstRow = block / result.scaleColumns * blockRows;
    size_t lastRow = std::min(firstRow + blockRows, rows);
    size_t firstColumn = block % result.scaleColumns * blockColumns;
    size_t width = std::min(blockColumns, columns - firstColumn);
    float amax = 1e-4f;
    for (size_t row = firstRow; row < lastRow; ++row)
      amax =
          clampedAmax(values.slice(row * columns + firstColumn, width), amax);
    float scale = amax / largest;
    if (options.ue8m0)
      scale = ceilToUe8m0(scale);
    float reciprocal = 1.0f / scale;
    for (size_t row = firstRow; row < lastRow; ++row)
      for (size_t i = row * columns + firstColumn, e = i + width; i < e; ++i)
        result.codes[i] = encode(options.format, values[i] * reciprocal);
    result.scales[block] = scale;
  }
  return result;
}

Quantized quantizePerToken(ArrayRef<float> values, size_t rows, size_t columns,
                           const QuantizeOptions &options) {
  return quantize(values, rows, columns, 1, options);
}

Quantized quantizePerBlock(ArrayRef<float> values, size_t rows, size_t columns,
                           const QuantizeOptions &options) {
  return quantize(values, rows, columns, options.granularity, options);
}

double calcDiff(ArrayRef<float> x, ArrayRef<float> y) {
  assert(x.size() == y.size() && "vectors of one length");
  double squares = 0, product = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double a = x[i], b = y[i];
    squares += a * a + b * b;
    product += a * b;
  }
  return squares == 0 ? 0.0 : 1.0 - 2.0 * product / squares;
}

} // namespace fly
