//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Kernels as applications have them: reductions, norms, scans, small products.

#include "common.h"

#define WAVES 4
#define THREADS (64 * WAVES)

// Sum over the lanes of a wave, in every lane.
static inline float wave_sum(float v) {
  for (int step = 1; step != 64; step *= 2)
    v += __builtin_bit_cast(
        float, __builtin_amdgcn_ds_bpermute((LANE() ^ step) * 4,
                                            __builtin_bit_cast(int, v)));
  return v;
}
static inline float wave_max(float v) {
  for (int step = 1; step != 64; step *= 2)
    v = __builtin_fmaxf(
        v, __builtin_bit_cast(
               float, __builtin_amdgcn_ds_bpermute((LANE() ^ step) * 4,
                                                   __builtin_bit_cast(int, v))));
  return v;
}
static inline float group_sum(float v, local float *cell) {
  v = wave_sum(v);
  BARRIER();
  if (LANE() == 0)
    cell[TID() / 64] = v;
  BARRIER();
  v = 0;
  for (int i = 0; i != WAVES; ++i)
    v += cell[i];
  return v;
}
static inline float group_max(float v, local float *cell) {
  v = wave_max(v);
  BARRIER();
  if (LANE() == 0)
    cell[TID() / 64] = v;
  BARRIER();
  v = cell[0];
  for (int i = 1; i != WAVES; ++i)
    v = __builtin_fmaxf(v, cell[i]);
  return v;
}

