// RUN: fly-opt %s | fly-opt | FileCheck %s
// RUN: fly-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: fly.kernel @run_time
// CHECK: %[[ID:.*]] = fly.workgroup_id
// CHECK: %[[ROWS:.*]] = fly.tile_count A 256
// CHECK: %[[COLUMNS:.*]] = fly.tile_count B 128
// CHECK: %[[P:.*]] = fly.map_xcd %[[ID]] of %[[ROWS]], %[[COLUMNS]] xcds 8
// CHECK: fly.map_grouped_m %[[P]] of %[[ROWS]], %[[COLUMNS]] size 4
fly.kernel @run_time() variant #fly.variant<"v", schedule "s", tile 256x128x64, waves 2x2> arch "gfx950" {
  %id = fly.workgroup_id
  %rows = fly.tile_count A 256
  %columns = fly.tile_count B 128
  %p = fly.map_xcd %id of %rows, %columns xcds 8
  %row, %column = fly.map_grouped_m %p of %rows, %columns size 4
  %tile = fly.workgroup_tile 256x128x64 waves 2x2 at %row, %column
}

// 5 x 3 tiles on 8 XCDs: id 9 is the second of XCD 1, whose range starts at 2; id
// 3 lies in the first group of 4 rows, at its last row.
// FOLD-LABEL: func @constants
// FOLD-DAG: %[[XCD:.*]] = arith.constant 3 : i32
// FOLD-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// FOLD: return %[[XCD]], %[[XCD]], %[[ZERO]]
func.func @constants() -> (i32, i32, i32) {
  %id = arith.constant 9 : i32
  %rows = arith.constant 5 : i32
  %columns = arith.constant 3 : i32
  %p = fly.map_xcd %id of %rows, %columns xcds 8
  %row, %column = fly.map_grouped_m %p of %rows, %columns size 4
  return %p, %row, %column : i32, i32, i32
}

// One XCD needs no map.
// FOLD-LABEL: func @one_xcd
// FOLD-SAME: %[[ID:.*]]: i32, %{{.*}}: i32
// FOLD: return %[[ID]]
func.func @one_xcd(%id: i32, %n: i32) -> i32 {
  %p = fly.map_xcd %id of %n, %n xcds 1
  return %p : i32
}
