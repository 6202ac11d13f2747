//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Initial state, control flow, scheduling, and launches that cannot run.

#include "Machine.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

/// Runs in both modes and expects no report.
void runBoth(Machine &machine, llvm::StringRef body, bool withBuffer = true) {
  std::vector<uint32_t> start = machine.buffer, first;
  for (bool check : {true, false}) {
    machine.buffer = start;
    machine.options.check = check;
    withBuffer ? machine.runWithBuffer(body) : machine.run(body);
    ASSERT_EQ(machine.reports(), "") << body.str();
    if (check)
      first = machine.buffer;
  }
  EXPECT_EQ(first, machine.buffer) << "the modes differ";
}

const char *const storeV0 = R"(
  buffer_store_dword v0, v30, s[12:15], 0 offen
)";

} // namespace

TEST(Execution, EachLaneStoresItsNumber) {
  Machine machine;
  runBoth(machine, R"(
    v_lshl_add_u32 v1, v31, 1, 7
    buffer_store_dword v1, v30, s[12:15], 0 offen
  )");
  for (unsigned l = 0; l != 64; ++l)
    EXPECT_EQ(machine.buffer[l], 2 * l + 7);
}

TEST(Execution, WorkitemIdsArePacked) {
  Machine machine;
  machine.block = {4, 8, 2};
  runBoth(machine, storeV0);
  for (unsigned l = 0; l != 64; ++l)
    EXPECT_EQ(machine.buffer[l], l % 4 | l / 4 % 8 << 10 | l / 32 << 20);
}

TEST(Execution, LanesBeyondTheBlockAreInactive) {
  Machine machine;
  machine.block = {40, 1, 1};
  machine.buffer.assign(64, 0xabcd);
  runBoth(machine, storeV0);
  for (unsigned l = 0; l != 64; ++l)
    EXPECT_EQ(machine.buffer[l], l < 40 ? l : 0xabcd);
}

TEST(Execution, WorkgroupIdsCoverTheGrid) {
  Machine machine;
  machine.grid = {3, 2, 4};
  runBoth(machine, R"(
    s_mul_i32 s5, s4, 2
    s_add_u32 s5, s5, s3
    s_mul_i32 s5, s5, 3
    s_add_u32 s5, s5, s2
    s_lshl_b32 s6, s5, 2
    s_lshl_b32 s4, s4, 8
    s_lshl_b32 s3, s3, 4
    s_or_b32 s2, s2, s3
    s_or_b32 s2, s2, s4
    v_mov_b32 v0, s2
    s_mov_b64 exec, 1
    buffer_store_dword v0, off, s[12:15], s6
  )");
  for (unsigned z = 0; z != 4; ++z)
    for (unsigned y = 0; y != 2; ++y)
      for (unsigned x = 0; x != 3; ++x)
        EXPECT_EQ(machine.buffer[(z * 2 + y) * 3 + x], x | y << 4 | z << 8);
}

TEST(Execution, LoopsAndConditions) {
  Machine machine;
  runBoth(machine, R"(
    s_mov_b32 s5, 0
    s_mov_b32 s6, 10
  top:
    s_add_u32 s5, s5, s6
    s_sub_u32 s6, s6, 1
    s_cmp_lg_u32 s6, 0
    s_cbranch_scc1 top
    v_mov_b32 v1, s5
    buffer_store_dword v1, v30, s[12:15], 0 offen
  )");
  EXPECT_EQ(machine.buffer[5], 55u);
}

