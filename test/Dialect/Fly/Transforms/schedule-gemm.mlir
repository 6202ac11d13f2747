// The first variant, unless one is named; the variant's types replace those of
// the signature.
// RUN: fly-opt %s --fly-schedule-gemm=arch=gfx950 | FileCheck %s
// RUN: fly-opt %s --fly-schedule-gemm="arch=gfx950 variant=other" | FileCheck %s --check-prefix=OTHER
// RUN: fly-opt %fly_source/kernels/gemm_a16w16.mlir \
// RUN:   --fly-schedule-gemm="arch=gfx950 variant=f16_256x256_4w" | FileCheck %s --check-prefix=FOUR

// CHECK: fly.kernel @dense(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
// CHECK-SAME: variant #fly.variant<"first", {{.*}}> arch "gfx950" {
// CHECK-NEXT: %[[ID:.*]] = fly.workgroup_id
// CHECK-NEXT: %[[ROWS:.*]] = fly.tile_count A 128
// CHECK-NEXT: %[[COLUMNS:.*]] = fly.tile_count B 128
// CHECK-NEXT: %[[P:.*]] = fly.map_xcd %[[ID]] of %[[ROWS]], %[[COLUMNS]] xcds 8
// CHECK-NEXT: %row, %column = fly.map_grouped_m %[[P]] of %[[ROWS]], %[[COLUMNS]] size 4
// CHECK-NEXT: %tile = fly.workgroup_tile 128x128x64 waves 2x2 at %row, %column
// CHECK-NEXT: fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0
// CHECK-NEXT: fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768
// CHECK: fly.pipeline stages 2 {
// CHECK-NOT: fly.gemm
// CHECK: fly.store %acc to %d in %tile

// OTHER: fly.kernel @dense(%d: !fly.matrix<bf16>, %a: !fly.matrix<f16>, %b: !fly.matrix<f16>)
// OTHER-SAME: variant #fly.variant<"other", {{.*}}> arch "gfx950" {
// OTHER: fly.workgroup_tile 128x256x64 waves 1x4
// OTHER: fly.slot B "B" of %b {{.*}} : <f16> -> <256x64xf16>
fly.kernel @dense(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [#fly.variant<"first", schedule "double_buffer", tile 128x128x64, waves 2x2>,
              #fly.variant<"other", schedule "double_buffer", tile 128x256x64, waves 1x4,
                           types (f16, f16) -> bf16>] {
  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}

// FOUR: %tile = fly.workgroup_tile 256x256x64 waves 2x2 mfma 32x32x16 at %row, %column
// FOUR-COUNT-4: fly.accumulator {{.*}} in agpr : <2x64xf16>, <2x64xf16> -> <2x2>
// FOUR-NEXT: fly.pipeline stages 2 peel {
// FOUR-NEXT:   fly.phase compute interleave {
// FOUR-NEXT:     fly.mma %fragment_A.top * %fragment_B.left into %acc ahead 0
// FOUR-NEXT:     fly.read %fragment_A.bottom ahead 0
// FOUR-NEXT:     fly.copy %B.left ahead 2
// FOUR:        fly.phase compute interleave {
// FOUR-NEXT:     fly.mma %fragment_A.bottom * %fragment_B.left into %acc_0 ahead 0
// FOUR-NEXT:     fly.read %fragment_B.right ahead 0
// FOUR-NEXT:     fly.copy %A.top ahead 2
// FOUR:        fly.phase compute interleave {
// FOUR-NEXT:     fly.mma %fragment_A.top * %fragment_B.right into %acc_1 ahead 0
// FOUR-NEXT:     fly.read %fragment_B.left ahead 1
// FOUR-NEXT:     fly.copy %A.bottom ahead 2
// FOUR:        fly.phase compute interleave {
// FOUR-NEXT:     fly.mma %fragment_A.bottom * %fragment_B.right into %acc_2 ahead 0
// FOUR-NEXT:     fly.read %fragment_A.top ahead 1
// FOUR-NEXT:     fly.copy %B.right ahead 2

// CHECK: fly.kernel @grouped
// CHECK: fly.workgroup_tile 128x128x128 waves 2x2 at %row, %column groups %layout align 128
// CHECK: %scales_A = fly.scale_fragment A of %sa in %tile stages 2
// CHECK: fly.load_scales %scales_A ahead 1
// CHECK: fly.mma %fragment_A * %fragment_B scale %scales_A, %scales_B into %acc ahead 0
fly.kernel @grouped(%d: !fly.matrix<bf16>, %a: !fly.matrix<f8E4M3FN>,
                    %b: !fly.matrix<f8E4M3FN, grouped>, %sa: !fly.scales<f8E8M0FNU, 1x128>,
                    %sb: !fly.scales<f8E8M0FNU, 128x128, grouped>, %layout: !fly.group_layout)
    variants [#fly.variant<"first", schedule "double_buffer", tile 128x128x128, waves 2x2>,
              #fly.variant<"other", schedule "double_buffer", tile 128x256x128, waves 2x2>] {
  fly.grouped_gemm %a scale %sa, %b scale %sb into %d groups %layout align 128
    : !fly.matrix<f8E4M3FN>, !fly.scales<f8E8M0FNU, 1x128>, !fly.matrix<f8E4M3FN, grouped>,
      !fly.scales<f8E8M0FNU, 128x128, grouped>, !fly.matrix<bf16>
}
