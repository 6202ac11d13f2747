// From the problem to the machine level in one registered pipeline: nothing of
// fly is left, and the waits and barriers of the loop are the derived ones.
// RUN: fly-opt %fly_source/kernels/gemm_a16w16.mlir \
// RUN:   --fly-compile="arch=gfx950" -o %t
// RUN: not grep 'fly\.' %t
// RUN: FileCheck %s -DTYPE=bf16 < %t
// RUN: fly-opt %fly_source/kernels/gemm_a16w16.mlir \
// RUN:   --fly-compile="arch=gfx950 variant=f16_128x128" -o %t
// RUN: FileCheck %s -DTYPE=f16 < %t

// CHECK-LABEL:    llvm.func @gemm_a16w16(
// CHECK:          llvm.br ^[[LOOP:bb[0-9]+]](
// CHECK:          ^[[LOOP]](
// CHECK:          rocdl.s.waitcnt 3960
// CHECK:          rocdl.s.barrier
// CHECK:          rocdl.s.waitcnt 49279
// CHECK:          rocdl.s.barrier
// CHECK-COUNT-32: rocdl.mfma.f32.16x16x32.[[TYPE]]
// CHECK:          rocdl.s.waitcnt 3960
// CHECK:          rocdl.s.barrier
// CHECK:          rocdl.s.waitcnt 49279
// CHECK:          rocdl.s.barrier
// CHECK-COUNT-32: rocdl.mfma.f32.16x16x32.[[TYPE]]
// CHECK-NOT:      rocdl.mfma
// CHECK:          llvm.cond_br {{.*}}, ^[[LOOP]](
// CHECK:          rocdl.s.waitcnt 3952
// CHECK-NOT:      rocdl.s.waitcnt
// CHECK:          llvm.return
