//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Where the parts of operands lie in their bytes, to make or change them.

#ifndef FLY_RUNNER_OPERANDIMAGES_H
#define FLY_RUNNER_OPERANDIMAGES_H

#include "fly/Numerics/SmallFloat.h"
#include "fly/Runner/Operands.h"

#include <optional>

namespace fly {

/// The 8-bit format that MLIR calls \p type.
std::optional<FloatKind> smallFloatKind(llvm::StringRef type);

/// Fails for element types and scales that operands cannot be made for.
llvm::Error checkOperandTypes(const Problem &problem);

/// Operands in which nothing may be used yet.
Operands makeUnusableOperands(const Problem &problem);

// Into Operands or const Operands: the first byte of row \p row of A, of row
// \p n of matrix \p g of B, and their scales.

template <typename OperandsT>
auto *rowOfA(OperandsT &operands, const Problem &problem, int64_t row) {
  return operands.a.data() + row * problem.pitchA * problem.elementBytesAB();
}

template <typename OperandsT>
auto *rowOfB(OperandsT &operands, const Problem &problem, int64_t g,
             int64_t n) {
  return operands.b.data() +
         (g * problem.strideB + n * problem.pitchB) * problem.elementBytesAB();
}

template <typename OperandsT>
auto &scaleOfA(OperandsT &operands, const Problem &problem, int64_t row,
               int64_t blockK) {
  return operands.scaleA[blockK * problem.pitchScaleA + row];
}

template <typename OperandsT>
auto &scaleOfB(OperandsT &operands, const Problem &problem, int64_t g,
               int64_t blockN, int64_t blockK) {
  return operands
      .scaleB[g * problem.strideScaleB + blockN * problem.pitchScaleB + blockK];
}

} // namespace fly

#endif // FLY_RUNNER_OPERANDIMAGES_H
