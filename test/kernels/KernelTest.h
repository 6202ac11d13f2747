//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What the suites over shipped kernels share: each variant compiled once a
/// process, and a device, the one ./dev test --device names.

#ifndef FLY_TEST_KERNELS_KERNELTEST_H
#define FLY_TEST_KERNELS_KERNELTEST_H

#include "Support/Unwrap.h"
#include "fly/Runner/Check.h"
#include "fly/Runner/Execute.h"
#include "fly/Target/Compile.h"

#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <map>

namespace fly {

/// The compiled variant; the arch's first of the file if \p variant is empty.
inline const CompiledKernel &
compiledKernel(const std::string &file, const std::string &variant,
               const std::string &arch = "gfx950") {
  static std::map<std::tuple<std::string, std::string, std::string>,
                  CompiledKernel>
      cache;
  auto [it, isNew] = cache.try_emplace({file, variant, arch});
  if (isNew)
    it->second =
        unwrap(compileKernelFile(FLY_KERNELS_DIR "/" + file, {arch, variant}));
  return it->second;
}

inline std::string testDeviceKind() {
  const char *kind = std::getenv("FLY_TEST_DEVICE");
  return kind ? kind : "emulator";
}

/// The device of an arch's tests, in checking mode when it is the emulator;
/// null where there is no GPU.
inline Device *testDevice(const std::string &arch = "gfx950") {
  static std::map<std::string, std::unique_ptr<Device>> devices;
  auto [it, isNew] = devices.try_emplace(arch);
  if (isNew) {
    auto created = createDevice(testDeviceKind(), arch, EmulatorOptions());
    if (created)
      it->second = std::move(*created);
    else
      llvm::errs() << llvm::toString(created.takeError()) << "\n";
  }
  return it->second.get();
}

class KernelTest : public testing::Test {
protected:
  explicit KernelTest(std::string arch = "gfx950") : arch(std::move(arch)) {}

  void SetUp() override {
    if (!testDevice(arch))
      GTEST_SKIP() << "no " << testDeviceKind() << " device for " << arch;
  }

  /// Runs on \p device, expecting no findings.
  static void run(Device &device, const CompiledKernel &compiled,
                  const Problem &problem, Operands &operands) {
    auto kernel = device.load(compiled.object, compiled.manifest);
    ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
    auto execution = execute(device, **kernel, problem, operands);
    ASSERT_TRUE(bool(execution)) << llvm::toString(execution.takeError());
    for (const Report &report : execution->reports)
      ADD_FAILURE() << report.kind << ": " << report.message;
  }
  static void run(const CompiledKernel &compiled, const Problem &problem,
                  Operands &operands) {
    run(*testDevice(compiled.manifest.arch), compiled, problem, operands);
  }

  /// Runs, and expects D bit for bit.
  static void expectExact(Device &device, const CompiledKernel &compiled,
                          const Problem &problem, Operands &operands) {
    std::vector<double> reference = computeReference(problem, operands);
    run(device, compiled, problem, operands);
    for (const std::string &failure :
         compareExact(problem, operands, reference).failures)
      ADD_FAILURE() << failure;
  }
  static void expectExact(const CompiledKernel &compiled,
                          const Problem &problem, Operands &operands) {
    expectExact(*testDevice(compiled.manifest.arch), compiled, problem,
                operands);
  }

  std::string arch; ///< that the tests compile for
};

/// M, N and K of one test.
using Sizes = std::tuple<int, int, int>;

inline std::string nameOfSizes(const testing::TestParamInfo<Sizes> &info) {
  auto [m, n, k] = info.param;
  return llvm::formatv("M{0}_N{1}_K{2}", m, n, k);
}

} // namespace fly

#endif // FLY_TEST_KERNELS_KERNELTEST_H