TEST(Execution, BranchesOnMasks) {
  struct {
    const char *branch, *setup;
    bool taken;
  } const cases[] = {{"s_cbranch_vccz", "s_mov_b64 vcc, 0", true},
                     {"s_cbranch_vccz", "s_mov_b32 vcc_hi, 1", false},
                     {"s_cbranch_vccnz", "s_mov_b64 vcc, 0", false},
                     {"s_cbranch_vccnz", "s_mov_b32 vcc_hi, 1", true},
                     {"s_cbranch_execz", "s_mov_b64 exec, 0", true},
                     {"s_cbranch_execz", "s_mov_b64 exec, 1", false},
                     {"s_cbranch_execnz", "s_mov_b64 exec, 0", false},
                     {"s_cbranch_execnz", "s_mov_b64 exec, 1", true},
                     {"s_cbranch_scc0", "s_cmp_eq_u32 0, 0", false},
                     {"s_cbranch_scc1", "s_cmp_eq_u32 0, 0", true}};
  for (const auto &c : cases) {
    Machine machine;
    machine.runWithBuffer("s_mov_b64 vcc, 0\ns_mov_b32 s20, 1\n" +
                          std::string(c.setup) + "\n" + c.branch +
                          " .Ltaken\ns_mov_b32 s20, 0\n.Ltaken:\n"
                          "s_mov_b64 exec, 1\nv_mov_b32 v1, s20\n"
                          "buffer_store_dword v1, off, s[12:15], 0\n");
    EXPECT_EQ(machine.errors(), "") << c.branch;
    EXPECT_EQ(machine.buffer[0], uint32_t(c.taken)) << c.branch << c.setup;
  }
}

TEST(Execution, CallsAndIndirectJumps) {
  Machine machine;
  runBoth(machine, R"(
    s_mov_b32 s5, 1
    s_call_b64 s[20:21], twice
    s_getpc_b64 s[22:23]
  here:
    s_add_u32 s22, s22, twice-here
    s_addc_u32 s23, s23, 0
    s_swappc_b64 s[20:21], s[22:23]
    v_mov_b32 v1, s5
    buffer_store_dword v1, v30, s[12:15], 0 offen
    s_endpgm
  twice:
    s_lshl_b32 s5, s5, 3
    s_setpc_b64 s[20:21]
  )");
  EXPECT_EQ(machine.buffer[0], 64u);
}

TEST(Execution, KernargPreloadStartsFurtherOn) {
  Machine machine;
  machine.kernel.preloadDwords = 4;
  std::string body = "s_mov_b32 s2, 77\n";
  for (unsigned i = 1; i != 64; ++i)
    body += "s_nop 0\n";
  // 256 bytes on.
  body += R"(
    s_mov_b32 s12, s2
    s_mov_b32 s13, s3
    s_mov_b32 s14, s4
    s_mov_b32 s15, 0x27000
    v_mov_b32 v1, s4
    buffer_store_dword v1, off, s[12:15], 0
  )";
  runBoth(machine, body, false);
  EXPECT_EQ(machine.buffer[0], 1024u) << "the buffer's size, preloaded in s4";
}

TEST(Execution, UnknownStacksGetAFixedSize) {
  const char *body = "v_mov_b32 v1, 1\ns_movk_i32 s4, 0x2000\n"
                     "scratch_store_dword off, v1, s4\n";
  Machine machine;
  machine.kernel.scratchBytes = 64;
  machine.run(body);
  EXPECT_TRUE(machine.reported("scratch-out-of-bounds", "64 bytes"))
      << machine.reports();
  machine.kernel.extra = ".amdhsa_uses_dynamic_stack 1";
  machine.run(body);
  EXPECT_EQ(machine.reports(), "");
  machine.options.dynamicStackBytes = 4096;
  machine.run(body);
  EXPECT_TRUE(machine.reported("scratch-out-of-bounds", "4096 bytes"))
      << machine.reports();
  machine.options.dynamicStackBytes = 1 << 20;
  machine.run(body);
  EXPECT_NE(machine.error.find("at most 131056"), std::string::npos)
      << machine.error;
}

