//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Schedule/Schedule.h"

using namespace fly;

// The tile's quadrants one after another, each an MFMA phase of its own. While
// one wave group computes, the other reads the fragment that it needs next and
// copies the part whose stage was freed two memory phases before; the order of
// the copies is that of the reads.
void fly::buildRotate(ScheduleBuilder &schedule) {
  auto part = [&](Side side, llvm::StringRef name, int64_t index) {
    return schedule.slot(side, name, index, /*parts=*/2, /*stages=*/2);
  };
  SlotOp top = part(Side::A, "A.top", 0), bottom = part(Side::A, "A.bottom", 1);
  SlotOp left = part(Side::B, "B.left", 0), right = part(Side::B, "B.right", 1);
  FragmentOp a0 = schedule.fragment(top), a1 = schedule.fragment(bottom);
  FragmentOp b0 = schedule.fragment(left), b1 = schedule.fragment(right);
  AccumulatorOp topLeft = schedule.accumulator(a0, b0);
  AccumulatorOp bottomLeft = schedule.accumulator(a1, b0);
  AccumulatorOp topRight = schedule.accumulator(a0, b1);
  AccumulatorOp bottomRight = schedule.accumulator(a1, b1);

  // The memory phase issues first: what it starts takes longest.
  auto compute = [&](FragmentOp a, FragmentOp b, AccumulatorOp accumulator) {
    schedule.phase(PhaseKind::Compute, /*priority=*/0,
                   [&] { schedule.mma(a, b, {}, {}, accumulator); });
  };
  auto memory = [&](FragmentOp fragment, int64_t ahead, SlotOp slot) {
    schedule.phase(PhaseKind::Memory, /*priority=*/1, [&] {
      schedule.read(fragment, ahead);
      schedule.copy(slot, /*ahead=*/2);
    });
  };
  schedule.pipeline(/*stages=*/2, /*rotate=*/true, [&] {
    compute(a0, b0, topLeft);
    memory(a1, /*ahead=*/0, left);
    compute(a1, b0, bottomLeft);
    memory(b1, /*ahead=*/0, top);
    compute(a0, b1, topRight);
    memory(b0, /*ahead=*/1, bottom);
    compute(a1, b1, bottomRight);
    memory(a0, /*ahead=*/1, right);
  });
  schedule.store({topLeft, bottomLeft, topRight, bottomRight});
}
