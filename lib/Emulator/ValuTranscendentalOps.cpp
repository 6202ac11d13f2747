//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Reciprocals, roots, exponentials, logarithms and trigonometric functions.
///
/// The hardware promises 1 ulp for f32. Here results are computed in double and
/// rounded once, so that they are the nearest f32 in all but about one case in
/// a million, and the same on every CPU. As on the hardware (LLVM scales around
/// it) the f32 forms know no denormals, neither as input nor as result,
/// whatever MODE says. f64 forms are correctly rounded operations of the CPU;
/// v_rsq_f64 is 1 / sqrt with two roundings.

#include "ValuFloat.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

double sqrtOf(double x) { return __builtin_sqrt(x); }

/// 2^x for |x| < 1000.
double exp2Of(double x) {
  double whole = __builtin_roundeven(x);
  double y = (x - whole) * 0x1.62e42fefa39efp-1; // ln 2
  // The series of e^y to y^12; |y| < 0.35.
  double sum = 1.0 / 479001600;
  sum = sum * y + 1.0 / 39916800;
  sum = sum * y + 1.0 / 3628800;
  sum = sum * y + 1.0 / 362880;
  sum = sum * y + 1.0 / 40320;
  sum = sum * y + 1.0 / 5040;
  sum = sum * y + 1.0 / 720;
  sum = sum * y + 1.0 / 120;
  sum = sum * y + 1.0 / 24;
  sum = sum * y + 1.0 / 6;
  sum = sum * y + 0.5;
  sum = sum * y + 1.0;
  sum = sum * y + 1.0;
  return sum * powerOfTwo(int(whole));
}
float exp2Float(float x) {
  float held = x < -200 ? -200.0f : x > 200 ? 200.0f : x;
  float result = float(exp2Of(isNaN(x) ? 0.0f : held));
  return isNaN(x) ? quiet(x) : result;
}

/// log2 of a positive normal double.
double log2Of(double x) {
  u64 bits = bitsAs<u64>(x);
  int exponent = int(bits >> 52) - 1023;
  double m = bitsAs<double>((bits & ~u64(0) >> 12) | u64(1023) << 52);
  bool upper = m > 0x1.6a09e667f3bcdp0; // sqrt 2
  m = upper ? m * 0.5 : m;
  exponent += upper;
  // ln m = 2 artanh((m - 1) / (m + 1)); the argument is below 0.172.
  double s = (m - 1) / (m + 1), z = s * s;
  double sum = 1.0 / 21;
  sum = sum * z + 1.0 / 19;
  sum = sum * z + 1.0 / 17;
  sum = sum * z + 1.0 / 15;
  sum = sum * z + 1.0 / 13;
  sum = sum * z + 1.0 / 11;
  sum = sum * z + 1.0 / 9;
  sum = sum * z + 1.0 / 7;
  sum = sum * z + 1.0 / 5;
  sum = sum * z + 1.0 / 3;
  sum = sum * z + 1.0;
  return double(exponent) + 2 * s * sum * 0x1.71547652b82fep0; // 1 / ln 2
}
float log2Float(float x) {
  bool regular = x > 0 && x - x == 0;
  float result = float(log2Of(regular ? double(x) : 1.0));
  float special = x == 0 ? -__builtin_inff() : x > 0 ? x : __builtin_nanf("");
  return regular ? result : isNaN(x) ? quiet(x) : special;
}

