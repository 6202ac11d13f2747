//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelFacts.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;

namespace fly {

static std::optional<PlanEvent> eventOf(mlir::Operation *op) {
  using Result = std::optional<PlanEvent>;
  return TypeSwitch<mlir::Operation *, Result>(op)
      .Case([](CopyOp copy) {
        return PlanEvent::counted(
            PlanEventKind::DirectCopy,
            unsigned(copy.getSlotOp().getCopiesPerWave()));
      })
      .Case([](ReadOp read) {
        return PlanEvent::counted(PlanEventKind::FragmentRead,
                                  unsigned(read.getReadsPerWave()));
      })
      .Case([](LoadScalesOp) {
        return PlanEvent::counted(PlanEventKind::RegisterLoad, 1);
      })
      .Case([](MmaOp mma) {
        return PlanEvent::counted(PlanEventKind::Mfma,
                                  unsigned(mma.getMfmaCount()));
      })
      .Case([](WaitOp wait) {
        return PlanEvent::wait(wait.getVmcnt(), wait.getLgkmcnt());
      })
      .Case([](BarrierOp barrier) {
        return PlanEvent::barrier(/*ofGroup=*/barrier.getGroup().has_value());
      })
      .Default([](mlir::Operation *) { return std::nullopt; });
}

static std::vector<PlanEvent> eventsIn(mlir::Operation *part) {
  std::vector<PlanEvent> events;
  part->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (std::optional<PlanEvent> event = eventOf(op))
      events.push_back(*event);
  });
  return events;
}

SchedulePlan planOf(KernelOp kernel) {
  SchedulePlan plan;
  for (mlir::Operation &op : kernel.getEntryBlock()) {
    if (isa<PrologueOp>(op))
      plan.prologue = eventsIn(&op);
    else if (auto loop = dyn_cast<LoopOp>(op)) {
      plan.loop = eventsIn(&op);
      plan.loopMayNotRun = loop.getPeeled();
    } else if (isa<DrainOp>(op))
      plan.drain = eventsIn(&op);
  }
  return plan;
}

} // namespace fly
