//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Scalar arithmetic: SOP2, SOP1, SOPC, SOPK without control flow. SCC as the
/// CDNA4 ISA manual's instruction descriptions give it.

#include "fly/Emulator/Handlers.h"
#include "fly/Emulator/Lanes.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

template <typename T> T read(const Wave &w, const Operand &op) {
  if constexpr (sizeof(T) == 8)
    return T(readScalar64(w, op));
  else
    return T(readScalar32(w, op));
}
template <typename T> void write(Wave &w, const Operand &op, T value) {
  if constexpr (sizeof(T) == 8)
    writeScalar64(w, op, uint64_t(value));
  else
    writeScalar32(w, op, uint32_t(value));
}

/// d = f(a, b); SCC = d != 0.
template <typename T, T (*f)(T, T)>
void sopLogic(Wave &w, const ExecInst &inst) {
  T d = f(read<T>(w, inst.src(0)), read<T>(w, inst.src(1)));
  write(w, inst.ops[0], d);
  w.scc = d != 0;
}
/// d = f(a, b); SCC kept.
template <typename T, T (*f)(T, T)>
void sopPlain(Wave &w, const ExecInst &inst) {
  write(w, inst.ops[0], f(read<T>(w, inst.src(0)), read<T>(w, inst.src(1))));
}
/// d = f(a, b, SCC).
template <typename T, T (*f)(T, T, bool &)>
void sopCarry(Wave &w, const ExecInst &inst) {
  bool scc = w.scc;
  T d = f(read<T>(w, inst.src(0)), read<T>(w, inst.src(1)), scc);
  write(w, inst.ops[0], d);
  w.scc = scc;
}
/// SCC = f(a, b).
template <typename T, bool (*f)(T, T)>
void sopCompare(Wave &w, const ExecInst &inst) {
  w.scc = f(read<T>(w, inst.src(0)), read<T>(w, inst.src(1)));
}
template <typename From, typename To, To (*f)(From), bool setsScc>
void sopUnary(Wave &w, const ExecInst &inst) {
  To d = f(read<From>(w, inst.src(0)));
  write(w, inst.ops[0], d);
  if (setsScc)
    w.scc = d != 0;
}

template <typename T> T opAnd(T a, T b) { return a & b; }
template <typename T> T opOr(T a, T b) { return a | b; }
template <typename T> T opXor(T a, T b) { return a ^ b; }
template <typename T> T opAndn2(T a, T b) { return a & ~b; }
template <typename T> T opOrn2(T a, T b) { return a | ~b; }
template <typename T> T opNand(T a, T b) { return ~(a & b); }
template <typename T> T opNor(T a, T b) { return ~(a | b); }
template <typename T> T opXnor(T a, T b) { return ~(a ^ b); }

uint32_t addU32(uint32_t a, uint32_t b, bool &scc) {
  scc = uint64_t(a) + b > UINT32_MAX;
  return a + b;
}
uint32_t subU32(uint32_t a, uint32_t b, bool &scc) {
  scc = b > a;
  return a - b;
}
uint32_t addcU32(uint32_t a, uint32_t b, bool &scc) {
  uint64_t sum = uint64_t(a) + b + scc;
  scc = sum > UINT32_MAX;
  return uint32_t(sum);
}
uint32_t subbU32(uint32_t a, uint32_t b, bool &scc) {
  uint64_t take = uint64_t(b) + scc;
  scc = take > a;
  return uint32_t(a - take);
}
uint32_t addI32(uint32_t a, uint32_t b, bool &scc) {
  uint32_t d = a + b;
  scc = (~(a ^ b) & (a ^ d)) >> 31;
  return d;
}
uint32_t subI32(uint32_t a, uint32_t b, bool &scc) {
  uint32_t d = a - b;
  scc = ((a ^ b) & (a ^ d)) >> 31;
  return d;
}
template <typename T> T opMin(T a, T b, bool &scc) {
  scc = a < b;
  return scc ? a : b;
}
template <typename T> T opMax(T a, T b, bool &scc) {
  scc = a >= b;
  return scc ? a : b;
}
uint32_t absdiffI32(uint32_t a, uint32_t b, bool &scc) {
  uint32_t d = a - b;
  d = int32_t(d) < 0 ? 0 - d : d;
  scc = d != 0;
  return d;
}
template <unsigned n> uint32_t lshlAdd(uint32_t a, uint32_t b, bool &scc) {
  uint64_t d = (uint64_t(a) << n) + b;
  scc = d > UINT32_MAX;
  return uint32_t(d);
}
template <typename T> T opSelect(T a, T b, bool &scc) { return scc ? a : b; }

