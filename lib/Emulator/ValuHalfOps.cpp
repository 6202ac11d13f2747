//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// f16 arithmetic, and 16-bit integers. The e32 and e64 forms clear the upper
/// half of the destination; the VOP3 forms with op_sel keep the other half
/// (LLVM, zeroesHigh16BitsOfDest).

#include "ValuFloat.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

constexpr float belowOne16 = 0x1.ffcp-1f;

/// f16 of x 2^n, n a 16-bit integer: exact in f32, or beyond f16 by far.
float ldexp16(float x, int n) { return float(scaled(x, limit(n, -60, 60))); }

/// The product is rounded by itself.
float mad(u32 mode, float a, float b, float c) {
  return halfToFloat(floatToHalf(holdHalf(mode, a * b))) + c;
}

u32 saturateU16(u32 mode, int value) {
  return mode & clampFlag ? u32(limit(value, 0, 65535)) : u32(value);
}
int saturateI16(u32 mode, int value) {
  return mode & clampFlag ? limit(value, -32768, 32767) : value;
}

void addF16(HandlerTable &t) {
  VALU2(t, "v_add_f16", F16, F16, F16, a + b);
  VALU2(t, "v_sub_f16", F16, F16, F16, a - b);
  VALU2(t, "v_subrev_f16", F16, F16, F16, b - a);
  VALU2(t, "v_mul_f16", F16, F16, F16, a * b);
  VALU2(t, "v_min_f16", F16, F16, F16, minOf(mode, a, b));
  VALU2(t, "v_max_f16", F16, F16, F16, maxOf(mode, a, b));
  VALU2(t, "v_ldexp_f16", F16, F16, I16, ldexp16(a, b));
  VALU_ACCUMULATE(t, "v_mac_f16", None, F16, F16, F16, mad(mode, a, b, c));
  // The constant is the third or the second source.
  VALU3(t, "v_madak_f16", F16, F16, F16, F16, mad(mode, a, b, c));
  VALU3(t, "v_madmk_f16", F16, F16, F16, F16, mad(mode, a, b, c));
  VALU1(t, "v_fract_f16", F16, F16, fractOf(a, belowOne16));
  VALU1(t, "v_trunc_f16", F16, F16, __builtin_truncf(a));
  VALU1(t, "v_ceil_f16", F16, F16, __builtin_ceilf(a));
  VALU1(t, "v_floor_f16", F16, F16, floorOf(a));
  VALU1(t, "v_rndne_f16", F16, F16, __builtin_roundevenf(a));
  VALU1(t, "v_frexp_mant_f16", F16, F16, frexpMantissa(a));
  VALU1(t, "v_frexp_exp_i16_f16", I16, F16, frexpExponent(a));
}

void addF16Vop3(HandlerTable &t) {
  VALU3_TRAIT(t, "v_fma_f16", MergesHalf, F16, F16, F16, F16,
              fuseHalf(mode, a, b, c));
  VALU3(t, "v_fma_legacy_f16", F16, F16, F16, F16, fuseHalf(mode, a, b, c));
  VALU3(t, "v_mad_legacy_f16", F16, F16, F16, F16, mad(mode, a, b, c));
  VALU3_TRAIT(t, "v_mad_f16", MergesHalf, F16, F16, F16, F16,
              mad(mode, a, b, c));
  VALU3_TRAIT(t, "v_min3_f16", MergesHalf, F16, F16, F16, F16,
              minOf(mode, minOf(mode, a, b), c));
  VALU3_TRAIT(t, "v_max3_f16", MergesHalf, F16, F16, F16, F16,
              maxOf(mode, maxOf(mode, a, b), c));
  VALU3_TRAIT(t, "v_med3_f16", MergesHalf, F16, F16, F16, F16,
              medianOf(mode, a, b, c));
  VALU2(t, "v_pack_b32_f16", B32, H16, H16, a | b << 16);
}

