//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What a problem's result must be, and how far a result is from it.

#ifndef FLY_RUNNER_CHECK_H
#define FLY_RUNNER_CHECK_H

#include "fly/Runner/Operands.h"

#include <string>
#include <vector>

namespace fly {

/// The product of the operands as they are, dequantised, in f64: [m][n], 0 in
/// padding rows. NaN codes make NaN rows or columns.
std::vector<double> computeReference(const Problem &problem,
                                     const Operands &operands,
                                     const ProgressFunction &progress = {});

/// How far a result is from what it must be.
struct Comparison {
  /// DeepGEMM's calc_diff of the valid rows against the product before
  /// quantisation; expected below calcDiffLimit.
  double calcDiff = 0;
  static constexpr double calcDiffLimit = 1e-3;
  /// Over all tiles of 16 x 16: the largest error against the dequantised
  /// product, over the largest value of the tile; expected at most
  /// tileErrorLimit, which is the rounding of the output type.
  double maxTileError = 0;
  double tileErrorLimit = 0;
  /// What is wrong, a line each; empty if the result is right. At most a few of
  /// each kind are kept.
  std::vector<std::string> failures;
};

/// Compares D in \p operands with the reference to within rounding. Padding
/// rows must be exact zeros, and every byte outside the rows unchanged.
Comparison compareRounded(const Problem &problem, const Operands &operands,
                          llvm::ArrayRef<double> reference,
                          llvm::ArrayRef<float> unquantized);

/// Compares D bit for bit with the reference, rounded once to the output type.
/// Where the reference is NaN any NaN is right.
Comparison compareExact(const Problem &problem, const Operands &operands,
                        llvm::ArrayRef<double> reference);

} // namespace fly

#endif // FLY_RUNNER_CHECK_H
