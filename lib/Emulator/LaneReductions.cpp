//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LaneReductions.h"

#if defined(__x86_64__) && defined(__linux__)
#define FLY_EACH_LEVEL                                                         \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FLY_EACH_LEVEL
#endif

namespace fly {
namespace emu {

FLY_EACH_LEVEL
AddressExtent extentOf(const uint32_t *address, uint64_t mask) {
  uint32_t bits = 0, high = 0;
  if (mask == ~uint64_t(0)) {
    for (unsigned l = 0; l != 64; ++l) {
      bits |= address[l];
      high = address[l] > high ? address[l] : high;
    }
  } else {
    for (unsigned l = 0; l != 64; ++l) {
      uint32_t value = mask >> l & 1 ? address[l] : 0;
      bits |= value;
      high = value > high ? value : high;
    }
  }
  AddressExtent extent;
  extent.bits = bits;
  extent.high = high;
  return extent;
}

FLY_EACH_LEVEL
AddressRange rangeOf(const uint64_t *address, uint64_t mask, unsigned bytes) {
  uint64_t low = ~uint64_t(0), high = 0;
  for (unsigned l = 0; l != 64; ++l) {
    bool isActive = mask >> l & 1;
    uint64_t from = isActive ? address[l] : ~uint64_t(0);
    uint64_t to = isActive ? address[l] + bytes : 0;
    low = from < low ? from : low;
    high = to > high ? to : high;
  }
  AddressRange range;
  range.begin = low;
  range.end = high;
  return range;
}

FLY_EACH_LEVEL
uint32_t bitsOf(const uint64_t *address, uint64_t mask) {
  uint64_t bits = 0;
  if (mask == ~uint64_t(0))
    for (unsigned l = 0; l != 64; ++l)
      bits |= address[l];
  else
    for (unsigned l = 0; l != 64; ++l)
      bits |= mask >> l & 1 ? address[l] : 0;
  return uint32_t(bits);
}

FLY_EACH_LEVEL
void narrowBelow(const uint64_t *address, uint64_t limit, uint32_t *result) {
  for (unsigned l = 0; l != 64; ++l)
    result[l] = address[l] < limit ? uint32_t(address[l]) : ~uint32_t(0);
}

} // namespace emu
} // namespace fly
