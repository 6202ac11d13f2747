// From the problem to the machine level for a chip without wide direct copies:
// loads to registers, stores to LDS among the MFMA, and the derived waits.
// RUN: fly-opt %fly_source/kernels/gemm_a16w16.mlir \
// RUN:   --fly-compile="arch=gfx942" -o %t
// RUN: not grep 'fly\.' %t
// RUN: FileCheck %s -DMFMA=16x16x16bf16.1k < %t
// RUN: fly-opt %fly_source/kernels/gemm_a16w16.mlir \
// RUN:   --fly-compile="arch=gfx942 variant=f16_128x128_staged" -o %t
// RUN: FileCheck %s -DMFMA=16x16x16f16 < %t

// CHECK-NOT:      rocdl.raw.ptr.buffer.load.lds
// CHECK-LABEL:    llvm.func @gemm_a16w16(
// CHECK-COUNT-16: rocdl.raw.ptr.buffer.load %{{.*}} : vector<4xi32>
// CHECK:          rocdl.s.waitcnt
// CHECK:          llvm.store %{{.*}} {alignment = 16 : i64, noalias_scopes = {{.*}}} : vector<4xi32>, !llvm.ptr<3>
// CHECK:          llvm.br ^[[LOOP:bb[0-9]+]](
// CHECK:          ^[[LOOP]](
// CHECK:          rocdl.s.waitcnt 49279
// CHECK:          rocdl.s.barrier
// CHECK-COUNT-16: llvm.load %{{.*}} -> vector<4xi32>
// CHECK:          rocdl.s.waitcnt 120
// CHECK-COUNT-4:  rocdl.mfma.f32.[[MFMA]]
// CHECK:          llvm.store
// CHECK-COUNT-60: rocdl.mfma.f32.[[MFMA]]
// CHECK:          rocdl.s.waitcnt 49279
// CHECK:          rocdl.s.barrier
// CHECK-COUNT-64: rocdl.mfma.f32.[[MFMA]]
// CHECK-NOT:      rocdl.mfma
// CHECK:          llvm.cond_br {{.*}}, ^[[LOOP]](
// CHECK:          llvm.return
