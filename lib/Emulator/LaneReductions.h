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

/// Over the lanes of \p mask.
AddressExtent extentOf(const uint32_t *address, uint64_t mask);
/// The low 32 bits of all addresses or-ed.
uint32_t bitsOf(const uint64_t *address, uint64_t mask);
/// Addresses below \p limit as 32 bits, others as all ones.
void narrowBelow(const uint64_t *address, uint64_t limit, uint32_t *result);

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_LANEREDUCTIONS_H
