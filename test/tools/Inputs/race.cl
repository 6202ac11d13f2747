// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two waves exchange values through LDS without a barrier. The lines are named
// in fly-emu-lines.test.
static int __attribute__((always_inline)) load(local volatile int *p) {
  return *p; // line 7
}
static int __attribute__((always_inline)) twice(local volatile int *p) {
  return 2 * load(p); // line 10
}
kernel void __attribute__((reqd_work_group_size(128, 1, 1)))
race(global int *out) {
  local int cells[128];
  local volatile int *p = cells;
  unsigned id = __builtin_amdgcn_workitem_id_x();
  p[id] = (int)id; // line 17
  out[id] = twice(&p[127 - id]); // line 18
}
