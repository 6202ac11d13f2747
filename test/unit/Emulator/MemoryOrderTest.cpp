//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Accesses of one workgroup to global memory take effect in the order of their
// issue, by whatever instruction: a barrier without any wait is enough between
// two waves, and nothing at all within one (LLVM AMDGPUUsage, "Memory Model
// GFX942": what a workgroup-scope fence is lowered to). In both modes.

#include "Machine.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

/// Forms of an access to the dword at offset v2 of the buffer, which is at
/// v[6:7]. Stores take v3, loads write v4.
const char *const stores[] = {
    "global_store_dword v2, v3, s[8:9]",
    "buffer_store_dword v3, v2, s[12:15], 0 offen",
    "flat_store_dword v[6:7], v3",
    "global_atomic_swap v2, v3, s[8:9]",
    "flat_atomic_swap v[6:7], v3",
};
const char *const loads[] = {
    "global_load_dword v4, v2, s[8:9]",
    "buffer_load_dword v4, v2, s[12:15], 0 offen",
    "flat_load_dword v4, v[6:7]",
    "global_atomic_or v4, v2, v5, s[8:9] sc0",
    "flat_atomic_or v4, v[6:7], v5 sc0",
    "s_mov_b32 m0, 0\nbuffer_load_dword v2, s[12:15], 0 offen lds",
};
constexpr char wait[] = "s_waitcnt vmcnt(0) lgkmcnt(0)\n";

/// What the wave loaded, stored 256 bytes on.
std::string keep(llvm::StringRef load) {
  std::string fetch = load.contains(" lds") ? "ds_read_b32 v4, v2\n" : "";
  return wait + fetch + wait + "global_store_dword v2, v4, s[8:9] offset:256\n";
}

struct Order : testing::TestWithParam<bool> {
  Machine machine;

  /// \p first for wave 0, then \p second for wave 1, which waits for it while
  /// the first is still in flight; and what they do at last.
  void run(const std::string &first, const std::string &second,
           const std::string &firstEnd, const std::string &secondEnd) {
    machine.options.check = GetParam();
    machine.block = {128, 1, 1};
    machine.kernel.ldsBytes = 256;
    std::fill(machine.buffer.begin(), machine.buffer.end(), 1);
    machine.runWithBuffer("v_lshrrev_b32 v1, 6, v0\n"
                          "v_and_b32 v2, 63, v0\n"
                          "v_lshlrev_b32 v2, 2, v2\n"
                          "v_mov_b32 v7, s9\n"
                          "v_add_co_u32 v6, vcc, s8, v2\n"
                          "v_addc_co_u32 v7, vcc, 0, v7, vcc\n"
                          "v_mov_b32 v5, 0\n"
                          "v_add_u32 v3, 7, v1\n"
                          "v_readfirstlane_b32 s20, v1\n"
                          "s_cmp_eq_u32 s20, 0\n"
                          "s_cbranch_scc0 .Lsecond\n" +
                          first + "\ns_barrier\ns_barrier\n" + firstEnd +
                          "s_endpgm\n.Lsecond:\ns_barrier\n" + second + "\n" +
                          wait + "s_barrier\n" + secondEnd);
    EXPECT_EQ(machine.errors(), "");
  }
  void expect(unsigned lane, uint32_t value) {
    EXPECT_EQ(machine.buffer[lane], value) << "of lane " << lane % 64;
  }
};

TEST_P(Order, LoadsSeeStoresBefore) {
  for (const char *store : stores)
    for (const char *load : loads) {
      SCOPED_TRACE(std::string(store) + ", " + load);
      run(store, load, "", keep(load));
      expect(64, 7);
      expect(127, 7);
    }
}

TEST_P(Order, LoadsDoNotSeeStoresBehind) {
  for (const char *store : stores)
    for (const char *load : loads) {
      SCOPED_TRACE(std::string(load) + ", " + store);
      run(load, store, keep(load), wait);
      expect(64, 1);
      expect(127, 1);
      expect(0, 8);
      expect(63, 8);
    }
}

TEST_P(Order, TheLastStoreStays) {
  for (const char *first : stores)
    for (const char *second : stores) {
      SCOPED_TRACE(std::string(first) + ", " + second);
      run(first, second, "", wait);
      expect(0, 8);
      expect(63, 8);
    }
}

/// FLAT and the others count by themselves, and come in order all the same.
TEST_P(Order, WithinAWave) {
  for (const char *store : stores)
    for (const char *load : loads) {
      SCOPED_TRACE(std::string(store) + ", " + load);
      run(std::string(store) + "\n" + load, "", keep(load), "");
      expect(64, 7);
      run(std::string(load) + "\n" + store, "", keep(load), "");
      expect(64, 1);
      expect(0, 7);
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, Order, testing::Bool(),
                         [](const testing::TestParamInfo<bool> &info) {
                           return info.param ? "Checking" : "Fast";
                         });

} // namespace
