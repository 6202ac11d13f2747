//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Control flow that differs between lanes, scratch memory, calls.

#include "common.h"

kernel GROUP(64) void collatz(global const uint *in, global uint *out) {
  uint v = in[GID() * 64 + TID()], steps = 0;
  while (v != 1) {
    v = v & 1 ? 3 * v + 1 : v / 2;
    ++steps;
  }
  out[GID() * 64 + TID()] = steps;
}

kernel GROUP(64) void branches(global const int *in, global int *out) {
  int v = in[TID()], r = 0;
  for (int i = 0; i < 20; ++i) {
    if (v % 7 == i % 7)
      continue;
    if (v > 100 && i > v % 13)
      break;
    switch (v + i & 7) {
    case 0: r += v; break;
    case 1: r ^= i * 77;
    case 2: r -= 5; break;
    case 3:
      for (int j = 0; j < (v & 15); ++j)
        r = r * 3 + j;
      break;
    case 5: r = ~r; break;
    default: r += i;
    }
  }
  out[TID()] = r;
}

kernel GROUP(64) void mandelbrot(global float *out, uint width, float scale) {
  float cx = (float)(TID() % width) * scale - 2;
  float cy = (float)(GID()) * scale - 1;
  float x = 0, y = 0;
  int i = 0;
  while (i < 100 && x * x + y * y < 4) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    ++i;
  }
  out[GID() * 64 + TID()] = (float)i;
}

// A private array with addresses that only the run knows: scratch.
kernel GROUP(64) void private_sort(global const int *in, global int *out) {
  int a[24];
  for (int i = 0; i != 24; ++i)
    a[i] = in[TID() * 24 + i];
  for (int i = 1; i < 24; ++i) {
    int v = a[i], j = i;
    for (; j > 0 && a[j - 1] > v; --j)
      a[j] = a[j - 1];
    a[j] = v;
  }
  for (int i = 0; i != 24; ++i)
    out[TID() * 24 + i] = a[i];
}

kernel GROUP(64) void private_bytes(global const uchar *in, global uint *out) {
  uchar table[256];
  ushort count[32];
  for (int i = 0; i != 256; ++i)
    table[i] = (uchar)(i * 167 + TID());
  for (int i = 0; i != 32; ++i)
    count[i] = 0;
  uint h = 1;
  for (int i = 0; i != 32; ++i) {
    uchar v = table[in[TID() * 32 + i]];
    count[v & 31] += v;
    h = h * 31 + v;
  }
  for (int i = 0; i != 32; ++i)
    h = h * 31 + count[(h >> 3) & 31];
  out[TID()] = h;
}

// Calls that are not inlined: a stack, and registers that are saved on it.
__attribute__((noinline)) int mix(int a, int b) { return a * 31 + (b ^ a >> 3); }
kernel GROUP(64) void calls(global const int *in, global int *out) {
  int v = in[TID()];
  int r = mix(v, 5);
  if (v & 1)
    r = mix(r, v);
  else
    r = mix(v, mix(v, r));
  out[TID()] = r;
}
// A generic pointer: global, LDS or private by the lane.
kernel GROUP(64) void apertures(global const int *in, global int *out) {
  local int shared[64];
  int own[4];
  for (int i = 0; i != 4; ++i)
    own[i] = in[TID()] * (i + 1);
  shared[TID()] = in[TID()] + 1000;
  BARRIER();
  const int *p = (const int *)&in[63 - TID()];
  if (TID() % 3 == 1)
    p = (const int *)&shared[(TID() * 5) & 63];
  else if (TID() % 3 == 2)
    p = (const int *)&own[TID() & 3];
  out[TID()] = *(const volatile int *)p;
}

// Threads that leave before others; partial waves.
kernel GROUP(100) void ragged(global const int *in, global int *out, int n) {
  int i = GID() * 100 + TID();
  if (i >= n)
    return;
  local int cell[100];
  cell[TID()] = in[i] * 2;
  out[i] = cell[TID()] + (i % 3 == 0 ? in[i / 3] : -i);
}

// The workgroup's ids and sizes in three dimensions.
__attribute__((reqd_work_group_size(4, 4, 8))) kernel void ids(global uint *out) {
  uint x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y(),
       z = __builtin_amdgcn_workitem_id_z();
  uint gx = __builtin_amdgcn_workgroup_id_x(), gy = __builtin_amdgcn_workgroup_id_y(),
       gz = __builtin_amdgcn_workgroup_id_z();
  uint group = gx + 3 * (gy + 2 * gz);
  out[group * 128 + x + 4 * (y + 4 * z)] =
      x | y << 4 | z << 8 | gx << 12 | gy << 16 | gz << 20;
}
