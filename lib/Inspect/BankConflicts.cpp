//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Inspect/BankConflicts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <array>

using namespace llvm;

namespace fly {

namespace {
using Phases = SmallVector<uint64_t, 8>;
} // namespace

/// Lanes [\p first, \p last].
static constexpr uint64_t range(unsigned first, unsigned last) {
  return (~uint64_t(0) >> (63 - (last - first))) << first;
}

static Phases consecutive(unsigned lanes) {
  Phases phases;
  for (unsigned first = 0; first != 64; first += lanes)
    phases.push_back(range(first, first + lanes - 1));
  return phases;
}

/// \p low, which are phases of lanes 0 to 31, and the same of lanes 32 to 63.
static Phases bothHalves(std::initializer_list<uint64_t> low) {
  Phases phases(low);
  for (uint64_t phase : low)
    phases.push_back(phase << 32);
  return phases;
}

/// ds_read_b128 with 64 banks.
static Phases sixteenLanes() {
  return bothHalves({range(0, 3) | range(12, 15) | range(20, 27),
                     range(4, 11) | range(16, 19) | range(28, 31)});
}

/// ds_read_b96, and ds_read_b128 with 32 banks.
static Phases eightLanes() {
  return bothHalves({range(0, 3) | range(20, 23), range(4, 7) | range(16, 19),
                     range(8, 11) | range(28, 31),
                     range(12, 15) | range(24, 27)});
}

/// Banks that take part and phases of an access of \p bytes a lane.
static std::pair<unsigned, Phases> schemeOf(const TargetInfo &target,
                                            bool isWrite, unsigned bytes) {
  constexpr unsigned narrowBanks = 32;
  bool isWide = !isWrite && target.ldsBanks > narrowBanks;
  if (bytes <= 4)
    return isWide ? std::pair(target.ldsBanks, consecutive(64))
                  : std::pair(narrowBanks, consecutive(32));
  if (bytes <= 8)
    return isWide ? std::pair(target.ldsBanks, consecutive(32))
                  : std::pair(narrowBanks, consecutive(16));
  if (isWrite)
    return {narrowBanks, consecutive(8)};
  if (bytes <= 12 || !isWide)
    return {narrowBanks, eightLanes()};
  return {target.ldsBanks, sixteenLanes()};
}

/// Cycles of one phase: the most different dwords that one bank has to give.
static unsigned cyclesOf(unsigned banks, unsigned bytes, uint64_t lanes,
                         ArrayRef<uint64_t> addresses) {
  SmallVector<uint64_t, 64> dwords;
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    uint64_t address = addresses[unsigned(llvm::countr_zero(rest))];
    for (uint64_t d = address / 4; d <= (address + bytes - 1) / 4; ++d)
      dwords.push_back(d);
  }
  llvm::sort(dwords);
  dwords.erase(std::unique(dwords.begin(), dwords.end()), dwords.end());
  std::array<unsigned, 64> wanted = {};
  for (uint64_t dword : dwords)
    ++wanted[dword % banks];
  return *std::max_element(wanted.begin(), wanted.end());
}

BankCycles bankCycles(const TargetInfo &target, bool isWrite, unsigned bytes,
                      uint64_t lanes, ArrayRef<uint64_t> addresses) {
  BankCycles result;
  auto [banks, phases] = schemeOf(target, isWrite, bytes);
  for (uint64_t phase : phases) {
    if (!(phase & lanes))
      continue;
    ++result.phases;
    result.cycles += cyclesOf(banks, bytes, phase & lanes, addresses);
  }
  return result;
}

bool isLdsRead(const Instruction &inst) {
  return inst.unit == Unit::Lds && inst.key.starts_with("ds_read");
}
bool isLdsWrite(const Instruction &inst) {
  return inst.unit == Unit::Lds && inst.key.starts_with("ds_write");
}

void BankConflictObserver::onAccess(const ObservedAccess &access) {
  bool isWrite = isLdsWrite(access.instruction);
  if (!isWrite && !isLdsRead(access.instruction))
    return;
  BankCycles cycles =
      bankCycles(target, isWrite, access.bytes, access.lanes, access.addresses);
  if (access.parts == 2) {
    std::array<uint64_t, 64> second;
    llvm::copy(access.ldsAddresses, second.begin());
    cycles += bankCycles(target, isWrite, access.bytes, access.lanes, second);
  }
  std::lock_guard<std::mutex> lock(mutex);
  Entry &entry = byAddress[access.instruction.address];
  ++entry.executions;
  entry.cycles += cycles;
}

} // namespace fly
