// RUN: fly-opt %s -split-input-file -verify-diagnostics

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x4>
    // expected-error @below {{'fly.copy' op must be in a pipeline, prologue, loop or drain}}
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
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
  fly.prologue {
    // expected-error @below {{'fly.copy' op must be 0 to 64 K tiles ahead, got -1}}
    fly.copy %A ahead -1 stage 0 : <128x64xbf16>
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
  fly.prologue {
    // expected-error @below {{'fly.copy' op must be 0 to 64 K tiles ahead, got 65}}
    fly.copy %A ahead 65 stage 0 : <128x64xbf16>
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
    fly.phase compute {
    // expected-error @below {{'fly.copy' op states a stage, which follows from 'ahead' in a pipeline}}
    fly.copy %A ahead 2 stage 0 : <128x64xbf16>
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
  fly.loop unroll 2 {
    // expected-error @below {{'fly.copy' op needs a stage outside of a pipeline}}
    fly.copy %A ahead 2 : <128x64xbf16>
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
  fly.loop unroll 2 {
    // expected-error @below {{'fly.copy' op stage 2 is none of the 2 stages}}
    fly.copy %A ahead 2 stage 2 : <128x64xbf16>
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
  fly.loop unroll 2 {
    // expected-error @below {{'fly.copy' op stage -1 is none of the 2 stages}}
    fly.copy %A ahead 2 stage -1 : <128x64xbf16>
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
    fly.phase compute {
    // expected-error @below {{'fly.copy' op is guarded where needed once laid out; a pipeline does not say so}}
    fly.copy %A ahead 2 guarded : <128x64xbf16>
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
  fly.loop unroll 2 {
    // expected-error @below {{'fly.read' op needs a stage outside of a pipeline}}
    fly.read %fa ahead 0 : <4x64xbf16>
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
  fly.drain {
    // expected-error @below {{'fly.read' op stage 2 is none of the 2 stages}}
    fly.read %fa ahead 0 stage 2 : <4x64xbf16>
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  fly.prologue {
    // expected-error @below {{'fly.copy' op needs handles that a fly.slot before it declares}}
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
  }
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.read' op needs handles that a fly.fragment before it declares}}
    fly.read %fa ahead 0 stage 0 : <4x64xbf16>
  }
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
}

// -----

func.func @f() {
  %0 = builtin.unrealized_conversion_cast to !fly.slot<128x64xbf16>
  // expected-error @below {{'fly.copy' op must be in a fly.kernel}}
  fly.copy %0 ahead 0 : <128x64xbf16>
  return
}

// -----

fly.kernel @k(%a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN>, %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %fa = fly.fragment of %A : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %fb = fly.fragment of %B : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %ra = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
  %rb = fly.scale_fragment B of %sb in %tile stages 2 : <f8E8M0FNU, 128x128> -> <1>
  %acc = fly.accumulator of %fa, %fb : <4x128xf8E4M3FN>, <4x128xf8E4M3FN> -> <4x4>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.load_scales' op needs a stage outside of a pipeline}}
    fly.load_scales %ra ahead 1 : <4>
  }
}

// -----

fly.kernel @k(%a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN>, %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %fa = fly.fragment of %A : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %fb = fly.fragment of %B : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %ra = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
  %rb = fly.scale_fragment B of %sb in %tile stages 2 : <f8E8M0FNU, 128x128> -> <1>
  %acc = fly.accumulator of %fa, %fb : <4x128xf8E4M3FN>, <4x128xf8E4M3FN> -> <4x4>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.load_scales' op stage 2 is none of the 2 stages}}
    fly.load_scales %ra ahead 1 stage 2 : <4>
  }
}

// -----

fly.kernel @k(%a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN>, %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %fa = fly.fragment of %A : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %fb = fly.fragment of %B : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %ra = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
  %rb = fly.scale_fragment B of %sb in %tile stages 2 : <f8E8M0FNU, 128x128> -> <1>
  %acc = fly.accumulator of %fa, %fb : <4x128xf8E4M3FN>, <4x128xf8E4M3FN> -> <4x4>
  fly.pipeline stages 2 {
    fly.phase compute {
    // expected-error @below {{'fly.load_scales' op is guarded where needed once laid out; a pipeline does not say so}}
    fly.load_scales %ra ahead 1 guarded : <4>
    }
  }
}

// -----

fly.kernel @k(%a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN>, %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  fly.prologue {
    // expected-error @below {{'fly.load_scales' op needs handles that a fly.scale_fragment before it declares}}
    fly.load_scales %ra ahead 0 stage 0 : <4>
  }
  %ra = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.mma' op needs handles that a fly.fragment before it declares}}
    fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
  }
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
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
  fly.loop unroll 2 {
    // expected-error @below {{'fly.mma' op needs handles that a fly.accumulator before it declares}}
    fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
  }
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
  fly.loop unroll 2 {
    // expected-error @below {{'fly.mma' op takes a fragment of slot "B", but its accumulator is of slot "A"}}
    fly.mma %fb * %fa into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
  }
}

// -----

fly.kernel @k(%a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN>, %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %fa = fly.fragment of %A : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %fb = fly.fragment of %B : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %ra = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
  %rb = fly.scale_fragment B of %sb in %tile stages 2 : <f8E8M0FNU, 128x128> -> <1>
  %acc = fly.accumulator of %fa, %fb : <4x128xf8E4M3FN>, <4x128xf8E4M3FN> -> <4x4>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.mma' op of 8-bit elements needs scales, got 'f8E4M3FN'}}
    fly.mma %fa * %fb into %acc ahead 0 : <4x128xf8E4M3FN>, <4x128xf8E4M3FN> -> <4x4>
  }
}

// -----

fly.kernel @k(%a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>, %sa: !fly.scales<f8E8M0FNU, 1x64>, %sb: !fly.scales<f8E8M0FNU, 64x64>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x4>
  %ra = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x64> -> <4>
  %rb = fly.scale_fragment B of %sb in %tile stages 2 : <f8E8M0FNU, 64x64> -> <1>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.mma' op with scales needs 8-bit elements, got 'bf16'}}
    fly.mma %fa * %fb scale %ra, %rb into %acc ahead 0 stage 0 : <4x64xbf16>, <4x64xbf16>, !fly.scale_fragment<4>, !fly.scale_fragment<1> -> <4x4>
  }
}

// -----

fly.kernel @k(%a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN>, %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %fa = fly.fragment of %A : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %fb = fly.fragment of %B : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %ra = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
  %rb = fly.scale_fragment B of %sb in %tile stages 2 : <f8E8M0FNU, 128x128> -> <1>
  %acc = fly.accumulator of %fa, %fb : <4x128xf8E4M3FN>, <4x128xf8E4M3FN> -> <4x4>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.mma' op scales must be of A, then of B}}
    fly.mma %fa * %fb scale %rb, %ra into %acc ahead 0 stage 0 : <4x128xf8E4M3FN>, <4x128xf8E4M3FN>, !fly.scale_fragment<1>, !fly.scale_fragment<4> -> <4x4>
  }
}

// -----

fly.kernel @k(%a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN>, %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %fa = fly.fragment of %A : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %fb = fly.fragment of %B : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %ra = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
  %rb = fly.scale_fragment B of %sb in %tile stages 3 : <f8E8M0FNU, 128x128> -> <1>
  %acc = fly.accumulator of %fa, %fb : <4x128xf8E4M3FN>, <4x128xf8E4M3FN> -> <4x4>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.mma' op needs scales with as many stages, got 2 and 3}}
    fly.mma %fa * %fb scale %ra, %rb into %acc ahead 0 stage 0 : <4x128xf8E4M3FN>, <4x128xf8E4M3FN>, !fly.scale_fragment<4>, !fly.scale_fragment<1> -> <4x4>
  }
}

