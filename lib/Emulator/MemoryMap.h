//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Device memory as waves see it: an immutable, sorted list of allocations. An
/// address belongs to exactly one allocation or to none. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_MEMORYMAP_H
#define FLY_LIB_EMULATOR_MEMORYMAP_H

#include <cstdint>
#include <vector>

namespace fly {
namespace emu {

struct MappedRange {
  uint64_t base = 0, size = 0; ///< device addresses [base, base + size)
  uint8_t *host = nullptr;
};

class MemoryMap {
public:
  std::vector<MappedRange> ranges; ///< ascending, disjoint

  /// The range that holds [\p address, \p address + \p bytes), or null.
  const MappedRange *find(uint64_t address, uint64_t bytes) const;

  /// The range that holds some byte of the first and of the last of \p count
  /// aligned dwords at \p address, or null. Allocations start and end in pages
  /// of the host, so that the other bytes can be accessed.
  const MappedRange *findDwords(uint64_t address, unsigned count) const;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_MEMORYMAP_H
