// Staged copies: what a write needs of its registers and of its slot.
// RUN: fly-opt %s --fly-verify-schedule -split-input-file -verify-diagnostics

// As planned.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %staging_A = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %staging_B = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fragment_A = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fragment_B = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fragment_A, %fragment_B : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 1 stage 1 guarded : <4>
    fly.load %staging_B ahead 1 stage 1 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 2 stage 0 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 2 stage 0 guarded : <4>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 0 stage 0 : <4x64xbf16>
      fly.read %fragment_B ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 1 stage 1 : <4>
      fly.load %staging_A ahead 3 stage 1 guarded : <4>
      fly.write %staging_B ahead 1 stage 1 : <4>
      fly.load %staging_B ahead 3 stage 1 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
      fly.read %fragment_B ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 4 stage 0 guarded : <4>
      fly.write %staging_B ahead 2 stage 0 : <4>
      fly.load %staging_B ahead 4 stage 0 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0) lgkmcnt(0)
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// A load in flight, in the prologue.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %staging_A = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %staging_B = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fragment_A = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fragment_B = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fragment_A, %fragment_B : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    // expected-note @below {{the earlier access is this}}
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 1 stage 1 guarded : <4>
    fly.load %staging_B ahead 1 stage 1 guarded : <4>
    fly.wait vmcnt(13)
    // expected-error @below {{'fly.write' op uses its staging registers in the prologue before they are there: it is still in flight; a wait of vmcnt(12) or less is missing}}
    fly.write %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 2 stage 0 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 2 stage 0 guarded : <4>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 0 stage 0 : <4x64xbf16>
      fly.read %fragment_B ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 1 stage 1 : <4>
      fly.load %staging_A ahead 3 stage 1 guarded : <4>
      fly.write %staging_B ahead 1 stage 1 : <4>
      fly.load %staging_B ahead 3 stage 1 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
      fly.read %fragment_B ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 4 stage 0 guarded : <4>
      fly.write %staging_B ahead 2 stage 0 : <4>
      fly.load %staging_B ahead 4 stage 0 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0) lgkmcnt(0)
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// A load in flight, in the loop.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %staging_A = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %staging_B = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fragment_A = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fragment_B = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fragment_A, %fragment_B : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 0 stage 0 : <4>
    // expected-note @below {{the earlier access is this}}
    fly.load %staging_A ahead 1 stage 1 guarded : <4>
    fly.load %staging_B ahead 1 stage 1 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 2 stage 0 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 2 stage 0 guarded : <4>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 0 stage 0 : <4x64xbf16>
      fly.read %fragment_B ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
    // expected-error @below {{'fly.write' op uses its staging registers in compute phase 1 of the loop before they are there: it is still in flight; a wait of vmcnt(12) or less is missing}}
      fly.write %staging_A ahead 1 stage 1 : <4>
      fly.load %staging_A ahead 3 stage 1 guarded : <4>
      fly.write %staging_B ahead 1 stage 1 : <4>
      fly.load %staging_B ahead 3 stage 1 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
      fly.read %fragment_B ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 4 stage 0 guarded : <4>
      fly.write %staging_B ahead 2 stage 0 : <4>
      fly.load %staging_B ahead 4 stage 0 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0) lgkmcnt(0)
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// Registers of another K tile.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %staging_A = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %staging_B = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fragment_A = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fragment_B = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fragment_A, %fragment_B : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 1 stage 1 guarded : <4>
    fly.load %staging_B ahead 1 stage 1 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_A ahead 0 stage 0 : <4>
    // expected-note @below {{loaded by this}}
    fly.load %staging_A ahead 2 stage 0 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 2 stage 0 guarded : <4>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 0 stage 0 : <4x64xbf16>
      fly.read %fragment_B ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
    // expected-error @below {{'fly.write' op uses its staging registers in compute phase 1 of the loop for K tile position 1, but the registers hold position 2}}
      fly.write %staging_A ahead 1 stage 0 : <4>
      fly.load %staging_A ahead 3 stage 1 guarded : <4>
      fly.write %staging_B ahead 1 stage 1 : <4>
      fly.load %staging_B ahead 3 stage 1 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
      fly.read %fragment_B ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 4 stage 0 guarded : <4>
      fly.write %staging_B ahead 2 stage 0 : <4>
      fly.load %staging_B ahead 4 stage 0 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0) lgkmcnt(0)
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// Registers that nothing was loaded into.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %staging_A = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %staging_B = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fragment_A = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fragment_B = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fragment_A, %fragment_B : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    fly.load %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 1 stage 1 guarded : <4>
    fly.load %staging_B ahead 1 stage 1 guarded : <4>
    fly.wait vmcnt(12)
    // expected-error @below {{'fly.write' op uses its staging registers in the prologue for K tile position 0, but nothing was loaded there}}
    fly.write %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 2 stage 0 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 2 stage 0 guarded : <4>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 0 stage 0 : <4x64xbf16>
      fly.read %fragment_B ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 1 stage 1 : <4>
      fly.load %staging_A ahead 3 stage 1 guarded : <4>
      fly.write %staging_B ahead 1 stage 1 : <4>
      fly.load %staging_B ahead 3 stage 1 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
      fly.read %fragment_B ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 4 stage 0 guarded : <4>
      fly.write %staging_B ahead 2 stage 0 : <4>
      fly.load %staging_B ahead 4 stage 0 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0) lgkmcnt(0)
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// A read before the write has landed.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %staging_A = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %staging_B = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fragment_A = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fragment_B = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fragment_A, %fragment_B : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 1 stage 1 guarded : <4>
    fly.load %staging_B ahead 1 stage 1 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 2 stage 0 guarded : <4>
    fly.wait vmcnt(12)
    // expected-note @below {{the earlier access is this}}
    fly.write %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 2 stage 0 guarded : <4>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait lgkmcnt(4)
      fly.barrier
      fly.read %fragment_A ahead 0 stage 0 : <4x64xbf16>
    // expected-error @below {{'fly.read' op of slot "B" stage 0 in memory phase 0 of the loop may come before the write has landed in all waves (RAW): it is still in flight; a wait of lgkmcnt(8) or less and then a barrier are missing}}
      fly.read %fragment_B ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 1 stage 1 : <4>
      fly.load %staging_A ahead 3 stage 1 guarded : <4>
      fly.write %staging_B ahead 1 stage 1 : <4>
      fly.load %staging_B ahead 3 stage 1 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
      fly.read %fragment_B ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 4 stage 0 guarded : <4>
      fly.write %staging_B ahead 2 stage 0 : <4>
      fly.load %staging_B ahead 4 stage 0 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0) lgkmcnt(0)
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// A read that other waves' writes are not ordered with.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %staging_A = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %staging_B = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fragment_A = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fragment_B = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fragment_A, %fragment_B : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 1 stage 1 guarded : <4>
    fly.load %staging_B ahead 1 stage 1 guarded : <4>
    fly.wait vmcnt(12)
    // expected-note @below {{the earlier access is this}}
    fly.write %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 2 stage 0 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 2 stage 0 guarded : <4>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait lgkmcnt(0)
    // expected-error @below {{'fly.read' op of slot "A" stage 0 in memory phase 0 of the loop may come before the write has landed in all waves (RAW): its wait is there, but a barrier after the wait is missing}}
      fly.read %fragment_A ahead 0 stage 0 : <4x64xbf16>
      fly.read %fragment_B ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 1 stage 1 : <4>
      fly.load %staging_A ahead 3 stage 1 guarded : <4>
      fly.write %staging_B ahead 1 stage 1 : <4>
      fly.load %staging_B ahead 3 stage 1 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
      fly.read %fragment_B ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 4 stage 0 guarded : <4>
      fly.write %staging_B ahead 2 stage 0 : <4>
      fly.load %staging_B ahead 4 stage 0 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0) lgkmcnt(0)
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// A write over a stage that other waves may still read.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %staging_A = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %staging_B = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fragment_A = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fragment_B = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fragment_A, %fragment_B : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 1 stage 1 guarded : <4>
    fly.load %staging_B ahead 1 stage 1 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 2 stage 0 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 2 stage 0 guarded : <4>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
    // expected-note @below {{the earlier access is this}}
      fly.read %fragment_A ahead 0 stage 0 : <4x64xbf16>
      fly.read %fragment_B ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(0) lgkmcnt(0)
    // expected-error @below {{'fly.write' op into slot "A" stage 0 in compute phase 1 of the loop may overwrite what another wave still reads (WAR): the read's end is not known to all waves: its wait is there, but a barrier after the wait is missing}}
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 3 stage 1 guarded : <4>
      fly.write %staging_B ahead 1 stage 1 : <4>
      fly.load %staging_B ahead 3 stage 1 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
      fly.read %fragment_B ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 4 stage 0 guarded : <4>
      fly.write %staging_B ahead 2 stage 0 : <4>
      fly.load %staging_B ahead 4 stage 0 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0) lgkmcnt(0)
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// A load into registers of a load in flight.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %staging_A = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %staging_B = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fragment_A = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fragment_B = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fragment_A, %fragment_B : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    // expected-note @below {{the earlier access is this}}
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 0 stage 0 : <4>
    // expected-error @below {{'fly.load' op into stage 0 in the prologue is not ordered after the load before it (WAW): it is still in flight; a wait of vmcnt(4) or less is missing}}
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 1 stage 1 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 2 stage 0 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 2 stage 0 guarded : <4>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 0 stage 0 : <4x64xbf16>
      fly.read %fragment_B ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 1 stage 1 : <4>
      fly.load %staging_A ahead 3 stage 1 guarded : <4>
      fly.write %staging_B ahead 1 stage 1 : <4>
      fly.load %staging_B ahead 3 stage 1 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
      fly.read %fragment_B ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 4 stage 0 guarded : <4>
      fly.write %staging_B ahead 2 stage 0 : <4>
      fly.load %staging_B ahead 4 stage 0 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0) lgkmcnt(0)
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// A load past the end without a guard.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %staging_A = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %staging_B = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fragment_A = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fragment_B = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fragment_A, %fragment_B : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 1 stage 1 guarded : <4>
    fly.load %staging_B ahead 1 stage 1 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 2 stage 0 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 2 stage 0 guarded : <4>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 0 stage 0 : <4x64xbf16>
      fly.read %fragment_B ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 1 stage 1 : <4>
    // expected-error @below {{'fly.load' op of K tile position 3 in compute phase 1 of the loop may be past the last K tile and is not guarded}}
      fly.load %staging_A ahead 3 stage 1 : <4>
      fly.write %staging_B ahead 1 stage 1 : <4>
      fly.load %staging_B ahead 3 stage 1 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
      fly.read %fragment_B ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 4 stage 0 guarded : <4>
      fly.write %staging_B ahead 2 stage 0 : <4>
      fly.load %staging_B ahead 4 stage 0 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0) lgkmcnt(0)
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// A load where no K tile is left.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %staging_A = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %staging_B = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fragment_A = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fragment_B = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fragment_A, %fragment_B : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 1 stage 1 guarded : <4>
    fly.load %staging_B ahead 1 stage 1 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 2 stage 0 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 2 stage 0 guarded : <4>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 0 stage 0 : <4x64xbf16>
      fly.read %fragment_B ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 1 stage 1 : <4>
      fly.load %staging_A ahead 3 stage 1 guarded : <4>
      fly.write %staging_B ahead 1 stage 1 : <4>
      fly.load %staging_B ahead 3 stage 1 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
      fly.read %fragment_B ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 4 stage 0 guarded : <4>
      fly.write %staging_B ahead 2 stage 0 : <4>
      fly.load %staging_B ahead 4 stage 0 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    // expected-error @below {{'fly.load' op is in the drain, where no K tile is left}}
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.wait vmcnt(0) lgkmcnt(0)
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// A write in flight at the end.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %staging_A = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %staging_B = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fragment_A = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fragment_B = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fragment_A, %fragment_B : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 1 stage 1 guarded : <4>
    fly.load %staging_B ahead 1 stage 1 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 2 stage 0 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 2 stage 0 guarded : <4>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 0 stage 0 : <4x64xbf16>
      fly.read %fragment_B ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 1 stage 1 : <4>
      fly.load %staging_A ahead 3 stage 1 guarded : <4>
      fly.write %staging_B ahead 1 stage 1 : <4>
      fly.load %staging_B ahead 3 stage 1 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
      fly.read %fragment_B ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
    // expected-note @below {{in flight is this}}
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 4 stage 0 guarded : <4>
      fly.write %staging_B ahead 2 stage 0 : <4>
      fly.load %staging_B ahead 4 stage 0 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
    // expected-error @below {{'fly.drain' op leaves accesses in flight when the workgroup gives up its LDS: a wait of lgkmcnt(0) is missing}}
  fly.drain {
    fly.wait vmcnt(0)
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// A direct copy over a write in flight.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %staging_A = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %staging_B = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fragment_A = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fragment_B = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fragment_A, %fragment_B : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 1 stage 1 guarded : <4>
    fly.load %staging_B ahead 1 stage 1 guarded : <4>
    fly.wait vmcnt(12)
    // expected-note @below {{the earlier access is this}}
    fly.write %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 2 stage 0 guarded : <4>
    fly.wait vmcnt(12)
    // expected-error @below {{'fly.copy' op into slot "A" stage 0 in the prologue is not ordered after the write before it (WAW): it is still in flight; a wait of lgkmcnt(0) or less is missing}}
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.write %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 2 stage 0 guarded : <4>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 0 stage 0 : <4x64xbf16>
      fly.read %fragment_B ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 1 stage 1 : <4>
      fly.load %staging_A ahead 3 stage 1 guarded : <4>
      fly.write %staging_B ahead 1 stage 1 : <4>
      fly.load %staging_B ahead 3 stage 1 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
      fly.read %fragment_B ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 4 stage 0 guarded : <4>
      fly.write %staging_B ahead 2 stage 0 : <4>
      fly.load %staging_B ahead 4 stage 0 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0) lgkmcnt(0)
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// A write over a direct copy in flight.
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %staging_A = fly.staging of %A stages 2 : <128x64xbf16> -> <4>
  %staging_B = fly.staging of %B stages 2 : <128x64xbf16> -> <4>
  %fragment_A = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fragment_B = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fragment_A, %fragment_B : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    fly.load %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 1 stage 1 guarded : <4>
    fly.load %staging_B ahead 1 stage 1 guarded : <4>
    fly.wait vmcnt(12)
    // expected-note @below {{the earlier access is this}}
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    // expected-error @below {{'fly.write' op into slot "A" stage 0 in the prologue is not ordered after the copy before it (WAW): it is still in flight; a wait of vmcnt(0) or less is missing}}
    fly.write %staging_A ahead 0 stage 0 : <4>
    fly.load %staging_A ahead 2 stage 0 guarded : <4>
    fly.wait vmcnt(12)
    fly.write %staging_B ahead 0 stage 0 : <4>
    fly.load %staging_B ahead 2 stage 0 guarded : <4>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 0 stage 0 : <4x64xbf16>
      fly.read %fragment_B ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 1 stage 1 : <4>
      fly.load %staging_A ahead 3 stage 1 guarded : <4>
      fly.write %staging_B ahead 1 stage 1 : <4>
      fly.load %staging_B ahead 3 stage 1 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.read %fragment_A ahead 1 stage 1 : <4x64xbf16>
      fly.read %fragment_B ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait vmcnt(8) lgkmcnt(0)
      fly.write %staging_A ahead 2 stage 0 : <4>
      fly.load %staging_A ahead 4 stage 0 guarded : <4>
      fly.write %staging_B ahead 2 stage 0 : <4>
      fly.load %staging_B ahead 4 stage 0 guarded : <4>
      fly.mma %fragment_A * %fragment_B into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0) lgkmcnt(0)
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}
