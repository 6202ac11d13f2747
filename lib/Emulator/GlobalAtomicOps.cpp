//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Atomics of buffer, global and FLAT instructions.

#include "AtomicOperations.h"
#include "BufferAddress.h"
#include "FlatAddress.h"

#include "fly/Emulator/Handlers.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// What all atomics set once addresses and data are there.
template <typename T>
void finish(Wave &w, const ExecInst &inst, MemoryAccess &a, Space space,
            const Operand *result) {
  a.kind = AccessKind::Atomic;
  a.space = space;
  a.counter = space == Space::Flat ? Counter::Flat : Counter::Vm;
  a.bytes = sizeof(T);
  a.writesRows = inst.inst->returnsOld && result;
  if (a.writesRows) {
    a.firstRow = uint16_t(result->row());
    a.numRows = sizeof(T) / 4;
  }
  w.memory->submit(w, a);
}

/// Compilers mask lanes off by an offset of 2 GiB or more, and keep the range
/// below: above, an atomic out of range faults (seen on gfx950).
bool isMaskedOff(const BufferDescriptor &d, uint64_t address) {
  constexpr uint64_t limit = uint64_t(1) << 31;
  return d.numRecords < limit && address - d.base >= limit;
}

template <typename Op, typename T>
void bufferAtomic(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = w.memory->begin(w, inst);
  BufferOperands ops(inst);
  bufferAddresses(w, ops, a, sizeof(T), true);
  for (unsigned i = 1; i < sizeof(T) / 4; ++i)
    a.valid[0] &= a.valid[i];
  BufferDescriptor d = BufferDescriptor::read(w, *ops.descriptor);
  for (uint64_t rest = a.mask & ~a.valid[0]; rest; rest &= rest - 1) {
    unsigned lane = unsigned(__builtin_ctzll(rest));
    if (isMaskedOff(d, a.address[lane]))
      continue;
    w.memory->badAddress(w, a, Space::BufferRange, lane, a.address[lane],
                         sizeof(T));
    break;
  }
  captureData(w, a, *ops.data);
  a.perform = performAtomic<Space::Global, Op, T>;
  finish<T>(w, inst, a, Space::Global, ops.data);
}

template <Space space, typename Op, typename T>
void flatAtomic(Wave &w, const ExecInst &inst) {
  FlatOperands ops(inst);
  MemoryAccess &a = w.memory->begin(w, inst);
  flatAddresses(w, ops, a);
  captureData(w, a, *ops.data);
  a.perform = performAtomic<space, Op, T>;
  finish<T>(w, inst, a, space, ops.result);
}

void addKey(HandlerTable &table, const char *space, const char *name,
            const char *suffix, Handler handler) {
  char key[64];
  unsigned n = 0;
  for (const char *part : {space, "_atomic_", name, suffix})
    while (*part)
      key[n++] = *part++;
  table.add(llvm::StringRef(key, n), handler);
}

template <typename Op, typename T>
void addForms(HandlerTable &table, const char *name, const char *suffix) {
  addKey(table, "buffer", name, suffix, bufferAtomic<Op, T>);
  addKey(table, "global", name, suffix, flatAtomic<Space::Global, Op, T>);
  addKey(table, "flat", name, suffix, flatAtomic<Space::Flat, Op, T>);
}

template <typename Op> void addInteger(HandlerTable &table, const char *name) {
  addForms<Op, uint32_t>(table, name, "");
  addForms<Op, uint64_t>(table, name, "_x2");
}

} // namespace

void addGlobalAtomicOps(HandlerTable &table) {
  addInteger<AtomicSwap>(table, "swap");
  addInteger<AtomicCompareSwap>(table, "cmpswap");
  addInteger<AtomicAdd>(table, "add");
  addInteger<AtomicSub>(table, "sub");
  addInteger<AtomicSMin>(table, "smin");
  addInteger<AtomicUMin>(table, "umin");
  addInteger<AtomicSMax>(table, "smax");
  addInteger<AtomicUMax>(table, "umax");
  addInteger<AtomicAnd>(table, "and");
  addInteger<AtomicOr>(table, "or");
  addInteger<AtomicXor>(table, "xor");
  addInteger<AtomicInc>(table, "inc");
  addInteger<AtomicDec>(table, "dec");
  addForms<AtomicFAdd, uint32_t>(table, "add_f32", "");
  addForms<AtomicPkAddF16, uint32_t>(table, "pk_add_f16", "");
  addForms<AtomicPkAddBf16, uint32_t>(table, "pk_add_bf16", "");
  addForms<AtomicFAdd, uint64_t>(table, "add_f64", "");
  addForms<AtomicFMin, uint64_t>(table, "min_f64", "");
  addForms<AtomicFMax, uint64_t>(table, "max_f64", "");
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
