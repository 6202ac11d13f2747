//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The rotated 16-bit GEMM: the shipped variants, and what else its schedules
/// can be built as.

#include "KernelTest.h"

using namespace fly;

namespace {

constexpr char shipped[] = "gemm_a16w16.mlir";
constexpr char others[] = "../test/kernels/Inputs/rotated_gemm.mlir";

struct Variant {
  const char *file, *name;
};

constexpr Variant variants[] = {
    {shipped, "bf16_256x256"},  {shipped, "f16_256x256"},
    {others, "256x256_4x2"},    {others, "256x256_early"},
    {others, "256x256_merged"}, {others, "256x256_peeled"},
    {shipped, "bf16_192x256"},  {shipped, "f16_192x256"},
    {others, "192x256_4x2"},    {shipped, "bf16_256x128"},
    {shipped, "f16_256x128"},   {others, "256x128_2x4"},
    {others, "128x128_2x4"},    {others, "128x128_4x2"}};
constexpr unsigned numVariants = std::size(variants);

Problem makeProblem(const CompiledKernel &compiled, int64_t m, int64_t n,
                    int64_t k, int64_t padD) {
  Shape shape;
  shape.m = m;
  shape.n = n;
  shape.k = k;
  shape.padD = padD;
  return unwrap(Problem::create(compiled.manifest, shape));
}

class RotatedExact : public KernelTest,
                     public testing::WithParamInterface<Sizes> {};

/// Each size with the default tile and with one of the other variants; over all
/// sizes every variant sees every kind of tail and count of K tiles.
TEST_P(RotatedExact, EveryBitIsRight) {
  auto [m, n, k] = GetParam();
  unsigned index = m / 7 + n / 8 + 5 * (k / 8);
  for (const Variant &variant :
       {variants[0], variants[1 + index % (numVariants - 1)]}) {
    SCOPED_TRACE(variant.name);
    const CompiledKernel &compiled = compiledKernel(variant.file, variant.name);
    Problem problem = makeProblem(compiled, m, n, k, 8 * (index % 3));
    Operands operands = unwrap(makeExactOperands(problem, index));
    expectExact(compiled, problem, operands);
  }
}

INSTANTIATE_TEST_SUITE_P(
    , RotatedExact,
    testing::Combine(testing::Values(1, 77, 255, 256, 257, 384, 1280),
                     testing::Values(8, 24, 136, 248, 256, 264, 384, 768),
                     testing::Values(8, 64, 72, 128, 192, 256, 320, 1024)),
    nameOfSizes);

class Rotated : public KernelTest {};

/// A row's result does not depend on the variant, on M or on the other rows.
TEST_F(Rotated, RowsAreTheSameBitsInEveryVariantAndEveryM) {
  int64_t n = 264, k = 584, rows = 300;
  Problem problem = makeProblem(compiledKernel(shipped, "bf16_128x128"), rows,
                                n, k, /*padD=*/0);
  std::vector<float> unquantized;
  Operands inputs =
      unwrap(makeRandomOperands(problem, RandomOptions(), unquantized));
  Operands expected = inputs;
  run(compiledKernel(shipped, "bf16_128x128"), problem, expected);
  size_t rowBytes = n * 2;
  for (const Variant &variant : variants) {
    if (llvm::StringRef(variant.name).starts_with("f16"))
      continue;
    SCOPED_TRACE(variant.name);
    const CompiledKernel &compiled = compiledKernel(variant.file, variant.name);
    Operands all = inputs;
    run(compiled, makeProblem(compiled, rows, n, k, 0), all);
    EXPECT_EQ(all.d, expected.d);
    // The first row alone.
    Problem single = makeProblem(compiled, 1, n, k, 0);
    Operands one = unwrap(makeExactOperands(single, 1));
    std::copy_n(inputs.a.begin(), k * 2, one.a.begin());
    one.b = inputs.b;
    run(compiled, single, one);
    EXPECT_TRUE(
        std::equal(one.dData(), one.dData() + rowBytes, expected.dData()));
  }
}

/// Every way to map workgroups to tiles gives the same result.
TEST_F(Rotated, EveryWorkgroupMapCoversEveryTile) {
  for (auto [m, n, k] : {Sizes(384, 256, 128), Sizes(1280, 768, 128)})
    for (int64_t xcds : {1, 8})
      for (int64_t groupSize : {1, 4}) {
        CompileOptions options = {"gfx950", "bf16_256x256", xcds, groupSize};
        auto compiled = unwrap(compileKernelFile(
            FLY_KERNELS_DIR + std::string("/") + shipped, options));
        Problem problem = makeProblem(compiled, m, n, k, 8);
        Operands operands = unwrap(makeExactOperands(problem, xcds));
        expectExact(compiled, problem, operands);
      }
}

} // namespace
