//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Bank conflicts of LDS accesses, from the addresses that were executed.
///
/// LDS serves a wave's access in phases, groups of lanes whose width and order
/// depend on the instruction. A phase takes one cycle if no two lanes want
/// different dwords of one bank, else as many as the fullest bank has different
/// dwords; lanes that want the same dword share it. The factor of an access is
/// its cycles over its phases: 1 is free of conflicts.
///
/// Phases and banks of gfx950 reads and of ds_write_b64 are those that
/// HipKittens measured on MI350X; 8 lanes of 16 bytes and the order of gfx942's
/// ds_read_b128 are from AMD's notes on CK-Tile. The other ones are inferred
/// from the bandwidth (128 bytes a cycle; 256 for gfx950 reads), with
/// consecutive lanes. docs/inspect.md has the table.

#ifndef FLY_INSPECT_BANKCONFLICTS_H
#define FLY_INSPECT_BANKCONFLICTS_H

#include "fly/Arch/TargetInfo.h"
#include "fly/Emulator/Observer.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <map>
#include <mutex>

namespace fly {

/// Phases with lanes in them, and the cycles these take.
struct BankCycles {
  uint64_t phases = 0, cycles = 0;

  double factor() const { return phases ? double(cycles) / double(phases) : 0; }
  BankCycles &operator+=(const BankCycles &other) {
    phases += other.phases;
    cycles += other.cycles;
    return *this;
  }
};

/// One access of \p bytes a lane at \p addresses (of 64 lanes, in bytes) by the
/// lanes in \p lanes.
BankCycles bankCycles(const TargetInfo &target, bool isWrite, unsigned bytes,
                      uint64_t lanes, llvm::ArrayRef<uint64_t> addresses);

/// Adds up the LDS reads and writes of a run by instruction.
class BankConflictObserver : public AccessObserver {
public:
  struct Entry {
    uint64_t executions = 0; ///< by waves
    BankCycles cycles;
  };

  explicit BankConflictObserver(const TargetInfo &target) : target(target) {}
  void onAccess(const ObservedAccess &access) override;
  /// By virtual address of the instruction. To be read after the run.
  const std::map<uint64_t, Entry> &entries() const { return byAddress; }

private:
  const TargetInfo &target;
  std::mutex mutex;
  std::map<uint64_t, Entry> byAddress;
};

/// Whether \p inst reads or writes LDS at its lanes' addresses (ds_read*,
/// ds_write*): what bank conflicts are counted for.
bool isLdsRead(const Instruction &inst);
bool isLdsWrite(const Instruction &inst);

} // namespace fly

#endif // FLY_INSPECT_BANKCONFLICTS_H
