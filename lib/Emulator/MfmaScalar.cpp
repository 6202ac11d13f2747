//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The MFMA policies that look at each product, and scales too large for
// unpacked f32 values.

#include "MfmaInternal.h"
#include "MfmaSum.h"
#include "fly/Numerics/SmallFloat.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace llvm;

namespace fly::mfma {

static float canonical(float value) {
  return std::isnan(value) ? floatFromBits(0x7fc00000) : value;
}

/// product + c with one rounding. The sum in double is made odd where it is
/// inexact, after which rounding to f32 is as if done at once: 53 >= 24 + 2.
static float fuse(double product, float c) {
  double sum = product + double(c);
  if (!std::isfinite(sum))
    return canonical(float(sum));
  double part = sum - product;
  double error = (product - (sum - part)) + (double(c) - part);
  if (error != 0) {
    uint64_t bits;
    std::memcpy(&bits, &sum, 8);
    if (!(bits & 1)) {
      bool away = (error > 0) == (sum > 0);
      bits += away ? 1 : uint64_t(-1);
      std::memcpy(&sum, &bits, 8);
    }
  }
  return float(sum);
}

/// C and the products added exactly, rounded once. Sums that lose nothing in
/// double are taken from there.
static float sumExactly(ArrayRef<double> products, float c) {
  double sum = c, lost = 0;
  for (double product : products) {
    double next = sum + product;
    double part = next - sum;
    lost += std::fabs((sum - (next - part)) + (product - part));
    sum = next;
  }
  if (lost == 0)
    return canonical(float(sum));
  ExactSum exact;
  exact.add(c);
  for (double product : products)
    exact.add(product);
  return exact.toFloat();
}

void Line::append(double value, int minExponent, int scale) {
  if (scale == flushedScale) {
    value *= 0.0;
    scale = 0;
  }
  int exponent = value == 0 ? -126 : minExponent;
  if (std::isfinite(value) && value != 0)
    exponent = std::max(exponent, std::ilogb(value));
  if (scale == nanScale)
    value = std::numeric_limits<double>::quiet_NaN();
  values.push_back(std::ldexp(value, scale));
  parts.push_back({std::ldexp(value, -exponent), exponent + scale});
}

static Line gather(const MfmaShape &shape, const ScaledOperand &operand,
                   unsigned block, unsigned i) {
  Line line;
  for (unsigned k = 0; k < shape.k; ++k) {
    int scale = operand.scales ? operand.scales[k / 32 * shape.m + i] : 0;
    line.append(operand.values[valueIndex(shape, block, i, k)],
                operand.minExponent, scale);
  }
  return line;
}

static unsigned groupSize(const MfmaShape &shape) {
  switch (shape.a) {
  case MfmaType::XF32:
    return 4;
  case MfmaType::F16:
  case MfmaType::BF16:
    return std::min(8u, shape.k);
  default:
    return 16;
  }
}

static float dotGrouped(const MfmaShape &shape, const Line &a, const Line &b,
                        float c) {
  unsigned size = groupSize(shape), count = unsigned(a.parts.size());
  for (unsigned first = 0; first < count; first += size) {
    SmallVector<GroupedProduct, 16> products;
    for (unsigned k = first; k < first + size; ++k)
      products.push_back({a.parts[k].significand * b.parts[k].significand,
                          a.parts[k].exponent + b.parts[k].exponent});
    c = addGroup(products, c, size == 16);
  }
  return canonical(c);
}

float dot(const MfmaShape &shape, const Line &a, const Line &b, float c,
          MfmaRounding rounding) {
  if (rounding == MfmaRounding::Cdna3Grouped)
    return dotGrouped(shape, a, b, c);
  SmallVector<double, 128> products;
  for (size_t k = 0; k != a.values.size(); ++k)
    products.push_back(a.values[k] * b.values[k]);
  if (rounding == MfmaRounding::ExactThenRound)
    return sumExactly(products, c);
  for (double product : products)
    c = fuse(product, c);
  return canonical(c);
}

void multiplyScalar(const MfmaShape &shape, const ScaledOperand &a,
                    const ScaledOperand &b, const Accumulator &accumulator,
                    MfmaRounding rounding) {
  for (unsigned block = 0; block < shape.blocks; ++block) {
    std::vector<Line> columns;
    for (unsigned j = 0; j < shape.n; ++j)
      columns.push_back(gather(shape, b, block, j));
    for (unsigned i = 0; i < shape.m; ++i) {
      Line row = gather(shape, a, block, i);
      RowPlace place = placeOfRow(shape, block, i);
      const uint32_t *c =
          accumulator.c + place.reg * accumulator.cStride + place.lane;
      uint32_t *d = accumulator.d + size_t(place.reg) * 64 + place.lane;
      for (unsigned j = 0; j < shape.n; ++j)
        d[j] = floatBits(
            dot(shape, row, columns[j], floatFromBits(c[j]), rounding));
    }
  }
}

} // namespace fly::mfma
