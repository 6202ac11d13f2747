//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// VOP3P: two 16-bit operations on the halves of a dword, two f32 operations on
/// a pair of dwords, and the mixed-precision multiply-adds.
///
/// op_sel and op_sel_hi name the half (the dword) of each source that the low
/// and the high operation take; neg_lo and neg_hi negate it.

#include "ValuFloat.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// The half of a dword that an operation reads, with its sign changed.
template <typename T> struct PackedSource {
  PackedSource(const Wave &w, const ExecInst &inst, unsigned i, bool high) {
    const Operand &op = inst.src(i);
    rows = readRow(w, op, 0, storage);
    shift = op.mods & (high ? ModOpSel1 : ModOpSel0) ? 16 : 0;
    flip = T::kind == ValuKind::Half && op.mods & (high ? ModAbs : ModNeg)
               ? 0x8000
               : 0;
    flushes = flushesIn<T::kind>(w.mode);
  }
  [[gnu::always_inline]] typename T::Type operator[](unsigned l) const {
    u32 code = rows[l] >> shift & 0xffff;
    code = flushes && !(code & 0x7c00) ? code & 0x8000 : code;
    return T::get(code ^ flip);
  }
  Row storage;
  const u32 *rows;
  u32 shift, flip;
  bool flushes;
};

/// Clamps and flushes one half of an f16 result; integers are left alone.
template <typename T> void finishPacked(u32 mode, Row &row) {
  if constexpr (T::kind == ValuKind::Half) {
    if (mode & clampFlag)
      for (u32 &code : row.lane) {
        float x = halfToFloat(code);
        float held = x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;
        code = floatToHalf(isNaN(x) && !(mode & ModeDx10Clamp) ? x : held);
      }
    if (flushesOut<T::kind>(mode))
      for (u32 &code : row.lane)
        code = code & 0x7c00 ? code : code & 0x8000;
  }
}

void storeHalves(Wave &w, const ExecInst &inst, const Row &low,
                 const Row &high) {
  Row packed;
  for (unsigned l = 0; l != waveLanes; ++l)
    packed.lane[l] = low.lane[l] | high.lane[l] << 16;
  writeRow(w, inst.ops[0], 0, packed);
}

template <typename Op, typename T, unsigned numSources>
void packedBody(Wave &w, const ExecInst &inst) {
  Row results[2];
  u32 mode = modeOf(w, inst);
  for (bool high : {false, true}) {
    Row &result = results[high];
    PackedSource<T> a(w, inst, 0, high), b(w, inst, 1, high);
    if constexpr (numSources == 3) {
      PackedSource<T> c(w, inst, 2, high);
      for (unsigned l = 0; l != waveLanes; ++l)
        result.lane[l] = T::put(hold<T>(mode, Op::f(mode, a[l], b[l], c[l])));
    } else {
      for (unsigned l = 0; l != waveLanes; ++l)
        result.lane[l] = T::put(hold<T>(mode, Op::f(mode, a[l], b[l])));
    }
    finishPacked<T>(mode, result);
  }
  storeHalves(w, inst, results[0], results[1]);
}

template <unsigned numSources, ValuKind kind, Handler handler>
void resolvePacked(const TargetInfo &, ExecInst &inst) {
  if (inst.encoding == Encoding::Other && describeValu(inst, numSources))
    inst.handler = valuHandler<kind, handler>;
}

#define PACKED2(t, key, T, ...)                                                \
  do {                                                                         \
    FLY_OP2(T, T, T, (__VA_ARGS__));                                           \
    t.addResolver(key, resolvePacked<2, T::kind, packedBody<Op, T, 2>>);       \
  } while (false)
#define PACKED3(t, key, T, ...)                                                \
  do {                                                                         \
    FLY_OP3(T, T, T, T, (__VA_ARGS__));                                        \
    t.addResolver(key, resolvePacked<3, T::kind, packedBody<Op, T, 3>>);       \
  } while (false)

u32 saturateU(u32 mode, int value) {
  return u32(mode & clampFlag ? limit(value, 0, 65535) : value);
}
int saturateI(u32 mode, int value) {
  return mode & clampFlag ? limit(value, -32768, 32767) : value;
}

void addFloats(HandlerTable &t) {
  PACKED2(t, "v_pk_add_f16", F16, a + b);
  PACKED2(t, "v_pk_mul_f16", F16, a * b);
  PACKED2(t, "v_pk_min_f16", F16, minOf(mode & ~clampFlag, a, b));
  PACKED2(t, "v_pk_max_f16", F16, maxOf(mode & ~clampFlag, a, b));
  PACKED3(t, "v_pk_fma_f16", F16, fuseHalf(mode, a, b, c));
  PACKED3(t, "v_pk_minimum3_f16", F16, minimum3(mode, a, b, c));
  PACKED3(t, "v_pk_maximum3_f16", F16, maximum3(mode, a, b, c));
}