TEST(Execution, InstructionsAreCounted) {
  Machine machine;
  machine.grid = {3, 2, 1};
  machine.block = {128, 1, 1};
  machine.options.countInstructions = true;
  machine.kernel.ldsBytes = 64;
  const char *body = R"(
    s_mov_b32 s20, 5
  .Ltop:
    s_sub_u32 s20, s20, 1
    s_cmp_lg_u32 s20, 0
    s_cbranch_scc1 .Ltop
    s_cbranch_scc0 .Lend
    v_mov_b32 v1, 0
  .Lend:
  )";
  for (bool check : {false, true}) {
    machine.options.check = check;
    machine.run(body);
    uint64_t sum = 0;
    std::vector<std::pair<std::string, uint64_t>> counts;
    for (const InstructionCount &each : machine.result.counts) {
      sum += each.count;
      counts.emplace_back(llvm::StringRef(each.text).split(' ').first,
                          each.count);
    }
    EXPECT_EQ(sum, machine.result.instructions);
    EXPECT_EQ(counts, (std::vector<std::pair<std::string, uint64_t>>{
                          {"s_mov_b32", 12},
                          {"s_sub_u32", 60},
                          {"s_cmp_lg_u32", 60},
                          {"s_cbranch_scc1", 60},
                          {"s_cbranch_scc0", 12},
                          {"s_endpgm", 12}}));
  }
  machine.options.countInstructions = false;
  machine.run(body);
  EXPECT_TRUE(machine.result.counts.empty());
}

TEST(Execution, XccIdIsTheGroupModuloEight) {
  Machine machine;
  machine.grid = {10, 1, 1};
  runBoth(machine, R"(
    s_getreg_b32 s5, hwreg(HW_REG_XCC_ID)
    s_lshl_b32 s6, s2, 2
    v_mov_b32 v0, s5
    s_mov_b64 exec, 1
    buffer_store_dword v0, off, s[12:15], s6
  )");
  for (unsigned i = 0; i != 10; ++i)
    EXPECT_EQ(machine.buffer[i], i % 8);
}

TEST(Execution, VskipPassesOverVectorInstructions) {
  Machine machine;
  runBoth(machine, R"(
    v_mov_b32 v1, 5
    s_mov_b32 s5, 2
    s_setvskip s5, 1
    v_mov_b32 v1, 6
    s_setvskip s5, 0
    buffer_store_dword v1, v30, s[12:15], 0 offen
  )");
  EXPECT_EQ(machine.buffer[3], 5u);
}

TEST(Execution, GprIndexModeAddsM0) {
  Machine machine;
  runBoth(machine, R"(
    v_mov_b32 v10, 5
    v_mov_b32 v12, 9
    s_mov_b32 s5, 2
    s_set_gpr_idx_on s5, gpr_idx(SRC0,DST)
    v_mov_b32 v1, v10
    s_set_gpr_idx_off
    buffer_store_dword v3, v30, s[12:15], 0 offen
  )");
  EXPECT_EQ(machine.buffer[3], 9u);
}

TEST(Execution, WavesMeetAtBarriers) {
  Machine machine;
  machine.block = {256, 1, 1};
  machine.kernel.ldsBytes = 1024;
  runBoth(machine, R"(
    v_lshlrev_b32 v1, 2, v0
    v_lshlrev_b32 v2, 1, v0
    ds_write_b32 v1, v2
    s_waitcnt lgkmcnt(0)
    s_barrier
    v_xor_b32 v3, 0xff, v0
    v_lshlrev_b32 v3, 2, v3
    ds_read_b32 v4, v3
    s_waitcnt lgkmcnt(0)
    buffer_store_dword v4, v1, s[12:15], 0 offen
  )");
  for (unsigned i = 0; i != 256; ++i)
    EXPECT_EQ(machine.buffer[i], 2 * (255 - i));
}

TEST(Execution, WorkgroupsMaySpinOnEachOther) {
  // Group 0 waits until group 1 has written; both orders of starting work.
  for (unsigned waiter : {0u, 1u}) {
    Machine machine;
    machine.grid = {2, 1, 1};
    machine.options.threads = 1;
    machine.extraArgs = {waiter};
    machine.runWithBuffer(R"(
      s_load_dword s16, s[0:1], 0x10
      v_mov_b32 v5, 0
      s_waitcnt lgkmcnt(0)
      s_cmp_eq_u32 s2, s16
      s_cbranch_scc0 writer
    spin:
      global_load_dword v6, v5, s[8:9] sc1
      s_waitcnt vmcnt(0)
      v_readfirstlane_b32 s5, v6
      s_cmp_eq_u32 s5, 42
      s_cbranch_scc0 spin
      v_mov_b32 v7, 43
      global_store_dword v5, v7, s[8:9] offset:4
      s_endpgm
    writer:
      v_mov_b32 v7, 42
      global_store_dword v5, v7, s[8:9] sc1
    )");
    EXPECT_EQ(machine.reports(), "");
    EXPECT_EQ(machine.buffer[1], 43u);
  }
}

