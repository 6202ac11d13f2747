//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The workgroup maps as functions on numbers: what the ops of FlyMapOps.td fold
/// to and are lowered to.

#ifndef FLY_DIALECT_FLY_IR_WORKGROUPMAP_H
#define FLY_DIALECT_FLY_IR_WORKGROUPMAP_H

#include <algorithm>
#include <cstdint>
#include <utility>

namespace fly {

/// fly.map_xcd: the new id of workgroup \p id of \p total on \p xcds XCDs.
inline uint32_t mapXcd(uint32_t id, uint32_t total, uint32_t xcds) {
  if (id >= total)
    return id;
  uint32_t xcd = id % xcds;
  return xcd * (total / xcds) + std::min(xcd, total % xcds) + id / xcds;
}

/// fly.map_grouped_m: row and column of the tile of \p id among \p rows x
/// \p columns tiles, in groups of \p size rows.
inline std::pair<uint32_t, uint32_t> mapGroupedM(uint32_t id, uint32_t rows,
                                                 uint32_t columns,
                                                 uint32_t size) {
  uint32_t span = size * columns;
  uint32_t first = id / span * size;
  // Past the last tile there is no group; any height will do.
  uint32_t height = rows > first ? std::min(rows - first, size) : 1;
  uint32_t rest = id % span;
  return {first + rest % height, rest / height};
}

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_WORKGROUPMAP_H
