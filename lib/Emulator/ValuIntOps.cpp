//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// 32 and 64-bit integer VALU instructions, and the conditional move.

#include "ValuLanes.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

using u32 = uint32_t;

u32 add(u32 a, u32 b) { return a + b; }
u32 sub(u32 a, u32 b) { return a - b; }
u32 subrev(u32 a, u32 b) { return b - a; }
u32 andBits(u32 a, u32 b) { return a & b; }
u32 orBits(u32 a, u32 b) { return a | b; }
u32 xorBits(u32 a, u32 b) { return a ^ b; }
u32 xnor(u32 a, u32 b) { return ~(a ^ b); }
u32 lshlrev(u32 a, u32 b) { return b << (a & 31); }
u32 lshrrev(u32 a, u32 b) { return b >> (a & 31); }
u32 ashrrev(u32 a, u32 b) { return u32(int32_t(b) >> (a & 31)); }
u32 minU(u32 a, u32 b) { return a < b ? a : b; }
u32 maxU(u32 a, u32 b) { return a > b ? a : b; }
u32 minI(u32 a, u32 b) { return int32_t(a) < int32_t(b) ? a : b; }
u32 maxI(u32 a, u32 b) { return int32_t(a) > int32_t(b) ? a : b; }
u32 mulLo(u32 a, u32 b) { return a * b; }
u32 mulHiU(u32 a, u32 b) { return u32(uint64_t(a) * b >> 32); }
u32 mulHiI(u32 a, u32 b) {
  return u32(uint64_t(int64_t(int32_t(a)) * int32_t(b)) >> 32);
}
u32 low24(u32 a) { return a & 0xffffff; }
int32_t signed24(u32 a) { return int32_t(a << 8) >> 8; }
u32 mulU24(u32 a, u32 b) { return low24(a) * low24(b); }
u32 mulHiU24(u32 a, u32 b) { return u32(uint64_t(low24(a)) * low24(b) >> 32); }
u32 mulI24(u32 a, u32 b) { return u32(signed24(a)) * u32(signed24(b)); }
u32 mulHiI24(u32 a, u32 b) {
  return u32(uint64_t(int64_t(signed24(a)) * signed24(b)) >> 32);
}
u32 bcnt(u32 a, u32 b) { return u32(__builtin_popcount(a)) + b; }
u32 bfm(u32 a, u32 b) { return ((u32(1) << (a & 31)) - 1) << (b & 31); }

u32 lshlAdd(u32 a, u32 b, u32 c) { return (a << (b & 31)) + c; }
u32 addLshl(u32 a, u32 b, u32 c) { return (a + b) << (c & 31); }
u32 lshlOr(u32 a, u32 b, u32 c) { return a << (b & 31) | c; }
u32 andOr(u32 a, u32 b, u32 c) { return (a & b) | c; }
u32 or3(u32 a, u32 b, u32 c) { return a | b | c; }
u32 xad(u32 a, u32 b, u32 c) { return (a ^ b) + c; }
u32 add3(u32 a, u32 b, u32 c) { return a + b + c; }
u32 madU24(u32 a, u32 b, u32 c) { return mulU24(a, b) + c; }
u32 madI24(u32 a, u32 b, u32 c) { return mulI24(a, b) + c; }
u32 bfi(u32 a, u32 b, u32 c) { return (a & b) | (~a & c); }
u32 alignBit(u32 a, u32 b, u32 c) {
  return u32((uint64_t(a) << 32 | b) >> (c & 31));
}
u32 alignByte(u32 a, u32 b, u32 c) {
  return u32((uint64_t(a) << 32 | b) >> (8 * (c & 3)));
}
u32 bfeU(u32 a, u32 b, u32 c) {
  u32 width = c & 31;
  return a >> (b & 31) & ((u32(1) << width) - 1);
}
u32 bfeI(u32 a, u32 b, u32 c) {
  u32 offset = b & 31, width = c & 31;
  if (width == 0)
    return 0;
  if (offset + width >= 32)
    return u32(int32_t(a) >> offset);
  return u32(int32_t(a << (32 - offset - width)) >> (32 - width));
}
u32 min3U(u32 a, u32 b, u32 c) { return minU(minU(a, b), c); }
u32 max3U(u32 a, u32 b, u32 c) { return maxU(maxU(a, b), c); }
u32 min3I(u32 a, u32 b, u32 c) { return minI(minI(a, b), c); }
u32 max3I(u32 a, u32 b, u32 c) { return maxI(maxI(a, b), c); }
u32 med3U(u32 a, u32 b, u32 c) { return maxU(minU(a, b), minU(maxU(a, b), c)); }
u32 med3I(u32 a, u32 b, u32 c) { return maxI(minI(a, b), minI(maxI(a, b), c)); }
u32 sadU32(u32 a, u32 b, u32 c) { return (a > b ? a - b : b - a) + c; }

