//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Reports of kernels written in assembly.

#include "fly/Inspect/Inspect.h"

#include "LinkedObject.h"
#include "Support/Unwrap.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

KernelReport inspectSource(llvm::StringRef arch, llvm::StringRef source,
                           const InspectOptions &options = {}) {
  CodeObject object = unwrap(CodeObject::parse(linkSource(arch, source)));
  Disassembly code = unwrap(object.disassemble());
  return inspectKernel(object, code, object.kernels()[0], options);
}

KernelReport inspectBody(llvm::StringRef body,
                         const InspectOptions &options = {},
                         const KernelOptions &kernel = {}) {
  return inspectSource("gfx950", kernelSource(kernel, body), options);
}

/// A loop around \p body.
std::string loop(llvm::StringRef body) {
  return ("s_mov_b32 s5, 4\n.Lloop:\n" + body +
          "\ns_sub_u32 s5, s5, 1\ns_cmp_lg_u32 s5, 0\n"
          "s_cbranch_scc1 .Lloop\n")
      .str();
}

bool hasFlag(const KernelReport &report, llvm::StringRef kind, unsigned count) {
  for (const Flag &flag : report.flags)
    if (flag.kind == kind && flag.count == count)
      return true;
  return false;
}

const char *const mfma =
    "v_mfma_f32_16x16x32_bf16 v[0:3], v[4:7], v[8:11], v[0:3]\n";

} // namespace

