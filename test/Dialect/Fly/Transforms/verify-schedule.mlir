// A hand-written schedule is proved as a planned one is; nothing is changed.
// RUN: fly-opt %s -o %t.before
// RUN: fly-opt %s --fly-verify-schedule -o %t.after
// RUN: diff %t.before %t.after

// Stronger waits than needed are no hazard.
// RUN: sed -e 's/vmcnt(8)/vmcnt(0)/' %s | fly-opt --fly-verify-schedule -o %t.strong

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
  }
  fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> <bf16>
}