uint32_t mulI32(uint32_t a, uint32_t b) { return a * b; }
uint32_t mulHiU32(uint32_t a, uint32_t b) {
  return uint32_t(uint64_t(a) * b >> 32);
}
uint32_t mulHiI32(uint32_t a, uint32_t b) {
  return uint32_t(uint64_t(int64_t(int32_t(a)) * int32_t(b)) >> 32);
}
uint32_t packLl(uint32_t a, uint32_t b) { return (a & 0xffff) | b << 16; }
uint32_t packLh(uint32_t a, uint32_t b) {
  return (a & 0xffff) | (b & 0xffff0000u);
}
uint32_t packHh(uint32_t a, uint32_t b) { return a >> 16 | (b & 0xffff0000u); }
uint32_t bfm32(uint32_t a, uint32_t b) {
  return ((uint32_t(1) << (a & 31)) - 1) << (b & 31);
}

/// Shifts of 64-bit values take their count from a 32-bit source.
template <typename T, T (*f)(T, uint32_t)>
void sopShift(Wave &w, const ExecInst &inst) {
  T d = f(read<T>(w, inst.src(0)), readScalar32(w, inst.src(1)));
  write(w, inst.ops[0], d);
  w.scc = d != 0;
}
template <typename T> constexpr uint32_t countMask = sizeof(T) * 8 - 1;
template <typename T> T shiftLeft(T a, uint32_t n) {
  return a << (n & countMask<T>);
}
template <typename T> T shiftRight(T a, uint32_t n) {
  return a >> (n & countMask<T>);
}
/// Bit field: offset in bits 5:0 (4:0), width in bits 22:16.
template <typename T> T bitField(T a, uint32_t control) {
  constexpr uint32_t bits = sizeof(T) * 8;
  uint32_t offset = control & countMask<T>, width = control >> 16 & 0x7f;
  if (width == 0)
    return 0;
  using U = typename std::conditional<sizeof(T) == 8, uint64_t, uint32_t>::type;
  if (offset + width >= bits)
    return a >> offset;
  return T(U(a) << (bits - offset - width)) >> (bits - width);
}
void bfm64(Wave &w, const ExecInst &inst) {
  uint32_t a = readScalar32(w, inst.src(0)), b = readScalar32(w, inst.src(1));
  writeScalar64(w, inst.ops[0], ((uint64_t(1) << (a & 63)) - 1) << (b & 63));
}

template <typename T> T opMov(T a) { return a; }
template <typename T> T opNot(T a) { return ~a; }
template <typename T> T wholeQuads(T a) {
  T any = (a | a >> 1 | a >> 2 | a >> 3) & T(0x1111111111111111);
  return any * 15;
}
template <typename T> T quadMask(T a) {
  T d = 0;
  for (unsigned i = 0; i != sizeof(T) * 2; ++i)
    d |= T((a >> (4 * i) & 15) != 0) << i;
  return d;
}
template <typename T> T reverseBits(T a) {
  T d = 0;
  for (unsigned i = 0; i != sizeof(T) * 8; ++i)
    d |= (a >> i & 1) << (sizeof(T) * 8 - 1 - i);
  return d;
}
template <typename T> uint32_t countOnes(T a) {
  return uint32_t(__builtin_popcountll(a));
}
template <typename T> uint32_t countZeros(T a) {
  return uint32_t(sizeof(T) * 8) - countOnes(a);
}
template <typename T> uint32_t firstOne(T a) {
  return a ? uint32_t(__builtin_ctzll(a)) : ~uint32_t(0);
}
template <typename T> uint32_t firstZero(T a) { return firstOne<T>(~a); }
template <typename T> uint32_t leadingZeros(T a) {
  return a ? uint32_t(__builtin_clzll(a)) - (64 - sizeof(T) * 8) : ~uint32_t(0);
}
/// Position from the top of the first bit that is not the sign.
template <typename T> uint32_t leadingSigns(T a) {
  return leadingZeros<T>(a >> (sizeof(T) * 8 - 1) ? ~a : a);
}
uint32_t sextI8(uint32_t a) { return uint32_t(int32_t(int8_t(a))); }
uint32_t sextI16(uint32_t a) { return uint32_t(int32_t(int16_t(a))); }
uint32_t absI32(uint32_t a) { return int32_t(a) < 0 ? 0 - a : a; }
uint64_t bitReplicate(uint32_t a) {
  uint64_t d = 0;
  for (unsigned i = 0; i != 32; ++i)
    d |= uint64_t(a >> i & 1) * 3 << (2 * i);
  return d;
}

