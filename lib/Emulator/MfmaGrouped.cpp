//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The accumulation of gfx942 as MMA-Sim (Microsoft, arXiv 2511.10909) found it
// on hardware. k is taken in groups; the result of a group, rounded to f32, is
// the C of the next one. In a group
//  1. the products, exact, are aligned to the largest product exponent and cut
//     to 24 fractional bits toward zero, then added (fp8: the products of even
//     and of odd k separately, and the two sums aligned with floor);
//  2. E = max(that exponent, exponent of C). The sum is floored to 31
//     fractional bits at E, C to 24 (fp8: C is 0 if more than 25 below E);
//  3. both are added and rounded to nearest even.
// Exponents are those of significands in [1, 2), or of the type's denormals;
// that of a zero is -126.

#include "MfmaInternal.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;

namespace fly::mfma {

namespace {
/// sum 2^(exponent - 24)
struct Aligned {
  double sum = 0;
  int exponent = std::numeric_limits<int>::min();
};
} // namespace

/// Every \p step-th product from \p first on.
static Aligned alignProducts(ArrayRef<GroupedProduct> products, unsigned first,
                             unsigned step) {
  Aligned result;
  for (unsigned i = first; i < products.size(); i += step)
    result.exponent = std::max(result.exponent, products[i].exponent);
  for (unsigned i = first; i < products.size(); i += step)
    result.sum += std::trunc(std::ldexp(
        products[i].significand, 24 + products[i].exponent - result.exponent));
  return result;
}

/// NaN, infinity and products past f32's range, after IEEE 754; 0 if there is
/// nothing of the kind.
static double specialSum(ArrayRef<GroupedProduct> products, float c) {
  double limit = std::ldexp(1.0, 128), sum = 0;
  for (const GroupedProduct &product : products) {
    double value = std::ldexp(product.significand, product.exponent);
    if (!(std::fabs(value) < limit))
      sum += value > 0   ? std::numeric_limits<double>::infinity()
             : value < 0 ? -std::numeric_limits<double>::infinity()
                         : value;
  }
  return std::isfinite(c) ? sum : sum + double(c);
}

float addGroup(ArrayRef<GroupedProduct> products, float c, bool halves) {
  double special = specialSum(products, c);
  if (special != 0)
    return float(special);
  Aligned total;
  if (halves) {
    Aligned even = alignProducts(products, 0, 2);
    Aligned odd = alignProducts(products, 1, 2);
    total.exponent = std::max(even.exponent, odd.exponent);
    for (const Aligned &half : {even, odd})
      total.sum +=
          std::floor(std::ldexp(half.sum, half.exponent - total.exponent));
  } else {
    total = alignProducts(products, 0, 1);
  }
  int cExponent = c == 0 ? -126 : std::max(-126, std::ilogb(c));
  int exponent = std::max(total.exponent, cExponent);
  double sum =
      std::floor(std::ldexp(total.sum, 31 - 24 + total.exponent - exponent));
  double addend = std::floor(std::ldexp(double(c), 24 - exponent));
  if (halves && cExponent < exponent - 25)
    addend = 0;
  // Less than 2^40 in units of 2^(exponent - 31): exact in double.
  return float(std::ldexp(sum + addend * 128, exponent - 31));
}

} // namespace fly::mfma
