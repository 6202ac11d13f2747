//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The probes: one instruction a kind is assembled with distinct registers and
/// immediates, decoded, and every value must stand at the expected operand.

#include "fly/CodeObject/Disassembly.h"

#include "gtest/gtest.h"

using namespace fly;

namespace {

Disassembly decode(llvm::StringRef source, llvm::StringRef arch = "gfx950") {
  const TargetInfo &target = llvm::cantFail(lookupTarget(arch));
  std::vector<uint8_t> text = llvm::cantFail(assembleText(target, source));
  return llvm::cantFail(Disassembly::decode(target, text, 0x1000));
}

/// "v4x2" is VGPR 4 and 5, "s106x2" VCC, "#16" an immediate; ":m3" modifiers,
/// "=" before a destination, "=+" before one that is read as well.
std::string describe(const Operand &op) {
  std::string result = op.isDef ? (op.isReadToo ? "=+" : "=") : "";
  if (op.isImm()) {
    result += "#" + std::to_string(op.imm);
  } else {
    result += op.file == RegFile::Vgpr   ? "v"
              : op.file == RegFile::Agpr ? "a"
                                         : "s";
    result += std::to_string(op.index);
    if (op.dwords != 1)
      result += "x" + std::to_string(op.dwords);
  }
  if (op.mods)
    result += ":m" + std::to_string(op.mods);
  return result;
}

std::string describe(const Instruction &inst) {
  std::string result = inst.key.str();
  for (const Operand &op : inst.operands())
    result += " " + describe(op);
  return result;
}

struct Probe {
  const char *source, *expected;
};

const Probe probes[] = {
    {"v_add_f32 v1, v2, v3", "v_add_f32 =v1 v2 v3"},
    {"v_add_f32 v1, -v2, |v3| clamp", "v_add_f32 =v1 v2:m1 v3:m2 #1 #0"},
    {"v_add_f32_dpp v1, v2, v3 quad_perm:[0,1,2,3] row_mask:0xe bank_mask:0xd",
     "v_add_f32 =+v1 v2 v3 #228 #14 #13 #0"},
    {"v_add_f32_sdwa v1, v2, v3 dst_sel:DWORD dst_unused:UNUSED_PAD "
     "src0_sel:BYTE_1 src1_sel:WORD_1",
     "v_add_f32 =v1 v2 v3 #0 #0 #6 #0 #1 #5"},
    {"v_cndmask_b32 v1, v2, v3, s[4:5]", "v_cndmask_b32 =v1 v2 v3 s4x2"},
    {"v_cmp_lt_u32 s[2:3], v1, v2", "v_cmp_lt_u32 =s2x2 v1 v2"},
    {"v_add_co_u32 v1, s[6:7], v2, v3", "v_add_co_u32 =v1 =s6x2 v2 v3 #0"},
    {"v_fmac_f32 v1, v2, v3", "v_fmac_f32 =+v1 v2 v3"},
    {"v_pk_fma_f32 v[2:3], v[4:5], v[6:7], v[8:9]",
     "v_pk_fma_f32 =v2x2 v4x2:m8 v6x2:m8 v8x2:m8 #0"},
    {"v_accvgpr_read_b32 v1, a3", "v_accvgpr_read_b32 =v1 a3"},
    {"v_cvt_pk_bf16_f32 v1, v2, v3", "v_cvt_pk_bf16_f32 =v1 v2 v3 #0 #0"},
    {"buffer_load_dword v1, v2, s[4:7], s9 offen offset:16 sc0 nt",
     "buffer_load_dword =v1 v2 s4x4 s9 #16 #3 #0"},
    {"buffer_load_dwordx4 v2, s[4:7], s9 offen offset:64 lds",
     "buffer_load_dwordx4_lds v2 s4x4 s9 #64 #0 #0"},
    {"buffer_store_dwordx4 a[4:7], v2, s[8:11], 0 offen",
     "buffer_store_dwordx4 a4x4 v2 s8x4 #0 #0 #0 #0"},
    {"buffer_atomic_add v4, v2, s[4:7], s9 offen sc0",
     "buffer_atomic_add =+v4 v2 s4x4 s9 #0 #1"},
    {"global_load_dwordx4 v[4:7], v2, s[2:3] offset:-16",
     "global_load_dwordx4 =v4x4 s2x2 v2 #-16 #0"},
    {"global_store_dwordx2 v2, v[4:5], s[6:7] offset:8",
     "global_store_dwordx2 v2 v4x2 s6x2 #8 #0"},
    {"global_load_lds_dwordx4 v[2:3], off offset:16",
     "global_load_lds_dwordx4 v2x2 #16 #0"},
    {"s_load_dwordx4 s[4:7], s[0:1], 0x10", "s_load_dwordx4 =s4x4 s0x2 #16 #0"},
    {"s_load_dwordx2 s[4:5], s[0:1], s5 offset:0x10",
     "s_load_dwordx2 =s4x2 s0x2 s5 #16 #0"},
    {"ds_read2_b64 v[4:7], v1 offset0:1 offset1:2",
     "ds_read2_b64 =v4x4 v1 #1 #2 #0 #0"},
    {"ds_write2_b32 v1, v2, v3 offset1:4",
     "ds_write2_b32 v1 v2 v3 #0 #4 #0 #0"},
    {"ds_cmpst_rtn_b32 v3, v1, v2, v4",
     "ds_cmpst_rtn_b32 =v3 v1 v2 v4 #0 #0 #0"},
    {"ds_read_u16_d16_hi v4, v1", "ds_read_u16_d16_hi =+v4 v1 #0 #0"},
    {"buffer_load_short_d16 v4, v2, s[4:7], s9 offen",
     "buffer_load_short_d16 =+v4 v2 s4x4 s9 #0 #0 #0"},
    {"scratch_load_dword v1, off, off offset:8",
     "scratch_load_dword =v1 #8 #0"},
    {"scratch_store_dword off, v1, s3", "scratch_store_dword v1 s3 #0 #0"},
    {"scratch_store_dword v2, v1, s3", "scratch_store_dword v1 v2 s3 #0 #0"},
    {"s_add_i32 m0, s2, 0x1234", "s_add_i32 =s124 s2 #4660"},
    {"s_add_u32 s1, s2, lit(0xc)", "s_add_u32 =s1 s2 #12"},
    {"s_and_saveexec_b64 s[2:3], vcc", "s_and_saveexec_b64 =s2x2 s106x2"},
    {"s_addk_i32 s1, 5", "s_addk_i32 =+s1 #5"},
    {"s_mov_b64 s[2:3], exec", "s_mov_b64 =s2x2 s126x2"},
    {"v_mfma_f32_16x16x32_bf16 a[0:3], v[4:7], a[8:11], 0",
     "v_mfma_f32_16x16x32_bf16 =a0x4 v4x4 a8x4 #0 #0 #0 #0"},
    {"v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:15], v[0:3], "
     "v20, v21 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:1 blgp:4",
     "v_mfma_scale_f32_16x16x128_f8f6f4 =v0x4 v4x8 v12x4 v0x4 #1 #4 v20 v21 #4 "
     "#8"},
};

} // namespace

