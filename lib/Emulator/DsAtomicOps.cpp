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
  addBoth<AtomicFMin>(table, "min", "f32", "f64");
  addBoth<AtomicFMax>(table, "max", "f32", "f64");
  addBoth<AtomicFAdd>(table, "add", "f32", "f64");
  addName<AtomicPkAddF16, uint32_t>(table, "pk_add", "f16");
  addName<AtomicPkAddBf16, uint32_t>(table, "pk_add", "bf16");
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
