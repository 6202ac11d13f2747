//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// LDS atomics.

#include "AtomicOperations.h"

#include "fly/Emulator/Handlers.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// Operands: [vdst,] address, data0[, data1], offset. Two data operands are in
/// the order (expected, new) for cmpst and (mask, bits) for mskor.
template <typename Op, typename T>
void dsAtomic(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = w.memory->begin(w, inst);
  a.mask = w.exec();
  allValid(a);
  bool hasTwo = inst.src(2).isReg();
  uint32_t offset = uint32_t(inst.src(hasTwo ? 3 : 2).imm) & 0xffff;
  const uint32_t *address = w.regs[inst.src(0).row()];
  for (unsigned l = 0; l != waveLanes; ++l)
    a.address[l] = uint32_t(address[l] + offset);
  captureData(w, a, inst.src(hasTwo ? 2 : 1));
  if (hasTwo)
    captureData(w, a, inst.src(1), sizeof(T) / 4);
  a.perform = performAtomic<Space::Lds, Op, T>;
  a.kind = AccessKind::Atomic;
  a.space = Space::Lds;
  a.counter = Counter::Lds;
  a.bytes = sizeof(T);
  a.parts = 1;
  a.writesRows = inst.numDefs != 0;
  if (a.writesRows) {
    a.firstRow = uint16_t(inst.ops[0].row());
    a.numRows = sizeof(T) / 4;
  }
  w.memory->submit(w, a);
}

template <typename T> void performExchange2(Wave &w, MemoryAccess &a) {
  constexpr unsigned dwords = sizeof(T) / 4;
  Row old[2 * dwords] = {};
  for (uint64_t rest = a.mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctzll(rest));
    for (unsigned part = 0; part != 2; ++part) {
      uint64_t address = part ? a.ldsAddress[l] : a.address[l];
      uint8_t *p = resolveLane<Space::Lds>(w, a, l, address, sizeof(T));
      if (!p)
        continue;
      T value = applyAtomic<AtomicSwap, T>(p, dataAt<T>(a, l, part * dwords), 0,
                                           /*shared=*/false);
      for (unsigned d = 0; d != dwords; ++d)
        old[part * dwords + d].lane[l] = uint32_t(uint64_t(value) >> (32 * d));
    }
  }
  for (unsigned d = 0; d != 2 * dwords; ++d)
    writeRowMasked(w, a.firstRow + d, old[d].lane, a.mask);
}

/// Two exchanges, with offsets in units of the data, or of 64 of them.
template <typename T, unsigned scale>
void dsExchange2(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = w.memory->begin(w, inst);
  a.mask = w.exec();
  allValid(a);
  constexpr uint32_t unit = sizeof(T) * scale;
  const uint32_t *address = w.regs[inst.src(0).row()];
  for (unsigned l = 0; l != waveLanes; ++l) {
    a.address[l] = uint32_t(address[l] + uint32_t(inst.src(3).imm) * unit);
    a.ldsAddress[l] = address[l] + uint32_t(inst.src(4).imm) * unit;
  }
  captureData(w, a, inst.src(1));
  captureData(w, a, inst.src(2), sizeof(T) / 4);
  a.perform = performExchange2<T>;
  a.kind = AccessKind::Atomic;
  a.space = Space::Lds;
  a.counter = Counter::Lds;
  a.bytes = sizeof(T);
  a.parts = 2;
  a.writesRows = true;
  a.firstRow = uint16_t(inst.ops[0].row());
  a.numRows = 2 * sizeof(T) / 4;
  w.memory->submit(w, a);
}

