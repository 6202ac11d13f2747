// RUN: fly-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{matrix elements must be floats of 8, 16 or 32 bits, got 'i8'}}
func.func private @f(!fly.matrix<i8>)

// -----

// expected-error @below {{matrix elements must be floats of 8, 16 or 32 bits, got 'f64'}}
func.func private @f(!fly.matrix<f64>)

// -----

// expected-error @below {{expected 'grouped'}}
func.func private @f(!fly.matrix<bf16, strided>)

// -----

// expected-error @below {{scales must be f8E8M0FNU, got 'f32'}}
func.func private @f(!fly.scales<f32, 1x128>)

// -----

// expected-error @below {{expected 2 sizes separated by x, got 3}}
func.func private @f(!fly.scales<f8E8M0FNU, 1x128x4>)

// -----

// expected-error @below {{sizes of a scale's block must be within 1..4096, got 1x0}}
func.func private @f(!fly.scales<f8E8M0FNU, 1x0>)

// -----

// expected-error @below {{expected 'grouped'}}
func.func private @f(!fly.scales<f8E8M0FNU, 1x128, dense>)

// -----

// expected-error @below {{expected 2 sizes separated by x, got 1}}
func.func private @f(!fly.slot<128xbf16>)

// -----

// expected-error @below {{sizes of a slot must be within 1..4096, got 0}}
func.func private @f(!fly.slot<0x64xbf16>)

// -----

// expected-error @below {{slot elements must be floats of 8, 16 or 32 bits, got 'index'}}
func.func private @f(!fly.slot<128x64xindex>)

// -----

// expected-error @below {{sizes of a fragment must be within 1..4096, got 4097}}
func.func private @f(!fly.fragment<4x4097xbf16>)

// -----

// expected-error @below {{fragment elements must be floats of 8, 16 or 32 bits, got 'i16'}}
func.func private @f(!fly.fragment<4x64xi16>)

// -----

// expected-error @below {{sizes of a scale fragment must be within 1..4096, got 0}}
func.func private @f(!fly.scale_fragment<0>)

// -----

// expected-error @below {{sizes of an accumulator must be within 1..4096, got 0}}
func.func private @f(!fly.accumulator<4x0>)

// -----

// expected-error @below {{expected 2 sizes separated by x, got 1}}
func.func private @f(!fly.accumulator<4>)

// -----

// expected-error @below {{a variant needs a name}}
#v = #fly.variant<"", schedule "s", tile 128x128x64, waves 2x2>

// -----

// expected-error @below {{expected 3 sizes separated by x, got 2}}
#v = #fly.variant<"v", schedule "s", tile 128x128, waves 2x2>

// -----

// expected-error @below {{expected 2 sizes separated by x, got 1}}
#v = #fly.variant<"v", schedule "s", tile 128x128x64, waves 4>

// -----

// expected-error @below {{expected 'schedule'}}
#v = #fly.variant<"v", tile 128x128x64, waves 2x2>

// -----

// expected-error @below {{tile sizes of variant 'v' must be multiples of 16 within 16..4096, got 120}}
#v = #fly.variant<"v", schedule "s", tile 120x128x64, waves 2x2>

// -----

// expected-error @below {{tile sizes of variant 'v' must be multiples of 16 within 16..4096, got 8192}}
#v = #fly.variant<"v", schedule "s", tile 128x128x8192, waves 2x2>

// -----

// expected-error @below {{wave counts of variant 'v' must be within 1..16, got 0}}
#v = #fly.variant<"v", schedule "s", tile 128x128x64, waves 0x2>

// -----

// expected-error @below {{expected 'types'}}
#v = #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2, dtype bf16>

// -----

// expected-error @below {{expected ','}}
#v = #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2, types (bf16) -> bf16>

// -----

// expected-error @below {{matrix elements must be floats of 8, 16 or 32 bits, got 'i8'}}
#v = #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2, types (i8, i8) -> bf16>

// -----

// expected-error @below {{swizzle <12, 1> must have a power of two of rows and move a chunk within the 8 chunks of a 128-byte row}}
#s = #fly.swizzle<12, 1>

// -----

// expected-error @below {{swizzle <32, 1> must have}}
#s = #fly.swizzle<32, 1>

// -----

// expected-error @below {{swizzle <16, -1> must have}}
#s = #fly.swizzle<16, -1>
