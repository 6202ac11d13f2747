// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// slow: counts to \p count, once in each workgroup, and stores it: longer than
// anybody waits.
.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
.text
.globl slow
.p2align 8
.type slow,@function
slow:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dword s6, s[0:1], 0x8
  s_mov_b32 s7, 0
  s_waitcnt lgkmcnt(0)
.ifdef BEYOND
  v_mov_b32 v9, 0
.endif
.Lloop:
  s_add_u32 s7, s7, 1
  s_cmp_lt_u32 s7, s6
  s_cbranch_scc1 .Lloop
  v_mov_b32 v0, 0
  v_mov_b32 v1, s7
  global_store_dword v0, v1, s[4:5]
  s_endpgm
.Lend:
.size slow, .Lend-slow
.rodata
.p2align 6
.amdhsa_kernel slow
  .amdhsa_kernarg_size 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_accum_offset 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
