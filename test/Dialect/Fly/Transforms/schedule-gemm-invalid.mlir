// RUN: fly-opt %s --fly-schedule-gemm=arch=gfx950 -split-input-file -verify-diagnostics

// What the options name:
// RUN: not fly-opt %fly_source/kernels/gemm_a16w16.mlir --fly-schedule-gemm 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ARCH -DGIVEN=
// RUN: not fly-opt %fly_source/kernels/gemm_a16w16.mlir --fly-schedule-gemm=arch=gfx1100 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ARCH -DGIVEN=gfx1100
// ARCH: 'fly.kernel' op cannot be scheduled: unknown arch '[[GIVEN]]', expected one of gfx942, gfx950
// RUN: not fly-opt %fly_source/kernels/grouped_gemm_blockscale_contiguous.mlir \
// RUN:   --fly-schedule-gemm="arch=gfx950 variant=9x9" 2>&1 | FileCheck %s --check-prefix=VARIANT
// VARIANT: 'fly.kernel' op has no variant '9x9' for gfx950, expected one of 128x128, 128x256
// RUN: not fly-opt %fly_source/kernels/gemm_a16w16.mlir \
// RUN:   --fly-schedule-gemm="arch=gfx942 variant=bf16_256x256" 2>&1 | FileCheck %s --check-prefix=GFX942
// GFX942: 'fly.kernel' op has no variant 'bf16_256x256' for gfx942, expected one of bf16_128x128_staged,

// RUN: not fly-opt %fly_source/kernels/gemm_a16w16.mlir \
// RUN:   --fly-schedule-gemm="arch=gfx950 group-size-m=0" 2>&1 | FileCheck %s --check-prefix=MAP
// MAP: num-xcds must not be negative and group-size-m must be positive, got 0 and 0

// expected-error @below {{'fly.kernel' op is scheduled already}}
fly.kernel @k() variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
}

// -----

// expected-error @below {{'fly.kernel' op cannot be scheduled: unknown schedule 'none', expected one of double_buffer, double_buffer_staged, interleave, rotate, rotate_early, rotate_merged, rotate_peeled, rotate_staged, rotate_staged_peeled}}
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [#fly.variant<"v", schedule "none", tile 128x128x64, waves 2x2>] {
  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}

// -----

// expected-error @below {{'fly.kernel' op holds no problem op}}
fly.kernel @k()
    variants [#fly.variant<"v", schedule "double_buffer", tile 128x128x64, waves 2x2>] {
}

// -----

fly.kernel @k()
    variants [#fly.variant<"v", schedule "double_buffer", tile 128x128x64, waves 2x2>] {
  // expected-error @below {{'fly.drain' op is no problem op}}
  fly.drain {
  }
}

// -----

// expected-error @below {{'fly.kernel' op must hold one problem op and nothing else}}
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [#fly.variant<"v", schedule "double_buffer", tile 128x128x64, waves 2x2>] {
  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [#fly.variant<"v", schedule "double_buffer", tile 128x128x64, waves 2x2,
                           types (f16, bf16) -> bf16>] {
  // expected-error @below {{'fly.gemm' op A and B must have one element type, got 'f16' and 'bf16'}}
  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [#fly.variant<"v", schedule "double_buffer", tile 16x16x64, waves 2x2>] {
  // expected-error @below {{'fly.workgroup_tile' op the 16 tile rows of A must split into 16-row tiles over 2 waves}}
  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [#fly.variant<"v", schedule "double_buffer", tile 128x128x128, waves 2x2>] {
  // expected-error @below {{'fly.slot' op rows must be 64 or 128 bytes, got 256}}
  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}
