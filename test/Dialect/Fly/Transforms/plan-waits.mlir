// Every wait and barrier of a loop with scales: no wait drains vmcnt.
// RUN: fly-opt %fly_source/kernels/grouped_gemm_blockscale_contiguous.mlir \
// RUN:   --fly-schedule-gemm=arch=gfx950 --fly-expand-pipeline --fly-plan-waits | FileCheck %s

// CHECK:       fly.prologue {
// CHECK-NOT:   fly.wait
// CHECK:       fly.loop unroll 2 {
// CHECK-COUNT-2: fly.phase memory interleave {{{[[:space:]]+}}fly.wait vmcnt(10){{[[:space:]]+}}fly.barrier{{[[:space:]]+}}fly.read {{.*[[:space:]]+}}fly.read {{.*[[:space:]]+}}}{{[[:space:]]+}}fly.phase compute interleave {{{[[:space:]]+}}fly.wait vmcnt(8) lgkmcnt(0){{[[:space:]]+}}fly.barrier
// CHECK-NOT:   fly.wait
// CHECK-NOT:   fly.barrier
// CHECK:       fly.drain {
// CHECK-NEXT:    fly.wait vmcnt(0)
// CHECK-NEXT:  }
