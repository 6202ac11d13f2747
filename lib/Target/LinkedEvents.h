//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The events of a linked kernel, in the terms of a SchedulePlan.

#ifndef FLY_LIB_TARGET_LINKEDEVENTS_H
#define FLY_LIB_TARGET_LINKEDEVENTS_H

#include "fly/CodeObject/ControlFlow.h"
#include "fly/CodeObject/Disassembly.h"
#include "fly/Target/SchedulePlan.h"

#include <optional>
#include <string>
#include <vector>

namespace fly {

/// An instruction that a plan speaks of; count is 1.
struct LinkedEvent {
  PlanEvent event;
  const Instruction *instruction;
};

/// What an instruction is in a plan, if anything.
std::optional<PlanEvent> classify(const Instruction &instruction);

/// The pipeline of a kernel in address order: from its first direct copy or the
/// first load of a staged one, split at the hot loop, to the end of the kernel.
struct LinkedPipeline {
  std::vector<LinkedEvent> prologue, loop, drain;
  std::vector<const Instruction *> loopInstructions;
};

/// Collects violations and prints instructions for them.
class Violations {
public:
  explicit Violations(const Disassembly &code) : code(code) {}
  void add(const llvm::Twine &text) { list.push_back(text.str()); }
  /// "0x1a40: s_barrier".
  std::string at(const Instruction &instruction) const;
  bool empty() const { return list.empty(); }
  llvm::ArrayRef<std::string> all() const { return list; }

private:
  const Disassembly &code;
  std::vector<std::string> list;
};

/// Finds the pipeline of the kernel at \p entry that should follow \p plan.
/// Adds a violation for a missing loop or copy, for code that is not of this
/// chip, and for branches by which the order of addresses is not the order of
/// execution.
LinkedPipeline findPipeline(const Disassembly &code, uint64_t entry,
                            const SchedulePlan &plan, Violations &violations);

} // namespace fly

#endif // FLY_LIB_TARGET_LINKEDEVENTS_H