// -----

fly.kernel @k(%a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN>, %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %fa = fly.fragment of %A : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %fb = fly.fragment of %B : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %ra = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
  %rb = fly.scale_fragment B of %sb in %tile stages 2 : <f8E8M0FNU, 128x128> -> <1>
  %acc = fly.accumulator of %fa, %fb : <4x128xf8E4M3FN>, <4x128xf8E4M3FN> -> <4x4>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.mma' op needs a stage outside of a pipeline}}
    fly.mma %fa * %fb scale %ra, %rb into %acc ahead 0 : <4x128xf8E4M3FN>, <4x128xf8E4M3FN>, !fly.scale_fragment<4>, !fly.scale_fragment<1> -> <4x4>
  }
}

// -----

fly.kernel @k(%a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN>, %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %fa = fly.fragment of %A : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %fb = fly.fragment of %B : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %ra = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
  %rb = fly.scale_fragment B of %sb in %tile stages 2 : <f8E8M0FNU, 128x128> -> <1>
  %acc = fly.accumulator of %fa, %fb : <4x128xf8E4M3FN>, <4x128xf8E4M3FN> -> <4x4>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.mma' op needs scales of both operands or of none}}
    "fly.mma"(%fa, %fb, %ra, %acc) <{ahead = 0 : i64, stage = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}>
      : (!fly.fragment<4x128xf8E4M3FN>, !fly.fragment<4x128xf8E4M3FN>, !fly.scale_fragment<4>, !fly.accumulator<4x4>) -> ()
  }
}

