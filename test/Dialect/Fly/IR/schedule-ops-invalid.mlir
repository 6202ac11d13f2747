// RUN: fly-opt %s -split-input-file -verify-diagnostics

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.workgroup_tile' op tile must be M x N x K, got 2 sizes}}
  %tile = fly.workgroup_tile 128x128 waves 2x2
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.workgroup_tile' op waves must be M x N, got 3 sizes}}
  %tile = fly.workgroup_tile 128x128x64 waves 2x2x1
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.workgroup_tile' op tile sizes must be within 1..4096, got 0}}
  %tile = fly.workgroup_tile 128x128x0 waves 2x2
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.workgroup_tile' op wave counts must be within 1..16, got 0}}
  %tile = fly.workgroup_tile 128x128x64 waves 0x2
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.workgroup_tile' op the 120 tile rows of A must split into 16-row tiles over 2 waves}}
  %tile = fly.workgroup_tile 120x128x64 waves 2x2
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.workgroup_tile' op the 128 tile rows of B must split into 16-row tiles over 3 waves}}
  %tile = fly.workgroup_tile 128x128x64 waves 2x3
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.workgroup_tile' op workgroup of 32 waves exceeds the 1024 threads of gfx950}}
  %tile = fly.workgroup_tile 128x128x64 waves 8x4
}

// -----

fly.kernel @k(%a: !fly.matrix<bf16>, %l: !fly.group_layout)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.workgroup_tile' op tile M 128 must divide the group alignment 192}}
  %tile = fly.workgroup_tile 128x128x64 waves 2x2 groups %l align 192
}

// -----

fly.kernel @k(%a: !fly.matrix<bf16>, %l: !fly.group_layout)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.workgroup_tile' op tile M 128 must divide the group alignment 0}}
  %tile = fly.workgroup_tile 128x128x64 waves 2x2 groups %l align 0
}

// -----

fly.kernel @k(%l: !fly.group_layout)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.workgroup_tile' op needs both groups and their alignment, or neither}}
  %0 = "fly.workgroup_tile"(%l) <{operandSegmentSizes = array<i32: 0, 0, 1>, tile = array<i64: 128, 128, 64>, waves = array<i64: 2, 2>}>
    : (!fly.group_layout) -> !fly.tile
}

// -----

fly.kernel @k() variants [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>] {
  // expected-error @below {{'fly.workgroup_tile' op needs a kernel with an arch}}
  %0 = fly.workgroup_tile 128x128x64 waves 2x2
}

// -----

