//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// f32 and f64 arithmetic.

#include "ValuFloat.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// 0 times anything is 0.
float mulLegacy(float a, float b) { return a == 0 || b == 0 ? 0.0f : a * b; }

double ldexp64(double x, int n) {
  n = limit(n, -2200, 2200);
  // In steps that do not round before the last one: the first brings any
  // operand into the middle of the range.
  int exponent = bitsAs<u64>(x) >> 52 & 2047 ? exponentOf(x) : -1022;
  int toMiddle = limit(-exponent, -1000, 1000);
  double middle = x * powerOfTwo(toMiddle);
  n -= toMiddle;
  int half = limit(n, -1000, 1000);
  double result = middle;
  if (n - half < 0) // underflow: round once, in the second step
    return result * powerOfTwo(half) * powerOfTwo(limit(n - half, -1000, 0));
  result = result * powerOfTwo(half);
  return result * powerOfTwo(limit(n - half, 0, 1000));
}
int frexpExponent64(double x) {
  bool denormal = !(bitsAs<u64>(x) >> 52 & 2047);
  int exponent =
      denormal ? exponentOf(x * powerOfTwo(200)) - 200 : exponentOf(x);
  return isFiniteNonZero(x) ? exponent : 0;
}
double frexpMantissa64(double x) {
  bool denormal = !(bitsAs<u64>(x) >> 52 & 2047);
  u64 bits = bitsAs<u64>(denormal ? x * powerOfTwo(200) : x);
  double mantissa =
      bitsAs<double>((bits & ~(u64(2047) << 52)) | u64(1022) << 52);
  return isFiniteNonZero(x) ? mantissa : isNaN(x) ? quiet(x) : x;
}

constexpr float belowOne32 = 0x1.fffffep-1f;
constexpr double belowOne64 = 0x1.fffffffffffffp-1;

void addF32(HandlerTable &t) {
  VALU2(t, "v_add_f32", F32, F32, F32, a + b);
  VALU2(t, "v_sub_f32", F32, F32, F32, a - b);
  VALU2(t, "v_subrev_f32", F32, F32, F32, b - a);
  VALU2(t, "v_mul_f32", F32, F32, F32, a * b);
  VALU2(t, "v_mul_legacy_f32", F32, F32, F32, mulLegacy(a, b));
  VALU2(t, "v_min_f32", F32, F32, F32, minOf(mode, a, b));
  VALU2(t, "v_max_f32", F32, F32, F32, maxOf(mode, a, b));
  VALU3(t, "v_fma_f32", F32, F32, F32, F32, __builtin_fmaf(a, b, c));
  VALU3(t, "v_fmaak_f32", F32, F32, F32, F32, __builtin_fmaf(a, b, c));
  VALU3(t, "v_fmamk_f32", F32, F32, F32, F32, __builtin_fmaf(a, b, c));
  VALU_ACCUMULATE(t, "v_fmac_f32", None, F32, F32, F32,
                  __builtin_fmaf(a, b, c));
  VALU3(t, "v_min3_f32", F32, F32, F32, F32, minOf(mode, minOf(mode, a, b), c));
  VALU3(t, "v_max3_f32", F32, F32, F32, F32, maxOf(mode, maxOf(mode, a, b), c));
  VALU3(t, "v_med3_f32", F32, F32, F32, F32, medianOf(mode, a, b, c));
  VALU3(t, "v_minimum3_f32", F32, F32, F32, F32, minimum3(mode, a, b, c));
  VALU3(t, "v_maximum3_f32", F32, F32, F32, F32, maximum3(mode, a, b, c));
  VALU1(t, "v_fract_f32", F32, F32, fractOf(a, belowOne32));
  VALU1(t, "v_trunc_f32", F32, F32, __builtin_truncf(a));
  VALU1(t, "v_ceil_f32", F32, F32, __builtin_ceilf(a));
  VALU1(t, "v_floor_f32", F32, F32, floorOf(a));
  VALU1(t, "v_rndne_f32", F32, F32, __builtin_roundevenf(a));
  VALU1(t, "v_frexp_mant_f32", F32, F32, frexpMantissa(a));
  VALU1(t, "v_frexp_exp_i32_f32", I32, F32, frexpExponent(a));
  VALU2(t, "v_ldexp_f32", F32, F32, I32, scaled(a, b));
}

void addF64(HandlerTable &t) {
  VALU2(t, "v_add_f64", F64, F64, F64, a + b);
  VALU2(t, "v_mul_f64", F64, F64, F64, a * b);
  VALU2(t, "v_min_f64", F64, F64, F64, minOf(mode, a, b));
  VALU2(t, "v_max_f64", F64, F64, F64, maxOf(mode, a, b));
  VALU3(t, "v_fma_f64", F64, F64, F64, F64, __builtin_fma(a, b, c));
  VALU_ACCUMULATE(t, "v_fmac_f64", None, F64, F64, F64, __builtin_fma(a, b, c));
  VALU1(t, "v_fract_f64", F64, F64, fractOf(a, belowOne64));
  VALU1(t, "v_trunc_f64", F64, F64, __builtin_trunc(a));
  VALU1(t, "v_ceil_f64", F64, F64, __builtin_ceil(a));
  VALU1(t, "v_floor_f64", F64, F64, floorOf(a));
  VALU1(t, "v_rndne_f64", F64, F64, __builtin_roundeven(a));
  VALU1(t, "v_frexp_mant_f64", F64, F64, frexpMantissa64(a));
  VALU1(t, "v_frexp_exp_i32_f64", I32, F64, frexpExponent64(a));
  VALU2(t, "v_ldexp_f64", F64, F64, I32, ldexp64(a, b));
}

} // namespace

void addValuFloatOps(HandlerTable &t) {
  addF32(t);
  addF64(t);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
