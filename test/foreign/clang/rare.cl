//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Instructions that compilers make of builtins only, or of inline assembly.

#include "common.h"

#define TERNARY(name, A, B, C, R, call)                                        \
  kernel GROUP(64) void name(global const A *x, global const B *y,             \
                             global const C *z, global R *out) {               \
    uint i = GID() * 64 + TID();                                               \
    A a = x[i];                                                                \
    B b = y[i];                                                                \
    C c = z[i];                                                                \
    out[i] = call;                                                             \
  }

TERNARY(cubeid, float, float, float, float, __builtin_amdgcn_cubeid(a, b, c))
TERNARY(cubesc, float, float, float, float, __builtin_amdgcn_cubesc(a, b, c))
TERNARY(cubetc, float, float, float, float, __builtin_amdgcn_cubetc(a, b, c))
TERNARY(cubema, float, float, float, float, __builtin_amdgcn_cubema(a, b, c))
TERNARY(sad_u8, uint, uint, uint, uint, __builtin_amdgcn_sad_u8(a, b, c))
TERNARY(sad_hi_u8, uint, uint, uint, uint, __builtin_amdgcn_sad_hi_u8(a, b, c))
TERNARY(sad_u16, uint, uint, uint, uint, __builtin_amdgcn_sad_u16(a, b, c))
TERNARY(msad_u8, uint, uint, uint, uint, __builtin_amdgcn_msad_u8(a, b, c))
TERNARY(qsad, ulong, uint, ulong, ulong,
        __builtin_amdgcn_qsad_pk_u16_u8(a, b, c))
TERNARY(mqsad, ulong, uint, ulong, ulong,
        __builtin_amdgcn_mqsad_pk_u16_u8(a, b, c))
TERNARY(mqsad_wide, ulong, uint, uint4, uint4,
        __builtin_amdgcn_mqsad_u32_u8(a, b, c))

kernel GROUP(64) void trig_preop(global const double *x, global double *out) {
  for (int segment = 0; segment != 3; ++segment)
    out[TID() * 3 + segment] = __builtin_amdgcn_trig_preop(x[TID()], segment);
}

// Odd lanes append to one counter of the workgroup, all consume from another.
kernel GROUP(256) void append(global int *appended, global int *consumed,
                              global int *ends) {
  local int counters[2];
  if (TID() == 0) {
    counters[0] = 1000;
    counters[1] = 5000;
  }
  BARRIER();
  int got = 0;
  if (TID() & 1)
    got = __builtin_amdgcn_ds_append(&counters[0]);
  appended[TID()] = got;
  consumed[TID()] = __builtin_amdgcn_ds_consume(&counters[1]);
  BARRIER();
  if (TID() < 2)
    ends[TID()] = counters[TID()];
}

// A wave waits for the others by relaxed loads of what they count atomically.
kernel GROUP(256) void relaxed_counter(global uint *out) {
  local uint counter, flag;
  if (TID() == 0) {
    counter = 0;
    flag = 0;
  }
  BARRIER();
  __opencl_atomic_fetch_add((local atomic_uint *)&counter, TID(),
                            memory_order_relaxed, memory_scope_work_group);
  __opencl_atomic_fetch_add((local atomic_uint *)&flag, 1, memory_order_relaxed,
                            memory_scope_work_group);
  uint seen;
  do {
    seen = __opencl_atomic_load((local atomic_uint *)&flag,
                                memory_order_relaxed, memory_scope_work_group);
  } while (seen != 256);
  out[TID()] = __opencl_atomic_load((local atomic_uint *)&counter,
                                    memory_order_relaxed,
                                    memory_scope_work_group);
  BARRIER();
  __opencl_atomic_store((local atomic_uint *)&flag, 7, memory_order_relaxed,
                        memory_scope_work_group);
}

kernel GROUP(64) void fft_swizzle(global const int *in, global int *out) {
  int v = in[TID()];
  out[TID()] = __builtin_amdgcn_ds_swizzle(v, 0xe000);
  out[64 + TID()] = __builtin_amdgcn_ds_swizzle(v, 0xe00c);
}

