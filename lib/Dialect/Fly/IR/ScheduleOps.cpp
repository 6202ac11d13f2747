//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The ops that declare what a schedule works with, and its structure.

#include "Assembly.h"
#include "fly/Arch/TargetInfo.h"
#include "fly/Dialect/Fly/IR/Fly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fly;

static constexpr int64_t rowBytes = 128;
static constexpr int64_t laneBytes = 16;
static constexpr int64_t mfmaRows = 16;

static const TargetInfo *getTarget(Operation *op) {
  auto kernel = op->getParentOfType<KernelOp>();
  if (!kernel || !kernel.getArch())
    return nullptr;
  auto target = lookupTarget(*kernel.getArch());
  if (target)
    return &*target;
  consumeError(target.takeError());
  return nullptr;
}

static int64_t elementBytes(Type type) {
  return type.getIntOrFloatBitWidth() / 8;
}

//===----------------------------------------------------------------------===//
// WorkgroupTileOp
//===----------------------------------------------------------------------===//

void WorkgroupTileOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "tile");
}

LogicalResult WorkgroupTileOp::verify() {
  if (getTile().size() != 3)
    return emitOpError("tile must be M x N x K, got ")
           << getTile().size() << " sizes";
  if (getWaves().size() != 2)
    return emitOpError("waves must be M x N, got ")
           << getWaves().size() << " sizes";
  for (Side side : {Side::A, Side::B})
    if (getSideWaves(side) <= 0 ||
        getTileRows(side) % (getSideWaves(side) * mfmaRows))
      return emitOpError("the ")
             << getTileRows(side) << " tile rows of " << stringifySide(side)
             << " must split into 16-row tiles over " << getSideWaves(side)
             << " waves";
  const TargetInfo *target = getTarget(*this);
  if (!target)
    return emitOpError("needs a kernel with an arch");
  if (getNumWaves() * target->waveSize > target->maxWorkgroupSize)
    return emitOpError("workgroup of ")
           << getNumWaves() << " waves exceeds the " << target->maxWorkgroupSize
           << " threads of " << target->name;
  std::optional<int64_t> alignment = getAlignment();
  if (alignment && *alignment % getTileM())
    return emitOpError("tile M ")
           << getTileM() << " must divide the group alignment " << *alignment;
  return success();
}

//===----------------------------------------------------------------------===//
// SlotOp
//===----------------------------------------------------------------------===//

void SlotOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getName());
}

WorkgroupTileOp SlotOp::getTileOp() {
  return getTile().getDefiningOp<WorkgroupTileOp>();
}

int64_t SlotOp::getRowBytes() {
  return getType().getK() * elementBytes(getType().getElementType());
}

int64_t SlotOp::getStageBytes() { return getType().getRows() * getRowBytes(); }

int64_t SlotOp::getCopiesPerWave() {
  const TargetInfo *target = getTarget(*this);
  return getStageBytes() /
         (getTileOp().getNumWaves() * target->waveSize * laneBytes);
}

int64_t SlotOp::getTilesPerWave() {
  return getType().getRows() / getTileOp().getSideWaves(getSide()) / mfmaRows;
}

// What the op says must agree with its tile.
static LogicalResult verifyShape(SlotOp slot) {
  WorkgroupTileOp tile = slot.getTileOp();
  SlotType type = slot.getType();
  if (type.getElementType() != slot.getOperand().getType().getElementType())
    return slot.emitOpError("of ")
           << type.getElementType() << " elements does not fit its operand of "
           << slot.getOperand().getType().getElementType();
  if (type.getK() != tile.getTileK())
    return slot.emitOpError("must hold the K tile of ")
           << tile.getTileK() << " elements, got " << type.getK();
  if (slot.getRowBytes() != rowBytes)
    return slot.emitOpError("rows must be ")
           << rowBytes << " bytes, got " << slot.getRowBytes();
  int64_t parts = slot.getParts(), part = slot.getPart();
  if (parts <= 0 || part < 0 || part >= parts)
    return slot.emitOpError("part ")
           << part << " of " << parts << " does not exist";
  Side side = slot.getSide();
  if (type.getRows() * parts != tile.getTileRows(side))
    return slot.emitOpError("of ")
           << type.getRows() << " rows must be one of " << parts
           << " equal parts of " << tile.getTileRows(side) << " tile rows";
  if (type.getRows() % (tile.getSideWaves(side) * mfmaRows))
    return slot.emitOpError("of ")
           << type.getRows() << " rows must split into 16-row tiles over "
           << tile.getSideWaves(side) << " waves";
  return success();
}

