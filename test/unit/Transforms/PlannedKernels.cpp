//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PlannedKernels.h"

#include "ScheduleJudge.h"

#include "fly/Conversion/Passes.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

#include <set>

using namespace fly;
using mlir::ModuleOp;
using mlir::OwningOpRef;

namespace {

constexpr struct {
  const char *path, *arch;
} kernelFiles[] = {
    {"kernels/gemm_a16w16.mlir", "gfx950"},
    {"kernels/gemm_a16w16.mlir", "gfx942"},
    {"kernels/grouped_gemm_blockscale_contiguous.mlir", "gfx950"},
    {"test/kernels/Inputs/interleaved_gemm.mlir", "gfx950"},
    {"test/kernels/Inputs/rotated_gemm.mlir", "gfx950"},
    {"test/kernels/Inputs/staged_gemm.mlir", "gfx942"}};

/// What makes kernels of a schedule differ: tile and wave grid.
using Shape =
    std::tuple<std::string, std::vector<int64_t>, std::vector<int64_t>>;

std::string scheduleOf(KernelOp kernel, VariantAttr variant) {
  bool isGrouped = !kernel.getOps<GroupedGemmOp>().empty();
  return (isGrouped ? "grouped_" : "") + variant.getSchedule().str();
}

} // namespace

std::vector<PlannedKernel> planKernels(mlir::MLIRContext &context) {
  mlir::DialectRegistry registry;
  registry.insert<FlyDialect>();
  context.appendDialectRegistry(registry);
  std::vector<PlannedKernel> planned;
  std::set<Shape> seen;
  for (auto file : kernelFiles) {
    std::string path = std::string(FLY_SOURCE_DIR "/") + file.path;
    auto source = mlir::parseSourceFile<ModuleOp>(path, &context);
    if (!source) {
      ADD_FAILURE() << "cannot parse " << path;
      continue;
    }
    for (auto variant :
         kernelOf(*source).getVariantsAttr().getAsRange<VariantAttr>()) {
      if (!variant.isFor(file.arch))
        continue;
      std::string schedule = scheduleOf(kernelOf(*source), variant);
      bool isNew = seen.insert({schedule, variant.getTile().vec(),
                                variant.getWaves().vec()})
                       .second;
      if (!isNew)
        continue;
      std::string name = variant.getName().str();
      OwningOpRef<ModuleOp> module = source->clone();
      mlir::PassManager manager(&context);
      buildFlyPipeline(manager, {file.arch, name});
      if (failed(manager.run(*module)))
        ADD_FAILURE() << "cannot plan " << name << " of " << path;
      else
        planned.push_back({schedule, name, file.arch, std::move(module)});
    }
  }
  return planned;
}

std::vector<PlannedKernel> planKernels(mlir::MLIRContext &context,
                                       const std::string &schedule) {
  std::vector<PlannedKernel> planned = planKernels(context);
  llvm::erase_if(planned, [&](const PlannedKernel &kernel) {
    return kernel.schedule != schedule;
  });
  return planned;
}
