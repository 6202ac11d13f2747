//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/IR/Builders.h"

#include <numeric>

namespace fly {
#define GEN_PASS_DEF_FLYEXPANDPIPELINE
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

// Stages of what the step fills or reads; 1 for an MFMA without scales.
static int64_t getStages(Operation *step) {
  if (auto copy = dyn_cast<CopyOp>(step))
    return copy.getSlotOp().getStages();
  if (auto load = dyn_cast<LoadOp>(step))
    return load.getStagingOp().getStages();
  if (auto write = dyn_cast<WriteOp>(step))
    return write.getSlotOp().getStages();
  if (auto read = dyn_cast<ReadOp>(step))
    return read.getSlotOp().getStages();
  if (auto load = dyn_cast<LoadScalesOp>(step))
    return load.getScaleFragmentOp().getStages();
  if (Value scales = cast<MmaOp>(step).getScaleA())
    return scales.getDefiningOp<ScaleFragmentOp>().getStages();
  return 1;
}

static int64_t getAhead(Operation *step) {
  return step->getAttrOfType<IntegerAttr>("ahead").getInt();
}

// Clones a step of K tile `tile` (from the base of the region being built).
static void cloneStep(OpBuilder &builder, Operation *step, int64_t tile) {
  int64_t position = tile + getAhead(step), stages = getStages(step);
  Operation *clone = builder.clone(*step);
  clone->setAttr("ahead", builder.getI64IntegerAttr(position));
  bool isPlainMma = isa<MmaOp>(step) && !cast<MmaOp>(step).getScaleA();
  if (!isPlainMma)
    clone->setAttr("stage", builder.getI64IntegerAttr(position % stages));
  // The base of a region is a K tile that exists; what is past it may not. (In
  // a peeled loop the next base does; a guard there keeps one descriptor for
  // all copies, which costs fewer scalar instructions than two.)
  if (isa<CopyOp, LoadOp, LoadScalesOp>(clone) && position > 0)
    clone->setAttr("guarded", builder.getUnitAttr());
}

// Moves the reads of a prologue behind copies and loads that they need not wait
// for, as far as what fills the same stage next: copies are issued early.
static void sinkReads(Block &prologue) {
  for (ReadOp read : llvm::to_vector(prologue.getOps<ReadOp>())) {
    auto refills = [&](auto fill) {
      return fill && fill.getSlotOp() == read.getSlotOp() &&
             fill.getStage() == read.getStage();
    };
    Operation *before = read->getNextNode();
    while (before && !refills(dyn_cast<CopyOp>(before)) &&
           !refills(dyn_cast<WriteOp>(before)))
      before = before->getNextNode();
    if (before)
      read->moveBefore(before);
    else
      read->moveBefore(&prologue, prologue.end());
  }
}

namespace {
struct ExpandPipeline
    : public fly::impl::FlyExpandPipelineBase<ExpandPipeline> {
  void runOnOperation() override {
    for (auto pipeline : llvm::make_early_inc_range(
             getOperation().getEntryBlock().getOps<PipelineOp>())) {
      OpBuilder builder(pipeline);
      Location loc = pipeline.getLoc();
      int64_t unroll = getUnroll(pipeline);
      auto prologue = PrologueOp::create(builder, loc);
      buildPrologue(builder, pipeline, prologue);
      auto loop = LoopOp::create(builder, loc, unroll, pipeline.getRotate(),
                                 /*peeled=*/pipeline.getPeel());
      auto always = [](Operation *, int64_t) { return true; };
      buildPhases(builder, pipeline, unroll, loop.getBody(), always);
      auto drain = DrainOp::create(builder, loc);
      // Peeled, the last iteration: nothing past it is of use.
      auto needed = [&](Operation *step, int64_t position) {
        return isa<MmaOp>(step) || position < unroll;
      };
      auto never = [](Operation *, int64_t) { return false; };
      if (pipeline.getPeel())
        buildPhases(builder, pipeline, unroll, drain.getBody(), needed);
      else
        buildPhases(builder, pipeline, /*tiles=*/0, drain.getBody(), never);
      pipeline.erase();
    }
  }

  static int64_t getUnroll(PipelineOp pipeline) {
    int64_t unroll = pipeline.getStages();
    pipeline->walk([&](Operation *op) {
      if (isa<CopyOp, LoadOp, WriteOp, ReadOp, LoadScalesOp, MmaOp>(op))
        unroll = std::lcm(unroll, getStages(op));
    });
    return unroll;
  }

  // The K tiles before position 0, as far as they concern positions from 0 on.
  static void buildPrologue(OpBuilder &builder, PipelineOp pipeline,
                            PrologueOp prologue) {
    int64_t maxAhead = 0;
    pipeline->walk([&](Operation *op) {
      if (isa<CopyOp, LoadOp, WriteOp, ReadOp, LoadScalesOp>(op))
        maxAhead = std::max(maxAhead, getAhead(op));
    });
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(&prologue.getBody());
    for (int64_t tile = -maxAhead; tile < 0; ++tile)
      for (auto phase : pipeline.getBody().front().getOps<PhaseOp>())
        for (Operation &step : phase.getBody().front())
          if (!isa<MmaOp>(step) && tile + getAhead(&step) >= 0)
            cloneStep(builder, &step, tile);
    sinkReads(*body);
  }

  // The phases of \p tiles K tiles, with the steps that \p keep wants.
  static void buildPhases(OpBuilder &builder, PipelineOp pipeline,
                          int64_t tiles, Region &region,
                          llvm::function_ref<bool(Operation *, int64_t)> keep) {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&region);
    for (int64_t tile = 0; tile < tiles; ++tile)
      for (auto phase : pipeline.getBody().front().getOps<PhaseOp>()) {
        auto clone =
            PhaseOp::create(builder, phase.getLoc(), phase.getKindAttr(),
                            phase.getPriorityAttr(), phase.getInterleaveAttr());
        OpBuilder::InsertionGuard phaseGuard(builder);
        builder.createBlock(&clone.getBody());
        for (Operation &step : phase.getBody().front())
          if (keep(&step, tile + getAhead(&step)))
            cloneStep(builder, &step, tile);
      }
  }
};
} // namespace
