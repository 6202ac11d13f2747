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

// A kernel file, and the arch that its variants are planned for.
struct Kernel {
  const char *file, *arch;

  std::string name() const { return std::string(file) + "_" + arch; }
};
void PrintTo(const Kernel &kernel, std::ostream *os) { *os << kernel.name(); }

class ScheduleProof : public ::testing::TestWithParam<Kernel> {
protected:
  // Every variant of a kernel file for the arch, planned; of those that differ
  // in their types only, one.
  std::vector<OwningOpRef<ModuleOp>> plan(Kernel file) {
    mlir::DialectRegistry registry;
    registry.insert<FlyDialect>();
    context.appendDialectRegistry(registry);
    std::string path = FLY_KERNELS "/" + std::string(file.file) + ".mlir";
    auto source = mlir::parseSourceFile<ModuleOp>(path, &context);
    std::vector<OwningOpRef<ModuleOp>> planned;
    if (!source)
      return planned;
    mlir::ArrayAttr variants = kernelOf(*source).getVariantsAttr();
    std::set<std::pair<std::string, std::vector<int64_t>>> seen;
    for (auto variant : variants.getAsRange<VariantAttr>()) {
      std::vector<int64_t> sizes = variant.getTile().vec();
      llvm::append_range(sizes, variant.getWaves());
      if (!variant.isFor(file.arch) ||
          !seen.insert({variant.getSchedule().str(), sizes}).second)
        continue;
      OwningOpRef<ModuleOp> module = source->clone();
      mlir::PassManager manager(&context);
      buildFlyPipeline(manager, {file.arch, variant.getName().str()});
      if (failed(manager.run(*module)))
        return {};
      planned.push_back(std::move(module));
    }
    return planned;
  }

  void check(ModuleOp module) {
    EXPECT_EQ(oracle(kernelOf(module)), "");
    EXPECT_EQ(prove(module), "");
    Count before = sum();
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

  void print(llvm::StringRef name) {
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
    }
    row("all", sum());
    std::printf("%s", text.c_str());
    EXPECT_GT(sum().accepted, 10u);
  }

  mlir::MLIRContext context;
  std::map<std::string, Count> counts;
};

TEST_P(ScheduleProof, AgreesWithTheOracleOnMutants) {
  auto planned = plan(GetParam());
  ASSERT_FALSE(planned.empty());
  for (auto &module : planned)
    check(*module);
  print(GetParam().name());
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, ScheduleProof,
    ::testing::Values(Kernel{"gemm_a16w16", "gfx950"},
                      Kernel{"gemm_a16w16", "gfx942"},
                      Kernel{"grouped_gemm_blockscale_contiguous", "gfx950"}),
    [](const auto &info) { return info.param.name(); });

} // namespace
