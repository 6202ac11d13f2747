//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// An exact sum of products of doubles, rounded once.

#ifndef FLY_LIB_EMULATOR_MFMASUM_H
#define FLY_LIB_EMULATOR_MFMASUM_H

#include <array>
#include <cstdint>

namespace fly::mfma {

/// A fixed-point accumulator wide enough for every product of two doubles.
/// NaN and infinity follow IEEE 754; a zero sum is -0 only if every term was.
class ExactSum {
public:
  void add(double value) { addProduct(value, 1.0); }
  void addProduct(double a, double b);
  /// The sum, rounded to nearest even once; NaN is the canonical one.
  float toFloat() const;
  double toDouble() const;

private:
  static constexpr int lowestBit = -2208;
  static constexpr unsigned numLimbs = 136;

  void addShifted(uint64_t magnitude, int exponent, bool negative);
  template <typename Float> Float round() const;

  /// The value is the sum of limbs[i] 2^(32 i + lowestBit).
  std::array<int64_t, numLimbs> limbs = {};
  bool nan = false, plusInfinity = false, minusInfinity = false;
  bool onlyMinusZeros = true;
};

} // namespace fly::mfma

#endif // FLY_LIB_EMULATOR_MFMASUM_H
