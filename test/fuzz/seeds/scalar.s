; SALU, SMEM, branches, hardware registers.
s_add_u32 s20, s8, 4
s_addc_u32 s21, s9, 0
s_load_dwordx4 s[24:27], s[8:9], 0x10
s_buffer_load_dwordx2 s[28:29], s[12:15], 0x8
s_waitcnt lgkmcnt(0)
s_mul_hi_u32 s30, s24, s25
s_bfe_u32 s31, s26, 0x80004
s_cmp_lt_i32 s30, s31
s_cbranch_scc1 1
s_brev_b64 s[32:33], s[24:25]
s_getreg_b32 s34, hwreg(HW_REG_MODE)
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3
s_movk_i32 s35, 3
s_sub_u32 s35, s35, 1
s_cmp_lg_u32 s35, 0
s_cbranch_scc1 -3
s_getpc_b64 s[36:37]
s_and_saveexec_b64 s[38:39], vcc
s_mov_b64 exec, -1
s_memtime s[40:41]
s_barrier
