//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// What all kernels here use. No OpenCL library: only the compiler's builtins.

#ifndef FOREIGN_COMMON_H
#define FOREIGN_COMMON_H

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define VEC(n) __attribute__((ext_vector_type(n)))
#define GROUP(n) __attribute__((reqd_work_group_size(n, 1, 1)))

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef short VEC(2) short2;
typedef short VEC(4) short4;
typedef short VEC(8) short8;
typedef int VEC(2) int2;
typedef int VEC(3) int3;
typedef int VEC(4) int4;
typedef int VEC(6) int6;
typedef int VEC(8) int8;
typedef int VEC(16) int16;
typedef int VEC(32) int32;
typedef uint VEC(2) uint2;
typedef uint VEC(4) uint4;
typedef float VEC(2) float2;
typedef float VEC(4) float4;
typedef float VEC(16) float16;
typedef float VEC(32) float32;
typedef double VEC(2) double2;
typedef double VEC(4) double4;
typedef half VEC(2) half2;
typedef half VEC(4) half4;
typedef half VEC(8) half8;
typedef __bf16 VEC(2) bf2;
typedef __bf16 VEC(8) bf8;

#define LANE() ((uint)__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)))
#define TID() ((uint)__builtin_amdgcn_workitem_id_x())
#define GID() ((uint)__builtin_amdgcn_workgroup_id_x())

// A barrier as OpenCL's work_group_barrier(CLK_LOCAL_MEM_FENCE) is lowered.
#define BARRIER()                                                              \
  do {                                                                         \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");            \
    __builtin_amdgcn_s_barrier();                                              \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");            \
  } while (0)

#endif
