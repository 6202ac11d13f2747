//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Moving values between the lanes of a wave.

#include "common.h"

#define DPP(v, ctrl, rows, banks, bound)                                       \
  __builtin_amdgcn_update_dpp(-7, v, ctrl, rows, banks, bound)

// out[n][lane], one row a control.
kernel GROUP(64) void dpp(global const int *in, global int *out) {
  int v = in[TID()];
  global int *p = out + TID();
  p[0 * 64] = DPP(v, 0x1b, 0xf, 0xf, 0);  // quad_perm:[3,2,1,0]
  p[1 * 64] = DPP(v, 0x4e, 0xf, 0xf, 0);  // quad_perm:[2,3,0,1]
  p[2 * 64] = DPP(v, 0x101, 0xf, 0xf, 0); // row_shl:1
  p[3 * 64] = DPP(v, 0x10f, 0xf, 0xf, 1); // row_shl:15 bound_ctrl
  p[4 * 64] = DPP(v, 0x113, 0xf, 0xf, 0); // row_shr:3
  p[5 * 64] = DPP(v, 0x112, 0xf, 0xf, 1); // row_shr:2 bound_ctrl
  p[6 * 64] = DPP(v, 0x125, 0xf, 0xf, 0); // row_ror:5
  p[7 * 64] = DPP(v, 0x130, 0xf, 0xf, 0); // wave_shl:1
  p[8 * 64] = DPP(v, 0x134, 0xf, 0xf, 0); // wave_rol:1
  p[9 * 64] = DPP(v, 0x138, 0xf, 0xf, 1); // wave_shr:1 bound_ctrl
  p[10 * 64] = DPP(v, 0x13c, 0xf, 0xf, 0); // wave_ror:1
  p[11 * 64] = DPP(v, 0x140, 0xf, 0xf, 0); // row_mirror
  p[12 * 64] = DPP(v, 0x141, 0xf, 0xf, 0); // row_half_mirror
  p[13 * 64] = DPP(v, 0x142, 0xa, 0xf, 0); // row_bcast:15 row_mask:0xa
  p[14 * 64] = DPP(v, 0x143, 0xc, 0xf, 0); // row_bcast:31 row_mask:0xc
  p[15 * 64] = DPP(v, 0x155, 0xf, 0xf, 0); // row_newbcast:5
  p[16 * 64] = DPP(v, 0x111, 0x5, 0x6, 1); // row_shr:1, half the rows and banks
}

// Lanes that are off: they are no source, and keep what they have.
kernel GROUP(64) void dpp_inactive(global const int *in, global int *out) {
  int v = in[TID()];
  int result = v * 2;
  if (TID() % 3 != 1)
    result = DPP(v, 0x111, 0xf, 0xf, 0) + 1;
  out[TID()] = result;
  if (TID() % 5 < 3)
    result = DPP(v, 0x101, 0xf, 0xf, 1) - 1;
  out[64 + TID()] = result;
}

kernel GROUP(64) void swizzle(global const int *in, global int *out) {
  int v = in[TID()];
  global int *p = out + TID();
  p[0 * 64] = __builtin_amdgcn_ds_swizzle(v, 0x041f); // xor 1
  p[1 * 64] = __builtin_amdgcn_ds_swizzle(v, 0x401f); // xor 16
  p[2 * 64] = __builtin_amdgcn_ds_swizzle(v, 0x0018); // and 0x18: lane of 8
  p[3 * 64] = __builtin_amdgcn_ds_swizzle(v, 0x00f0); // and 16, or 7
  p[4 * 64] = __builtin_amdgcn_ds_swizzle(v, 0x8072); // quad_perm 2,0,3,1
}

kernel GROUP(64) void permute(global const int *in, global const int *lane,
                              global int *out) {
  int v = in[TID()], to = lane[TID()];
  out[TID()] = __builtin_amdgcn_ds_bpermute(to * 4, v);
  out[64 + TID()] = __builtin_amdgcn_ds_permute(to * 4, v);
  // Of lanes that are off, bpermute gives 0.
  int r = -1;
  if (TID() & 1)
    r = __builtin_amdgcn_ds_bpermute((TID() + 3) * 4, v);
  out[128 + TID()] = r;
}

kernel GROUP(64) void scalar_lanes(global const int *in, global int *out) {
  int v = in[TID()];
  out[TID()] = __builtin_amdgcn_readlane(v, 37);
  out[64 + TID()] = __builtin_amdgcn_readfirstlane(v);
  int first = 0;
  if (TID() > 20)
    first = __builtin_amdgcn_readfirstlane(v);
  out[128 + TID()] = first;
  ulong odd = __builtin_amdgcn_ballot_w64(v & 1);
  out[192 + TID()] = __builtin_amdgcn_mbcnt_hi(
      (uint)(odd >> 32), __builtin_amdgcn_mbcnt_lo((uint)odd, 0));
  out[256 + TID()] = __builtin_popcountl(odd);
  // A loop over the lanes that are left, as compilers make them uniform.
  int sum = 0;
  for (ulong rest = odd; rest; rest &= rest - 1)
    sum = sum * 3 + __builtin_amdgcn_readlane(v, __builtin_ctzl(rest));
  out[320 + TID()] = sum;
}

#ifdef __gfx950__
kernel GROUP(64) void permlane_swap(global const uint *a, global const uint *b,
                                    global uint *out) {
  uint2 r = __builtin_bit_cast(
      uint2, __builtin_amdgcn_permlane16_swap(a[TID()], b[TID()], 0, 0));
  uint2 s = __builtin_bit_cast(
      uint2, __builtin_amdgcn_permlane32_swap(a[TID()], b[TID()], 0, 0));
  out[TID()] = r.x;
  out[64 + TID()] = r.y;
  out[128 + TID()] = s.x;
  out[192 + TID()] = s.y;
}
#endif

// An inclusive sum over the wave as compilers of reductions write it.
kernel GROUP(64) void wave_scan(global const float *in, global float *out) {
#define STEP(ctrl, rows)                                                       \
  v += __builtin_bit_cast(                                                     \
      float, __builtin_amdgcn_update_dpp(                                      \
                 0, __builtin_bit_cast(int, v), ctrl, rows, 0xf, 0))
  float v = in[GID() * 64 + TID()];
  STEP(0x111, 0xf);
  STEP(0x112, 0xf);
  STEP(0x114, 0xf);
  STEP(0x118, 0xf);
  STEP(0x142, 0xa);
  STEP(0x143, 0xc);
  out[GID() * 64 + TID()] = v;
}