/// ds_append and ds_consume: the number of active lanes is added to one dword,
/// or taken off; all of them get what it was.
template <bool add> void performCount(Wave &w, MemoryAccess &a) {
  unsigned first = unsigned(__builtin_ctzll(a.mask));
  uint8_t *p = resolveLane<Space::Lds>(w, a, first, a.address[first], 4);
  if (!p)
    return;
  uint32_t old = loadAs<uint32_t>(p);
  uint32_t count = uint32_t(__builtin_popcountll(a.mask));
  uint32_t value = add ? old + count : old - count;
  __builtin_memcpy(p, &value, 4);
  Row result;
  for (uint32_t &lane : result.lane)
    lane = old;
  writeRowMasked(w, a.firstRow, result.lane, a.mask);
}
/// The address is M0 (LLVM puts the whole of it there) and the offset.
template <bool add> void dsCount(Wave &w, const ExecInst &inst) {
  if (w.exec() == 0)
    return;
  MemoryAccess &a = w.memory->begin(w, inst);
  a.mask = w.exec();
  allValid(a);
  uint32_t address = (w.m0() & 0x3ffff) + (uint32_t(inst.src(0).imm) & 0xffff);
  for (unsigned l = 0; l != waveLanes; ++l)
    a.address[l] = address;
  a.perform = performCount<add>;
  a.kind = AccessKind::Atomic;
  a.space = Space::Lds;
  a.counter = Counter::Lds;
  a.bytes = 4;
  a.parts = 1;
  a.writesRows = true;
  a.firstRow = uint16_t(inst.ops[0].row());
  a.numRows = 1;
  w.memory->submit(w, a);
}

template <typename Op, typename T>
void addName(HandlerTable &table, const char *name, const char *type) {
  for (const char *middle : {"_", "_rtn_"}) {
    char key[64];
    unsigned n = 0;
    for (const char *part : {"ds_", name, middle, type})
      while (*part)
        key[n++] = *part++;
    table.add(llvm::StringRef(key, n), dsAtomic<Op, T>);
  }
}

template <typename Op>
void addBoth(HandlerTable &table, const char *name, const char *narrow,
             const char *wide) {
  addName<Op, uint32_t>(table, name, narrow);
  addName<Op, uint64_t>(table, name, wide);
}

} // namespace

void addDsAtomicOps(HandlerTable &table) {
  addBoth<AtomicAdd>(table, "add", "u32", "u64");
  addBoth<AtomicSub>(table, "sub", "u32", "u64");
  addBoth<AtomicRsub>(table, "rsub", "u32", "u64");
  addBoth<AtomicInc>(table, "inc", "u32", "u64");
  addBoth<AtomicDec>(table, "dec", "u32", "u64");
  addBoth<AtomicSMin>(table, "min", "i32", "i64");
  addBoth<AtomicSMax>(table, "max", "i32", "i64");
  addBoth<AtomicUMin>(table, "min", "u32", "u64");
  addBoth<AtomicUMax>(table, "max", "u32", "u64");
  addBoth<AtomicAnd>(table, "and", "b32", "b64");
  addBoth<AtomicOr>(table, "or", "b32", "b64");
  addBoth<AtomicXor>(table, "xor", "b32", "b64");
  addBoth<AtomicMaskedOr>(table, "mskor", "b32", "b64");
  addBoth<AtomicSwap>(table, "wrxchg", "b32", "b64");
  addBoth<AtomicCompareSwap>(table, "cmpst", "b32", "b64");
  addBoth<AtomicCompareSwapF>(table, "cmpst", "f32", "f64");
  addBoth<AtomicFMin>(table, "min", "f32", "f64");
  addBoth<AtomicFMax>(table, "max", "f32", "f64");
  addBoth<AtomicFAdd>(table, "add", "f32", "f64");
  table.add("ds_wrap_rtn_b32", dsAtomic<AtomicWrap, uint32_t>);
  table.add("ds_condxchg32_rtn_b64", dsAtomic<AtomicConditionalSwap, uint64_t>);
  table.add("ds_wrxchg2_rtn_b32", dsExchange2<uint32_t, 1>);
  table.add("ds_wrxchg2_rtn_b64", dsExchange2<uint64_t, 1>);
  table.add("ds_wrxchg2st64_rtn_b32", dsExchange2<uint32_t, 64>);
  table.add("ds_wrxchg2st64_rtn_b64", dsExchange2<uint64_t, 64>);
  table.add("ds_append", dsCount<true>);
  table.add("ds_consume", dsCount<false>);
  addName<AtomicPkAddF16, uint32_t>(table, "pk_add", "f16");
  addName<AtomicPkAddBf16, uint32_t>(table, "pk_add", "bf16");
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