// -----

fly.kernel @k(%a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN>, %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %fa = fly.fragment of %A : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %fb = fly.fragment of %B : <128x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %acc = fly.accumulator of %fa, %fb : <4x128xf8E4M3FN>, <4x128xf8E4M3FN> -> <4x4>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.mma' op needs handles that a fly.scale_fragment before it declares}}
    fly.mma %fa * %fb scale %ra, %rb into %acc ahead 0 stage 0 : <4x128xf8E4M3FN>, <4x128xf8E4M3FN>, !fly.scale_fragment<4>, !fly.scale_fragment<1> -> <4x4>
  }
  %ra = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
  %rb = fly.scale_fragment B of %sb in %tile stages 2 : <f8E8M0FNU, 128x128> -> <1>
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
  fly.loop unroll 2 {
    // expected-error @below {{'fly.mma' op without scales has no stage}}
    fly.mma %fa * %fb into %acc ahead 0 stage 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
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
    // expected-error @below {{'fly.mma' op must be in a pipeline, prologue, loop or drain}}
    fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
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
  fly.loop unroll 2 {
    // expected-error @below {{'fly.mma' op must be 0 to 64 K tiles ahead, got -1}}
    fly.mma %fa * %fb into %acc ahead -1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.loop unroll 2 {
    // expected-error @below {{'fly.wait' op waits for nothing: give vmcnt or lgkmcnt}}
    fly.wait
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.loop unroll 2 {
    // expected-error @below {{'fly.wait' op vmcnt must be within 0..63, got 64}}
    fly.wait vmcnt(64)
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.loop unroll 2 {
    // expected-error @below {{'fly.wait' op vmcnt must be within 0..63, got -1}}
    fly.wait vmcnt(-1)
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.loop unroll 2 {
    // expected-error @below {{'fly.wait' op lgkmcnt must be within 0..15, got 16}}
    fly.wait lgkmcnt(16)
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.loop unroll 2 {
    // expected-error @below {{'fly.wait' op lgkmcnt must be within 0..15, got -1}}
    fly.wait lgkmcnt(-1)
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.pipeline stages 2 {
    fly.phase compute {
    // expected-error @below {{'fly.wait' op is derived; a pipeline does not state it}}
    fly.wait vmcnt(0)
    }
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.pipeline stages 2 {
    fly.phase compute {
    // expected-error @below {{'fly.barrier' op is derived; a pipeline does not state it}}
    fly.barrier
    }
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
    // expected-error @below {{'fly.wait' op must be in a prologue, loop or drain}}
    fly.wait vmcnt(0)
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
    // expected-error @below {{'fly.barrier' op must be in a prologue, loop or drain}}
    fly.barrier
}

// -----

fly.kernel @k()
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  fly.drain {
    // expected-error @below {{'fly.barrier' op group must be 0 or 1, got 2}}
    fly.barrier group 2
  }
}

// -----

fly.kernel @k()
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  fly.loop unroll 2 {
    // expected-error @below {{'fly.barrier' op of one group cannot be in a loop: the groups would drift apart}}
    fly.barrier group 0
  }
}

// -----

fly.kernel @k()
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 48x128x64 waves 3x1
  fly.drain {
    // expected-error @below {{'fly.barrier' op of one group needs a workgroup tile with an even number of waves}}
    fly.barrier group 0
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2 mfma 32x32x8
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <2x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <2x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <2x64xbf16>, <2x64xbf16> -> <2x2>
  fly.drain {
    // expected-error @below {{'fly.mma' op of 'bf16' takes 16 elements of K in MFMA of 32x32 on gfx950, got 8}}
    fly.mma %fa * %fb into %acc ahead 0 : <2x64xbf16>, <2x64xbf16> -> <2x2>
  }
}

// -----

fly.kernel @k(%a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN>, %sa: !fly.scales<f8E8M0FNU, 1x128>, %sb: !fly.scales<f8E8M0FNU, 128x128>)
    variant #fly.variant<"v", schedule "s", tile 256x128x128, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 256x128x128 waves 2x2 mfma 32x32x64
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <f8E4M3FN> -> <256x128xf8E4M3FN>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 65536 swizzle <16, 1> : <f8E4M3FN> -> <128x128xf8E4M3FN>
  %fa = fly.fragment of %A : <256x128xf8E4M3FN> -> <4x128xf8E4M3FN>
  %fb = fly.fragment of %B : <128x128xf8E4M3FN> -> <2x128xf8E4M3FN>
  %acc = fly.accumulator of %fa, %fb : <4x128xf8E4M3FN>, <2x128xf8E4M3FN> -> <4x2>
  %ra = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
  %rb = fly.scale_fragment B of %sb in %tile stages 2 : <f8E8M0FNU, 128x128> -> <1>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.mma' op with scales needs MFMA of 16x16, got 32x32}}
    fly.mma %fa * %fb scale %ra, %rb into %acc ahead 0 stage 0 : <4x128xf8E4M3FN>, <2x128xf8E4M3FN>, !fly.scale_fragment<4>, !fly.scale_fragment<1> -> <4x2>
  }
}

// -----

fly.kernel @k(%a: !fly.matrix<f8E4M3FN>, %b: !fly.matrix<f8E4M3FN>, %sa: !fly.scales<f8E8M0FNU, 1x64>, %sb: !fly.scales<f8E8M0FNU, 64x64>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <8, 1> : <f8E4M3FN> -> <128x64xf8E4M3FN>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <8, 1> : <f8E4M3FN> -> <128x64xf8E4M3FN>
  %fa = fly.fragment of %A : <128x64xf8E4M3FN> -> <4x64xf8E4M3FN>
  %fb = fly.fragment of %B : <128x64xf8E4M3FN> -> <4x64xf8E4M3FN>
  %s0 = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x64> -> <4>
  %s1 = fly.scale_fragment B of %sb in %tile stages 2 : <f8E8M0FNU, 64x64> -> <1>
  %acc = fly.accumulator of %fa, %fb : <4x64xf8E4M3FN>, <4x64xf8E4M3FN> -> <4x4>
  fly.pipeline stages 2 {
    fly.phase compute {
      // expected-error @below {{'fly.mma' op needs a K tile of whole MFMA of 128 elements, got 64}}
      fly.mma %fa * %fb scale %s0, %s1 into %acc ahead 0 : <4x64xf8E4M3FN>, <4x64xf8E4M3FN>, !fly.scale_fragment<4>, !fly.scale_fragment<1> -> <4x4>
    }
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.copy' op cannot fill slot "A": gfx942 has no direct copy of 16 bytes a lane; stage it in registers, with fly.load and fly.write}}
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.load' op needs handles that a fly.staging before it declares}}
    fly.load %r ahead 1 stage 1 guarded : <4>
  }
  %r = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %r = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  fly.pipeline stages 2 {
    fly.phase memory {
      // expected-error @below {{'fly.load' op is guarded where needed once laid out; a pipeline does not say so}}
      fly.load %r ahead 1 guarded : <4>
    }
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %r = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  fly.pipeline stages 2 {
    fly.phase memory {
      // expected-error @below {{'fly.load' op states a stage, which follows from 'ahead' in a pipeline}}
      fly.load %r ahead 1 stage 1 : <4>
    }
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %r = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.load' op needs a stage outside of a pipeline}}
    fly.load %r ahead 1 : <4>
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %r = fly.staging of %A stages 1 : <128x64xbf16> -> <4>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.load' op stage 1 is none of the 1 stages}}
    fly.load %r ahead 1 stage 1 guarded : <4>
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.write' op needs handles that a fly.staging before it declares}}
    fly.write %r ahead 1 stage 1 : <4>
  }
  %r = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %r = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  fly.pipeline stages 2 {
    fly.phase memory {
      // expected-error @below {{'fly.write' op states a stage, which follows from 'ahead' in a pipeline}}
      fly.write %r ahead 1 stage 1 : <4>
    }
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %r = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.write' op needs a stage outside of a pipeline}}
    fly.write %r ahead 1 : <4>
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %r = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  fly.loop unroll 2 {
    // expected-error @below {{'fly.write' op stage 2 is none of the 2 stages}}
    fly.write %r ahead 1 stage 2 : <4>
  }
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2 mfma 16x16x32
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <8, 0> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <8, 0> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.drain {
    // expected-error @below {{'fly.mma' op of 'bf16' takes 16 elements of K in MFMA of 16x16 on gfx942, got 32}}
    fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
  }
}
