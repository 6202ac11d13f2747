//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// 32 and 64-bit integer VALU instructions, bit fields, carries, and the
/// conditional move.

#include "Valu.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// An exact result held to the range of u32 or i32 if the clamp is on.
u32 unsignedResult(u32 mode, int64_t value) {
  if (!(mode & clampFlag))
    return u32(value);
  return value < 0 ? 0 : value > 0xffffffff ? 0xffffffff : u32(value);
}
u32 signedResult(u32 mode, int64_t value) {
  if (!(mode & clampFlag))
    return u32(value);
  return value < INT32_MIN   ? 0x80000000
         : value > INT32_MAX ? 0x7fffffff
                             : u32(value);
}
int64_t wide(int32_t a) { return a; }
int64_t wideU(u32 a) { return int64_t(a); }

u32 low24(u32 a) { return a & 0xffffff; }
int32_t signed24(u32 a) { return int32_t(a << 8) >> 8; }

u32 bfeU(u32 a, u32 b, u32 c) {
  return a >> (b & 31) & ((u32(1) << (c & 31)) - 1);
}
/// Bits past the top are copies of the sign.
u32 bfeI(u32 a, u32 b, u32 c) {
  u32 offset = b & 31, width = c & 31;
  u32 shifted = u32(int32_t(a) >> offset);
  u32 up = 32 - width;
  u32 field = width ? u32(int32_t(shifted << (up & 31)) >> (up & 31)) : 0;
  return width && offset + width >= 32 ? shifted : field;
}

template <typename T> T least(T a, T b) { return a < b ? a : b; }
template <typename T> T most(T a, T b) { return a > b ? a : b; }
template <typename T> T middle(T a, T b, T c) {
  return most(least(a, b), least(most(a, b), c));
}

/// Byte select of v_perm_b32: bytes 0..3 of S1, 4..7 of S0; 8..11 the sign of
/// bytes 1, 3, 5, 7; 12 zero; above it all ones.
u32 perm(u32 a, u32 b, u32 c) {
  u64 data = u64(a) << 32 | b;
  u32 result = 0;
  for (unsigned i = 0; i != 4; ++i) {
    u32 select = c >> (8 * i) & 255;
    u32 byte = u32(data >> (8 * (select & 7))) & 255;
    u32 sign = data >> (16 * (select & 3) + 15) & 1 ? 255 : 0;
    byte = select < 8 ? byte : select < 12 ? sign : select == 12 ? 0 : 255;
    result |= byte << (8 * i);
  }
  return result;
}

/// Bytes averaged, rounding up where the low bit of c's byte is set.
u32 lerpBytes(u32 a, u32 b, u32 c) {
  u32 result = 0;
  for (unsigned i = 0; i != 32; i += 8)
    result |= ((a >> i & 255) + (b >> i & 255) + (c >> i & 1)) >> 1 << i;
  return result;
}

u32 reverseBits(u32 a) {
  a = (a & 0x55555555) << 1 | (a >> 1 & 0x55555555);
  a = (a & 0x33333333) << 2 | (a >> 2 & 0x33333333);
  a = (a & 0x0f0f0f0f) << 4 | (a >> 4 & 0x0f0f0f0f);
  return __builtin_bswap32(a);
}
u32 firstHigh(u32 a) { return a ? u32(__builtin_clz(a)) : ~u32(0); }
/// Position from the top of the first bit that differs from the sign.
u32 firstHighI(u32 a) { return firstHigh(int32_t(a) < 0 ? ~a : a); }

/// Bit i of the table is the result for S0 = bit 2, S1 = bit 1, S2 = bit 0 of
/// i (LLVM, v_bitop3; the table is the last operand).
u32 truthTable(u32 table, u32 a, u32 b, u32 c) {
  u32 result = 0;
  for (unsigned i = 0; i != 8; ++i)
    if (table >> i & 1)
      result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}
