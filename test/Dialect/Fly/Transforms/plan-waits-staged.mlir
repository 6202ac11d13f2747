// Staged copies. Before a write: its registers' load. Before the reads: the
// writes, then the one barrier of a K tile, which also orders the next writes
// behind the reads of the K tile before. No wait drains vmcnt.
// RUN: fly-opt %fly_source/kernels/gemm_a16w16.mlir --fly-schedule-gemm=arch=gfx942 \
// RUN:   --fly-expand-pipeline --fly-plan-waits | FileCheck %s

// CHECK:      fly.prologue {
// CHECK-NEXT:   fly.load %staging_A ahead 0 stage 0 :
// CHECK-NEXT:   fly.load %staging_B ahead 0 stage 0 :
// CHECK-NEXT:   fly.load %staging_A ahead 1 stage 1 guarded :
// CHECK-NEXT:   fly.load %staging_B ahead 1 stage 1 guarded :
// CHECK-NEXT:   fly.wait vmcnt(12)
// CHECK-NEXT:   fly.write %staging_A ahead 0 stage 0 :
// CHECK-NEXT:   fly.load %staging_A ahead 2 stage 0 guarded :
// CHECK-NEXT:   fly.wait vmcnt(12)
// CHECK-NEXT:   fly.write %staging_B ahead 0 stage 0 :
// CHECK-NEXT:   fly.load %staging_B ahead 2 stage 0 guarded :
// CHECK-NEXT: }
// CHECK-NEXT: fly.loop unroll 2 {
// CHECK-NEXT:   fly.phase memory interleave {
// CHECK-NEXT:     fly.wait lgkmcnt(0)
// CHECK-NEXT:     fly.barrier
// CHECK-NEXT:     fly.read %fragment_A ahead 0 stage 0 :
// CHECK-NEXT:     fly.read %fragment_B ahead 0 stage 0 :
// CHECK-NEXT:   }
// CHECK-NEXT:   fly.phase compute interleave {
// CHECK-NEXT:     fly.wait vmcnt(8) lgkmcnt(0)
// CHECK-NEXT:     fly.write %staging_A ahead 1 stage 1 :
// CHECK-NEXT:     fly.load %staging_A ahead 3 stage 1 guarded :
// CHECK-NEXT:     fly.write %staging_B ahead 1 stage 1 :
// CHECK-NEXT:     fly.load %staging_B ahead 3 stage 1 guarded :
// CHECK-NEXT:     fly.mma
// CHECK-NEXT:   }
// CHECK:        fly.phase memory interleave {
// CHECK-NEXT:     fly.wait lgkmcnt(0)
// CHECK-NEXT:     fly.barrier
// CHECK:        fly.phase compute interleave {
// CHECK-NEXT:     fly.wait vmcnt(8) lgkmcnt(0)
// CHECK-NOT:    fly.barrier
// CHECK:      fly.drain {
// CHECK-NEXT:   fly.wait vmcnt(0) lgkmcnt(0)
// CHECK-NEXT: }
