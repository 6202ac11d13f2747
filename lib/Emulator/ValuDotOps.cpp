//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Dot products of short vectors in a dword. Integers are exact before the
/// optional clamp. The f16 and bf16 forms are fused multiply-adds, the low
/// product first; what the hardware does between them is not published.

#include "ValuFloat.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// The sum of the products of `32 / bits` elements, each sign-extended if
/// isSigned.
template <unsigned bits, bool isSigned> int64_t dotInts(u32 a, u32 b) {
  int64_t sum = 0;
  for (unsigned i = 0; i != 32; i += bits) {
    u32 x = a << (32 - bits - i), y = b << (32 - bits - i);
    if (isSigned)
      sum += int64_t(int32_t(x) >> (32 - bits)) *
             int64_t(int32_t(y) >> (32 - bits));
    else
      sum += int64_t(u64(x >> (32 - bits)) * (y >> (32 - bits)));
  }
  return sum;
}
u32 finishSigned(u32 mode, int64_t sum) {
  if (mode & clampFlag)
    return sum < INT32_MIN   ? 0x80000000
           : sum > INT32_MAX ? 0x7fffffff
                             : u32(sum);
  return u32(sum);
}
u32 finishUnsigned(u32 mode, int64_t sum) {
  return mode & clampFlag && sum > 0xffffffff ? 0xffffffff : u32(sum);
}

float dotHalf(u32 a, u32 b, float c) {
  c = __builtin_fmaf(halfToFloat(a), halfToFloat(b), c);
  return __builtin_fmaf(halfToFloat(a >> 16), halfToFloat(b >> 16), c);
}
float dotBf16(u32 a, u32 b, float c) {
  c = __builtin_fmaf(F32::get(a << 16), F32::get(b << 16), c);
  return __builtin_fmaf(F32::get(a & 0xffff0000), F32::get(b & 0xffff0000), c);
}

/// The dwords of a source with halves chosen by op_sel and op_sel_hi and
/// signs by neg_lo and neg_hi.
const u32 *readPair(const Wave &w, const ExecInst &inst, unsigned i,
                    bool isFloat, Row &storage) {
  const Operand &op = inst.src(i);
  const u32 *row = readRow(w, op, 0, storage);
  u32 low = op.mods & ModOpSel0 ? 16 : 0, high = op.mods & ModOpSel1 ? 16 : 0;
  u32 flip = isFloat ? (op.mods & ModNeg ? 0x8000 : 0) |
                           (op.mods & ModAbs ? 0x80000000 : 0)
                     : 0;
  for (unsigned l = 0; l != waveLanes; ++l)
    storage.lane[l] =
        ((row[l] >> low & 0xffff) | (row[l] >> high & 0xffff) << 16) ^ flip;
  return storage.lane;
}

/// VOP3P forms of two 16-bit elements.
template <typename Op, typename D, typename C>
void dot2(Wave &w, const ExecInst &inst) {
  constexpr bool isFloat = D::kind == ValuKind::Float;
  Row s0, s1;
  const u32 *a = readPair(w, inst, 0, isFloat, s0);
  const u32 *b = readPair(w, inst, 1, isFloat, s1);
  // The third source has no halves: op_sel of it means nothing.
  Row s2;
  const u32 *c = readRow(w, inst.src(2), 0, s2);
  u32 flip = isFloat && inst.src(2).mods & ModNeg ? 0x80000000 : 0;
  u32 mode = modeOf(w, inst);
  Result<D> d;
  for (unsigned l = 0; l != waveLanes; ++l)
    d.set(l, Op::f(mode, a[l], b[l], C::get(c[l] ^ flip)));
  d.store(w, inst);
}
template <ValuKind kind, Handler handler>
void resolveDot2(const TargetInfo &, ExecInst &inst) {
  if (inst.encoding == Encoding::Other && describeValu(inst, 3))
    inst.handler = valuHandler<kind, handler>;
}

#define DOT2(t, key, D, C, ...)                                                \
  do {                                                                         \
    FLY_OP3(D, B32, B32, C, (__VA_ARGS__));                                    \
    t.addResolver(key, resolveDot2<D::kind, dot2<Op, D, C>>);                  \
  } while (false)

} // namespace

void addValuDotOps(HandlerTable &t) {
  DOT2(t, "v_dot2_f32_f16", F32, F32, dotHalf(a, b, c));
  DOT2(t, "v_dot2_f32_bf16", F32, F32, dotBf16(a, b, c));
  DOT2(t, "v_dot2_i32_i16", B32, I32,
       finishSigned(mode, dotInts<16, true>(a, b) + c));
  DOT2(t, "v_dot2_u32_u16", B32, B32,
       finishUnsigned(mode, dotInts<16, false>(a, b) + c));
  VALU3_TRAIT(t, "v_dot4_i32_i8", TakesClamp, B32, B32, B32, I32,
              finishSigned(mode, dotInts<8, true>(a, b) + c));
  VALU3_TRAIT(t, "v_dot4_u32_u8", TakesClamp, B32, B32, B32, B32,
              finishUnsigned(mode, dotInts<8, false>(a, b) + c));
  VALU3_TRAIT(t, "v_dot8_i32_i4", TakesClamp, B32, B32, B32, I32,
              finishSigned(mode, dotInts<4, true>(a, b) + c));
  VALU3_TRAIT(t, "v_dot8_u32_u4", TakesClamp, B32, B32, B32, B32,
              finishUnsigned(mode, dotInts<4, false>(a, b) + c));
  VALU_ACCUMULATE(t, "v_dot2c_f32_f16", None, F32, B32, B32, dotHalf(a, b, c));
  VALU_ACCUMULATE(t, "v_dot2c_f32_bf16", None, F32, B32, B32, dotBf16(a, b, c));
  VALU_ACCUMULATE(t, "v_dot2c_i32_i16", TakesClamp, I32, B32, B32,
                  finishSigned(mode, dotInts<16, true>(a, b) + c));
  VALU_ACCUMULATE(t, "v_dot4c_i32_i8", TakesClamp, I32, B32, B32,
                  finishSigned(mode, dotInts<8, true>(a, b) + c));
  VALU_ACCUMULATE(t, "v_dot8c_i32_i4", TakesClamp, I32, B32, B32,
                  finishSigned(mode, dotInts<4, true>(a, b) + c));
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
