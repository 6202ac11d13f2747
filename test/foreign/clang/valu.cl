//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Arithmetic of the vector ALU as clang selects it from plain code.
// OPTIONS: -cl-fp32-correctly-rounded-divide-sqrt

#include "common.h"

#define UNARY(name, T, R, expression)                                          \
  kernel GROUP(64) void name(global const T *in, global R *out) {              \
    uint i = GID() * 64 + TID();                                               \
    T a = in[i];                                                               \
    out[i] = (expression);                                                     \
  }
#define BINARY(name, T, R, expression)                                         \
  kernel GROUP(64) void name(global const T *x, global const T *y,             \
                             global R *out) {                                  \
    uint i = GID() * 64 + TID();                                               \
    T a = x[i], b = y[i];                                                      \
    out[i] = (expression);                                                     \
  }
#define TERNARY(name, T, U, R, expression)                                     \
  kernel GROUP(64) void name(global const T *x, global const T *y,             \
                             global const U *z, global R *out) {               \
    uint i = GID() * 64 + TID();                                               \
    T a = x[i], b = y[i];                                                      \
    U c = z[i];                                                                \
    out[i] = (expression);                                                     \
  }

// Integers.
BINARY(div_i32, int, int, b == 0 ? 0 : a / b)
BINARY(rem_i32, int, int, b == 0 ? 0 : a % b)
BINARY(div_u32, uint, uint, b == 0 ? 0 : a / b)
BINARY(rem_u32, uint, uint, b == 0 ? 0 : a % b)
BINARY(div_i64, long, long, b == 0 ? 0 : a / b)
BINARY(rem_u64, ulong, ulong, b == 0 ? 0 : a % b)
BINARY(mul_i64, long, long, a *b)
BINARY(mul_high_u64, ulong, ulong,
       (ulong)(((unsigned __int128)a * b) >> 64))
BINARY(shift_64, ulong, ulong,
       (a << (b & 63)) ^ (a >> (b >> 6 & 63)) ^ (ulong)((long)a >> (b >> 12 & 63)))
BINARY(compare_64, long, int,
       (a < b) | ((ulong)a < (ulong)b) << 1 | (a == b) << 2 | (a > 77) << 3)
BINARY(bits_32, uint, uint,
       (a ? __builtin_clz(a) : 32) * 3 + __builtin_popcount(b) * 5 +
           (b ? __builtin_ctz(b) : 32) * 7 + __builtin_bitreverse32(a) * 9 +
           __builtin_bswap32(b) + __builtin_rotateleft32(a, b))
BINARY(saturate, int, int,
       __builtin_elementwise_add_sat(a, b) ^
           __builtin_elementwise_sub_sat((uint)a, (uint)b) * 3 ^
           __builtin_elementwise_sub_sat(b, a) * 5)
BINARY(narrow, int, int,
       (short)(a * b) + (uchar)(a - b) * 3 + (char)(a >> 8) * (char)(b >> 16) +
           (int)(((ushort)a * (uint)(ushort)b) >> 5))
BINARY(packed_i16, short2, short2,
       __builtin_elementwise_max(a, b) * b + (a << (b & (short2)15)) -
           __builtin_elementwise_min((short2)(a + b), a))
BINARY(medians, int, int,
       __builtin_elementwise_max(__builtin_elementwise_min(a, 1000), -999) +
           __builtin_elementwise_max(__builtin_elementwise_max(a, b), 5))
TERNARY(dot_i8, int, int, int,
        __builtin_amdgcn_sdot4(a, b, c, false) ^
            (int)__builtin_amdgcn_udot4(a, b, c, false) * 3 ^
            __builtin_amdgcn_sdot8(a, b, c, false) * 5 ^
            (int)__builtin_amdgcn_udot8(a, b, c, false) * 7)
TERNARY(perm, uint, uint, uint, __builtin_amdgcn_perm(a, b, c))

// f32.
BINARY(add_f32, float, float, a + b)
BINARY(sub_f32, float, float, a - b)
BINARY(mul_f32, float, float, a *b)
BINARY(div_f32, float, float, a / b)
UNARY(sqrt_f32, float, float, __builtin_sqrtf(a))
TERNARY(fma_f32, float, float, float, __builtin_fmaf(a, b, c))
TERNARY(packed_f32, float2, float2, float2, __builtin_elementwise_fma(a, b, c) * a + b)
UNARY(round_f32, float, float4,
      ((float4){__builtin_floorf(a), __builtin_ceilf(a), __builtin_truncf(a),
                __builtin_rintf(a)}))
BINARY(minmax_f32, float, float4,
       ((float4){__builtin_fminf(a, b), __builtin_fmaxf(a, b),
                 __builtin_fabsf(a) - __builtin_copysignf(2.0f, b),
                 __builtin_amdgcn_fmed3f(a, b, 1.5f)}))
UNARY(frexp_f32, float, int2,
      ((int2){__builtin_bit_cast(int, __builtin_amdgcn_frexp_mantf(a)),
              __builtin_amdgcn_frexp_expf(a)}))
BINARY(class_f32, float, int,
       __builtin_isnan(a) | __builtin_isinf(b) << 1 | (a < b) << 2 |
           (a >= b) << 3 | __builtin_isunordered(a, b) << 4 |
           (a != b) << 5 | __builtin_isnormal(a) << 6 |
           __builtin_issubnormal(b) << 7)
