//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What the proof of a schedule relied on, as one wave executes it: for the
/// prologue, one iteration of the loop and the drain, the waits and barriers in
/// order and how many memory and matrix instructions stand between them; and
/// the check that a linked code object is exactly that.

#ifndef FLY_TARGET_SCHEDULEPLAN_H
#define FLY_TARGET_SCHEDULEPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace fly {

/// Waits and barriers order the others; the others are counted.
enum class PlanEventKind {
  Wait,         ///< s_waitcnt
  Barrier,      ///< s_barrier
  DirectCopy,   ///< global memory to LDS
  RegisterLoad, ///< global memory to registers, counted in vmcnt
  GlobalStore,  ///< registers to global memory, atomics
  FragmentRead, ///< LDS to registers
  LdsWrite,     ///< registers to LDS
  ScalarLoad,   ///< global memory to scalar registers, counted in lgkmcnt
  Mfma,
  Boundary ///< no instruction: nothing stands on the other side of it
};
constexpr unsigned numPlanEventKinds = unsigned(PlanEventKind::Mfma) + 1;

struct PlanEvent {
  PlanEventKind kind = PlanEventKind::Wait;
  /// Instructions that a wave issues, for the counted kinds.
  unsigned count = 1;
  /// Of a wait; a counter without a value is not waited for.
  std::optional<unsigned> vmcnt, lgkmcnt;
  /// Of a barrier: only one wave group goes through it.
  bool ofGroup = false;

  static PlanEvent wait(std::optional<unsigned> vmcnt,
                        std::optional<unsigned> lgkmcnt) {
    return {PlanEventKind::Wait, 1, vmcnt, lgkmcnt};
  }
  static PlanEvent barrier(bool ofGroup = false) {
    return {PlanEventKind::Barrier, 1, {}, {}, ofGroup};
  }
  static PlanEvent counted(PlanEventKind kind, unsigned count) {
    return {kind, count, {}, {}};
  }
  static PlanEvent boundary() { return {PlanEventKind::Boundary, 0, {}, {}}; }
  bool isSync() const {
    return kind == PlanEventKind::Wait || kind == PlanEventKind::Barrier;
  }
};

/// Between two waits or barriers the order of copies and register loads counts,
/// since vmcnt retires in order, and so does that of LDS reads and writes, for
/// lgkmcnt. The order of other events does not, but for boundaries: they cut a
/// phase into groups, and each instruction stands in its group. So an
/// interleaving is planned: a few MFMA and one read or copy a group.
struct SchedulePlan {
  std::vector<PlanEvent> prologue, loop, drain;
  /// The loop may run zero times: a branch leads around it.
  bool loopMayNotRun = false;
};

/// "copies", "fragment reads", ...
llvm::StringRef describe(PlanEventKind kind);
/// "wait vmcnt(4)", "barrier", "8 fragment reads".
std::string describe(const PlanEvent &event);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const SchedulePlan &plan);

/// Reads kernel \p kernel of the linked code object \p object back and compares
/// it with \p plan, from the first direct copy on, or from the first load of a
/// staged one, split at the hot loop (the innermost loop with the most MFMA).
/// Required:
///  - the waits and barriers are those of the plan, in its order, none missing,
///    added or changed, and no branch leads around or between them, but for a
///    scalar branch around the barrier of one wave group, and around a loop
///    that may not run;
///  - between two of them stand as many instructions of each kind as planned,
///    copies and register loads in the planned order, and LDS reads and writes,
///    each in its group;
///  - after the drain's last planned event there is no copy, LDS access or
///  MFMA;
///  - the hot loop has no scratch access, no vmcnt(0) that the plan has not, no
///    move of an accumulator, and every MFMA adds to its own registers;
///  - every reachable instruction is one of the object's chip.
/// The error lists every violation with address, disassembly and planned event.
llvm::Error checkLinkedObject(llvm::ArrayRef<char> object,
                              llvm::StringRef kernel, const SchedulePlan &plan);

} // namespace fly

#endif // FLY_TARGET_SCHEDULEPLAN_H
