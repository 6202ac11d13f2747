//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// LDS: copies from memory that bypass the registers, transposing reads, atomics.

#include "common.h"

// Bytes, words: sign or zero extended to a dword a lane (here the zero form).
#define GLOBAL_TO_LDS(name, bytes, step)                                       \
  kernel GROUP(128) void name(global const char *in, global const int *offset, \
                              global char *out) {                              \
    __attribute__((aligned(16))) local char lds[128 * step + 64];              \
    uint wave = __builtin_amdgcn_readfirstlane(TID() / 64);                    \
    __builtin_amdgcn_global_load_lds(                                          \
        (global void *)(in + offset[TID()]),                                   \
        (local void *)(lds + wave * 64 * step), bytes, 0, 0);                  \
    __builtin_amdgcn_s_waitcnt(0);                                             \
    __builtin_amdgcn_s_barrier();                                              \
    /* Each wave reads what the other one loaded. */                           \
    uint from = TID() ^ 64;                                                    \
    for (uint i = 0; i != step / 4; ++i)                                       \
      ((global int *)out)[TID() * (step / 4) + i] =                            \
          ((local int *)lds)[from * (step / 4) + i];                           \
  }
GLOBAL_TO_LDS(global_lds_1, 1, 4)
GLOBAL_TO_LDS(global_lds_2, 2, 4)
GLOBAL_TO_LDS(global_lds_4, 4, 4)
#ifdef __gfx950__
GLOBAL_TO_LDS(global_lds_16, 16, 16)
#endif

// Buffer form; lanes past the end of the descriptor write zeros.
#define BUFFER_TO_LDS(name, bytes, step)                                       \
  kernel GROUP(64) void name(global char *in, int size, int soffset,           \
                             global const int *offset, global char *out) {     \
    __attribute__((aligned(16))) local char lds[64 * step];                    \
    for (uint i = 0; i != step / 4; ++i)                                       \
      ((local int *)lds)[TID() * (step / 4) + i] = -1;                         \
    __amdgpu_buffer_rsrc_t rsrc =                                              \
        __builtin_amdgcn_make_buffer_rsrc(in, 0, size, 0x27000);               \
    __builtin_amdgcn_s_waitcnt(0);                                             \
    __builtin_amdgcn_raw_ptr_buffer_load_lds(rsrc, (local void *)lds, bytes,   \
                                             offset[TID()], soffset, 0, 0);    \
    __builtin_amdgcn_s_waitcnt(0);                                             \
    for (uint i = 0; i != step / 4; ++i)                                       \
      ((global int *)out)[TID() * (step / 4) + i] =                            \
          ((local int *)lds)[TID() * (step / 4) + i];                          \
  }
BUFFER_TO_LDS(buffer_lds_1, 1, 4)
BUFFER_TO_LDS(buffer_lds_2, 2, 4)
BUFFER_TO_LDS(buffer_lds_4, 4, 4)
#ifdef __gfx950__
BUFFER_TO_LDS(buffer_lds_16, 16, 16)

// Each 16 lanes of a wave read a matrix of 16 rows of 8 bytes transposed.
#define TRANSPOSED(name, T, builtin)                                           \
  kernel GROUP(64) void name(global const T *in, global const int *slot,       \
                             global T *out) {                                  \
    __attribute__((aligned(16))) local T lds[64];                              \
    lds[TID()] = in[TID()];                                                    \
    BARRIER();                                                                 \
    out[TID()] = builtin(&lds[slot[TID()]]);                                   \
  }
TRANSPOSED(read_tr16, short4, __builtin_amdgcn_ds_read_tr16_b64_v4i16)
TRANSPOSED(read_tr8, int2, __builtin_amdgcn_ds_read_tr8_b64_v2i32)
TRANSPOSED(read_tr4, int2, __builtin_amdgcn_ds_read_tr4_b64_v2i32)

kernel GROUP(64) void read_tr6(global const int *in, global int *out) {
  __attribute__((aligned(16))) local int lds[64 * 4];
  for (uint i = 0; i != 3; ++i)
    lds[TID() * 4 + i] = in[TID() * 3 + i];
  BARRIER();
  int3 v = __builtin_amdgcn_ds_read_tr6_b96_v3i32((local int3 *)(lds + TID() * 4));
  out[TID() * 3] = v.x;
  out[TID() * 3 + 1] = v.y;
  out[TID() * 3 + 2] = v.z;
}
#endif

#define ADD(p, v)                                                              \
  __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)

