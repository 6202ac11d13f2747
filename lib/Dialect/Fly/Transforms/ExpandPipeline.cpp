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

// Stages of what the step works on; 1 for an MFMA without scales.
static int64_t getStages(Operation *step) {
  if (auto copy = dyn_cast<CopyOp>(step))
    return copy.getSlotOp().getStages();
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
  // The base of a region is a K tile that exists; what is past it may not.
  if (isa<CopyOp, LoadScalesOp>(clone) && position > 0)
    clone->setAttr("guarded", builder.getUnitAttr());
}

namespace {
struct ExpandPipeline
    : public fly::impl::FlyExpandPipelineBase<ExpandPipeline> {
  void runOnOperation() override {
    for (auto pipeline : llvm::make_early_inc_range(
             getOperation().getEntryBlock().getOps<PipelineOp>())) {
      OpBuilder builder(pipeline);
      buildPrologue(builder, pipeline);
      buildLoop(builder, pipeline);
      auto drain = DrainOp::create(builder, pipeline.getLoc());
      drain.getBody().emplaceBlock();
      pipeline.erase();
    }
  }

  // The K tiles before position 0, as far as they concern positions from 0 on.
  void buildPrologue(OpBuilder &builder, PipelineOp pipeline) {
    int64_t maxAhead = 0;
    pipeline->walk([&](Operation *op) {
      if (isa<CopyOp, ReadOp, LoadScalesOp>(op))
        maxAhead = std::max(maxAhead, getAhead(op));
    });
    auto prologue = PrologueOp::create(builder, pipeline.getLoc());
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&prologue.getBody());
    for (int64_t tile = -maxAhead; tile < 0; ++tile)
      for (auto phase : pipeline.getBody().front().getOps<PhaseOp>())
        for (Operation &step : phase.getBody().front())
          if (!isa<MmaOp>(step) && tile + getAhead(&step) >= 0)
            cloneStep(builder, &step, tile);
  }

  void buildLoop(OpBuilder &builder, PipelineOp pipeline) {
    int64_t unroll = pipeline.getStages();
    pipeline->walk([&](Operation *op) {
      if (isa<CopyOp, ReadOp, LoadScalesOp, MmaOp>(op))
        unroll = std::lcm(unroll, getStages(op));
    });
    auto loop = LoopOp::create(builder, pipeline.getLoc(), unroll);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&loop.getBody());
    for (int64_t tile = 0; tile < unroll; ++tile)
      for (auto phase : pipeline.getBody().front().getOps<PhaseOp>()) {
        auto clone = PhaseOp::create(builder, phase.getLoc(), phase.getKind());
        OpBuilder::InsertionGuard phaseGuard(builder);
        builder.createBlock(&clone.getBody());
        for (Operation &step : phase.getBody().front())
          cloneStep(builder, &step, tile);
      }
  }
};
} // namespace
