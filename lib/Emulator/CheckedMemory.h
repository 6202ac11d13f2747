//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Memory of checking mode: accesses wait in their wave's queues. Internal to
/// Emulator.

#ifndef FLY_LIB_EMULATOR_CHECKEDMEMORY_H
#define FLY_LIB_EMULATOR_CHECKEDMEMORY_H

#include "FastMemory.h"
#include "LdsShadow.h"
#include "Trace.h"
#include "WaveChecker.h"

namespace fly {
namespace emu {

class CheckedMemory : public MemorySystem {
public:
  CheckedMemory(const LaunchContext &context, Workgroup &group);

  /// Forgets the workgroup that ran before.
  void start();

  MemoryAccess &begin(Wave &w, const ExecInst &inst) override {
    return w.checked->begin(inst);
  }
  void submit(Wave &w, MemoryAccess &access) override {
    if (LLVM_UNLIKELY(w.traced))
      traceAccess(w, access);
    w.writes += access.kind != AccessKind::Load;
    if (access.space == Space::Global || access.space == Space::Flat)
      keepOrder(w, access);
    w.checked->submit(access);
  }
  void badAddress(Wave &w, const MemoryAccess &access, Space space,
                  unsigned lane, uint64_t address, unsigned bytes) override {
    reportBadAddress(context, w, access, space, lane, address, bytes);
  }
  void submitScalar(Wave &w, const ScalarAccess &access) override {
    w.writes += access.inst->inst->mayStore;
    w.checked->submitScalar(access);
  }
  void badScalarAddress(Wave &w, const ScalarAccess &access) override {
    reportBadScalarAddress(context, w, access);
  }
  void wait(Wave &w, const ExecInst &, WaitCount count) override {
    w.checked->wait(count);
  }
  void barrier(Wave &, const ExecInst &) override {}
  void end(Wave &w) override { w.checked->end(); }

private:
  /// The waves of a workgroup share a compute unit, whose accesses to global
  /// memory take effect in the order of their issue: compilers put no wait
  /// between a store, a barrier, and another wave's load (LLVM AMDGPUUsage,
  /// "Memory Model GFX942"). So what \p access meets is performed before it.
  void keepOrder(Wave &w, MemoryAccess &access);

  const LaunchContext &context;
  Workgroup &group;
  LdsShadow shadow;
  std::vector<std::unique_ptr<WaveChecker>> checkers;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_CHECKEDMEMORY_H
