//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// A memory that tells an observer of every vector access and passes it on to
/// the memory that does the work. Stands in the waves' way only if there is an
/// observer. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_OBSERVEDMEMORY_H
#define FLY_LIB_EMULATOR_OBSERVEDMEMORY_H

#include "MemoryAccess.h"
#include "Workgroup.h"

#include "fly/Emulator/Observer.h"

namespace fly {
namespace emu {

class ObservedMemory : public MemorySystem {
public:
  ObservedMemory(MemorySystem &inner, AccessObserver &observer)
      : MemorySystem(inner.map), inner(inner), observer(observer) {}

  MemoryAccess &begin(Wave &w, const ExecInst &inst) override {
    return inner.begin(w, inst);
  }
  void submit(Wave &w, MemoryAccess &access) override {
    ObservedAccess seen{*access.inst->inst,
                        w.group->linearId,
                        w.waveInGroup,
                        access.mask,
                        access.bytes,
                        access.parts,
                        llvm::ArrayRef(access.address),
                        llvm::ArrayRef(access.ldsAddress)};
    observer.onAccess(seen);
    inner.submit(w, access);
  }
  void badAddress(Wave &w, const MemoryAccess &access, Space space,
                  unsigned lane, uint64_t address, unsigned bytes) override {
    inner.badAddress(w, access, space, lane, address, bytes);
  }
  void submitScalar(Wave &w, const ScalarAccess &access) override {
    inner.submitScalar(w, access);
  }
  void badScalarAddress(Wave &w, const ScalarAccess &access) override {
    inner.badScalarAddress(w, access);
  }
  void wait(Wave &w, const ExecInst &inst, WaitCount count) override {
    inner.wait(w, inst, count);
  }
  void barrier(Wave &w, const ExecInst &inst) override {
    inner.barrier(w, inst);
  }
  void end(Wave &w) override { inner.end(w); }

private:
  MemorySystem &inner;
  AccessObserver &observer;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_OBSERVEDMEMORY_H
