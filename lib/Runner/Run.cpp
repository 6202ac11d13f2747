//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Runner/Run.h"

#include "fly/Runner/Execute.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <unistd.h>

using namespace llvm;

namespace fly {

StringRef describe(RunStep step) {
  switch (step) {
  case RunStep::MakeOperands:
    return "making the operands";
  case RunStep::Launch:
    return "running on the device";
  case RunStep::ComputeReference:
    return "computing the reference";
  }
  return "";
}

static Shape makeShape(const RunRequest &request, const Manifest &manifest) {
  Shape shape;
  shape.m = request.m;
  shape.n = request.n;
  shape.k = request.k;
  shape.groups = request.groupRows.size();
  shape.padA = shape.padB = shape.padD = request.padding;
  if (shape.groups) {
    std::vector<GroupRows> groups;
    for (auto [group, rows] : enumerate(request.groupRows))
      groups.push_back({int32_t(group), rows});
    shape.layout =
        makeLayout(groups, std::max<int64_t>(manifest.groupAlignment, 1));
    shape.m = shape.layout.size();
  }
  return shape;
}

/// Before a layout of that many rows is made.
static Error checkGroupRows(const RunRequest &request,
                            const Manifest &manifest) {
  int64_t sum = 0;
  for (int64_t rows : request.groupRows) {
    if (rows < 0 || rows > INT32_MAX)
      return createStringError(formatv(
          "rows of a group: expected 0 to {0}, got {1}", INT32_MAX, rows));
    sum += alignTo(rows, std::max<int64_t>(manifest.groupAlignment, 1));
    if (sum > INT32_MAX)
      return createStringError(
          formatv("rows of all groups: expected at most {0}", INT32_MAX));
  }
  return Error::success();
}

/// Operands stand here and on the device, and there is a product in f32 and one
/// in f64 to compare with.
static Error checkMemory(const Problem &problem) {
  auto count = [](int64_t rows, int64_t pitch) {
    return double(rows) * double(pitch);
  };
  const Shape &shape = problem.shape;
  double bytes =
      2.0 * problem.elementBytesAB() *
          (count(shape.m, problem.pitchA) +
           count(problem.matrices(), problem.strideB)) +
      2.0 * problem.elementBytesD() * count(shape.m, problem.pitchD) +
      12.0 * count(shape.m, shape.n) + 12.0 * count(shape.n, shape.k);
  double memory = double(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  if (bytes <= memory)
    return Error::success();
  return createStringError(
      formatv("the problem takes {0:f0} GiB of memory, this machine has {1:f0}",
              std::ceil(bytes / (1 << 30)), memory / (1 << 30)));
}

static RunReport describe(const Problem &problem, const Device &device) {
  RunReport report;
  const Manifest &manifest = problem.manifest;
  report.kernel = manifest.kernel;
  report.variant = manifest.variant;
  report.arch = manifest.arch;
  report.problem = manifest.problem;
  report.device = device.kind();
  report.deviceDescription = device.description();
  report.checked = device.findsFaults();
  report.groups = problem.shape.groups;
  report.rows = problem.shape.m;
  report.validRows = problem.validRows();
  report.n = problem.shape.n;
  report.k = problem.shape.k;
  return report;
}

/// The largest modulation that keeps results inside the output's range.
static int modulationFor(const Problem &problem) {
  return problem.manifest.typeD == "f16" ? 2 : 6;
}

Expected<RunReport> runAndCheck(Device &device, ArrayRef<char> object,
                                const Manifest &manifest,
                                const RunRequest &request,
                                const StepFunction &step) {
  auto tell = [&](RunStep what) {
    return [=, &step](double done) {
      if (step)
        step(what, done);
    };
  };
  if (Error error = checkGroupRows(request, manifest))
    return std::move(error);
  Expected<Problem> problem =
      Problem::create(manifest, makeShape(request, manifest));
  if (!problem)
    return problem.takeError();
  if (Error error = checkMemory(*problem))
    return std::move(error);
  auto kernel = device.load(object, manifest);
  if (!kernel)
    return kernel.takeError();

  RandomOptions random;
  random.seed = request.seed;
  random.modulation = modulationFor(*problem);
  random.progress = tell(RunStep::MakeOperands);
  std::vector<float> unquantized;
  Expected<Operands> operands =
      request.exact ? makeExactOperands(*problem, request.seed)
                    : makeRandomOperands(*problem, random, unquantized);
  if (!operands)
    return operands.takeError();

  tell(RunStep::Launch)(0);
  Expected<Execution> execution =
      execute(device, **kernel, *problem, *operands);
  if (!execution)
    return execution.takeError();

  std::vector<double> reference =
      computeReference(*problem, *operands, tell(RunStep::ComputeReference));
  RunReport report = describe(*problem, device);
  report.exact = request.exact;
  report.comparison =
      request.exact
          ? compareExact(*problem, *operands, reference)
          : compareRounded(*problem, *operands, reference, unquantized);
  report.reports = std::move(execution->reports);
  report.runSeconds = execution->seconds;
  if (execution->seconds > 0)
    report.gflops = problem->flops() / execution->seconds * 1e-9;
  return report;
}

} // namespace fly
