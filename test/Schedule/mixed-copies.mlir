// A is copied directly and B through registers, in one kernel.
// RUN: fly-opt %s --fly-expand-pipeline --fly-plan-waits --fly-verify-schedule | FileCheck %s

// It runs: LLVM puts no wait of its own between copies, reads and writes, and what
// it makes of them is right.
// RUN: fly-opt %s --fly-expand-pipeline --fly-plan-waits --fly-verify-schedule \
// RUN:   --convert-fly-to-rocdl --canonicalize --cse -o %t.mlir
// RUN: fly-translate %t.mlir --fly-to-hsaco --arch=gfx950 -o %t.hsaco
// RUN: fly-inspect %t.hsaco | FileCheck %s --check-prefix=LOOP
// RUN: %python %S/run_gemm.py %t.hsaco gemm 256 128 128 128 40 %t
// RUN: %python %S/run_gemm.py %t.hsaco gemm 256 128 77 136 456 %t

// CHECK:      fly.loop unroll 2 {
// CHECK-NEXT:   fly.phase memory {
// CHECK-NEXT:     fly.wait vmcnt(12) lgkmcnt(0)
// CHECK-NEXT:     fly.barrier
// CHECK:        fly.phase compute interleave {
// CHECK-NEXT:     fly.wait vmcnt(8) lgkmcnt(0)
// CHECK-NEXT:     fly.barrier
// CHECK:      fly.drain {

// LOOP: LDS writes     8     ds_write_b128 8
// LOOP: direct copies  8     16 bytes a lane 8
// LOOP: loads          8     buffer_load_dwordx4 8
// LOOP: VALU           0
// LOOP: waits          4     vmcnt(12) lgkmcnt(0) 2, vmcnt(8) lgkmcnt(0) 2
// LOOP: barriers       4

fly.kernel @gemm(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"hand", schedule "hand", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1>
    : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1>
    : <bf16> -> <128x64xbf16>
  %rB = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.pipeline stages 2 {
    fly.phase memory {
      fly.read %fa ahead 0 : <4x64xbf16>
      fly.read %fb ahead 0 : <4x64xbf16>
    }
    fly.phase compute interleave {
      fly.copy %A ahead 2 : <128x64xbf16>
      fly.write %rB ahead 1 : <4>
      fly.load %rB ahead 3 : <4>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}
