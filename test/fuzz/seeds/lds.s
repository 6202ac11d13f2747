; LDS: reads, writes, atomics, lanes, copies.
ds_write_b128 v29, v[28:31]
ds_write2_b32 v30, v31, v30 offset0:1 offset1:3
s_waitcnt lgkmcnt(0)
s_barrier
ds_read_b64 v[2:3], v30 offset:8
ds_read2st64_b32 v[4:5], v30 offset1:1
ds_add_rtn_u32 v6, v30, v31
ds_bpermute_b32 v7, v30, v31
ds_swizzle_b32 v8, v31 offset:swizzle(BROADCAST,32,0)
s_waitcnt lgkmcnt(0)
s_mov_b32 m0, 64
buffer_load_dword v30, s[12:15], 0 offen lds
s_waitcnt vmcnt(0)
ds_cmpst_rtn_b32 v9, v30, v31, v8
ds_append v10
s_waitcnt lgkmcnt(0)
s_mov_b32 m0, 0
ds_append v1 offset:4
ds_consume v2 offset:8
ds_wrxchg2_rtn_b32 v[4:5], v30, v31, v30 offset1:1
ds_read_addtid_b32 v3
ds_swizzle_b32 v3, v30 offset:0xe003
