//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Plans random pipelines, with and without rotation, peeled and not, of direct
/// and staged copies. The proof
/// must agree with the oracle on every one. Without rotation, one that is safe
/// with a full wait and a barrier before every step must be safe as planned.

#include "ScheduleJudge.h"

#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <random>

using namespace fly;
using mlir::ModuleOp;
using mlir::Operation;
using mlir::OwningOpRef;

namespace {

// Slots for two halves of A and for B, each with staging registers; stages and
// LDS offsets are filled in.
constexpr const char *declarations = R"(
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variant #fly.variant<"v", schedule "random", tile 128x128x64, waves 2x2>
    arch "gfx950" {
  %tile = fly.workgroup_tile 128x128x64 waves 2x2
  %s0 = fly.slot A "top" of %a in %tile part 0 of 2 stages {0} at 0
    swizzle <16, 1> : <bf16> -> <64x64xbf16>
  %s1 = fly.slot A "bottom" of %a in %tile part 1 of 2 stages {1} at 32768
    swizzle <16, 1> : <bf16> -> <64x64xbf16>
  %s2 = fly.slot B "B" of %b in %tile part 0 of 1 stages {2} at 65536
    swizzle <16, 1> : <bf16> -> <128x64xbf16>
  %r0 = fly.staging of %s0 stages {5} : <64x64xbf16> -> <2>
  %r1 = fly.staging of %s1 stages {6} : <64x64xbf16> -> <2>
  %r2 = fly.staging of %s2 stages {7} : <128x64xbf16> -> <4>
  %f0 = fly.fragment of %s0 : <64x64xbf16> -> <2x64xbf16>
  %f1 = fly.fragment of %s1 : <64x64xbf16> -> <2x64xbf16>
  %f2 = fly.fragment of %s2 : <128x64xbf16> -> <4x64xbf16>
  %acc0 = fly.accumulator of %f0, %f2 : <2x64xbf16>, <4x64xbf16> -> <2x4>
  %acc1 = fly.accumulator of %f1, %f2 : <2x64xbf16>, <4x64xbf16> -> <2x4>
  fly.pipeline stages 2 {3} {{
{4}  }
  fly.store %acc0, %acc1 to %d in %tile
    : !fly.accumulator<2x4>, !fly.accumulator<2x4> -> <bf16>
}
)";

// The steps of one K tile in random order, cut into phases at random. What a
// read or a copy is ahead by is mostly, not always, what its place allows.
class RandomPipeline {
public:
  explicit RandomPipeline(unsigned seed) : random(seed) {}

  std::string text(llvm::StringRef form) {
    // Copies or writes, reads, MFMA, and loads of what is staged.
    std::vector<int> order = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int slot = 0; slot < 3; ++slot)
      if ((staged[slot] = random() % 2))
        order.push_back(8 + slot);
    std::shuffle(order.begin(), order.end(), random);
    for (size_t i = 0; i < order.size(); ++i)
      place[order[i]] = i;
    int64_t stages[3], staging[3];
    for (int slot = 0; slot < 3; ++slot) {
      stages[slot] = 2 + random() % 2;
      staging[slot] = random() % 2 ? stages[slot] : 1;
      fillAhead[slot] = copyAhead(slot, stages[slot]);
    }
    std::string steps;
    for (size_t i = 0; i < order.size(); ++i) {
      if (i == 0 || random() % 2)
        steps += i ? "}\nfly.phase compute {\n" : "fly.phase compute {\n";
      steps += step(order[i], staging);
    }
    return llvm::formatv(declarations, stages[0], stages[1], stages[2], form,
                         steps + "}\n", staging[0], staging[1], staging[2]);
  }

private:
  static constexpr const char *slotTypes[] = {"<64x64xbf16>", "<64x64xbf16>",
                                              "<128x64xbf16>"};
  static constexpr const char *fragmentTypes[] = {"<2x64xbf16>", "<2x64xbf16>",
                                                  "<4x64xbf16>"};

  std::string step(int which, const int64_t *staging) {
    if (which >= 8) {
      int slot = which - 8;
      return llvm::formatv("fly.load %r{0} ahead {1} : {2}\n", slot,
                           loadAhead(slot, staging[slot]), stagingTypes[slot]);
    }
    int slot = which % 3;
    if (which < 3 && staged[slot])
      return llvm::formatv("fly.write %r{0} ahead {1} : {2}\n", slot,
                           fillAhead[slot], stagingTypes[slot]);
    if (which < 3)
      return llvm::formatv("fly.copy %s{0} ahead {1} : {2}\n", slot,
                           fillAhead[slot], slotTypes[slot]);
    if (which < 6)
      return llvm::formatv("fly.read %f{0} ahead {1} : {2}\n", slot,
                           readAhead(slot), fragmentTypes[slot]);
    return llvm::formatv("fly.mma %f{0} * %f2 into %acc{0} ahead 0 : "
                         "<2x64xbf16>, <4x64xbf16> -> <2x4>\n",
                         slot);
  }