LogicalResult SlotOp::verify() {
  const TargetInfo *target = getTarget(*this);
  if (!target)
    return emitOpError("needs a kernel with an arch");
  if (failed(verifyShape(*this)))
    return failure();
  if (!target->canCopyDirect(laneBytes))
    return emitOpError("cannot be filled: ")
           << target->name << " has no direct copy of " << laneBytes
           << " bytes a lane";
  int64_t copyBytes = getTileOp().getNumWaves() * target->waveSize * laneBytes;
  if (getStageBytes() % copyBytes)
    return emitOpError("of ")
           << getStageBytes() << " bytes a stage must be a multiple of "
           << copyBytes << " bytes, what " << getTileOp().getNumWaves()
           << " waves copy at a time";
  if (getStages() < 2)
    return emitOpError("needs at least 2 stages, got ") << getStages();
  if (getOffset() < 0 || getOffset() % 1024)
    return emitOpError("must start at a multiple of 1024 bytes, got ")
           << getOffset();
  int64_t end = getOffset() + getStages() * getStageBytes();
  if (end > target->ldsBytes)
    return emitOpError("ends at byte ")
           << end << " of LDS, past the " << target->ldsBytes << " bytes of "
           << target->name;
  for (Operation *op = (*this)->getPrevNode(); op; op = op->getPrevNode()) {
    auto other = dyn_cast<SlotOp>(op);
    if (!other)
      continue;
    int64_t otherEnd =
        other.getOffset() + other.getStages() * other.getStageBytes();
    if (getOffset() < otherEnd && other.getOffset() < end)
      return emitOpError("overlaps slot \"") << other.getName() << "\" in LDS";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// FragmentOp, ScaleFragmentOp, AccumulatorOp, StoreOp
//===----------------------------------------------------------------------===//

void FragmentOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "fragment_" + getSlotOp().getName().str());
}

SlotOp FragmentOp::getSlotOp() { return getSlot().getDefiningOp<SlotOp>(); }

LogicalResult FragmentOp::verify() {
  SlotOp slot = getSlotOp();
  FragmentType expected =
      FragmentType::get(getContext(), slot.getTilesPerWave(),
                        slot.getType().getK(), slot.getType().getElementType());
  if (getType() != expected)
    return emitOpError("of slot \"") << slot.getName() << "\" must be "
                                     << expected << ", got " << getType();
  return success();
}

void ScaleFragmentOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), ("scales_" + stringifySide(getSide())).str());
}

WorkgroupTileOp ScaleFragmentOp::getTileOp() {
  return getTile().getDefiningOp<WorkgroupTileOp>();
}

LogicalResult ScaleFragmentOp::verify() {
  WorkgroupTileOp tile = getTileOp();
  ScalesType scales = getScales().getType();
  const TargetInfo *target = getTarget(*this);
  if (!target || !target->hasScaledMfma)
    return emitOpError("needs an arch with scaled MFMA, got ")
           << (target ? target->name : "none");
  if (scales.getK() != tile.getTileK())
    return emitOpError("needs one scale a K tile of ")
           << tile.getTileK() << " elements, got blocks of " << scales.getK();
  if (getStages() < 2)
    return emitOpError("needs at least 2 stages, got ") << getStages();
  int64_t waveRows = tile.getTileRows(getSide()) / tile.getSideWaves(getSide());
  int64_t expected = 1;
  if (getSide() == Side::A) {
    if (scales.getRows() != 1)
      return emitOpError("of A needs scales of single rows, got blocks of ")
             << scales.getRows();
    expected = waveRows / mfmaRows;
    if (expected != 4 && expected != 8)
      return emitOpError("of A needs 4 or 8 rows a lane, got ") << expected;
  } else if (scales.getRows() % waveRows) {
    return emitOpError("of B needs a wave's ")
           << waveRows << " columns within one scale block of "
           << scales.getRows();
  }
  if (getType().getCount() != expected)
    return emitOpError("must hold ")
           << expected << " scales a lane, got " << getType().getCount();
  return success();
}

void AccumulatorOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "acc");
}

LogicalResult AccumulatorOp::verify() {
  auto side = [](Value fragment) {
    return fragment.getDefiningOp<FragmentOp>().getSlotOp().getSide();
  };
  if (side(getA()) != Side::A || side(getB()) != Side::B)
    return emitOpError("needs a fragment of A and one of B");
  if (getA().getType().getElementType() != getB().getType().getElementType())
    return emitOpError("needs fragments of one element type, got ")
           << getA().getType() << " and " << getB().getType();
  if (getType().getTilesM() != getA().getType().getTiles() ||
      getType().getTilesN() != getB().getType().getTiles())
    return emitOpError("of ")
           << getA().getType().getTiles() << "x" << getB().getType().getTiles()
           << " fragments cannot be " << getType();
  return success();
}

WorkgroupTileOp StoreOp::getTileOp() {
  return getTile().getDefiningOp<WorkgroupTileOp>();
}

LogicalResult StoreOp::verify() {
  WorkgroupTileOp tile = getTileOp();
  int64_t stored = 0;
  for (Value accumulator : getAccumulators()) {
    auto type = cast<AccumulatorType>(accumulator.getType());
    stored += type.getTilesM() * type.getTilesN();
  }
  int64_t expected = tile.getTileM() * tile.getTileN() /
                     (tile.getNumWaves() * mfmaRows * mfmaRows);
  if (stored != expected)
    return emitOpError("must store the ")
           << expected << " tiles of 16x16 that a wave computes, got "
           << stored;
  return success();
}

//===----------------------------------------------------------------------===//
// PhaseOp, PipelineOp, PrologueOp, LoopOp, DrainOp
//===----------------------------------------------------------------------===//

LogicalResult PhaseOp::verify() {
  if (!isa<PipelineOp, LoopOp, DrainOp>((*this)->getParentOp()))
    return emitOpError("must be in a pipeline, a loop or a drain");
  for (Operation &op : getBody().front()) {
    if (!isa<CopyOp, ReadOp, LoadScalesOp, MmaOp, WaitOp, BarrierOp>(op))
      return op.emitOpError("cannot be in a phase");
    if (getKind() == PhaseKind::Memory && isa<MmaOp>(op))
      return op.emitOpError("cannot be in a memory phase");
  }
  return success();
}

LogicalResult PipelineOp::verify() {
  if (getStages() < 2)
    return emitOpError("needs at least 2 stages, got ") << getStages();
  for (Operation &op : getBody().front())
    if (!isa<PhaseOp>(op))
      return op.emitOpError("cannot be in a pipeline, which holds phases");
  return success();
}

static LogicalResult verifyLaidOut(Operation *region) {
  for (Operation &op : region->getRegion(0).front())
    if (!isa<PhaseOp, CopyOp, ReadOp, LoadScalesOp, MmaOp, WaitOp, BarrierOp>(
            op))
      return op.emitOpError("cannot be in ") << region->getName();
  return success();
}

LogicalResult PrologueOp::verify() { return verifyLaidOut(*this); }

LogicalResult LoopOp::verify() {
  if (getUnroll() < 1)
    return emitOpError("must unroll at least once, got ") << getUnroll();
  return verifyLaidOut(*this);
}

LogicalResult DrainOp::verify() { return verifyLaidOut(*this); }
