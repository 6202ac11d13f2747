// RUN: fly-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{'fly.kernel' op needs a list of variants or a chosen variant}}
fly.kernel @k() {
}

// -----

// expected-error @below {{'fly.kernel' op lists no variants}}
fly.kernel @k() variants [] {
}

// -----

// expected-error @below {{'fly.kernel' op lists variant 'v' twice}}
fly.kernel @k() variants [
    #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>,
    #fly.variant<"v", schedule "s", tile 128x256x64, waves 2x2>] {
}

// -----

// expected-error @below {{'fly.kernel' op attribute 'variants' failed to satisfy constraint: a list of variants}}
fly.kernel @k() variants [1 : i64] {
}

// -----

// expected-error @below {{expected 'arch'}}
fly.kernel @k() variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> {
}

// -----

// expected-error @below {{'fly.kernel' op unknown arch 'gfx90a', expected one of gfx942, gfx950}}
fly.kernel @k() variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx90a" {
}

// -----

// expected-error @below {{'fly.kernel' op needs an arch beside its chosen variant}}
"fly.kernel"() <{sym_name = "k", arg_names = [],
    variant = #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>}> ({
^bb0:
}) : () -> ()

// -----

// expected-error @below {{'fly.kernel' op has both a list of variants and a chosen one}}
"fly.kernel"() <{sym_name = "k", arg_names = [], arch = "gfx950",
    variants = [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>],
    variant = #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>}> ({
^bb0:
}) : () -> ()

// -----

// expected-error @below {{'fly.kernel' op has 1 arguments but 2 argument names}}
"fly.kernel"() <{sym_name = "k", arg_names = ["a", "b"],
    variants = [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>]}> ({
^bb0(%0: !fly.matrix<bf16>):
}) : () -> ()

// -----

// expected-error @below {{'fly.kernel' op argument name 'a b' must be letters, digits and _, no digit first}}
"fly.kernel"() <{sym_name = "k", arg_names = ["a b"],
    variants = [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>]}> ({
^bb0(%0: !fly.matrix<bf16>):
}) : () -> ()

// -----

// expected-error @below {{'fly.kernel' op argument name '0' must be}}
fly.kernel @k(%0: !fly.matrix<bf16>)
    variants [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>] {
}

// -----

// expected-error @below {{'fly.kernel' op argument 'x' must be a matrix, scales or a group layout, got 'i32'}}
fly.kernel @k(%x: i32)
    variants [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>] {
}

// -----

// expected-error @below {{'fly.kernel' op has two arguments called 'k' in its code object}}
fly.kernel @k(%k: !fly.matrix<bf16>)
    variants [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>] {
}

// -----

// expected-error @below {{'fly.kernel' op has two arguments called 'pitch_a' in its code object}}
fly.kernel @k(%a: !fly.matrix<bf16>, %pitch_a: !fly.matrix<bf16>)
    variants [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>] {
}

// -----

fly.kernel @k() variants [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>] {
  // expected-error @below {{'arith.constant' op cannot be in a fly.kernel}}
  %c = arith.constant 1 : i32
}

// -----

fly.kernel @k() variants [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>] {
  fly.drain {
  }
  // expected-error @below {{'fly.drain' op is there twice; a kernel has one}}
  fly.drain {
  }
}

// -----

// expected-error @below {{requires attribute 'arg_names'}}
"fly.kernel"() <{sym_name = "k"}> ({
^bb0:
}) : () -> ()

// -----

