//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// How much the matrix units of a chip do.

#ifndef FLY_ARCH_MATRIXRATES_H
#define FLY_ARCH_MATRIXRATES_H

#include "fly/Arch/TargetInfo.h"

namespace fly {

/// FLOP (for i8: operations) that one SIMD's matrix unit does in a cycle when
/// it runs at the full rate of an element type; 0 if it has no such type.
/// Source: the peaks of AMD's data sheets over compute units, SIMDs and clock.
struct MatrixRates {
  unsigned f64, f32, xf32, float16, float8, int8, float6and4;
};

/// \p target is a row of the table of chips.
const MatrixRates &matrixRatesOf(const TargetInfo &target);

} // namespace fly

#endif // FLY_ARCH_MATRIXRATES_H