void addInts(HandlerTable &t) {
  PACKED2(t, "v_pk_add_u16", U16, saturateU(mode, int(a + b)));
  PACKED2(t, "v_pk_sub_u16", U16, saturateU(mode, int(a) - int(b)));
  PACKED2(t, "v_pk_add_i16", I16, saturateI(mode, a + b));
  PACKED2(t, "v_pk_sub_i16", I16, saturateI(mode, a - b));
  PACKED2(t, "v_pk_mul_lo_u16", U16, a * b);
  PACKED3(t, "v_pk_mad_u16", U16,
          mode & clampFlag && a * b + c > 65535 ? 65535 : a * b + c);
  PACKED3(t, "v_pk_mad_i16", I16, saturateI(mode, a * b + c));
  PACKED2(t, "v_pk_lshlrev_b16", U16, b << (a & 15));
  PACKED2(t, "v_pk_lshrrev_b16", U16, b >> (a & 15));
  PACKED2(t, "v_pk_ashrrev_i16", I16, b >> (a & 15));
  PACKED2(t, "v_pk_min_u16", U16, a < b ? a : b);
  PACKED2(t, "v_pk_max_u16", U16, a > b ? a : b);
  PACKED2(t, "v_pk_min_i16", I16, a < b ? a : b);
  PACKED2(t, "v_pk_max_i16", I16, a > b ? a : b);
}

//===----------------------------------------------------------------------===//
// Pairs of f32
//===----------------------------------------------------------------------===//

/// The dword of a pair that the low or the high operation reads.
const u32 *pairSource(const Wave &w, const ExecInst &inst, unsigned i,
                      bool high, Row &storage) {
  const Operand &op = inst.src(i);
  bool second = op.mods & (high ? ModOpSel1 : ModOpSel0);
  const u32 *row = readRow(w, op, second, storage);
  bool negate = op.mods & (high ? ModAbs : ModNeg);
  bool flushes = flushesIn<ValuKind::Float>(w.mode);
  if (!negate && !flushes)
    return row;
  for (unsigned l = 0; l != waveLanes; ++l) {
    u32 bits = row[l];
    bits = flushes && !(bits & 0x7f800000) ? bits & 0x80000000 : bits;
    storage.lane[l] = bits ^ (negate ? 0x80000000 : 0);
  }
  return storage.lane;
}

void finishPair(u32 mode, Row &row) {
  if (mode & clampFlag)
    for (u32 &bits : row.lane) {
      float x = bitsAs<float>(bits), held = x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;
      bits = bitsAs<u32>(isNaN(x) && !(mode & ModeDx10Clamp) ? x : held);
    }
  if (flushesOut<ValuKind::Float>(mode))
    for (u32 &bits : row.lane)
      bits = bits & 0x7f800000 ? bits : bits & 0x80000000;
}

template <typename Op, unsigned numSources>
void pairBody(Wave &w, const ExecInst &inst) {
  Row results[2];
  u32 mode = modeOf(w, inst);
  for (bool high : {false, true}) {
    Row s0, s1, s2, &result = results[high];
    const u32 *a = pairSource(w, inst, 0, high, s0);
    const u32 *b = pairSource(w, inst, 1, high, s1);
    const u32 *c = numSources == 3 ? pairSource(w, inst, 2, high, s2) : b;
    for (unsigned l = 0; l != waveLanes; ++l)
      result.lane[l] =
          F32::put(Op::f(mode, F32::get(a[l]), F32::get(b[l]), F32::get(c[l])));
    finishPair(mode, result);
  }
  writeRow(w, inst.ops[0], 0, results[0]);
  writeRow(w, inst.ops[0], 1, results[1]);
}

#define PAIR(t, key, numSources, ...)                                          \
  do {                                                                         \
    FLY_OP3(F32, F32, F32, F32, (__VA_ARGS__));                                \
    t.addResolver(                                                             \
        key,                                                                   \
        resolvePacked<numSources, ValuKind::Float, pairBody<Op, numSources>>); \
  } while (false)

/// The low dword is that of S0 which op_sel[0] names, the high one that of S1
/// which op_sel[1] names (LLVM copies a pair with op_sel:[0,1]).
void pkMov(Wave &w, const ExecInst &inst) {
  Row s0, s1, low, high;
  const u32 *a =
      readRow(w, inst.src(0), bool(inst.src(0).mods & ModOpSel0), s0);
  const u32 *b =
      readRow(w, inst.src(1), bool(inst.src(1).mods & ModOpSel0), s1);
  std::memcpy(low.lane, a, sizeof(low.lane));
  std::memcpy(high.lane, b, sizeof(high.lane));
  writeRow(w, inst.ops[0], 0, low);
  writeRow(w, inst.ops[0], 1, high);
}

//===----------------------------------------------------------------------===//
// Mixed precision
//===----------------------------------------------------------------------===//

