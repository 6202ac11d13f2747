//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The oracle of schedules and the emulator agree: mutants of planned
/// schedules, compiled as they stand with the proof left out, run in checking
/// mode. What the oracle calls unsafe must be noticed there, by a report or a
/// wrong result; what it calls safe must run clean and right.
///
/// An unsafe mutant may also not lower, or be harmless in the machine code for
/// a reason that is checked and printed: the code is that of the intact kernel
/// (an `ahead` that only the schedule knows), the backend has put in waits
/// (SIInsertWaitcnts), or the oracle's rule is stricter than the ISA manuals.

#include "KernelTest.h"
#include "PlannedKernels.h"
#include "ScheduleJudge.h"
#include "ScheduleMutants.h"

#include "fly/Emulator/Observer.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include <random>
#include <set>

using namespace fly;
using mlir::ModuleOp;
using mlir::OwningOpRef;

namespace {

enum class Outcome { Reported, Wrong, Right };

struct Counts {
  unsigned reported = 0, wrong = 0, notLowered = 0; ///< unsafe ones
  std::map<std::string, unsigned> explained;        ///< by reason
  unsigned clean = 0, falseAlarms = 0;              ///< safe ones
};

/// Which wave groups, each half of the waves, write and read 16 bytes of LDS.
class LdsSharing : public AccessObserver {
public:
  explicit LdsSharing(const Manifest &manifest)
      : waves(manifest.workgroupSize / 64), blocks(manifest.ldsBytes / 16) {}

  void onAccess(const ObservedAccess &access) override {
    const Instruction &inst = access.instruction;
    if (inst.unit != Unit::Lds && !inst.toLds)
      return;
    bool isRead = !inst.toLds && inst.key.contains("read");
    uint8_t group = access.wave < waves / 2 ? 1 : 2;
    for (unsigned lane = 0; lane < 64; ++lane)
      if (access.lanes >> lane & 1) {
        uint64_t at =
            inst.toLds ? access.ldsAddresses[lane] : access.addresses[lane];
        blocks[at / 16] |= isRead ? group << 2 : group;
      }
  }

