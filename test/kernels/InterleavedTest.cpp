//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The interleaved 16-bit GEMM of 4 waves, and every schedule with 32x32 MFMA.

#include "KernelTest.h"

using namespace fly;

namespace {

constexpr char shipped[] = "gemm_a16w16.mlir";
constexpr char others[] = "../test/kernels/Inputs/interleaved_gemm.mlir";
constexpr const char *otherVariants[] = {"128x128",
                                         "256x128",
                                         "256x256_rotate",
                                         "256x256_peeled",
                                         "192x256_merged",
                                         "256x128_rotate",
                                         "128x128_double_buffer"};

Problem makeProblem(const CompiledKernel &compiled, int64_t m, int64_t n,
                    int64_t k, int64_t padD) {
  Shape shape;
  shape.m = m;
  shape.n = n;
  shape.k = k;
  shape.padD = padD;
  return unwrap(Problem::create(compiled.manifest, shape));
}

class InterleavedExact : public KernelTest,
                         public testing::WithParamInterface<Sizes> {};

/// Each size in one of the two types and with one of the other variants; over
/// all sizes each sees every kind of tail and count of K tiles.
TEST_P(InterleavedExact, EveryBitIsRight) {
  int64_t m, n, k;
  std::tie(m, n, k) = GetParam();
  unsigned index = m / 7 + n / 8 + 5 * (k / 8);
  auto expect = [&](const char *file, const char *variant) {
    SCOPED_TRACE(variant);
    const CompiledKernel &compiled = compiledKernel(file, variant);
    Problem problem = makeProblem(compiled, m, n, k, 8 * (index % 3));
    Operands operands = unwrap(makeExactOperands(problem, index));
    expectExact(compiled, problem, operands);
  };
  expect(shipped, index % 2 ? "bf16_256x256_4w" : "f16_256x256_4w");
  expect(others, otherVariants[index % std::size(otherVariants)]);
}

INSTANTIATE_TEST_SUITE_P(
    , InterleavedExact,
    testing::Combine(testing::Values(1, 77, 255, 256, 257, 384, 1280),
                     testing::Values(8, 24, 136, 248, 256, 264, 384, 768),
                     testing::Values(8, 64, 72, 128, 192, 256, 320, 1024)),
    nameOfSizes);

class Interleaved : public KernelTest {};

/// A row's result does not depend on the variant, on M or on the other rows.
/// That 32x32 MFMA give the bits of 16x16 ones holds where products are added
/// one by one, k ascending, which is how the emulator adds.
TEST_F(Interleaved, RowsAreTheSameBitsInEveryVariantAndEveryM) {
  int64_t n = 264, k = 584, rows = 300;
  Problem problem = makeProblem(compiledKernel(shipped, "bf16_128x128"), rows,
                                n, k, /*padD=*/0);
  std::vector<float> unquantized;
  Operands inputs =
      unwrap(makeRandomOperands(problem, RandomOptions(), unquantized));
  Operands expected = inputs;
  run(compiledKernel(shipped, "bf16_128x128"), problem, expected);
  auto expect = [&](const char *file, const char *variant) {
    SCOPED_TRACE(variant);
    const CompiledKernel &compiled = compiledKernel(file, variant);
    Operands all = inputs;
    run(compiled, makeProblem(compiled, rows, n, k, 0), all);
    EXPECT_EQ(all.d, expected.d);
    // The first row alone.
    Problem single = makeProblem(compiled, 1, n, k, 0);
    Operands one = unwrap(makeExactOperands(single, 1));
    std::copy_n(inputs.a.begin(), k * 2, one.a.begin());
    one.b = inputs.b;
    run(compiled, single, one);
    EXPECT_TRUE(std::equal(one.dData(), one.dData() + n * 2, expected.dData()));
  };
  expect(shipped, "bf16_256x256_4w");
  for (const char *variant : otherVariants)
    expect(others, variant);
}

/// The same holds where a chip adds products in groups of 8, k ascending, which
/// is published for gfx942: MFMA over 16 and over 32 products cut alike.
TEST_F(Interleaved, RowsAreTheSameBitsWhereProductsAreAddedInGroups) {
  EmulatorOptions options;
  options.mfmaRounding = MfmaRounding::Cdna3Grouped;
  auto device = unwrap(createEmulatorDevice("gfx950", options));
  const CompiledKernel &narrow = compiledKernel(shipped, "bf16_128x128");
  Problem problem = makeProblem(narrow, 130, 136, 200, /*padD=*/0);
  std::vector<float> unquantized;
  Operands inputs =
      unwrap(makeRandomOperands(problem, RandomOptions(), unquantized));
  Operands expected = inputs, sequential = inputs;
  run(*device, narrow, problem, expected);
  run(narrow, problem, sequential);
  EXPECT_NE(sequential.d, expected.d) << "the setting makes no difference";
  const CompiledKernel &wide = compiledKernel(shipped, "bf16_256x256_4w");
  Operands all = inputs;
  run(*device, wide, makeProblem(wide, 130, 136, 200, 0), all);
  EXPECT_EQ(all.d, expected.d);
}

} // namespace