// Each workgroup sums a part; the parts meet in one atomic. Integers, so that
// the order does not matter.
kernel GROUP(THREADS) void reduce(global const float *in, uint n,
                                  global float *out) {
  local float cell[WAVES];
  float v = 0;
  for (uint i = GID() * THREADS + TID(); i < n;
       i += THREADS * 2)
    v += in[i];
  v = group_sum(v, cell);
  if (TID() == 0)
    __scoped_atomic_fetch_add(out, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

kernel GROUP(THREADS) void softmax(global const float *in, global float *out,
                                   uint columns, uint pitch) {
  local float cell[WAVES];
  in += GID() * pitch;
  out += GID() * pitch;
  float top = -__builtin_inff();
  for (uint i = TID(); i < columns; i += THREADS)
    top = __builtin_fmaxf(top, in[i]);
  top = group_max(top, cell);
  float sum = 0;
  for (uint i = TID(); i < columns; i += THREADS)
    sum += __builtin_expf(in[i] - top);
  sum = group_sum(sum, cell);
  for (uint i = TID(); i < columns; i += THREADS)
    out[i] = __builtin_expf(in[i] - top) / sum;
}

kernel GROUP(THREADS) void layer_norm(global const half *in,
                                      global const float *gain,
                                      global const float *bias,
                                      global half *out, uint columns,
                                      float epsilon) {
  local float cell[WAVES];
  in += GID() * columns;
  out += GID() * columns;
  float sum = 0;
  for (uint i = TID(); i < columns; i += THREADS)
    sum += (float)in[i];
  float mean = group_sum(sum, cell) / columns;
  sum = 0;
  for (uint i = TID(); i < columns; i += THREADS)
    sum += ((float)in[i] - mean) * ((float)in[i] - mean);
  float scale =
      1 / __builtin_sqrtf(group_sum(sum, cell) / columns + epsilon);
  for (uint i = TID(); i < columns; i += THREADS)
    out[i] = (half)(((float)in[i] - mean) * scale * gain[i] + bias[i]);
}

// RMS norm of a row that stays in registers, bf16.
kernel GROUP(64) void rms_norm(global const __bf16 *in,
                               global const __bf16 *gain, global __bf16 *out,
                               float epsilon) {
  float v[8], sum = 0;
  for (int i = 0; i != 8; ++i) {
    v[i] = (float)in[GID() * 512 + i * 64 + TID()];
    sum += v[i] * v[i];
  }
  float scale = __builtin_amdgcn_rsqf(wave_sum(sum) / 512 + epsilon);
  for (int i = 0; i != 8; ++i)
    out[GID() * 512 + i * 64 + TID()] =
        (__bf16)(v[i] * scale * (float)gain[i * 64 + TID()]);
}

// y = A x, one wave a row, vector loads and a ragged end.
kernel GROUP(THREADS) void gemv(global const half *a, global const half *x,
                                global float *y, uint rows, uint columns) {
  uint row = GID() * WAVES + TID() / 64;
  if (row >= rows)
    return;
  a += row * columns;
  float sum = 0;
  uint i = LANE() * 8;
  for (; i + 8 <= columns; i += 512) {
    half8 p = *(global const half8 *)(a + i), q = *(global const half8 *)(x + i);
    for (int j = 0; j != 8; ++j)
      sum += (float)p[j] * (float)q[j];
  }
  for (; i < columns; ++i)
    sum += (float)a[i] * (float)x[i];
  sum = wave_sum(sum);
  if (LANE() == 0)
    y[row] = sum;
}

// Exclusive scan of a block in LDS (Blelloch), many barriers.
kernel GROUP(THREADS) void scan(global const uint *in, global uint *out) {
  local uint data[2 * THREADS];
  uint base = GID() * 2 * THREADS, t = TID();
  data[2 * t] = in[base + 2 * t];
  data[2 * t + 1] = in[base + 2 * t + 1];
  uint offset = 1;
  for (uint d = THREADS; d > 0; d /= 2, offset *= 2) {
    BARRIER();
    if (t < d)
      data[offset * (2 * t + 2) - 1] += data[offset * (2 * t + 1) - 1];
  }
  if (t == 0)
    data[2 * THREADS - 1] = 0;
  for (uint d = 1; d <= THREADS; d *= 2) {
    offset /= 2;
    BARRIER();
    if (t < d) {
      uint i = offset * (2 * t + 1) - 1, j = offset * (2 * t + 2) - 1;
      uint value = data[i];
      data[i] = data[j];
      data[j] += value;
    }
  }
  BARRIER();
  out[base + 2 * t] = data[2 * t];
  out[base + 2 * t + 1] = data[2 * t + 1];
}

// Bitonic sort of 512 keys with their values in LDS.
kernel GROUP(THREADS) void bitonic(global const int *in, global int *out) {
  local int keys[2 * THREADS];
  uint t = TID();
  keys[t] = in[GID() * 2 * THREADS + t];
  keys[t + THREADS] = in[GID() * 2 * THREADS + t + THREADS];
  for (uint size = 2; size <= 2 * THREADS; size *= 2)
    for (uint stride = size / 2; stride; stride /= 2) {
      BARRIER();
      uint i = 2 * t - (t & (stride - 1)), j = i + stride;
      bool up = (i & size) == 0;
      int a = keys[i], b = keys[j];
      if ((a > b) == up) {
        keys[i] = b;
        keys[j] = a;
      }
    }
  BARRIER();
  out[GID() * 2 * THREADS + t] = keys[t];
  out[GID() * 2 * THREADS + t + THREADS] = keys[t + THREADS];
}

// C = A B in f32 through LDS tiles of 16x16, sizes that are no multiples.
kernel GROUP(256) void matmul_f32(global const float *a, global const float *b,
                                  global float *c, uint m, uint n, uint k) {
  local float ta[16][17], tb[16][17];
  uint x = TID() % 16, y = TID() / 16;
  uint row = __builtin_amdgcn_workgroup_id_y() * 16 + y;
  uint column = __builtin_amdgcn_workgroup_id_x() * 16 + x;
  float sum = 0;
  for (uint k0 = 0; k0 < k; k0 += 16) {
    ta[y][x] = row < m && k0 + x < k ? a[row * k + k0 + x] : 0;
    tb[y][x] = column < n && k0 + y < k ? b[(k0 + y) * n + column] : 0;
    BARRIER();
    for (uint i = 0; i != 16; ++i)
      sum += ta[y][i] * tb[i][x];
    BARRIER();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

// 5-point stencil with a halo in LDS.
kernel GROUP(256) void stencil(global const float *in, global float *out,
                               uint width, uint height) {
  local float tile[18][18];
  int x = TID() % 16, y = TID() / 16;
  int x0 = __builtin_amdgcn_workgroup_id_x() * 16 - 1;
  int y0 = __builtin_amdgcn_workgroup_id_y() * 16 - 1;
  for (uint i = TID(); i < 18 * 18; i += 256) {
    int gx = x0 + (int)(i % 18), gy = y0 + (int)(i / 18);
    bool inside = gx >= 0 && gy >= 0 && gx < (int)width && gy < (int)height;
    tile[i / 18][i % 18] = inside ? in[gy * width + gx] : 0;
  }
  BARRIER();
  if (x0 + x + 1 < (int)width && y0 + y + 1 < (int)height)
    out[(y0 + y + 1) * width + x0 + x + 1] =
        4 * tile[y + 1][x + 1] - tile[y][x + 1] - tile[y + 2][x + 1] -
        tile[y + 1][x] - tile[y + 1][x + 2];
}

// A barrier as work_group_barrier(CLK_GLOBAL_MEM_FENCE) is lowered.
#define GLOBAL_BARRIER()                                                       \
  do {                                                                         \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");                     \
    __builtin_amdgcn_s_barrier();                                              \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");                     \
  } while (0)

// Sums along a row in place, step after step: what the threads hand to each
// other lies in global memory.
kernel GROUP(THREADS) void smooth(global const uint *in, global uint *row,
                                  uint steps) {
  uint t = TID(), base = GID() * THREADS;
  row[base + t] = in[base + t];
  for (uint step = 0; step != steps; ++step) {
    GLOBAL_BARRIER();
    uint sum = row[base + t] + row[base + (t + 97) % THREADS];
    GLOBAL_BARRIER();
    row[base + t] = sum;
  }
}
