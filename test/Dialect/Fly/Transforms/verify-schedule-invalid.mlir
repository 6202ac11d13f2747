// RUN: fly-opt %s --fly-verify-schedule -split-input-file -verify-diagnostics

fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %A = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %B = fly.slot B "B" of %b in %tile part 0 of 1 stages 2 at 32768 swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %fa = fly.fragment of %A : <128x64xbf16> -> <4x64xbf16>
  %fb = fly.fragment of %B : <128x64xbf16> -> <4x64xbf16>
  %acc = fly.accumulator of %fa, %fb : <4x64xbf16>, <4x64xbf16> -> <4x4>
  fly.prologue {
    // expected-note @below {{the earlier access is this}}
      fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.barrier
      // expected-error @below {{of slot "A" stage 0 in memory phase 0 of the loop may come before the copy has landed in all waves (RAW): it is still in flight; a wait of vmcnt(12) or less and then a barrier are missing}}
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
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
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    // expected-note @below {{the earlier access is this}}
      fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(9)
      fly.barrier
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      // expected-error @below {{of slot "B" stage 0 in memory phase 0 of the loop may come before the copy has landed in all waves (RAW): it is still in flight; a wait of vmcnt(8) or less and then a barrier are missing}}
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
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
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    // expected-note @below {{the earlier access is this}}
      fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      // expected-error @below {{of slot "A" stage 1 in memory phase 2 of the loop may come before the copy has landed in all waves (RAW): its wait is there, but a barrier after the wait is missing}}
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
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
    // expected-note @below {{the earlier access is this}}
      fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.barrier
      fly.wait vmcnt(8)
      // expected-error @below {{its wait is there, but a barrier after the wait is missing}}
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
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
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      // expected-note @below {{the earlier access is this}}
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.barrier
      // expected-error @below {{into slot "A" stage 0 in compute phase 1 of the loop may overwrite what another wave still reads (WAR): the read's end is not known to all waves: it is still in flight; a wait of lgkmcnt(8) or less and then a barrier are missing}}
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
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
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      // expected-note @below {{the earlier access is this}}
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      // expected-error @below {{may overwrite what another wave still reads (WAR): the read's end is not known to all waves: its wait is there, but a barrier after the wait is missing}}
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
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
    // expected-note @below {{the earlier access is this}}
      fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    // expected-error @below {{into slot "A" stage 0 in the prologue is not ordered after the copy before it (WAW): it is still in flight; a wait of vmcnt(4) or less is missing}}
      fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
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
    // expected-note @below {{copied by this}}
      fly.copy %A ahead 1 stage 0 guarded : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      // expected-error @below {{of slot "A" stage 0 in memory phase 0 of the loop wants K tile position 0, but the stage holds position 1}}
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
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
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(0)
      fly.barrier
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      // expected-error @below {{of slot "B" stage 1 in memory phase 2 of the loop wants K tile position 1, but nothing was copied there}}
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
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
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      // expected-note @below {{the earlier access is this}}
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      // expected-error @below {{uses its A fragment in compute phase 1 of the loop before they are there: it is still in flight; a wait of lgkmcnt(8) or less is missing}}
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
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
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      // expected-error @below {{uses its B fragment in compute phase 1 of the loop for K tile position 0, but nothing was loaded there}}
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
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
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      // expected-note @below {{loaded by this}}
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      // expected-error @below {{uses its B fragment in compute phase 3 of the loop for K tile position 1, but the registers hold position 0}}
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
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
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
      // expected-error @below {{takes K tile position 0 in compute phase 1 of the loop, but position 1 is due: each must be taken once, in order}}
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
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
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
    }
  }
  // expected-error @below {{ends when an accumulator has taken 1 K tiles too few}}
  fly.drain {
    fly.wait vmcnt(0)
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
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    // expected-error @below {{of K tile position 1 in the prologue may be past the last K tile and is not guarded}}
      fly.copy %A ahead 1 stage 1 : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
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
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  fly.drain {
    fly.wait vmcnt(0)
    // expected-error @below {{is in the drain, where no K tile is left}}
      fly.copy %A ahead 0 stage 0 guarded : <128x64xbf16>
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
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      // expected-note @below {{in flight is this}}
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  // expected-error @below {{leaves accesses in flight when the workgroup gives up its LDS: a wait of vmcnt(0) is missing}}
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
    fly.copy %A ahead 0 stage 0 : <128x64xbf16>
    fly.copy %B ahead 0 stage 0 : <128x64xbf16>
    fly.copy %A ahead 1 stage 1 guarded : <128x64xbf16>
    fly.copy %B ahead 1 stage 1 guarded : <128x64xbf16>
  }
  fly.loop unroll 2 {
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
      fly.read %fb ahead 0 stage 0 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 2 stage 0 guarded : <128x64xbf16>
      fly.copy %B ahead 2 stage 0 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 0 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
    fly.phase memory {
      fly.wait vmcnt(8)
      fly.barrier
      fly.read %fa ahead 1 stage 1 : <4x64xbf16>
      fly.read %fb ahead 1 stage 1 : <4x64xbf16>
    }
    fly.phase compute {
      fly.wait lgkmcnt(0)
      fly.barrier
      fly.copy %A ahead 3 stage 1 guarded : <128x64xbf16>
      fly.copy %B ahead 3 stage 1 guarded : <128x64xbf16>
      fly.mma %fa * %fb into %acc ahead 1 : <4x64xbf16>, <4x64xbf16> -> <4x4>
    }
  }
  // expected-error @below {{leaves accesses in flight when the workgroup gives up its LDS: a wait of lgkmcnt(0) is missing}}
  fly.drain {
    fly.wait vmcnt(0)
    fly.barrier
    // expected-note @below {{in flight is this}}
      fly.read %fa ahead 0 stage 0 : <4x64xbf16>
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}

// -----

// expected-error @below {{'fly.kernel' op is not expanded: a prologue, a loop and a drain are needed for the proof}}
fly.kernel @k() variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.prologue {
  }
  fly.drain {
  }
}

// -----

// expected-error @below {{'fly.kernel' op must have its prologue, loop and drain in this order}}
fly.kernel @k() variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.loop unroll 1 {
  }
  fly.prologue {
  }
  fly.drain {
  }
}

// -----

fly.kernel @k(%sa: !fly.scales<f8E8M0FNU, 1x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x128, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  %s = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
  fly.prologue {
    // expected-note @below {{the earlier access is this}}
    fly.load_scales %s ahead 0 stage 0 : <4>
    // expected-error @below {{into stage 0 in the prologue is not ordered after the load before it (WAW): it is still in flight; a wait of vmcnt(0) or less is missing}}
    fly.load_scales %s ahead 0 stage 0 : <4>
  }
  fly.loop unroll 2 {
  }
  fly.drain {
  }
}

// -----

fly.kernel @k(%sa: !fly.scales<f8E8M0FNU, 1x128>)
    variant #fly.variant<"v", schedule "s", tile 128x128x128, waves 2x2> arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x128 waves 2x2
  %s = fly.scale_fragment A of %sa in %tile stages 2 : <f8E8M0FNU, 1x128> -> <4>
  fly.prologue {
    // expected-error @below {{of K tile position 1 in the prologue may be past the last K tile and is not guarded}}
    fly.load_scales %s ahead 1 stage 1 : <4>
  }
  fly.loop unroll 2 {
  }
  fly.drain {
  }
}