func.func @f(%a: !fly.matrix<bf16>) {
  // expected-error @below {{'fly.gemm' op expects parent op 'fly.kernel'}}
  fly.gemm %a, %a into %a : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
  return
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<f16>)
    variants [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>] {
  // expected-error @below {{'fly.gemm' op A and B must have one element type, got 'bf16' and 'f16'}}
  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<f16>, !fly.matrix<bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<f32>)
    variants [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>] {
  // expected-error @below {{'fly.gemm' op A and B must have elements of 8 or 16 bits, got 'f32'}}
  fly.gemm %a, %a into %d : !fly.matrix<f32>, !fly.matrix<f32>, !fly.matrix<bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<f32>, %a: !fly.matrix<bf16>)
    variants [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>] {
  // expected-error @below {{'fly.gemm' op D must be bf16 or f16, got 'f32'}}
  fly.gemm %a, %a into %d : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<f32>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16, grouped>, %b: !fly.matrix<bf16>)
    variants [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>] {
  // expected-error @below {{'fly.gemm' op A and D must not be grouped: their rows are those of all groups}}
  fly.gemm %a, %b into %d : !fly.matrix<bf16, grouped>, !fly.matrix<bf16>, !fly.matrix<bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16, grouped>)
    variants [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>] {
  // expected-error @below {{'fly.gemm' op B must not be grouped; use fly.grouped_gemm}}
  fly.gemm %a, %b into %d : !fly.matrix<bf16>, !fly.matrix<bf16, grouped>, !fly.matrix<bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E5M2, grouped>,
              %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128, grouped>, %l: !fly.group_layout)
    variants [#fly.variant<"v", schedule "s", tile 128x128x128, waves 2x2>] {
  // expected-error @below {{'fly.grouped_gemm' op A and B must have one element type, got 'f8E4M3FN' and 'f8E5M2'}}
  fly.grouped_gemm %a scale %sa, %b scale %sb into %d groups %l align 128
    : !fly.matrix<f8E4M3FN>, !fly.scales<f8E8M0FNU, 1x128>, !fly.matrix<f8E5M2, grouped>, !fly.scales<f8E8M0FNU, 128x128, grouped>, !fly.matrix<bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN>,
              %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128, grouped>, %l: !fly.group_layout)
    variants [#fly.variant<"v", schedule "s", tile 128x128x128, waves 2x2>] {
  // expected-error @below {{'fly.grouped_gemm' op B and its scales must be grouped}}
  fly.grouped_gemm %a scale %sa, %b scale %sb into %d groups %l align 128
    : !fly.matrix<f8E4M3FN>, !fly.scales<f8E8M0FNU, 1x128>, !fly.matrix<f8E4M3FN>, !fly.scales<f8E8M0FNU, 128x128, grouped>, !fly.matrix<bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN, grouped>,
              %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128>, %l: !fly.group_layout)
    variants [#fly.variant<"v", schedule "s", tile 128x128x128, waves 2x2>] {
  // expected-error @below {{'fly.grouped_gemm' op B and its scales must be grouped}}
  fly.grouped_gemm %a scale %sa, %b scale %sb into %d groups %l align 128
    : !fly.matrix<f8E4M3FN>, !fly.scales<f8E8M0FNU, 1x128>, !fly.matrix<f8E4M3FN, grouped>, !fly.scales<f8E8M0FNU, 128x128>, !fly.matrix<bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN, grouped>,
              %sa: !fly.scales<f8E8M0FNU, 1x128, grouped>, %sb: !fly.scales<f8E8M0FNU, 128x128, grouped>, %l: !fly.group_layout)
    variants [#fly.variant<"v", schedule "s", tile 128x128x128, waves 2x2>] {
  // expected-error @below {{'fly.grouped_gemm' op the scales of A must not be grouped: they follow the rows of all groups}}
  fly.grouped_gemm %a scale %sa, %b scale %sb into %d groups %l align 128
    : !fly.matrix<f8E4M3FN>, !fly.scales<f8E8M0FNU, 1x128, grouped>, !fly.matrix<f8E4M3FN, grouped>, !fly.scales<f8E8M0FNU, 128x128, grouped>, !fly.matrix<bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN, grouped>,
              %sa: !fly.scales<f8E8M0FNU, 2x128>, %sb: !fly.scales<f8E8M0FNU, 128x128, grouped>, %l: !fly.group_layout)
    variants [#fly.variant<"v", schedule "s", tile 128x128x128, waves 2x2>] {
  // expected-error @below {{'fly.grouped_gemm' op the scales of A must be of single rows, got blocks of 2 rows}}
  fly.grouped_gemm %a scale %sa, %b scale %sb into %d groups %l align 128
    : !fly.matrix<f8E4M3FN>, !fly.scales<f8E8M0FNU, 2x128>, !fly.matrix<f8E4M3FN, grouped>, !fly.scales<f8E8M0FNU, 128x128, grouped>, !fly.matrix<bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN, grouped>,
              %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x64, grouped>, %l: !fly.group_layout)
    variants [#fly.variant<"v", schedule "s", tile 128x128x128, waves 2x2>] {
  // expected-error @below {{'fly.grouped_gemm' op both scales must have one K granularity, got 128 and 64}}
  fly.grouped_gemm %a scale %sa, %b scale %sb into %d groups %l align 128
    : !fly.matrix<f8E4M3FN>, !fly.scales<f8E8M0FNU, 1x128>, !fly.matrix<f8E4M3FN, grouped>, !fly.scales<f8E8M0FNU, 128x64, grouped>, !fly.matrix<bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN, grouped>,
              %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128, grouped>, %l: !fly.group_layout)
    variants [#fly.variant<"v", schedule "s", tile 128x128x128, waves 2x2>] {
  // expected-error @below {{'fly.grouped_gemm' op alignment must be a positive multiple of 16 rows, got 0}}
  fly.grouped_gemm %a scale %sa, %b scale %sb into %d groups %l align 0
    : !fly.matrix<f8E4M3FN>, !fly.scales<f8E8M0FNU, 1x128>, !fly.matrix<f8E4M3FN, grouped>, !fly.scales<f8E8M0FNU, 128x128, grouped>, !fly.matrix<bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN, grouped>,
              %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128, grouped>, %l: !fly.group_layout)
    variants [#fly.variant<"v", schedule "s", tile 128x128x128, waves 2x2>] {
  // expected-error @below {{'fly.grouped_gemm' op alignment must be a positive multiple of 16 rows, got 100}}
  fly.grouped_gemm %a scale %sa, %b scale %sb into %d groups %l align 100
    : !fly.matrix<f8E4M3FN>, !fly.scales<f8E8M0FNU, 1x128>, !fly.matrix<f8E4M3FN, grouped>, !fly.scales<f8E8M0FNU, 128x128, grouped>, !fly.matrix<bf16>
}