template <typename T> void bitop3(Wave &w, const ExecInst &inst) {
  Source<T> a(w, inst, 0), b(w, inst, 1), c(w, inst, 2);
  u32 table = u32(inst.src(3).imm);
  Result<T> d;
  for (unsigned l = 0; l != waveLanes; ++l)
    d.set(l, truthTable(table, a[l], b[l], c[l]));
  d.store(w, inst);
}
template <typename T, bool mergesHalf>
void resolveBitop3(const TargetInfo &, ExecInst &inst) {
  // The table is not a clamp.
  ExecInst withoutTable = inst;
  if (inst.numOps != inst.numDefs + 4 || !inst.src(3).isImm())
    return;
  withoutTable.numOps = uint8_t(inst.numOps - 1);
  if (!describeValu(withoutTable, 3, mergesHalf))
    return;
  inst.data = withoutTable.data;
  inst.handler = bitop3<T>;
}

void addArithmetic(HandlerTable &t) {
  VALU2_TRAIT(t, "v_add_u32", TakesClamp, B32, B32, B32,
              unsignedResult(mode, wideU(a) + wideU(b)));
  VALU2_TRAIT(t, "v_sub_u32", TakesClamp, B32, B32, B32,
              unsignedResult(mode, wideU(a) - wideU(b)));
  VALU2_TRAIT(t, "v_subrev_u32", TakesClamp, B32, B32, B32,
              unsignedResult(mode, wideU(b) - wideU(a)));
  VALU2_TRAIT(t, "v_add_i32", TakesClamp, B32, I32, I32,
              signedResult(mode, wide(a) + wide(b)));
  VALU2_TRAIT(t, "v_sub_i32", TakesClamp, B32, I32, I32,
              signedResult(mode, wide(a) - wide(b)));
  VALU2(t, "v_mul_lo_u32", B32, B32, B32, a * b);
  VALU2(t, "v_mul_hi_u32", B32, B32, B32, u64(a) * b >> 32);
  VALU2(t, "v_mul_hi_i32", B32, I32, I32, u64(wide(a) * b) >> 32);
  VALU2(t, "v_mul_u32_u24", B32, B32, B32, low24(a) * low24(b));
  VALU2(t, "v_mul_hi_u32_u24", B32, B32, B32, u64(low24(a)) * low24(b) >> 32);
  VALU2(t, "v_mul_i32_i24", B32, B32, B32, u32(signed24(a)) * u32(signed24(b)));
  VALU2(t, "v_mul_hi_i32_i24", B32, B32, B32,
        u64(wide(signed24(a)) * signed24(b)) >> 32);
  VALU3_TRAIT(t, "v_mad_u32_u24", TakesClamp, B32, B32, B32, B32,
              unsignedResult(mode, wideU(low24(a)) * low24(b) + wideU(c)));
  VALU3_TRAIT(t, "v_mad_i32_i24", TakesClamp, B32, B32, B32, I32,
              signedResult(mode, wide(signed24(a)) * signed24(b) + c));
  VALU3(t, "v_add3_u32", B32, B32, B32, B32, a + b + c);
  VALU3(t, "v_lshl_add_u32", B32, B32, B32, B32, (a << (b & 31)) + c);
  VALU3(t, "v_add_lshl_u32", B32, B32, B32, B32, (a + b) << (c & 31));
  VALU3(t, "v_xad_u32", B32, B32, B32, B32, (a ^ b) + c);
  VALU3(t, "v_lerp_u8", B32, B32, B32, B32, lerpBytes(a, b, c));
}

