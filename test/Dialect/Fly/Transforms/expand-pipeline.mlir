// The prologue takes the steady state back to position 0, in its order; the loop
// has a fixed stage for every step; what may pass the last K tile is guarded.
// RUN: fly-opt %fly_source/kernels/grouped_gemm_blockscale_contiguous.mlir \
// RUN:   --fly-schedule-gemm=arch=gfx950 --fly-expand-pipeline | FileCheck %s

// CHECK-NOT: fly.pipeline
// CHECK:      fly.prologue {
// CHECK-NEXT:   fly.copy %A ahead 0 stage 0 :
// CHECK-NEXT:   fly.copy %B ahead 0 stage 0 :
// CHECK-NEXT:   fly.load_scales %scales_A ahead 0 stage 0 :
// CHECK-NEXT:   fly.load_scales %scales_B ahead 0 stage 0 :
// CHECK-NEXT:   fly.copy %A ahead 1 stage 1 guarded :
// CHECK-NEXT:   fly.copy %B ahead 1 stage 1 guarded :
// CHECK-NEXT: }
// CHECK-NEXT: fly.loop unroll 2 {
// CHECK-NEXT:   fly.phase memory interleave {
// CHECK-NEXT:     fly.read %fragment_A ahead 0 stage 0 :
// CHECK-NEXT:     fly.read %fragment_B ahead 0 stage 0 :
// CHECK-NEXT:   }
// CHECK-NEXT:   fly.phase compute interleave {
// CHECK-NEXT:     fly.load_scales %scales_A ahead 1 stage 1 guarded :
// CHECK-NEXT:     fly.load_scales %scales_B ahead 1 stage 1 guarded :
// CHECK-NEXT:     fly.copy %A ahead 2 stage 0 guarded :
// CHECK-NEXT:     fly.copy %B ahead 2 stage 0 guarded :
// CHECK-NEXT:     fly.mma %fragment_A * %fragment_B scale %scales_A, %scales_B into %acc ahead 0 stage 0 :
// CHECK-NEXT:   }
// CHECK-NEXT:   fly.phase memory interleave {
// CHECK-NEXT:     fly.read %fragment_A ahead 1 stage 1 :
// CHECK-NEXT:     fly.read %fragment_B ahead 1 stage 1 :
// CHECK-NEXT:   }
// CHECK-NEXT:   fly.phase compute interleave {
// CHECK-NEXT:     fly.load_scales %scales_A ahead 2 stage 0 guarded :
// CHECK-NEXT:     fly.load_scales %scales_B ahead 2 stage 0 guarded :
// CHECK-NEXT:     fly.copy %A ahead 3 stage 1 guarded :
// CHECK-NEXT:     fly.copy %B ahead 3 stage 1 guarded :
// CHECK-NEXT:     fly.mma %fragment_A * %fragment_B scale %scales_A, %scales_B into %acc ahead 1 stage 1 :
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: fly.drain {
// CHECK-NEXT: }
