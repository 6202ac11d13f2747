// RUN: fly-opt %s --fly-plan-waits -split-input-file -verify-diagnostics

// expected-error @below {{'fly.kernel' op is not expanded: waits are planned over a prologue, a loop and a drain}}
fly.kernel @k() variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.pipeline stages 2 {
  }
}

// -----

fly.kernel @k() variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.prologue {
    // expected-error @below {{'fly.wait' op is there already; waits are planned once}}
    fly.wait vmcnt(0)
  }
}

// -----

fly.kernel @k() variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  fly.drain {
    // expected-error @below {{'fly.barrier' op is there already; waits are planned once}}
    fly.barrier
  }
}
