//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What every variant of the dense 16-bit GEMM is held to.

#ifndef FLY_TEST_KERNELS_DENSEVARIANTS_H
#define FLY_TEST_KERNELS_DENSEVARIANTS_H

#include "KernelTest.h"

namespace fly {

struct DenseVariant {
  const char *file, *name;
};

class DenseVariants : public KernelTest {
protected:
  using KernelTest::KernelTest;

  const CompiledKernel &compiled(const DenseVariant &variant) const {
    return compiledKernel(variant.file, variant.name, arch);
  }

  static Problem makeProblem(const CompiledKernel &compiled, int64_t m,
                             int64_t n, int64_t k, int64_t padD) {
    Shape shape;
    shape.m = m;
    shape.n = n;
    shape.k = k;
    shape.padD = padD;
    return unwrap(Problem::create(compiled.manifest, shape));
  }

  /// The exact suite at one size. \p seed makes the operands and the gap
  /// between the rows of D.
  void expectExactBits(llvm::ArrayRef<DenseVariant> variants, Sizes sizes,
                       unsigned seed) const {
    auto [m, n, k] = sizes;
    for (const DenseVariant &variant : variants) {
      SCOPED_TRACE(variant.name);
      Problem problem = makeProblem(compiled(variant), m, n, k, 8 * (seed % 3));
      Operands operands = unwrap(makeExactOperands(problem, seed));
      expectExact(compiled(variant), problem, operands);
    }
  }

  /// A row's result does not depend on the variant, on M or on the other rows:
  /// those of bf16 among \p variants give what \p base does.
  void expectSameRows(const DenseVariant &base,
                      llvm::ArrayRef<DenseVariant> variants) const {
    int64_t n = 264, k = 584, rows = 300;
    Problem problem = makeProblem(compiled(base), rows, n, k, /*padD=*/0);
    std::vector<float> unquantized;
    Operands inputs =
        unwrap(makeRandomOperands(problem, RandomOptions(), unquantized));
    Operands expected = inputs;
    run(compiled(base), problem, expected);
    size_t rowBytes = n * 2;
    for (const DenseVariant &variant : variants) {
      if (llvm::StringRef(variant.name).starts_with("f16"))
        continue;
      SCOPED_TRACE(variant.name);
      Operands all = inputs;
      run(compiled(variant), makeProblem(compiled(variant), rows, n, k, 0),
          all);
      EXPECT_EQ(all.d, expected.d);
      // The first row alone.
      Problem single = makeProblem(compiled(variant), 1, n, k, 0);
      Operands one = unwrap(makeExactOperands(single, 1));
      std::copy_n(inputs.a.begin(), k * 2, one.a.begin());
      one.b = inputs.b;
      run(compiled(variant), single, one);
      EXPECT_TRUE(
          std::equal(one.dData(), one.dData() + rowBytes, expected.dData()));
    }
  }

  /// Every way to map workgroups to tiles gives the same result.
  void expectEveryMapExact(const DenseVariant &variant) const {
    for (auto [m, n, k] : {Sizes(384, 256, 128), Sizes(1280, 768, 128)})
      for (int64_t xcds : {1, 8})
        for (int64_t groupSize : {1, 4}) {
          CompileOptions options = {arch, variant.name, xcds, groupSize};
          auto mapped = unwrap(compileKernelFile(
              FLY_KERNELS_DIR + std::string("/") + variant.file, options));
          Problem problem = makeProblem(mapped, m, n, k, 8);
          Operands operands = unwrap(makeExactOperands(problem, xcds));
          expectExact(mapped, problem, operands);
        }
  }
};

} // namespace fly

#endif // FLY_TEST_KERNELS_DENSEVARIANTS_H