TEST(Inspect, EveryInstructionIsCountedOnce) {
  KernelReport report = inspectBody(loop(R"(
    v_mfma_f32_16x16x32_bf16 v[0:3], v[4:7], v[8:11], v[0:3]
    v_mfma_f32_16x16x32_bf16 v[12:15], v[4:7], v[8:11], v[12:15]
    ds_read_b128 v[16:19], v20
    ds_read_b64 v[16:17], v20
    ds_read2_b32 v[16:17], v20 offset0:1 offset1:2
    ds_write_b32 v20, v21
    ds_bpermute_b32 v22, v20, v21
    buffer_load_dwordx4 v20, s[8:11], 0 offen lds
    buffer_load_dword v20, s[8:11], 0 offen lds
    global_load_lds_dwordx4 v[24:25], off
    buffer_load_dwordx2 v[26:27], v20, s[8:11], 0 offen
    global_load_ushort v28, v[24:25], off
    flat_load_dwordx3 v[28:30], v[24:25]
    global_store_dwordx4 v[24:25], v[4:7], off
    global_atomic_add_f32 v[24:25], v4, off
    s_load_dwordx2 s[12:13], s[0:1], 0x0
    v_add_u32 v20, v20, v21
    v_accvgpr_read_b32 v20, a0
    v_accvgpr_write_b32 a0, v20
    s_nop 3
    s_barrier
    s_setprio 1
    s_sleep 1
    s_waitcnt vmcnt(10)
    s_waitcnt vmcnt(10)
    s_waitcnt lgkmcnt(1)
    buffer_inv sc1
  )"));
  ASSERT_TRUE(report.hotLoop);
  const InstructionMix &mix = report.hotLoop->mix;
  EXPECT_EQ(mix.mfmaCount(), 2u);
  EXPECT_EQ(mix.mfmaCycles(), 32u);
  EXPECT_EQ(mix.mfmaFlops(), 2u * 2 * 16 * 16 * 32);
  EXPECT_EQ(mix.ldsReads,
            (NameCounts{
                {"ds_read_b128", 1}, {"ds_read_b64", 1}, {"ds_read2_b32", 1}}));
  EXPECT_EQ(mix.ldsWrites, (NameCounts{{"ds_write_b32", 1}}));
  EXPECT_EQ(mix.ldsOther, (NameCounts{{"ds_bpermute_b32", 1}}));
  EXPECT_EQ(mix.directCopies, (std::map<unsigned, unsigned>{{16, 2}, {4, 1}}));
  EXPECT_EQ(mix.loads, (NameCounts{{"buffer_load_dwordx2", 1},
                                   {"global_load_ushort", 1},
                                   {"flat_load_dwordx3", 1}}));
  EXPECT_EQ(mix.stores, (NameCounts{{"global_store_dwordx4", 1}}));
  EXPECT_EQ(mix.atomics, (NameCounts{{"global_atomic_add_f32", 1}}));
  EXPECT_EQ(mix.scalarMemory, 1u);
  EXPECT_EQ(mix.valu, 1u);
  EXPECT_EQ(mix.accumulatorMoves, 2u);
  EXPECT_EQ(mix.nops, 1u);
  EXPECT_EQ(mix.barriers, 1u);
  EXPECT_EQ(mix.priorities, 1u);
  EXPECT_EQ(mix.salu, 2u);
  EXPECT_EQ(mix.branches, 1u);
  EXPECT_EQ(mix.other, (NameCounts{{"s_sleep", 1}, {"buffer_inv", 1}}));
  ASSERT_EQ(mix.waits.size(), 2u);
  EXPECT_EQ(mix.waits[0].vmcnt, 10u);
  EXPECT_FALSE(mix.waits[0].lgkmcnt || mix.waits[0].expcnt);
  EXPECT_EQ(mix.waits[0].count, 2u);
  EXPECT_EQ(mix.waits[1].lgkmcnt, 1u);
  EXPECT_EQ(mix.waitCount(), 3u);
  EXPECT_EQ(mix.bytesFromMemory(), 64u * (16 + 16 + 4 + 8 + 2 + 12));
  EXPECT_EQ(mix.total, 30u);
}

TEST(Inspect, WidthsOfEveryLoad) {
  KernelReport report = inspectBody(R"(
    buffer_load_ubyte v1, v0, s[8:11], 0 offen
    buffer_load_sbyte_d16 v1, v0, s[8:11], 0 offen
    buffer_load_short_d16_hi v1, v0, s[8:11], 0 offen
    buffer_load_format_xyz v[2:4], v0, s[8:11], 0 offen
    buffer_load_format_d16_xy v1, v0, s[8:11], 0 offen
    global_load_lds_ubyte v[4:5], off
  )");
  EXPECT_EQ(report.code.mix.bytesFromMemory(), 64u * (1 + 1 + 2 + 12 + 4 + 1));
}

TEST(Inspect, DrainsAreWaitsForAllBetweenMfma) {
  std::string vm = std::string(mfma) + "s_waitcnt vmcnt(0)\n" + mfma;
  KernelReport report = inspectBody(loop(vm));
  EXPECT_EQ(report.hotLoop->fullVmWaits, 1u);
  EXPECT_EQ(report.hotLoop->fullLgkmWaits, 0u);
  EXPECT_TRUE(hasFlag(report, "full-drain", 1));

  // In a loop there is an MFMA before and after every place.
  report =
      inspectBody(loop(std::string("s_waitcnt vmcnt(0) lgkmcnt(0)\n") + mfma));
  EXPECT_TRUE(hasFlag(report, "full-drain", 2));
  // But not in straight code.
  report = inspectBody(std::string("s_waitcnt vmcnt(0) lgkmcnt(0)\n") + mfma +
                       "s_waitcnt vmcnt(0) lgkmcnt(0)\n");
  EXPECT_FALSE(report.hotLoop);
  EXPECT_TRUE(report.flags.empty());
  report = inspectBody(vm);
  EXPECT_TRUE(hasFlag(report, "full-drain", 1));

  // A barrier ends a run of MFMA: what is read behind it has to arrive.
  report = inspectBody(
      loop(std::string(mfma) + "s_barrier\ns_waitcnt lgkmcnt(0)\n" + mfma));
  EXPECT_TRUE(report.flags.empty());
  report = inspectBody(
      loop(std::string(mfma) + "s_barrier\ns_waitcnt vmcnt(0)\n" + mfma));
  EXPECT_TRUE(hasFlag(report, "full-drain", 1));
  // Partial waits are none, and nor are full ones where nothing is multiplied.
  report =
      inspectBody(loop(std::string(mfma) + "s_waitcnt vmcnt(1) lgkmcnt(2)\n"));
  EXPECT_TRUE(report.flags.empty());
  report = inspectBody(loop("s_waitcnt vmcnt(0)\n"));
  EXPECT_TRUE(report.flags.empty());
}

TEST(Inspect, MovedAccumulatorsAreCounted) {
  KernelReport report = inspectBody(loop(R"(
    v_mfma_f32_16x16x32_bf16 v[12:15], v[4:7], v[8:11], v[0:3]
    v_mfma_f32_16x16x32_bf16 a[0:3], v[4:7], v[8:11], a[4:7]
    v_mfma_f32_16x16x32_bf16 v[16:19], v[4:7], v[8:11], 0
    v_accvgpr_read_b32 v20, a0
  )"));
  EXPECT_EQ(report.hotLoop->movedAccumulators, 2u);
  EXPECT_TRUE(hasFlag(report, "accumulator-copies", 3));
  EXPECT_FALSE(report.hotLoop->k);
}

TEST(Inspect, KOfAPass) {
  std::string other =
      "v_mfma_f32_16x16x32_bf16 v[12:15], v[4:7], v[8:11], v[12:15]\n";
  KernelReport report =
      inspectBody(loop(std::string(mfma) + mfma + other + other));
  EXPECT_EQ(report.hotLoop->k, 64.0);
  // With a manifest: from the tile, which 4 waves share.
  Manifest manifest;
  manifest.tileM = manifest.tileN = 32;
  manifest.tileK = 16;
  manifest.workgroupSize = 256;
  InspectOptions options;
  options.manifest = &manifest;
  report = inspectBody(loop(std::string(mfma) + other), options);
  EXPECT_EQ(report.hotLoop->k, 64.0);
  EXPECT_EQ(report.kStep, 16.0);
  EXPECT_EQ(report.resources.workgroupSizeFrom, "manifest");
}

TEST(Inspect, ScratchAndHalfRateAreFlagged) {
  KernelOptions kernel;
  kernel.scratchBytes = 64;
  std::string body = loop(R"(
    v_mfma_f32_16x16x32_fp8_fp8 v[0:3], v[4:5], v[6:7], v[0:3]
    scratch_load_dword v20, off, off offset:4
    scratch_store_dword off, v20, off offset:4
  )");
  KernelReport report = inspectBody(body, {}, kernel);
  EXPECT_TRUE(hasFlag(report, "scratch", 2));
  EXPECT_TRUE(hasFlag(report, "half-rate-mfma", 1));
  EXPECT_EQ(report.resources.scratchBytes, 64u);
  // At its full rate on the older chip.
  report = inspectSource("gfx942", kernelSource(kernel, body));
  EXPECT_FALSE(hasFlag(report, "half-rate-mfma", 1));
}

TEST(Inspect, SparseMfmaHaveCyclesButNoK) {
  KernelReport report = inspectBody(
      loop("v_smfmac_f32_16x16x32_f16 a[0:3], v[0:1], v[2:5], v6\n"));
  EXPECT_EQ(report.hotLoop->mix.mfmaCount(), 1u);
  EXPECT_EQ(report.hotLoop->mix.mfmaCycles(), uint64_t(16));
  EXPECT_FALSE(report.hotLoop->k);
}

TEST(Inspect, AgprsAreFoundInTheCode) {
  // The note of kernelSource counts registers, but no AGPRs.
  KernelOptions kernel;
  kernel.vgprs = 96;
  kernel.accumOffset = 64;
  KernelReport report =
      inspectBody("v_accvgpr_write_b32 a27, v0\n", {}, kernel);
  EXPECT_EQ(report.resources.agprs, 28u);
  EXPECT_EQ(report.resources.vgprs, 64u);
  EXPECT_EQ(report.resources.allocatedRegisters, 96u);
  report = inspectBody("v_mov_b32 v1, v0\n", {}, kernel);
  EXPECT_EQ(report.resources.agprs, 0u);
  EXPECT_EQ(report.resources.vgprs, 96u);
}

TEST(Inspect, Occupancy) {
  const TargetInfo &target = unwrap(lookupTarget("gfx950"));
  struct {
    unsigned threads, registers, lds;
    unsigned groups;
    double waves;
    std::vector<std::string> limits;
  } const cases[] = {
      {512, 256, 0, 1, 2, {"registers"}},
      {512, 256, 131200, 1, 2, {"registers", "lds"}},
      {256, 512, 0, 1, 1, {"registers"}},
      {256, 128, 0, 4, 4, {"registers"}},
      {256, 136, 0, 3, 3, {"registers"}},
      {256, 64, 81920, 2, 2, {"lds"}},
      {64, 8, 0, 32, 8, {"waves"}},
      {64, 64, 0, 32, 8, {"registers", "waves"}},
      {64, 8, 163840, 1, 0.25, {"lds"}},
      {1024, 128, 0, 1, 4, {"registers"}},
      {1024, 256, 0, 0, 0, {"registers"}},
      {0, 512, 0, 4, 1, {"registers"}},
  };
  for (const auto &c : cases) {
    Resources resources;
    resources.workgroupSize = c.threads;
    resources.allocatedRegisters = c.registers;
    resources.allocatedLdsBytes = c.lds;
    Occupancy occupancy = occupancyOf(target, resources);
    EXPECT_EQ(occupancy.workgroupsPerCu, c.groups) << c.threads;
    EXPECT_EQ(occupancy.wavesPerSimd, c.waves) << c.threads;
    EXPECT_EQ(occupancy.limitedBy, c.limits) << c.threads;
  }
}

TEST(Inspect, LdsIsAllocatedInGranules) {
  KernelOptions kernel;
  kernel.ldsBytes = 1281;
  InspectOptions options;
  options.workgroupSize = 128;
  KernelReport report = inspectBody("s_nop 0\n", options, kernel);
  EXPECT_EQ(report.resources.ldsBytes, 1281u);
  EXPECT_EQ(report.resources.allocatedLdsBytes, 2560u);
  EXPECT_EQ(report.resources.workgroupSizeFrom, "launch");
  EXPECT_EQ(report.occupancy.wavesPerWorkgroup, 2u);
  options.dynamicLdsBytes = 1280;
  report = inspectBody("s_nop 0\n", options, kernel);
  EXPECT_EQ(report.resources.allocatedLdsBytes, 3840u);
}

TEST(Inspect, WhatIsNoInstructionIsOther) {
  KernelReport report = inspectBody("s_branch .Lend\n.long 0xffffffff\n.Lend:\n"
                                    "s_cbranch_scc0 .Lbad\ns_endpgm\n"
                                    ".Lbad:\n.long 0xffffffff\n");
  EXPECT_EQ(report.code.mix.other, (NameCounts{{"invalid", 1}}));
}

TEST(Inspect, JsonHasEveryFieldWhereNothingIsKnown) {
  KernelReport report = inspectBody("s_nop 0\n");
  llvm::json::Value value = toJSON(report);
  const llvm::json::Object &object = *value.getAsObject();
  EXPECT_EQ(object.getBoolean("executed"), false);
  EXPECT_EQ(object.get("hot_loop")->kind(), llvm::json::Value::Null);
  const llvm::json::Object &code = *object.getObject("code");
  for (const char *field : {"k", "k_step", "mfma_cycles_per_k_step",
                            "memory_bytes_per_flop", "bank_conflicts"})
    EXPECT_EQ(code.get(field)->kind(), llvm::json::Value::Null) << field;
  EXPECT_EQ(code.getInteger("mfma_cycles"), 0);
  std::string text;
  llvm::raw_string_ostream os(text);
  printReport(report, os);
  EXPECT_NE(text.find("no loop; the whole kernel:"), std::string::npos);
  EXPECT_NE(text.find("not executed"), std::string::npos);
}
