//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Operands whose product is exact in f32, whatever the order of the sum.

#include "Random.h"
#include "fly/Runner/OperandImages.h"

#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace fly {

/// Scales are 2^(code - 2): codes 0 to 4.
static constexpr int exactScales = 5;
static constexpr uint8_t exactScaleBase = 127 - 2;

/// The largest integer that elements may have. A partial sum is a multiple of
/// the smallest product 2^-4 and at most k * largest^2 * 2^4 in size; f32 holds
/// it exactly up to 2^24 such steps. Without scales the step is 1.
static Expected<int> largestInteger(const Problem &problem) {
  int64_t steps = int64_t(1) << (problem.scaled() ? 24 - 8 : 24);
  for (int largest : {4, 2, 1})
    if (problem.shape.k * largest * largest <= steps)
      return largest;
  return createStringError("exact operands: expected k of at most " +
                           Twine(steps) + ", got " + Twine(problem.shape.k));
}

/// A random code that none of \p others has.
static uint8_t pickScale(const Random &random, uint64_t index,
                         ArrayRef<uint8_t> others) {
  SmallVector<uint8_t, exactScales> choices;
  for (int code = 0; code < exactScales; ++code)
    if (!is_contained(others, exactScaleBase + code))
      choices.push_back(exactScaleBase + code);
  return choices[random.below(index, choices.size())];
}

static void fillIntegers(const Problem &problem, const Random &random,
                         int largest, int64_t row, uint8_t *bytes) {
  int64_t k = problem.shape.k;
  for (int64_t i = 0; i < k; ++i) {
    int value = int(random.below(row * k + i, 2 * largest + 1)) - largest;
    encodeElement(problem.manifest.typeA, float(value),
                  bytes + i * problem.elementBytesAB());
  }
}

static void fillScales(Operands &operands, const Problem &problem,
                       uint64_t seed) {
  Random randomA(seed, 10), randomB(seed, 11);
  uint64_t index = 0;
  // A padding row's scales stay NaN; its neighbours need not mind them.
  for (int64_t block = 0; block < problem.blocksK(); ++block)
    for (int64_t row = 0; row < problem.shape.m; ++row) {
      if (problem.groupOfRow(row) < 0)
        continue;
      SmallVector<uint8_t> others;
      if (row)
        others.push_back(scaleOfA(operands, problem, row - 1, block));
      if (block)
        others.push_back(scaleOfA(operands, problem, row, block - 1));
      scaleOfA(operands, problem, row, block) =
          pickScale(randomA, index++, others);
    }
  for (int64_t g = 0; g < problem.matrices(); ++g)
    for (int64_t n = 0; n < problem.blocksN(); ++n)
      for (int64_t block = 0; block < problem.blocksK(); ++block) {
        SmallVector<uint8_t> others;
        if (g)
          others.push_back(scaleOfB(operands, problem, g - 1, n, block));
        if (n)
          others.push_back(scaleOfB(operands, problem, g, n - 1, block));
        if (block)
          others.push_back(scaleOfB(operands, problem, g, n, block - 1));
        scaleOfB(operands, problem, g, n, block) =
            pickScale(randomB, index++, others);
      }
}

Expected<Operands> makeExactOperands(const Problem &problem, uint64_t seed) {
  if (Error error = checkOperandTypes(problem))
    return error;
  Expected<int> largest = largestInteger(problem);
  if (!largest)
    return largest.takeError();
  Operands operands = makeUnusableOperands(problem);
  Random randomA(seed, 12);
  for (int64_t row = 0; row < problem.shape.m; ++row)
    if (problem.groupOfRow(row) >= 0)
      fillIntegers(problem, randomA, *largest, row,
                   rowOfA(operands, problem, row));
  for (int64_t g = 0; g < problem.matrices(); ++g) {
    Random randomB(seed, 13 + g);
    for (int64_t n = 0; n < problem.shape.n; ++n)
      fillIntegers(problem, randomB, *largest, n,
                   rowOfB(operands, problem, g, n));
  }
  if (problem.scaled())
    fillScales(operands, problem, seed);
  return operands;
}

} // namespace fly
