; gfx950 only: scaled MFMA, transposing reads, conversions with scales, swaps.
v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[16:23], v[24:31], 0, v31, v30 op_sel_hi:[0,0,0]
v_mfma_scale_f32_32x32x64_f8f6f4 a[0:15], v[16:21], v[24:27], a[0:15], v31, v30 op_sel_hi:[0,0,0] cbsz:2 blgp:4
v_mfma_f32_16x16x32_bf16 v[4:7], v[16:19], v[20:23], 0
ds_read_b64_tr_b16 v[8:9], v30
ds_read_b96_tr_b6 v[10:12], v30
v_cvt_scalef32_pk_fp8_f32 v13, v30, v31, 1.0
v_permlane32_swap_b32 v14, v15
buffer_load_dwordx4 v29, s[12:15], 0 offen lds
v_prng_b32 v17, v31
v_bitop3_b32 v18, v31, v30, v29 bitop3:0x42
v_cvt_scalef32_pk32_f32_fp6 v[32:63], v[24:29], v31
v_cvt_scalef32_2xpk16_fp6_f32 v[0:5], v[32:47], v[48:63], v31
