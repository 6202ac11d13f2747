//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Conversions between integers, f16, bf16, f32 and f64.

#include "ValuFloat.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// Toward zero, held to the range; NaN gives 0.
int32_t toInt(double x) {
  double held = x < -2147483648.0  ? -2147483648.0
                : x > 2147483647.0 ? 2147483647.0
                                   : x;
  return isNaN(x) ? 0 : int32_t(held);
}
u32 toUnsigned(double x) {
  double held = !(x > 0) ? 0 : x > 4294967295.0 ? 4294967295.0 : x;
  return u32(int64_t(held));
}
/// To nearest even, held to [low, high]; NaN gives 0.
int toRange(float x, float low, float high) {
  float rounded = __builtin_roundevenf(x);
  rounded = rounded < low ? low : rounded > high ? high : rounded;
  return isNaN(x) ? 0 : int(rounded);
}
/// Fractions of one, of which the exact product is rounded.
int signedNorm(float x) {
  double held = x < -1 ? -1 : x > 1 ? 1 : isNaN(x) ? 0 : x;
  return int(__builtin_roundeven(held * 32767));
}
int unsignedNorm(float x) {
  double held = x > 1 ? 1 : !(x > 0) ? 0 : x;
  return int(__builtin_roundeven(held * 65535));
}

/// f16 rounded toward zero.
u32 truncateToHalf(float x) {
  u32 code = floatToHalf(x);
  bool beyond = magnitudeOf(halfToFloat(code)) > magnitudeOf(x);
  return beyond ? code - 1 : code;
}

