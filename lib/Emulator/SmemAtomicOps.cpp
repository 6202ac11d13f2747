//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Scalar atomics, s_atomic_* and s_buffer_atomic_*.

#include "AtomicOperations.h"
#include "ScalarAddress.h"

#include "fly/Emulator/Handlers.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

template <typename Op, typename T>
void performScalarAtomic(Wave &w, const ScalarAccess &a, MemorySystem &memory) {
  constexpr unsigned dwords = sizeof(T) / 4;
  if (a.validDwords < dwords)
    return;
  const MappedRange *range = memory.map.find(a.address, sizeof(T));
  if (!range)
    return memory.badScalarAddress(w, a);
  T data[2];
  for (unsigned i = 0; i != 2; ++i) {
    data[i] = T(a.data[i * dwords]);
    if constexpr (dwords == 2)
      data[i] |= T(a.data[i * dwords + 1]) << 32;
  }
  T old = applyAtomic<Op, T>(range->host + (a.address - range->base), data[0],
                             data[1], true);
  for (unsigned i = 0; a.isLoad && i != dwords; ++i)
    w.scalars[a.sgpr + i] = uint32_t(uint64_t(old) >> (32 * i));
}

template <typename Op, typename T, bool buffer>
void scalarAtomic(Wave &w, const ExecInst &inst) {
  ScalarAccess a = startScalar(inst, inst.ops[0]);
  if (buffer)
    setScalarBufferAddress(w, inst, a);
  else
    setScalarAddress(w, inst, a);
  for (unsigned i = 0; i != 4; ++i)
    a.data[i] = i < a.dwords ? readScalarCode(w, a.sgpr + i) : 0;
  a.isLoad = inst.inst->returnsOld;
  a.dwords = sizeof(T) / 4;
  a.perform = performScalarAtomic<Op, T>;
  w.memory->submitScalar(w, a);
}

void addKey(HandlerTable &table, const char *prefix, const char *name,
            const char *suffix, Handler handler) {
  char key[64];
  unsigned n = 0;
  for (const char *part : {prefix, name, suffix})
    while (*part)
      key[n++] = *part++;
  table.add(llvm::StringRef(key, n), handler);
}

template <typename Op> void add(HandlerTable &t, const char *name) {
  addKey(t, "s_atomic_", name, "", scalarAtomic<Op, uint32_t, false>);
  addKey(t, "s_atomic_", name, "_x2", scalarAtomic<Op, uint64_t, false>);
  addKey(t, "s_buffer_atomic_", name, "", scalarAtomic<Op, uint32_t, true>);
  addKey(t, "s_buffer_atomic_", name, "_x2", scalarAtomic<Op, uint64_t, true>);
}

} // namespace

void addSmemAtomicOps(HandlerTable &table) {
  add<AtomicSwap>(table, "swap");
  add<AtomicCompareSwap>(table, "cmpswap");
  add<AtomicAdd>(table, "add");
  add<AtomicSub>(table, "sub");
  add<AtomicSMin>(table, "smin");
  add<AtomicUMin>(table, "umin");
  add<AtomicSMax>(table, "smax");
  add<AtomicUMax>(table, "umax");
  add<AtomicAnd>(table, "and");
  add<AtomicOr>(table, "or");
  add<AtomicXor>(table, "xor");
  add<AtomicInc>(table, "inc");
  add<AtomicDec>(table, "dec");
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