void addBits(HandlerTable &t) {
  VALU2(t, "v_and_b32", B32, B32, B32, a & b);
  VALU2(t, "v_or_b32", B32, B32, B32, a | b);
  VALU2(t, "v_xor_b32", B32, B32, B32, a ^ b);
  VALU2(t, "v_xnor_b32", B32, B32, B32, ~(a ^ b));
  VALU1(t, "v_not_b32", B32, B32, ~a);
  VALU2(t, "v_lshlrev_b32", B32, B32, B32, b << (a & 31));
  VALU2(t, "v_lshrrev_b32", B32, B32, B32, b >> (a & 31));
  VALU2(t, "v_ashrrev_i32", I32, B32, I32, b >> (a & 31));
  VALU2(t, "v_lshlrev_b64", B64, B32, B64, b << (a & 63));
  VALU2(t, "v_lshrrev_b64", B64, B32, B64, b >> (a & 63));
  VALU2(t, "v_ashrrev_i64", I64, B32, I64, b >> (a & 63));
  // Shifts by 0 to 4; more is not defined.
  VALU3(t, "v_lshl_add_u64", B64, B64, B32, B64, (a << (b & 7)) + c);
  VALU3(t, "v_lshl_or_b32", B32, B32, B32, B32, a << (b & 31) | c);
  VALU3(t, "v_and_or_b32", B32, B32, B32, B32, (a & b) | c);
  VALU3(t, "v_or3_b32", B32, B32, B32, B32, a | b | c);
  VALU3(t, "v_bfi_b32", B32, B32, B32, B32, (a & b) | (~a & c));
  VALU3(t, "v_bfe_u32", B32, B32, B32, B32, bfeU(a, b, c));
  VALU3(t, "v_bfe_i32", B32, B32, B32, B32, bfeI(a, b, c));
  VALU2(t, "v_bfm_b32", B32, B32, B32, ((u32(1) << (a & 31)) - 1) << (b & 31));
  VALU3(t, "v_alignbit_b32", B32, B32, B32, B32,
        (u64(a) << 32 | b) >> (c & 31));
  VALU3(t, "v_alignbyte_b32", B32, B32, B32, B32,
        (u64(a) << 32 | b) >> (8 * (c & 3)));
  VALU3(t, "v_perm_b32", B32, B32, B32, B32, perm(a, b, c));
  VALU2(t, "v_bcnt_u32_b32", B32, B32, B32, u32(__builtin_popcount(a)) + b);
  VALU1(t, "v_bfrev_b32", B32, B32, reverseBits(a));
  VALU1(t, "v_ffbh_u32", B32, B32, firstHigh(a));
  VALU1(t, "v_ffbh_i32", B32, B32, firstHighI(a));
  VALU1(t, "v_ffbl_b32", B32, B32, a ? u32(__builtin_ctz(a)) : ~u32(0));
  t.addResolver("v_bitop3_b32", resolveBitop3<B32, false>);
  t.addResolver("v_bitop3_b16", resolveBitop3<U16, true>);
}

void addMinMax(HandlerTable &t) {
  VALU2(t, "v_min_u32", B32, B32, B32, least(a, b));
  VALU2(t, "v_max_u32", B32, B32, B32, most(a, b));
  VALU2(t, "v_min_i32", I32, I32, I32, least(a, b));
  VALU2(t, "v_max_i32", I32, I32, I32, most(a, b));
  VALU3(t, "v_min3_u32", B32, B32, B32, B32, least(least(a, b), c));
  VALU3(t, "v_max3_u32", B32, B32, B32, B32, most(most(a, b), c));
  VALU3(t, "v_min3_i32", I32, I32, I32, I32, least(least(a, b), c));
  VALU3(t, "v_max3_i32", I32, I32, I32, I32, most(most(a, b), c));
  VALU3(t, "v_med3_u32", B32, B32, B32, B32, middle(a, b, c));
  VALU3(t, "v_med3_i32", I32, I32, I32, I32, middle(a, b, c));
}

//===----------------------------------------------------------------------===//
// Lane masks in and out
//===----------------------------------------------------------------------===//

/// The mask in the operand after \p numSources sources, or VCC.
u64 maskIn(const Wave &w, const ExecInst &inst, unsigned numSources) {
  bool named = inst.numSrcs() > numSources && inst.src(numSources).isReg() &&
               inst.src(numSources).isScalar();
  return named ? readScalar64(w, inst.src(numSources)) : w.vcc();
}
/// To the second destination, or VCC; lanes that are not written get 0.
void maskOut(Wave &w, const ExecInst &inst, u64 mask) {
  mask &= writtenLanes(w, inst);
  if (inst.numDefs > 1)
    writeScalar64(w, inst.ops[1], mask);
  else
    w.setPair(ScalarVcc, mask);
}

void cndmask(Wave &w, const ExecInst &inst) {
  Source<B32> a(w, inst, 0), b(w, inst, 1);
  u64 select = maskIn(w, inst, 2);
  Result<B32> d;
  for (unsigned l = 0; l != waveLanes; ++l)
    d.set(l, select >> l & 1 ? b[l] : a[l]);
  d.store(w, inst);
}

