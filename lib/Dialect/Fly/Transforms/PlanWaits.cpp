//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace fly {
#define GEN_PASS_DEF_FLYPLANWAITS
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {

// One counter: accesses are numbered as they are issued and retire in order.
struct Counter {
  int64_t issued = 0, retired = 0;

  int64_t issue(int64_t count) { return issued += count; }
  void wait(int64_t outstanding) {
    retired = std::max(retired, issued - outstanding);
  }
};

// What must hold before a step: counts that may stay outstanding, a barrier.
struct Need {
  std::optional<int64_t> vmcnt, lgkmcnt;
  bool barrier = false;

  static void tighten(std::optional<int64_t> &count,
                      std::optional<int64_t> other) {
    if (other)
      count = count ? std::min(*count, *other) : *other;
  }
  void merge(const Need &other) {
    tighten(vmcnt, other.vmcnt);
    tighten(lgkmcnt, other.lgkmcnt);
    barrier |= other.barrier;
  }
  bool operator==(const Need &other) const {
    return vmcnt == other.vmcnt && lgkmcnt == other.lgkmcnt &&
           barrier == other.barrier;
  }
};

// Accesses to one stage of a slot: the number of the last one, the counter it
// is counted in, and whether a barrier has followed since it retired.
struct Accesses {
  int64_t last = 0;
  const Counter *counter = nullptr;
  bool ordered = true;

  void add(int64_t number, const Counter &of) {
    last = number;
    counter = &of;
    ordered = false;
  }
  void barrier() { ordered |= last <= counter->retired; }
};

using Stage = std::pair<Value, int64_t>;

// Follows one wave through the program. All waves run the same one, so that its
// own accesses stand for those of every other wave.
class Tracker {
public:
  // What \p step needs as of now of accesses that are issued already: of the
  // wave's own registers (\p own), of all waves' accesses to LDS (\p cross).
  Need getNeed(Operation *step, bool own, bool cross) {
    Need need;
    auto vm = [&](bool wanted, int64_t number) {
      if (wanted && number > vmcnt.retired)
        Need::tighten(need.vmcnt, vmcnt.issued - number);
    };
    auto lgkm = [&](bool wanted, int64_t number) {
      if (wanted && number > lgkmcnt.retired)
        Need::tighten(need.lgkmcnt, lgkmcnt.issued - number);
    };
    auto filled = [&](bool wanted, const Accesses &fill) {
      fill.counter == &vmcnt ? vm(wanted, fill.last) : lgkm(wanted, fill.last);
    };
    if (auto copy = dyn_cast<CopyOp>(step)) {
      Stage stage(copy.getSlot(), *copy.getStage());
      lgkm(cross, reads[stage].last);
      filled(own, fills[stage]);
      need.barrier = cross && !reads[stage].ordered;
    } else if (auto load = dyn_cast<LoadOp>(step)) {
      vm(own, loads[Stage(load.getStaging(), *load.getStage())]);
    } else if (auto write = dyn_cast<WriteOp>(step)) {
      Stage stage(write.getSlotOp(), *write.getStage());
      vm(own, loads[Stage(write.getStaging(), write.getFromStage())]);
      lgkm(cross, reads[stage].last);
      // Writes of one wave are in order; a copy may land late.
      if (fills[stage].counter == &vmcnt)
        vm(own, fills[stage].last);
      need.barrier = cross && !reads[stage].ordered;
    } else if (auto read = dyn_cast<ReadOp>(step)) {
      Stage stage(read.getSlotOp(), *read.getStage());
      filled(cross, fills[stage]);
      need.barrier = cross && !fills[stage].ordered;
    } else if (auto load = dyn_cast<LoadScalesOp>(step)) {
      vm(own, loads[Stage(load.getScales(), *load.getStage())]);
    } else if (auto mma = dyn_cast<MmaOp>(step)) {
      lgkm(own, fragments[mma.getA()]);
      lgkm(own, fragments[mma.getB()]);
      for (Value scale : {mma.getScaleA(), mma.getScaleB()})
        if (scale)
          vm(own, loads[Stage(scale, *mma.getStage())]);
    }
    return need;
  }

  void apply(const Need &need) {
    if (need.vmcnt)
      vmcnt.wait(*need.vmcnt);
    if (need.lgkmcnt)
      lgkmcnt.wait(*need.lgkmcnt);
    if (!need.barrier)
      return;
    for (auto *accesses : {&fills, &reads})
      for (auto &[stage, access] : *accesses)
        if (access.counter)
          access.barrier();
  }

  void issue(Operation *step) {
    if (auto copy = dyn_cast<CopyOp>(step)) {
      fills[Stage(copy.getSlot(), *copy.getStage())].add(
          vmcnt.issue(copy.getSlotOp().getCopiesPerWave()), vmcnt);
    } else if (auto load = dyn_cast<LoadOp>(step)) {
      loads[Stage(load.getStaging(), *load.getStage())] =
          vmcnt.issue(load.getSlotOp().getCopiesPerWave());
    } else if (auto write = dyn_cast<WriteOp>(step)) {
      fills[Stage(write.getSlotOp(), *write.getStage())].add(
          lgkmcnt.issue(write.getSlotOp().getCopiesPerWave()), lgkmcnt);
    } else if (auto read = dyn_cast<ReadOp>(step)) {
      int64_t number = lgkmcnt.issue(read.getReadsPerWave());
      reads[Stage(read.getSlotOp(), *read.getStage())].add(number, lgkmcnt);
      fragments[read.getFragment()] = number;
    } else if (auto load = dyn_cast<LoadScalesOp>(step)) {
      loads[Stage(load.getScales(), *load.getStage())] = vmcnt.issue(1);
    }
  }

  Counter vmcnt, lgkmcnt;

private:
  llvm::DenseMap<Stage, Accesses> fills, reads;
  llvm::DenseMap<Stage, int64_t> loads; ///< of scales and staging registers
  llvm::DenseMap<Value, int64_t> fragments;
};

// Steps between two places where waves may meet: a phase, or a run of reads, of
// writes, or of copies and loads in a prologue.
struct Unit {
  SmallVector<Operation *> steps;
  bool rotated = false; ///< a barrier stands before it in any case
};

// Needs by the place where they are met: before an op, or at a block's end.
class Plan {
public:
  explicit Plan(KernelOp kernel)
      : prologue(kernel.findOp<PrologueOp>()), loop(kernel.findOp<LoopOp>()),
        drain(kernel.findOp<DrainOp>()) {}

  bool isExpanded() { return prologue && loop && drain; }

  // Repeats the walk until the needs of every place cover all iterations. Four
  // are enough for every access of the prologue to be retired and the state to
  // be that of the steady state; a peeled loop may not run at all.
  void derive() {
    do {
      changed = false;
      walk(/*iterations=*/4);
      if (loop.getPeeled())
        walk(/*iterations=*/0);
    } while (changed);
  }

  void emit() {
    for (auto &[op, need] : before) {
      OpBuilder builder(op);
      emit(builder, op->getLoc(), need);
    }
    for (auto &[block, need] : atEnd) {
      OpBuilder builder = OpBuilder::atBlockEnd(block);
      emit(builder, block->getParentOp()->getLoc(), need);
    }
    if (loop.getRotate())
      shiftGroups();
  }

private:
  void walk(int64_t iterations) {
    SmallVector<Unit> units;
    collectRuns(prologue.getBody().front(), units);
    for (int64_t i = 0; i < iterations; ++i)
      collectPhases(loop.getBody().front(), units);
    collectPhases(drain.getBody().front(), units);

    Tracker tracker;
    for (size_t i = 0; i < units.size(); ++i)
      walk(units[i], i + 1 < units.size() ? &units[i + 1] : nullptr, tracker);
    // Nothing may be in flight when the workgroup gives up its LDS.
    Need need;
    if (tracker.vmcnt.issued > tracker.vmcnt.retired)
      need.vmcnt = 0;
    if (tracker.lgkmcnt.issued > tracker.lgkmcnt.retired)
      need.lgkmcnt = 0;
    meet(atEnd[&drain.getBody().front()], need, tracker);
  }

  static void collectRuns(Block &block, SmallVectorImpl<Unit> &units) {
    auto kindOf = [](Operation &step) {
      return isa<ReadOp>(step) ? 1 : isa<WriteOp>(step) ? 2 : 0;
    };
    Operation *previous = nullptr;
    for (Operation &step : block) {
      if (!previous || kindOf(step) != kindOf(*previous))
        units.emplace_back();
      previous = &step;
      units.back().steps.push_back(&step);
    }
  }

  void collectPhases(Block &block, SmallVectorImpl<Unit> &units) {
    for (auto phase : block.getOps<PhaseOp>()) {
      if (phase.getBody().front().empty())
        continue;
      Unit &unit = units.emplace_back();
      unit.rotated = loop.getRotate();
      for (Operation &step : phase.getBody().front())
        unit.steps.push_back(&step);
    }
  }

  // Before a unit everything is met that it needs and that is issued already.
  // Where groups are rotated, the other group may run a phase behind: what all
  // waves must have done by phase p is waited for before phase p - 1.
  void walk(Unit &unit, Unit *next, Tracker &tracker) {
    Need need;
    for (Operation *step : unit.steps)
      need.merge(tracker.getNeed(step, /*own=*/true, /*cross=*/!unit.rotated));
    if (next && next->rotated)
      for (Operation *step : next->steps) {
        Need early = tracker.getNeed(step, /*own=*/false, /*cross=*/true);
        early.barrier = false;
        need.merge(early);
      }
    need.barrier |= unit.rotated;
    meet(before[unit.steps.front()], need, tracker);
    for (Operation *step : unit.steps) {
      // What the unit itself issued before the step.
      meet(before[step],
           tracker.getNeed(step, /*own=*/true, /*cross=*/!unit.rotated),
           tracker);
      tracker.issue(step);
    }
  }

  void meet(Need &place, const Need &need, Tracker &tracker) {
    Need merged = place;
    merged.merge(need);
    changed |= !(merged == place);
    place = merged;
    tracker.apply(place);
  }

  static void emit(OpBuilder &builder, Location loc, const Need &need) {
    auto count = [&](std::optional<int64_t> value, int64_t max) {
      return value ? builder.getI64IntegerAttr(std::min(*value, max))
                   : IntegerAttr();
    };
    if (need.vmcnt || need.lgkmcnt)
      WaitOp::create(builder, loc, count(need.vmcnt, 63),
                     count(need.lgkmcnt, 15));
    if (need.barrier)
      BarrierOp::create(builder, loc, /*group=*/IntegerAttr());
  }

  // Group 1 meets one barrier more before the loop, group 0 after the last
  // phase.
  void shiftGroups() {
    OpBuilder builder = OpBuilder::atBlockEnd(&prologue.getBody().front());
    BarrierOp::create(builder, loop.getLoc(), builder.getI64IntegerAttr(1));
    Block &end = drain.getBody().front();
    auto phases = end.getOps<PhaseOp>();
    if (phases.empty())
      builder.setInsertionPointToStart(&end);
    else
      builder.setInsertionPointAfter(*std::prev(phases.end()));
    BarrierOp::create(builder, loop.getLoc(), builder.getI64IntegerAttr(0));
  }

  PrologueOp prologue;
  LoopOp loop;
  DrainOp drain;
  llvm::MapVector<Operation *, Need> before;
  llvm::MapVector<Block *, Need> atEnd;
  bool changed = false;
};

struct PlanWaits : public fly::impl::FlyPlanWaitsBase<PlanWaits> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    WalkResult result = kernel->walk([](Operation *op) {
      if (isa<WaitOp, BarrierOp>(op)) {
        op->emitOpError("is there already; waits are planned once");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    Plan plan(kernel);
    if (!plan.isExpanded()) {
      kernel.emitOpError(
          "is not expanded: waits are planned over a prologue, a "
          "loop and a drain");
      return signalPassFailure();
    }
    plan.derive();
    plan.emit();
  }
};
} // namespace
