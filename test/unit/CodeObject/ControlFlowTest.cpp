//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/CodeObject/ControlFlow.h"

#include "gtest/gtest.h"

using namespace fly;

namespace {

Disassembly decode(llvm::StringRef source) {
  const TargetInfo &target = llvm::cantFail(lookupTarget("gfx950"));
  return llvm::cantFail(Disassembly::decode(
      target, llvm::cantFail(assembleText(target, source)), 0));
}

} // namespace

TEST(ControlFlow, StraightLineHasOneBlockAndNoLoop) {
  Disassembly code = decode("s_nop 0\ns_nop 1\ns_endpgm\ns_nop 2");
  ControlFlowGraph cfg(code, 0);
  ASSERT_EQ(cfg.blocks().size(), 1u);
  EXPECT_EQ(cfg.blocks()[0].end, 3u);
  EXPECT_EQ(cfg.hotLoop(), nullptr);
}

TEST(ControlFlow, HotLoopIsTheInnermostWithTheMostMfma) {
  Disassembly code = decode(R"(
    s_mov_b32 s0, 0
  outer:
    s_nop 0
  plain:
    ds_read_b32 v0, v1
    ds_read_b32 v2, v1
    s_cbranch_scc1 plain
  hot:
    v_mfma_f32_16x16x32_bf16 v[0:3], v[4:7], v[8:11], v[0:3]
    s_cbranch_scc0 skip
    s_nop 1
  skip:
    s_cbranch_scc1 hot
    s_cbranch_vccz outer
    s_endpgm)");
  ControlFlowGraph cfg(code, 0);
  ASSERT_EQ(cfg.loops().size(), 3u);
  const Loop *hot = cfg.hotLoop();
  ASSERT_NE(hot, nullptr);
  EXPECT_EQ(hot->depth, 2u);
  EXPECT_EQ(cfg.instructionsOf(*hot), (std::vector<uint32_t>{5, 6, 7, 8}));
}

TEST(ControlFlow, EntryOutsideTheCodeGivesNoBlocks) {
  Disassembly code = decode("s_endpgm");
  EXPECT_TRUE(ControlFlowGraph(code, 400).blocks().empty());
  EXPECT_EQ(ControlFlowGraph(code, 400).hotLoop(), nullptr);
}

TEST(ControlFlow, BranchOutOfTheCodeAndInvalidBytesEndABlock) {
  Disassembly code = decode("s_branch 100\n.long 0xffffffff\ns_endpgm");
  ControlFlowGraph cfg(code, 0);
  ASSERT_EQ(cfg.blocks().size(), 1u);
  EXPECT_TRUE(cfg.blocks()[0].successors.empty());
  ControlFlowGraph invalid(code, 4);
  ASSERT_EQ(invalid.blocks().size(), 1u);
  EXPECT_TRUE(invalid.blocks()[0].successors.empty());
}
