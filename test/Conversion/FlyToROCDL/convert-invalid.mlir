// RUN: fly-opt %s --convert-fly-to-rocdl -split-input-file -verify-diagnostics

// expected-error @below {{'fly.kernel' op cannot be lowered: unknown arch '', expected one of gfx942, gfx950}}
fly.kernel @k() variants [#fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2>] {
}

// -----

fly.kernel @k() variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.pipeline' op must be expanded before the kernel is lowered}}
  fly.pipeline stages 2 {
  }
}

// -----

// expected-error @below {{'fly.kernel' op cannot be lowered: it needs a workgroup tile, a prologue, a loop, a drain and a store}}
fly.kernel @k() variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
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
    // expected-error @below {{'fly.mma' op uses registers that nothing before it fills}}
    fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
  }
  fly.loop unroll 2 {
  }
  fly.drain {
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
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
  }
  // expected-error @below {{'fly.loop' op uses registers that nothing before it fills}}
  fly.loop unroll 2 {
    fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
  }
  fly.drain {
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
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
  }
  fly.loop unroll 2 {
    // expected-error @below {{'fly.copy' op in a loop must be 1 or more K tiles ahead: the first iteration begins with the last block of K}}
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
  }
  fly.drain {
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x32, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x32 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <8, 1> : <bf16> -> <128x32xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <8, 1> : <bf16> -> <128x32xbf16>
  %r = fly.staging of %A stages 1 : <128x32xbf16> -> <2>
  %fa = fly.fragment of %A : <128x32xbf16> -> <4x32xbf16>
  %fb = fly.fragment of %B : <128x32xbf16> -> <4x32xbf16>
  %acc = fly.accumulator of %fa, %fb : <4x32xbf16>, <4x32xbf16> -> <4x4>
  fly.prologue {
    // expected-error @below {{'fly.write' op uses registers that nothing before it fills}}
    fly.write %r ahead 0 stage 0 : <2>
  }
  fly.loop unroll 2 {
  }
  fly.drain {
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// Half a block of K: the first two positions are the last block.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x32, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 128x128x32 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <8, 1> : <bf16> -> <128x32xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <8, 1> : <bf16> -> <128x32xbf16>
  %r = fly.staging of %A stages 1 : <128x32xbf16> -> <2>
  %fa = fly.fragment of %A : <128x32xbf16> -> <4x32xbf16>
  %fb = fly.fragment of %B : <128x32xbf16> -> <4x32xbf16>
  %acc = fly.accumulator of %fa, %fb : <4x32xbf16>, <4x32xbf16> -> <4x4>
  fly.prologue {
    fly.load %r ahead 0 stage 0 : <2>
    fly.load %r ahead 1 stage 0 guarded : <2>
  }
  fly.loop unroll 2 {
    // expected-error @below {{'fly.load' op in a loop must be 2 or more K tiles ahead: the first iteration begins with the last block of K}}
    fly.load %r ahead 1 stage 0 guarded : <2>
  }
  fly.drain {
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// expected-error @below {{'fly.kernel' op cannot be lowered: accumulators, fragments and staging take 336 VGPRs, and with 4 waves a workgroup a wave of gfx942 has 256}}
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 256x256x32, waves 2x2> arch "gfx942" {
  %tile = fly.workgroup_tile 256x256x32 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <8, 1> : <bf16> -> <256x32xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <8, 1> : <bf16> -> <256x32xbf16>
  %r = fly.staging of %A stages 1 : <256x32xbf16> -> <4>
  %fa = fly.fragment of %A : <256x32xbf16> -> <8x32xbf16>
  %fb = fly.fragment of %B : <256x32xbf16> -> <8x32xbf16>
  %acc = fly.accumulator of %fa, %fb : <8x32xbf16>, <8x32xbf16> -> <8x8>
  fly.prologue {
  }
  fly.loop unroll 2 {
    fly.mma %fa * %fb into %acc ahead 0 : <8x32xbf16>, <8x32xbf16> -> <8x8>
  }
  fly.drain {
  }
  fly.store %acc to %d in %tile : !fly.accumulator<8x8> -> <bf16>
}