TEST(Execution, ResultsDoNotDependOnThreads) {
  std::vector<uint32_t> expected;
  for (unsigned threads : {1u, 2u, 3u}) {
    Machine machine;
    machine.options.threads = threads;
    machine.grid = {64, 1, 1};
    machine.buffer.assign(64 * 64, 0);
    runBoth(machine, R"(
      s_lshl_b32 s6, s2, 8
      v_mul_lo_u32 v1, v31, s2
      buffer_store_dword v1, v30, s[12:15], s6 offen
    )");
    if (expected.empty())
      expected = machine.buffer;
    EXPECT_EQ(machine.buffer, expected);
  }
  EXPECT_EQ(expected[63 * 64 + 5], 5u * 63);
}

TEST(Execution, UnknownInstructionsCountOnlyWhenReached) {
  Machine machine;
  machine.runWithBuffer("s_branch over\n.long 0xffffffff\nover: s_nop 0");
  EXPECT_EQ(machine.error, "");
  machine.runWithBuffer(".long 0xffffffff");
  EXPECT_NE(machine.error.find("'.long 0xffffffff': these bytes are no "
                               "instruction"),
            std::string::npos)
      << machine.error;
  machine.runWithBuffer("s_rfe_b64 s[2:3]");
  EXPECT_NE(machine.error.find("it returns from a trap handler"),
            std::string::npos)
      << machine.error;
}

TEST(Execution, JumpsOutOfTheCodeAreErrors) {
  Machine machine;
  machine.runWithBuffer("s_branch 1000");
  EXPECT_NE(machine.error.find("branch to an address where no instruction "
                               "starts"),
            std::string::npos);
  machine.runWithBuffer("s_mov_b64 s[2:3], 3\ns_setpc_b64 s[2:3]");
  EXPECT_NE(machine.error.find("jump to an address"), std::string::npos);
}

TEST(Execution, ImpossibleLaunchesAreErrors) {
  Machine machine;
  machine.block = {1025, 1, 1};
  machine.run("");
  EXPECT_EQ(machine.error, "block of 1025 x 1 x 1 threads, kernel 'k' takes at "
                           "most 1024");
  machine.block = {0, 1, 1};
  machine.run("");
  EXPECT_EQ(machine.error, "grid and block sizes must be at least 1");
  machine.block = {64, 1, 1};
  machine.dynamicLds = 160 * 1024 + 1;
  machine.run("");
  EXPECT_EQ(machine.error, "kernel 'k' needs 163841 bytes of LDS (0 static, "
                           "163841 dynamic), gfx950 has 163840");
}

TEST(Execution, ForeignObjectsAndUnknownKernelsAreErrors) {
  auto emulator = llvm::cantFail(Emulator::create("gfx950", EmulatorOptions()));
  auto foreign =
      emulator->load(linkSource("gfx942", kernelSource(KernelOptions(), "")));
  ASSERT_FALSE(bool(foreign));
  EXPECT_EQ(llvm::toString(foreign.takeError()),
            "the code object is for gfx942, this emulator is a gfx950");
  auto module = llvm::cantFail(
      emulator->load(linkSource("gfx950", kernelSource(KernelOptions(), ""))));
  EXPECT_EQ(module->kernelNames(), std::vector<std::string>{"k"});
  LaunchParams params;
  params.kernel = "nobody";
  auto unknown = emulator->launch(*module, params);
  ASSERT_FALSE(bool(unknown));
  EXPECT_EQ(llvm::toString(unknown.takeError()),
            "no kernel 'nobody' in the code object, expected one of k");
  params.kernel = "k";
  auto missing = emulator->launch(*module, params);
  ASSERT_FALSE(bool(missing));
  EXPECT_EQ(llvm::toString(missing.takeError()),
            "kernel 'k' takes 8 bytes of arguments, 0 were given");
  std::vector<uint8_t> many(100);
  params.kernargs = many;
  auto tooMany = emulator->launch(*module, params);
  ASSERT_FALSE(bool(tooMany));
  EXPECT_EQ(llvm::toString(tooMany.takeError()),
            "kernel 'k' has a kernarg segment of 64 bytes, 100 bytes of "
            "arguments were given");
  auto arch = Emulator::create("gfx90a", EmulatorOptions());
  ASSERT_FALSE(bool(arch));
  llvm::consumeError(arch.takeError());
}