template <typename T> void cmov(Wave &w, const ExecInst &inst) {
  if (w.scc)
    write(w, inst.ops[0], read<T>(w, inst.src(0)));
}
template <typename T, bool value> void bitSet(Wave &w, const ExecInst &inst) {
  T bit = T(1) << (readScalar32(w, inst.src(0)) & countMask<T>);
  T old = read<T>(w, inst.ops[0]);
  write(w, inst.ops[0], T(value ? old | bit : old & ~bit));
}
template <typename T, bool value>
void bitCompare(Wave &w, const ExecInst &inst) {
  uint32_t bit = readScalar32(w, inst.src(1)) & countMask<T>;
  w.scc = (read<T>(w, inst.src(0)) >> bit & 1) == value;
}

/// d = EXEC; EXEC = f(s, EXEC).
template <uint64_t (*f)(uint64_t, uint64_t)>
void saveExec(Wave &w, const ExecInst &inst) {
  uint64_t source = readScalar64(w, inst.src(0)), exec = w.exec();
  writeScalar64(w, inst.ops[0], exec);
  w.setPair(ScalarExec, f(source, exec));
  w.scc = w.exec() != 0;
}
/// EXEC = d = f(s, EXEC).
template <uint64_t (*f)(uint64_t, uint64_t)>
void writeExec(Wave &w, const ExecInst &inst) {
  uint64_t d = f(readScalar64(w, inst.src(0)), w.exec());
  writeScalar64(w, inst.ops[0], d);
  w.setPair(ScalarExec, d);
  w.scc = d != 0;
}
uint64_t opAndn1(uint64_t a, uint64_t b) { return ~a & b; }
uint64_t opOrn1(uint64_t a, uint64_t b) { return ~a | b; }

template <typename T> bool isEq(T a, T b) { return a == b; }
template <typename T> bool isNe(T a, T b) { return a != b; }
template <typename T> bool isGt(T a, T b) { return a > b; }
template <typename T> bool isGe(T a, T b) { return a >= b; }
template <typename T> bool isLt(T a, T b) { return a < b; }
template <typename T> bool isLe(T a, T b) { return a <= b; }

uint32_t signExtended(const Operand &op) {
  return uint32_t(int32_t(int16_t(op.imm)));
}
template <typename T, bool (*f)(T, T)>
void compareK(Wave &w, const ExecInst &inst) {
  bool isSigned = T(-1) < T(0);
  T b = isSigned ? T(signExtended(inst.src(1)))
                 : T(uint32_t(inst.src(1).imm) & 0xffff);
  w.scc = f(read<T>(w, inst.src(0)), b);
}
void movK(Wave &w, const ExecInst &inst) {
  writeScalar32(w, inst.ops[0], signExtended(inst.src(0)));
}
void cmovK(Wave &w, const ExecInst &inst) {
  if (w.scc)
    movK(w, inst);
}
void addK(Wave &w, const ExecInst &inst) {
  writeScalar32(
      w, inst.ops[0],
      addI32(readScalar32(w, inst.ops[0]), signExtended(inst.src(0)), w.scc));
}
void mulK(Wave &w, const ExecInst &inst) {
  writeScalar32(w, inst.ops[0],
                readScalar32(w, inst.ops[0]) * signExtended(inst.src(0)));
}

