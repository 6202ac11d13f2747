//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Schedule/Schedule.h"

using llvm::StringRef;
using namespace fly;

namespace {

// A fragment that a memory phase reads, and for which K tile.
struct Read {
  FragmentOp fragment;
  SlotOp slot;
  StagingOp staging; ///< of the slot, if it is filled through registers
  int64_t phase;     ///< index of the memory phase
  int64_t ahead;
};

} // namespace

// One wave group computes while the other loads. The compute phases of a K tile
// go over the parts of the tile: for each part of B, every part of A. After the
// compute phase that is the last to use a fragment, a memory phase reads its
// next content, just before the first use where it can. `lag` memory phases
// after a stage was read it is filled again. Direct copies take the time from
// there to the next read: a lag of 2 leaves a phase of slack, 1 has more copies
// in flight. Staged, the load behind a write has a K tile to land, and a write
// may come just before its read.
void fly::buildRotate(ScheduleBuilder &schedule, RotateParameters parameters) {
  auto makeFragments = [&](Side side, int64_t parts, StringRef first,
                           StringRef second) {
    llvm::SmallVector<FragmentOp> fragments;
    for (int64_t part = 0; part < parts; ++part) {
      StringRef name = parts == 1  ? stringifySide(side)
                       : part == 0 ? first
                                   : second;
      fragments.push_back(schedule.fragment(
          schedule.slot(side, name, part, parts, /*stages=*/2)));
    }
    return fragments;
  };
  auto a = makeFragments(Side::A, parameters.partsA, "A.top", "A.bottom");
  auto b = makeFragments(Side::B, parameters.partsB, "B.left", "B.right");
  int64_t phases = parameters.partsA * parameters.partsB;
  llvm::SmallVector<AccumulatorOp> accumulators;
  for (FragmentOp partB : b)
    for (FragmentOp partA : a)
      accumulators.push_back(schedule.accumulator(partA, partB));

  // Part i of A is first used by compute phase i, part j of B by phase j *
  // partsA; memory phase p follows compute phase p. The first parts of both are
  // for the next K tile: B's as soon as it is done, A's last.
  llvm::SmallVector<Read> reads;
  auto add = [&](FragmentOp fragment, int64_t firstUse) {
    int64_t phase = firstUse > 0 ? firstUse - 1 : phases - 1;
    SlotOp slot = fragment.getSlotOp();
    StagingOp staging;
    if (parameters.filling == Filling::Staged)
      staging = schedule.staging(slot, /*stages=*/1);
    reads.push_back({fragment, slot, staging, phase, firstUse == 0});
  };
  for (auto [j, fragment] : llvm::enumerate(b))
    add(fragment, j * parameters.partsA);
  for (auto [i, fragment] : llvm::enumerate(a))
    add(fragment, i);
  // B's first part is done a phase before A's: not both in one phase.
  if (parameters.partsB > 1)
    reads.front().phase -= 1;

  schedule.pipeline(/*stages=*/2, /*rotate=*/true, parameters.peel, [&] {
    for (int64_t phase = 0; phase < phases; ++phase) {
      // The memory phase issues first: what it starts takes longest.
      schedule.phase(PhaseKind::Compute, /*priority=*/0, [&] {
        schedule.mma(a[phase % parameters.partsA], b[phase / parameters.partsA],
                     {}, {}, accumulators[phase]);
      });
      schedule.phase(PhaseKind::Memory, /*priority=*/1, [&] {
        for (const Read &read : reads)
          if (read.phase == phase)
            schedule.read(read.fragment, read.ahead);
        for (const Read &read : reads) {
          int64_t at = read.phase + parameters.lag;
          int64_t ahead = read.ahead + 2 - at / phases;
          if (at % phases != phase)
            continue;
          if (read.staging)
            schedule.stagedCopy(read.staging, ahead);
          else
            schedule.copy(read.slot, ahead);
        }
      });
    }
  });
  schedule.store(accumulators);
}
