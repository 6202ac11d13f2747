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

// Accesses to one stage of a slot: the number of the last one, and whether a
// barrier has followed since it retired.
struct Accesses {
  int64_t last = 0;
  bool ordered = true;

  void add(int64_t number) {
    last = number;
    ordered = false;
  }
  void barrier(const Counter &counter) { ordered |= last <= counter.retired; }
};

using Stage = std::pair<Value, int64_t>;

// Follows one wave through the program. All waves run the same one, so that its
// own accesses stand for those of every other wave.
class Tracker {
public:
  // What \p step needs as of now. \p issuedBefore bounds the accesses looked
  // at: those issued after it (within the step's own phase) do not count.
  Need getNeed(Operation *step, const Counter &vmBefore,
               const Counter &lgkmBefore) {
    Need need;
    auto vm = [&](int64_t number) {
      if (number > vmcnt.retired && number <= vmBefore.issued)
        Need::tighten(need.vmcnt, vmcnt.issued - number);
    };
    auto lgkm = [&](int64_t number) {
      if (number > lgkmcnt.retired && number <= lgkmBefore.issued)
        Need::tighten(need.lgkmcnt, lgkmcnt.issued - number);
    };
    if (auto copy = dyn_cast<CopyOp>(step)) {
      Stage stage(copy.getSlot(), *copy.getStage());
      lgkm(reads[stage].last);
      vm(copies[stage].last);
      need.barrier =
          !reads[stage].ordered && reads[stage].last <= lgkmBefore.issued;
    } else if (auto read = dyn_cast<ReadOp>(step)) {
      Stage stage(read.getSlotOp(), *read.getStage());
      vm(copies[stage].last);
      need.barrier =
          !copies[stage].ordered && copies[stage].last <= vmBefore.issued;
    } else if (auto load = dyn_cast<LoadScalesOp>(step)) {
      vm(scales[Stage(load.getScales(), *load.getStage())]);
    } else if (auto mma = dyn_cast<MmaOp>(step)) {
      lgkm(fragments[mma.getA()]);
      lgkm(fragments[mma.getB()]);
      for (Value scale : {mma.getScaleA(), mma.getScaleB()})
        if (scale)
          vm(scales[Stage(scale, *mma.getStage())]);
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
    for (auto &[stage, accesses] : copies)
      accesses.barrier(vmcnt);
    for (auto &[stage, accesses] : reads)
      accesses.barrier(lgkmcnt);
  }

  void issue(Operation *step) {
    if (auto copy = dyn_cast<CopyOp>(step)) {
      copies[Stage(copy.getSlot(), *copy.getStage())].add(
          vmcnt.issue(copy.getSlotOp().getCopiesPerWave()));
    } else if (auto read = dyn_cast<ReadOp>(step)) {
      int64_t number = lgkmcnt.issue(read.getReadsPerWave());
      reads[Stage(read.getSlotOp(), *read.getStage())].add(number);
      fragments[read.getFragment()] = number;
    } else if (auto load = dyn_cast<LoadScalesOp>(step)) {
      scales[Stage(load.getScales(), *load.getStage())] = vmcnt.issue(1);
    }
  }

  Counter vmcnt, lgkmcnt;

private:
  llvm::DenseMap<Stage, Accesses> copies, reads;
  llvm::DenseMap<Stage, int64_t> scales;
  llvm::DenseMap<Value, int64_t> fragments;
};

// Needs by the place where they are met: before an op, or at a block's end.
class Plan {
public:
  explicit Plan(KernelOp kernel) : kernel(kernel) {}

  // Repeats the walk until the needs of every place cover all iterations.
  void derive() {
    do {
      changed = false;
      Tracker tracker;
      for (Operation &op : kernel.getEntryBlock()) {
        if (auto loop = dyn_cast<LoopOp>(op))
          // Enough iterations for every access of the prologue to be retired
          // and the state to be that of the steady state.
          for (int64_t i = 0; i < 4; ++i)
            walk(loop.getBody().front(), tracker);
        else if (isa<PrologueOp>(op))
          walk(op.getRegion(0).front(), tracker);
        else if (isa<DrainOp>(op)) {
          walk(op.getRegion(0).front(), tracker);
          drain(op.getRegion(0).front(), tracker);
        }
      }
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
  }

private:
  void walk(Block &block, Tracker &tracker) {
    Counter vm = tracker.vmcnt, lgkm = tracker.lgkmcnt;
    if (isa<PhaseOp>(block.getParentOp()) && !block.empty()) {
      // Needs that earlier phases left are met once, at the phase's start.
      Need need;
      for (Operation &step : block)
        need.merge(tracker.getNeed(&step, vm, lgkm));
      meet(before[&block.front()], need, tracker);
    }
    for (Operation &step : block) {
      if (auto phase = dyn_cast<PhaseOp>(step)) {
        walk(phase.getBody().front(), tracker);
        continue;
      }
      meet(before[&step],
           tracker.getNeed(&step, tracker.vmcnt, tracker.lgkmcnt), tracker);
      tracker.issue(&step);
    }
  }

  // Nothing may be in flight when the workgroup gives up its LDS.
  void drain(Block &block, Tracker &tracker) {
    Need need;
    if (tracker.vmcnt.issued > tracker.vmcnt.retired)
      need.vmcnt = 0;
    if (tracker.lgkmcnt.issued > tracker.lgkmcnt.retired)
      need.lgkmcnt = 0;
    meet(atEnd[&block], need, tracker);
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
      BarrierOp::create(builder, loc);
  }

  KernelOp kernel;
  llvm::MapVector<Operation *, Need> before;
  llvm::MapVector<Block *, Need> atEnd;
  bool changed = false;
};

struct PlanWaits : public fly::impl::FlyPlanWaitsBase<PlanWaits> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    WalkResult result = kernel->walk([](Operation *op) {
      if (isa<PipelineOp>(op)) {
        op->emitOpError("must be expanded before waits are planned");
        return WalkResult::interrupt();
      }
      if (isa<WaitOp, BarrierOp>(op)) {
        op->emitOpError("is there already; waits are planned once");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    Plan plan(kernel);
    plan.derive();
    plan.emit();
  }
};
} // namespace