/// Relative moves: M0 is added to the register number. LLVM's s_movreld has no
/// destination, only sources.
template <typename T, bool source> void movRel(Wave &w, const ExecInst &inst) {
  Operand to = inst.ops[0], from = inst.ops[1];
  Operand &moved = source ? from : to;
  moved.index = uint16_t(moved.index + w.m0());
  if (moved.index + sizeof(T) / 4 > 102)
    return w.fail("relative scalar move beyond the last SGPR");
  write(w, to, read<T>(w, from));
}

void addCompares(HandlerTable &table) {
#define COMPARE(name, f)                                                       \
  table.add("s_cmp_" name "_i32", sopCompare<int32_t, f<int32_t>>);            \
  table.add("s_cmp_" name "_u32", sopCompare<uint32_t, f<uint32_t>>);          \
  table.add("s_cmpk_" name "_i32", compareK<int32_t, f<int32_t>>);             \
  table.add("s_cmpk_" name "_u32", compareK<uint32_t, f<uint32_t>>);
  COMPARE("eq", isEq)
  COMPARE("lg", isNe)
  COMPARE("gt", isGt)
  COMPARE("ge", isGe)
  COMPARE("lt", isLt)
  COMPARE("le", isLe)
#undef COMPARE
  table.add("s_cmp_eq_u64", sopCompare<uint64_t, isEq<uint64_t>>);
  table.add("s_cmp_lg_u64", sopCompare<uint64_t, isNe<uint64_t>>);
  table.add("s_bitcmp0_b32", bitCompare<uint32_t, false>);
  table.add("s_bitcmp1_b32", bitCompare<uint32_t, true>);
  table.add("s_bitcmp0_b64", bitCompare<uint64_t, false>);
  table.add("s_bitcmp1_b64", bitCompare<uint64_t, true>);
}

void addLogic(HandlerTable &table) {
#define LOGIC(name, f)                                                         \
  table.add("s_" name "_b32", sopLogic<uint32_t, f<uint32_t>>);                \
  table.add("s_" name "_b64", sopLogic<uint64_t, f<uint64_t>>);                \
  table.add("s_" name "_saveexec_b64", saveExec<f<uint64_t>>);
  LOGIC("and", opAnd)
  LOGIC("or", opOr)
  LOGIC("xor", opXor)
  LOGIC("andn2", opAndn2)
  LOGIC("orn2", opOrn2)
  LOGIC("nand", opNand)
  LOGIC("nor", opNor)
  LOGIC("xnor", opXnor)
#undef LOGIC
  table.add("s_andn1_saveexec_b64", saveExec<opAndn1>);
  table.add("s_orn1_saveexec_b64", saveExec<opOrn1>);
  table.add("s_andn1_wrexec_b64", writeExec<opAndn1>);
  table.add("s_andn2_wrexec_b64", writeExec<opAndn2<uint64_t>>);
}

