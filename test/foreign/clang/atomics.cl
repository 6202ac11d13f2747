//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Atomics on memory through global, flat and buffer instructions.
// OPTIONS: -munsafe-fp-atomics

#include "common.h"

#define OP(op, p, v)                                                           \
  __scoped_atomic_##op(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)

kernel GROUP(256) void global_atomics(global const int *in, global int *out,
                                      global long *wide) {
  uint i = GID() * 256 + TID();
  int v = in[i];
  OP(fetch_add, &out[0], v);
  OP(fetch_sub, &out[1], v);
  OP(fetch_min, &out[2], v);
  OP(fetch_max, &out[3], v);
  OP(fetch_min, (global uint *)&out[4], (uint)v);
  OP(fetch_and, &out[5], v | 0xff00);
  OP(fetch_or, &out[6], v & 0x55aa);
  OP(fetch_xor, &out[7], v);
  OP(fetch_max, (global uint *)&out[8], (uint)v);
  OP(fetch_add, &wide[0], (long)v << 20);
  OP(fetch_max, &wide[1], (long)v << 20);
  OP(fetch_min, &wide[2], (long)v << 20);
  OP(fetch_xor, &wide[3], (long)v << 20);
  OP(fetch_or, &wide[4], (long)v << 20);
  // One lane after the other in one cell: the values returned are a
  // permutation, so their sum is known.
  int ticket = OP(fetch_add, &out[16 + TID()], 1);
  OP(fetch_add, &out[9], ticket);
  long ticket64 = OP(fetch_add, &wide[16 + TID() % 4], 1L);
  OP(fetch_add, &wide[5], ticket64);
  int old = OP(exchange_n, &out[10], v);
  OP(fetch_add, &out[11], old);
}

kernel GROUP(64) void global_compare_swap(global const int *in, global int *out,
                                          global long *wide) {
  // The maximum by compare and swap, of 32 and of 64 bits.
  int v = in[GID() * 64 + TID()];
  int seen = OP(fetch_add, &out[0], 0);
  while (seen < v && !__scoped_atomic_compare_exchange_n(
                         &out[0], &seen, v, 0, __ATOMIC_RELAXED,
                         __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)) {
  }
  long v64 = (long)v << 32 | (uint)v, seen64 = OP(fetch_add, &wide[0], 0L);
  while (seen64 < v64 && !__scoped_atomic_compare_exchange_n(
                             &wide[0], &seen64, v64, 0, __ATOMIC_RELAXED,
                             __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)) {
  }
}

kernel GROUP(64) void float_atomics(global const float *in, global float *out,
                                    global double *wide, global half2 *packed,
                                    global short2 *packed_bf) {
  uint i = GID() * 64 + TID();
  float v = in[i];
  OP(fetch_add, &out[TID() % 8], v);
  float before = OP(fetch_add, &out[8 + i], v);
  out[256 + i] = before;
  OP(fetch_add, &wide[0], (double)v);
  OP(fetch_max, &wide[1], (double)v);
  OP(fetch_min, &wide[2], (double)v);
  half2 h = {(half)v, (half)(v + 1)};
  __builtin_amdgcn_global_atomic_fadd_v2f16(&packed[TID() % 4], h);
  uint high = __builtin_bit_cast(uint, v) & 0xffff0000u;
  short2 b = __builtin_bit_cast(short2, high | high >> 16);
  __builtin_amdgcn_global_atomic_fadd_v2bf16(&packed_bf[TID() % 4], b);
}

// The address space is known at run time only: half of the lanes add in LDS,
// the others in memory.
__attribute__((noinline)) void add_somewhere(int *p, int v) {
  OP(fetch_add, p, v);
}
kernel GROUP(64) void flat_atomics(global const int *in, global int *out) {
  local int cell[2];
  if (TID() < 2)
    cell[TID()] = 0;
  BARRIER();
  int *p = TID() & 1 ? (int *)&cell[TID() >> 1 & 1] : (int *)&out[TID() % 8];
  add_somewhere(p, in[TID()]);
  BARRIER();
  if (TID() < 2)
    out[8 + TID()] = cell[TID()];
}

kernel GROUP(64) void buffer_atomics(global const int *in, global int *out,
                                     int size) {
  __amdgpu_buffer_rsrc_t rsrc =
      __builtin_amdgcn_make_buffer_rsrc(out, 0, size, 0x27000);
  int v = in[TID()];
  __builtin_amdgcn_raw_ptr_buffer_atomic_add_i32(v, rsrc, TID() % 8 * 4, 0, 0);
  float f = (float)v;
  __builtin_amdgcn_raw_ptr_buffer_atomic_fadd_f32(f, rsrc, TID() % 8 * 4, 32,
                                                  0);
  half2 h = {(half)v, (half)-v};
  __builtin_amdgcn_raw_ptr_buffer_atomic_fadd_v2f16(h, rsrc, TID() % 8 * 4, 64,
                                                    0);
  __builtin_amdgcn_raw_ptr_buffer_atomic_fmax_f64(
      (double)v, rsrc, TID() % 4 * 8, 96, 0);
}

// Workgroups that wait for others: each for the one behind it, as parts of a sum
// that belong to the first do; and all for all, by atomics that change nothing.
kernel GROUP(64) void wait_for_later(global int *flags, global int *sums) {
  int group = __builtin_amdgcn_workgroup_id_x();
  int last = __builtin_amdgcn_grid_size_x() / 64 - 1;
  if (TID() == 0) {
    int sum = group;
    if (group < last) {
      while (!__scoped_atomic_load_n(flags + group + 1, __ATOMIC_ACQUIRE,
                                     __MEMORY_SCOPE_DEVICE))
        ;
      sum += sums[group + 1];
    }
    sums[group] = sum;
    __scoped_atomic_store_n(flags + group, 1, __ATOMIC_RELEASE,
                            __MEMORY_SCOPE_DEVICE);
  }
}
kernel GROUP(64) void wait_for_all(global int *count, global int *data) {
  int group = __builtin_amdgcn_workgroup_id_x();
  int groups = __builtin_amdgcn_grid_size_x() / 64;
  for (int round = 0; round < 3; ++round) {
    if (TID() == 0) {
      int next = round ? data[(round - 1) * groups + (group + 1) % groups] : 0;
      data[round * groups + group] = next + group;
      __scoped_atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL,
                                __MEMORY_SCOPE_DEVICE);
      while (__scoped_atomic_fetch_add(count, 0, __ATOMIC_ACQ_REL,
                                       __MEMORY_SCOPE_DEVICE) <
             groups * (round + 1))
        ;
    }
    BARRIER();
  }
}