TEST(Disassembly, ProbesStandWhereTheyAreExpected) {
  for (const Probe &probe : probes) {
    Disassembly code = decode(probe.source);
    ASSERT_EQ(code.instructions().size(), 1u) << probe.source;
    EXPECT_EQ(describe(code.instructions()[0]), probe.expected);
  }
}

TEST(Disassembly, BranchTargetsAreAddresses) {
  Disassembly code = decode("top: s_nop 0\n s_cbranch_scc1 top\n s_branch end\n"
                            "s_nop 0\n end: s_endpgm");
  auto insts = code.instructions();
  ASSERT_EQ(insts.size(), 5u);
  EXPECT_EQ(insts[1].target, 0x1000u);
  EXPECT_TRUE(insts[1].isConditional);
  EXPECT_EQ(insts[2].target, 0x1010u);
  EXPECT_FALSE(insts[2].isConditional);
  EXPECT_EQ(code.indexAt(0x1010), 4);
  EXPECT_EQ(code.indexAt(0x1012), -1);
  EXPECT_EQ(code.indexAt(0x1014), -1);
  EXPECT_EQ(code.text(insts[1]), "s_cbranch_scc1 0x1000");
}

TEST(Disassembly, BytesThatAreNoInstructionStayVisible) {
  Disassembly code = decode(".long 0xffffffff\n s_endpgm");
  auto insts = code.instructions();
  ASSERT_EQ(insts.size(), 2u);
  EXPECT_FALSE(insts[0].valid);
  EXPECT_EQ(code.text(insts[0]), ".long 0xffffffff");
  EXPECT_EQ(insts[1].key, "s_endpgm");
}