/// Byte select of v_perm_b32: bytes 0..3 of S1, 4..7 of S0, then 8..11 the sign
/// of bytes 1, 3, 5, 7, 12 zero, above 12 all ones.
u32 perm(u32 a, u32 b, u32 c) {
  uint64_t data = uint64_t(a) << 32 | b;
  u32 result = 0;
  for (unsigned i = 0; i != 4; ++i) {
    u32 select = c >> (8 * i) & 255;
    u32 byte = select < 8     ? u32(data >> (8 * select)) & 255
               : select < 12  ? (data >> (16 * (select - 8) + 15) & 1 ? 255 : 0)
               : select == 12 ? 0
                              : 255;
    result |= byte << (8 * i);
  }
  return result;
}

u32 notBits(u32 a) { return ~a; }
u32 reverse(u32 a) { return __builtin_bitreverse32(a); }
u32 firstHigh(u32 a) { return a ? u32(__builtin_clz(a)) : ~u32(0); }
u32 firstLow(u32 a) { return a ? u32(__builtin_ctz(a)) : ~u32(0); }
u32 firstHighI(u32 a) { return firstHigh(int32_t(a) < 0 ? ~a : a); }

void cndmask(Wave &w, const ExecInst &inst) {
  Row s0, s1, result;
  const u32 *a = readRow(w, inst.src(0), 0, s0);
  const u32 *b = readRow(w, inst.src(1), 0, s1);
  uint64_t select = inst.numSrcs() > 2 ? readScalar64(w, inst.src(2)) : w.vcc();
  for (unsigned l = 0; l != waveLanes; ++l)
    result.lane[l] = select >> l & 1 ? b[l] : a[l];
  writeRow(w, inst.ops[0], 0, result);
}

/// v_bitop3: bit i of the table is the result for S0 = bit 2, S1 = bit 1,
/// S2 = bit 0 of i; the table is the last operand.
void bitop3(Wave &w, const ExecInst &inst) {
  Row s0, s1, s2, result;
  const u32 *a = readRow(w, inst.src(0), 0, s0);
  const u32 *b = readRow(w, inst.src(1), 0, s1);
  const u32 *c = readRow(w, inst.src(2), 0, s2);
  u32 table = u32(inst.src(3).imm), masks[8];
  for (unsigned i = 0; i != 8; ++i)
    masks[i] = table >> i & 1 ? ~u32(0) : 0;
  for (unsigned l = 0; l != waveLanes; ++l) {
    u32 x = a[l], y = b[l], z = c[l];
    result.lane[l] = (x & y & z & masks[7]) | (x & y & ~z & masks[6]) |
                     (x & ~y & z & masks[5]) | (x & ~y & ~z & masks[4]) |
                     (~x & y & z & masks[3]) | (~x & y & ~z & masks[2]) |
                     (~x & ~y & z & masks[1]) | (~x & ~y & ~z & masks[0]);
  }
  writeRow(w, inst.ops[0], 0, result);
}

