//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Conversion/Passes.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace fly {

void buildFlyPipeline(OpPassManager &manager,
                      const FlyPipelineOptions &options) {
  OpPassManager &kernel = manager.nest<KernelOp>();
  FlyScheduleGemmOptions schedule;
  schedule.arch = options.arch;
  schedule.variant = options.variant;
  schedule.numXcds = options.numXcds;
  schedule.groupSizeM = options.groupSizeM;
  kernel.addPass(createFlyScheduleGemm(schedule));
  kernel.addPass(createFlyExpandPipeline());
  kernel.addPass(createFlyPlanWaits());
  kernel.addPass(createFlyVerifySchedule());
}

void buildMachinePipeline(OpPassManager &manager) {
  manager.addPass(createConvertFlyToROCDL());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

namespace {
struct CompileOptions : public PassPipelineOptions<CompileOptions> {
  Option<std::string> arch{*this, "arch",
                           llvm::cl::desc("The arch to compile for; required")};
  Option<std::string> variant{
      *this, "variant",
      llvm::cl::desc("Name of the variant; the first if not given")};
  Option<int64_t> numXcds{
      *this, "num-xcds",
      llvm::cl::desc("XCDs to map workgroups for; 0 for the arch's"),
      llvm::cl::init(0)};
  Option<int64_t> groupSizeM{
      *this, "group-size-m",
      llvm::cl::desc("Rows of tiles to walk before the next column"),
      llvm::cl::init(4)};
};
} // namespace

void registerFlyPipelines() {
  PassPipelineRegistration<CompileOptions>(
      "fly-compile",
      "From the problem level to the machine level: schedule, expand, plan "
      "waits, prove, lower. Example: --fly-compile=\"arch=gfx950\"",
      [](OpPassManager &manager, const CompileOptions &options) {
        buildFlyPipeline(manager, {options.arch, options.variant,
                                   options.numXcds, options.groupSizeM});
        buildMachinePipeline(manager);
      });
}

} // namespace fly