// expected-error @below {{'fly.workgroup_tile' op expects parent op 'fly.kernel'}}
%0 = fly.workgroup_tile 128x128x64 waves 2x2

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.slot' op needs handles that a fly.workgroup_tile before it declares}}
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op of 'f16' elements does not fit its operand of 'bf16'}}
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op must hold the K tile of 64 elements, got 32}}
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x32xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x16 waves 2x2
  // expected-error @below {{'fly.slot' op rows must be 64 or 128 bytes, got 32}}
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <4, 1> : <bf16> -> <128x16xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x32, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x32 waves 2x2
  // expected-error @below {{'fly.slot' op swizzle <16, 1> moves a chunk out of the 4 chunks of a row}}
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x32xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op part 1 of 1 does not exist}}
  %A = fly.slot A "A" of %a in %tile part 1 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op part 0 of 0 does not exist}}
  %A = fly.slot A "A" of %a in %tile part 0 of 0 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op part -1 of 2 does not exist}}
  %A = fly.slot A "A" of %a in %tile part -1 of 2 stages 2 at 0 swizzle <16, 1> : <bf16> -> <64x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op of 128 rows must be one of 2 equal parts of 128 tile rows}}
  %A = fly.slot A "A" of %a in %tile part 0 of 2 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op of 128 rows must be one of 3 equal parts of 128 tile rows}}
  %A = fly.slot A "A" of %a in %tile part 0 of 3 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op of 16 rows must split into 16-row tiles over 2 waves}}
  %A = fly.slot A "A" of %a in %tile part 0 of 8 stages 2 at 0 swizzle <16, 1> : <bf16> -> <16x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 256x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op ends at byte 98304 of LDS, past the 65536 bytes of gfx942}}
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 3 at 0 swizzle <16, 1> : <bf16> -> <256x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 16x128x64 waves 1x8
  // expected-error @below {{'fly.slot' op of 2048 bytes a stage must be a multiple of 8192 bytes, what 8 waves copy at a time}}
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <16x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op needs 2 to 16 stages, got 1}}
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 1 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op needs 2 to 16 stages, got 17}}
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 17 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op must start at a multiple of 1024 bytes, got 512}}
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 512 swizzle <16, 1> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op must start at a multiple of 1024 bytes, got -1024}}
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at -1024 swizzle <16, 1> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op starts at byte 164864 of LDS, past the 163840 bytes of gfx950}}
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 164864 swizzle <16, 1> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op ends at byte 164864 of LDS, past the 163840 bytes of gfx950}}
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 132096 swizzle <16, 1> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  // expected-error @below {{'fly.slot' op overlaps slot "A" in LDS}}
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 16384 swizzle <16, 1> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 2 stages 2 at 0 swizzle <16, 1> : <bf16> -> <64x64xbf16>
  // expected-error @below {{'fly.slot' op must have the operand, parts and swizzle of slot "A", which is of the same side}}
  %A2 = fly.slot A "A2" of %b in %tile part 1 of 2 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <64x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 2 stages 2 at 0 swizzle <16, 1> : <bf16> -> <64x64xbf16>
  // expected-error @below {{'fly.slot' op must have the operand, parts and swizzle of slot "A"}}
  %A2 = fly.slot A "A2" of %a in %tile part 1 of 2 stages 2 at 32768 swizzle <8, 0> : <bf16> -> <64x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.fragment' op needs handles that a fly.slot before it declares}}
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  // expected-error @below {{'fly.fragment' op of slot "A" must be '!fly.fragment<4x64xbf16>', got '!fly.fragment<8x64xbf16>'}}
  %fa = fly.fragment of %A : <128x64xbf16> -> <8x64xbf16>
}

// -----

fly.kernel @k(%s: !fly.scales<f8E8M0FNU, 1x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.scale_fragment' op needs handles that a fly.workgroup_tile before it declares}}
  %s0 = fly.scale_fragment A of %s in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
}

// -----

fly.kernel @k(%s: !fly.scales<f8E8M0FNU, 1x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  // expected-error @below {{'fly.scale_fragment' op needs an arch with scaled MFMA, got gfx942}}
  %s0 = fly.scale_fragment A of %s in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
}

// -----

fly.kernel @k(%s: !fly.scales<f8E8M0FNU, 1x64>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  // expected-error @below {{'fly.scale_fragment' op needs one scale a K tile of 128 elements, got blocks of 64}}
  %s0 = fly.scale_fragment A of %s in %tile stages 2 : <f8E8M0FNU, 1x64> -> <4>
}

// -----

fly.kernel @k(%s: !fly.scales<f8E8M0FNU, 1x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  // expected-error @below {{'fly.scale_fragment' op needs 2 to 16 stages, got 1}}
  %s0 = fly.scale_fragment A of %s in %tile stages 1 : <f8E8M0FNU, 1x128> -> <4>
}

// -----

fly.kernel @k(%s: !fly.scales<f8E8M0FNU, 1x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  // expected-error @below {{'fly.scale_fragment' op needs 2 to 16 stages, got 17}}
  %s0 = fly.scale_fragment A of %s in %tile stages 17 : <f8E8M0FNU, 1x128> -> <4>
}

// -----

fly.kernel @k(%s: !fly.scales<f8E8M0FNU, 128x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  // expected-error @below {{'fly.scale_fragment' op of A needs scales of single rows, got blocks of 128}}
  %s0 = fly.scale_fragment A of %s in %tile stages 2 : <f8E8M0FNU, 128x128> -> <4>
}

