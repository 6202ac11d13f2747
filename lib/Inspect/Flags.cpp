//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Flags.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {

static void addDrains(const Region &region, std::vector<Flag> &flags) {
  unsigned count = region.fullVmWaits + region.fullLgkmWaits;
  if (count == 0)
    return;
  flags.push_back({"full-drain", count,
                   formatv("{0} vmcnt(0) and {1} lgkmcnt(0) between MFMA wait "
                           "for everything in flight",
                           region.fullVmWaits, region.fullLgkmWaits)});
}

static void addAccumulatorCopies(const Region &region,
                                 std::vector<Flag> &flags) {
  unsigned count = region.movedAccumulators + region.mix.accumulatorMoves;
  if (count == 0)
    return;
  flags.push_back(
      {"accumulator-copies", count,
       formatv("{0} MFMA with D in other registers than C, {1} "
               "v_accvgpr moves",
               region.movedAccumulators, region.mix.accumulatorMoves)});
}

static void addHalfRate(const Region &region, std::vector<Flag> &flags) {
  constexpr double limit = 0.75;
  for (const MfmaUse &use : region.mix.mfma)
    if (use.rate < limit)
      flags.push_back({"half-rate-mfma", use.count,
                       formatv("{0} {1} run at {2:P0} of the chip's rate for "
                               "this type",
                               use.count, use.name, use.rate)});
}

static void addScratch(const Region &region, std::vector<Flag> &flags) {
  if (unsigned count = totalOf(region.mix.scratch))
    flags.push_back(
        {"scratch", count, formatv("{0} accesses to scratch memory", count)});
}

static void addConflicts(const Region &region, std::vector<Flag> &flags) {
  if (!region.conflicts || region.conflicts->conflicting.empty())
    return;
  double worst = 0;
  for (const auto &inst : region.conflicts->conflicting)
    worst = std::max(worst, inst.factor);
  unsigned count = unsigned(region.conflicts->conflicting.size());
  flags.push_back({"bank-conflicts", count,
                   formatv("{0} LDS instructions with bank conflicts, the "
                           "worst takes {1:f2} times its cycles",
                           count, worst)});
}

std::vector<Flag> findFlags(const KernelReport &report) {
  const Region &region = report.hotRegion();
  std::vector<Flag> flags;
  addDrains(region, flags);
  // Outside a loop, registers are moved and spilled at no great cost.
  if (report.hotLoop) {
    addAccumulatorCopies(region, flags);
    addScratch(region, flags);
  }
  addHalfRate(region, flags);
  addConflicts(region, flags);
  return flags;
}

} // namespace fly
