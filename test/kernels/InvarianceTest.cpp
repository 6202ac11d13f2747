//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Batch invariance: a row's bits depend on nothing but the row and B. Every
/// shipped variant of the dense kernel for a chip gives the same ones, inside
/// 4096 rows and alone.

#include "KernelTest.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

using namespace fly;

namespace {

constexpr char kernelFile[] = "gemm_a16w16.mlir";

struct Case {
  const char *arch, *dtype;
};

class Invariance : public KernelTest, public testing::WithParamInterface<Case> {
protected:
  Invariance() : KernelTest(GetParam().arch) {}

  /// In fast mode where it is the emulator: the other suites look for faults.
  std::unique_ptr<Device> makeDevice() const {
    EmulatorOptions options;
    options.check = false;
    return unwrap(createDevice(testDeviceKind(), arch, options));
  }

  static Problem makeProblem(const CompiledKernel &compiled, int64_t rows) {
    Shape shape;
    shape.m = rows;
    shape.n = 264;
    shape.k = 328;
    return unwrap(Problem::create(compiled.manifest, shape));
  }

  std::vector<std::string> variants() const {
    mlir::DialectRegistry registry;
    registerCompilerDialects(registry);
    mlir::MLIRContext context(registry);
    auto module = unwrap(parseKernelFile(
        FLY_KERNELS_DIR + std::string("/") + kernelFile, context));
    std::vector<std::string> names;
    for (const VariantInfo &variant : unwrap(describeVariants(*module, arch)))
      if (variant.dtype == GetParam().dtype)
        names.push_back(variant.name);
    return names;
  }
};

TEST_P(Invariance, EveryVariantGivesARowTheSameBits) {
  constexpr int64_t rows = 4096;
  std::vector<std::string> names = variants();
  ASSERT_GE(names.size(), 2u);
  std::unique_ptr<Device> device = makeDevice();
  const CompiledKernel &first = compiledKernel(kernelFile, names[0], arch);
  Problem problem = makeProblem(first, rows);
  RandomOptions options;
  options.modulation = 2;
  std::vector<float> unquantized;
  const Operands inputs =
      unwrap(makeRandomOperands(problem, options, unquantized));
  Operands expected = inputs;
  run(*device, first, problem, expected);
  size_t bytesA = problem.shape.k * 2, bytesD = problem.shape.n * 2;
  for (const std::string &name : names) {
    SCOPED_TRACE(name);
    const CompiledKernel &compiled = compiledKernel(kernelFile, name, arch);
    Operands all = inputs;
    run(*device, compiled, makeProblem(compiled, rows), all);
    EXPECT_EQ(all.d, expected.d);
    for (int64_t row : {int64_t(0), int64_t(1000), rows - 1}) {
      Problem single = makeProblem(compiled, 1);
      Operands one = unwrap(makeExactOperands(single, 1));
      std::copy_n(inputs.a.begin() + row * bytesA, bytesA, one.a.begin());
      one.b = inputs.b;
      run(*device, compiled, single, one);
      EXPECT_TRUE(std::equal(one.dData(), one.dData() + bytesD,
                             expected.dData() + row * bytesD))
          << "row " << row;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    , Invariance,
    testing::Values(Case{"gfx950", "bf16"}, Case{"gfx950", "f16"},
                    Case{"gfx942", "bf16"}, Case{"gfx942", "f16"}),
    [](const testing::TestParamInfo<Case> &info) {
      return std::string(info.param.arch) + "_" + info.param.dtype;
    });

} // namespace