// -----

fly.kernel @k(%s: !fly.scales<f8E8M0FNU, 1x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 64x128x128 waves 2x2
  // expected-error @below {{'fly.scale_fragment' op of A needs 4 or 8 rows a lane, got 2}}
  %s0 = fly.scale_fragment A of %s in %tile stages 2 : <f8E8M0FNU, 1x128> -> <2>
}

// -----

fly.kernel @k(%s: !fly.scales<f8E8M0FNU, 32x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  // expected-error @below {{'fly.scale_fragment' op of B needs a wave's 64 columns within one scale block of 32}}
  %s0 = fly.scale_fragment B of %s in %tile stages 2 : <f8E8M0FNU, 32x128> -> <1>
}

// -----

fly.kernel @k(%s: !fly.scales<f8E8M0FNU, 1x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  // expected-error @below {{'fly.scale_fragment' op must hold 4 scales a lane, got 8}}
  %s0 = fly.scale_fragment A of %s in %tile stages 2 : <f8E8M0FNU, 1x128> -> <8>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.accumulator' op needs handles that a fly.fragment before it declares}}
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x4>
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  // expected-error @below {{'fly.accumulator' op needs a fragment of A and one of B}}
  %acc = fly.accumulator of %fb, %fa : <4x64xbf16>, <4x64xbf16> -> <4x4>
}

// -----

fly.kernel @k(%a: !fly.matrix<bf16>, %b: !fly.matrix<f16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <f16> -> <128x64xf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xf16> -> <4x64xf16>
  // expected-error @below {{'fly.accumulator' op needs fragments of one element type, got '!fly.fragment<4x64xbf16>' and '!fly.fragment<4x64xf16>'}}
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xf16> -> <4x4>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  // expected-error @below {{'fly.accumulator' op of 4x4 fragments cannot be '!fly.accumulator<4x8>'}}
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x8>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.store' op needs handles that a fly.workgroup_tile before it declares}}
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x4>
}

// -----