  static constexpr const char *stagingTypes[] = {"<2>", "<2>", "<4>"};

  // A read behind the MFMA that use it is for the next K tile.
  int64_t readAhead(int slot) {
    size_t mma = slot == 2 ? std::min(place[6], place[7]) : place[6 + slot];
    return place[3 + slot] > mma;
  }

  int64_t copyAhead(int slot, int64_t stages) {
    int64_t most = stages + readAhead(slot) - (place[slot] < place[3 + slot]);
    return random() % 8 ? std::max<int64_t>(most - random() % 2, 0) : most + 1;
  }

  // As far ahead as the registers are free again, mostly.
  int64_t loadAhead(int slot, int64_t stages) {
    int64_t most = fillAhead[slot] + stages - (place[8 + slot] < place[slot]);
    return random() % 8 ? most : most + 1;
  }

  std::mt19937 random;
  size_t place[11];
  bool staged[3];
  int64_t fillAhead[3];
};

bool run(ModuleOp module, std::unique_ptr<mlir::Pass> pass) {
  mlir::PassManager manager(module.getContext());
  manager.nest<KernelOp>().addPass(std::move(pass));
  return succeeded(manager.run(module));
}

// The strongest schedule there is: everything ends before anything starts.
void waitEverywhere(KernelOp kernel) {
  std::vector<Operation *> steps;
  kernel.walk([&](Operation *op) {
    if (llvm::isa<CopyOp, LoadOp, WriteOp, ReadOp, MmaOp>(op))
      steps.push_back(op);
  });
  for (Operation *op : steps) {
    mlir::OpBuilder builder(op);
    auto zero = builder.getI64IntegerAttr(0);
    WaitOp::create(builder, op->getLoc(), zero, zero);
    BarrierOp::create(builder, op->getLoc(), /*group=*/mlir::IntegerAttr());
  }
  auto drain = *kernel.getOps<DrainOp>().begin();
  auto builder = mlir::OpBuilder::atBlockEnd(&drain.getBody().front());
  auto zero = builder.getI64IntegerAttr(0);
  WaitOp::create(builder, drain.getLoc(), zero, zero);
}

class RandomSchedules : public ::testing::TestWithParam<const char *> {};

TEST_P(RandomSchedules, ArePlannedSafelyAndProved) {
  mlir::DialectRegistry registry;
  registry.insert<FlyDialect>();
  mlir::MLIRContext context(registry);
  bool rotated = llvm::StringRef(GetParam()).contains("rotate");
  unsigned safe = 0, unsafe = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    std::string text = RandomPipeline(seed).text(GetParam());
    auto module = mlir::parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    ASSERT_TRUE(run(*module, createFlyExpandPipeline())) << text;
    OwningOpRef<ModuleOp> strongest = module->clone();
    waitEverywhere(kernelOf(*strongest));
    ASSERT_TRUE(run(*module, createFlyPlanWaits())) << text;

    constexpr int64_t maxKTiles = 14; // twice an unrolled loop, and more
    std::string hazard = oracle(kernelOf(*module), maxKTiles);
    std::string said = prove(*module);
    ++(hazard.empty() ? safe : unsafe);
    EXPECT_EQ(hazard.empty(), said.empty())
        << "seed " << seed << "\noracle: " << hazard << "\nproof: " << said
        << text;
    // Rotated, a step may stand too near to another for any wait to help.
    std::string unavoidable = oracle(kernelOf(*strongest), maxKTiles);
    if (rotated ? !unavoidable.empty() : true)
      EXPECT_EQ(unavoidable.empty(), hazard.empty())
          << "seed " << seed << ": " << hazard << text;
  }
  std::printf("%s: %u safe schedules, %u unsafe ones\n", GetParam(), safe,
              unsafe);
  EXPECT_GT(safe, 10u);
  EXPECT_GT(unsafe, 10u);
}

INSTANTIATE_TEST_SUITE_P(, RandomSchedules,
                         ::testing::Values("", "peel", "rotate", "rotate peel"),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name.empty() ? "plain" : name;
                         });

} // namespace
