//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The correctness runner: makes the operands of a problem, runs it on a
/// device, compares with references, and reports. What fly-run does after
/// compiling.

#ifndef FLY_RUNNER_RUN_H
#define FLY_RUNNER_RUN_H

#include "fly/Runner/Check.h"
#include "fly/Runtime/Device.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace fly {

struct RunRequest {
  /// Valid rows of each group, or of the whole problem when it is dense.
  std::vector<int64_t> groupRows;
  int64_t m = 256; ///< when dense
  int64_t n = 512, k = 512;
  int64_t padding = 0; ///< elements past each row, filled with NaN
  bool exact = false;  ///< exact operands, compared bit for bit
  uint64_t seed = 1;
};

struct RunReport {
  std::string kernel, variant, arch, problem;
  std::string device, deviceDescription;
  int64_t groups = 0, rows = 0, validRows = 0, n = 0, k = 0;
  bool exact = false;
  bool checked = false; ///< the device looked for faults
  Comparison comparison;
  std::vector<Report> reports;
  double compileSeconds = 0, runSeconds = 0, gflops = 0;

  /// The result is right and no report is an error.
  bool passed() const;
  llvm::json::Value toJSON() const;
  /// A table, the failures and findings, and PASSED or FAILED.
  void print(llvm::raw_ostream &os) const;
};

/// What runAndCheck does, one after the other.
enum class RunStep { MakeOperands, Launch, ComputeReference };
llvm::StringRef describe(RunStep step);

/// Called with what is being done and which part of it is done, 0 to 1.
using StepFunction = std::function<void(RunStep step, double done)>;

/// Errors are those of the problem and the device; a wrong result is none.
llvm::Expected<RunReport> runAndCheck(Device &device,
                                      llvm::ArrayRef<char> object,
                                      const Manifest &manifest,
                                      const RunRequest &request,
                                      const StepFunction &step = {});

} // namespace fly

#endif // FLY_RUNNER_RUN_H
