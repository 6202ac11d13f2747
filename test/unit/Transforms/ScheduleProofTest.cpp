//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Measures fly-verify-schedule: every shipped kernel and variant, every mutant
/// of it, against an oracle. The proof must reject what the oracle finds unsafe
/// and accept what it finds safe.

#include "PlannedKernels.h"
#include "ScheduleJudge.h"
#include "ScheduleMutants.h"

#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <set>

using namespace fly;
using mlir::ModuleOp;
using mlir::OwningOpRef;

namespace {

struct Count {
  unsigned caught = 0, accepted = 0, missed = 0, falseAlarms = 0;

  unsigned unsafe() const { return caught + missed; }
  unsigned all() const { return unsafe() + accepted + falseAlarms; }
};

class ScheduleProof : public ::testing::TestWithParam<const char *> {
protected:
  void check(ModuleOp module) {
    EXPECT_EQ(oracle(kernelOf(module)), "");
    EXPECT_EQ(prove(module), "");
    Count before = sum();
    std::vector<Mutant> mutants = makeMutants(kernelOf(module));
    for (const Mutant &mutant : mutants)
      judge(module, {&mutant});
    // Two changes at once: one may hide the other, or make up for it.
    std::mt19937 random(1);
    for (unsigned i = 0; i < 600; ++i) {
      const Mutant &first = mutants[random() % mutants.size()];
      const Mutant &second = mutants[random() % mutants.size()];
      if (first.index + 1 < second.index && !first.alone && !second.alone)
        judge(module, {&first, &second});
    }
    // Enough of them, and at least half of those unsafe.
    unsigned unsafe = sum().unsafe() - before.unsafe();
    unsigned all = sum().all() - before.all();
    EXPECT_GE(all, 200u);
    EXPECT_GE(2 * unsafe, all);
  }

  Count sum() const {
    Count sum;
    for (auto &[kind, count] : counts) {
      sum.caught += count.caught;
      sum.missed += count.missed;
      sum.accepted += count.accepted;
      sum.falseAlarms += count.falseAlarms;
    }
    return sum;
  }

  void judge(ModuleOp module, llvm::ArrayRef<const Mutant *> mutants) {
    OwningOpRef<ModuleOp> clone = module.clone();
    applyMutants(kernelOf(*clone), mutants);
    std::string kind = mutants.size() == 1 ? mutants[0]->kind : "two at once";
    std::string said = prove(*clone);
    std::string hazard = oracle(kernelOf(*clone));
    Count &count = counts[kind];
    unsigned &cell = hazard.empty()
                         ? (said.empty() ? count.accepted : count.falseAlarms)
                         : (said.empty() ? count.missed : count.caught);
    ++cell;
    std::string changes;
    for (const Mutant *mutant : mutants)
      changes += mutant->kind + " at " + mutant->at + "\n";
    EXPECT_EQ(hazard.empty(), said.empty())
        << changes << "oracle: " << (hazard.empty() ? "safe" : hazard)
        << "\nproof: " << (said.empty() ? "accepted" : said);
    // What was derived is needed: without it, or with less, no schedule is
    // safe. Barriers of rotated groups also keep the phases apart, whether or
    // not a hazard needs each of them.
    bool rotated = llvm::any_of(kernelOf(module).getOps<LoopOp>(),
                                [](LoopOp loop) { return loop.getRotate(); });
    if (rotated && kind == "remove barrier")
      return;
    if (kind == "remove wait" || kind == "remove counter" ||
        kind == "raise count" || kind == "remove barrier")
      EXPECT_NE(hazard, "") << changes;
  }

  void print(llvm::StringRef name) const {
    std::string text;
    llvm::raw_string_ostream out(text);
    out << "\n" << name << ": mutants of every tile and wave grid\n";
    out << llvm::formatv("{0,-30}{1,16}{2,16}{3,14}{4,14}\n", "mutation",
                         "unsafe rejected", "unsafe accepted", "safe accepted",
                         "safe rejected");
    auto row = [&](llvm::StringRef kind, const Count &count) {
      out << llvm::formatv("{0,-30}{1,16}{2,16}{3,14}{4,14}\n", kind,
                           count.caught, count.missed, count.accepted,
                           count.falseAlarms);
    };
    for (auto &[kind, count] : counts) {
      row(kind, count);
    }
    row("all", sum());
    std::printf("%s", text.c_str());
    EXPECT_GT(sum().accepted, 10u);
  }

  mlir::MLIRContext context;
  std::map<std::string, Count> counts;
};

TEST_P(ScheduleProof, AgreesWithTheOracleOnMutants) {
  std::vector<PlannedKernel> planned = planKernels(context, GetParam());
  ASSERT_FALSE(planned.empty());
  for (PlannedKernel &kernel : planned)
    check(*kernel.module);
  print(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Schedules, ScheduleProof,
                         ::testing::ValuesIn(mutatedSchedules),
                         [](const auto &info) { return info.param; });

TEST(MutatedSchedules, AreAllThatTheKernelsUse) {
  mlir::MLIRContext context;
  std::set<std::string> used;
  for (const PlannedKernel &kernel : planKernels(context))
    used.insert(kernel.schedule);
  EXPECT_EQ(used, std::set<std::string>(std::begin(mutatedSchedules),
                                        std::end(mutatedSchedules)));
}

} // namespace