/// Adds and subtracts with carries. The carry out is the second destination or
/// VCC, the carry in the last source or VCC.
template <bool subtract, bool reverse, bool carryIn>
void addCarry(Wave &w, const ExecInst &inst) {
  Row s0, s1, result;
  const u32 *a = readRow(w, inst.src(reverse ? 1 : 0), 0, s0);
  const u32 *b = readRow(w, inst.src(reverse ? 0 : 1), 0, s1);
  uint64_t in = 0, out = 0;
  if (carryIn)
    in = inst.numSrcs() > 2 && inst.src(2).isReg()
             ? readScalar64(w, inst.src(2))
             : w.vcc();
  for (unsigned l = 0; l != waveLanes; ++l) {
    uint64_t c = in >> l & 1;
    uint64_t wide =
        subtract ? uint64_t(a[l]) - b[l] - c : uint64_t(a[l]) + b[l] + c;
    result.lane[l] = u32(wide);
    out |= (wide >> 32 & 1) << l;
  }
  writeRow(w, inst.ops[0], 0, result);
  writeLaneMask(w, inst.numDefs > 1 ? &inst.ops[1] : nullptr, out);
}

template <bool isSigned> void mad64(Wave &w, const ExecInst &inst) {
  Row s0, s1;
  const u32 *a = readRow(w, inst.src(0), 0, s0);
  const u32 *b = readRow(w, inst.src(1), 0, s1);
  WideRow c, result;
  readWide(w, inst.src(2), c);
  uint64_t out = 0;
  for (unsigned l = 0; l != waveLanes; ++l) {
    uint64_t product = isSigned
                           ? uint64_t(int64_t(int32_t(a[l])) * int32_t(b[l]))
                           : uint64_t(a[l]) * b[l];
    result.lane[l] = product + c.lane[l];
    bool overflow =
        isSigned ? (~(product ^ c.lane[l]) & (product ^ result.lane[l])) >> 63
                 : result.lane[l] < product;
    out |= uint64_t(overflow) << l;
  }
  writeWide(w, inst.ops[0], result);
  writeLaneMask(w, &inst.ops[1], out);
}

void lshlAdd64(Wave &w, const ExecInst &inst) {
  WideRow a, c;
  Row s1;
  readWide(w, inst.src(0), a);
  const u32 *b = readRow(w, inst.src(1), 0, s1);
  readWide(w, inst.src(2), c);
  for (unsigned l = 0; l != waveLanes; ++l)
    a.lane[l] = (a.lane[l] << (b[l] & 7)) + c.lane[l];
  writeWide(w, inst.ops[0], a);
}

uint64_t shl64(uint64_t v, u32 n) { return v << (n & 63); }
uint64_t shr64(uint64_t v, u32 n) { return v >> (n & 63); }
uint64_t sar64(uint64_t v, u32 n) { return uint64_t(int64_t(v) >> (n & 63)); }
template <uint64_t (*f)(uint64_t, u32)>
void shiftRev64(Wave &w, const ExecInst &inst) {
  Row s0;
  const u32 *n = readRow(w, inst.src(0), 0, s0);
  WideRow v;
  readWide(w, inst.src(1), v);
  for (unsigned l = 0; l != waveLanes; ++l)
    v.lane[l] = f(v.lane[l], n[l]);
  writeWide(w, inst.ops[0], v);
}

void swap(Wave &w, const ExecInst &inst) {
  Row first;
  std::memcpy(first.lane, w.regs[inst.ops[0].row()], sizeof(Row));
  writeRowMasked(w, inst.ops[0].row(), w.regs[inst.ops[1].row()], w.exec());
  writeRow(w, inst.ops[1], 0, first);
}

void nothing(Wave &, const ExecInst &) {}

void addTwo(HandlerTable &t) {
  addLanes2<add>(t, "v_add_u32");
  addLanes2<sub>(t, "v_sub_u32");
  addLanes2<subrev>(t, "v_subrev_u32");
  addLanes2<add>(t, "v_add_i32");
  addLanes2<sub>(t, "v_sub_i32");
  addLanes2<andBits>(t, "v_and_b32");
  addLanes2<orBits>(t, "v_or_b32");
  addLanes2<xorBits>(t, "v_xor_b32");
  addLanes2<xnor>(t, "v_xnor_b32");
  addLanes2<lshlrev>(t, "v_lshlrev_b32");
  addLanes2<lshrrev>(t, "v_lshrrev_b32");
  addLanes2<ashrrev>(t, "v_ashrrev_i32");
  addLanes2<minU>(t, "v_min_u32");
  addLanes2<maxU>(t, "v_max_u32");
  addLanes2<minI>(t, "v_min_i32");
  addLanes2<maxI>(t, "v_max_i32");
  addLanes2<mulLo>(t, "v_mul_lo_u32");
  addLanes2<mulHiU>(t, "v_mul_hi_u32");
  addLanes2<mulHiI>(t, "v_mul_hi_i32");
  addLanes2<mulU24>(t, "v_mul_u32_u24");
  addLanes2<mulHiU24>(t, "v_mul_hi_u32_u24");
  addLanes2<mulI24>(t, "v_mul_i32_i24");
  addLanes2<mulHiI24>(t, "v_mul_hi_i32_i24");
  addLanes2<bcnt>(t, "v_bcnt_u32_b32");
  addLanes2<bfm>(t, "v_bfm_b32");
}

