// Every op, type and attribute, read and printed, also in generic form.
// RUN: fly-opt %s | fly-opt | FileCheck %s
// RUN: fly-opt %s --mlir-print-op-generic | fly-opt | FileCheck %s

// Problem level.

// CHECK-LABEL: fly.kernel @dense(%d: !fly.matrix<bf16>, %a: !fly.matrix<f16>, %b: !fly.matrix<f16>)
// CHECK-NEXT: variants [#fly.variant<"first", schedule "double_buffer", tile 128x128x64, waves 2x2>,
// CHECK-SAME: #fly.variant<"second", schedule "other", tile 128x256x64, waves 1x4, types (bf16, bf16) -> bf16>,
// CHECK-SAME: #fly.variant<"third", schedule "other", tile 128x256x64, waves 1x4, mfma 32x32x16>]
// CHECK-SAME: attributes {note = "kept"} {
// CHECK-NEXT: fly.gemm %a, %b into %d : <f16>, <f16>, <bf16>
fly.kernel @dense(%d: !fly.matrix<bf16>, %a: !fly.matrix<f16>, %b: !fly.matrix<f16>)
    variants [#fly.variant<"first", schedule "double_buffer", tile 128x128x64, waves 2x2>,
              #fly.variant<"second", schedule "other", tile 128x256x64, waves 1x4,
                           types (bf16, bf16) -> bf16>,
              #fly.variant<"third", schedule "other", tile 128x256x64, waves 1x4,
                           mfma 32x32x16>]
    attributes {note = "kept"} {
  fly.gemm %a, %b into %d : !fly.matrix<f16>, !fly.matrix<f16>, !fly.matrix<bf16>
}

// CHECK-LABEL: fly.kernel @grouped(
// CHECK-SAME: %scale_a: !fly.scales<f8E8M0FNU, 1x128>, %scale_b: !fly.scales<f8E8M0FNU, 128x128, grouped>,
// CHECK-SAME: %layout: !fly.group_layout)
// CHECK: fly.grouped_gemm %a scale %scale_a, %b scale %scale_b into %d groups %layout align 128
// CHECK-SAME: : <f8E4M3FN>, <f8E8M0FNU, 1x128>, <f8E4M3FN, grouped>, <f8E8M0FNU, 128x128, grouped>, <bf16>
fly.kernel @grouped(%d: !fly.matrix<bf16>, %a: !fly.matrix<f8E4M3FN>,
                    %b: !fly.matrix<f8E4M3FN, grouped>,
                    %scale_a: !fly.scales<f8E8M0FNU, 1x128>,
                    %scale_b: !fly.scales<f8E8M0FNU, 128x128, grouped>,
                    %layout: !fly.group_layout)
    variants [#fly.variant<"only", schedule "double_buffer", tile 128x128x128, waves 2x2>] {
  fly.grouped_gemm %a scale %scale_a, %b scale %scale_b into %d groups %layout align 128
    : !fly.matrix<f8E4M3FN>, !fly.scales<f8E8M0FNU, 1x128>, !fly.matrix<f8E4M3FN, grouped>,
      !fly.scales<f8E8M0FNU, 128x128, grouped>, !fly.matrix<bf16>
}

// Schedule level: handles print under the names of what they stand for.

