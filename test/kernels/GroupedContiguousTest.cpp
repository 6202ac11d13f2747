//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The exact suite of the grouped FP8 kernel: every shape whose tails differ,
/// groups that are empty, repeated and out of order, gaps, and NaNs.

#include "KernelTest.h"

#include "fly/Runner/OperandImages.h"

using namespace fly;
using namespace llvm;

namespace {

constexpr char kernelFile[] = "grouped_gemm_blockscale_contiguous.mlir";

class GroupedContiguous : public KernelTest {
protected:
  static const CompiledKernel &compiled(const std::string &variant = "") {
    return compiledKernel(kernelFile, variant);
  }
  static Problem makeProblem(const Shape &shape,
                             const std::string &variant = "") {
    return unwrap(Problem::create(compiled(variant).manifest, shape));
  }
  static Shape makeShape(int64_t n, int64_t k, int64_t groups,
                         std::vector<int32_t> layout) {
    Shape shape;
    shape.m = layout.size();
    shape.n = n;
    shape.k = k;
    shape.groups = groups;
    shape.layout = std::move(layout);
    return shape;
  }
};

/// Groups in several arrangements, \p m rows in each that has any.
std::pair<int64_t, std::vector<int32_t>> arrangement(unsigned index,
                                                     int64_t m) {
  switch (index % 5) {
  case 0:
    return {1, makeLayout({{0, m}}, 128)};
  case 1: // out of order
    return {2, makeLayout({{1, m}, {0, m}}, 128)};
  case 2: // an empty one
    return {3, makeLayout({{0, m}, {2, m}}, 128)};
  case 3: { // repeated, and a block of padding between
    std::vector<int32_t> layout = makeLayout({{3, m}, {1, m}}, 128);
    layout.insert(layout.end(), 128, -1);
    std::vector<int32_t> rest = makeLayout({{3, m}, {0, m}}, 128);
    layout.insert(layout.end(), rest.begin(), rest.end());
    return {4, layout};
  }
  default: { // a long tail of padding
    std::vector<int32_t> layout = makeLayout({{4, m}, {0, m}, {2, 1}}, 128);
    layout.insert(layout.end(), 200, -1);
    return {5, layout};
  }
  }
}

/// A total that is no multiple of 128: cuts padding at the end, or adds some.
void makeRagged(std::vector<int32_t> &layout) {
  if (layout.back() == -1)
    layout.resize(layout.size() - 1);
  else
    layout.insert(layout.end(), 37, -1);
}

class GroupedContiguousExact : public GroupedContiguous,
                               public testing::WithParamInterface<Sizes> {};

TEST_P(GroupedContiguousExact, EveryBitIsRight) {
  auto [m, n, k] = GetParam();
  // Which arrangement, pitches and variant go with which sizes: any mixing
  // that pairs each with each.
  unsigned index = m + 3 * (n / 16) + 7 * (k / 16);
  auto [groups, layout] = arrangement(index, m);
  if (index % 2)
    makeRagged(layout);
  Shape shape = makeShape(n, k, groups, layout);
  shape.padA = 16 * (index % 3);
  shape.padB = 32 * (index / 3 % 2);
  shape.padD = 8 * (index / 2 % 3);
  shape.padGroups = 48 * (index / 5 % 2);
  shape.padScales = 5 * (index / 7 % 2);
  std::string variant = index / 2 % 2 ? "128x256" : "";
  Problem problem = makeProblem(shape, variant);
  Operands operands = unwrap(makeExactOperands(problem, index));
  expectExact(compiled(variant), problem, operands);
}

INSTANTIATE_TEST_SUITE_P(
    , GroupedContiguousExact,
    testing::Combine(testing::Values(1, 16, 127, 128, 129, 300),
                     testing::Values(16, 128, 144, 256),
                     testing::Values(16, 128, 144, 256, 384, 1024)),
    nameOfSizes);

TEST_F(GroupedContiguous, NoRowsAndOnlyPadding) {
  Problem empty = makeProblem(makeShape(144, 144, 2, {}));
  Operands operands = unwrap(makeExactOperands(empty, 1));
  expectExact(compiled(), empty, operands);
  Problem padding =
      makeProblem(makeShape(144, 144, 2, std::vector<int32_t>(300, -1)));
  operands = unwrap(makeExactOperands(padding, 1));
  expectExact(compiled(), padding, operands);
}

/// A NaN poisons its row of A, or its column of B in that group, and nothing
/// else, wherever in K it lies. With no gaps between rows, a NaN at the start
/// of one row is just past the end of the row before.
TEST_F(GroupedContiguous, NaNsPoisonTheirRowOrColumnOnly) {
  for (int64_t k : {16, 144, 256, 400})
    for (int64_t at : {int64_t(0), k / 2, k - 1}) {
      Problem problem = makeProblem(
          makeShape(144, k, 2, makeLayout({{1, 130}, {0, 20}}, 128)));
      Operands operands = unwrap(makeExactOperands(problem, k + at));
      rowOfA(operands, problem, 17)[at] = 0x7f;
      rowOfA(operands, problem, 129)[at] = 0xff;
      rowOfB(operands, problem, 1, 5)[at] = 0x7f;
      rowOfB(operands, problem, 0, 143)[at] = 0x7f;
      expectExact(compiled(), problem, operands);
    }
}

/// A NaN just past K in one row of A and one of B changes nothing.
TEST_F(GroupedContiguous, NaNsJustPastKChangeNothing) {
  for (int64_t k : {16, 144, 256, 400}) {
    Shape shape = makeShape(32, k, 1, makeLayout({{0, 40}}, 128));
    shape.padA = shape.padB = 16;
    Problem problem = makeProblem(shape);
    Operands operands = unwrap(makeExactOperands(problem, k));
    // Gaps are NaN by themselves; here all but one are clean.
    for (int64_t row = 0; row < problem.shape.m; ++row)
      std::fill_n(rowOfA(operands, problem, row) + k, 16,
                  row == 3 ? 0x7f : 0x00);
    for (int64_t n = 0; n < 32; ++n)
      std::fill_n(rowOfB(operands, problem, 0, n) + k, 16,
                  n == 7 ? 0x7f : 0x00);
    expectExact(compiled(), problem, operands);
  }
}

/// An E8M0 scale of 255 is NaN.
TEST_F(GroupedContiguous, NaNScales) {
  Problem problem =
      makeProblem(makeShape(160, 384, 2, makeLayout({{0, 130}, {1, 20}}, 128)));
  Operands operands = unwrap(makeExactOperands(problem, 5));
  scaleOfA(operands, problem, 129, 1) = 0xff;
  scaleOfB(operands, problem, 1, 1, 2) = 0xff;
  expectExact(compiled(), problem, operands);
}

/// The result does not depend on any fact about the hardware that is not known:
/// it is the same under every setting of the emulator's options.
TEST_F(GroupedContiguous, EverySettingOfUnknownFacts) {
  if (testDevice()->kind() != "emulator")
    GTEST_SKIP() << "only the emulator has settings";
  Shape shape = makeShape(144, 400, 3, makeLayout({{2, 129}, {0, 7}}, 128));
  makeRagged(shape.layout);
  shape.m = shape.layout.size();
  shape.padA = 16;
  shape.padD = 8;
  Problem problem = makeProblem(shape);
  for (MfmaRounding rounding :
       {MfmaRounding::SequentialFused, MfmaRounding::ExactThenRound,
        MfmaRounding::Cdna3Grouped})
    for (bool soffset : {true, false})
      for (bool dropLow : {true, false}) {
        EmulatorOptions options;
        options.mfmaRounding = rounding;
        options.rangeCheckIncludesSoffset = soffset;
        options.dropLowAddressBits = dropLow;
        auto device = unwrap(createEmulatorDevice("gfx950", options));
        Operands operands = unwrap(makeExactOperands(problem, 9));
        expectExact(*device, compiled(), problem, operands);
      }
}

/// Rounded results too: all variants give the same bits, in checking and in
/// fast mode, with any number of threads.
TEST_F(GroupedContiguous, VariantsAndModesAgreeBitForBit) {
  Shape shape = makeShape(272, 656, 2, makeLayout({{1, 200}, {0, 64}}, 128));
  Problem problem = makeProblem(shape);
  std::vector<float> unquantized;
  Operands inputs =
      unwrap(makeRandomOperands(problem, RandomOptions(), unquantized));
  std::vector<double> reference = computeReference(problem, inputs);
  Operands first = inputs;
  run(compiled(), problem, first);
  for (const std::string &failure :
       compareRounded(problem, first, reference, unquantized).failures)
    ADD_FAILURE() << failure;
  Operands second = inputs;
  run(compiled("128x256"), makeProblem(shape, "128x256"), second);
  EXPECT_EQ(first.d, second.d);
  if (testDevice()->kind() != "emulator")
    return;
  for (unsigned threads : {1, 3})
    for (bool check : {false, true}) {
      EmulatorOptions options;
      options.check = check;
      options.threads = threads;
      auto device = unwrap(createEmulatorDevice("gfx950", options));
      Operands again = inputs;
      run(*device, compiled(), problem, again);
      EXPECT_EQ(first.d, again.d);
    }
}

} // namespace