void addArithmetic(HandlerTable &table) {
  using u32 = uint32_t;
  table.add("s_add_u32", sopCarry<u32, addU32>);
  table.add("s_sub_u32", sopCarry<u32, subU32>);
  table.add("s_add_i32", sopCarry<u32, addI32>);
  table.add("s_sub_i32", sopCarry<u32, subI32>);
  table.add("s_addc_u32", sopCarry<u32, addcU32>);
  table.add("s_subb_u32", sopCarry<u32, subbU32>);
  table.add("s_min_i32", sopCarry<int32_t, opMin<int32_t>>);
  table.add("s_min_u32", sopCarry<u32, opMin<u32>>);
  table.add("s_max_i32", sopCarry<int32_t, opMax<int32_t>>);
  table.add("s_max_u32", sopCarry<u32, opMax<u32>>);
  table.add("s_cselect_b32", sopCarry<u32, opSelect<u32>>);
  table.add("s_cselect_b64", sopCarry<uint64_t, opSelect<uint64_t>>);
  table.add("s_absdiff_i32", sopCarry<u32, absdiffI32>);
  table.add("s_lshl1_add_u32", sopCarry<u32, lshlAdd<1>>);
  table.add("s_lshl2_add_u32", sopCarry<u32, lshlAdd<2>>);
  table.add("s_lshl3_add_u32", sopCarry<u32, lshlAdd<3>>);
  table.add("s_lshl4_add_u32", sopCarry<u32, lshlAdd<4>>);
  table.add("s_mul_i32", sopPlain<u32, mulI32>);
  table.add("s_mul_hi_u32", sopPlain<u32, mulHiU32>);
  table.add("s_mul_hi_i32", sopPlain<u32, mulHiI32>);
  table.add("s_pack_ll_b32_b16", sopPlain<u32, packLl>);
  table.add("s_pack_lh_b32_b16", sopPlain<u32, packLh>);
  table.add("s_pack_hh_b32_b16", sopPlain<u32, packHh>);
  table.add("s_bfm_b32", sopPlain<u32, bfm32>);
  table.add("s_bfm_b64", bfm64);
  table.add("s_lshl_b32", sopShift<u32, shiftLeft<u32>>);
  table.add("s_lshl_b64", sopShift<uint64_t, shiftLeft<uint64_t>>);
  table.add("s_lshr_b32", sopShift<u32, shiftRight<u32>>);
  table.add("s_lshr_b64", sopShift<uint64_t, shiftRight<uint64_t>>);
  table.add("s_ashr_i32", sopShift<int32_t, shiftRight<int32_t>>);
  table.add("s_ashr_i64", sopShift<int64_t, shiftRight<int64_t>>);
  table.add("s_bfe_u32", sopShift<u32, bitField<u32>>);
  table.add("s_bfe_u64", sopShift<uint64_t, bitField<uint64_t>>);
  table.add("s_bfe_i32", sopShift<int32_t, bitField<int32_t>>);
  table.add("s_bfe_i64", sopShift<int64_t, bitField<int64_t>>);
}

void addUnary(HandlerTable &table) {
  using u32 = uint32_t;
  using u64 = uint64_t;
#define BOTH(name, f, scc)                                                     \
  table.add("s_" name "_b32", sopUnary<u32, u32, f<u32>, scc>);                \
  table.add("s_" name "_b64", sopUnary<u64, u64, f<u64>, scc>);
  BOTH("mov", opMov, false)
  BOTH("not", opNot, true)
  BOTH("wqm", wholeQuads, true)
  BOTH("quadmask", quadMask, true)
  BOTH("brev", reverseBits, false)
#undef BOTH
#define COUNT(name, f, scc)                                                    \
  table.add("s_" name "_i32_b32", sopUnary<u32, u32, f<u32>, scc>);            \
  table.add("s_" name "_i32_b64", sopUnary<u64, u32, f<u64>, scc>);
  COUNT("bcnt0", countZeros, true)
  COUNT("bcnt1", countOnes, true)
  COUNT("ff0", firstZero, false)
  COUNT("ff1", firstOne, false)
  COUNT("flbit", leadingZeros, false)
#undef COUNT
  table.add("s_flbit_i32", sopUnary<u32, u32, leadingSigns<u32>, false>);
  table.add("s_flbit_i32_i64", sopUnary<u64, u32, leadingSigns<u64>, false>);
  table.add("s_sext_i32_i8", sopUnary<u32, u32, sextI8, false>);
  table.add("s_sext_i32_i16", sopUnary<u32, u32, sextI16, false>);
  table.add("s_abs_i32", sopUnary<u32, u32, absI32, true>);
  table.add("s_bitreplicate_b64_b32", sopUnary<u32, u64, bitReplicate, false>);
  table.add("s_cmov_b32", cmov<u32>);
  table.add("s_cmov_b64", cmov<u64>);
  table.add("s_bitset0_b32", bitSet<u32, false>);
  table.add("s_bitset1_b32", bitSet<u32, true>);
  table.add("s_bitset0_b64", bitSet<u64, false>);
  table.add("s_bitset1_b64", bitSet<u64, true>);
  table.add("s_movrels_b32", movRel<u32, true>);
  table.add("s_movrels_b64", movRel<u64, true>);
  table.add("s_movreld_b32", movRel<u32, false>);
  table.add("s_movreld_b64", movRel<u64, false>);
  table.add("s_movk_i32", movK);
  table.add("s_cmovk_i32", cmovK);
  table.add("s_addk_i32", addK);
  table.add("s_mulk_i32", mulK);
}

} // namespace

void addSaluOps(HandlerTable &table) {
  addArithmetic(table);
  addLogic(table);
  addUnary(table);
  addCompares(table);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
