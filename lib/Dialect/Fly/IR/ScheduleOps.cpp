//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The ops that declare what a schedule works with, and its structure.

#include "Assembly.h"
#include "Declarations.h"
#include "fly/Arch/TargetInfo.h"
#include "fly/Dialect/Fly/IR/Fly.h"
#include "fly/Dialect/Fly/IR/Geometry.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fly;

const TargetInfo *fly::getTarget(Operation *op) {
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

int64_t WorkgroupTileOp::getMfmaRows() {
  return getMfma() ? (*getMfma())[0] : defaultMfmaRows;
}

// K is checked where the element type is known.
static LogicalResult verifyMfma(WorkgroupTileOp tile) {
  std::optional<ArrayRef<int64_t>> mfma = tile.getMfma();
  if (!mfma)
    return success();
  if (mfma->size() != 3)
    return tile.emitOpError("mfma must be M x N x K, got ")
           << mfma->size() << " sizes";
  int64_t rows = (*mfma)[0], columns = (*mfma)[1];
  if (rows != columns || (rows != 16 && rows != 32))
    return tile.emitOpError("mfma must be 16x16 or 32x32, got ")
           << rows << "x" << columns;
  return success();
}

LogicalResult WorkgroupTileOp::verify() {
  if (bool(getRow()) != bool(getColumn()))
    return emitOpError("needs both a row and a column, or neither");
  if (getTile().size() != 3)
    return emitOpError("tile must be M x N x K, got ")
           << getTile().size() << " sizes";
  if (getWaves().size() != 2)
    return emitOpError("waves must be M x N, got ")
           << getWaves().size() << " sizes";
  for (int64_t size : getTile())
    if (size < 1 || size > maxTileSize)
      return emitOpError("tile sizes must be within 1..")
             << maxTileSize << ", got " << size;
  for (int64_t count : getWaves())
    if (count < 1 || count > maxWaves)
      return emitOpError("wave counts must be within 1..")
             << maxWaves << ", got " << count;
  if (failed(verifyMfma(*this)))
    return failure();
  for (Side side : {Side::A, Side::B})
    if (getTileRows(side) % (getSideWaves(side) * getMfmaRows()))
      return emitOpError("the ")
             << getTileRows(side) << " tile rows of " << stringifySide(side)
             << " must split into " << getMfmaRows() << "-row tiles over "
             << getSideWaves(side) << " waves";
  const TargetInfo *target = getTarget(*this);
  if (!target)
    return emitOpError("needs a kernel with an arch");
  if (getNumWaves() * target->waveSize > target->maxWorkgroupSize)
    return emitOpError("workgroup of ")
           << getNumWaves() << " waves exceeds the " << target->maxWorkgroupSize
           << " threads of " << target->name;
  std::optional<int64_t> alignment = getAlignment();
  if (bool(getGroups()) != alignment.has_value())
    return emitOpError("needs both groups and their alignment, or neither");
  if (alignment && (*alignment < 1 || *alignment % getTileM()))
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

int64_t SlotOp::getChunksPerLane() {
  return getTileOp().getMfmaRows() * getRowBytes() /
         (getTarget(*this)->waveSize * chunkBytes);
}

int64_t SlotOp::getTilesPerBlock() { return kBlockBytes / getRowBytes(); }

int64_t SlotOp::getStageBytes() { return getType().getRows() * getRowBytes(); }

int64_t SlotOp::getCopiesPerWave() {
  const TargetInfo *target = getTarget(*this);
  return getStageBytes() /
         (getTileOp().getNumWaves() * target->waveSize * chunkBytes);
}

int64_t SlotOp::getTilesPerWave() {
  return getType().getRows() / getTileOp().getSideWaves(getSide()) /
         getTileOp().getMfmaRows();
}

// What the op says must agree with its tile.
static LogicalResult verifyShape(SlotOp slot, WorkgroupTileOp tile) {
  SlotType type = slot.getType();
  if (type.getElementType() != slot.getOperand().getType().getElementType())
    return slot.emitOpError("of ")
           << type.getElementType() << " elements does not fit its operand of "
           << slot.getOperand().getType().getElementType();
  if (type.getK() != tile.getTileK())
    return slot.emitOpError("must hold the K tile of ")
           << tile.getTileK() << " elements, got " << type.getK();
  if (slot.getRowBytes() != kBlockBytes &&
      slot.getRowBytes() != kBlockBytes / 2)
    return slot.emitOpError("rows must be ")
           << kBlockBytes / 2 << " or " << kBlockBytes << " bytes, got "
           << slot.getRowBytes();
  SwizzleAttr swizzle = slot.getSwizzle();
  int64_t chunks = slot.getRowBytes() / chunkBytes;
  if ((swizzle.getRows() - 1) >> swizzle.getShift() >= chunks)
    return slot.emitOpError("swizzle <")
           << swizzle.getRows() << ", " << swizzle.getShift()
           << "> moves a chunk out of the " << chunks << " chunks of a row";
  int64_t parts = slot.getParts(), part = slot.getPart();
  if (parts <= 0 || part < 0 || part >= parts)
    return slot.emitOpError("part ")
           << part << " of " << parts << " does not exist";
  Side side = slot.getSide();
  if (tile.getTileRows(side) % parts ||
      type.getRows() != tile.getTileRows(side) / parts)
    return slot.emitOpError("of ")
           << type.getRows() << " rows must be one of " << parts
           << " equal parts of " << tile.getTileRows(side) << " tile rows";
  if (type.getRows() % (tile.getSideWaves(side) * tile.getMfmaRows()))
    return slot.emitOpError("of ")
           << type.getRows() << " rows must split into " << tile.getMfmaRows()
           << "-row tiles over " << tile.getSideWaves(side) << " waves";
  // A wave reads each of its tiles by the same offsets.
  if (slot.getSwizzle().getRows() > tile.getMfmaRows())
    return slot.emitOpError("swizzle must repeat within the ")
           << tile.getMfmaRows() << " rows of an MFMA, got "
           << slot.getSwizzle().getRows();
  return success();
}

LogicalResult SlotOp::verify() {
  FailureOr<WorkgroupTileOp> tile =
      getDeclaration<WorkgroupTileOp>(*this, getTile());
  if (failed(tile) || failed(verifyShape(*this, *tile)))
    return failure();
  // The tile has seen to it that there is one.
  const TargetInfo *target = getTarget(*this);
  int64_t copyBytes = getTileOp().getNumWaves() * target->waveSize * chunkBytes;
  if (getStageBytes() % copyBytes)
    return emitOpError("of ")
           << getStageBytes() << " bytes a stage must be a multiple of "
           << copyBytes << " bytes, what " << getTileOp().getNumWaves()
           << " waves copy at a time";
  if (getStages() < 2 || getStages() > maxStages)
    return emitOpError("needs 2 to ")
           << maxStages << " stages, got " << getStages();
  if (getOffset() < 0 || getOffset() % 1024)
    return emitOpError("must start at a multiple of 1024 bytes, got ")
           << getOffset();
  if (getOffset() > target->ldsBytes)
    return emitOpError("starts at byte ")
           << getOffset() << " of LDS, past the " << target->ldsBytes
           << " bytes of " << target->name;
  int64_t end = getOffset() + getStages() * getStageBytes();
  if (end > target->ldsBytes)
    return emitOpError("ends at byte ")
           << end << " of LDS, past the " << target->ldsBytes << " bytes of "
           << target->name;
  for (Operation *op = (*this)->getPrevNode(); op; op = op->getPrevNode()) {
    auto other = dyn_cast<SlotOp>(op);
    if (!other)
      continue;
    if (getSide() == other.getSide() &&
        (getOperand() != other.getOperand() || getParts() != other.getParts() ||
         getSwizzle() != other.getSwizzle()))
      return emitOpError("must have the operand, parts and swizzle of slot \"")
             << other.getName() << "\", which is of the same side";
    int64_t otherEnd =
        other.getOffset() + other.getStages() * other.getStageBytes();
    if (getOffset() < otherEnd && other.getOffset() < end)
      return emitOpError("overlaps slot \"") << other.getName() << "\" in LDS";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// StagingOp, FragmentOp, ScaleFragmentOp, AccumulatorOp, StoreOp
//===----------------------------------------------------------------------===//

void StagingOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  SlotOp slot = getSlotOp();
  setName(getResult(), slot ? "staging_" + slot.getName().str() : "staging");
}

SlotOp StagingOp::getSlotOp() { return getSlot().getDefiningOp<SlotOp>(); }

LogicalResult StagingOp::verify() {
  FailureOr<SlotOp> slot = getDeclaration<SlotOp>(*this, getSlot());
  if (failed(slot))
    return failure();
  if (getType().getCount() != slot->getCopiesPerWave())
    return emitOpError("of slot \"")
           << slot->getName() << "\" must hold the " << slot->getCopiesPerWave()
           << " chunks a lane that a wave copies, got " << getType().getCount();
  if (getStages() < 1 || slot->getStages() % getStages())
    return emitOpError("stages must divide the ")
           << slot->getStages() << " of slot \"" << slot->getName()
           << "\", got " << getStages();
  return success();
}

void FragmentOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  SlotOp slot = getSlotOp();
  setName(getResult(), slot ? "fragment_" + slot.getName().str() : "fragment");
}

SlotOp FragmentOp::getSlotOp() { return getSlot().getDefiningOp<SlotOp>(); }

LogicalResult FragmentOp::verify() {
  FailureOr<SlotOp> declared = getDeclaration<SlotOp>(*this, getSlot());
  if (failed(declared))
    return failure();
  SlotOp slot = *declared;
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
  FailureOr<WorkgroupTileOp> declared =
      getDeclaration<WorkgroupTileOp>(*this, getTile());
  if (failed(declared))
    return failure();
  WorkgroupTileOp tile = *declared;
  ScalesType scales = getScales().getType();
  const TargetInfo *target = getTarget(*this);
  if (!target->hasScaledMfma)
    return emitOpError("needs an arch with scaled MFMA, got ") << target->name;
  if (scales.getK() != tile.getTileK())
    return emitOpError("needs one scale a K tile of ")
           << tile.getTileK() << " elements, got blocks of " << scales.getK();
  if (getStages() < 2 || getStages() > maxStages)
    return emitOpError("needs 2 to ")
           << maxStages << " stages, got " << getStages();
  int64_t waveRows = tile.getTileRows(getSide()) / tile.getSideWaves(getSide());
  int64_t expected = 1;
  if (getSide() == Side::A) {
    if (scales.getRows() != 1)
      return emitOpError("of A needs scales of single rows, got blocks of ")
             << scales.getRows();
    expected = waveRows / tile.getMfmaRows();
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

int64_t AccumulatorOp::getTileRegisters() {
  FragmentOp a = getA().getDefiningOp<FragmentOp>();
  int64_t rows = a.getSlotOp().getTileOp().getMfmaRows();
  return rows * rows / getTarget(*this)->waveSize;
}

int64_t AccumulatorOp::getNumRegisters() {
  return getType().getTilesM() * getType().getTilesN() * getTileRegisters();
}

LogicalResult AccumulatorOp::verify() {
  FailureOr<FragmentOp> a = getDeclaration<FragmentOp>(*this, getA());
  FailureOr<FragmentOp> b = getDeclaration<FragmentOp>(*this, getB());
  if (failed(a) || failed(b))
    return failure();
  if (a->getSlotOp().getSide() != Side::A ||
      b->getSlotOp().getSide() != Side::B)
    return emitOpError("needs a fragment of A and one of B");
  if (getA().getType().getElementType() != getB().getType().getElementType())
    return emitOpError("needs fragments of one element type, got ")
           << getA().getType() << " and " << getB().getType();
  if (getType().getTilesM() != getA().getType().getTiles() ||
      getType().getTilesN() != getB().getType().getTiles())
    return emitOpError("of ")
           << getA().getType().getTiles() << "x" << getB().getType().getTiles()
           << " fragments cannot be " << getType();
  // LLVM 22 copies smaller results in and out of AGPRs each iteration.
  int64_t rows = a->getSlotOp().getTileOp().getMfmaRows();
  if (getFile() == RegisterFile::Agpr && rows == defaultMfmaRows)
    return emitOpError("in agpr needs MFMA of 32x32, got ")
           << rows << "x" << rows;
  return success();
}

WorkgroupTileOp StoreOp::getTileOp() {
  return getTile().getDefiningOp<WorkgroupTileOp>();
}

LogicalResult StoreOp::verify() {
  FailureOr<WorkgroupTileOp> declared =
      getDeclaration<WorkgroupTileOp>(*this, getTile());
  if (failed(declared))
    return failure();
  WorkgroupTileOp tile = *declared;
  MatrixType d = getD().getType();
  if ((!d.getElementType().isBF16() && !d.getElementType().isF16()) ||
      d.getGrouped())
    return emitOpError(
               "needs a matrix of bf16 or f16 that is not grouped, got ")
           << d;
  int64_t stored = 0;
  llvm::SmallDenseSet<Value> seen;
  for (Value accumulator : getAccumulators()) {
    if (failed(getDeclaration<AccumulatorOp>(*this, accumulator)))
      return failure();
    if (!seen.insert(accumulator).second)
      return emitOpError("stores an accumulator twice");
    auto type = cast<AccumulatorType>(accumulator.getType());
    stored += type.getTilesM() * type.getTilesN();
  }
  int64_t rows = tile.getMfmaRows();
  int64_t expected =
      tile.getTileM() * tile.getTileN() / (tile.getNumWaves() * rows * rows);
  if (stored != expected)
    return emitOpError("must store the ")
           << expected << " tiles of " << rows << "x" << rows
           << " that a wave computes, got " << stored;
  // A lane stores 16 bytes at a time, and four lanes, or two, share a row.
  if (tile.getTileN() / tile.getWaves()[1] % 32)
    return emitOpError("needs a multiple of 32 columns a wave, got ")
           << tile.getTileN() / tile.getWaves()[1];
  return success();
}

//===----------------------------------------------------------------------===//
// PhaseOp, PipelineOp, PrologueOp, LoopOp, DrainOp
//===----------------------------------------------------------------------===//

LogicalResult PhaseOp::verify() {
  if (!isa<PipelineOp, LoopOp, DrainOp>((*this)->getParentOp()))
    return emitOpError("must be in a pipeline, a loop or a drain");
  if (getPriority() && (*getPriority() < 0 || *getPriority() > 3))
    return emitOpError("priority must be within 0..3, got ") << *getPriority();
  for (Operation &op : getBody().front()) {
    if (!isa<CopyOp, LoadOp, WriteOp, ReadOp, LoadScalesOp, MmaOp, WaitOp,
             BarrierOp>(op))
      return op.emitOpError("cannot be in a phase");
    if (getKind() == PhaseKind::Memory && isa<MmaOp>(op))
      return op.emitOpError("cannot be in a memory phase");
  }
  return success();
}

LogicalResult PipelineOp::verify() {
  if (getStages() < 2 || getStages() > maxStages)
    return emitOpError("needs 2 to ")
           << maxStages << " stages, got " << getStages();
  for (Operation &op : getBody().front())
    if (!isa<PhaseOp>(op))
      return op.emitOpError("cannot be in a pipeline, which holds phases");
  return success();
}

static LogicalResult verifyLaidOut(Operation *region) {
  for (Operation &op : region->getRegion(0).front())
    if (!isa<PhaseOp, CopyOp, LoadOp, WriteOp, ReadOp, LoadScalesOp, MmaOp,
             WaitOp, BarrierOp>(op))
      return op.emitOpError("cannot be in ") << region->getName();
  return success();
}

LogicalResult PrologueOp::verify() { return verifyLaidOut(*this); }

LogicalResult LoopOp::verify() {
  if (getUnroll() < 1 || getUnroll() > maxAhead)
    return emitOpError("must unroll 1 to ")
           << maxAhead << " positions, got " << getUnroll();
  return verifyLaidOut(*this);
}

LogicalResult DrainOp::verify() { return verifyLaidOut(*this); }
