// What gfx942 cannot do is said where it is asked for.
// RUN: fly-opt %s --fly-schedule-gemm=arch=gfx942 -split-input-file -verify-diagnostics

fly.kernel @direct(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [#fly.variant<"v", schedule "double_buffer", tile 128x128x64, waves 2x2>] {
  // expected-error @below {{'fly.copy' op cannot fill slot "A": gfx942 has no direct copy of 16 bytes a lane; stage it in registers, with fly.load and fly.write}}
  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}

// -----

fly.kernel @direct(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [#fly.variant<"v", schedule "rotate", tile 128x128x64, waves 2x4>] {
  // expected-error @below {{gfx942 has no direct copy of 16 bytes a lane}}
  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}

// -----

fly.kernel @lds(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [#fly.variant<"v", schedule "rotate_staged", tile 256x256x64, waves 2x4>] {
  // expected-error @below {{'fly.slot' op ends at byte 98304 of LDS, past the 65536 bytes of gfx942}}
  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}

// -----

fly.kernel @fp8(%d: !fly.matrix<bf16>, %a: !fly.matrix<f8E4M3FNUZ>, %b: !fly.matrix<f8E4M3FNUZ>)
    variants [#fly.variant<"v", schedule "double_buffer_staged", tile 128x128x128, waves 2x2>] {
  // expected-error @below {{'fly.mma' op of 8-bit elements needs scales, got 'f8E4M3FNUZ'}}
  fly.gemm %a, %b into %d : !fly.matrix<f8E4M3FNUZ>, !fly.matrix<f8E4M3FNUZ>, !fly.matrix<bf16>
}

// -----

// Its only variant is for another arch.
// expected-error @below {{'fly.kernel' op has no variant '' for gfx942, expected one of none}}
fly.kernel @other(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [#fly.variant<"v", schedule "double_buffer", tile 128x128x64, waves 2x2, arch "gfx950">] {
  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}
