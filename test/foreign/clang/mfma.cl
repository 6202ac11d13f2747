//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// One matrix instruction a kernel: every lane gives its registers of A, B and C
// and gets those of D.

#include "common.h"

#define MFMA(name, TA, TC, builtin)                                            \
  kernel GROUP(64) void name(global const TA *a, global const TA *b,           \
                             global const TC *c, global TC *d) {               \
    uint l = TID();                                                            \
    d[l] = __builtin_amdgcn_mfma_##builtin(a[l], b[l], c[l], 0, 0, 0);         \
  }

MFMA(f32_32x32x1, float, float32, f32_32x32x1f32)
MFMA(f32_16x16x1, float, float16, f32_16x16x1f32)
MFMA(f32_4x4x1, float, float4, f32_4x4x1f32)
MFMA(f32_32x32x2, float, float16, f32_32x32x2f32)
MFMA(f32_16x16x4, float, float4, f32_16x16x4f32)
MFMA(f16_32x32x4, half4, float32, f32_32x32x4f16)
MFMA(f16_16x16x4, half4, float16, f32_16x16x4f16)
MFMA(f16_4x4x4, half4, float4, f32_4x4x4f16)
MFMA(f16_32x32x8, half4, float16, f32_32x32x8f16)
MFMA(f16_16x16x16, half4, float4, f32_16x16x16f16)
MFMA(bf16_32x32x4, short4, float32, f32_32x32x4bf16_1k)
MFMA(bf16_16x16x4, short4, float16, f32_16x16x4bf16_1k)
MFMA(bf16_4x4x4, short4, float4, f32_4x4x4bf16_1k)
MFMA(bf16_32x32x8, short4, float16, f32_32x32x8bf16_1k)
MFMA(bf16_16x16x16, short4, float4, f32_16x16x16bf16_1k)
MFMA(i8_32x32x4, int, int32, i32_32x32x4i8)
MFMA(i8_16x16x4, int, int16, i32_16x16x4i8)
MFMA(i8_4x4x4, int, int4, i32_4x4x4i8)
MFMA(i8_32x32x16, long, int16, i32_32x32x16_i8)
MFMA(i8_16x16x32, long, int4, i32_16x16x32_i8)
MFMA(f64_16x16x4, double, double4, f64_16x16x4f64)
MFMA(f64_4x4x4, double, double, f64_4x4x4f64)
MFMA(fp8_fp8_16x16x32, long, float4, f32_16x16x32_fp8_fp8)
MFMA(fp8_bf8_16x16x32, long, float4, f32_16x16x32_fp8_bf8)
MFMA(bf8_fp8_16x16x32, long, float4, f32_16x16x32_bf8_fp8)
MFMA(bf8_bf8_16x16x32, long, float4, f32_16x16x32_bf8_bf8)
MFMA(fp8_fp8_32x32x16, long, float16, f32_32x32x16_fp8_fp8)
MFMA(fp8_bf8_32x32x16, long, float16, f32_32x32x16_fp8_bf8)
MFMA(bf8_fp8_32x32x16, long, float16, f32_32x32x16_bf8_fp8)
MFMA(bf8_bf8_32x32x16, long, float16, f32_32x32x16_bf8_bf8)

#ifdef __gfx942__
MFMA(xf32_16x16x8, float2, float4, f32_16x16x8_xf32)
MFMA(xf32_32x32x4, float2, float16, f32_32x32x4_xf32)
#endif

#ifdef __gfx950__
MFMA(f16_16x16x32, half8, float4, f32_16x16x32_f16)
MFMA(f16_32x32x16, half8, float16, f32_32x32x16_f16)
MFMA(bf16_16x16x32, bf8, float4, f32_16x16x32_bf16)
MFMA(bf16_32x32x16, bf8, float16, f32_32x32x16_bf16)
MFMA(i8_16x16x64, int4, int4, i32_16x16x64_i8)
MFMA(i8_32x32x32, int4, int16, i32_32x32x32_i8)

// f8f6f4: 8 registers are stored for every format; of 6 and 4 bits only the
// first 6 or 4 are used. Scales: one register a lane, of which op_sel takes a
// byte.
#define SCALED(name, shape, TC, fa, fb, sela, selb)                            \
  kernel GROUP(64) void name(                                                  \
      global const int8 *a, global const int8 *b, global const TC *c,          \
      global TC *d, global const int *sa, global const int *sb) {              \
    uint l = TID();                                                            \
    d[l] = __builtin_amdgcn_mfma_scale_f32_##shape##_f8f6f4(                   \
        a[l], b[l], c[l], fa, fb, sela, sa[l], selb, sb[l]);                   \
  }
#define UNSCALED(name, shape, TC, fa, fb)                                      \
  kernel GROUP(64) void name(global const int8 *a, global const int8 *b,       \
                             global const TC *c, global TC *d) {               \
    uint l = TID();                                                            \
    d[l] = __builtin_amdgcn_mfma_scale_f32_##shape##_f8f6f4(                   \
        a[l], b[l], c[l], fa, fb, 0, 0, 0, 0);                                 \
  }
#define FORMATS(fa, fb, sela, selb)                                            \
  SCALED(scaled_16x16x128_##fa##fb, 16x16x128, float4, fa, fb, sela, selb)     \
  SCALED(scaled_32x32x64_##fa##fb, 32x32x64, float16, fa, fb, selb, sela)      \
  UNSCALED(plain_16x16x128_##fa##fb, 16x16x128, float4, fa, fb)                \
  UNSCALED(plain_32x32x64_##fa##fb, 32x32x64, float16, fa, fb)
FORMATS(0, 0, 0, 1)
FORMATS(0, 1, 1, 2)
FORMATS(0, 2, 2, 3)
FORMATS(0, 3, 3, 0)
FORMATS(0, 4, 0, 2)
FORMATS(1, 0, 1, 3)
FORMATS(1, 1, 2, 0)
FORMATS(1, 2, 3, 1)
FORMATS(1, 3, 0, 3)
FORMATS(1, 4, 1, 0)
FORMATS(2, 0, 2, 1)
FORMATS(2, 1, 3, 2)
FORMATS(2, 2, 0, 0)
FORMATS(2, 3, 1, 1)
FORMATS(2, 4, 2, 2)
FORMATS(3, 0, 3, 3)
FORMATS(3, 1, 0, 1)
FORMATS(3, 2, 1, 2)
FORMATS(3, 3, 2, 3)
FORMATS(3, 4, 3, 0)
FORMATS(4, 0, 0, 2)
FORMATS(4, 1, 1, 3)
FORMATS(4, 2, 2, 0)
FORMATS(4, 3, 3, 1)
FORMATS(4, 4, 0, 1)
#endif
