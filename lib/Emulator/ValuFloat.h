//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Float minimum, maximum and the like, shared by the VALU families. T is float
/// or double; f16 is computed in float. For family files only.

#ifndef FLY_LIB_EMULATOR_VALUFLOAT_H
#define FLY_LIB_EMULATOR_VALUFLOAT_H

#include "Valu.h"

#include <cmath>

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

template <typename T> [[gnu::always_inline]] inline bool isNaN(T x) {
  return x != x;
}
[[gnu::always_inline]] inline bool signOf(float x) {
  return bitsAs<u32>(x) >> 31;
}
[[gnu::always_inline]] inline bool signOf(double x) {
  return bitsAs<u64>(x) >> 63;
}
[[gnu::always_inline]] inline float magnitudeOf(float x) {
  return bitsAs<float>(bitsAs<u32>(x) & 0x7fffffff);
}
[[gnu::always_inline]] inline double magnitudeOf(double x) {
  return bitsAs<double>(bitsAs<u64>(x) & ~u64(0) >> 1);
}
[[gnu::always_inline]] inline float quiet(float x) {
  return bitsAs<float>(bitsAs<u32>(x) | 0x400000);
}
[[gnu::always_inline]] inline double quiet(double x) {
  return bitsAs<double>(bitsAs<u64>(x) | u64(1) << 51);
}
[[gnu::always_inline]] inline bool isSignalling(float x) {
  return isNaN(x) && !(bitsAs<u32>(x) & 0x400000);
}
[[gnu::always_inline]] inline bool isSignalling(double x) {
  return isNaN(x) && !(bitsAs<u64>(x) & u64(1) << 51);
}

/// v_min and v_max: a NaN gives the other operand, but under MODE.IEEE a
/// signalling one is returned, made quiet. -0 is below +0.
template <bool max, typename T>
[[gnu::always_inline]] inline T minMax(u32 mode, T a, T b) {
  bool first =
      max ? a > b || (a == b && !signOf(a)) : a < b || (a == b && signOf(a));
  T result = first ? a : b;
  result = isNaN(b) ? a : result;
  result = isNaN(a) ? b : result;
  result = isNaN(result) ? quiet(result) : result;
  if (mode & ModeIeee) {
    result = isSignalling(b) ? quiet(b) : result;
    result = isSignalling(a) ? quiet(a) : result;
  }
  return result;
}
template <typename T> inline T minOf(u32 mode, T a, T b) {
  return minMax<false>(mode, a, b);
}
template <typename T> inline T maxOf(u32 mode, T a, T b) {
  return minMax<true>(mode, a, b);
}
/// The middle one; with a NaN the least of the others.
template <typename T> inline T medianOf(u32 mode, T a, T b, T c) {
  T least = minOf(mode, minOf(mode, a, b), c);
  T middle = maxOf(mode, minOf(mode, a, b), minOf(mode, maxOf(mode, a, b), c));
  return isNaN(a) || isNaN(b) || isNaN(c) ? least : middle;
}
/// IEEE 754-2019 minimum and maximum: a NaN wins.
template <bool max, typename T> inline T minMaxNaN(u32 mode, T a, T b) {
  T result = minMax<max>(mode & ~u32(ModeIeee), a, b);
  result = isNaN(b) ? quiet(b) : result;
  return isNaN(a) ? quiet(a) : result;
}
template <typename T> inline T minimum3(u32 mode, T a, T b, T c) {
  return minMaxNaN<false>(mode, minMaxNaN<false>(mode, a, b), c);
}
template <typename T> inline T maximum3(u32 mode, T a, T b, T c) {
  return minMaxNaN<true>(mode, minMaxNaN<true>(mode, a, b), c);
}

[[gnu::always_inline]] inline float floorOf(float x) {
  return __builtin_floorf(x);
}
[[gnu::always_inline]] inline double floorOf(double x) {
  return __builtin_floor(x);
}
/// x - floor(x), held below 1.
template <typename T> inline T fractOf(T x, T belowOne) {
  T result = x - floorOf(x);
  return result > belowOne ? belowOne : result;
}

/// 2^n for n in -1022 .. 1023.
[[gnu::always_inline]] inline double powerOfTwo(int n) {
  return bitsAs<double>(u64(n + 1023) << 52);
}
[[gnu::always_inline]] inline int limit(int n, int low, int high) {
  return n < low ? low : n > high ? high : n;
}
/// x 2^n in double, exact: x is an f32 or f16.
[[gnu::always_inline]] inline double scaled(float x, int n) {
  return double(x) * powerOfTwo(limit(n, -400, 400));
}
/// The exponent of x as frexp gives it, x = mantissa 2^exponent, mantissa in
/// [0.5, 1). x is not 0, infinite or NaN; a double is not denormal.
[[gnu::always_inline]] inline int exponentOf(double x) {
  return int(bitsAs<u64>(x) >> 52 & 2047) - 1022;
}
[[gnu::always_inline]] inline bool isFiniteNonZero(double x) {
  return x - x == 0 && x != 0;
}
[[gnu::always_inline]] inline int frexpExponent(float x) {
  return isFiniteNonZero(x) ? exponentOf(x) : 0;
}
[[gnu::always_inline]] inline float frexpMantissa(float x) {
  double wide = x;
  double mantissa = bitsAs<double>((bitsAs<u64>(wide) & ~(u64(2047) << 52)) |
                                   u64(1022) << 52);
  return isFiniteNonZero(x) ? float(mantissa) : isNaN(x) ? quiet(x) : x;
}

/// The exact sum a + b in double with its last bit set if it had to be rounded
/// (rounding to nearest only), so that rounding it again is as rounding once.
[[gnu::always_inline]] inline double oddSum(double a, double b) {
  double sum = a + b, part = sum - a;
  double error = (a - (sum - part)) + (b - part);
  u64 bits = bitsAs<u64>(sum);
  bool inexact = error != 0 && sum - sum == 0;
  u64 away = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
  return bitsAs<double>(inexact && !(bits & 1) ? away : bits);
}
/// \p x to f32 with its last bit set if it had to be rounded.
[[gnu::always_inline]] inline float oddFloat(double x) {
  float value = float(x);
  u32 bits = bitsAs<u32>(value);
  double back = double(value);
  bool inexact = back != x && x - x == 0 && value - value == 0;
  u32 away = magnitudeOf(back) < magnitudeOf(x) ? bits + 1 : bits - 1;
  return bitsAs<float>(inexact && !(bits & 1) ? away : bits);
}
/// a b + c for f16 operands, to be rounded to f16 by the caller.
[[gnu::always_inline]] inline float fuseHalf(u32 mode, float a, float b,
                                             float c) {
  double product = double(a) * double(b);
  // A directed rounding may be done in steps.
  if (mode >> ModeRoundF64F16Shift & 3)
    return float(product + double(c));
  return oddFloat(oddSum(product, c));
}

} // namespace
} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_VALUFLOAT_H