// Typed buffer accesses, through assembly: clang has no builtin for them.
#define UNIFORM(x) __builtin_amdgcn_readfirstlane(x)
__attribute__((always_inline)) int4 descriptor(global const void *base,
                                               uint bytes, int word3) {
  ulong address = (ulong)base;
  int4 d;
  d.x = UNIFORM((int)(uint)address);
  d.y = UNIFORM((int)(uint)(address >> 32) & 0xffff);
  d.z = UNIFORM((int)bytes);
  d.w = UNIFORM(word3);
  return d;
}
kernel GROUP(64) void typed_rgba8(global const uint *in, global float4 *out) {
  int4 d = descriptor(in, 200, 4 | 5 << 3 | 6 << 6 | 7 << 9 | 10 << 15);
  uint offset = TID() * 4;
  float4 v;
  __asm volatile("buffer_load_format_xyzw %0, %1, %2, 0 offen\n"
                 "s_waitcnt vmcnt(0)"
                 : "=v"(v)
                 : "v"(offset), "s"(d));
  out[TID()] = v;
}
kernel GROUP(64) void typed_half(global const half4 *in, global float4 *out,
                                 global half4 *copy) {
  int4 d = descriptor(in, 512, 0);
  int4 e = descriptor(copy, 512, 0);
  uint offset = TID() * 8;
  float4 v;
  uint2 packed;
  __asm volatile(
      "tbuffer_load_format_xyzw %0, %2, %3, dfmt:12, nfmt:7, 0 offen\n"
      "tbuffer_load_format_d16_xyzw %1, %2, %3, dfmt:12, nfmt:7, 0 offen\n"
      "s_waitcnt vmcnt(0)\n"
      "tbuffer_store_format_d16_xyzw %1, %2, %4, dfmt:12, nfmt:7, 0 offen\n"
      : "=&v"(v), "=&v"(packed)
      : "v"(offset), "s"(d), "s"(e)
      : "memory");
  out[TID()] = v;
}

// The sparse matrix instructions: raw operands in, D out.
#define SMFMAC(name, A, B, C, set)                                             \
  kernel GROUP(64) void smfmac_##name##_set##set(                              \
      global const A *a, global const B *b, global const C *c,                 \
      global const int *indices, global C *out) {                              \
    out[TID()] = __builtin_amdgcn_smfmac_##name(a[TID()], b[TID()], c[TID()],  \
                                                indices[TID()], 0, set);       \
  }
typedef half VEC(16) half16;
typedef __bf16 VEC(16) bf16x16;

SMFMAC(f32_16x16x32_f16, half4, half8, float4, 0)
SMFMAC(f32_16x16x32_f16, half4, half8, float4, 3)
SMFMAC(f32_32x32x16_f16, half4, half8, float16, 0)
SMFMAC(f32_16x16x32_bf16, short4, short8, float4, 1)
SMFMAC(f32_32x32x16_bf16, short4, short8, float16, 2)
SMFMAC(i32_16x16x64_i8, int2, int4, int4, 0)
SMFMAC(i32_32x32x32_i8, int2, int4, int16, 1)
SMFMAC(f32_16x16x64_fp8_fp8, int2, int4, float4, 0)
SMFMAC(f32_16x16x64_fp8_bf8, int2, int4, float4, 1)
SMFMAC(f32_16x16x64_bf8_fp8, int2, int4, float4, 0)
SMFMAC(f32_16x16x64_bf8_bf8, int2, int4, float4, 0)
SMFMAC(f32_32x32x32_fp8_fp8, int2, int4, float16, 0)
SMFMAC(f32_32x32x32_fp8_bf8, int2, int4, float16, 0)
SMFMAC(f32_32x32x32_bf8_fp8, int2, int4, float16, 1)
SMFMAC(f32_32x32x32_bf8_bf8, int2, int4, float16, 0)
#ifdef __gfx950__
SMFMAC(f32_16x16x64_f16, half8, half16, float4, 1)
SMFMAC(f32_32x32x32_f16, half8, half16, float16, 0)
SMFMAC(f32_16x16x64_bf16, bf8, bf16x16, float4, 0)
SMFMAC(f32_32x32x32_bf16, bf8, bf16x16, float16, 1)
SMFMAC(i32_16x16x128_i8, int4, int8, int4, 0)
SMFMAC(i32_32x32x64_i8, int4, int8, int16, 0)
SMFMAC(f32_16x16x128_fp8_fp8, int4, int8, float4, 0)
SMFMAC(f32_16x16x128_fp8_bf8, int4, int8, float4, 0)
SMFMAC(f32_16x16x128_bf8_fp8, int4, int8, float4, 0)
SMFMAC(f32_16x16x128_bf8_bf8, int4, int8, float4, 0)
SMFMAC(f32_32x32x64_fp8_fp8, int4, int8, float16, 0)
SMFMAC(f32_32x32x64_fp8_bf8, int4, int8, float16, 0)
SMFMAC(f32_32x32x64_bf8_fp8, int4, int8, float16, 0)
SMFMAC(f32_32x32x64_bf8_bf8, int4, int8, float16, 0)
#endif
