//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Memory of fast mode: every access is performed when it is issued. Internal
/// to Emulator.

#ifndef FLY_LIB_EMULATOR_FASTMEMORY_H
#define FLY_LIB_EMULATOR_FASTMEMORY_H

#include "LaunchContext.h"
#include "MemoryAccess.h"
#include "Trace.h"

namespace fly {
namespace emu {

/// Reports a vector access outside memory, whatever the mode.
void reportBadAddress(const LaunchContext &context, const Wave &w,
                      const MemoryAccess &access, Space space, unsigned lane,
                      uint64_t address, unsigned bytes);
void reportBadScalarAddress(const LaunchContext &context, const Wave &w,
                            const ScalarAccess &access);

class FastMemory : public MemorySystem {
public:
  explicit FastMemory(const LaunchContext &context)
      : MemorySystem(context.map), context(context) {}

  MemoryAccess &begin(Wave &, const ExecInst &inst) override {
    current.inst = &inst;
    current.parts = 1;
    return current;
  }
  void submit(Wave &w, MemoryAccess &access) override {
    if (LLVM_UNLIKELY(w.traced))
      traceAccess(w, access);
    w.writes += access.kind != AccessKind::Load;
    access.perform(w, access);
  }
  void badAddress(Wave &w, const MemoryAccess &access, Space space,
                  unsigned lane, uint64_t address, unsigned bytes) override {
    reportBadAddress(context, w, access, space, lane, address, bytes);
  }
  void submitScalar(Wave &w, const ScalarAccess &access) override {
    w.writes += access.inst->inst->mayStore;
    access.perform(w, access, *this);
  }
  void badScalarAddress(Wave &w, const ScalarAccess &access) override {
    reportBadScalarAddress(context, w, access);
  }
  void wait(Wave &, const ExecInst &, WaitCount) override {}
  void barrier(Wave &, const ExecInst &) override {}
  void end(Wave &) override {}

private:
  const LaunchContext &context;
  MemoryAccess current;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_FASTMEMORY_H
