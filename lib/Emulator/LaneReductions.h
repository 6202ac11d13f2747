//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Reductions over the addresses of 64 lanes, with the widest vectors the
/// machine has. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_LANEREDUCTIONS_H
#define FLY_LIB_EMULATOR_LANEREDUCTIONS_H

#include <cstdint>

namespace fly {
namespace emu {

struct AddressExtent {
  uint32_t bits = 0; ///< all addresses or-ed
  uint32_t high = 0; ///< the highest
};

/// From the lowest byte to the one behind the highest; empty if they are equal.
struct AddressRange {
  uint64_t begin = ~uint64_t(0), end = 0;

  bool overlaps(const AddressRange &other) const {
    return begin < other.end && other.begin < end;
  }
  void include(const AddressRange &other) {
    begin = other.begin < begin ? other.begin : begin;
    end = other.end > end ? other.end : end;
  }
};

/// Over the lanes of \p mask.
AddressExtent extentOf(const uint32_t *address, uint64_t mask);
/// Of \p bytes from each address on.
AddressRange rangeOf(const uint64_t *address, uint64_t mask, unsigned bytes);
/// The low 32 bits of all addresses or-ed.
uint32_t bitsOf(const uint64_t *address, uint64_t mask);
/// Addresses below \p limit as 32 bits, others as all ones.
void narrowBelow(const uint64_t *address, uint64_t limit, uint32_t *result);

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_LANEREDUCTIONS_H
