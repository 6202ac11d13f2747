//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Kernels of another compiler whose figures can be worked out by hand.

#define GROUP(n) __attribute__((reqd_work_group_size(n, 1, 1)))
#define VEC(n) __attribute__((ext_vector_type(n)))
#define TID() ((unsigned)__builtin_amdgcn_workitem_id_x())
typedef float VEC(4) float4;
typedef float VEC(16) float16;
typedef int VEC(4) int4;
typedef __bf16 VEC(8) bf8;

// Every lane writes and then reads rows of `stride` dwords, one dword of each.
#define COLUMN(name, stride)                                                   \
  kernel GROUP(64) void name(global float *out, int n) {                       \
    __attribute__((aligned(16))) local float lds[64 * stride + 64];            \
    float sum = 0;                                                             \
    for (int i = 0; i < n; ++i) {                                              \
      lds[TID() * stride + (i & 1)] = sum + 1;                                 \
      __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");          \
      __builtin_amdgcn_s_barrier();                                            \
      __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");          \
      sum += lds[(63 - TID()) * stride + (i & 1)];                             \
    }                                                                          \
    out[TID()] = sum;                                                          \
  }
// Neighbouring lanes are in neighbouring banks; in every second one; in one.
COLUMN(column_1, 1)
COLUMN(column_2, 2)
COLUMN(column_64, 64)
// A pad of one dword a row takes the conflicts away.
COLUMN(column_65, 65)

// Rows of 256 bytes read 16 bytes a lane, down a column: with 64 banks each of
// the 16 lanes of a phase wants the same four banks.
kernel GROUP(64) void rows_16(global int4 *out) {
  __attribute__((aligned(16))) local int4 lds[64 * 16];
  for (int i = 0; i != 16; ++i)
    lds[TID() + 64 * i] = (int4)(i);
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
  out[TID()] = lds[TID() * 16];
}

kernel GROUP(256) void straight(global float *out, global const float *in) {
  out[TID()] = in[TID()] * 2;
}

// One accumulator, from memory to the matrix unit.
#define GEMM(name, T, A, C, builtin)                                           \
  kernel GROUP(64) void name(global const T *a, global const T *b,             \
                             global C *d, int n) {                             \
    C acc = d[TID()];                                                          \
    for (int i = 0; i != n; ++i)                                               \
      acc = __builtin_amdgcn_mfma_##builtin(a[64 * i + TID()],                 \
                                            b[64 * i + TID()], acc, 0, 0, 0);  \
    d[TID()] = acc;                                                            \
  }
GEMM(gemm_fp8, long, long, float4, f32_16x16x32_fp8_fp8)
#ifdef __gfx950__
GEMM(gemm_bf16, bf8, bf8, float4, f32_16x16x32_bf16)
#endif

// 128 accumulators in AGPRs, as many VGPRs as it takes.
__attribute__((amdgpu_waves_per_eu(1, 1)))
kernel GROUP(256) void agprs(global const long *a, global float16 *d, int n) {
  float16 acc[16];
  for (int j = 0; j != 16; ++j)
    acc[j] = 0;
  for (int i = 0; i != n; ++i) {
    long x[4], y[4];
    for (int j = 0; j != 4; ++j) {
      x[j] = a[(8 * i + j) * 256 + TID()];
      y[j] = a[(8 * i + 4 + j) * 256 + TID()];
    }
    for (int j = 0; j != 16; ++j)
      acc[j] = __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(x[j / 4], y[j % 4],
                                                          acc[j], 0, 0, 0);
  }
  for (int j = 0; j != 16; ++j)
    d[256 * j + TID()] = acc[j];
}

// Registers that do not fit.
__attribute__((amdgpu_num_vgpr(24)))
kernel GROUP(64) void spills(global float *d, int n) {
  float x[64];
  for (int j = 0; j != 64; ++j)
    x[j] = d[64 * j + TID()];
  for (int i = 0; i != n; ++i)
    for (int j = 0; j != 64; ++j)
      x[j] = x[j] * x[(j + 7) % 64] + x[(j + 31) % 64];
  for (int j = 0; j != 64; ++j)
    d[64 * j + TID()] = x[j];
}
