//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Schedule/Schedule.h"

using namespace fly;

// A barrier a K tile before the reads: what fills the slots has landed for all
// waves. Direct, another one after them: no wave still reads what the next
// copies overwrite; a copy has the MFMA of two K tiles to land. Staged, a write
// goes to the stage that the K tile before was read from, and a load has the
// MFMA of two K tiles to land. So no wait drains vmcnt.
void fly::buildDoubleBuffer(ScheduleBuilder &schedule, Filling filling) {
  SlotOp slotA = schedule.slot(Side::A, "A", 0, 1, /*stages=*/2);
  SlotOp slotB = schedule.slot(Side::B, "B", 0, 1, /*stages=*/2);
  llvm::SmallVector<StagingOp> staging;
  if (filling == Filling::Staged)
    for (SlotOp slot : {slotA, slotB})
      staging.push_back(schedule.staging(slot, /*stages=*/2));
  FragmentOp a = schedule.fragment(slotA), b = schedule.fragment(slotB);
  ScaleFragmentOp scaleA, scaleB;
  if (schedule.hasScales()) {
    scaleA = schedule.scales(Side::A, /*stages=*/2);
    scaleB = schedule.scales(Side::B, /*stages=*/2);
  }
  AccumulatorOp accumulator = schedule.accumulator(a, b);

  schedule.pipeline(/*stages=*/2, /*rotate=*/false, /*peel=*/false, [&] {
    schedule.phase(PhaseKind::Memory, std::nullopt, [&] {
      schedule.read(a, /*ahead=*/0);
      schedule.read(b, /*ahead=*/0);
    });
    schedule.phase(PhaseKind::Compute, std::nullopt, [&] {
      if (schedule.hasScales()) {
        schedule.loadScales(scaleA, /*ahead=*/1);
        schedule.loadScales(scaleB, /*ahead=*/1);
      }
      for (StagingOp registers : staging)
        schedule.stagedCopy(registers, /*ahead=*/1);
      if (filling == Filling::Direct) {
        schedule.copy(slotA, /*ahead=*/2);
        schedule.copy(slotB, /*ahead=*/2);
      }
      schedule.mma(a, b, scaleA, scaleB, accumulator);
    });
  });
  schedule.store(accumulator);
}