void addThree(HandlerTable &t) {
  addLanes3<lshlAdd>(t, "v_lshl_add_u32");
  addLanes3<addLshl>(t, "v_add_lshl_u32");
  addLanes3<lshlOr>(t, "v_lshl_or_b32");
  addLanes3<andOr>(t, "v_and_or_b32");
  addLanes3<or3>(t, "v_or3_b32");
  addLanes3<xad>(t, "v_xad_u32");
  addLanes3<add3>(t, "v_add3_u32");
  addLanes3<madU24>(t, "v_mad_u32_u24");
  addLanes3<madI24>(t, "v_mad_i32_i24");
  addLanes3<bfi>(t, "v_bfi_b32");
  addLanes3<alignBit>(t, "v_alignbit_b32");
  addLanes3<alignByte>(t, "v_alignbyte_b32");
  addLanes3<bfeU>(t, "v_bfe_u32");
  addLanes3<bfeI>(t, "v_bfe_i32");
  addLanes3<min3U>(t, "v_min3_u32");
  addLanes3<max3U>(t, "v_max3_u32");
  addLanes3<min3I>(t, "v_min3_i32");
  addLanes3<max3I>(t, "v_max3_i32");
  addLanes3<med3U>(t, "v_med3_u32");
  addLanes3<med3I>(t, "v_med3_i32");
  addLanes3<sadU32>(t, "v_sad_u32");
  addLanes3<perm>(t, "v_perm_b32");
}

template <bool subtract, bool reverse, bool carryIn>
void addCarryKey(HandlerTable &t, const char *key) {
  t.addResolver(key, resolvePlain < carryIn ? 3 : 2, addCarry < subtract,
                reverse, carryIn >>);
}

} // namespace

void addValuIntOps(HandlerTable &t) {
  addTwo(t);
  addThree(t);
  addLanes1<notBits>(t, "v_not_b32");
  addLanes1<reverse>(t, "v_bfrev_b32");
  addLanes1<firstHigh>(t, "v_ffbh_u32");
  addLanes1<firstHighI>(t, "v_ffbh_i32");
  addLanes1<firstLow>(t, "v_ffbl_b32");
  addCarryKey<false, false, false>(t, "v_add_co_u32");
  addCarryKey<true, false, false>(t, "v_sub_co_u32");
  addCarryKey<true, true, false>(t, "v_subrev_co_u32");
  addCarryKey<false, false, true>(t, "v_addc_co_u32");
  addCarryKey<true, false, true>(t, "v_subb_co_u32");
  addCarryKey<true, true, true>(t, "v_subbrev_co_u32");
  t.addResolver("v_cndmask_b32", resolvePlain<3, cndmask>);
  t.addResolver("v_bitop3_b32", resolvePlain<4, bitop3>);
  t.addResolver("v_mad_u64_u32", resolvePlain<3, mad64<false>>);
  t.addResolver("v_mad_i64_i32", resolvePlain<3, mad64<true>>);
  t.addResolver("v_lshl_add_u64", resolvePlain<3, lshlAdd64>);
  t.addResolver("v_lshlrev_b64", resolvePlain<2, shiftRev64<shl64>>);
  t.addResolver("v_lshrrev_b64", resolvePlain<2, shiftRev64<shr64>>);
  t.addResolver("v_ashrrev_i64", resolvePlain<2, shiftRev64<sar64>>);
  t.add("v_swap_b32", swap);
  t.add("v_nop", nothing);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
