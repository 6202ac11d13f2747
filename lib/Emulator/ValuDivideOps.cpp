//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The three steps around a division: v_div_scale, v_div_fmas, v_div_fixup
/// (CDNA3 ISA manual, pseudo code of VOP3). S1 is the denominator, S2 the
/// numerator of scale and fixup.

#include "ValuFloat.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// What differs between f32 and f64.
template <typename T> struct Format;
template <> struct Format<float> {
  using Bits = u32;
  static constexpr unsigned mantissa = 23;
  static constexpr int bias = 127, scale = 64, nearTop = 96, tiny = 23;
};
template <> struct Format<double> {
  using Bits = u64;
  static constexpr unsigned mantissa = 52;
  static constexpr int bias = 1023, scale = 128, nearTop = 768, tiny = 53;
};

/// The biased exponent.
template <typename T> int fieldOf(T x) {
  using F = Format<T>;
  return int(bitsAs<typename F::Bits>(x) >> F::mantissa) & (2 * F::bias + 1);
}
template <typename T> T power(int n) { return T(powerOfTwo(n)); }
template <typename T> bool isDenormal(T x) { return x != 0 && fieldOf(x) == 0; }
template <typename T> T withSign(bool negative, T magnitude) {
  return negative ? -magnitude : magnitude;
}
/// 0 / 0 and the like.
template <typename T> T defaultNaN() {
  return -magnitudeOf(T(__builtin_nan("")));
}

template <typename T> T divScale(T s0, T s1, T s2, bool &flag) {
  using F = Format<T>;
  const T up = power<T>(F::scale), down = power<T>(-F::scale);
  flag = false;
  if (s2 == 0 || s1 == 0)
    return defaultNaN<T>();
  bool isDenominator = s0 == s1, isNumerator = s0 == s2;
  if (fieldOf(s2) - fieldOf(s1) >= F::nearTop) {
    flag = true;
    return isDenominator ? s0 * up : s0;
  }
  if (isDenormal(s1))
    return s0 * up;
  bool tinyInverse = isDenormal(T(1) / s1), tinyQuotient = isDenormal(s2 / s1);
  if (tinyInverse && tinyQuotient) {
    flag = true;
    return isDenominator ? s0 * down : s0;
  }
  if (tinyInverse)
    return s0 * down;
  if (tinyQuotient) {
    flag = true;
    return isNumerator ? s0 * up : s0;
  }
  return fieldOf(s2) <= F::tiny ? s0 * up : s0;
}

template <typename S> void scale(Wave &w, const ExecInst &inst) {
  Source<S> a(w, inst, 0), b(w, inst, 1), c(w, inst, 2);
  Result<S> d;
  u64 mask = 0;
  for (unsigned l = 0; l != waveLanes; ++l) {
    bool flag;
    d.set(l, divScale<typename S::Type>(a[l], b[l], c[l], flag));
    mask |= u64(flag) << l;
  }
  d.store(w, inst);
  writeScalar64(w, inst.ops[1], mask & w.exec());
}

/// a b + c, with the scaling undone where VCC says so: away from the middle of
/// the range, and rounded once.
float fuseScaled(float a, float b, float c, bool flag) {
  using F = Format<float>;
  double factor = powerOfTwo(fieldOf(c) > F::bias ? F::scale : -F::scale);
  float scaledSum = float(oddSum(double(a) * double(b), c) * factor);
  return flag ? scaledSum : __builtin_fmaf(a, b, c);
}
/// \p sum is a b + c rounded. Scaling it down may round again, to a denormal;
/// where that was a tie, what the first rounding lost decides.
double scaledDown(double a, double b, double c, double sum, double factor) {
  double result = sum * factor;
  double over = sum - result / factor; // exact: powers of two
  constexpr double halfUlp = 0x1p-947; // of a denormal, scaled up
  if (__builtin_fabs(over) != halfUlp)
    return result;
  // a b + c is product + low + c, and product + c is near + error, exactly.
  double product = a * b, low = __builtin_fma(a, b, -product);
  double near = product + c, part = near - product;
  double error = (product - (near - part)) + (c - part);
  double lost = (near - sum) + (error + low);
  if (lost == 0 || (lost > 0) != (over > 0))
    return result;
  return result + (over > 0 ? 0x1p-1074 : -0x1p-1074);
}
double fuseScaled(double a, double b, double c, bool flag) {
  using F = Format<double>;
  double factor = powerOfTwo(fieldOf(c) > F::bias ? F::scale : -F::scale);
  double sum = __builtin_fma(a, b, c);
  if (!flag)
    return sum;
  return factor < 1 ? scaledDown(a, b, c, sum, factor) : sum * factor;
}
template <typename S> void fmas(Wave &w, const ExecInst &inst) {
  Source<S> a(w, inst, 0), b(w, inst, 1), c(w, inst, 2);
  u64 vcc = w.vcc();
  Result<S> d;
  for (unsigned l = 0; l != waveLanes; ++l)
    d.set(l, fuseScaled(a[l], b[l], c[l], vcc >> l & 1));
  d.store(w, inst);
}

/// The quotient s0 with the special cases of s2 / s1.
template <typename T> T fixup(T s0, T s1, T s2) {
  bool negative = signOf(s1) != signOf(s2);
  const T infinity = T(__builtin_inf());
  if (isNaN(s2))
    return quiet(s2);
  if (isNaN(s1))
    return quiet(s1);
  bool infinite1 = magnitudeOf(s1) == infinity;
  bool infinite2 = magnitudeOf(s2) == infinity;
  if ((s1 == 0 && s2 == 0) || (infinite1 && infinite2))
    return defaultNaN<T>();
  if (s1 == 0 || infinite2)
    return withSign(negative, infinity);
  if (infinite1 || s2 == 0)
    return withSign(negative, T(0));
  constexpr int smallest = sizeof(T) == 4 ? -150 : -1075;
  if (fieldOf(s2) - fieldOf(s1) < smallest)
    return withSign(negative, T(0));
  // An estimate that overflowed leaves a NaN in the remainder.
  if (isNaN(s0))
    return withSign(negative, infinity);
  return withSign(negative, magnitudeOf(s0));
}

} // namespace

void addValuDivideOps(HandlerTable &t) {
  t.addResolver("v_div_scale_f32",
                resolveValu<3, ValuKind::Float, ValuTrait::None,
                            valuHandler<ValuKind::Float, scale<F32>>>);
  t.addResolver("v_div_scale_f64",
                resolveValu<3, ValuKind::Double, ValuTrait::None,
                            valuHandler<ValuKind::Double, scale<F64>>>);
  t.addResolver("v_div_fmas_f32",
                resolveValu<3, ValuKind::Float, ValuTrait::None,
                            valuHandler<ValuKind::Float, fmas<F32>>>);
  t.addResolver("v_div_fmas_f64",
                resolveValu<3, ValuKind::Double, ValuTrait::None,
                            valuHandler<ValuKind::Double, fmas<F64>>>);
  VALU3(t, "v_div_fixup_f32", F32, F32, F32, F32, fixup<float>(a, b, c));
  VALU3(t, "v_div_fixup_f64", F64, F64, F64, F64, fixup<double>(a, b, c));
  VALU3_TRAIT(t, "v_div_fixup_f16", MergesHalf, F16, F16, F16, F16,
              fixup<float>(a, b, c));
  VALU3(t, "v_div_fixup_legacy_f16", F16, F16, F16, F16, fixup<float>(a, b, c));
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