TEST(Execution, ArgumentBytesMayStartAnywhere) {
  auto emulator = llvm::cantFail(Emulator::create("gfx950", EmulatorOptions()));
  auto module = llvm::cantFail(
      emulator->load(linkSource("gfx950", kernelSource(KernelOptions(), R"(
        s_load_dwordx2 s[8:9], s[0:1], 0x0
        s_load_dwordx2 s[10:11], s[0:1], 0xc
        v_mov_b32 v1, 0
        s_waitcnt lgkmcnt(0)
        v_mov_b32 v2, s10
        global_store_dword v1, v2, s[8:9])"))));
  uint64_t address = llvm::cantFail(emulator->memory().allocate(4));
  std::vector<uint8_t> storage(65);
  std::memcpy(storage.data() + 1, &address, 8);
  storage[1 + 12] = 42;
  LaunchParams params;
  params.kernel = "k";
  params.kernargs = llvm::ArrayRef(storage).drop_front(1);
  LaunchResult result = llvm::cantFail(emulator->launch(*module, params));
  EXPECT_TRUE(result.passed());
  uint8_t out[4] = {};
  llvm::cantFail(emulator->memory().copyToHost(out, address));
  EXPECT_EQ(out[0], 42);
}

TEST(Execution, MemoryCopiesAreChecked) {
  auto emulator = llvm::cantFail(Emulator::create("gfx950", EmulatorOptions()));
  uint64_t address = llvm::cantFail(emulator->memory().allocate(16));
  EXPECT_EQ(address % 256, 0u);
  std::vector<uint8_t> data(17);
  auto tooLong = emulator->memory().copyToDevice(address, data);
  EXPECT_NE(llvm::toString(std::move(tooLong)).find("has 16 bytes"),
            std::string::npos);
  auto nowhere = emulator->memory().copyToHost(data, 64);
  EXPECT_NE(llvm::toString(std::move(nowhere)).find("no allocation there"),
            std::string::npos);
  auto badFree = emulator->memory().free(address + 8);
  EXPECT_NE(llvm::toString(std::move(badFree)).find("is no allocation"),
            std::string::npos);
  llvm::cantFail(emulator->memory().free(address));
}

TEST(Execution, HostMemoryCanBeMapped) {
  auto emulator = llvm::cantFail(Emulator::create("gfx950", EmulatorOptions()));
  DeviceMemory &memory = emulator->memory();
  std::vector<uint8_t> host(64, 7), data(32, 1);
  uint64_t address = llvm::cantFail(memory.map(host.data(), host.size()));
  EXPECT_EQ(address, reinterpret_cast<uint64_t>(host.data()));
  llvm::cantFail(memory.copyToDevice(address + 32, data));
  EXPECT_EQ(host[31], 7);
  EXPECT_EQ(host[32], 1);
  EXPECT_EQ(llvm::cantFail(memory.hostPointer(address + 8, 56)), &host[8]);
  auto over = memory.hostPointer(address + 8, 57);
  EXPECT_EQ(llvm::toString(over.takeError()).substr(0, 28),
            "host pointer of 57 bytes at ");
  for (int64_t shift : {-8, 0, 63}) {
    auto again = memory.map(host.data() + shift, 64);
    EXPECT_NE(llvm::toString(again.takeError()).find("an allocation is there"),
              std::string::npos);
  }
  auto empty = memory.map(host.data() + 64, 0);
  EXPECT_NE(llvm::toString(empty.takeError()).find("at least one byte"),
            std::string::npos);
  llvm::cantFail(memory.free(address));
  EXPECT_EQ(host[32], 1); // still the caller's
}
