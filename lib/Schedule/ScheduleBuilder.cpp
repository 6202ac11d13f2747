//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Arch/TargetInfo.h"
#include "fly/Dialect/Fly/IR/Geometry.h"
#include "fly/Schedule/Schedule.h"

using namespace mlir;

namespace fly {

static Type elementType(Value matrix) {
  return cast<MatrixType>(matrix.getType()).getElementType();
}

ScheduleBuilder::ScheduleBuilder(OpBuilder &builder, const Problem &problem,
                                 VariantAttr variant, MapParameters map)
    : builder(builder), problem(problem), loc(problem.op->getLoc()) {
  Type i32 = builder.getI32Type();
  Value id = WorkgroupIdOp::create(builder, loc, i32);
  Value rows =
      TileCountOp::create(builder, loc, i32, Side::A, variant.getTileM());
  Value columns =
      TileCountOp::create(builder, loc, i32, Side::B, variant.getTileN());
  id = MapXcdOp::create(builder, loc, i32, id, rows, columns, map.numXcds);
  auto at = MapGroupedMOp::create(builder, loc, i32, i32, id, rows, columns,
                                  map.groupSizeM);
  IntegerAttr alignment;
  if (problem.groups)
    alignment = builder.getI64IntegerAttr(problem.alignment);
  DenseI64ArrayAttr mfma;
  if (!variant.getMfma().empty())
    mfma = builder.getDenseI64ArrayAttr(variant.getMfma());
  tile = WorkgroupTileOp::create(
      builder, loc, TileType::get(builder.getContext()), variant.getTile(),
      variant.getWaves(), mfma, at.getRow(), at.getColumn(), problem.groups,
      alignment);
}

// Free of bank conflicts in the order in which each chip was measured to serve
// the lanes of ds_read_b128: the rows that share their banks are told apart.
SwizzleAttr ScheduleBuilder::swizzleOf(SlotType type) {
  KernelOp kernel = tile->getParentOfType<KernelOp>();
  const TargetInfo &target = llvm::cantFail(lookupTarget(*kernel.getArch()));
  int64_t rowBytes =
      type.getK() * type.getElementType().getIntOrFloatBitWidth() / 8;
  bool oneRowAllBanks = rowBytes >= int64_t(target.ldsBanks) * 4;
  bool eightChunks = rowBytes >= kBlockBytes;
  return SwizzleAttr::get(builder.getContext(),
                          eightChunks && !oneRowAllBanks ? 16 : 8,
                          /*shift=*/oneRowAllBanks ? 0 : 1);
}

SlotOp ScheduleBuilder::slot(Side side, StringRef name, int64_t part,
                             int64_t parts, int64_t stages) {
  Value operand = side == Side::A ? problem.a : problem.b;
  auto type =
      SlotType::get(builder.getContext(), tile.getTileRows(side) / parts,
                    tile.getTileK(), elementType(operand));
  auto slot = SlotOp::create(builder, loc, type, side, name, operand, tile,
                             part, parts, stages, nextOffset, swizzleOf(type));
  nextOffset += stages * slot.getStageBytes();
  return slot;
}

StagingOp ScheduleBuilder::staging(SlotOp slot, int64_t stages) {
  auto type = StagingType::get(builder.getContext(), slot.getCopiesPerWave());
  return StagingOp::create(builder, loc, type, slot, stages);
}

FragmentOp ScheduleBuilder::fragment(SlotOp slot) {
  auto type =
      FragmentType::get(builder.getContext(), slot.getTilesPerWave(),
                        slot.getType().getK(), slot.getType().getElementType());
  return FragmentOp::create(builder, loc, type, slot);
}

ScaleFragmentOp ScheduleBuilder::scales(Side side, int64_t stages) {
  int64_t waveRows = tile.getTileRows(side) / tile.getSideWaves(side);
  auto type = ScaleFragmentType::get(
      builder.getContext(),
      side == Side::A ? waveRows / tile.getMfmaRows() : 1);
  return ScaleFragmentOp::create(
      builder, loc, type, side,
      side == Side::A ? problem.scaleA : problem.scaleB, tile, stages);
}

AccumulatorOp ScheduleBuilder::accumulator(FragmentOp a, FragmentOp b,
                                           RegisterFile file) {
  auto type = AccumulatorType::get(builder.getContext(), a.getType().getTiles(),
                                   b.getType().getTiles());
  return AccumulatorOp::create(builder, loc, type, a, b, file);
}

void ScheduleBuilder::pipeline(int64_t stages, bool rotate, bool peel,
                               llvm::function_ref<void()> phases) {
  auto pipeline = PipelineOp::create(builder, loc, stages, rotate, peel);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&pipeline.getBody());
  phases();
}

void ScheduleBuilder::phase(PhaseKind kind, std::optional<int64_t> priority,
                            llvm::function_ref<void()> steps) {
  auto attr = priority ? builder.getI64IntegerAttr(*priority) : IntegerAttr();
  auto phase = PhaseOp::create(builder, loc, kind, attr, /*interleave=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&phase.getBody());
  steps();
}

void ScheduleBuilder::copy(SlotOp slot, int64_t ahead) {
  CopyOp::create(builder, loc, slot, ahead, /*stage=*/IntegerAttr(),
                 /*guarded=*/false);
}

void ScheduleBuilder::stagedCopy(StagingOp staging, int64_t ahead) {
  WriteOp::create(builder, loc, staging, ahead, /*stage=*/IntegerAttr());
  LoadOp::create(builder, loc, staging, ahead + staging.getStages(),
                 /*stage=*/IntegerAttr(), /*guarded=*/false);
}

void ScheduleBuilder::read(FragmentOp fragment, int64_t ahead) {
  ReadOp::create(builder, loc, fragment, ahead, /*stage=*/IntegerAttr());
}

void ScheduleBuilder::loadScales(ScaleFragmentOp scales, int64_t ahead) {
  LoadScalesOp::create(builder, loc, scales, ahead, /*stage=*/IntegerAttr(),
                       /*guarded=*/false);
}

void ScheduleBuilder::mma(FragmentOp a, FragmentOp b, ScaleFragmentOp scaleA,
                          ScaleFragmentOp scaleB, AccumulatorOp accumulator) {
  MmaOp::create(builder, loc, a, b, scaleA ? scaleA.getResult() : Value(),
                scaleB ? scaleB.getResult() : Value(), accumulator,
                /*ahead=*/0, /*stage=*/IntegerAttr());
}

void ScheduleBuilder::store(ArrayRef<AccumulatorOp> accumulators) {
  SmallVector<Value> values;
  for (AccumulatorOp accumulator : accumulators)
    values.push_back(accumulator.getResult());
  StoreOp::create(builder, loc, values, problem.d, tile);
}

} // namespace fly
