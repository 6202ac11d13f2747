//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Schedules: short builders of schedule-level IR, one a file. A new schedule
/// is a new file in lib/Schedule and a line in the table of Schedule.cpp.

#ifndef FLY_SCHEDULE_SCHEDULE_H
#define FLY_SCHEDULE_SCHEDULE_H

#include "fly/Dialect/Fly/IR/Fly.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/Error.h"

namespace fly {

/// The operands of a kernel's one problem op.
struct Problem {
  mlir::Operation *op = nullptr;
  mlir::Value a, b, d;
  /// Null when the problem has none.
  mlir::Value scaleA, scaleB, groups;
  /// Rows of an alignment block; meaningful with \c groups.
  int64_t alignment = 0;
};

/// The problem op of \p kernel, or a diagnostic at the kernel.
mlir::FailureOr<Problem> findProblem(KernelOp kernel);

/// How workgroups are mapped to tiles: fly.map_xcd, then fly.map_grouped_m.
struct MapParameters {
  int64_t numXcds = 1;
  int64_t groupSizeM = 1; ///< rows of tiles
};

/// Builds the ops of a schedule, one method an op. Shapes follow from the
/// variant; LDS offsets are given out in the order of the slots.
class ScheduleBuilder {
public:
  ScheduleBuilder(mlir::OpBuilder &builder, const Problem &problem,
                  VariantAttr variant, MapParameters map);

  WorkgroupTileOp getTile() const { return tile; }
  bool hasScales() const { return problem.scaleA != nullptr; }

  SlotOp slot(Side side, llvm::StringRef name, int64_t part, int64_t parts,
              int64_t stages);
  StagingOp staging(SlotOp slot, int64_t stages);
  FragmentOp fragment(SlotOp slot);
  ScaleFragmentOp scales(Side side, int64_t stages);
  AccumulatorOp accumulator(FragmentOp a, FragmentOp b,
                            RegisterFile file = RegisterFile::Vgpr);

  /// See fly.pipeline.
  void pipeline(int64_t stages, bool rotate, bool peel,
                llvm::function_ref<void()> phases);
  /// \p priority is the waves' issue priority in the phase, if it sets one. The
  /// phase's instructions are interleaved.
  void phase(PhaseKind kind, std::optional<int64_t> priority,
             llvm::function_ref<void()> steps);
  void copy(SlotOp slot, int64_t ahead);
  /// The two steps of a staged copy, of different K tiles: what was loaded into
  /// the registers is written, and they are loaded again.
  void stagedCopy(StagingOp staging, int64_t ahead);
  void read(FragmentOp fragment, int64_t ahead);
  void loadScales(ScaleFragmentOp scales, int64_t ahead);
  /// \p scaleA and \p scaleB are both null or both given.
  void mma(FragmentOp a, FragmentOp b, ScaleFragmentOp scaleA,
           ScaleFragmentOp scaleB, AccumulatorOp accumulator);

  void store(llvm::ArrayRef<AccumulatorOp> accumulators);

private:
  SwizzleAttr swizzleOf(SlotType type);

  mlir::OpBuilder &builder;
  const Problem &problem;
  mlir::Location loc;
  WorkgroupTileOp tile;
  int64_t nextOffset = 0; ///< first free byte of LDS
};

/// How slots are filled: directly, or through registers.
enum class Filling { Direct, Staged };

/// A schedule that variants may name.
struct ScheduleInfo {
  llvm::StringRef name;
  void (*build)(ScheduleBuilder &);
  Filling filling;
  /// Of one K tile, as a wave meets them in the loop.
  int64_t waits, barriers;
  /// Different distances that its copies are ahead.
  int64_t distances;
};

/// Looks up the schedule called \p name; an error names those that exist.
llvm::Expected<const ScheduleInfo &> lookupSchedule(llvm::StringRef name);

/// Un-rotated double buffering: every wave reads a whole K tile, then computes
/// it while a later one is copied.
void buildDoubleBuffer(ScheduleBuilder &schedule, Filling filling);

/// Un-rotated: every wave computes a part of the tile while it reads for the
/// next part and copies, its instructions interleaved.
void buildInterleave(ScheduleBuilder &schedule);

/// How a rotated schedule splits the tile: a slot for each part, a compute
/// phase for each pair of parts. \c lag: memory phases from reading a stage to
/// copying into it again, or to writing into it.
struct RotateParameters {
  int64_t partsA, partsB; ///< 1 or 2
  int64_t lag;
  bool peel; ///< lay the last iteration out by itself
  Filling filling = Filling::Direct;
};

/// Two wave groups run the same phases, one of them a phase behind the other.
void buildRotate(ScheduleBuilder &schedule, RotateParameters parameters);

} // namespace fly

#endif // FLY_SCHEDULE_SCHEDULE_H
