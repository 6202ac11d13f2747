//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Conversions between f32 and the 8-bit floats without scales: OCP formats on
/// gfx950, FNUZ on gfx942. MODE.FP16_OVFL makes overflow saturate.

#include "ValuSmallFloat.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// The 8-bit floats of the chip.
FloatKind fp8Kind(const Wave &w) {
  return w.target->fp8 == Fp8Format::OCP ? FloatKind::E4M3FN
                                         : FloatKind::E4M3FNUZ;
}
FloatKind bf8Kind(const Wave &w) {
  return w.target->fp8 == Fp8Format::OCP ? FloatKind::E5M2
                                         : FloatKind::E5M2FNUZ;
}
using KindOf = FloatKind (*)(const Wave &);

/// Byte 0 of the source, or the one that SDWA selects.
template <KindOf kindOf> void toFloat(Wave &w, const ExecInst &inst) {
  Source<B32> a(w, inst, 0);
  FloatKind kind = kindOf(w);
  Result<F32> d;
  for (unsigned l = 0; l != waveLanes; ++l)
    d.set(l, decode(kind, uint8_t(a[l])));
  d.store(w, inst);
}
/// The two bytes of word 0, or of the one that SDWA selects.
template <KindOf kindOf> void toFloats(Wave &w, const ExecInst &inst) {
  Source<B32> a(w, inst, 0);
  FloatKind kind = kindOf(w);
  Row low, high;
  for (unsigned l = 0; l != waveLanes; ++l) {
    low.lane[l] = F32::put(decode(kind, uint8_t(a[l])));
    high.lane[l] = F32::put(decode(kind, uint8_t(a[l] >> 8)));
  }
  writeRow(w, inst.ops[0], 0, low);
  writeRow(w, inst.ops[0], 1, high);
}
template <Handler handler>
void resolveFrom(const TargetInfo &, ExecInst &inst) {
  // The 64-bit form would select with op_sel; these chips use SDWA.
  if (!inst.src(0).mods && describeValu(inst, 1))
    inst.handler = handler;
}

/// Two results to the half that op_sel[3] names.
template <KindOf kindOf> void fromFloats(Wave &w, const ExecInst &inst) {
  Source<F32> a(w, inst, 0), b(w, inst, 1);
  FloatKind kind = kindOf(w);
  Overflow overflow = overflowOf(w);
  unsigned half = opSel1(inst.src(0));
  const u32 *old = w.regs[inst.ops[0].row()];
  Row result;
  for (unsigned l = 0; l != waveLanes; ++l)
    result.lane[l] = insert(old[l], 16, half,
                            encode(kind, a[l], overflow) |
                                u32(encode(kind, b[l], overflow)) << 8);
  writeRow(w, inst.ops[0], 0, result);
}
/// One result, rounded with the random number in S1, to byte op_sel[3:2].
template <KindOf kindOf> void fromFloatRandom(Wave &w, const ExecInst &inst) {
  Source<F32> a(w, inst, 0);
  Source<B32> random(w, inst, 1);
  FloatKind kind = kindOf(w);
  Overflow overflow = overflowOf(w);
  unsigned byte = 2 * opSel1(inst.src(0)) + opSel0(inst.ops[0]);
  const u32 *old = w.regs[inst.ops[0].row()];
  Row result;
  for (unsigned l = 0; l != waveLanes; ++l)
    result.lane[l] = insert(old[l], 8, byte,
                            encodeStochastic(kind, a[l], random[l], overflow));
  writeRow(w, inst.ops[0], 0, result);
}
template <Handler handler> void resolveTo(const TargetInfo &, ExecInst &inst) {
  if (isPlainVop3(inst, 2))
    inst.handler = handler;
}

} // namespace

void addValuFp8Ops(HandlerTable &t) {
  t.addResolver("v_cvt_f32_fp8", resolveFrom<toFloat<fp8Kind>>);
  t.addResolver("v_cvt_f32_bf8", resolveFrom<toFloat<bf8Kind>>);
  t.addResolver("v_cvt_pk_f32_fp8", resolveFrom<toFloats<fp8Kind>>);
  t.addResolver("v_cvt_pk_f32_bf8", resolveFrom<toFloats<bf8Kind>>);
  t.addResolver("v_cvt_pk_fp8_f32", resolveTo<fromFloats<fp8Kind>>);
  t.addResolver("v_cvt_pk_bf8_f32", resolveTo<fromFloats<bf8Kind>>);
  t.addResolver("v_cvt_sr_fp8_f32", resolveTo<fromFloatRandom<fp8Kind>>);
  t.addResolver("v_cvt_sr_bf8_f32", resolveTo<fromFloatRandom<bf8Kind>>);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
