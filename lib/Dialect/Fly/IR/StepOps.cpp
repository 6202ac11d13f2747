//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The ops that do something: copies, reads, MFMA, waits, barriers.

#include "Assembly.h"
#include "Declarations.h"
#include "fly/Arch/TargetInfo.h"
#include "fly/Dialect/Fly/IR/Fly.h"
#include "fly/Dialect/Fly/IR/Geometry.h"

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
  if (ahead < 0 || ahead > maxAhead)
    return op->emitOpError("must be 0 to ")
           << maxAhead << " K tiles ahead, got " << ahead;
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
  FailureOr<SlotOp> slot = getDeclaration<SlotOp>(*this, getSlot());
  if (failed(slot) || failed(verifyGuard(*this, getGuarded())))
    return failure();
  // The tile has seen to it that there is one.
  const TargetInfo *target = getTarget(*this);
  if (!target->canCopyDirect(chunkBytes))
    return emitOpError("cannot fill slot \"")
           << slot->getName() << "\": " << target->name
           << " has no direct copy of " << chunkBytes
           << " bytes a lane; stage it in registers, with fly.load and "
              "fly.write";
  return verifyPlace(*this, getAhead(), getStage(), slot->getStages());
}

StagingOp LoadOp::getStagingOp() {
  return getStaging().getDefiningOp<StagingOp>();
}
SlotOp LoadOp::getSlotOp() { return getStagingOp().getSlotOp(); }

LogicalResult LoadOp::verify() {
  FailureOr<StagingOp> staging = getDeclaration<StagingOp>(*this, getStaging());
  if (failed(staging) || failed(verifyGuard(*this, getGuarded())))
    return failure();
  return verifyPlace(*this, getAhead(), getStage(), staging->getStages());
}

StagingOp WriteOp::getStagingOp() {
  return getStaging().getDefiningOp<StagingOp>();
}
SlotOp WriteOp::getSlotOp() { return getStagingOp().getSlotOp(); }
int64_t WriteOp::getFromStage() {
  return *getStage() % getStagingOp().getStages();
}

LogicalResult WriteOp::verify() {
  if (failed(getDeclaration<StagingOp>(*this, getStaging())))
    return failure();
  return verifyPlace(*this, getAhead(), getStage(), getSlotOp().getStages());
}

FragmentOp ReadOp::getFragmentOp() {
  return getFragment().getDefiningOp<FragmentOp>();
}
SlotOp ReadOp::getSlotOp() { return getFragmentOp().getSlotOp(); }
int64_t ReadOp::getReadsPerWave() {
  return getFragment().getType().getTiles() * getSlotOp().getChunksPerLane();
}

LogicalResult ReadOp::verify() {
  if (failed(getDeclaration<FragmentOp>(*this, getFragment())))
    return failure();
  return verifyPlace(*this, getAhead(), getStage(), getSlotOp().getStages());
}

ScaleFragmentOp LoadScalesOp::getScaleFragmentOp() {
  return getScales().getDefiningOp<ScaleFragmentOp>();
}

LogicalResult LoadScalesOp::verify() {
  FailureOr<ScaleFragmentOp> scales =
      getDeclaration<ScaleFragmentOp>(*this, getScales());
  if (failed(scales) || failed(verifyGuard(*this, getGuarded())))
    return failure();
  return verifyPlace(*this, getAhead(), getStage(), scales->getStages());
}

AccumulatorOp MmaOp::getAccumulatorOp() {
  return getAccumulator().getDefiningOp<AccumulatorOp>();
}

FragmentOp MmaOp::getFragmentOp(Side side) {
  return (side == Side::A ? getA() : getB()).getDefiningOp<FragmentOp>();
}

// 16x16x128 of 8-bit elements; 16x16x32 and 32x32x16 of 16-bit elements, half
// of that K where the chip has no wider ones.
int64_t MmaOp::getMfmaK() {
  if (getA().getType().getElementType().getIntOrFloatBitWidth() == 8)
    return 128;
  WorkgroupTileOp tile = getFragmentOp(Side::A).getSlotOp().getTileOp();
  return (getTarget(*this)->hasWideMfma16Bit ? 512 : 256) / tile.getMfmaRows();
}

int64_t MmaOp::getMfmaCount() {
  AccumulatorType type = getAccumulator().getType();
  return type.getTilesM() * type.getTilesN() * getA().getType().getK() /
         getMfmaK();
}

static LogicalResult verifyMfma(MmaOp mma) {
  WorkgroupTileOp tile = mma.getFragmentOp(Side::A).getSlotOp().getTileOp();
  Type element = mma.getA().getType().getElementType();
  int64_t rows = tile.getMfmaRows(), k = mma.getMfmaK();
  if (mma.getScaleA() && rows != defaultMfmaRows)
    return mma.emitOpError("with scales needs MFMA of 16x16, got ")
           << rows << "x" << rows;
  if (tile.getMfma() && (*tile.getMfma())[2] != k)
    return mma.emitOpError("of ")
           << element << " takes " << k << " elements of K in MFMA of " << rows
           << "x" << rows << " on " << getTarget(mma)->name << ", got "
           << (*tile.getMfma())[2];
  if (mma.getA().getType().getK() % k)
    return mma.emitOpError("needs a K tile of whole MFMA of ")
           << k << " elements, got " << mma.getA().getType().getK();
  return success();
}