/// Nearest even, denormals kept, NaN made quiet.
u32 bf16Of(float x) {
  u32 bits = bitsAs<u32>(x);
  return isNaN(x) ? bits >> 16 | 0x40
                  : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
/// The random number's top bits, as many as are dropped, are added below the
/// last kept bit.
u32 bf16Stochastic(float x, u32 random) {
  u32 bits = bitsAs<u32>(x);
  bool finite = x - x == 0;
  return isNaN(x) ? bits >> 16 | 0x40
         : finite ? (bits + (random >> 16)) >> 16
                  : bits >> 16;
}
u32 halfStochastic(float x, u32 random) {
  u32 bits = bitsAs<u32>(x), field = bits >> 23 & 255;
  if (field == 255 || field == 0)
    return floatToHalf(x);
  u32 drop = field >= 113 ? 13 : field >= 95 ? 126 - field : 31;
  u32 significand = (bits & 0x7fffff) | 0x800000;
  u64 kept = (u64(significand) + (u64(random) >> (32 - drop))) >> drop;
  u64 code = field >= 113 ? (u64(field - 113) << 10) + kept : kept;
  return u32(code > 0x7c00 ? 0x7c00 : code) | (bits >> 16 & 0x8000);
}

/// Byte \p n of a result held to i8 or u8.
u32 saturateByte(int value, bool isSigned) {
  int low = isSigned ? -128 : 0, high = isSigned ? 127 : 255;
  return u32(limit(value, low, high)) & 255;
}
u32 packHalves(int low, int high) {
  return (u32(low) & 0xffff) | u32(high) << 16;
}
u32 insertByte(u32 into, u32 index, u32 value) {
  u32 shift = 8 * (index & 3);
  return (into & ~(u32(255) << shift)) | value << shift;
}

void addF32(HandlerTable &t) {
  VALU1(t, "v_cvt_f32_i32", F32, I32, double(a));
  VALU1(t, "v_cvt_f32_u32", F32, B32, double(a));
  VALU1(t, "v_cvt_i32_f32", I32, F32, toInt(a));
  VALU1(t, "v_cvt_u32_f32", B32, F32, toUnsigned(a));
  VALU1(t, "v_cvt_rpi_i32_f32", I32, F32,
        toInt(__builtin_floor(double(a) + 0.5)));
  VALU1(t, "v_cvt_flr_i32_f32", I32, F32, toInt(__builtin_floor(double(a))));
  VALU1(t, "v_cvt_off_f32_i4", F32, B32, float(int32_t(a << 28) >> 28) / 16.0f);
  VALU1(t, "v_cvt_f32_ubyte0", F32, B32, int(a & 255));
  VALU1(t, "v_cvt_f32_ubyte1", F32, B32, int(a >> 8 & 255));
  VALU1(t, "v_cvt_f32_ubyte2", F32, B32, int(a >> 16 & 255));
  VALU1(t, "v_cvt_f32_ubyte3", F32, B32, int(a >> 24));
  VALU1(t, "v_cvt_f32_f16", F32, F16, a);
  VALU1(t, "v_cvt_f16_f32", F16, F32, a);
  VALU1(t, "v_cvt_f32_bf16", F32, U16, bitsAs<float>(a << 16));
}

void addF64(HandlerTable &t) {
  VALU1(t, "v_cvt_f64_f32", F64, F32, a);
  VALU1(t, "v_cvt_f32_f64", F32, F64, a);
  VALU1(t, "v_cvt_f64_i32", F64, I32, a);
  VALU1(t, "v_cvt_f64_u32", F64, B32, a);
  VALU1(t, "v_cvt_i32_f64", I32, F64, toInt(a));
  VALU1(t, "v_cvt_u32_f64", B32, F64, toUnsigned(a));
}

void addF16(HandlerTable &t) {
  VALU1(t, "v_cvt_f16_u16", F16, U16, int(a));
  VALU1(t, "v_cvt_f16_i16", F16, I16, a);
  VALU1(t, "v_cvt_u16_f16", U16, F16,
        !(a > 0)    ? 0
        : a > 65535 ? 65535
                    : u32(int(a > 65504 ? 65504 : a)));
  VALU1(t, "v_cvt_i16_f16", I16, F16,
        isNaN(a)     ? 0
        : a > 32767  ? 32767
        : a < -32768 ? -32768
                     : int(a > 32767    ? 0
                           : a < -32768 ? 0
                                        : a));
  VALU1(t, "v_cvt_norm_i16_f16", I16, F16, signedNorm(a));
  VALU1(t, "v_cvt_norm_u16_f16", U16, F16, unsignedNorm(a));
}

void addPacked(HandlerTable &t) {
  VALU2(t, "v_cvt_pkrtz_f16_f32", B32, F32, F32,
        truncateToHalf(a) | truncateToHalf(b) << 16);
  VALU2(t, "v_cvt_pk_f16_f32", B32, F32, F32,
        floatToHalf(holdHalf(mode, a)) | floatToHalf(holdHalf(mode, b)) << 16);
  VALU2(t, "v_cvt_pk_bf16_f32", B32, F32, F32, bf16Of(a) | bf16Of(b) << 16);
  VALU2_TRAIT(t, "v_cvt_sr_bf16_f32", MergesHalf, U16, F32, B32,
              bf16Stochastic(a, b));
  VALU2_TRAIT(t, "v_cvt_sr_f16_f32", MergesHalf, U16, F32, B32,
              halfStochastic(a, b));
  VALU2(t, "v_cvt_pknorm_i16_f32", B32, F32, F32,
        packHalves(signedNorm(a), signedNorm(b)));
  VALU2(t, "v_cvt_pknorm_u16_f32", B32, F32, F32,
        packHalves(unsignedNorm(a), unsignedNorm(b)));
  VALU2(t, "v_cvt_pknorm_i16_f16", B32, F16, F16,
        packHalves(signedNorm(a), signedNorm(b)));
  VALU2(t, "v_cvt_pknorm_u16_f16", B32, F16, F16,
        packHalves(unsignedNorm(a), unsignedNorm(b)));
  VALU2(t, "v_cvt_pk_u16_u32", B32, B32, B32,
        packHalves(int(a < 65535 ? a : 65535), int(b < 65535 ? b : 65535)));
  VALU2(t, "v_cvt_pk_i16_i32", B32, I32, I32,
        packHalves(limit(a, -32768, 32767), limit(b, -32768, 32767)));
  VALU3(t, "v_cvt_pk_u8_f32", B32, F32, B32, B32,
        insertByte(c, b, u32(toRange(a, 0, 255))));
  // Writes one byte of the destination, which is no operand of LLVM's.
  VALU_ACCUMULATE(t, "v_cvt_pkaccum_u8_f32", None, B32, F32, B32,
                  insertByte(c, b, u32(toRange(a, 0, 255))));
  VALU1(t, "v_sat_pk_u8_i16", B32, B32,
        saturateByte(int16_t(a), false) | saturateByte(int16_t(a >> 16), false)
                                              << 8);
  VALU3_TRAIT(t, "v_ashr_pk_i8_i32", MergesHalf, U16, I32, I32, B32,
              saturateByte(a >> (c & 31), true) |
                  saturateByte(b >> (c & 31), true) << 8);
  VALU3_TRAIT(t, "v_ashr_pk_u8_i32", MergesHalf, U16, I32, I32, B32,
              saturateByte(a >> (c & 31), false) |
                  saturateByte(b >> (c & 31), false) << 8);
}

} // namespace

void addValuConvertOps(HandlerTable &t) {
  addF32(t);
  addF64(t);
  addF16(t);
  addPacked(t);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
