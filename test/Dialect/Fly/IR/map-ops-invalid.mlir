// RUN: fly-opt %s -split-input-file -verify-diagnostics

fly.kernel @k() variant #fly.variant<"v", schedule "s", tile 128x128x64, waves 2x2> arch "gfx950" {
  // expected-error @below {{'fly.tile_count' op size must be positive, got 0}}
  %rows = fly.tile_count A 0
}

// -----

func.func @xcds(%id: i32) {
  // expected-error @below {{'fly.map_xcd' op xcds must be positive, got -1}}
  %p = fly.map_xcd %id of %id, %id xcds -1
  return
}

// -----

func.func @size(%id: i32) {
  // expected-error @below {{'fly.map_grouped_m' op size must be positive, got 0}}
  %row, %column = fly.map_grouped_m %id of %id, %id size 0
  return
}