template <bool subtract, bool reverse, bool carryIn>
void addCarry(Wave &w, const ExecInst &inst) {
  Source<B32> first(w, inst, 0), second(w, inst, 1);
  const Source<B32> &a = reverse ? second : first,
                    &b = reverse ? first : second;
  u64 in = carryIn ? maskIn(w, inst, 2) : 0, out = 0;
  bool clamp = ValuForm::of(inst).clamp;
  Result<B32> d;
  for (unsigned l = 0; l != waveLanes; ++l) {
    u64 c = in >> l & 1;
    u64 sum = subtract ? u64(a[l]) - b[l] - c : u64(a[l]) + b[l] + c;
    u64 carry = sum >> 32 & 1;
    d.set(l, clamp && carry ? (subtract ? 0 : 0xffffffff) : u32(sum));
    out |= carry << l;
  }
  d.store(w, inst);
  maskOut(w, inst, out);
}

template <bool isSigned> void mad64(Wave &w, const ExecInst &inst) {
  Source<B32> a(w, inst, 0), b(w, inst, 1);
  Source<B64> c(w, inst, 2);
  bool clamp = ValuForm::of(inst).clamp;
  u64 out = 0;
  Result<B64> d;
  for (unsigned l = 0; l != waveLanes; ++l) {
    u64 product = isSigned ? u64(int64_t(int32_t(a[l])) * int32_t(b[l]))
                           : u64(a[l]) * b[l];
    u64 addend = c[l], sum = product + addend;
    bool overflow = isSigned ? (~(product ^ addend) & (product ^ sum)) >> 63
                             : sum < product;
    u64 limit = isSigned ? (addend >> 63) + (~u64(0) >> 1) : ~u64(0);
    d.set(l, clamp && overflow ? limit : sum);
    out |= u64(overflow) << l;
  }
  d.store(w, inst);
  maskOut(w, inst, out);
}

/// \p masks operands follow the sources: a carry in, if it is named.
template <unsigned numSources, Handler handler>
void resolveMasked(const TargetInfo &, ExecInst &inst) {
  bool named = inst.numSrcs() > numSources && inst.src(numSources).isReg();
  ExecInst shorter = inst;
  Operand ops[16];
  if (inst.numOps > 16)
    return;
  // Leave the mask out for the description of the others.
  unsigned count = 0;
  for (unsigned i = 0; i != inst.numOps; ++i)
    if (!(named && i == inst.numDefs + numSources))
      ops[count++] = inst.ops[i];
  shorter.ops = ops;
  shorter.numOps = uint8_t(count);
  if (!describeValu(shorter, numSources))
    return;
  inst.data = shorter.data;
  inst.handler = handler;
}

void swap(Wave &w, const ExecInst &inst) {
  Row first;
  std::memcpy(first.lane, w.regs[inst.ops[0].row()], sizeof(Row));
  writeRowMasked(w, inst.ops[0].row(), w.regs[inst.ops[1].row()], w.exec());
  writeRow(w, inst.ops[1], 0, first);
}

void addMasked(HandlerTable &t) {
  t.addResolver("v_cndmask_b32", resolveMasked<2, cndmask>);
  t.addResolver("v_add_co_u32",
                resolveMasked<2, addCarry<false, false, false>>);
  t.addResolver("v_sub_co_u32", resolveMasked<2, addCarry<true, false, false>>);
  t.addResolver("v_subrev_co_u32",
                resolveMasked<2, addCarry<true, true, false>>);
  t.addResolver("v_addc_co_u32",
                resolveMasked<2, addCarry<false, false, true>>);
  t.addResolver("v_subb_co_u32", resolveMasked<2, addCarry<true, false, true>>);
  t.addResolver("v_subbrev_co_u32",
                resolveMasked<2, addCarry<true, true, true>>);
  t.addResolver("v_mad_u64_u32", resolveMasked<3, mad64<false>>);
  t.addResolver("v_mad_i64_i32", resolveMasked<3, mad64<true>>);
}

} // namespace

void addValuIntOps(HandlerTable &t) {
  addArithmetic(t);
  addBits(t);
  addMinMax(t);
  addMasked(t);
  t.add("v_swap_b32", swap);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
