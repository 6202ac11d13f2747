//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FLY_TRANSFORMS_PASSES_TD
#define FLY_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FlyScheduleGemm : Pass<"fly-schedule-gemm", "::fly::KernelOp"> {
  let summary = "Problem level to schedule level";
  let description = [{
    Picks one variant of the kernel for one arch and replaces the problem op by
    the variant's schedule.

    Example: `fly-opt --fly-schedule-gemm="arch=gfx950 variant=128x128"` turns
    ```mlir
    fly.gemm %a, %b into %d : <bf16>, <bf16>, <bf16>
    ```
    into slots, fragments, an accumulator, one `fly.pipeline` and a `fly.store`.
  }];
  let options = [
    Option<"arch", "arch", "std::string", /*default=*/"",
           "The arch to compile for, gfx950 for example; required">,
    Option<"variant", "variant", "std::string", /*default=*/"",
           "Name of the variant, 128x128 for example; the arch's first if not "
           "given">,
    Option<"numXcds", "num-xcds", "int64_t", /*default=*/"0",
           "XCDs to map workgroups for, 1 for none, 8 for example; 0 for the "
           "arch's">,
    Option<"groupSizeM", "group-size-m", "int64_t", /*default=*/"4",
           "Rows of tiles to walk before the next column, 4 for example">];
}

def FlyExpandPipeline : Pass<"fly-expand-pipeline", "::fly::KernelOp"> {
  let summary = "Lays a pipeline out as prologue, loop and drain";
  let description = [{
    The prologue holds what the steady state of position 0 takes as done: the
    steps of the K tiles before it, as far as they concern positions from 0 on,
    in the order of the steady state. The loop is unrolled by the stages, so that
    every step has a fixed stage. Copies that may pass the last K tile are
    guarded.

    Example: in a pipeline with `stages 2`, `fly.copy %A ahead 2` becomes two
    copies in the prologue (positions 0 and 1) and two in the loop (positions 2
    and 3 from the iteration's first).
  }];
}

def FlyPlanWaits : Pass<"fly-plan-waits", "::fly::KernelOp"> {
  let summary = "Derives every wait and barrier";
  let description = [{
    Follows the copies, loads and reads in flight through prologue, loop and
    drain and puts `fly.wait` and `fly.barrier` where a step needs them: a read
    needs its copy landed in all waves, a copy needs the reads of what it
    overwrites done in all waves, an MFMA needs its registers. Waits go to the
    start of the phase where that is early enough, and are no stronger than the
    newest access they are for.

    Example: before the reads of a double-buffered loop with 8 copies a K tile in
    flight, `fly.wait vmcnt(8)` and `fly.barrier`.
  }];
}

def FlyVerifySchedule : Pass<"fly-verify-schedule", "::fly::KernelOp"> {
  let summary = "Proves the expanded schedule free of hazards";
  let description = [{
    Interprets the counters and barriers abstractly, with a fixpoint over the
    loop's back edge, and shares no analysis with `fly-plan-waits`. It shows for
    every slot, every pair of waves and any trip count: no read before its copy
    has landed for all waves, no copy over a slot that some wave may still read,
    no two copies into one slot unordered, no register used before its wait, no
    K tile taken for another, left out or taken twice, no copy that may pass the
    last K tile without a guard, and nothing in flight at the end. Changes
    nothing. What it assumes is in docs/schedule-and-proof.md.

    Example of a finding:
    ```
    error: 'fly.read' op of slot "A" stage 0 in memory phase 0 of the loop may
           come before the copy has landed in all waves (RAW): it is still in
           flight; a wait of vmcnt(12) or less and then a barrier are missing
    ```
  }];
}

def FlyDrawSchedule : Pass<"fly-draw-schedule", "::fly::KernelOp"> {
  let summary = "Draws a planned schedule as an SVG picture";
  let description = [{
    Time runs from barrier to barrier. Above is what each wave group does, below
    what each stage of each slot holds: copies in flight, landed, being read.
    Changes nothing.

    Example: `fly-opt kernel.mlir --fly-schedule-gemm=arch=gfx950
    --fly-expand-pipeline --fly-plan-waits
    --fly-draw-schedule="output=schedule.svg k-tiles=4" -o /dev/null`
  }];
  let options = [
    Option<"output", "output", "std::string", /*default=*/"\"-\"",
           "The file to write, schedule.svg for example; - is stdout">,
    Option<"kTiles", "k-tiles", "int64_t", /*default=*/"4",
           "How many K tiles are drawn, 2 for example">];
}

#endif // FLY_TRANSFORMS_PASSES_TD
