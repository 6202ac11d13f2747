//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Schedule/Schedule.h"

using namespace mlir;

namespace fly {

// Every schedule that a variant may name. Rotated, a barrier stands before
// every phase and a wait before every compute phase; staged, also before every
// memory phase, which writes.
static constexpr ScheduleInfo schedules[] = {
    {"double_buffer",
     [](ScheduleBuilder &schedule) {
       buildDoubleBuffer(schedule, Filling::Direct);
     },
     Filling::Direct, /*waits=*/2, /*barriers=*/2, /*distances=*/1},
    // The same through registers, for chips without wide direct copies.
    {"double_buffer_staged",
     [](ScheduleBuilder &schedule) {
       buildDoubleBuffer(schedule, Filling::Staged);
     },
     Filling::Staged, /*waits=*/2, /*barriers=*/1, /*distances=*/1},
    // Quadrant after quadrant.
    {"interleave", buildInterleave, Filling::Direct, /*waits=*/4,
     /*barriers=*/4, /*distances=*/1},
    // The tile's quadrants.
    {"rotate",
     [](ScheduleBuilder &schedule) {
       buildRotate(schedule,
                   {/*partsA=*/2, /*partsB=*/2, /*lag=*/2, /*peel=*/false});
     },
     Filling::Direct, /*waits=*/4, /*barriers=*/8, /*distances=*/1},
    // The same, copies issued one memory phase earlier.
    {"rotate_early",
     [](ScheduleBuilder &schedule) {
       buildRotate(schedule,
                   {/*partsA=*/2, /*partsB=*/2, /*lag=*/1, /*peel=*/false});
     },
     Filling::Direct, /*waits=*/4, /*barriers=*/8, /*distances=*/2},
    // A in one part: phases twice as long.
    {"rotate_merged",
     [](ScheduleBuilder &schedule) {
       buildRotate(schedule,
                   {/*partsA=*/1, /*partsB=*/2, /*lag=*/1, /*peel=*/false});
     },
     Filling::Direct, /*waits=*/2, /*barriers=*/4, /*distances=*/2},
    // The quadrants, with the last iteration peeled: its waits count down.
    {"rotate_peeled",
     [](ScheduleBuilder &schedule) {
       buildRotate(schedule,
                   {/*partsA=*/2, /*partsB=*/2, /*lag=*/2, /*peel=*/true});
     },
     Filling::Direct, /*waits=*/4, /*barriers=*/8, /*distances=*/1},
    // The quadrants through registers: written two memory phases before they
    // are read.
    {"rotate_staged",
     [](ScheduleBuilder &schedule) {
       buildRotate(schedule, {/*partsA=*/2, /*partsB=*/2, /*lag=*/6,
                              /*peel=*/false, Filling::Staged});
     },
     Filling::Staged, /*waits=*/8, /*barriers=*/8, /*distances=*/1},
    // The same with the last iteration peeled.
    {"rotate_staged_peeled",
     [](ScheduleBuilder &schedule) {
       buildRotate(schedule, {/*partsA=*/2, /*partsB=*/2, /*lag=*/6,
                              /*peel=*/true, Filling::Staged});
     },
     Filling::Staged, /*waits=*/8, /*barriers=*/8, /*distances=*/1},
};

llvm::Expected<const ScheduleInfo &> lookupSchedule(StringRef name) {
  std::string known;
  for (const ScheduleInfo &schedule : schedules) {
    if (schedule.name == name)
      return schedule;
    known += (known.empty() ? "" : ", ") + schedule.name.str();
  }
  return llvm::createStringError("unknown schedule '" + name +
                                 "', expected one of " + known);
}

FailureOr<Problem> findProblem(KernelOp kernel) {
  Problem problem;
  for (Operation &op : kernel.getEntryBlock()) {
    if (problem.op)
      return kernel.emitOpError("must hold one problem op and nothing else");
    problem.op = &op;
    if (auto gemm = dyn_cast<GemmOp>(op)) {
      problem.a = gemm.getA();
      problem.b = gemm.getB();
      problem.d = gemm.getD();
    } else if (auto grouped = dyn_cast<GroupedGemmOp>(op)) {
      problem.a = grouped.getA();
      problem.b = grouped.getB();
      problem.d = grouped.getD();
      problem.scaleA = grouped.getScaleA();
      problem.scaleB = grouped.getScaleB();
      problem.groups = grouped.getGroups();
      problem.alignment = grouped.getAlignment();
    } else {
      return op.emitOpError("is no problem op");
    }
  }
  if (!problem.op)
    return kernel.emitOpError("holds no problem op");
  return problem;
}

} // namespace fly
