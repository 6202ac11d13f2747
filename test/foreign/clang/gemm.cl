//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Matrix products with pipelines through LDS. C = A B^T, bf16 in, f32 out,
// tiles of 64x64x32, four waves of 32x32 each, K a multiple of 64.

#include "common.h"

#define TILE_BYTES 4096 // 64 rows of 32 values

// A wave's products of one K tile. Row r, values k..k+7 are at 64 r + 2 k.
static inline void products(local const char *a, local const char *b,
                            float16 *c) {
  uint lane = TID() % 64, wave = TID() / 64;
  a += ((wave / 2) * 32 + lane % 32) * 64;
  b += ((wave % 2) * 32 + lane % 32) * 64;
  short4 fa[4], fb[4];
  for (uint k = 0; k != 4; ++k) {
    fa[k] = *(local const short4 *)(a + k * 16 + lane / 32 * 8);
    fb[k] = *(local const short4 *)(b + k * 16 + lane / 32 * 8);
  }
  for (uint k = 0; k != 4; ++k)
    *c = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(fa[k], fb[k], *c, 0, 0, 0);
}

static inline void store(global float *c, uint n, float16 v) {
  uint lane = TID() % 64, wave = TID() / 64;
  uint row = __builtin_amdgcn_workgroup_id_y() * 64 + wave / 2 * 32;
  uint column = __builtin_amdgcn_workgroup_id_x() * 64 + wave % 2 * 32;
  for (uint r = 0; r != 16; ++r)
    c[(row + r / 4 * 8 + lane / 32 * 4 + r % 4) * n + column + lane % 32] = v[r];
}

// Copies from memory straight to LDS; waits and barriers by hand, the next tile
// in flight while this one is used.
#ifdef __gfx950__
#define COPY_BYTES 16
#define COPIES 1
#else
#define COPY_BYTES 4
#define COPIES 4
#endif
// vmcnt(n), all else not waited for.
#define WAIT_VM(n) __builtin_amdgcn_s_waitcnt(0xf70 | (n))
// lgkmcnt(0): the reads are done before other waves may copy over the tile.
#define WAIT_LDS() __builtin_amdgcn_s_waitcnt(0xc07f)

static inline void copy_tile(global const char *from, uint pitch,
                             local char *to) {
  uint wave = __builtin_amdgcn_readfirstlane(TID() / 64);
#pragma unroll
  for (uint i = 0; i != COPIES; ++i) {
    uint at = wave * (TILE_BYTES / 4) + i * 64 * COPY_BYTES;
    uint byte = at + LANE() * COPY_BYTES;
    __builtin_amdgcn_global_load_lds(
        (global void *)(from + (byte / 64) * pitch + byte % 64),
        (local void *)(to + at), COPY_BYTES, 0, 0);
  }
}

#define DIRECT_STEP(now_a, now_b, next_a, next_b, has_next)                    \
  if (has_next) {                                                              \
    a += 64;                                                                   \
    b += 64;                                                                   \
    copy_tile(a, pitch, next_a);                                               \
    copy_tile(b, pitch, next_b);                                               \
    WAIT_VM(2 * COPIES);                                                       \
  } else {                                                                     \
    WAIT_VM(0);                                                                \
  }                                                                            \
  __builtin_amdgcn_s_barrier();                                                \
  products(now_a, now_b, &c);                                                  \
  WAIT_LDS();                                                                  \
  __builtin_amdgcn_s_barrier();

kernel GROUP(256) void gemm_direct(global const char *a, global const char *b,
                                   global float *out, uint n, uint k) {
  __attribute__((aligned(1024))) local char a0[TILE_BYTES];
  __attribute__((aligned(1024))) local char b0[TILE_BYTES];
  __attribute__((aligned(1024))) local char a1[TILE_BYTES];
  __attribute__((aligned(1024))) local char b1[TILE_BYTES];
  uint pitch = k * 2;
  a += __builtin_amdgcn_workgroup_id_y() * 64 * pitch;
  b += __builtin_amdgcn_workgroup_id_x() * 64 * pitch;
  float16 c = 0;
  copy_tile(a, pitch, a0);
  copy_tile(b, pitch, b0);
  for (uint tile = 0; tile != k / 64; ++tile) {
    DIRECT_STEP(a0, b0, a1, b1, true)
    DIRECT_STEP(a1, b1, a0, b0, tile + 1 != k / 64)
  }
  store(out, n, c);
}

// Staged through registers, as compilers pipeline plain code: loads of the next
// tile, products of this one, then the writes to the other half.
kernel GROUP(256) void gemm_staged(global const char *a, global const char *b,
                                   global float *out, uint n, uint k) {
  __attribute__((aligned(1024))) local char lds[2][2][TILE_BYTES];
  uint pitch = k * 2;
  uint byte = TID() * 16;
  a += __builtin_amdgcn_workgroup_id_y() * 64 * pitch + byte / 64 * pitch + byte % 64;
  b += __builtin_amdgcn_workgroup_id_x() * 64 * pitch + byte / 64 * pitch + byte % 64;
  float16 c = 0;
  *(local int4 *)(lds[0][0] + byte) = *(global const int4 *)a;
  *(local int4 *)(lds[0][1] + byte) = *(global const int4 *)b;
  uint stage = 0;
  for (uint left = k / 32; left != 0; --left) {
    BARRIER();
    int4 na = 0, nb = 0;
    if (left != 1) {
      a += 64;
      b += 64;
      na = *(global const int4 *)a;
      nb = *(global const int4 *)b;
    }
    products(lds[stage][0], lds[stage][1], &c);
    stage ^= 1;
    if (left != 1) {
      *(local int4 *)(lds[stage][0] + byte) = na;
      *(local int4 *)(lds[stage][1] + byte) = nb;
    }
  }
  store(out, n, c);
}

// One stage, two barriers a tile, i8.
kernel GROUP(256) void gemm_i8(global const char *a, global const char *b,
                               global int *out, uint n, uint k) {
  __attribute__((aligned(16))) local char ta[TILE_BYTES], tb[TILE_BYTES];
  uint byte = TID() * 16;
  a += (__builtin_amdgcn_workgroup_id_y() * 64 + byte / 64) * k + byte % 64;
  b += (__builtin_amdgcn_workgroup_id_x() * 64 + byte / 64) * k + byte % 64;
  uint lane = TID() % 64, wave = TID() / 64;
  int16 c = 0;
  for (uint k0 = 0; k0 != k; k0 += 64) {
    int4 na = *(global const int4 *)(a + k0), nb = *(global const int4 *)(b + k0);
    BARRIER();
    *(local int4 *)(ta + byte) = na;
    *(local int4 *)(tb + byte) = nb;
    BARRIER();
    for (uint s = 0; s != 4; ++s) {
      uint column = s * 16 + lane / 32 * 8;
      long fa = *(local long *)(ta + (wave / 2 * 32 + lane % 32) * 64 + column);
      long fb = *(local long *)(tb + (wave % 2 * 32 + lane % 32) * 64 + column);
      c = __builtin_amdgcn_mfma_i32_32x32x16_i8(fa, fb, c, 0, 0, 0);
    }
  }
  uint row = __builtin_amdgcn_workgroup_id_y() * 64 + wave / 2 * 32;
  uint column = __builtin_amdgcn_workgroup_id_x() * 64 + wave % 2 * 32;
  for (uint r = 0; r != 16; ++r)
    out[(row + r / 4 * 8 + lane / 32 * 4 + r % 4) * n + column + lane % 32] = c[r];
}