// CHECK-LABEL: fly.kernel @schedule(
// CHECK-SAME: variant #fly.variant<"v", schedule "hand", tile 128x128x128, waves 2x2> arch "gfx950" {
// CHECK-NEXT: %tile = fly.workgroup_tile 128x128x128 waves 2x2 groups %layout align 128
// CHECK-NEXT: %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
// CHECK-NEXT: %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1>
// CHECK-NEXT: %fragment_A = fly.fragment of %A : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
// CHECK-NEXT: %fragment_B = fly.fragment of %B
// CHECK-NEXT: %scales_A = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
// CHECK-NEXT: %scales_B = fly.scale_fragment B of %sb in %tile stages 2 : <f8E8M0FNU, 128x128, grouped> -> <1>
// CHECK-NEXT: %acc = fly.accumulator of %fragment_A, %fragment_B : <4x128xf8E4M3FN>, <4x128xf8E4M3FN> -> <4x4>
// CHECK-NEXT: fly.pipeline stages 2 {
// CHECK-NEXT:   fly.phase memory {
// CHECK-NEXT:     fly.read %fragment_A ahead 0 : <4x128xf8E4M3FN>
// CHECK-NEXT:     fly.read %fragment_B ahead 0 : <4x128xf8E4M3FN>
// CHECK-NEXT:   }
// CHECK-NEXT:   fly.phase compute {
// CHECK-NEXT:     fly.load_scales %scales_A ahead 1 : <4>
// CHECK-NEXT:     fly.load_scales %scales_B ahead 1 : <1>
// CHECK-NEXT:     fly.copy %A ahead 2 : <128x128xf8E4M3FN>
// CHECK-NEXT:     fly.copy %B ahead 2 : <128x128xf8E4M3FN>
// CHECK-NEXT:     fly.mma %fragment_A * %fragment_B scale %scales_A, %scales_B into %acc ahead 0
// CHECK-SAME:       : <4x128xf8E4M3FN>, <4x128xf8E4M3FN>, !fly.scale_fragment<4>, !fly.scale_fragment<1> -> <4x4>
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
fly.kernel @schedule(%d: !fly.matrix<bf16>, %a: !fly.matrix<f8E4M3FN>,
                     %b: !fly.matrix<f8E4M3FN, grouped>,
                     %sa: !fly.scales<f8E8M0FNU, 1x128>,
                     %sb: !fly.scales<f8E8M0FNU, 128x128, grouped>,
                     %layout: !fly.group_layout)
    variant #fly.variant<"v", schedule "hand", tile 128x128x128, waves 2x2> arch "gfx950" {
  %0 = fly.workgroup_tile 128x128x128 waves 2x2 groups %layout align 128
  %1 = fly.slot A "A" of %a in %0 part 0 of 1 stages 2 at 0 swizzle <16, 1>
    : !fly.matrix<f8E4M3FN> -> !fly.slot<128x128xf8E4M3FN>
  %2 = fly.slot B "B" of %b in %0 part 0 of 1 stages 2 at 32768 swizzle <16, 1>
    : !fly.matrix<f8E4M3FN, grouped> -> !fly.slot<128x128xf8E4M3FN>
  %3 = fly.fragment of %1 : !fly.slot<128x128xf8E4M3FN> -> !fly.fragment<4x128xf8E4M3FN>
  %4 = fly.fragment of %2 : !fly.slot<128x128xf8E4M3FN> -> !fly.fragment<4x128xf8E4M3FN>
  %5 = fly.scale_fragment A of %sa in %0 stages 2
    : !fly.scales<f8E8M0FNU, 1x128> -> !fly.scale_fragment<4>
  %6 = fly.scale_fragment B of %sb in %0 stages 2
    : !fly.scales<f8E8M0FNU, 128x128, grouped> -> !fly.scale_fragment<1>
  %7 = fly.accumulator of %3, %4
    : !fly.fragment<4x128xf8E4M3FN>, !fly.fragment<4x128xf8E4M3FN> -> !fly.accumulator<4x4>
  fly.pipeline stages 2 {
    fly.phase memory {
      fly.read %3 ahead 0 : !fly.fragment<4x128xf8E4M3FN>
      fly.read %4 ahead 0 : !fly.fragment<4x128xf8E4M3FN>
    }
    fly.phase compute {
      fly.load_scales %5 ahead 1 : !fly.scale_fragment<4>
      fly.load_scales %6 ahead 1 : !fly.scale_fragment<1>
      fly.copy %1 ahead 2 : !fly.slot<128x128xf8E4M3FN>
      fly.copy %2 ahead 2 : !fly.slot<128x128xf8E4M3FN>
      fly.mma %3 * %4 scale %5, %6 into %7 ahead 0
        : !fly.fragment<4x128xf8E4M3FN>, !fly.fragment<4x128xf8E4M3FN>,
          !fly.scale_fragment<4>, !fly.scale_fragment<1> -> !fly.accumulator<4x4>
    }
  }
  fly.store %7 to %d in %0 : !fly.accumulator<4x4> -> !fly.matrix<bf16>
}

