//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Manifests.h"
#include "ReferenceDevice.h"

#include "Support/Unwrap.h"
#include "fly/Runner/Check.h"
#include "fly/Runner/Execute.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace llvm;

namespace {

Shape groupedShape() {
  Shape shape;
  shape.n = 160;
  shape.k = 272;
  shape.groups = 3;
  shape.layout = makeLayout({{2, 40}, {0, 128}, {1, 0}, {1, 3}}, 128);
  shape.layout.resize(300);
  shape.m = 300;
  shape.padA = 16;
  shape.padB = 32;
  shape.padD = 8;
  return shape;
}

Shape denseShape() {
  Shape shape;
  shape.m = 77;
  shape.n = 48;
  shape.k = 72;
  shape.padA = shape.padB = shape.padD = 8;
  return shape;
}

/// Runs the problem with \p fault and returns what the two checks say.
struct Outcome {
  std::vector<std::string> rounded, exact;
  Comparison comparison;
};

Outcome runWith(const Manifest &manifest, const Shape &shape, Fault fault) {
  Outcome outcome;
  Problem problem = unwrap(Problem::create(manifest, shape));
  ReferenceDevice device(fault);
  auto kernel = unwrap(device.load({}, manifest));
  std::vector<float> unquantized;
  Operands random =
      unwrap(makeRandomOperands(problem, RandomOptions(), unquantized));
  std::vector<double> reference = computeReference(problem, random);
  unwrap(execute(device, *kernel, problem, random));
  outcome.comparison = compareRounded(problem, random, reference, unquantized);
  outcome.rounded = outcome.comparison.failures;
  Operands exact = unwrap(makeExactOperands(problem, 1));
  reference = computeReference(problem, exact);
  unwrap(execute(device, *kernel, problem, exact));
  outcome.exact = compareExact(problem, exact, reference).failures;
  EXPECT_EQ(device.liveBuffers(), 0u);
  return outcome;
}

TEST(Check, AcceptsARightKernel) {
  Outcome grouped = runWith(makeGroupedManifest(), groupedShape(), Fault::None);
  EXPECT_EQ(grouped.rounded, std::vector<std::string>());
  EXPECT_EQ(grouped.exact, std::vector<std::string>());
  // About what quantisation to e4m3 costs, and not more than rounding.
  EXPECT_GT(grouped.comparison.calcDiff, 3e-4);
  EXPECT_LT(grouped.comparison.calcDiff, 1e-3);
  EXPECT_GT(grouped.comparison.maxTileError, 1e-3);
  EXPECT_LE(grouped.comparison.maxTileError, 1.0 / 256);

  Outcome dense = runWith(makeDenseManifest(), denseShape(), Fault::None);
  EXPECT_EQ(dense.rounded, std::vector<std::string>());
  EXPECT_EQ(dense.exact, std::vector<std::string>());
  EXPECT_LT(dense.comparison.calcDiff, 1e-5);
}

class CheckFault : public testing::TestWithParam<Fault> {};

TEST_P(CheckFault, BothChecksSeeIt) {
  Outcome outcome = runWith(makeGroupedManifest(), groupedShape(), GetParam());
  EXPECT_FALSE(outcome.rounded.empty());
  EXPECT_FALSE(outcome.exact.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Grouped, CheckFault,
    testing::Values(Fault::TruncateOutput, Fault::SwapScalesOfA,
                    Fault::SwapScalesOfB, Fault::SkipPaddingZeros,
                    Fault::WriteGap, Fault::WriteBefore, Fault::LoseLastTile,
                    Fault::LoseLastK, Fault::WrongGroup, Fault::ReadPastK));

TEST(Check, SaysWhereAndWhat) {
  Outcome gap = runWith(makeGroupedManifest(), groupedShape(), Fault::WriteGap);
  ASSERT_EQ(gap.exact.size(), 1u);
  EXPECT_EQ(gap.exact[0],
            "D, gap after row 150: byte 0 was written: d1 became 80");
  Outcome padding =
      runWith(makeGroupedManifest(), groupedShape(), Fault::SkipPaddingZeros);
  ASSERT_EQ(padding.exact.size(), 8u);
  EXPECT_EQ(padding.exact[0], "row 40, column 0: expected 0, got nan");
  EXPECT_EQ(padding.exact[4], "padding row 40, column 0: expected 0, got nan");
  EXPECT_EQ(padding.exact[7], "and 126 more of this kind");
}

/// A NaN inside A poisons its row, one inside B its column of that group, and
/// nothing else; the reference says so and the exact check takes it.
TEST(Check, NaNsPoisonTheirRowAndColumn) {
  Problem problem =
      unwrap(Problem::create(makeGroupedManifest(), groupedShape()));
  Operands operands = unwrap(makeExactOperands(problem, 7));
  operands.a[5 * problem.pitchA + 200] = 0x7f;
  operands.b[0 * problem.strideB + 33 * problem.pitchB + 271] = 0xff;
  std::vector<double> reference = computeReference(problem, operands);
  int64_t n = problem.shape.n, count = 0;
  for (int64_t row = 0; row < problem.shape.m; ++row)
    for (int64_t column = 0; column < n; ++column) {
      bool poisoned =
          row == 5 || (problem.groupOfRow(row) == 0 && column == 33);
      EXPECT_EQ(std::isnan(reference[row * n + column]), poisoned);
      count += poisoned;
    }
  EXPECT_EQ(count, n + 128);
  ReferenceDevice device;
  auto kernel = unwrap(device.load({}, problem.manifest));
  unwrap(execute(device, *kernel, problem, operands));
  EXPECT_EQ(compareExact(problem, operands, reference).failures,
            std::vector<std::string>());
}

/// The exact operands tell any two neighbouring scales apart: with the two
/// swapped in the reference, the result does not match.
TEST(Check, SwappingNeighbouringScalesIsSeen) {
  Shape shape = groupedShape();
  Problem problem = unwrap(Problem::create(makeGroupedManifest(), shape));
  Operands operands = unwrap(makeExactOperands(problem, 3));
  ReferenceDevice device;
  auto kernel = unwrap(device.load({}, problem.manifest));
  unwrap(execute(device, *kernel, problem, operands));
  int64_t swaps = 0;
  auto expectSeen = [&](std::vector<uint8_t> &scales, int64_t i, int64_t j) {
    ASSERT_NE(scales[i], scales[j]) << i << " and " << j;
    std::swap(scales[i], scales[j]);
    std::vector<double> reference = computeReference(problem, operands);
    EXPECT_FALSE(compareExact(problem, operands, reference).failures.empty())
        << i << " and " << j;
    std::swap(scales[i], scales[j]);
    ++swaps;
  };
  // Each fifth row stands for all; all neighbours of B.
  for (int64_t block = 0; block < problem.blocksK(); ++block)
    for (int64_t row = 0; row + 1 < shape.m; row += 5) {
      int64_t at = block * problem.pitchScaleA + row;
      if (problem.groupOfRow(row) < 0 || problem.groupOfRow(row + 1) < 0)
        continue;
      expectSeen(operands.scaleA, at, at + 1);
      if (block + 1 < problem.blocksK())
        expectSeen(operands.scaleA, at, at + problem.pitchScaleA);
    }
  for (int64_t g = 0; g < shape.groups; ++g)
    for (int64_t nb = 0; nb < problem.blocksN(); ++nb)
      for (int64_t kb = 0; kb < problem.blocksK(); ++kb) {
        int64_t at = g * problem.strideScaleB + nb * problem.pitchScaleB + kb;
        if (kb + 1 < problem.blocksK())
          expectSeen(operands.scaleB, at, at + 1);
        if (nb + 1 < problem.blocksN())
          expectSeen(operands.scaleB, at, at + problem.pitchScaleB);
        if (g + 1 < shape.groups)
          expectSeen(operands.scaleB, at, at + problem.strideScaleB);
      }
  EXPECT_GT(swaps, 150);
}

} // namespace
