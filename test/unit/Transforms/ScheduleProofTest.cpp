//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Measures fly-verify-schedule: every shipped kernel and variant, every mutant
/// of it, against an oracle. The proof must reject what the oracle finds unsafe
/// and accept what it finds safe.

#include "ScheduleJudge.h"
#include "ScheduleMutants.h"

#include "fly/Conversion/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <map>
#include <random>

using namespace fly;
using mlir::ModuleOp;
using mlir::OwningOpRef;

namespace {

struct Count {
  unsigned caught = 0, accepted = 0, missed = 0, falseAlarms = 0;
};

class ScheduleProof : public ::testing::TestWithParam<const char *> {
protected:
  // Every variant of a kernel file, planned.
  std::vector<OwningOpRef<ModuleOp>> plan(llvm::StringRef name) {
    mlir::DialectRegistry registry;
    registry.insert<FlyDialect>();
    context.appendDialectRegistry(registry);
    std::string path = (FLY_KERNELS "/" + name + ".mlir").str();
    auto source = mlir::parseSourceFile<ModuleOp>(path, &context);
    std::vector<OwningOpRef<ModuleOp>> planned;
    if (!source)
      return planned;
    mlir::ArrayAttr variants = kernelOf(*source).getVariantsAttr();
    for (mlir::Attribute variant : variants) {
      OwningOpRef<ModuleOp> module = source->clone();
      mlir::PassManager manager(&context);
      buildFlyPipeline(
          manager,
          {"gfx950", llvm::cast<VariantAttr>(variant).getName().str()});
      if (failed(manager.run(*module)))
        return {};
      planned.push_back(std::move(module));
    }
    return planned;
  }

  void check(ModuleOp module) {
    EXPECT_EQ(oracle(kernelOf(module)), "");
    EXPECT_EQ(prove(module), "");
    std::vector<Mutant> mutants = makeMutants(kernelOf(module));
    for (const Mutant &mutant : mutants)
      judge(module, {&mutant});
    // Two changes at once: one may hide the other, or make up for it.
    std::mt19937 random(1);
    for (unsigned i = 0; i < 1000; ++i) {
      const Mutant &first = mutants[random() % mutants.size()];
      const Mutant &second = mutants[random() % mutants.size()];
      if (first.index + 1 < second.index)
        judge(module, {&first, &second});
    }
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

  void print(llvm::StringRef name) {
    Count sum;
    std::string text;
    llvm::raw_string_ostream out(text);
    out << "\n" << name << ": mutants of all variants\n";
    out << llvm::formatv("{0,-26}{1,16}{2,16}{3,14}{4,14}\n", "mutation",
                         "unsafe rejected", "unsafe accepted", "safe accepted",
                         "safe rejected");
    auto row = [&](llvm::StringRef kind, const Count &count) {
      out << llvm::formatv("{0,-26}{1,16}{2,16}{3,14}{4,14}\n", kind,
                           count.caught, count.missed, count.accepted,
                           count.falseAlarms);
    };
    for (auto &[kind, count] : counts) {
      row(kind, count);
      sum.caught += count.caught;
      sum.missed += count.missed;
      sum.accepted += count.accepted;
      sum.falseAlarms += count.falseAlarms;
    }
    row("all", sum);
    std::printf("%s", text.c_str());
    EXPECT_GT(sum.caught, 100u);
    EXPECT_GT(sum.accepted, 10u);
  }

  mlir::MLIRContext context;
  std::map<std::string, Count> counts;
};

TEST_P(ScheduleProof, AgreesWithTheOracleOnMutants) {
  auto planned = plan(GetParam());
  ASSERT_FALSE(planned.empty());
  for (auto &module : planned)
    check(*module);
  print(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, ScheduleProof,
    ::testing::Values("gemm_a16w16", "grouped_gemm_blockscale_contiguous"),
    [](const auto &info) { return info.param; });

} // namespace
