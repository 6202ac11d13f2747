// In which order the instructions of a phase are issued, and 32x32 MFMA.
// RUN: fly-opt %s --convert-fly-to-rocdl | FileCheck %s
// RUN: fly-opt %fly_source/kernels/gemm_a16w16.mlir \
// RUN:   --fly-schedule-gemm="arch=gfx950 variant=bf16_256x256_4w" --fly-expand-pipeline \
// RUN:   --fly-plan-waits --convert-fly-to-rocdl | FileCheck %s --check-prefix=SHIPPED

// As many AGPRs as the accumulators have registers; a wave has a SIMD to itself.
// SHIPPED: llvm.func @gemm_a16w16(
// SHIPPED-SAME: ["amdgpu-agpr-alloc", "256"], ["amdgpu-waves-per-eu", "1,1"]
// A zero of its own for each of 16 accumulators.
// SHIPPED-COUNT-16: llvm.inline_asm has_side_effects asm_dialect = att "", "=a,0" %{{.*}} : (vector<16xf32>) -> vector<16xf32>
// SHIPPED: llvm.cond_br {{.*}}, ^[[BODY:bb[0-9]+]]({{.*}}), ^[[DRAIN:bb[0-9]+]](
// SHIPPED: ^[[BODY]](
// vmcnt(20) lgkmcnt(0): 0x4074. A read follows 1, 2, 4, 5 ... of 16 MFMA, then copies.
// SHIPPED: rocdl.s.waitcnt 16500
// SHIPPED: rocdl.s.barrier
// SHIPPED: rocdl.mfma.f32.32x32x16.bf16
// SHIPPED-NOT: rocdl.mfma
// SHIPPED: llvm.load {{.*}}alias_scopes
// SHIPPED-NEXT: rocdl.sched.barrier 0
// SHIPPED: rocdl.mfma.f32.32x32x16.bf16
// SHIPPED-NOT: rocdl.mfma
// SHIPPED: llvm.load {{.*}}alias_scopes
// SHIPPED-NEXT: rocdl.sched.barrier 0
// SHIPPED-COUNT-2: rocdl.mfma.f32.32x32x16.bf16
// SHIPPED-NOT: rocdl.mfma
// SHIPPED: llvm.load {{.*}}alias_scopes
// SHIPPED-COUNT-6: rocdl.mfma.f32.32x32x16.bf16
// SHIPPED-NOT: rocdl.mfma
// SHIPPED: llvm.load {{.*}}alias_scopes
// SHIPPED-NEXT: rocdl.sched.barrier 0
// SHIPPED-NOT: llvm.load {{.*}}alias_scopes
// SHIPPED-COUNT-2: rocdl.mfma.f32.32x32x16.bf16
// SHIPPED-NOT: rocdl.mfma
// SHIPPED: rocdl.raw.ptr.buffer.load.lds
// SHIPPED-NEXT: rocdl.sched.barrier 0
// SHIPPED-COUNT-4: rocdl.mfma.f32.32x32x16.bf16
// SHIPPED-NOT: rocdl.mfma
// SHIPPED: rocdl.raw.ptr.buffer.load.lds
// SHIPPED: rocdl.s.waitcnt
// SHIPPED: ^[[DRAIN]](
// SHIPPED: llvm.return

fly.kernel @orders(%d: !fly.matrix<f16>, %a: !fly.matrix<f16>, %b: !fly.matrix<f16>)
    variant #fly.variant<"v", schedule "hand", tile 64x64x64, waves 1x1> arch "gfx950" {
  %tile = fly.workgroup_tile 64x64x64 waves 1x1 mfma 32x32x16
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1>
    : <f16> -> <64x64xf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 16384 swizzle <16, 1>
    : <f16> -> <64x64xf16>
  %fa = fly.fragment of %A : <64x64xf16> -> <2x64xf16>
  %fb = fly.fragment of %B : <64x64xf16> -> <2x64xf16>
  %acc = fly.accumulator of %fa, %fb : <2x64xf16>, <2x64xf16> -> <2x2>
  fly.prologue {
    fly.copy %A ahead 0 stage 0 : <64x64xf16>
    fly.copy %B ahead 0 stage 0 : <64x64xf16>
    fly.read %fa ahead 0 stage 0 : <2x64xf16>
    fly.read %fb ahead 0 stage 0 : <2x64xf16>
  }
  fly.loop unroll 2 {
  }
  fly.drain {
    // One after another.
    // CHECK: llvm.cond_br
    // CHECK: rocdl.s.setprio 1
    // CHECK-COUNT-8: llvm.load {{.*}}alias_scopes
    // CHECK: rocdl.sched.barrier
    // CHECK-COUNT-8: rocdl.raw.ptr.buffer.load.lds
    // CHECK-NOT: rocdl.sched.barrier
    // CHECK: rocdl.sched.barrier
    fly.phase memory priority 1 {
      fly.read %fa ahead 0 stage 0 : <2x64xf16>
      fly.copy %A ahead 1 stage 1 guarded : <64x64xf16>
    }
    // Copies among reads.
    // CHECK: rocdl.s.setprio 2
    // CHECK: llvm.load {{.*}}alias_scopes
    // CHECK-NOT: llvm.load {{.*}}alias_scopes
    // CHECK: rocdl.raw.ptr.buffer.load.lds
    // CHECK-NEXT: rocdl.sched.barrier
    // CHECK-COUNT-7: llvm.load {{.*}}alias_scopes
    // CHECK: rocdl.raw.ptr.buffer.load.lds
    fly.phase memory priority 2 interleave {
      fly.copy %A ahead 1 stage 1 guarded : <64x64xf16>
      fly.read %fa ahead 0 stage 0 : <2x64xf16>
    }
    // An MFMA of what the phase reads comes after all of it, and a read of what
    // the MFMA uses after all MFMA.
    // CHECK: rocdl.s.setprio 3
    // CHECK-COUNT-8: llvm.load {{.*}}alias_scopes
    // CHECK-NOT: llvm.load {{.*}}alias_scopes
    // CHECK-COUNT-16: rocdl.mfma.f32.32x32x16.f16
    // CHECK-NOT: rocdl.mfma
    // CHECK-COUNT-8: llvm.load {{.*}}alias_scopes
    // CHECK-NOT: llvm.load {{.*}}alias_scopes
    // CHECK: rocdl.raw.ptr.buffer.store
    fly.phase compute priority 3 interleave {
      fly.read %fa ahead 0 stage 0 : <2x64xf16>
      fly.mma %fa * %fb into %acc ahead 0 : <2x64xf16>, <2x64xf16> -> <2x2>
      fly.read %fb ahead 1 stage 1 : <2x64xf16>
    }
  }
  fly.store %acc to %d in %tile : !fly.accumulator<2x2> -> <f16>
}