void addInt16(HandlerTable &t) {
  VALU2_TRAIT(t, "v_add_u16", TakesClamp, U16, U16, U16,
              saturateU16(mode, int(a + b)));
  VALU2_TRAIT(t, "v_sub_u16", TakesClamp, U16, U16, U16,
              saturateU16(mode, int(a) - int(b)));
  VALU2_TRAIT(t, "v_subrev_u16", TakesClamp, U16, U16, U16,
              saturateU16(mode, int(b) - int(a)));
  VALU2(t, "v_mul_lo_u16", U16, U16, U16, a * b);
  VALU2(t, "v_lshlrev_b16", U16, U16, U16, b << (a & 15));
  VALU2(t, "v_lshrrev_b16", U16, U16, U16, b >> (a & 15));
  VALU2(t, "v_ashrrev_i16", I16, U16, I16, b >> (a & 15));
  VALU2(t, "v_max_u16", U16, U16, U16, a > b ? a : b);
  VALU2(t, "v_min_u16", U16, U16, U16, a < b ? a : b);
  VALU2(t, "v_max_i16", I16, I16, I16, a > b ? a : b);
  VALU2(t, "v_min_i16", I16, I16, I16, a < b ? a : b);
}

template <typename T> T max3(T a, T b, T c) {
  T d = a > b ? a : b;
  return d > c ? d : c;
}
template <typename T> T min3(T a, T b, T c) {
  T d = a < b ? a : b;
  return d < c ? d : c;
}
template <typename T> T med3(T a, T b, T c) {
  T low = a < b ? a : b, high = a > b ? a : b;
  return c < low ? low : c > high ? high : c;
}

// Nothing here overflows, so the clamp changes nothing.
void addMinMax16(HandlerTable &t) {
  VALU3_TRAIT(t, "v_min3_i16", MergesHalfAndTakesClamp, I16, I16, I16, I16,
              min3(a, b, c));
  VALU3_TRAIT(t, "v_min3_u16", MergesHalfAndTakesClamp, U16, U16, U16, U16,
              min3(a, b, c));
  VALU3_TRAIT(t, "v_max3_i16", MergesHalfAndTakesClamp, I16, I16, I16, I16,
              max3(a, b, c));
  VALU3_TRAIT(t, "v_max3_u16", MergesHalfAndTakesClamp, U16, U16, U16, U16,
              max3(a, b, c));
  VALU3_TRAIT(t, "v_med3_i16", MergesHalfAndTakesClamp, I16, I16, I16, I16,
              med3(a, b, c));
  VALU3_TRAIT(t, "v_med3_u16", MergesHalfAndTakesClamp, U16, U16, U16, U16,
              med3(a, b, c));
}

/// Forms that both keep the other half and clamp.
void addInt16Vop3(HandlerTable &t) {
  VALU2_TRAIT(t, "v_add_i16", MergesHalfAndTakesClamp, I16, I16, I16,
              saturateI16(mode, a + b));
  VALU2_TRAIT(t, "v_sub_i16", MergesHalfAndTakesClamp, I16, I16, I16,
              saturateI16(mode, a - b));
  VALU3_TRAIT(t, "v_mad_u16", MergesHalfAndTakesClamp, U16, U16, U16, U16,
              mode & clampFlag && a * b + c > 65535 ? 65535 : a * b + c);
  VALU3_TRAIT(t, "v_mad_i16", MergesHalfAndTakesClamp, I16, I16, I16, I16,
              saturateI16(mode, a * b + c));
  // The old forms clear the other half.
  VALU3_TRAIT(t, "v_mad_legacy_u16", TakesClamp, U16, U16, U16, U16,
              mode & clampFlag && a * b + c > 65535 ? 65535 : a * b + c);
  VALU3_TRAIT(t, "v_mad_legacy_i16", TakesClamp, I16, I16, I16, I16,
              saturateI16(mode, a * b + c));
  VALU3_TRAIT(t, "v_mad_u32_u16", TakesClamp, B32, U16, U16, B32,
              mode & clampFlag && u64(a) * b + c > 0xffffffff ? 0xffffffff
                                                              : a * b + c);
  VALU3_TRAIT(t, "v_mad_i32_i16", TakesClamp, I32, I16, I16, I32,
              mode & clampFlag
                  ? int(med3<int64_t>(int64_t(a) * b + c, INT32_MIN, INT32_MAX))
                  : int(u32(a * b) + u32(c)));
}

} // namespace

void addValuHalfOps(HandlerTable &t) {
  addF16(t);
  addF16Vop3(t);
  addInt16(t);
  addMinMax16(t);
  addInt16Vop3(t);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
