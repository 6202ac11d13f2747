//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Manifests.h"

#include "Support/Unwrap.h"
#include "fly/Runner/Operands.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace llvm;

namespace {

Shape grouped(std::vector<int32_t> layout, int64_t groups) {
  Shape shape;
  shape.m = layout.size();
  shape.n = 128;
  shape.k = 256;
  shape.layout = std::move(layout);
  shape.groups = groups;
  return shape;
}

std::string errorOf(const Manifest &manifest, const Shape &shape) {
  Expected<Problem> problem = Problem::create(manifest, shape);
  return problem ? "no error" : toString(problem.takeError());
}

TEST(Problem, LayoutPadsEachGroup) {
  EXPECT_EQ(makeLayout({{1, 2}, {0, 0}, {3, 4}, {1, 1}}, 4),
            (std::vector<int32_t>{1, 1, -1, -1, 3, 3, 3, 3, 1, -1, -1, -1}));
}

TEST(Problem, PitchesFollowTheShape) {
  Shape shape = grouped(makeLayout({{0, 5}, {1, 128}}, 128), 2);
  shape.k = 400;
  shape.n = 144;
  shape.padA = 16;
  shape.padB = 32;
  shape.padD = 8;
  shape.padGroups = 64;
  Problem problem = unwrap(Problem::create(makeGroupedManifest(), shape));
  EXPECT_EQ(problem.pitchA, 416);
  EXPECT_EQ(problem.pitchB, 432);
  EXPECT_EQ(problem.pitchD, 152);
  EXPECT_EQ(problem.strideB, 144 * 432 + 64);
  EXPECT_EQ(problem.pitchScaleA, 256);
  EXPECT_EQ(problem.pitchScaleB, 4);
  EXPECT_EQ(problem.strideScaleB, 8);
  EXPECT_EQ(problem.validRows(), 133);
  EXPECT_EQ(problem.groupOfRow(4), 0);
  EXPECT_EQ(problem.groupOfRow(5), -1);
  EXPECT_EQ(problem.groupOfRow(128), 1);
  EXPECT_EQ(problem.rowsOfGroup(0), (std::vector<int64_t>{0, 1, 2, 3, 4}));
}

TEST(Problem, RejectsWrongShapes) {
  Manifest manifest = makeGroupedManifest();
  Shape good = grouped(makeLayout({{0, 5}}, 128), 2);
  EXPECT_EQ(errorOf(manifest, good), "no error");
  Shape shape = good;
  shape.m = 5;
  EXPECT_EQ(errorOf(manifest, shape), "layout: expected 5 rows, got 128");
  shape = good;
  shape.layout[3] = 2;
  EXPECT_EQ(errorOf(manifest, shape),
            "layout: row 3: expected a group from -1 to 1, got 2");
  shape.layout[3] = 1;
  EXPECT_EQ(errorOf(manifest, shape),
            "layout: row 3: expected group 0 as in the first row of its block "
            "of 128 rows, got 1");
  shape = good;
  shape.groups = -1;
  EXPECT_EQ(errorOf(manifest, shape), "groups: expected at least 1, got -1");
  shape = good;
  shape.n = 0;
  EXPECT_EQ(errorOf(manifest, shape), "n: expected 1 to 2147483647, got 0");
  shape = good;
  shape.padA = -1;
  EXPECT_EQ(errorOf(manifest, shape),
            "padding of A: expected 0 to 2147483647, got -1");
  shape = good;
  shape.groups = 0;
  EXPECT_EQ(errorOf(manifest, shape),
            "kernel 'grouped' is grouped, but 0 groups are given");
  EXPECT_EQ(errorOf(makeDenseManifest(), good),
            "kernel 'dense' is dense, but 2 groups are given");
}

TEST(Problem, RejectsManifestsItDoesNotKnow) {
  Shape good = grouped(makeLayout({{0, 5}}, 128), 2);
  Manifest manifest = makeGroupedManifest();
  manifest.problem = "softmax";
  EXPECT_EQ(errorOf(manifest, good),
            "problem: expected 'gemm' or 'grouped_gemm_contiguous', got "
            "'softmax'");
  manifest = makeGroupedManifest();
  manifest.groupAlignment = 0;
  EXPECT_EQ(errorOf(manifest, good),
            "the manifest of kernel 'grouped' states no group alignment");
  manifest = makeGroupedManifest();
  manifest.typeD = "i8";
  EXPECT_EQ(errorOf(manifest, good),
            "element type: expected an f8 type, bf16, f16 or f32, got 'i8'");
  manifest = makeGroupedManifest();
  manifest.typeB = "f8E5M2";
  EXPECT_EQ(errorOf(manifest, good),
            "expected A and B of one type, got f8E4M3FN and f8E5M2");
  manifest = makeGroupedManifest();
  addArguments(manifest, {"beta"}, "i32");
  Problem problem = unwrap(Problem::create(manifest, good));
  auto arguments = makeArguments(problem, {});
  ASSERT_FALSE(bool(arguments));
  EXPECT_EQ(toString(arguments.takeError()),
            "kernel 'grouped': there is no value for argument 'beta'");
}

std::string operandsErrorOf(const Manifest &manifest, const Shape &shape) {
  Problem problem = unwrap(Problem::create(manifest, shape));
  std::vector<float> unquantized;
  auto random = makeRandomOperands(problem, RandomOptions(), unquantized);
  if (!random)
    return toString(random.takeError());
  auto exact = makeExactOperands(problem, 1);
  return exact ? "no error" : toString(exact.takeError());
}

TEST(Operands, RejectsWhatItCannotMake) {
  Shape shape = grouped(makeLayout({{0, 5}}, 128), 2);
  Manifest manifest = makeGroupedManifest();
  manifest.scaleKind = "f32";
  EXPECT_EQ(operandsErrorOf(manifest, shape),
            "operands: expected an f8 type with e8m0 scales, or bf16 or f16 "
            "without scales, got f8E4M3FN with scale kind 'f32'");
  manifest = makeGroupedManifest();
  manifest.scaleM = 2;
  EXPECT_EQ(operandsErrorOf(manifest, shape),
            "scales: expected granularity (1, n) for A and (n, n) for B, got "
            "(2, 128) and (128, 128)");
  manifest = makeGroupedManifest();
  manifest.scaleN = manifest.scaleK = 96;
  EXPECT_EQ(operandsErrorOf(manifest, shape),
            "scales: expected a granularity that divides 128, got 96");
  shape.n = 1;
  shape.layout = {0};
  shape.m = 1;
  shape.k = 65537;
  EXPECT_EQ(operandsErrorOf(makeGroupedManifest(), shape),
            "exact operands: expected k of at most 65536, got 65537");
}

TEST(Operands, SameSeedSameBytes) {
  Problem problem = unwrap(Problem::create(
      makeGroupedManifest(), grouped(makeLayout({{0, 5}, {1, 7}}, 128), 2)));
  std::vector<float> product;
  RandomOptions options;
  Operands first = unwrap(makeRandomOperands(problem, options, product));
  Operands second = unwrap(makeRandomOperands(problem, options, product));
  EXPECT_EQ(first.a, second.a);
  EXPECT_EQ(first.scaleB, second.scaleB);
  options.seed = 2;
  Operands other = unwrap(makeRandomOperands(problem, options, product));
  EXPECT_NE(first.a, other.a);
  EXPECT_NE(first.b, other.b);
}

/// The scales of random operands tell rows and blocks apart.
TEST(Operands, RandomScalesDiffer) {
  Shape shape = grouped(makeLayout({{0, 128}}, 128), 1);
  shape.n = 512;
  shape.k = 1024;
  Problem problem = unwrap(Problem::create(makeGroupedManifest(), shape));
  std::vector<float> product;
  Operands operands =
      unwrap(makeRandomOperands(problem, RandomOptions(), product));
  std::set<uint8_t> a(operands.scaleA.begin(), operands.scaleA.end());
  std::set<uint8_t> b(operands.scaleB.begin(), operands.scaleB.end());
  EXPECT_GE(a.size(), 10u);
  EXPECT_GE(b.size(), 8u);
}

} // namespace