  /// Whether a group reads what the other one writes in a slot, in any stage.
  bool isShared(const Manifest &manifest, llvm::StringRef slot) const {
    for (const ManifestSlot &stage : manifest.ldsSlots)
      if (llvm::StringRef(stage.name).starts_with((slot + ".").str()))
        for (uint64_t at = stage.offsetBytes;
             at < stage.offsetBytes + stage.sizeBytes; at += 16) {
          unsigned writers = blocks[at / 16] & 3,
                   readers = blocks[at / 16] >> 2;
          if (readers & ~writers)
            return true;
        }
    return false;
  }

private:
  unsigned waves;
  std::vector<uint8_t> blocks;
};

class ScheduleMutant : public testing::TestWithParam<const char *> {
protected:
  ScheduleMutant() {
    mlir::DialectRegistry registry;
    registerCompilerDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// Runs one tile of the output over 1, 2, 3 and 6 K tiles, the last not full.
  static Outcome run(const CompiledKernel &compiled) {
    const Manifest &manifest = compiled.manifest;
    EmulatorOptions options;
    options.maxInstructionsPerWave = 100000;
    auto device = unwrap(createEmulatorDevice(manifest.arch, options));
    auto kernel = unwrap(device->load(compiled.object, manifest));
    for (int64_t kTiles : {3, 6, 2, 1}) {
      Problem problem = makeProblem(manifest, kTiles);
      Operands operands = unwrap(makeExactOperands(problem, kTiles));
      std::vector<double> reference = computeReference(problem, operands);
      auto execution = execute(*device, *kernel, problem, operands);
      if (!execution) {
        llvm::consumeError(execution.takeError());
        return Outcome::Reported;
      }
      if (llvm::any_of(execution->reports, [](const Report &report) {
            return report.severity == Report::Severity::Error;
          }))
        return Outcome::Reported;
      if (!compareExact(problem, operands, reference).failures.empty())
        return Outcome::Wrong;
    }
    return Outcome::Right;
  }

  static Problem makeProblem(const Manifest &manifest, int64_t kTiles) {
    Shape shape;
    shape.m = manifest.tileM;
    shape.n = manifest.tileN;
    shape.k = kTiles * manifest.tileK - manifest.tileK / 2;
    // Behind K stand NaNs, which no product with zero hides.
    shape.padA = shape.padB = manifest.tileK;
    if (manifest.groupAlignment) {
      shape.groups = 1;
      shape.layout = makeLayout({{0, manifest.tileM}}, manifest.groupAlignment);
      shape.m = shape.layout.size();
    }
    return unwrap(Problem::create(manifest, shape));
  }

  /// Some of every kind, in random order: \p unsafe and \p safe ones that are
  /// valid IR.
  void judgeSample(const PlannedKernel &planned, unsigned unsafe,
                   unsigned safe) {
    std::vector<Mutant> mutants = makeMutants(kernelOf(*planned.module));
    std::mt19937 random(7);
    std::shuffle(mutants.begin(), mutants.end(), random);
    // Kinds in turn: the n-th of each before the n+1-th of any.
    std::map<std::string, unsigned> seen;
    std::map<unsigned, std::vector<const Mutant *>> turns;
    for (const Mutant &mutant : mutants)
      turns[seen[mutant.kind]++].push_back(&mutant);
    std::vector<const Mutant *> order;
    for (auto &[turn, ofEachKind] : turns)
      llvm::append_range(order, ofEachKind);
    for (const Mutant *mutant : order) {
      OwningOpRef<ModuleOp> clone = planned.module.get().clone();
      applyMutants(kernelOf(*clone), {mutant});
      if (!isValid(*clone))
        continue;
      std::string hazard = oracle(kernelOf(*clone));
      unsigned &left = hazard.empty() ? safe : unsafe;
      if (left == 0)
        continue;
      --left;
      judge(planned, *clone, hazard, mutant->kind + " at " + mutant->at);
    }
    EXPECT_EQ(unsafe, 0u);
    EXPECT_EQ(safe, 0u);
  }

  bool isValid(ModuleOp module) {
    mlir::ScopedDiagnosticHandler silence(
        &context, [](mlir::Diagnostic &) { return mlir::success(); });
    return succeeded(mlir::verify(module));
  }

  void judge(const PlannedKernel &planned, ModuleOp mutant,
             const std::string &hazard, const std::string &what) {
    auto compiled = compileUnproved(mutant, planned.arch);
    if (!compiled) {
      std::string error = llvm::toString(compiled.takeError());
      EXPECT_NE(hazard, "") << what << ", safe: " << error;
      ++counts.notLowered;
      return;
    }
    Outcome outcome = run(*compiled);
    if (hazard.empty()) {
      (outcome == Outcome::Right ? counts.clean : counts.falseAlarms)++;
      EXPECT_EQ(outcome, Outcome::Right) << what << ", safe";
    } else if (outcome == Outcome::Reported) {
      ++counts.reported;
    } else if (outcome == Outcome::Wrong) {
      ++counts.wrong;
    } else {
      std::string reason = explain(planned, *compiled, hazard);
      EXPECT_NE(reason, "") << what << "\noracle: " << hazard;
      ++counts.explained[reason];
    }
  }

  /// Why an unsafe mutant runs right and unreported; empty if it should not.
  static std::string explain(const PlannedKernel &planned,
                             const CompiledKernel &compiled,
                             llvm::StringRef hazard) {
    ModuleOp intact = const_cast<PlannedKernel &>(planned).module.get();
    if (unwrap(compileUnproved(intact, planned.arch)).object == compiled.object)
      return "the machine code is the intact kernel's";
    std::string difference = llvm::toString(checkLinkedObject(
        compiled.object, compiled.manifest.kernel, compiled.plan));
    if (llvm::StringRef(difference).contains("s_waitcnt"))
      return "the backend has put in a wait";
    if (hazard.contains("while one before is in flight"))
      return "a wave's copies land in order";
    if (hazard.contains("accesses in flight at the end"))
      return "s_endpgm waits for what is in flight";
    // Any product with it would be NaN, which stands behind K.
    if (hazard.contains("past the end without a guard"))
      return "what is copied past the end is in no product";
    // The oracle and the proof take a slot as a whole.
    if (!isSharedSlot(compiled, hazard.split('"').second.split('"').first))
      return "no wave group reads what the other writes in that slot";
    return "";
  }

  static bool isSharedSlot(const CompiledKernel &compiled,
                           llvm::StringRef slot) {
    if (slot.empty())
      return true;
    LdsSharing sharing(compiled.manifest);
    EmulatorOptions options;
    options.threads = 1;
    options.observer = &sharing;
    auto device = unwrap(createEmulatorDevice(compiled.manifest.arch, options));
    auto kernel = unwrap(device->load(compiled.object, compiled.manifest));
    Problem problem = makeProblem(compiled.manifest, 3);
    Operands operands = unwrap(makeExactOperands(problem, 3));
    unwrap(execute(*device, *kernel, problem, operands));
    return sharing.isShared(compiled.manifest, slot);
  }

  void print() const {
    unsigned explained = 0;
    for (const auto &[reason, count] : counts.explained)
      explained += count;
    std::printf("%s\n  oracle  reported  wrong result  not lowered  explained  "
                "right\n"
                "  unsafe  %8u  %12u  %11u  %9u\n"
                "  safe    %8u  %12s  %11s  %9s  %5u\n",
                GetParam(), counts.reported, counts.wrong, counts.notLowered,
                explained, counts.falseAlarms, "", "", "", counts.clean);
    for (const auto &[reason, count] : counts.explained)
      std::printf("    %u: %s\n", count, reason.c_str());
  }

  mlir::MLIRContext context;
  Counts counts;
};

TEST_P(ScheduleMutant, IsJudgedAlikeByOracleAndEmulator) {
  if (testDeviceKind() != "emulator")
    GTEST_SKIP() << "only the emulator reports";
  std::set<std::string> archs;
  for (const PlannedKernel &planned : planKernels(context, GetParam()))
    if (archs.insert(planned.arch).second)
      judgeSample(planned, /*unsafe=*/24, /*safe=*/10);
  EXPECT_FALSE(archs.empty());
  print();
}

INSTANTIATE_TEST_SUITE_P(, ScheduleMutant, testing::ValuesIn(mutatedSchedules),
                         [](const auto &info) { return info.param; });

} // namespace