UNARY(exp_f32, float, float, __builtin_expf(a))
UNARY(exp2_f32, float, float, __builtin_exp2f(a))
UNARY(log_f32, float, float, __builtin_logf(a))
UNARY(log2_f32, float, float, __builtin_log2f(a))
UNARY(rsqrt_f32, float, float, __builtin_amdgcn_rsqf(a))
UNARY(sin_f32, float, float2,
      ((float2){__builtin_amdgcn_sinf(a), __builtin_amdgcn_cosf(a)}))
BINARY(ldexp_f32, float, float, __builtin_ldexpf(a, (int)b))

// f64.
BINARY(arith_f64, double, double, (a + b) * a - b)
BINARY(div_f64, double, double, a / b)
UNARY(sqrt_f64, double, double, __builtin_sqrt(a))
TERNARY(fma_f64, double, double, double, __builtin_fma(a, b, c))
BINARY(minmax_f64, double, double2,
       ((double2){__builtin_fmin(a, b), __builtin_fmax(a, __builtin_floor(b))}))
UNARY(f64_to_i32, double, int, (int)a)
UNARY(f64_to_i64, double, long, (long)a)
UNARY(f64_to_f32, double, float, (float)a)
UNARY(i64_to_f64, long, double, (double)a)
UNARY(i64_to_f32, long, float, (float)a)
UNARY(u32_to_f64, uint, double, (double)a)

// f16 and bf16.
BINARY(arith_f16, half, half, a *b + (half)1.5 - b)
BINARY(div_f16, half, half, a / b)
UNARY(sqrt_f16, half, half, __builtin_sqrtf16(a))
TERNARY(packed_f16, half2, half2, half2,
        __builtin_elementwise_max(__builtin_elementwise_fma(a, b, c) * a + b,
                                  -c.yx))
TERNARY(dot_f16, half2, float, float, __builtin_amdgcn_fdot2(a, b, c, false))
BINARY(packed_bf16, bf2, bf2, a *b + a)
UNARY(bf16_to_f32, __bf16, float, (float)a)
UNARY(f32_to_bf16, float, __bf16, (__bf16)a)
UNARY(f32_to_f16, float, half, (half)a)
UNARY(f16_to_f32, half, float, (float)a)
BINARY(pack_rtz, float, int,
       __builtin_bit_cast(int, __builtin_amdgcn_cvt_pkrtz(a, b)))
UNARY(f16_to_i16, half, short, (short)a)
UNARY(i16_to_f16, short, half, (half)a)
BINARY(mixed_f16, half, float, __builtin_fmaf((float)a, (float)b, 2.0f))

// Conversions of 32 and 8 bits.
UNARY(f32_to_i32, float, int, (int)a)
UNARY(f32_to_u32, float, uint, (uint)a)
UNARY(i32_to_f32, int, float, (float)a)
UNARY(u32_to_f32, uint, float, (float)a)
UNARY(bytes_to_f32, uint, float4,
      ((float4){(float)(a & 255), (float)(a >> 8 & 255), (float)(a >> 16 & 255),
                (float)(a >> 24)}))
UNARY(fp8_to_f32, int, float4,
      ((float4){__builtin_amdgcn_cvt_f32_fp8(a, 0), __builtin_amdgcn_cvt_f32_fp8(a, 1),
                __builtin_amdgcn_cvt_f32_fp8(a, 2), __builtin_amdgcn_cvt_f32_fp8(a, 3)}))
UNARY(bf8_to_f32, int, float4,
      ((float4){__builtin_amdgcn_cvt_f32_bf8(a, 0), __builtin_amdgcn_cvt_f32_bf8(a, 1),
                __builtin_amdgcn_cvt_f32_bf8(a, 2), __builtin_amdgcn_cvt_f32_bf8(a, 3)}))
UNARY(fp8_pairs_to_f32, int, float4,
      ((float4){__builtin_amdgcn_cvt_pk_f32_fp8(a, 0)[0],
                __builtin_amdgcn_cvt_pk_f32_fp8(a, 0)[1],
                __builtin_amdgcn_cvt_pk_f32_bf8(a, 1)[0],
                __builtin_amdgcn_cvt_pk_f32_bf8(a, 1)[1]}))
BINARY(f32_to_fp8, float, int,
       __builtin_amdgcn_cvt_pk_fp8_f32(
           a, b, __builtin_amdgcn_cvt_pk_fp8_f32(b, a, 0x12345678, false), true))
BINARY(f32_to_bf8, float, int,
       __builtin_amdgcn_cvt_pk_bf8_f32(a, b, 0x12345678, true))

#ifdef __gfx950__
kernel GROUP(64) void scalef32(global const float2 *in, global const float *scale,
                               global float2 *up, global int *down) {
  uint i = GID() * 64 + TID();
  float2 v = in[i];
  float s = scale[i];
  int fp4 = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(0x11223344, v.x, v.y, s, 2);
  down[i] = fp4;
  up[i] = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(fp4, s, 2);
}
UNARY(prng, uint, uint, __builtin_amdgcn_prng_b32(a))
TERNARY(bitop3, uint, uint, uint,
        __builtin_amdgcn_bitop3_b32(a, b, c, 0x6a) + (a ^ b ^ ~c))
TERNARY(dot_bf16, short2, float, float, __builtin_amdgcn_fdot2_f32_bf16(a, b, c, false))
#endif
