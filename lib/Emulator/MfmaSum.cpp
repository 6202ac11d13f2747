//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MfmaSum.h"

#include <cmath>
#include <limits>

namespace fly::mfma {

/// A finite value as integer times 2^exponent, |integer| < 2^53.
static int64_t decompose(double value, int &exponent) {
  double fraction = std::frexp(value, &exponent);
  exponent -= 53;
  return int64_t(std::ldexp(fraction, 53));
}

void ExactSum::addProduct(double a, double b) {
  double rounded = a * b;
  if (!std::isfinite(a) || !std::isfinite(b)) {
    nan |= std::isnan(rounded);
    plusInfinity |= std::isinf(rounded) && rounded > 0;
    minusInfinity |= std::isinf(rounded) && rounded < 0;
    onlyMinusZeros = false;
    return;
  }
  if (a == 0 || b == 0) {
    onlyMinusZeros &= std::signbit(rounded);
    return;
  }
  onlyMinusZeros = false;
  int aExponent, bExponent;
  int64_t aInteger = decompose(std::fabs(a), aExponent);
  int64_t bInteger = decompose(std::fabs(b), bExponent);
  unsigned __int128 product =
      (unsigned __int128)aInteger * (unsigned __int128)bInteger;
  bool negative = std::signbit(a) != std::signbit(b);
  int exponent = aExponent + bExponent;
  // The low bits of denormals are zeros that may lie below the accumulator.
  while (exponent < lowestBit) {
    product >>= 1;
    ++exponent;
  }
  addShifted(uint64_t(product), exponent, negative);
  addShifted(uint64_t(product >> 64), exponent + 64, negative);
}

void ExactSum::addShifted(uint64_t magnitude, int exponent, bool negative) {
  unsigned position = unsigned(exponent - lowestBit);
  unsigned __int128 shifted = (unsigned __int128)magnitude << position % 32;
  for (unsigned limb = position / 32; shifted; ++limb, shifted >>= 32) {
    int64_t part = int64_t(uint32_t(shifted));
    limbs[limb] += negative ? -part : part;
  }
}

/// integer 2^exponent, the top bit of integer set, rounded to nearest even.
/// What lies below integer has been folded into its last bit.
template <typename Float>
static Float compose(uint64_t integer, int exponent, bool negative) {
  constexpr int digits = std::numeric_limits<Float>::digits;
  constexpr int minExponent = std::numeric_limits<Float>::min_exponent - digits;
  int drop = 64 - digits;
  if (exponent + drop < minExponent)
    drop = minExponent - exponent;
  uint64_t kept = 0;
  if (drop < 64) {
    kept = integer >> drop;
    uint64_t rest = integer & ((uint64_t(1) << drop) - 1);
    uint64_t half = uint64_t(1) << (drop - 1);
    kept += rest > half || (rest == half && (kept & 1));
  } else if (drop == 64) {
    kept = integer > uint64_t(1) << 63;
  }
  Float value = std::ldexp(Float(kept), exponent + drop);
  return negative ? -value : value;
}

template <typename Float> Float ExactSum::round() const {
  using Limits = std::numeric_limits<Float>;
  if (nan || (plusInfinity && minusInfinity))
    return Limits::quiet_NaN();
  if (plusInfinity || minusInfinity)
    return plusInfinity ? Limits::infinity() : -Limits::infinity();
  std::array<int64_t, numLimbs> digits = limbs;
  auto carry = [&digits] {
    for (unsigned i = 0; i + 1 < numLimbs; ++i) {
      digits[i + 1] += digits[i] >> 32;
      digits[i] &= 0xffffffff;
    }
  };
  carry();
  bool negative = digits[numLimbs - 1] < 0;
  if (negative) {
    for (int64_t &digit : digits)
      digit = -digit;
    carry();
  }
  unsigned top = numLimbs;
  while (top > 0 && digits[top - 1] == 0)
    --top;
  if (top == 0)
    return onlyMinusZeros ? -Float(0) : Float(0);
  // The top three limbs hold 64 bits from the leading one on.
  unsigned __int128 window = 0;
  for (unsigned i = 1; i <= 3; ++i)
    window = window << 32 | (top >= i ? uint64_t(digits[top - i]) : 0);
  int exponent = 32 * (int(top) - 3) + lowestBit;
  bool sticky = false;
  for (unsigned i = 4; i <= top; ++i)
    sticky |= digits[top - i] != 0;
  while (window >> 64) {
    sticky |= window & 1;
    window >>= 1;
    ++exponent;
  }
  return compose<Float>(uint64_t(window) | uint64_t(sticky), exponent,
                        negative);
}

float ExactSum::toFloat() const { return round<float>(); }
double ExactSum::toDouble() const { return round<double>(); }

} // namespace fly::mfma
