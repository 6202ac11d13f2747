//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// A GEMM that a compiled kernel can be given: sizes, pitches, groups. Shapes
/// of the operands, all row major, with row pitches in elements:
///   A [m][pitchA], k elements of a row used
///   B [groups][n][pitchB], k of a row used; strideB elements between groups
///   D [m][pitchD], n of a row used
/// and with block scales, as E8M0 bytes:
///   scale A [ceil(k / scaleK)][pitchScaleA], the row index contiguous
///   scale B [groups][ceil(n / scaleN)][pitchScaleB], the K block contiguous

#ifndef FLY_RUNNER_PROBLEM_H
#define FLY_RUNNER_PROBLEM_H

#include "fly/CodeObject/Manifest.h"
#include "fly/Runtime/LaunchPlan.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <vector>

namespace fly {

/// What is asked for. Pads are elements past the used part of each row.
struct Shape {
  int64_t m = 0, n = 0, k = 0; ///< m counts all rows, padding included
  /// Group of each row, -1 for padding; empty for a dense problem.
  std::vector<int32_t> layout;
  int64_t groups = 0; ///< of B; 0 for a dense problem
  int64_t padA = 0, padB = 0, padD = 0;
  /// Extra elements between the groups of B, and bytes past a row of scales.
  int64_t padGroups = 0, padScales = 0;
};

struct Problem {
  Manifest manifest;
  Shape shape;
  int64_t pitchA = 0, pitchB = 0, pitchD = 0, strideB = 0;
  int64_t pitchScaleA = 0, pitchScaleB = 0, strideScaleB = 0;

  /// Fails when the shape does not suit the manifest's problem: sizes below
  /// zero, a layout of another length, groups that are not aligned, ids outside
  /// [-1, groups), or a problem or element type that is not known here.
  static llvm::Expected<Problem> create(const Manifest &manifest,
                                        const Shape &shape);

  bool grouped() const { return shape.groups != 0; }
  bool scaled() const { return manifest.scaleKind != "none"; }
  /// Matrices in B: 1 for a dense problem.
  int64_t matrices() const { return grouped() ? shape.groups : 1; }
  /// The group that row \p row is multiplied by: that of the first row of its
  /// alignment block; -1 where the row's result is zero.
  int32_t groupOfRow(int64_t row) const;
  /// Rows of group \p group, rising.
  std::vector<int64_t> rowsOfGroup(int32_t group) const;
  /// Rows that are not padding.
  int64_t validRows() const;
  double flops() const { return 2.0 * validRows() * shape.n * shape.k; }

  int64_t blocksK() const { return ceilDiv(shape.k, manifest.scaleK); }
  int64_t blocksN() const { return ceilDiv(shape.n, manifest.scaleN); }
  static int64_t ceilDiv(int64_t x, int64_t y) { return (x + y - 1) / y; }

  int64_t elementBytesAB() const;
  int64_t elementBytesD() const;
  int64_t bytesA() const { return shape.m * pitchA * elementBytesAB(); }
  int64_t bytesB() const { return matrices() * strideB * elementBytesAB(); }
  int64_t bytesD() const { return shape.m * pitchD * elementBytesD(); }
  int64_t bytesScaleA() const { return scaled() ? blocksK() * pitchScaleA : 0; }
  int64_t bytesScaleB() const {
    return scaled() ? matrices() * strideScaleB : 0;
  }
};

/// The layout of a contiguous grouped problem: for each pair of a group and its
/// rows, these rows followed by -1 up to a multiple of \p alignment, in the
/// order given. A group may be named more than once or with no rows.
struct GroupRows {
  int32_t group = 0;
  int64_t rows = 0;
};
std::vector<int32_t> makeLayout(llvm::ArrayRef<GroupRows> groups,
                                int64_t alignment);

/// Device addresses of the operands; those that the problem lacks stay 0.
struct OperandAddresses {
  uint64_t d = 0, a = 0, b = 0, scaleA = 0, scaleB = 0, layout = 0;
};

/// The arguments that the manifest names, in its order.
llvm::Expected<std::vector<ArgumentValue>>
makeArguments(const Problem &problem, const OperandAddresses &addresses);

} // namespace fly

#endif // FLY_RUNNER_PROBLEM_H
