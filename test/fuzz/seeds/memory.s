; Buffers, global, flat, scratch, atomics.
global_load_dwordx4 v[0:3], v29, s[8:9]
buffer_load_dwordx2 v[4:5], v30, s[12:15], 0 offen offset:16
s_waitcnt vmcnt(0)
buffer_store_dwordx4 v[0:3], v29, s[12:15], s20 offen
v_mov_b32 v6, s8
v_mov_b32 v7, s9
flat_load_dword v8, v[6:7]
global_atomic_add v9, v30, v31, s[8:9] sc0
s_waitcnt vmcnt(0) lgkmcnt(0)
scratch_store_dword off, v31, off
scratch_load_dword v10, off, off
buffer_atomic_add_f32 v8, v30, s[12:15], 0 offen
global_load_short_d16_hi v11, v30, s[8:9]
s_waitcnt vmcnt(0)
global_load_lds_dword v30, s[8:9]
buffer_wbl2 sc1
buffer_load_format_xyzw v[0:3], v30, s[12:15], 0 offen
tbuffer_load_format_xyz v[4:6], v30, s[12:15], dfmt:10, nfmt:0, 0 offen
tbuffer_store_format_d16_xy v4, v30, s[12:15], dfmt:5, nfmt:7, 0 offen