/// sin(2 pi x), x in revolutions; \p quarter turns are added.
float sinFloat(float x, double quarter) {
  bool finite = x - x == 0;
  double turns = finite ? double(x) : 0.0;
  turns -= __builtin_roundeven(turns);
  double quarters = 4 * turns + quarter;
  double nearest = __builtin_roundeven(quarters);
  double y = (quarters - nearest) * 0x1.921fb54442d18p0; // pi / 2
  double z = y * y;
  // |y| <= pi / 4; series to y^17 and y^16.
  double sine = 1.0 / 355687428096000;
  sine = sine * z - 1.0 / 1307674368000;
  sine = sine * z + 1.0 / 6227020800;
  sine = sine * z - 1.0 / 39916800;
  sine = sine * z + 1.0 / 362880;
  sine = sine * z - 1.0 / 5040;
  sine = sine * z + 1.0 / 120;
  sine = sine * z - 1.0 / 6;
  sine = (sine * z + 1.0) * y;
  double cosine = 1.0 / 20922789888000;
  cosine = cosine * z - 1.0 / 87178291200;
  cosine = cosine * z + 1.0 / 479001600;
  cosine = cosine * z - 1.0 / 3628800;
  cosine = cosine * z + 1.0 / 40320;
  cosine = cosine * z - 1.0 / 720;
  cosine = cosine * z + 1.0 / 24;
  cosine = cosine * z - 0.5;
  cosine = cosine * z + 1.0;
  int phase = int(nearest) & 3;
  double value = phase & 1 ? cosine : sine;
  value = phase & 2 ? -value : value;
  return finite ? float(value) : isNaN(x) ? quiet(x) : __builtin_nanf("");
}
/// Beyond 256 revolutions the hardware returns sin 0 and cos 0.
float sinHardware(float x) {
  return magnitudeOf(x) > 256 && x - x == 0 ? 0.0f : sinFloat(x, 0);
}
float cosHardware(float x) {
  return magnitudeOf(x) > 256 && x - x == 0 ? 1.0f : sinFloat(x, 1);
}

/// Denormals to zeros of their sign.
float flush(float x) {
  u32 bits = bitsAs<u32>(x);
  return bitsAs<float>(bits & 0x7f800000 ? bits : bits & 0x80000000);
}

void addF32(HandlerTable &t) {
  VALU1(t, "v_exp_f32", F32, F32, flush(exp2Float(flush(a))));
  VALU1(t, "v_exp_legacy_f32", F32, F32, flush(exp2Float(flush(a))));
  VALU1(t, "v_log_f32", F32, F32, log2Float(flush(a)));
  VALU1(t, "v_log_legacy_f32", F32, F32, log2Float(flush(a)));
  VALU1(t, "v_rcp_f32", F32, F32, flush(1.0f / flush(a)));
  VALU1(t, "v_rcp_iflag_f32", F32, F32, flush(1.0f / flush(a)));
  VALU1(t, "v_rsq_f32", F32, F32, 1.0 / sqrtOf(flush(a)));
  VALU1(t, "v_sqrt_f32", F32, F32, __builtin_sqrtf(flush(a)));
  VALU1(t, "v_sin_f32", F32, F32, flush(sinHardware(flush(a))));
  VALU1(t, "v_cos_f32", F32, F32, cosHardware(flush(a)));
}

void addOthers(HandlerTable &t) {
  // An f32 that overflows is no infinity of f16's.
  VALU1(t, "v_exp_f16", F16, F16, exp2Float(a > 100 && a - a == 0 ? 100 : a));
  VALU1(t, "v_log_f16", F16, F16, log2Float(a));
  VALU1(t, "v_rcp_f16", F16, F16, 1.0f / a);
  VALU1(t, "v_rsq_f16", F16, F16, 1.0 / sqrtOf(a));
  VALU1(t, "v_sqrt_f16", F16, F16, __builtin_sqrtf(a));
  VALU1(t, "v_sin_f16", F16, F16, sinHardware(a));
  VALU1(t, "v_cos_f16", F16, F16, cosHardware(a));
  VALU1(t, "v_rcp_f64", F64, F64, 1.0 / a);
  VALU1(t, "v_rsq_f64", F64, F64, 1.0 / sqrtOf(a));
  VALU1(t, "v_sqrt_f64", F64, F64, sqrtOf(a));
}

} // namespace

void addValuTranscendentalOps(HandlerTable &t) {
  addF32(t);
  addOthers(t);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
