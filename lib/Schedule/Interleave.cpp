//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Schedule/Schedule.h"

using namespace fly;

namespace {
// One quadrant of the tile: what is computed, and what is read and copied
// meanwhile.
struct Quadrant {
  FragmentOp a, b;
  FragmentOp read; ///< for the next quadrant; what it held is done with
  int64_t ahead;
  FragmentOp copied; ///< its slot was read two quadrants ago
};
} // namespace

// Every wave goes over the tile's quadrants, one barrier each. The accumulators
// take all of the AGPRs, the fragments of all four parts half of the VGPRs, so
// that a fragment is read while the one before is used. The last iteration is
// peeled: what stores the accumulators must not stand right behind the loop, or
// their copies out of the AGPRs are put into it.
void fly::buildInterleave(ScheduleBuilder &schedule) {
  auto part = [&](Side side, llvm::StringRef name, int64_t index) {
    return schedule.fragment(
        schedule.slot(side, name, index, /*parts=*/2, /*stages=*/2));
  };
  FragmentOp top = part(Side::A, "A.top", 0);
  FragmentOp bottom = part(Side::A, "A.bottom", 1);
  FragmentOp left = part(Side::B, "B.left", 0);
  FragmentOp right = part(Side::B, "B.right", 1);
  Quadrant quadrants[] = {{top, left, bottom, /*ahead=*/0, left},
                          {bottom, left, right, /*ahead=*/0, top},
                          {top, right, left, /*ahead=*/1, bottom},
                          {bottom, right, top, /*ahead=*/1, right}};
  llvm::SmallVector<AccumulatorOp> accumulators;
  for (Quadrant &quadrant : quadrants)
    accumulators.push_back(
        schedule.accumulator(quadrant.a, quadrant.b, RegisterFile::Agpr));

  schedule.pipeline(/*stages=*/2, /*rotate=*/false, /*peel=*/true, [&] {
    for (int64_t i = 0; i < 4; ++i)
      schedule.phase(PhaseKind::Compute, std::nullopt, [&] {
        Quadrant &quadrant = quadrants[i];
        schedule.mma(quadrant.a, quadrant.b, {}, {}, accumulators[i]);
        schedule.read(quadrant.read, quadrant.ahead);
        schedule.copy(quadrant.copied.getSlotOp(), /*ahead=*/2);
      });
  });
  schedule.store(accumulators);
}
