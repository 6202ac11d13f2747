// The schedule of docs/write-a-schedule.md, written by hand: three stages, one
// barrier a K tile, no wait that drains vmcnt.
// RUN: fly-opt %s --fly-expand-pipeline --fly-plan-waits --fly-verify-schedule | FileCheck %s

// It runs, too: partial tiles, and fewer and more K tiles than stages.
// RUN: fly-opt %s --fly-expand-pipeline --fly-plan-waits --fly-verify-schedule \
// RUN:   --convert-fly-to-rocdl --canonicalize --cse -o %t.mlir
// RUN: fly-translate %t.mlir --fly-to-hsaco --arch=gfx950 -o %t.hsaco
// RUN: %python %S/run_gemm.py %t.hsaco gemm 256 128 128 128 40 %t
// RUN: %python %S/run_gemm.py %t.hsaco gemm 256 128 77 136 456 %t

// CHECK-LABEL:     fly.loop unroll 3 {
// CHECK-COUNT-3:     fly.phase compute {{{[[:space:]]+}}fly.wait vmcnt(8){{[[:space:]]+}}fly.barrier{{[[:space:]]+}}fly.read
// CHECK-NOT:         fly.barrier
// CHECK:           fly.drain {

fly.kernel @gemm(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"hand", schedule "hand", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 3 at 0 swizzle <16, 1>
    : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 3 at 49152 swizzle <16, 1>
    : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.pipeline stages 3 {
    fly.phase compute {
      fly.read %fa ahead 0 : <4x64xbf16>
      fly.read %fb ahead 0 : <4x64xbf16>
      fly.copy %A ahead 2 : <128x64xbf16>
      fly.copy %B ahead 2 : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}
