//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Random numbers by position: the value at an index does not depend on the
/// order of calls, so that threads can make parts of one array.

#ifndef FLY_RUNNER_RANDOM_H
#define FLY_RUNNER_RANDOM_H

#include <cstdint>

namespace fly {

class Random {
public:
  Random(uint64_t seed, uint64_t stream) : key(mix(seed ^ mix(stream + 1))) {}

  uint64_t bits(uint64_t index) const {
    return mix(key + index * 0x9e3779b97f4a7c15);
  }
  /// 0 to \p bound - 1, for small bounds.
  uint32_t below(uint64_t index, uint32_t bound) const {
    return uint32_t(((bits(index) >> 32) * bound) >> 32);
  }
  /// Close to a normal distribution of mean 0 and variance 1: the sum of four
  /// uniform numbers.
  float normal(uint64_t index) const {
    uint64_t word = bits(index);
    uint32_t sum = (word & 0xffff) + ((word >> 16) & 0xffff) +
                   ((word >> 32) & 0xffff) + (word >> 48);
    // Four uniform numbers on [0, 1) have mean 2 and variance 1/3.
    return (float(sum) * (1.0f / 65536) - 2.0f) * 1.7320508f;
  }

private:
  /// The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
  static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  uint64_t key;
};

} // namespace fly

#endif // FLY_RUNNER_RANDOM_H
