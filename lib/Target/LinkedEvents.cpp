//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LinkedEvents.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace llvm;

namespace fly {

std::string Violations::at(const Instruction &instruction) const {
  return formatv("{0:x}: {1}", instruction.address, code.text(instruction));
}

static PlanEvent decodeWait(const Instruction &instruction) {
  WaitCount count = WaitCount::decode(uint16_t(instruction.operand(0).imm));
  // A counter at its largest value is not waited for.
  WaitCount none;
  return PlanEvent::wait(
      count.vm == none.vm ? std::nullopt : std::optional<unsigned>(count.vm),
      count.lgkm == none.lgkm ? std::nullopt
                              : std::optional<unsigned>(count.lgkm));
}

std::optional<PlanEvent> classify(const Instruction &instruction) {
  if (!instruction.valid)
    return std::nullopt;
  if (instruction.key == "s_waitcnt")
    return decodeWait(instruction);
  if (instruction.key == "s_barrier")
    return PlanEvent::barrier();
  auto counted = [](PlanEventKind kind) { return PlanEvent::counted(kind, 1); };
  switch (instruction.unit) {
  case Unit::Mfma:
    return counted(PlanEventKind::Mfma);
  case Unit::Mubuf:
  case Unit::Flat:
    if (instruction.toLds)
      return counted(PlanEventKind::DirectCopy);
    if (instruction.mayStore)
      return counted(PlanEventKind::GlobalStore);
    if (instruction.mayLoad)
      return counted(PlanEventKind::RegisterLoad);
    return std::nullopt;
  case Unit::Lds:
    return counted(instruction.mayStore ? PlanEventKind::LdsWrite
                                        : PlanEventKind::FragmentRead);
  case Unit::Smem:
    return counted(PlanEventKind::ScalarLoad);
  default:
    return std::nullopt;
  }
}

namespace {

/// An event with the index of its instruction in the disassembly.
struct IndexedEvent {
  PlanEvent event;
  uint32_t index;
};

bool is(const IndexedEvent &event, PlanEventKind kind) {
  return event.event.kind == kind;
}

/// Belongs to the pipeline wherever it stands.
bool isPipelineWork(const IndexedEvent &event) {
  return is(event, PlanEventKind::Mfma) ||
         is(event, PlanEventKind::DirectCopy) ||
         is(event, PlanEventKind::FragmentRead) ||
         is(event, PlanEventKind::LdsWrite);
}

/// Fills a slot: the pipeline is found by its first such event.
bool fillsSlot(const PlanEvent &event) {
  return event.kind == PlanEventKind::DirectCopy ||
         event.kind == PlanEventKind::LdsWrite;
}

/// What the plan has up to the first wait or barrier behind its first fill.
struct PlannedBegin {
  unsigned loads = 0; ///< of registers
  unsigned syncs = 0; ///< waits and barriers before the fill
};

PlannedBegin beginOf(const SchedulePlan &plan) {
  PlannedBegin begin;
  bool filled = false;
  for (const PlanEvent &event : plan.prologue) {
    if (event.isSync() && filled)
      break;
    filled |= fillsSlot(event);
    begin.syncs += event.isSync();
    if (event.kind == PlanEventKind::RegisterLoad)
      begin.loads += event.count;
  }
  return begin;
}

class PipelineFinder {
public:
  PipelineFinder(const Disassembly &code, uint64_t entry,
                 const SchedulePlan &plan, Violations &violations)
      : code(code), plan(plan), violations(violations), graph(code, entry) {}

  LinkedPipeline find() {
    LinkedPipeline result;
    collect();
    const Loop *loop = graph.hotLoop();
    if (!loop) {
      violations.add("the kernel has no loop");
      return result;
    }
    std::vector<uint32_t> body = graph.instructionsOf(*loop);
    loopBegin = body.front();
    loopEnd = body.back() + 1;
    for (uint32_t index : body)
      result.loopInstructions.push_back(&instruction(index));
    if (!findBegin())
      return result;
    findEnd();
    checkBranches();
    for (const IndexedEvent &event : events) {
      if (event.index < begin)
        continue;
      LinkedEvent linked = {event.event, &instruction(event.index)};
      if (event.index < loopBegin)
        result.prologue.push_back(linked);
      else if (event.index < loopEnd)
        result.loop.push_back(linked);
      else
        result.drain.push_back(linked);
    }
    return result;
  }

private:
  const Instruction &instruction(uint32_t index) const {
    return code.instructions()[index];
  }