fly.kernel @k(%d: !fly.matrix<f32>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x4>
  // expected-error @below {{'fly.store' op needs a matrix of bf16 or f16 that is not grouped, got '!fly.matrix<f32>'}}
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <f32>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16, grouped>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x4>
  // expected-error @below {{'fly.store' op needs a matrix of bf16 or f16 that is not grouped, got '!fly.matrix<bf16, grouped>'}}
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16, grouped>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  // expected-error @below {{'fly.store' op needs handles that a fly.accumulator before it declares}}
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x4>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x4>
  // expected-error @below {{'fly.store' op stores an accumulator twice}}
  fly.store %acc, %acc to %d in %tile : !fly.accumulator<4x4>, !fly.accumulator<4x4> -> <bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 2 stages 2 at 0 swizzle <16, 1> : <bf16> -> <64x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <64x64xbf16> -> <2x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <2x64xbf16>, <4x64xbf16> -> <2x4>
  // expected-error @below {{'fly.store' op must store the 16 tiles of 16x16 that a wave computes, got 8}}
  fly.store %acc to %d in %tile : !fly.accumulator<2x4> -> <bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x64x64 waves 1x4
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <64x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <8x64xbf16>
  %fb = fly.fragment of %B : <64x64xbf16> -> <1x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <8x64xbf16>, <1x64xbf16> -> <8x1>
  // expected-error @below {{'fly.store' op needs a multiple of 32 columns a wave, got 16}}
  fly.store %acc to %d in %tile : !fly.accumulator<8x1> -> <bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.phase' op must be in a pipeline, a loop or a drain}}
  fly.phase memory {
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.loop unroll 1 {
    fly.phase memory {
  // expected-error @below {{'arith.constant' op cannot be in a phase}}
      %c = arith.constant 0 : i32
    }
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.loop unroll 1 {
    fly.phase memory {
  // expected-error @below {{'fly.mma' op cannot be in a memory phase}}
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.pipeline' op needs 2 to 16 stages, got 1}}
  fly.pipeline stages 1 {
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.pipeline' op needs 2 to 16 stages, got 17}}
  fly.pipeline stages 17 {
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.pipeline stages 2 {
  // expected-error @below {{'fly.copy' op cannot be in a pipeline, which holds phases}}
    fly.copy %A ahead 0 : <128x64xbf16>
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.prologue {
  // expected-error @below {{'arith.constant' op cannot be in fly.prologue}}
    %c = arith.constant 0 : i32
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.loop' op must unroll 1 to 64 positions, got 0}}
  fly.loop unroll 0 {
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.loop' op must unroll 1 to 64 positions, got 65}}
  fly.loop unroll 65 {
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.loop unroll 2 {
  // expected-error @below {{'arith.constant' op cannot be in fly.loop}}
    %c = arith.constant 0 : i32
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.drain {
  // expected-error @below {{'arith.constant' op cannot be in fly.drain}}
    %c = arith.constant 0 : i32
  }
}

// -----

fly.kernel @k()
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.pipeline stages 2 {
    // expected-error @below {{'fly.phase' op priority must be within 0..3, got 4}}
    fly.phase memory priority 4 {
    }
  }
}

// -----

fly.kernel @k() variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %id = fly.workgroup_id
  // expected-error @below {{'fly.workgroup_tile' op needs both a row and a column, or neither}}
  %0 = "fly.workgroup_tile"(%id) <{operandSegmentSizes = array<i32: 1, 0, 0>, tile = array<i64: 128, 128, 64>, waves = array<i64: 2, 2>}>
    : (i32) -> !fly.tile
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.workgroup_tile' op mfma must be M x N x K, got 2 sizes}}
  %tile = fly.workgroup_tile 128x128x64 waves 2x2 mfma 16x16
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.workgroup_tile' op mfma must be 16x16 or 32x32, got 32x16}}
  %tile = fly.workgroup_tile 128x128x64 waves 2x2 mfma 32x16x16
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.workgroup_tile' op mfma must be 16x16 or 32x32, got 4x4}}
  %tile = fly.workgroup_tile 128x128x64 waves 2x2 mfma 4x4x4
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.workgroup_tile' op the 96 tile rows of B must split into 32-row tiles over 2 waves}}
  %tile = fly.workgroup_tile 128x96x64 waves 2x2 mfma 32x32x16
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2 mfma 32x32x16
  // expected-error @below {{'fly.slot' op of 32 rows must split into 32-row tiles over 2 waves}}
  %A = fly.slot A "A" of %a in %tile part 0 of 4 stages 2 at 0 swizzle <16, 1> : <bf16> -> <32x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  // expected-error @below {{'fly.slot' op swizzle must repeat within the 16 rows of an MFMA, got 32}}
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <32, 2> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2 mfma 32x32x16
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  // expected-error @below {{'fly.fragment' op of slot "A" must be '!fly.fragment<2x64xbf16>', got '!fly.fragment<4x64xbf16>'}}
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  // expected-error @below {{'fly.accumulator' op in agpr needs MFMA of 32x32, got 16x16}}
  %acc = fly.accumulator of %fa, %fb in agpr : <4x64xbf16>, <4x64xbf16> -> <4x4>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  // expected-error @below {{'fly.staging' op needs handles that a fly.slot before it declares}}
  %r = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  // expected-error @below {{'fly.staging' op of slot "A" must hold the 4 chunks a lane that a wave copies, got 2}}
  %r = fly.staging of %A stages 2 : <128x64xbf16> -> <2>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  // expected-error @below {{'fly.staging' op stages must divide the 2 of slot "A", got 3}}
  %r = fly.staging of %A stages 3 : <128x64xbf16> -> <4>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  // expected-error @below {{'fly.staging' op stages must divide the 2 of slot "A", got 0}}
  %r = fly.staging of %A stages 0 : <128x64xbf16> -> <4>
}
