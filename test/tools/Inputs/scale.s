// out[i] = in[i] * factor for i < count; one lane an element, through LDS.
.ifdef OTHER
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.else
.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
.endif
.text
.globl scale
.p2align 8
.type scale,@function
.ifdef TWO
.globl again
.type again,@function
again:
.endif
scale:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  v_lshlrev_b32_e32 v1, 2, v0
  s_lshl_b32 s3, s2, 8
  s_waitcnt lgkmcnt(0)
  s_lshl_b32 s10, s8, 2
  s_mov_b32 s12, s4
  s_mov_b32 s13, s5
  s_mov_b32 s14, s10
  s_mov_b32 s15, 0x27000
  s_mov_b32 s16, s6
  s_mov_b32 s17, s7
  s_mov_b32 s18, s10
  s_mov_b32 s19, s15
  buffer_load_dword v2, v1, s[12:15], s3 offen
  s_waitcnt vmcnt(0)
  ds_write_b32 v1, v2
.ifdef WAIT
  s_waitcnt lgkmcnt(0)
.endif
  ds_read_b32 v3, v1
  s_waitcnt lgkmcnt(0)
  v_mul_lo_u32 v3, v3, s9
  buffer_store_dword v3, v1, s[16:19], s3 offen
.ifdef EARLY
  ds_read_b32 v4, v1
  v_add_u32_e32 v4, v4, v4
.endif
.ifdef ODD
  v_mov_b32_e32 v5, 2
  ds_write_b32 v5, v1
.endif
.ifdef HANG
count:
  s_add_u32 s20, s10, s10
  s_add_u32 s10, s10, 1
  s_branch count
.endif
.ifdef LOOP
loop:
  s_branch loop
.endif
  s_endpgm
.Lend:
.size scale, .Lend-scale
.rodata
.p2align 6
.amdhsa_kernel scale
  .amdhsa_group_segment_fixed_size 256
  .amdhsa_kernarg_size 24
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_accum_offset 8
  .amdhsa_next_free_sgpr 32
.end_amdhsa_kernel
.ifdef TWO
.amdhsa_kernel again
  .amdhsa_next_free_vgpr 8
  .amdhsa_accum_offset 8
  .amdhsa_next_free_sgpr 32
.end_amdhsa_kernel
.endif
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: scale
    .symbol: scale.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - {.name: in, .offset: 0, .size: 8, .value_kind: global_buffer}
      - {.name: out, .offset: 8, .size: 8, .value_kind: global_buffer}
      - {.name: count, .offset: 16, .size: 4, .value_kind: by_value}
      - {.name: factor, .offset: 20, .size: 4, .value_kind: by_value}
.end_amdgpu_metadata