// Expanded level.

// CHECK-LABEL: fly.kernel @expanded(
// CHECK: fly.prologue {
// CHECK-NEXT: fly.copy %A ahead 0 stage 0 : <128x64xbf16>
// CHECK-NEXT: fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
// CHECK: fly.loop unroll 2 {
// CHECK-NEXT: fly.phase memory {
// CHECK-NEXT: fly.wait vmcnt(8) lgkmcnt(3)
// CHECK-NEXT: fly.barrier
// CHECK-NEXT: fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
// CHECK: fly.phase compute {
// CHECK-NEXT: fly.wait lgkmcnt(0)
// CHECK-NEXT: fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
// CHECK: fly.drain {
// CHECK-NEXT: fly.wait vmcnt(0)
fly.kernel @expanded(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "hand", tile 128x128x64, waves 2x2> arch "gfx950" {
  %0 = fly.workgroup_tile 128x128x64 waves 2x2
  %1 = fly.slot A "A" of %a in %0 part 0 of 1 stages 2 at 0 swizzle <16, 1>
    : !fly.matrix<bf16> -> !fly.slot<128x64xbf16>
  %2 = fly.slot B "B" of %b in %0 part 0 of 1 stages 2 at 32768 swizzle <16, 1>
    : !fly.matrix<bf16> -> !fly.slot<128x64xbf16>
  %3 = fly.fragment of %1 : !fly.slot<128x64xbf16> -> !fly.fragment<4x64xbf16>
  %4 = fly.fragment of %2 : !fly.slot<128x64xbf16> -> !fly.fragment<4x64xbf16>
  %5 = fly.accumulator of %3, %4
    : !fly.fragment<4x64xbf16>, !fly.fragment<4x64xbf16> -> !fly.accumulator<4x4>
  fly.prologue {
    fly.copy %1 ahead 0 stage 0 : !fly.slot<128x64xbf16>
    fly.copy %2 ahead 1 stage 1 guarded : !fly.slot<128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8) lgkmcnt(3)
      fly.barrier
      fly.read %3 ahead 1 stage 1 : !fly.fragment<4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.mma %3 * %4 into %5 ahead 0
        : !fly.fragment<4x64xbf16>, !fly.fragment<4x64xbf16> -> !fly.accumulator<4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
  }
  fly.store %5 to %d in %0 : !fly.accumulator<4x4> -> !fly.matrix<bf16>
}

// Wave groups.

// CHECK-LABEL: fly.kernel @rotated(
// CHECK: fly.pipeline stages 2 rotate peel {
// CHECK-NEXT: fly.phase memory priority 1 {
// CHECK: fly.prologue {
// CHECK-NEXT: fly.barrier group 1
// CHECK: fly.loop unroll 2 rotate peeled {
// CHECK: fly.drain {
// CHECK-NEXT: fly.barrier group 0
fly.kernel @rotated()
    variant #fly.variant<"v", schedule "hand", tile 128x128x64, waves 2x2> arch "gfx950" {
  %0 = fly.workgroup_tile 128x128x64 waves 2x2
  fly.pipeline stages 2 rotate peel {
    fly.phase memory priority 1 {
    }
  }
  fly.prologue {
    fly.barrier group 1
  }
  fly.loop unroll 2 rotate peeled {
  }
  fly.drain {
    fly.barrier group 0
  }
}

