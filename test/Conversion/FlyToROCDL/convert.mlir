// What each step becomes, in the order of the schedule.
// RUN: fly-opt %fly_source/kernels/gemm_a16w16.mlir --fly-schedule-gemm=arch=gfx950 \
// RUN:   --fly-expand-pipeline --fly-plan-waits --convert-fly-to-rocdl | FileCheck %s

// One LDS array; copies and reads in alias scopes of their own.
// CHECK-DAG: #[[COPY:.*]] = #llvm.alias_scope<{{.*}} domain = #[[DOMAIN:.*]], description = "copy">
// CHECK-DAG: #[[READ:.*]] = #llvm.alias_scope<{{.*}} domain = #[[DOMAIN]], description = "read">
// CHECK: llvm.mlir.global internal @gemm_a16w16_lds() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<65536 x i8>

// Pointers, then sizes, then pitches.
// CHECK: llvm.func @gemm_a16w16(%{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32)
// CHECK-SAME: rocdl.flat_work_group_size = "256,256"
// CHECK-SAME: rocdl.kernel

// Prologue: two K tiles of 8 copies.
// CHECK-COUNT-16: rocdl.raw.ptr.buffer.load.lds {{.*}} {alias_scopes = [#[[COPY]]]}
// CHECK: llvm.br ^[[BODY:bb[0-9]+]](
// CHECK: ^[[BODY]](

// vmcnt(8): 0xF78. lgkmcnt(0): 0xC07F.
// CHECK: rocdl.s.waitcnt 3960
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.s.barrier
// CHECK-COUNT-16: llvm.load {{.*}} {alias_scopes = [#[[READ]]], alignment = 16 : i64, noalias_scopes = [#[[COPY]]]}
// CHECK: rocdl.s.waitcnt 49279
// CHECK-NEXT: rocdl.sched.barrier 0
// CHECK-NEXT: rocdl.s.barrier
// The copies are dealt out among the MFMA.
// CHECK-COUNT-4: rocdl.mfma.f32.16x16x32.bf16
// CHECK-NOT: rocdl.mfma
// CHECK: rocdl.raw.ptr.buffer.load.lds
// CHECK-COUNT-28: rocdl.mfma.f32.16x16x32.bf16
// CHECK: rocdl.raw.ptr.buffer.load.lds
// CHECK-NOT: rocdl.mfma
// CHECK: rocdl.s.waitcnt 3960
// CHECK: rocdl.s.barrier
// CHECK: llvm.cond_br {{.*}}, ^[[BODY]](

// vmcnt(0): 0xF70.
// CHECK: rocdl.s.waitcnt 3952
// CHECK-NOT: rocdl.s.waitcnt
// CHECK-NOT: rocdl.s.barrier
// CHECK: rocdl.raw.ptr.buffer.store
// CHECK: llvm.return