// LLVM's printer does not survive these.
TEST(Disassembly, ReservedSdwaSelectsAreNoInstruction) {
  auto check = [](uint32_t first, uint32_t second, bool valid) {
    std::string source =
        ".long " + std::to_string(first) + ", " + std::to_string(second);
    Disassembly code = decode(source + "\n s_endpgm");
    ASSERT_EQ(code.instructions().size(), 2u) << source;
    EXPECT_EQ(code.instructions()[0].valid, valid) << source;
    EXPECT_EQ(code.text(code.instructions()[0]).substr(0, 5) != ".long", valid);
    EXPECT_EQ(code.text(code.instructions()[1]), "s_endpgm");
  };
  constexpr uint32_t mov = 0x7e0002f9, max = 0x140002f9, less = 0x7c8200f9;
  for (uint32_t select = 0; select != 8; ++select) {
    bool valid = select < 7;
    check(mov, 0x00060001 | select << 8, valid);
    check(mov, 0x00000601 | select << 16, valid);
    check(max, 0x06060001 | select << 8, valid);
    check(max, 0x06000601 | select << 16, valid);
    check(max, 0x00060601 | select << 24, valid);
    check(less, 0x06000001 | select << 16, valid);
    check(less, 0x00060001 | select << 24, valid);
  }
  for (uint32_t unused = 0; unused != 4; ++unused)
    check(max, 0x06060601 | unused << 11, unused < 3);
}

TEST(Disassembly, WaitCountsAreDecoded) {
  Disassembly code = decode("s_waitcnt vmcnt(35) lgkmcnt(2)");
  const Instruction &inst = code.instructions()[0];
  WaitCount count = WaitCount::decode(uint16_t(inst.operand(0).imm));
  EXPECT_EQ(count.vm, 35u);
  EXPECT_EQ(count.lgkm, 2u);
  EXPECT_EQ(count.exp, 7u);
  EXPECT_EQ(count.encode(), uint16_t(inst.operand(0).imm));
}

TEST(Disassembly, AssemblerErrorsNameTheLine) {
  const TargetInfo &target = llvm::cantFail(lookupTarget("gfx950"));
  auto text = assembleText(target, "s_nop 0\nv_nonsense v1\n");
  ASSERT_FALSE(bool(text));
  std::string message = llvm::toString(text.takeError());
  EXPECT_NE(message.find("line 2"), std::string::npos) << message;
}

TEST(Disassembly, MisalignedStartIsAnError) {
  const TargetInfo &target = llvm::cantFail(lookupTarget("gfx950"));
  auto code = Disassembly::decode(target, {0, 0, 0, 0}, 2);
  ASSERT_FALSE(bool(code));
  EXPECT_EQ(llvm::toString(code.takeError()),
            "code starts at 0x2, expected a multiple of 4");
}