static LogicalResult verifyScales(MmaOp mma) {
  if (bool(mma.getScaleA()) != bool(mma.getScaleB()))
    return mma.emitOpError("needs scales of both operands or of none");
  Type element = mma.getA().getType().getElementType();
  bool scaled = bool(mma.getScaleA());
  if (scaled != (element.getIntOrFloatBitWidth() == 8))
    return mma.emitOpError(scaled ? "with scales needs 8-bit elements, got "
                                  : "of 8-bit elements needs scales, got ")
           << element;
  if (!scaled)
    return success();
  SmallVector<ScaleFragmentOp> scales;
  for (auto [value, side] : {std::pair(mma.getScaleA(), Side::A),
                             std::pair(mma.getScaleB(), Side::B)}) {
    auto scale = getDeclaration<ScaleFragmentOp>(mma, value);
    if (failed(scale))
      return failure();
    if (scale->getSide() != side)
      return mma.emitOpError("scales must be of A, then of B");
    scales.push_back(*scale);
  }
  if (scales[0].getStages() != scales[1].getStages())
    return mma.emitOpError("needs scales with as many stages, got ")
           << scales[0].getStages() << " and " << scales[1].getStages();
  return success();
}

LogicalResult MmaOp::verify() {
  for (Value fragment : {getA(), getB()})
    if (failed(getDeclaration<FragmentOp>(*this, fragment)))
      return failure();
  auto accumulator = getDeclaration<AccumulatorOp>(*this, getAccumulator());
  if (failed(accumulator))
    return failure();
  auto slotOf = [](Value fragment) {
    return fragment.getDefiningOp<FragmentOp>().getSlotOp();
  };
  for (auto [fragment, expected] : {std::pair(getA(), accumulator->getA()),
                                    std::pair(getB(), accumulator->getB())})
    if (slotOf(fragment) != slotOf(expected))
      return emitOpError("takes a fragment of slot \"")
             << slotOf(fragment).getName()
             << "\", but its accumulator is of slot \""
             << slotOf(expected).getName() << "\"";
  if (failed(verifyScales(*this)) || failed(verifyMfma(*this)))
    return failure();
  if (getScaleA())
    return verifyPlace(
        *this, getAhead(), getStage(),
        getScaleA().getDefiningOp<ScaleFragmentOp>().getStages());
  if (getStage())
    return emitOpError("without scales has no stage");
  bool inPipeline = (*this)->getParentOfType<PipelineOp>() != nullptr;
  return verifyPlace(*this, getAhead(),
                     inPipeline ? std::optional<int64_t>()
                                : std::optional<int64_t>(0),
                     /*stages=*/1);
}

// What is derived, and so not in a pipeline.
static LogicalResult verifyDerived(Operation *op) {
  if (op->getParentOfType<PipelineOp>())
    return op->emitOpError("is derived; a pipeline does not state it");
  if (!op->getParentOfType<PrologueOp>() && !op->getParentOfType<LoopOp>() &&
      !op->getParentOfType<DrainOp>())
    return op->emitOpError("must be in a prologue, loop or drain");
  return success();
}

LogicalResult WaitOp::verify() {
  if (!getVmcnt() && !getLgkmcnt())
    return emitOpError("waits for nothing: give vmcnt or lgkmcnt");
  // The counters' widths, LLVM AMDGPUUsage.
  if (getVmcnt() && (*getVmcnt() < 0 || *getVmcnt() > 63))
    return emitOpError("vmcnt must be within 0..63, got ") << *getVmcnt();
  if (getLgkmcnt() && (*getLgkmcnt() < 0 || *getLgkmcnt() > 15))
    return emitOpError("lgkmcnt must be within 0..15, got ") << *getLgkmcnt();
  return verifyDerived(*this);
}

// The groups are the workgroup's halves.
static bool hasWaveGroups(Operation *op) {
  Block &body = op->getParentOfType<KernelOp>().getEntryBlock();
  auto tiles = body.getOps<WorkgroupTileOp>();
  return !tiles.empty() &&
         (*tiles.begin())->isBeforeInBlock(body.findAncestorOpInBlock(*op)) &&
         (*tiles.begin()).getNumWaves() % 2 == 0;
}

LogicalResult BarrierOp::verify() {
  if (failed(verifyDerived(*this)))
    return failure();
  if (!getGroup())
    return success();
  if (*getGroup() != 0 && *getGroup() != 1)
    return emitOpError("group must be 0 or 1, got ") << *getGroup();
  if ((*this)->getParentOfType<LoopOp>())
    return emitOpError("of one group cannot be in a loop: the groups would "
                       "drift apart");
  if (!hasWaveGroups(*this))
    return emitOpError(
        "of one group needs a workgroup tile with an even number "
        "of waves");
  return success();
}
