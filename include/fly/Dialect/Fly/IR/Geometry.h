//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Sizes that every schedule shares: verifiers, lowering and manifest read them
/// here.

#ifndef FLY_DIALECT_FLY_IR_GEOMETRY_H
#define FLY_DIALECT_FLY_IR_GEOMETRY_H

#include <cstdint>

namespace fly {

/// Bytes of a row of A or B that the walk over K keeps together, whatever the K
/// tile: the last such block is taken first, so that every tile adds in the
/// same order. A K tile is one block or a half of it.
constexpr int64_t kBlockBytes = 128;
/// Bytes that one lane copies, reads or stores at a time; the unit of a
/// swizzle.
constexpr int64_t chunkBytes = 16;
/// Rows, and columns, of one MFMA's result where a tile does not state them.
constexpr int64_t defaultMfmaRows = 16;

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_GEOMETRY_H
