//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/PhaseRuns.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace fly {

namespace {
// Registers of a fragment, or of one stage of staging or scales.
using RegisterKey = std::pair<Value, int64_t>;

// What a step fills, or an MFMA or a write uses.
SmallVector<RegisterKey> registersOf(Operation *step) {
  if (auto read = dyn_cast<ReadOp>(step))
    return {{read.getFragment(), 0}};
  if (auto load = dyn_cast<LoadScalesOp>(step))
    return {{load.getScales(), *load.getStage()}};
  if (auto load = dyn_cast<LoadOp>(step))
    return {{load.getStaging(), *load.getStage()}};
  if (auto write = dyn_cast<WriteOp>(step))
    return {{write.getStaging(), write.getFromStage()}};
  auto mma = dyn_cast<MmaOp>(step);
  if (!mma)
    return {};
  SmallVector<RegisterKey> used{{mma.getA(), 0}, {mma.getB(), 0}};
  for (Value scale : {mma.getScaleA(), mma.getScaleB()})
    if (scale)
      used.push_back({scale, *mma.getStage()});
  return used;
}

// An MFMA is dealt among others, so it may not meet what fills or refills its
// registers. A write and the next load of its registers are dealt in their
// order.
bool mustFollow(Operation *step, Operation *earlier) {
  bool isLoaded = isa<WriteOp>(step) && isa<LoadOp>(earlier);
  if (isa<MmaOp>(step) == isa<MmaOp>(earlier) && !isLoaded)
    return false;
  SmallVector<RegisterKey> others = registersOf(earlier);
  return llvm::any_of(registersOf(step), [&](const RegisterKey &key) {
    return llvm::is_contained(others, key);
  });
}
} // namespace

std::vector<Steps> runsOf(PhaseOp phase) {
  std::vector<Steps> runs;
  bool closed = true;
  for (Operation &step : phase.getBody().front()) {
    bool isSync = isa<WaitOp, BarrierOp>(step);
    if (closed || isSync || llvm::any_of(runs.back(), [&](Operation *earlier) {
          return mustFollow(&step, earlier);
        }))
      runs.emplace_back();
    runs.back().push_back(&step);
    closed = isSync;
  }
  return runs;
}

Interleaving::Interleaving(ArrayRef<Operation *> run) {
  auto has = [&](auto isKind) { return llvm::any_of(run, isKind); };
  bool computes = has(llvm::IsaPred<MmaOp>),
       writes = has(llvm::IsaPred<WriteOp>);
  for (Operation *op : run) {
    // lgkmcnt counts writes with the reads: among these they keep their order.
    bool carries = computes ? isa<MmaOp>(op) : isa<ReadOp>(op) && !writes;
    (carries ? carriers : dealt).push_back(op);
  }
}

int64_t instructionsOf(Operation *step) {
  return llvm::TypeSwitch<Operation *, int64_t>(step)
      .Case<CopyOp, LoadOp, WriteOp>(
          [](auto copy) { return copy.getSlotOp().getCopiesPerWave(); })
      .Case([](ReadOp read) { return read.getReadsPerWave(); })
      .Case([](MmaOp mma) { return mma.getMfmaCount(); })
      .Case([](LoadScalesOp) { return 1; });
}

} // namespace fly
