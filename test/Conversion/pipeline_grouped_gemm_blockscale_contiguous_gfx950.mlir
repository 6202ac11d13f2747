// From the problem to the machine level in one registered pipeline: nothing of
// fly is left, and the waits and barriers of the loop are the derived ones.
// RUN: fly-opt %fly_source/kernels/grouped_gemm_blockscale_contiguous.mlir \
// RUN:   --fly-compile="arch=gfx950" -o %t
// RUN: not grep 'fly\.' %t
// RUN: FileCheck %s < %t

// CHECK-LABEL:    llvm.func @grouped_gemm_blockscale_contiguous(
// CHECK:          llvm.br ^[[LOOP:bb[0-9]+]](
// CHECK:          ^[[LOOP]](
// vmcnt(10), then vmcnt(8) lgkmcnt(0).
// CHECK:          rocdl.s.waitcnt 3962
// CHECK:          rocdl.s.barrier
// CHECK:          rocdl.s.waitcnt 120
// CHECK:          rocdl.s.barrier
// CHECK-COUNT-16: rocdl.mfma.scale.f32.16x16x128.f8f6f4
// CHECK:          rocdl.s.waitcnt 3962
// CHECK:          rocdl.s.barrier
// CHECK:          rocdl.s.waitcnt 120
// CHECK:          rocdl.s.barrier
// CHECK-COUNT-16: rocdl.mfma.scale.f32.16x16x128.f8f6f4
// CHECK-NOT:      rocdl.mfma
// CHECK:          llvm.cond_br {{.*}}, ^[[LOOP]](
// CHECK:          rocdl.s.waitcnt 3952
// CHECK-NOT:      rocdl.s.waitcnt
// CHECK:          llvm.return

// The wider tile: 12 copies a K tile, 32 MFMA.
// RUN: fly-opt %fly_source/kernels/grouped_gemm_blockscale_contiguous.mlir \
// RUN:   --fly-compile="arch=gfx950 variant=128x256" -o %t.wide
// RUN: FileCheck %s --check-prefix=WIDE < %t.wide
// WIDE:          llvm.func @grouped_gemm_blockscale_contiguous(
// vmcnt(14), then vmcnt(12) lgkmcnt(0).
// WIDE:          rocdl.s.waitcnt 3966
// WIDE:          rocdl.s.waitcnt 124
// WIDE-COUNT-32: rocdl.mfma.scale.f32.16x16x128.f8f6f4
// WIDE:          rocdl.s.waitcnt 3966
