//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// f32 arithmetic and conversions without input or output modifiers, rounded to
/// nearest even; MODE's f32 denormal bits are obeyed.

#include "ValuLanes.h"

#include <cmath>

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

using u32 = uint32_t;

float asFloat(u32 bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
u32 asBits(float value) {
  u32 bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
u32 flush(u32 bits, bool keep) {
  return keep || (bits & 0x7f800000) ? bits : bits & 0x80000000;
}

float add(float a, float b) { return a + b; }
float sub(float a, float b) { return a - b; }
float subrev(float a, float b) { return b - a; }
float mul(float a, float b) { return a * b; }
/// v_min and v_max: a NaN gives the other operand; -0 is below +0.
float minF(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
float maxF(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}
float rcp(float a) { return 1.0f / a; }

template <float (*f)(float)> void float1(Wave &w, const ExecInst &inst) {
  Row s0, result;
  const u32 *a = readRow(w, inst.src(0), 0, s0);
  bool in = w.mode & ModeDenormF32In, out = w.mode & ModeDenormF32Out;
  for (unsigned l = 0; l != waveLanes; ++l)
    result.lane[l] = flush(asBits(f(asFloat(flush(a[l], in)))), out);
  writeRow(w, inst.ops[0], 0, result);
}
template <float (*f)(float, float)> void float2(Wave &w, const ExecInst &inst) {
  Row s0, s1, result;
  const u32 *a = readRow(w, inst.src(0), 0, s0);
  const u32 *b = readRow(w, inst.src(1), 0, s1);
  bool in = w.mode & ModeDenormF32In, out = w.mode & ModeDenormF32Out;
  for (unsigned l = 0; l != waveLanes; ++l)
    result.lane[l] = flush(
        asBits(f(asFloat(flush(a[l], in)), asFloat(flush(b[l], in)))), out);
  writeRow(w, inst.ops[0], 0, result);
}
/// \p accumulate: v_fmac, whose addend is the destination.
template <bool accumulate> void fma3(Wave &w, const ExecInst &inst) {
  Row s0, s1, s2, result;
  const u32 *a = readRow(w, inst.src(0), 0, s0);
  const u32 *b = readRow(w, inst.src(1), 0, s1);
  const u32 *c = readRow(w, accumulate ? inst.ops[0] : inst.src(2), 0, s2);
  bool in = w.mode & ModeDenormF32In, out = w.mode & ModeDenormF32Out;
  for (unsigned l = 0; l != waveLanes; ++l)
    result.lane[l] = flush(asBits(__builtin_fmaf(asFloat(flush(a[l], in)),
                                                 asFloat(flush(b[l], in)),
                                                 asFloat(flush(c[l], in)))),
                           out);
  writeRow(w, inst.ops[0], 0, result);
}

u32 cvtF32U32(u32 a) { return asBits(float(a)); }
u32 cvtF32I32(u32 a) { return asBits(float(int32_t(a))); }
/// Conversions to integers truncate and saturate; NaN gives 0.
u32 cvtU32F32(u32 a) {
  float v = asFloat(a);
  return !(v > 0) ? 0 : v >= 4294967296.0f ? ~u32(0) : u32(v);
}
u32 cvtI32F32(u32 a) {
  float v = asFloat(a);
  if (v != v)
    return 0;
  return v >= 2147483648.0f   ? 0x7fffffff
         : v < -2147483648.0f ? 0x80000000
                              : u32(int32_t(v));
}
/// Round to nearest even, denormals kept, NaN made quiet.
u32 bf16Of(u32 a) {
  if ((a & 0x7fffffff) > 0x7f800000)
    return a >> 16 | 0x40;
  return (a + 0x7fff + (a >> 16 & 1)) >> 16;
}
u32 cvtPkBf16(u32 a, u32 b) { return bf16Of(a) | bf16Of(b) << 16; }

} // namespace

void addValuFloatOps(HandlerTable &t) {
  t.addResolver("v_add_f32", resolvePlain<2, float2<add>>);
  t.addResolver("v_sub_f32", resolvePlain<2, float2<sub>>);
  t.addResolver("v_subrev_f32", resolvePlain<2, float2<subrev>>);
  t.addResolver("v_mul_f32", resolvePlain<2, float2<mul>>);
  t.addResolver("v_min_f32", resolvePlain<2, float2<minF>>);
  t.addResolver("v_max_f32", resolvePlain<2, float2<maxF>>);
  t.addResolver("v_rcp_f32", resolvePlain<1, float1<rcp>>);
  t.addResolver("v_rcp_iflag_f32", resolvePlain<1, float1<rcp>>);
  t.addResolver("v_fma_f32", resolvePlain<3, fma3<false>>);
  t.addResolver("v_fmac_f32", resolvePlain<2, fma3<true>>);
  addLanes1<cvtF32U32>(t, "v_cvt_f32_u32");
  addLanes1<cvtF32I32>(t, "v_cvt_f32_i32");
  addLanes1<cvtU32F32>(t, "v_cvt_u32_f32");
  addLanes1<cvtI32F32>(t, "v_cvt_i32_f32");
  addLanes2<cvtPkBf16>(t, "v_cvt_pk_bf16_f32");
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
