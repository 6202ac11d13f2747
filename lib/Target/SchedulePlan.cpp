//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Target/SchedulePlan.h"

#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace fly {

StringRef describe(PlanEventKind kind) {
  switch (kind) {
  case PlanEventKind::Wait:
    return "waits";
  case PlanEventKind::Barrier:
    return "barriers";
  case PlanEventKind::DirectCopy:
    return "direct copies";
  case PlanEventKind::RegisterLoad:
    return "register loads";
  case PlanEventKind::GlobalStore:
    return "global stores";
  case PlanEventKind::FragmentRead:
    return "LDS reads";
  case PlanEventKind::LdsWrite:
    return "LDS writes";
  case PlanEventKind::ScalarLoad:
    return "scalar loads";
  case PlanEventKind::Mfma:
    return "MFMA";
  case PlanEventKind::Boundary:
    return "boundaries";
  }
  llvm_unreachable("all kinds are handled");
}

std::string describe(const PlanEvent &event) {
  if (event.kind == PlanEventKind::Barrier)
    return event.ofGroup ? "barrier of one wave group" : "barrier";
  if (event.kind == PlanEventKind::Boundary)
    return "--";
  if (event.kind != PlanEventKind::Wait)
    return std::to_string(event.count) + " " + describe(event.kind).str();
  std::string text = "wait";
  if (event.vmcnt)
    text += " vmcnt(" + std::to_string(*event.vmcnt) + ")";
  if (event.lgkmcnt)
    text += " lgkmcnt(" + std::to_string(*event.lgkmcnt) + ")";
  return text;
}

raw_ostream &operator<<(raw_ostream &os, const SchedulePlan &plan) {
  const std::pair<const char *, const std::vector<PlanEvent> *> parts[] = {
      {"prologue", &plan.prologue},
      {"loop", &plan.loop},
      {"drain", &plan.drain}};
  for (auto [name, events] : parts) {
    os << name << ":\n";
    for (const PlanEvent &event : *events)
      os << "  " << describe(event) << "\n";
  }
  return os;
}

} // namespace fly