/// A source that is f32, or with op_sel_hi an f16 in the half that op_sel
/// names; neg_hi is abs.
void readMixed(const Wave &w, const ExecInst &inst, unsigned i, Row &value) {
  const Operand &op = inst.src(i);
  Row storage;
  const u32 *row = readRow(w, op, 0, storage);
  u32 shift = op.mods & ModOpSel0 ? 16 : 0;
  bool half = op.mods & ModOpSel1, flushes = flushesIn<ValuKind::Float>(w.mode);
  for (unsigned l = 0; l != waveLanes; ++l) {
    u32 bits = half ? bitsAs<u32>(halfToFloat(row[l] >> shift)) : row[l];
    bits = flushes && !(bits & 0x7f800000) ? bits & 0x80000000 : bits;
    bits = op.mods & ModAbs ? bits & 0x7fffffff : bits;
    value.lane[l] = op.mods & ModNeg ? bits ^ 0x80000000 : bits;
  }
}

void mixInto(const Wave &w, const ExecInst &inst, Row &result) {
  Row a, b, c;
  readMixed(w, inst, 0, a);
  readMixed(w, inst, 1, b);
  readMixed(w, inst, 2, c);
  for (unsigned l = 0; l != waveLanes; ++l)
    result.lane[l] = F32::put(__builtin_fmaf(
        F32::get(a.lane[l]), F32::get(b.lane[l]), F32::get(c.lane[l])));
}
void fmaMix(Wave &w, const ExecInst &inst) {
  Row result;
  mixInto(w, inst, result);
  finishPair(modeOf(w, inst), result);
  writeRow(w, inst.ops[0], 0, result);
}
/// To the low or high half; the other stays.
template <bool high> void fmaMixHalf(Wave &w, const ExecInst &inst) {
  Row result;
  mixInto(w, inst, result);
  for (u32 &bits : result.lane)
    bits = floatToHalf(holdHalf(w.mode, F32::get(bits)));
  finishPacked<F16>(modeOf(w, inst), result);
  const u32 *old = w.regs[inst.ops[0].row()];
  for (unsigned l = 0; l != waveLanes; ++l)
    result.lane[l] = high ? (old[l] & 0xffff) | result.lane[l] << 16
                          : (old[l] & 0xffff0000) | result.lane[l];
  writeRow(w, inst.ops[0], 0, result);
}

//===----------------------------------------------------------------------===//
// Packed multiplication with the destination
//===----------------------------------------------------------------------===//

void pkFmac(Wave &w, const ExecInst &inst) {
  Source<B32> a(w, inst, 0), b(w, inst, 1), c(w, inst);
  u32 mode = modeOf(w, inst);
  bool flushes = flushesIn<ValuKind::Half>(mode);
  Row results[2];
  for (bool high : {false, true}) {
    auto half = [&](u32 dword) {
      u32 code = dword >> (high ? 16 : 0) & 0xffff;
      return halfToFloat(flushes && !(code & 0x7c00) ? code & 0x8000 : code);
    };
    for (unsigned l = 0; l != waveLanes; ++l)
      results[high].lane[l] = floatToHalf(
          holdHalf(mode, fuseHalf(mode, half(a[l]), half(b[l]), half(c[l]))));
    finishPacked<F16>(mode, results[high]);
  }
  Result<B32> d;
  for (unsigned l = 0; l != waveLanes; ++l)
    d.set(l, results[0].lane[l] | results[1].lane[l] << 16);
  d.store(w, inst);
}
/// What the modifiers of its 64-bit form mean is not documented.
void resolvePkFmac(const TargetInfo &target, ExecInst &inst) {
  for (unsigned i = 0; i != 2; ++i)
    if (inst.numSrcs() < 2 || inst.src(i).mods)
      return;
  resolveValu<2, ValuKind::Half, ValuTrait::None,
              valuHandler<ValuKind::Half, pkFmac>>(target, inst);
}

} // namespace

void addValuPackedOps(HandlerTable &t) {
  addFloats(t);
  addInts(t);
  PAIR(t, "v_pk_add_f32", 2, a + b);
  PAIR(t, "v_pk_mul_f32", 2, a * b);
  PAIR(t, "v_pk_fma_f32", 3, __builtin_fmaf(a, b, c));
  t.addResolver("v_pk_mov_b32", resolvePacked<2, ValuKind::Bits, pkMov>);
  t.addResolver("v_pk_fmac_f16", resolvePkFmac);
  t.addResolver("v_fma_mix_f32", resolvePacked<3, ValuKind::Float, fmaMix>);
  t.addResolver("v_fma_mixlo_f16",
                resolvePacked<3, ValuKind::Float, fmaMixHalf<false>>);
  t.addResolver("v_fma_mixhi_f16",
                resolvePacked<3, ValuKind::Float, fmaMixHalf<true>>);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