  /// Events of all reachable code, in address order.
  void collect() {
    for (const BasicBlock &block : graph.blocks())
      for (uint32_t index = block.begin; index != block.end; ++index) {
        const Instruction &inst = instruction(index);
        if (!inst.valid)
          violations.add(violations.at(inst) +
                         " is no instruction of this chip");
        if (std::optional<PlanEvent> event = classify(inst))
          events.push_back({*event, index});
      }
  }

  /// The first fill of a slot, or the first planned register load before it: in
  /// a staged copy, or moved ahead, since their order is free up to a wait.
  bool findBegin() {
    auto first = find_if(events, [](const IndexedEvent &event) {
      return fillsSlot(event.event);
    });
    if (first == events.end()) {
      violations.add("the kernel has no direct copy or LDS write");
      return false;
    }
    begin = std::min(first->index, loopBegin);
    auto [loads, syncs] = beginOf(plan);
    for (auto it = first; it != events.end() && !it->event.isSync(); ++it)
      if (is(*it, PlanEventKind::RegisterLoad) && loads > 0)
        --loads;
    for (auto it = first; it != events.begin() && loads > 0;) {
      --it;
      if (it->event.isSync() && syncs-- == 0)
        break;
      if (is(*it, PlanEventKind::RegisterLoad)) {
        begin = std::min(begin, it->index);
        --loads;
      }
    }
    return true;
  }

  /// Behind the last pipeline work and the last wait or barrier of the drain.
  void findEnd() {
    end = loopEnd;
    size_t syncs = count_if(
        plan.drain, [](const PlanEvent &event) { return event.isSync(); });
    for (const IndexedEvent &event : events) {
      if (event.index < loopEnd)
        continue;
      bool planned = event.event.isSync() && syncs > 0;
      if (planned)
        --syncs;
      if (planned || isPipelineWork(event))
        end = event.index + 1;
    }
  }

  /// Events of the pipeline before instruction \p index.
  size_t position(uint32_t index) const {
    index = std::clamp(index, begin, end);
    return count_if(events, [&](const IndexedEvent &event) {
      return event.index >= begin && event.index < index;
    });
  }

  /// The event that a scalar branch leads around, if it is one barrier.
  IndexedEvent *barrierAround(const Instruction &branch, size_t from,
                              size_t to) {
    bool isScalar = branch.key.starts_with("s_cbranch_scc") ||
                    branch.key.starts_with("s_cbranch_vcc");
    if (!isScalar || to != from + 1)
      return nullptr;
    auto it = find_if(events, [&](const IndexedEvent &event) {
      return event.index >= begin;
    });
    std::advance(it, from);
    return is(*it, PlanEventKind::Barrier) ? &*it : nullptr;
  }

  /// A branch may lead around one group's barrier, stay between two events,
  /// lead from the loop's last event to its first, or have both ends outside of
  /// the pipeline.
  void checkBranches() {
    size_t last = position(end);
    size_t loopFirst = position(loopBegin), loopLast = position(loopEnd);
    auto outside = [&](size_t at) { return at == 0 || at == last; };
    for (const BasicBlock &block : graph.blocks()) {
      const Instruction &inst = instruction(block.end - 1);
      size_t from = position(block.end);
      if (inst.isIndirect || (inst.isTerminator && !inst.isBranch)) {
        if (!outside(from))
          violations.add(violations.at(inst) + " leaves the pipeline");
        continue;
      }
      if (!inst.isBranch)
        continue;
      int64_t target = code.indexAt(inst.target);
      size_t to = target < 0 ? last : position(uint32_t(target));
      bool backEdge = from == loopLast && to == loopFirst;
      bool skipsLoop =
          plan.loopMayNotRun && from == loopFirst && to == loopLast;
      if (IndexedEvent *barrier = barrierAround(inst, from, to)) {
        barrier->event.ofGroup = true;
        continue;
      }
      if (from != to && !backEdge && !skipsLoop &&
          !(outside(from) && outside(to)))
        violations.add(violations.at(inst) +
                       " leads around planned instructions");
    }
  }

  const Disassembly &code;
  const SchedulePlan &plan;
  Violations &violations;
  ControlFlowGraph graph;
  std::vector<IndexedEvent> events;
  uint32_t begin = 0, end = 0, loopBegin = 0, loopEnd = 0;
};

} // namespace

LinkedPipeline findPipeline(const Disassembly &code, uint64_t entry,
                            const SchedulePlan &plan, Violations &violations) {
  return PipelineFinder(code, entry, plan, violations).find();
}

} // namespace fly
