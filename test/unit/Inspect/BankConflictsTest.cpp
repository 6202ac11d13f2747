//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Bank conflicts of addresses whose cycles can be counted by hand.

#include "fly/Inspect/BankConflicts.h"

#include "Support/Unwrap.h"

#include "gtest/gtest.h"

#include <array>
#include <functional>

using namespace fly;

namespace {

constexpr uint64_t allLanes = ~uint64_t(0);

/// Cycles and phases when lane l accesses address(l).
std::pair<uint64_t, uint64_t>
count(llvm::StringRef arch, bool isWrite, unsigned bytes,
      const std::function<uint64_t(unsigned)> &address,
      uint64_t lanes = allLanes) {
  std::array<uint64_t, 64> addresses;
  for (unsigned l = 0; l != 64; ++l)
    addresses[l] = address(l);
  BankCycles result =
      bankCycles(unwrap(lookupTarget(arch)), isWrite, bytes, lanes, addresses);
  return {result.cycles, result.phases};
}

using Pair = std::pair<uint64_t, uint64_t>;

auto everyRow(uint64_t bytes) {
  return [bytes](unsigned l) { return l * bytes; };
}

} // namespace

TEST(BankConflicts, ConsecutiveLanesTakeTheFewestCycles) {
  // 256 bytes a cycle are read on gfx950, 128 everywhere else.
  struct {
    const char *arch;
    bool isWrite;
    unsigned bytes;
    uint64_t cycles;
  } const cases[] = {
      {"gfx950", false, 4, 1},  {"gfx950", false, 8, 2},
      {"gfx950", false, 16, 4}, {"gfx950", true, 4, 2},
      {"gfx950", true, 8, 4},   {"gfx950", true, 16, 8},
      {"gfx942", false, 4, 2},  {"gfx942", false, 8, 4},
      {"gfx942", false, 16, 8}, {"gfx942", true, 4, 2},
      {"gfx942", true, 16, 8},
  };
  for (const auto &c : cases)
    EXPECT_EQ(count(c.arch, c.isWrite, c.bytes, everyRow(c.bytes)),
              Pair(c.cycles, c.cycles))
        << c.arch << (c.isWrite ? " write " : " read ") << c.bytes;
  // 12 bytes of every 16: the 8 lanes of a phase are not consecutive.
  EXPECT_EQ(count("gfx950", false, 12, everyRow(16)), Pair(8, 8));
  EXPECT_EQ(count("gfx950", false, 12, everyRow(12)), Pair(16, 8));
}

TEST(BankConflicts, OneBankForAllLanes) {
  EXPECT_EQ(count("gfx950", false, 4, everyRow(256)), Pair(64, 1));
  EXPECT_EQ(count("gfx950", true, 4, everyRow(256)), Pair(64, 2));
  EXPECT_EQ(count("gfx942", false, 4, everyRow(128)), Pair(64, 2));
  EXPECT_EQ(count("gfx950", false, 16, everyRow(256)), Pair(64, 4));
}

TEST(BankConflicts, TheSameDwordIsSharedWithinAPhase) {
  EXPECT_EQ(count("gfx950", false, 4, [](unsigned) { return 12; }), Pair(1, 1));
  // Bytes of one dword are one dword, an unaligned access touches two.
  EXPECT_EQ(count("gfx950", false, 1, everyRow(1)), Pair(1, 1));
  EXPECT_EQ(count("gfx950", false, 4, [](unsigned l) { return 256 * (l % 2); }),
            Pair(2, 1));
  EXPECT_EQ(count("gfx950", false, 4, [](unsigned) { return 2; }), Pair(1, 1));
  // 65 dwords for 64 banks.
  EXPECT_EQ(count("gfx950", false, 4, [](unsigned l) { return 4 * l + 2; }),
            Pair(2, 1));
}

TEST(BankConflicts, LanesOfDifferentPhasesDoNotConflict) {
  // Of a ds_read_b128 lanes 0 and 4 are in different phases, 0 and 12 in one.
  auto sameBank = [](unsigned a, unsigned b) {
    return count("gfx950", false, 16, everyRow(256),
                 uint64_t(1) << a | uint64_t(1) << b);
  };
  EXPECT_EQ(sameBank(0, 4), Pair(2, 2));
  EXPECT_EQ(sameBank(0, 12), Pair(2, 1));
  EXPECT_EQ(sameBank(4, 28), Pair(2, 1));
  EXPECT_EQ(sameBank(20, 27), Pair(2, 1));
  EXPECT_EQ(sameBank(0, 32), Pair(2, 2));
  // Of a ds_read_b64 the phases are the two halves.
  auto half = [](unsigned a, unsigned b) {
    return count("gfx950", false, 8, everyRow(256),
                 uint64_t(1) << a | uint64_t(1) << b);
  };
  EXPECT_EQ(half(0, 31), Pair(2, 1));
  EXPECT_EQ(half(0, 32), Pair(2, 2));
}

TEST(BankConflicts, EveryLaneIsInOnePhase) {
  for (const TargetInfo &target : getTargets())
    for (bool isWrite : {false, true})
      for (unsigned bytes : {1, 2, 4, 8, 12, 16})
        for (unsigned l = 0; l != 64; ++l)
          EXPECT_EQ(count(target.name, isWrite, bytes, everyRow(bytes),
                          uint64_t(1) << l),
                    Pair(1, 1));
}

TEST(BankConflicts, InactiveLanesCostNothing) {
  EXPECT_EQ(count("gfx950", false, 4, everyRow(256), 0), Pair(0, 0));
  EXPECT_EQ(count("gfx950", false, 16, everyRow(256), 0x3), Pair(2, 1));
  EXPECT_EQ(BankCycles().factor(), 0);
}
