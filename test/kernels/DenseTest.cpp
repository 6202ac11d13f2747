//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The exact suite of the dense 16-bit kernel.

#include "KernelTest.h"

#include "fly/Runner/OperandImages.h"

#include "llvm/Support/Endian.h"

using namespace fly;
using namespace llvm;

namespace {

constexpr char kernelFile[] = "gemm_a16w16.mlir";
constexpr const char *variants[] = {"bf16_128x128", "f16_128x128",
                                    "bf16_256x256", "f16_256x256"};

class Dense : public KernelTest {
protected:
  static Problem makeProblem(const CompiledKernel &compiled, int64_t m,
                             int64_t n, int64_t k, int64_t pad = 0) {
    Shape shape;
    shape.m = m;
    shape.n = n;
    shape.k = k;
    shape.padA = shape.padB = shape.padD = pad;
    return unwrap(Problem::create(compiled.manifest, shape));
  }
};

class DenseExact : public Dense, public testing::WithParamInterface<Sizes> {};

TEST_P(DenseExact, EveryBitIsRight) {
  auto [m, n, k] = GetParam();
  unsigned index = m + 3 * (n / 8) + 7 * (k / 8);
  const CompiledKernel &compiled =
      compiledKernel(kernelFile, variants[index % std::size(variants)]);
  Problem problem = makeProblem(compiled, m, n, k, 8 * (index / 2 % 3));
  Operands operands = unwrap(makeExactOperands(problem, index));
  expectExact(compiled, problem, operands);
}

INSTANTIATE_TEST_SUITE_P(, DenseExact,
                         testing::Combine(testing::Values(1, 77, 128, 129, 300),
                                          testing::Values(16, 128, 144, 256),
                                          testing::Values(8, 64, 72, 128, 200,
                                                          1024)),
                         nameOfSizes);

TEST_F(Dense, NoRows) {
  const CompiledKernel &compiled = compiledKernel(kernelFile, "");
  Problem problem = makeProblem(compiled, 0, 128, 64);
  Operands operands = unwrap(makeExactOperands(problem, 1));
  expectExact(compiled, problem, operands);
}

/// As for the grouped kernel; rows lie without gaps.
TEST_F(Dense, NaNsPoisonTheirRowOrColumnOnly) {
  const CompiledKernel &compiled = compiledKernel(kernelFile, "");
  for (int64_t k : {8, 72, 128, 200})
    for (int64_t at : {int64_t(0), k / 2, k - 1}) {
      Problem problem = makeProblem(compiled, 150, 144, k);
      Operands operands = unwrap(makeExactOperands(problem, k + at));
      support::endian::write16le(rowOfA(operands, problem, 17) + 2 * at,
                                 0x7fc0);
      support::endian::write16le(rowOfB(operands, problem, 0, 143) + 2 * at,
                                 0xffc1);
      expectExact(compiled, problem, operands);
    }
}

TEST_F(Dense, RandomValuesRoundOnce) {
  for (const char *variant : variants) {
    const CompiledKernel &compiled = compiledKernel(kernelFile, variant);
    Problem problem = makeProblem(compiled, 200, 272, 520);
    RandomOptions options;
    options.modulation = 2;
    std::vector<float> unquantized;
    Operands operands =
        unwrap(makeRandomOperands(problem, options, unquantized));
    std::vector<double> reference = computeReference(problem, operands);
    run(compiled, problem, operands);
    Comparison comparison =
        compareRounded(problem, operands, reference, unquantized);
    for (const std::string &failure : comparison.failures)
      ADD_FAILURE() << failure;
    EXPECT_LT(comparison.calcDiff, 1e-5);
  }
}

} // namespace
