; VALU in all encodings.
v_add_f32 v1, v31, v30
v_fma_f32 v2, v1, -v31, |v30|
v_pk_fma_f32 v[4:5], v[30:31], v[30:31], v[4:5]
v_cvt_pk_bf8_f32 v3, v1, v2
v_cvt_f32_fp8_sdwa v6, v3 src0_sel:BYTE_1
v_add_u32_sdwa v7, v31, v30 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_0 src1_sel:WORD_1
v_mov_b32_dpp v8, v31 row_shr:1 row_mask:0xf bank_mask:0xf
v_cmp_gt_u32 vcc, 32, v31
v_cndmask_b32 v9, v31, v30, vcc
v_div_scale_f32 v10, vcc, v1, v2, v1
v_div_fmas_f32 v11, v10, v2, v1
v_exp_f32 v12, v1
v_perm_b32 v13, v31, v30, v29
v_readlane_b32 s20, v31, 5
v_mad_u64_u32 v[14:15], s[22:23], v31, v30, v[4:5]
v_dot2_f32_f16 v16, v1, v2, v3
v_accvgpr_write_b32 a0, v1
v_accvgpr_read_b32 v17, a0
v_cmpx_lt_u32 v31, v30
v_cubeid_f32 v1, v30, v31, v30
v_mqsad_u32_u8 v[4:7], v[30:31], v30, v[0:3]
v_trig_preop_f64 v[4:5], v[30:31], v30
v_mov_b32_sdwa v1, v30 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
