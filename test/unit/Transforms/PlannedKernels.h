//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The schedules of all kernel files, planned, for tests that mutate them.

#ifndef FLY_TEST_UNIT_TRANSFORMS_PLANNEDKERNELS_H
#define FLY_TEST_UNIT_TRANSFORMS_PLANNEDKERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

/// A kernel at the expanded level, with its waits, proved.
struct PlannedKernel {
  std::string schedule; ///< "rotate"; of a grouped problem, "grouped_rotate"
  std::string variant, arch;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Of every schedule that the kernel files build, one kernel for each tile and
/// wave grid. Adds failures to the running test for what cannot be planned.
std::vector<PlannedKernel> planKernels(mlir::MLIRContext &context);

/// Those of one schedule.
std::vector<PlannedKernel> planKernels(mlir::MLIRContext &context,
                                       const std::string &schedule);

/// Every schedule that tests mutate; a test finds one that is not listed.
inline const char *const mutatedSchedules[] = {
    "double_buffer",         "interleave",           "rotate",
    "rotate_early",          "rotate_merged",        "rotate_peeled",
    "grouped_double_buffer", "double_buffer_staged", "rotate_staged",
    "rotate_staged_peeled"};

#endif // FLY_TEST_UNIT_TRANSFORMS_PLANNEDKERNELS_H
