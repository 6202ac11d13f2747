//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// A vector memory access of one wave, from issue to landing. Handlers fill one
/// (addresses, range checks, store data) and submit it; \c perform then moves
/// the data, at once in fast mode, when a wait forces it in checking mode.
/// Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_MEMORYACCESS_H
#define FLY_LIB_EMULATOR_MEMORYACCESS_H

#include "LaneReductions.h"
#include "MemoryMap.h"

#include "fly/Emulator/Lanes.h"

namespace fly {
namespace emu {

class MemorySystem;
struct MemoryAccess;

/// Where the lanes' addresses point.
enum class Space : uint8_t {
  Global,
  Lds,
  Scratch,    ///< byte offsets in the lane's own scratch
  Flat,       ///< each lane by its address's aperture
  Nowhere,    ///< data moves between registers only
  BufferRange ///< of a bad address only: outside its buffer's range
};

/// What the access does there.
enum class AccessKind : uint8_t { Load, Store, Atomic, LoadToLds };

/// The counters that an access holds up.
enum class Counter : uint8_t { Vm, Lds, Flat };

struct MemoryAccess {
  const ExecInst *inst = nullptr;
  void (*perform)(Wave &, MemoryAccess &) = nullptr;
  AccessKind kind = AccessKind::Load;
  Space space = Space::Global;
  Counter counter = Counter::Vm;
  uint8_t bytes = 4;   ///< a lane, of one of the parts
  uint8_t parts = 1;   ///< 2 for ds_read2 and ds_write2
  uint8_t numRows = 0; ///< result registers
  bool writesRows = false;
  bool failsRange = false; ///< some lane was out of its buffer's range
  uint16_t firstRow = 0;
  uint32_t format = 0; ///< of typed accesses: TypedFormat
  /// Lanes that take part, and among them those whose dword i is in range
  /// (loads of the others give 0, stores are dropped).
  uint64_t mask = 0;
  uint64_t valid[4] = {0, 0, 0, 0};
  /// Byte addresses: global, LDS or scratch, by space; part 1's LDS addresses
  /// in ldsAddress.
  alignas(64) uint64_t address[waveLanes];
  /// LoadToLds: destination. Two-part LDS accesses: the second address.
  alignas(64) uint32_t ldsAddress[waveLanes];
  /// Data of stores and atomics, dword i of a lane in row i.
  Row data[4];

  /// Used by checking mode. The range is set for global accesses only.
  uint32_t sequence = 0;
  bool performed = false;
  AddressRange range;

  bool reads() const { return kind != AccessKind::Store; }
  bool writes() const {
    return kind == AccessKind::Store || kind == AccessKind::Atomic;
  }
};

/// A scalar memory access. It may land in any order with others.
struct ScalarAccess {
  const ExecInst *inst = nullptr;
  void (*perform)(Wave &, const ScalarAccess &, MemorySystem &) = nullptr;
  uint64_t address = 0;
  uint16_t sgpr = 0;       ///< first destination or data register
  uint8_t dwords = 0;      ///< of registers
  uint8_t validDwords = 0; ///< the others are out of a buffer's range
  bool isLoad = false;     ///< writes its registers
  uint32_t data[16];       ///< of stores and atomics
};

/// Takes the accesses of waves and reports what goes wrong in them.
class MemorySystem {
public:
  explicit MemorySystem(const MemoryMap &map) : map(map) {}
  virtual ~MemorySystem() = default;
  const MemoryMap &map;

  /// A fresh access for \p inst; its arrays are not cleared.
  virtual MemoryAccess &begin(Wave &w, const ExecInst &inst) = 0;
  /// The access is complete; performs it now or later.
  virtual void submit(Wave &w, MemoryAccess &access) = 0;

  /// Called by perform: bytes [address, +bytes) of \p lane are in no
  /// allocation (Global), outside LDS or outside scratch. The lane is skipped.
  virtual void badAddress(Wave &w, const MemoryAccess &access, Space space,
                          unsigned lane, uint64_t address, unsigned bytes) = 0;

  virtual void submitScalar(Wave &w, const ScalarAccess &access) = 0;
  /// A scalar access outside every allocation.
  virtual void badScalarAddress(Wave &w, const ScalarAccess &access) = 0;

  virtual void wait(Wave &w, const ExecInst &inst, WaitCount count) = 0;
  virtual void barrier(Wave &w, const ExecInst &inst) = 0;
  virtual void end(Wave &w) = 0;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_MEMORYACCESS_H
