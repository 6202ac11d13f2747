//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The ops that do something: copies, reads, MFMA, waits, barriers.

#include "Assembly.h"
#include "fly/Arch/TargetInfo.h"
#include "fly/Dialect/Fly/IR/Fly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fly;

#define GET_OP_CLASSES
#include "fly/Dialect/Fly/IR/FlyOps.cpp.inc"

// In a pipeline the stage follows from `ahead`; laid out it is stated.
static LogicalResult verifyPlace(Operation *op, int64_t ahead,
                                 std::optional<int64_t> stage, int64_t stages) {
  bool inPipeline = op->getParentOfType<PipelineOp>() != nullptr;
  if (!inPipeline && !op->getParentOfType<PrologueOp>() &&
      !op->getParentOfType<LoopOp>() && !op->getParentOfType<DrainOp>())
    return op->emitOpError("must be in a pipeline, prologue, loop or drain");
  if (ahead < 0)
    return op->emitOpError("cannot be behind its K tile, got ahead ") << ahead;
  if (inPipeline && stage)
    return op->emitOpError("states a stage, which follows from 'ahead' in a "
                           "pipeline");
  if (!inPipeline && !stage)
    return op->emitOpError("needs a stage outside of a pipeline");
  if (stage && (*stage < 0 || *stage >= stages))
    return op->emitOpError("stage ")
           << *stage << " is none of the " << stages << " stages";
  return success();
}

static LogicalResult verifyGuard(Operation *op, bool guarded) {
  if (guarded && op->getParentOfType<PipelineOp>())
    return op->emitOpError("is guarded where needed once laid out; a pipeline "
                           "does not say so");
  return success();
}

SlotOp CopyOp::getSlotOp() { return getSlot().getDefiningOp<SlotOp>(); }

LogicalResult CopyOp::verify() {
  if (failed(verifyGuard(*this, getGuarded())))
    return failure();
  return verifyPlace(*this, getAhead(), getStage(), getSlotOp().getStages());
}

FragmentOp ReadOp::getFragmentOp() {
  return getFragment().getDefiningOp<FragmentOp>();
}
SlotOp ReadOp::getSlotOp() { return getFragmentOp().getSlotOp(); }
// Four lanes share a row of 128 bytes: two reads of 16 bytes each.
int64_t ReadOp::getReadsPerWave() {
  return getFragment().getType().getTiles() * 2;
}

LogicalResult ReadOp::verify() {
  return verifyPlace(*this, getAhead(), getStage(), getSlotOp().getStages());
}

ScaleFragmentOp LoadScalesOp::getScaleFragmentOp() {
  return getScales().getDefiningOp<ScaleFragmentOp>();
}

LogicalResult LoadScalesOp::verify() {
  if (failed(verifyGuard(*this, getGuarded())))
    return failure();
  return verifyPlace(*this, getAhead(), getStage(),
                     getScaleFragmentOp().getStages());
}

AccumulatorOp MmaOp::getAccumulatorOp() {
  return getAccumulator().getDefiningOp<AccumulatorOp>();
}

FragmentOp MmaOp::getFragmentOp(Side side) {
  return (side == Side::A ? getA() : getB()).getDefiningOp<FragmentOp>();
}

int64_t MmaOp::getMfmaCount() {
  AccumulatorType type = getAccumulator().getType();
  // 16x16x128 takes a K tile of 8-bit elements whole, 16x16x32 half of one of
  // 16-bit elements.
  int64_t steps = getA().getType().getElementType().getIntOrFloatBitWidth() / 8;
  return type.getTilesM() * type.getTilesN() * steps;
}

LogicalResult MmaOp::verify() {
  AccumulatorOp accumulator = getAccumulatorOp();
  if (getA().getType() != accumulator.getA().getType() ||
      getB().getType() != accumulator.getB().getType())
    return emitOpError("fragments do not fit the accumulator ")
           << accumulator.getType();
  bool scaled = bool(getScaleA());
  Type element = getA().getType().getElementType();
  if (scaled != (element.getIntOrFloatBitWidth() == 8))
    return emitOpError(scaled ? "with scales needs 8-bit elements, got "
                              : "of 8-bit elements needs scales, got ")
           << element;
  auto kernel = (*this)->getParentOfType<KernelOp>();
  auto target = lookupTarget(kernel.getArch().value_or(""));
  if (!target)
    return emitOpError(toString(target.takeError()));
  if (!target->hasWideMfma16Bit)
    return emitOpError("needs an arch with 16x16x32 MFMA, got ")
           << target->name;
  if (!scaled) {
    if (getStage())
      return emitOpError("without scales has no stage");
    return verifyPlace(*this, getAhead(),
                       (*this)->getParentOfType<PipelineOp>()
                           ? std::optional<int64_t>()
                           : std::optional<int64_t>(0),
                       1);
  }
  for (auto [value, side] :
       {std::pair(getScaleA(), Side::A), std::pair(getScaleB(), Side::B)})
    if (value.getDefiningOp<ScaleFragmentOp>().getSide() != side)
      return emitOpError("scales must be of A, then of B");
  return verifyPlace(*this, getAhead(), getStage(),
                     getScaleA().getDefiningOp<ScaleFragmentOp>().getStages());
}

LogicalResult WaitOp::verify() {
  if (!getVmcnt() && !getLgkmcnt())
    return emitOpError("waits for nothing: give vmcnt or lgkmcnt");
  // The counters' widths, LLVM AMDGPUUsage.
  if (getVmcnt() && (*getVmcnt() < 0 || *getVmcnt() > 63))
    return emitOpError("vmcnt must be within 0..63, got ") << *getVmcnt();
  if (getLgkmcnt() && (*getLgkmcnt() < 0 || *getLgkmcnt() > 15))
    return emitOpError("lgkmcnt must be within 0..15, got ") << *getLgkmcnt();
  return success();
}

LogicalResult BarrierOp::verify() {
  if ((*this)->getParentOfType<PipelineOp>())
    return emitOpError("is derived; a pipeline does not state it");
  return success();
}
