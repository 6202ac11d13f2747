//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// No fly kernel depends on a fact that is not known of the hardware: the exact
/// suite is right in every bit under every setting of every such option.

#include "KernelTest.h"

#include <functional>

using namespace fly;
using namespace llvm;

namespace {

struct Setting {
  const char *name;
  std::function<void(EmulatorOptions &)> apply;
};

class UnknownFacts : public testing::TestWithParam<Setting> {
protected:
  void SetUp() override {
    if (testDeviceKind() != "emulator")
      GTEST_SKIP() << "the options are the emulator's";
    EmulatorOptions options;
    GetParam().apply(options);
    device = unwrap(createDevice("emulator", "gfx950", options));
  }

  void expectExact(const char *file, const char *variant, const Shape &shape) {
    const CompiledKernel &compiled = compiledKernel(file, variant);
    Problem problem = unwrap(Problem::create(compiled.manifest, shape));
    Operands operands = unwrap(makeExactOperands(problem, 5));
    std::vector<double> reference = computeReference(problem, operands);
    auto kernel = device->load(compiled.object, compiled.manifest);
    ASSERT_TRUE(bool(kernel)) << toString(kernel.takeError());
    auto execution = execute(*device, **kernel, problem, operands);
    ASSERT_TRUE(bool(execution)) << toString(execution.takeError());
    for (const Report &report : execution->reports)
      if (report.severity == Report::Severity::Error)
        ADD_FAILURE() << variant << ": " << report.message;
    for (const std::string &failure :
         compareExact(problem, operands, reference).failures)
      ADD_FAILURE() << variant << ": " << failure;
  }

  std::unique_ptr<Device> device;
};

} // namespace

TEST_P(UnknownFacts, NoBitDependsOnThem) {
  Shape dense;
  dense.m = 150;
  dense.n = 144;
  dense.k = 200;
  expectExact("gemm_a16w16.mlir", "bf16_128x128", dense);
  expectExact("gemm_a16w16.mlir", "f16_256x256", dense);
  Shape grouped;
  grouped.layout = makeLayout({{1, 130}, {0, 70}}, 128);
  grouped.m = grouped.layout.size();
  grouped.n = 256;
  grouped.k = 384;
  grouped.groups = 2;
  expectExact("grouped_gemm_blockscale_contiguous.mlir", "128x128", grouped);
}

INSTANTIATE_TEST_SUITE_P(
    , UnknownFacts,
    testing::Values(
        Setting{"MfmaExact",
                [](EmulatorOptions &o) {
                  o.mfmaRounding = MfmaRounding::ExactThenRound;
                }},
        Setting{"MfmaGrouped",
                [](EmulatorOptions &o) {
                  o.mfmaRounding = MfmaRounding::Cdna3Grouped;
                }},
        Setting{"ScaleMinus126",
                [](EmulatorOptions &o) { o.scaleZero = ScaleZero::Minus126; }},
        Setting{"ScaleFlush",
                [](EmulatorOptions &o) { o.scaleZero = ScaleZero::Flush; }},
        Setting{
            "RangeWithoutSoffset",
            [](EmulatorOptions &o) { o.rangeCheckIncludesSoffset = false; }},
        Setting{"DwordAlignment",
                [](EmulatorOptions &o) { o.dropLowAddressBits = true; }},
        Setting{"LdsCopyX3Step12",
                [](EmulatorOptions &o) { o.ldsCopyX3Step = 12; }},
        Setting{
            "PermlaneSwapPair",
            [](EmulatorOptions &o) { o.permlaneSwap = PermlaneSwap::Pair; }},
        Setting{"PermlaneSwapAll",
                [](EmulatorOptions &o) { o.permlaneSwap = PermlaneSwap::All; }},
        Setting{"ValuMfmaWaits",
                [](EmulatorOptions &o) { o.valuToMfmaWaits = 0; }},
        Setting{
            "MfmaNotInterlocked",
            [](EmulatorOptions &o) { o.mfmaInterlock = MfmaInterlock::None; }},
        Setting{"LdsAtomicsOrdered",
                [](EmulatorOptions &o) { o.orderLdsAtomics = true; }}),
    [](const testing::TestParamInfo<Setting> &info) {
      return std::string(info.param.name);
    });
