// A small double-buffered bf16 GEMM for gfx950 at the machine level, written by
// hand: D[M][N] f32 = A[M][K] * B[N][K]^T, M and N multiples of 64, K a multiple
// of 64 of at least 128. 256 threads, tile 64x64x64, A and B copied direct to
// LDS one K tile ahead. LDS: A stages at 0 and 8192, B stages at 16384 and 24576,
// rows of 128 bytes.

#domain = #llvm.alias_scope_domain<id = distinct[0]<>, description = "lds">
#copies = #llvm.alias_scope<id = distinct[1]<>, domain = #domain>
#reads = #llvm.alias_scope<id = distinct[2]<>, domain = #domain>
#no_unroll = #llvm.loop_annotation<unroll = <disable = true>>

llvm.mlir.global internal @lds() {addr_space = 3 : i32, alignment = 1024 : i64, dso_local} : !llvm.array<32768 x i8>

llvm.func @gemm_64x64x64(%a: !llvm.ptr<1> {llvm.noundef}, %b: !llvm.ptr<1> {llvm.noundef}, %d: !llvm.ptr<1> {llvm.noundef}, %m: i32, %n: i32, %k: i32)
    attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 256, 1, 1>, rocdl.flat_work_group_size = "256,256",
                passthrough = [["amdgpu-agpr-alloc", "0"], ["amdgpu-waves-per-eu", "2,2"], ["uniform-work-group-size", "true"]]} {
  %c6_i32 = llvm.mlir.constant(6 : i32) : i32
  %c63_i32 = llvm.mlir.constant(63 : i32) : i32
  %c1_i32 = llvm.mlir.constant(1 : i32) : i32
  %c0_i16 = llvm.mlir.constant(0 : i16) : i16
  %c159744_i32 = llvm.mlir.constant(159744 : i32) : i32
  %c3_i32 = llvm.mlir.constant(3 : i32) : i32
  %c7_i32 = llvm.mlir.constant(7 : i32) : i32
  %c4_i32 = llvm.mlir.constant(4 : i32) : i32
  %c5_i32 = llvm.mlir.constant(5 : i32) : i32
  %c10_i32 = llvm.mlir.constant(10 : i32) : i32
  %c15_i32 = llvm.mlir.constant(15 : i32) : i32
  %c16384_i32 = llvm.mlir.constant(16384 : i32) : i32
  %c0_i32 = llvm.mlir.constant(0 : i32) : i32
  %c16_i32 = llvm.mlir.constant(16 : i32) : i32
  %c4096_i32 = llvm.mlir.constant(4096 : i32) : i32
  %c20480_i32 = llvm.mlir.constant(20480 : i32) : i32
  %c128_i32 = llvm.mlir.constant(128 : i32) : i32
  %c8192_i32 = llvm.mlir.constant(8192 : i32) : i32
  %c64_i32 = llvm.mlir.constant(64 : i32) : i32
  %c2048_i32 = llvm.mlir.constant(2048 : i32) : i32
  %c2112_i32 = llvm.mlir.constant(2112 : i32) : i32
  %c2_i32 = llvm.mlir.constant(2 : i32) : i32
  %c17_i32 = llvm.mlir.constant(17 : i32) : i32
  %c18_i32 = llvm.mlir.constant(18 : i32) : i32
  %c19_i32 = llvm.mlir.constant(19 : i32) : i32
  %v1 = rocdl.workitem.id.x : i32
  %v2 = rocdl.workgroup.id.x : i32
  %v3 = llvm.lshr %v1, %c6_i32 : i32
  %v4 = rocdl.readfirstlane %v3 : i32
  %v5 = llvm.and %v1, %c63_i32 : i32
  %v6 = llvm.lshr %n, %c6_i32 : i32
  %v7 = llvm.udiv %v2, %v6 : i32
  %v8 = llvm.urem %v2, %v6 : i32
  %v9 = llvm.shl %k, %c1_i32 : i32
  %v10 = llvm.shl %v7, %c6_i32 : i32
  %v11 = llvm.zext %v10 : i32 to i64
  %v12 = llvm.zext %v9 : i32 to i64
  %v13 = llvm.mul %v11, %v12 : i64
  %v14 = llvm.getelementptr %a[%v13] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  %v15 = llvm.shl %v9, %c6_i32 : i32
  %v16 = llvm.zext %v15 : i32 to i64
  %v17 = rocdl.make.buffer.rsrc %v14, %c0_i16, %v16, %c159744_i32 : !llvm.ptr<1> to !llvm.ptr<8>
  %v18 = llvm.shl %v8, %c6_i32 : i32
  %v19 = llvm.zext %v18 : i32 to i64
  %v20 = llvm.zext %v9 : i32 to i64
  %v21 = llvm.mul %v19, %v20 : i64
  %v22 = llvm.getelementptr %b[%v21] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  %v23 = llvm.shl %v9, %c6_i32 : i32
  %v24 = llvm.zext %v23 : i32 to i64
  %v25 = rocdl.make.buffer.rsrc %v22, %c0_i16, %v24, %c159744_i32 : !llvm.ptr<1> to !llvm.ptr<8>
  %v26 = llvm.shl %v4, %c3_i32 : i32
  %v27 = llvm.lshr %v5, %c3_i32 : i32
  %v28 = llvm.add %v26, %v27 : i32
  %v29 = llvm.mul %v28, %v9 : i32
  %v30 = llvm.and %v5, %c7_i32 : i32
  %v31 = llvm.shl %v30, %c4_i32 : i32
  %v32 = llvm.add %v29, %v31 : i32
  %v33 = llvm.shl %v9, %c5_i32 : i32
  %v34 = llvm.mlir.addressof @lds : !llvm.ptr<3>
  %v35 = llvm.shl %v4, %c10_i32 : i32
  %v36 = llvm.getelementptr %v34[%v35] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v37 = llvm.and %v5, %c15_i32 : i32
  %v38 = llvm.lshr %v5, %c4_i32 : i32
  %v39 = llvm.shl %v38, %c4_i32 : i32
  %v40 = llvm.lshr %v4, %c1_i32 : i32
  %v41 = llvm.and %v4, %c1_i32 : i32
  %v42 = llvm.shl %v40, %c5_i32 : i32
  %v43 = llvm.add %v42, %v37 : i32
  %v44 = llvm.shl %v43, %c7_i32 : i32
  %v45 = llvm.add %v44, %v39 : i32
  %v46 = llvm.shl %v41, %c5_i32 : i32
  %v47 = llvm.add %v46, %v37 : i32
  %v48 = llvm.shl %v47, %c7_i32 : i32
  %v49 = llvm.add %v48, %v39 : i32
  %v50 = llvm.add %v49, %c16384_i32 : i32
  %v51 = llvm.mlir.zero : vector<4xf32>
  %v52 = llvm.inline_asm "", "=v,0" %v51 : (vector<4xf32>) -> vector<4xf32>
  %v53 = llvm.inline_asm "", "=v,0" %v51 : (vector<4xf32>) -> vector<4xf32>
  %v54 = llvm.inline_asm "", "=v,0" %v51 : (vector<4xf32>) -> vector<4xf32>
  %v55 = llvm.inline_asm "", "=v,0" %v51 : (vector<4xf32>) -> vector<4xf32>
  // Prologue: tile 0 into stage 0.
  %v56 = llvm.getelementptr %v36[%c0_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v57 = llvm.add %c0_i32, %v33 : i32
  %v58 = llvm.getelementptr %v56[%c0_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  rocdl.raw.ptr.buffer.load.lds %v17, %v58, %c16_i32, %v32, %c0_i32, %c0_i32, %c0_i32 {alias_scopes = [#copies]}
  %v59 = llvm.getelementptr %v56[%c4096_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  rocdl.raw.ptr.buffer.load.lds %v17, %v59, %c16_i32, %v32, %v57, %c0_i32, %c0_i32 {alias_scopes = [#copies]}
  %v60 = llvm.getelementptr %v56[%c16384_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  rocdl.raw.ptr.buffer.load.lds %v25, %v60, %c16_i32, %v32, %c0_i32, %c0_i32, %c0_i32 {alias_scopes = [#copies]}
  %v61 = llvm.getelementptr %v56[%c20480_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  rocdl.raw.ptr.buffer.load.lds %v25, %v61, %c16_i32, %v32, %v57, %c0_i32, %c0_i32 {alias_scopes = [#copies]}
  llvm.br ^loop(%c128_i32, %c0_i32, %v52, %v53, %v54, %v55 : i32, i32, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>)

^loop(%next: i32, %stage: i32, %acc0: vector<4xf32>, %acc1: vector<4xf32>, %acc2: vector<4xf32>, %acc3: vector<4xf32>):
  // The next tile into the other stage, then this tile.
  %v62 = llvm.xor %stage, %c8192_i32 : i32
  %v63 = llvm.getelementptr %v36[%v62] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v64 = llvm.add %next, %v33 : i32
  %v65 = llvm.getelementptr %v63[%c0_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  rocdl.raw.ptr.buffer.load.lds %v17, %v65, %c16_i32, %v32, %next, %c0_i32, %c0_i32 {alias_scopes = [#copies]}
  %v66 = llvm.getelementptr %v63[%c4096_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  rocdl.raw.ptr.buffer.load.lds %v17, %v66, %c16_i32, %v32, %v64, %c0_i32, %c0_i32 {alias_scopes = [#copies]}
  %v67 = llvm.getelementptr %v63[%c16384_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  rocdl.raw.ptr.buffer.load.lds %v25, %v67, %c16_i32, %v32, %next, %c0_i32, %c0_i32 {alias_scopes = [#copies]}
  %v68 = llvm.getelementptr %v63[%c20480_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  rocdl.raw.ptr.buffer.load.lds %v25, %v68, %c16_i32, %v32, %v64, %c0_i32, %c0_i32 {alias_scopes = [#copies]}
  rocdl.sched.barrier 0
  rocdl.s.waitcnt 3956
  rocdl.s.barrier
  rocdl.sched.barrier 0
  %v69 = llvm.add %v45, %stage : i32
  %v70 = llvm.getelementptr %v34[%v69] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v71 = llvm.getelementptr %v70[%c0_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v72 = llvm.load %v71 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  %v73 = llvm.getelementptr %v70[%c64_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v74 = llvm.load %v73 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  %v75 = llvm.getelementptr %v70[%c2048_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v76 = llvm.load %v75 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  %v77 = llvm.getelementptr %v70[%c2112_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v78 = llvm.load %v77 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  %v79 = llvm.add %v50, %stage : i32
  %v80 = llvm.getelementptr %v34[%v79] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v81 = llvm.getelementptr %v80[%c0_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v82 = llvm.load %v81 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  %v83 = llvm.getelementptr %v80[%c64_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v84 = llvm.load %v83 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  %v85 = llvm.getelementptr %v80[%c2048_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v86 = llvm.load %v85 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  %v87 = llvm.getelementptr %v80[%c2112_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v88 = llvm.load %v87 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  rocdl.s.waitcnt 49279
  rocdl.sched.barrier 0
  %v89 = rocdl.mfma.f32.16x16x32.bf16 %v72, %v82, %acc0, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v90 = rocdl.mfma.f32.16x16x32.bf16 %v72, %v86, %acc1, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v91 = rocdl.mfma.f32.16x16x32.bf16 %v76, %v82, %acc2, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v92 = rocdl.mfma.f32.16x16x32.bf16 %v76, %v86, %acc3, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v93 = rocdl.mfma.f32.16x16x32.bf16 %v74, %v84, %v89, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v94 = rocdl.mfma.f32.16x16x32.bf16 %v74, %v88, %v90, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v95 = rocdl.mfma.f32.16x16x32.bf16 %v78, %v84, %v91, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v96 = rocdl.mfma.f32.16x16x32.bf16 %v78, %v88, %v92, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v97 = llvm.inline_asm "", "={v[0:3]},0" %v93 : (vector<4xf32>) -> vector<4xf32>
  %v98 = llvm.inline_asm "", "={v[4:7]},0" %v94 : (vector<4xf32>) -> vector<4xf32>
  %v99 = llvm.inline_asm "", "={v[8:11]},0" %v95 : (vector<4xf32>) -> vector<4xf32>
  %v100 = llvm.inline_asm "", "={v[12:15]},0" %v96 : (vector<4xf32>) -> vector<4xf32>
  rocdl.sched.barrier 0
  rocdl.s.barrier
  rocdl.sched.barrier 0
  %v101 = llvm.add %next, %c128_i32 : i32
  %v102 = llvm.icmp "ult" %v101, %v9 : i32
  llvm.cond_br %v102, ^loop(%v101, %v62, %v97, %v98, %v99, %v100 : i32, i32, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>), ^drain(%v62, %v97, %v98, %v99, %v100 : i32, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {loop_annotation = #no_unroll}

^drain(%last: i32, %res0: vector<4xf32>, %res1: vector<4xf32>, %res2: vector<4xf32>, %res3: vector<4xf32>):
  rocdl.s.waitcnt 3952
  rocdl.s.barrier
  rocdl.sched.barrier 0
  %v103 = llvm.add %v45, %last : i32
  %v104 = llvm.getelementptr %v34[%v103] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v105 = llvm.getelementptr %v104[%c0_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v106 = llvm.load %v105 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  %v107 = llvm.getelementptr %v104[%c64_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v108 = llvm.load %v107 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  %v109 = llvm.getelementptr %v104[%c2048_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v110 = llvm.load %v109 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  %v111 = llvm.getelementptr %v104[%c2112_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v112 = llvm.load %v111 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  %v113 = llvm.add %v50, %last : i32
  %v114 = llvm.getelementptr %v34[%v113] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v115 = llvm.getelementptr %v114[%c0_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v116 = llvm.load %v115 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  %v117 = llvm.getelementptr %v114[%c64_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v118 = llvm.load %v117 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  %v119 = llvm.getelementptr %v114[%c2048_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v120 = llvm.load %v119 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  %v121 = llvm.getelementptr %v114[%c2112_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v122 = llvm.load %v121 {alignment = 16 : i64, alias_scopes = [#reads], noalias_scopes = [#copies]} : !llvm.ptr<3> -> vector<8xbf16>
  rocdl.s.waitcnt 49279
  rocdl.sched.barrier 0
  %v123 = rocdl.mfma.f32.16x16x32.bf16 %v106, %v116, %res0, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v124 = rocdl.mfma.f32.16x16x32.bf16 %v106, %v120, %res1, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v125 = rocdl.mfma.f32.16x16x32.bf16 %v110, %v116, %res2, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v126 = rocdl.mfma.f32.16x16x32.bf16 %v110, %v120, %res3, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v127 = rocdl.mfma.f32.16x16x32.bf16 %v108, %v118, %v123, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v128 = rocdl.mfma.f32.16x16x32.bf16 %v108, %v122, %v124, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v129 = rocdl.mfma.f32.16x16x32.bf16 %v112, %v118, %v125, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v130 = rocdl.mfma.f32.16x16x32.bf16 %v112, %v122, %v126, %c0_i32, %c0_i32, %c0_i32 : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %v131 = llvm.inline_asm "", "={v[0:3]},0" %v127 : (vector<4xf32>) -> vector<4xf32>
  %v132 = llvm.inline_asm "", "={v[4:7]},0" %v128 : (vector<4xf32>) -> vector<4xf32>
  %v133 = llvm.inline_asm "", "={v[8:11]},0" %v129 : (vector<4xf32>) -> vector<4xf32>
  %v134 = llvm.inline_asm "", "={v[12:15]},0" %v130 : (vector<4xf32>) -> vector<4xf32>
  rocdl.sched.barrier 0
  %v135 = llvm.shl %v7, %c6_i32 : i32
  %v136 = llvm.shl %v40, %c5_i32 : i32
  %v137 = llvm.lshr %v5, %c4_i32 : i32
  %v138 = llvm.shl %v137, %c2_i32 : i32
  %v139 = llvm.add %v136, %v138 : i32
  %v140 = llvm.add %v135, %v139 : i32
  %v141 = llvm.shl %v8, %c6_i32 : i32
  %v142 = llvm.shl %v41, %c5_i32 : i32
  %v143 = llvm.add %v142, %v37 : i32
  %v144 = llvm.add %v141, %v143 : i32
  %v145 = llvm.zext %n : i32 to i64
  %v146 = llvm.add %v140, %c0_i32 : i32
  %v147 = llvm.zext %v146 : i32 to i64
  %v148 = llvm.add %v144, %c0_i32 : i32
  %v149 = llvm.zext %v148 : i32 to i64
  %v150 = llvm.mul %v147, %v145 : i64
  %v151 = llvm.add %v150, %v149 : i64
  %v152 = llvm.getelementptr %d[%v151] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v153 = llvm.extractelement %v131[%c0_i32 : i32] : vector<4xf32>
  llvm.store %v153, %v152 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v154 = llvm.add %v140, %c1_i32 : i32
  %v155 = llvm.zext %v154 : i32 to i64
  %v156 = llvm.add %v144, %c0_i32 : i32
  %v157 = llvm.zext %v156 : i32 to i64
  %v158 = llvm.mul %v155, %v145 : i64
  %v159 = llvm.add %v158, %v157 : i64
  %v160 = llvm.getelementptr %d[%v159] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v161 = llvm.extractelement %v131[%c1_i32 : i32] : vector<4xf32>
  llvm.store %v161, %v160 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v162 = llvm.add %v140, %c2_i32 : i32
  %v163 = llvm.zext %v162 : i32 to i64
  %v164 = llvm.add %v144, %c0_i32 : i32
  %v165 = llvm.zext %v164 : i32 to i64
  %v166 = llvm.mul %v163, %v145 : i64
  %v167 = llvm.add %v166, %v165 : i64
  %v168 = llvm.getelementptr %d[%v167] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v169 = llvm.extractelement %v131[%c2_i32 : i32] : vector<4xf32>
  llvm.store %v169, %v168 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v170 = llvm.add %v140, %c3_i32 : i32
  %v171 = llvm.zext %v170 : i32 to i64
  %v172 = llvm.add %v144, %c0_i32 : i32
  %v173 = llvm.zext %v172 : i32 to i64
  %v174 = llvm.mul %v171, %v145 : i64
  %v175 = llvm.add %v174, %v173 : i64
  %v176 = llvm.getelementptr %d[%v175] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v177 = llvm.extractelement %v131[%c3_i32 : i32] : vector<4xf32>
  llvm.store %v177, %v176 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v178 = llvm.add %v140, %c0_i32 : i32
  %v179 = llvm.zext %v178 : i32 to i64
  %v180 = llvm.add %v144, %c16_i32 : i32
  %v181 = llvm.zext %v180 : i32 to i64
  %v182 = llvm.mul %v179, %v145 : i64
  %v183 = llvm.add %v182, %v181 : i64
  %v184 = llvm.getelementptr %d[%v183] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v185 = llvm.extractelement %v132[%c0_i32 : i32] : vector<4xf32>
  llvm.store %v185, %v184 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v186 = llvm.add %v140, %c1_i32 : i32
  %v187 = llvm.zext %v186 : i32 to i64
  %v188 = llvm.add %v144, %c16_i32 : i32
  %v189 = llvm.zext %v188 : i32 to i64
  %v190 = llvm.mul %v187, %v145 : i64
  %v191 = llvm.add %v190, %v189 : i64
  %v192 = llvm.getelementptr %d[%v191] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v193 = llvm.extractelement %v132[%c1_i32 : i32] : vector<4xf32>
  llvm.store %v193, %v192 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v194 = llvm.add %v140, %c2_i32 : i32
  %v195 = llvm.zext %v194 : i32 to i64
  %v196 = llvm.add %v144, %c16_i32 : i32
  %v197 = llvm.zext %v196 : i32 to i64
  %v198 = llvm.mul %v195, %v145 : i64
  %v199 = llvm.add %v198, %v197 : i64
  %v200 = llvm.getelementptr %d[%v199] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v201 = llvm.extractelement %v132[%c2_i32 : i32] : vector<4xf32>
  llvm.store %v201, %v200 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v202 = llvm.add %v140, %c3_i32 : i32
  %v203 = llvm.zext %v202 : i32 to i64
  %v204 = llvm.add %v144, %c16_i32 : i32
  %v205 = llvm.zext %v204 : i32 to i64
  %v206 = llvm.mul %v203, %v145 : i64
  %v207 = llvm.add %v206, %v205 : i64
  %v208 = llvm.getelementptr %d[%v207] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v209 = llvm.extractelement %v132[%c3_i32 : i32] : vector<4xf32>
  llvm.store %v209, %v208 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v210 = llvm.add %v140, %c16_i32 : i32
  %v211 = llvm.zext %v210 : i32 to i64
  %v212 = llvm.add %v144, %c0_i32 : i32
  %v213 = llvm.zext %v212 : i32 to i64
  %v214 = llvm.mul %v211, %v145 : i64
  %v215 = llvm.add %v214, %v213 : i64
  %v216 = llvm.getelementptr %d[%v215] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v217 = llvm.extractelement %v133[%c0_i32 : i32] : vector<4xf32>
  llvm.store %v217, %v216 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v218 = llvm.add %v140, %c17_i32 : i32
  %v219 = llvm.zext %v218 : i32 to i64
  %v220 = llvm.add %v144, %c0_i32 : i32
  %v221 = llvm.zext %v220 : i32 to i64
  %v222 = llvm.mul %v219, %v145 : i64
  %v223 = llvm.add %v222, %v221 : i64
  %v224 = llvm.getelementptr %d[%v223] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v225 = llvm.extractelement %v133[%c1_i32 : i32] : vector<4xf32>
  llvm.store %v225, %v224 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v226 = llvm.add %v140, %c18_i32 : i32
  %v227 = llvm.zext %v226 : i32 to i64
  %v228 = llvm.add %v144, %c0_i32 : i32
  %v229 = llvm.zext %v228 : i32 to i64
  %v230 = llvm.mul %v227, %v145 : i64
  %v231 = llvm.add %v230, %v229 : i64
  %v232 = llvm.getelementptr %d[%v231] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v233 = llvm.extractelement %v133[%c2_i32 : i32] : vector<4xf32>
  llvm.store %v233, %v232 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v234 = llvm.add %v140, %c19_i32 : i32
  %v235 = llvm.zext %v234 : i32 to i64
  %v236 = llvm.add %v144, %c0_i32 : i32
  %v237 = llvm.zext %v236 : i32 to i64
  %v238 = llvm.mul %v235, %v145 : i64
  %v239 = llvm.add %v238, %v237 : i64
  %v240 = llvm.getelementptr %d[%v239] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v241 = llvm.extractelement %v133[%c3_i32 : i32] : vector<4xf32>
  llvm.store %v241, %v240 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v242 = llvm.add %v140, %c16_i32 : i32
  %v243 = llvm.zext %v242 : i32 to i64
  %v244 = llvm.add %v144, %c16_i32 : i32
  %v245 = llvm.zext %v244 : i32 to i64
  %v246 = llvm.mul %v243, %v145 : i64
  %v247 = llvm.add %v246, %v245 : i64
  %v248 = llvm.getelementptr %d[%v247] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v249 = llvm.extractelement %v134[%c0_i32 : i32] : vector<4xf32>
  llvm.store %v249, %v248 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v250 = llvm.add %v140, %c17_i32 : i32
  %v251 = llvm.zext %v250 : i32 to i64
  %v252 = llvm.add %v144, %c16_i32 : i32
  %v253 = llvm.zext %v252 : i32 to i64
  %v254 = llvm.mul %v251, %v145 : i64
  %v255 = llvm.add %v254, %v253 : i64
  %v256 = llvm.getelementptr %d[%v255] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v257 = llvm.extractelement %v134[%c1_i32 : i32] : vector<4xf32>
  llvm.store %v257, %v256 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v258 = llvm.add %v140, %c18_i32 : i32
  %v259 = llvm.zext %v258 : i32 to i64
  %v260 = llvm.add %v144, %c16_i32 : i32
  %v261 = llvm.zext %v260 : i32 to i64
  %v262 = llvm.mul %v259, %v145 : i64
  %v263 = llvm.add %v262, %v261 : i64
  %v264 = llvm.getelementptr %d[%v263] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v265 = llvm.extractelement %v134[%c2_i32 : i32] : vector<4xf32>
  llvm.store %v265, %v264 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  %v266 = llvm.add %v140, %c19_i32 : i32
  %v267 = llvm.zext %v266 : i32 to i64
  %v268 = llvm.add %v144, %c16_i32 : i32
  %v269 = llvm.zext %v268 : i32 to i64
  %v270 = llvm.mul %v267, %v145 : i64
  %v271 = llvm.add %v270, %v269 : i64
  %v272 = llvm.getelementptr %d[%v271] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v273 = llvm.extractelement %v134[%c3_i32 : i32] : vector<4xf32>
  llvm.store %v273, %v272 {alignment = 4 : i64} : f32, !llvm.ptr<1>
  llvm.return
}
