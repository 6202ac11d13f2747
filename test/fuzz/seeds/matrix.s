; MFMA of each kind of operand.
v_mfma_f32_16x16x16_f16 v[0:3], v[28:29], v[30:31], 0
v_mfma_f32_32x32x16_fp8_fp8 a[0:15], v[28:29], v[30:31], a[0:15]
v_mfma_i32_16x16x32_i8 v[4:7], v[28:29], v[30:31], 0
v_mfma_f64_16x16x4_f64 v[8:15], v[28:29], v[30:31], 0
v_mfma_f32_4x4x4_16b_f16 v[16:19], v[28:29], v[30:31], 0 cbsz:1 abid:2 blgp:3
s_nop 7
s_nop 7
v_add_f32 v24, v0, v4
v_smfmac_f32_16x16x32_f16 v[0:3], v[28:29], v[28:31], v31 cbsz:0 abid:2
v_smfmac_i32_32x32x32_i8 a[0:15], v[28:29], v[28:31], v30