// A histogram in LDS, added to the one in memory.
kernel GROUP(256) void histogram(global const uchar *in, uint n,
                                 global uint *out) {
  local uint bins[256];
  bins[TID()] = 0;
  BARRIER();
  for (uint i = GID() * 1024 + TID(); i < n && i < GID() * 1024 + 1024; i += 256)
    ADD(&bins[in[i]], 1u);
  BARRIER();
  __scoped_atomic_fetch_add(&out[TID()], bins[TID()], __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
}

// Every integer atomic of LDS, one cell each; results that depend on the order
// are not stored, but one returning form of each is used.
kernel GROUP(256) void lds_atomics(global const int *in, global int *out,
                                   global long *wide, global float *real) {
  local int cell[16];
  local long cell64[4];
  local float cellf[2];
  local double celld[1];
  if (TID() < 16)
    cell[TID()] = TID() == 5 ? -1 : 0;
  if (TID() < 4)
    cell64[TID()] = 0;
  if (TID() < 2)
    cellf[TID()] = 0;
  if (TID() == 0)
    celld[0] = 0;
  BARRIER();
  int v = in[TID()];
#define OP(op, p, v)                                                           \
  __scoped_atomic_##op(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)
  OP(fetch_add, &cell[0], v);
  OP(fetch_sub, &cell[1], v);
  OP(fetch_min, &cell[2], v);
  OP(fetch_max, &cell[3], v);
  OP(fetch_min, (local uint *)&cell[4], (uint)v);
  OP(fetch_and, &cell[5], v | 0xff00);
  OP(fetch_or, &cell[6], v & 0x55aa);
  OP(fetch_xor, &cell[7], v);
  OP(fetch_max, (local uint *)&cell[8], (uint)v);
  OP(fetch_add, &cell64[0], (long)v << 20);
  OP(fetch_max, &cell64[1], (long)v << 20);
  OP(fetch_xor, &cell64[2], (long)v << 20);
  // Tickets: the sum of all that were given.
  int ticket = OP(fetch_add, &cell[9], 1);
  OP(fetch_add, &cell[10], ticket);
  // A maximum by compare and swap.
  int old = 0; // what the cell holds at first
  while (v * 3 > old) {
    int seen = old;
    if (__scoped_atomic_compare_exchange_n(&cell[11], &seen, v * 3, 0,
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                           __MEMORY_SCOPE_WRKGRP))
      break;
    old = seen;
  }
  // Exchange: whoever comes, the sum of what was taken out and what stays.
  int taken = OP(exchange_n, &cell[12], v);
  OP(fetch_add, &cell[13], taken);
  __builtin_amdgcn_ds_faddf(&cellf[0], (float)v, 0, 0, 0);
  __builtin_amdgcn_ds_fmaxf(&cellf[1], (float)v, 0, 0, 0);
  __builtin_amdgcn_ds_atomic_fadd_f64(&celld[0], (double)v);
  BARRIER();
  if (TID() < 12)
    out[TID()] = cell[TID()];
  if (TID() == 12)
    out[TID()] = cell[12] + cell[13];
  if (TID() < 3)
    wide[TID()] = cell64[TID()];
  if (TID() < 2)
    real[TID()] = cellf[TID()];
  if (TID() == 2)
    real[2] = (float)celld[0];
}

// Packed halves in LDS: exact, since the values are small integers.
kernel GROUP(128) void lds_packed_atomics(global const half2 *in,
                                          global half2 *out) {
  local half2 cell[8];
  if (TID() < 8)
    cell[TID()] = 0;
  BARRIER();
  __builtin_amdgcn_ds_atomic_fadd_v2f16(&cell[TID() % 8], in[TID()]);
  BARRIER();
  if (TID() < 8)
    out[TID()] = cell[TID()];
}

// A transpose of a 64x64 matrix of 2-byte values through LDS, odd row pitch.
kernel GROUP(256) void transpose(global const ushort *in, global ushort *out,
                                 uint pitch) {
  local ushort tile[64][67];
  uint bx = __builtin_amdgcn_workgroup_id_x() * 64;
  uint by = __builtin_amdgcn_workgroup_id_y() * 64;
  for (uint r = TID() / 64; r < 64; r += 4)
    tile[r][TID() % 64] = in[(by + r) * pitch + bx + TID() % 64];
  BARRIER();
  for (uint r = TID() / 64; r < 64; r += 4)
    out[(bx + r) * pitch + by + TID() % 64] = tile[TID() % 64][r];
}

// Mixed widths over one array: bytes written, then read as 2, 4, 8, 12, 16.
kernel GROUP(64) void widths(global const uchar *in, global uint *out) {
  __attribute__((aligned(16))) local uchar lds[1024];
  for (uint i = 0; i != 16; ++i)
    lds[i * 64 + TID()] = in[i * 64 + TID()];
  BARRIER();
  uint4 q = *(local uint4 *)(lds + 16 * TID());
  uint2 d = *(local uint2 *)(lds + 8 * (TID() ^ 5));
  ushort h = *(local ushort *)(lds + 2 * (63 - TID()));
  char s = *(local char *)(lds + (TID() * 7 & 1023));
  short t = *(local short *)(lds + 2 * TID());
  uint2 x = *(local uint2 *)(lds + 8 * TID() + 512);
  out[TID()] = q.x ^ q.y * 3 ^ q.z * 5 ^ q.w * 7;
  out[TID() + 64] = d.x + d.y + x.x * 9 + x.y * 11;
  out[TID() + 128] = h + s * 13 + t * 17;
}