// The shape of MFMA, accumulators in AGPRs, interleaved steps.

// CHECK-LABEL: fly.kernel @interleaved(
// CHECK-SAME: variant #fly.variant<"v", schedule "hand", tile 128x128x64, waves 2x2, mfma 32x32x16, types (f16, f16) -> f16> arch "gfx950"
// CHECK-NEXT: fly.workgroup_tile 128x128x64 waves 2x2 mfma 32x32x16{{$}}
// CHECK: fly.accumulator of %fragment_A, %fragment_B in agpr : <2x64xf16>, <2x64xf16> -> <2x2>
// CHECK: fly.phase compute priority 2 interleave {
// CHECK: fly.phase memory interleave {
fly.kernel @interleaved(%d: !fly.matrix<f16>, %a: !fly.matrix<f16>, %b: !fly.matrix<f16>)
    variant #fly.variant<"v", schedule "hand", tile 128x128x64, waves 2x2, mfma 32x32x16,
                         types (f16, f16) -> f16> arch "gfx950" {
  %0 = fly.workgroup_tile 128x128x64 waves 2x2 mfma 32x32x16
  %1 = fly.slot A "A" of %a in %0 part 0 of 1 stages 2 at 0 swizzle <16, 1>
    : !fly.matrix<f16> -> !fly.slot<128x64xf16>
  %2 = fly.slot B "B" of %b in %0 part 0 of 1 stages 2 at 32768 swizzle <32, 2>
    : !fly.matrix<f16> -> !fly.slot<128x64xf16>
  %3 = fly.fragment of %1 : !fly.slot<128x64xf16> -> !fly.fragment<2x64xf16>
  %4 = fly.fragment of %2 : !fly.slot<128x64xf16> -> !fly.fragment<2x64xf16>
  %5 = fly.accumulator of %3, %4 in agpr
    : !fly.fragment<2x64xf16>, !fly.fragment<2x64xf16> -> !fly.accumulator<2x2>
  fly.pipeline stages 2 {
    fly.phase compute priority 2 interleave {
      fly.mma %3 * %4 into %5 ahead 0
        : !fly.fragment<2x64xf16>, !fly.fragment<2x64xf16> -> !fly.accumulator<2x2>
    }
    fly.phase memory interleave {
    }
  }
  fly.store %5 to %d in %0 : !fly.accumulator<2x2> -> !fly.matrix<f16>
}

// Staged copies, and a variant of one arch.

// CHECK-LABEL: fly.kernel @staged(
// CHECK-SAME: variant #fly.variant<"v", schedule "hand", tile 128x128x32, waves 2x2, arch "gfx942", types (bf16, bf16) -> bf16> arch "gfx942" {
// CHECK:      %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <8, 1> : <bf16> -> <128x32xbf16>
// CHECK-NEXT: %staging_A = fly.staging of %A stages 1 : <128x32xbf16> -> <2>
// CHECK-NEXT: fly.prologue {
// CHECK-NEXT:   fly.load %staging_A ahead 0 stage 0 : <2>
// CHECK-NEXT:   fly.write %staging_A ahead 0 stage 0 : <2>
// CHECK-NEXT:   fly.load %staging_A ahead 1 stage 0 guarded : <2>
// CHECK-NEXT: }
fly.kernel @staged(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "hand", tile 128x128x32, waves 2x2, arch "gfx942",
                         types (bf16, bf16) -> bf16> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x32 waves 2x2
  %s = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <8, 1> : !fly.matrix<bf16> -> !fly.slot<128x32xbf16>
  %r = fly.staging of %s stages 1 : !fly.slot<128x32xbf16> -> !fly.staging<2>
  fly.prologue {
    fly.load %r ahead 0 stage 0 : !fly.staging<2>
    fly.write %r ahead 0 stage 0 : !fly.staging<2>
    fly.load %r ahead 1 stage 0 guarded : !fly.staging<2>
  }
}
