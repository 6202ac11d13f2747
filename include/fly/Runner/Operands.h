//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The bytes of a problem's operands as they go to a device, gaps included, and
/// how they are made.
///
/// Whatever a kernel must not use is filled with NaN: the gaps between rows,
/// the rows of A that are padding, their scales, and the ends of scale rows. D
/// is filled with a pattern that no kernel writes by itself, with a margin
/// before and after it, so that every byte that changes is seen.

#ifndef FLY_RUNNER_OPERANDS_H
#define FLY_RUNNER_OPERANDS_H

#include "fly/Runner/Problem.h"

#include <functional>

namespace fly {

struct Operands {
  std::vector<uint8_t> a, b, scaleA, scaleB;
  /// D with marginBytes before and after it.
  std::vector<uint8_t> d;
  static constexpr int64_t marginBytes = 4096;

  uint8_t *dData() { return d.data() + marginBytes; }
  const uint8_t *dData() const { return d.data() + marginBytes; }
};

/// Called with the part of the work that is done, 0 to 1.
using ProgressFunction = std::function<void(double)>;

struct RandomOptions {
  uint64_t seed = 1;
  /// Each block of a row of A, and each block of B, is scaled by a power of two
  /// up to 2^(+-modulation), so that no two scales can be mixed up unseen.
  int modulation = 6;
  ProgressFunction progress;
};

/// Operands with normal values, quantised as DeepGEMM does. \p unquantized gets
/// their product before quantisation, [m][n] in f32, 0 in padding rows. Fails
/// for element types that it cannot make.
llvm::Expected<Operands> makeRandomOperands(const Problem &problem,
                                            const RandomOptions &options,
                                            std::vector<float> &unquantized);

/// Operands for which every sum in every order is exact in f32: integers of at
/// most 4, and scales 2^-2 to 2^2 that differ between neighbours in row, K, N
/// and group. Fails when K is too long for that.
llvm::Expected<Operands> makeExactOperands(const Problem &problem,
                                           uint64_t seed);

/// The value of the element of A or B at \p bytes.
double decodeElement(llvm::StringRef type, const uint8_t *bytes);
/// Writes the code of \p value; nearest even.
void encodeElement(llvm::StringRef type, float value, uint8_t *bytes);

} // namespace fly

#endif // FLY_RUNNER_OPERANDS_H
