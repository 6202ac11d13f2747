//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelFacts.h"

#include "fly/CodeObject/CodeObject.h"
#include "fly/CodeObject/CodePatch.h"
#include "fly/Target/CodeGen.h"
#include "fly/Target/Compile.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

#include "gtest/gtest.h"

using namespace fly;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

using Kind = PlanEventKind;

const char *const kernelFiles[] = {FLY_KERNELS "/gemm_a16w16.mlir", FLY_KERNELS
                                   "/grouped_gemm_blockscale_contiguous.mlir"};

struct Parsed {
  explicit Parsed(StringRef source) : context(registry()) {
    module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  }
  static Parsed *fromFile(StringRef path) {
    auto *parsed = new Parsed("");
    parsed->module = llvm::cantFail(parseKernelFile(path, parsed->context));
    return parsed;
  }
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerCompilerDialects(registry);
    return registry;
  }
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

bool contains(StringRef text, StringRef part) { return text.contains(part); }

template <typename T> std::string errorOf(llvm::Expected<T> value) {
  return value ? "" : llvm::toString(value.takeError());
}

Disassembly disassemble(ArrayRef<char> object) {
  auto bytes = reinterpret_cast<const uint8_t *>(object.data());
  auto parsed = llvm::cantFail(CodeObject::parse({bytes, object.size()}));
  return llvm::cantFail(parsed.disassemble());
}

/// \p kernel loses its approval with any one of its waits or barriers.
void expectEverySyncIsChecked(const CompiledKernel &kernel) {
  Disassembly code = disassemble(kernel.object);
  unsigned planned = 0, found = 0;
  for (auto *part :
       {&kernel.plan.prologue, &kernel.plan.loop, &kernel.plan.drain})
    planned += llvm::count_if(
        *part, [](const PlanEvent &event) { return event.isSync(); });
  // Direct copies, or the loads of staged ones.
  bool isStaged =
      llvm::none_of(kernel.plan.prologue, [](const PlanEvent &event) {
        return event.kind == PlanEventKind::DirectCopy;
      });
  bool begun = false;
  for (const Instruction &inst : code.instructions()) {
    begun |= inst.toLds || (isStaged && inst.unit == Unit::Mubuf);
    if (!begun || found == planned ||
        (inst.key != "s_waitcnt" && inst.key != "s_barrier"))
      continue;
    SmallVector<char, 0> mutant = kernel.object;
    llvm::cantFail(replaceWithNops(mutant, inst.address, inst.size));
    EXPECT_PRED2(contains,
                 llvm::toString(checkLinkedObject(
                     mutant, kernel.manifest.kernel, kernel.plan)),
                 "planned ")
        << code.text(inst);
    ++found;
  }
  EXPECT_EQ(found, planned);
  EXPECT_GE(planned, 9u);
}

/// Every variant of every shipped kernel compiles for its arches.
TEST(Compile, EveryMissingWaitOrBarrierOfTheKernelsIsFound) {
  for (const char *path : kernelFiles) {
    std::unique_ptr<Parsed> parsed(Parsed::fromFile(path));
    for (const VariantInfo &variant :
         llvm::cantFail(describeVariants(*parsed->module))) {
      SCOPED_TRACE(variant.name);
      std::string arch = variant.arch.empty() ? "gfx950" : variant.arch;
      auto kernel = compileKernel(*parsed->module, {arch, variant.name});
      ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
      EXPECT_EQ(kernel->manifest.scratchBytes, 0u);
      expectEverySyncIsChecked(*kernel);
    }
  }
}

TEST(Compile, TheManifestSaysWhatTheObjectIs) {
  auto kernel = compileKernelFile(kernelFiles[1], {"gfx950", "128x256"});
  ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
  const Manifest &manifest = kernel->manifest;
  EXPECT_EQ(llvm::toString(manifest.verify()), "");
  EXPECT_EQ(llvm::toString(manifest.verifyHash(kernel->object)), "");
  EXPECT_EQ(manifest.kernel, "grouped_gemm_blockscale_contiguous");
  EXPECT_EQ(manifest.variant, "128x256");
  EXPECT_EQ(manifest.problem, "grouped_gemm_contiguous");
  EXPECT_EQ(manifest.groupAlignment, 128);
  EXPECT_EQ(manifest.typeA + manifest.typeB + manifest.typeD,
            "f8E4M3FNf8E4M3FNbf16");
  EXPECT_EQ(manifest.scaleKind, "e8m0");
  EXPECT_EQ(manifest.scaleM, 1);
  EXPECT_EQ(manifest.scaleN, 128);
  EXPECT_EQ(manifest.scaleK, 128);
  EXPECT_EQ(manifest.fp8Format, "ocp");
  EXPECT_EQ(manifest.workgroupSize, 256u);
  EXPECT_EQ(manifest.scratchBytes, 0u);
  EXPECT_GE(manifest.vgprs, 128u); // the accumulators alone
  EXPECT_EQ(manifest.ldsBytes, 2u * (128 + 256) * 128);
  ASSERT_EQ(manifest.ldsSlots.size(), 4u);
  EXPECT_EQ(manifest.ldsSlots[1].name, "A.1");
  EXPECT_EQ(manifest.ldsSlots[1].offsetBytes, 128u * 128);
  ASSERT_EQ(manifest.grid.size(), 2u);
  EXPECT_EQ(manifest.grid[1].argument, "n");
  EXPECT_EQ(manifest.grid[1].divisor, 256);
  ASSERT_NE(manifest.findArgument("d"), nullptr);
  EXPECT_EQ(manifest.findArgument("d")->access, "out");
  EXPECT_EQ(manifest.findArgument("a")->access, "in");
  EXPECT_EQ(manifest.findArgument("stride_scale_b")->type, "i64");
}

TEST(Compile, ThePlanCountsInstructionsOfOneWave) {
  auto kernel = compileKernelFile(kernelFiles[0], {"gfx950", ""});
  ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
  unsigned counts[numPlanEventKinds] = {};
  for (const PlanEvent &event : kernel->plan.loop)
    if (event.kind != Kind::Boundary)
      counts[unsigned(event.kind)] += event.count;
  // Two K tiles of 128x128x64 over 4 waves of 64x64: 16 KiB a tile and operand
  // in copies of 1 KiB by 4 waves, 4 row tiles x 2 reads of each operand, 4 x 4
  // accumulators x 2 steps of 32.
  EXPECT_EQ(counts[unsigned(Kind::DirectCopy)], 2u * 2 * 4);
  EXPECT_EQ(counts[unsigned(Kind::FragmentRead)], 2u * 2 * 8);
  EXPECT_EQ(counts[unsigned(Kind::Mfma)], 2u * 32);
  EXPECT_EQ(counts[unsigned(Kind::RegisterLoad)], 0u);
}

TEST(Compile, StopsWhereItIsAsked) {
  std::unique_ptr<Parsed> parsed(Parsed::fromFile(kernelFiles[0]));
  CompileOptions options = {"gfx950", "f16_128x128"};
  auto ir = compileToLLVMIR(*parsed->module, options);
  ASSERT_TRUE(bool(ir)) << llvm::toString(ir.takeError());
  EXPECT_PRED2(contains, *ir, "define amdgpu_kernel void @gemm_a16w16");
  auto isa = compileToISA(*parsed->module, options);
  ASSERT_TRUE(bool(isa)) << llvm::toString(isa.takeError());
  EXPECT_PRED2(contains, *isa, "v_mfma_f32_16x16x32_f16");
  // The module is left as it was.
  EXPECT_GE(llvm::cantFail(listVariants(*parsed->module)).size(), 2u);
}

TEST(Compile, ErrorsSayWhereAndWhat) {
  std::unique_ptr<Parsed> parsed(Parsed::fromFile(kernelFiles[0]));
  EXPECT_EQ(errorOf(compileKernel(*parsed->module, {"", ""})),
            "unknown arch '', expected one of gfx942, gfx950");
  std::string error = errorOf(compileKernel(*parsed->module, {"gfx950", "x"}));
  EXPECT_PRED2(contains, error,
               "kernel 'gemm_a16w16' has no variant for 'x', expected one of "
               "bf16_128x128 (128x128x64, bf16); f16_128x128");
  error = errorOf(compileKernel(*parsed->module, {"gfx942", "bf16_128x128"}));
  EXPECT_PRED2(contains, error,
               "kernel 'gemm_a16w16' has no variant for 'bf16_128x128', "
               "expected one of bf16_128x128_staged (128x128x64, bf16); "
               "bf16_256x256_staged (256x256x32, bf16); ");
  EXPECT_PRED2(contains, error, ", which are those for gfx942");
  std::unique_ptr<Parsed> grouped(Parsed::fromFile(kernelFiles[1]));
  error = errorOf(compileKernel(*grouped->module, {"gfx942", ""}));
  EXPECT_PRED2(contains, error, "scheduling failed: ");
  EXPECT_PRED2(contains, error, "grouped_gemm_blockscale_contiguous.mlir:");
  EXPECT_PRED2(contains,
               errorOf(compileKernelFile("/nonexistent.mlir", {"gfx950", ""})),
               "cannot read /nonexistent.mlir: ");
  Parsed empty("");
  EXPECT_EQ(errorOf(compileKernel(*empty.module, {"gfx950", ""})),
            "expected one fly.kernel in the module, got 0");
  EXPECT_EQ(errorOf(listVariants(*empty.module)),
            "expected one fly.kernel in the module, got 0");
}

/// Registers: what certainly does not fit is said by the lowering, what the
/// backend could not fit is seen at the object.
TEST(Compile, SchedulesThatDoNotFitTheRegistersAreErrors) {
  const char *source = R"(
fly.kernel @k(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [
      #fly.variant<"wide", schedule "double_buffer_staged", tile 256x256x32, waves 2x2>,
      #fly.variant<"deep", schedule "rotate_staged", tile 256x256x64, waves 2x4>
    ] {
  fly.gemm %a, %b into %d
      : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}
)";
  Parsed parsed(source);
  EXPECT_PRED2(contains,
               errorOf(compileKernel(*parsed.module, {"gfx942", "wide"})),
               "accumulators, fragments and staging take 384 VGPRs, "
               "and with 4 waves a workgroup a wave of gfx942 has 256");
  EXPECT_PRED2(
      contains, errorOf(compileKernel(*parsed.module, {"gfx950", "deep"})),
      "kernel 'k', variant 'deep', does not fit the registers of gfx950: ");
}

TEST(Variants, ArePickedByNameTileAndType) {
  std::unique_ptr<Parsed> grouped(Parsed::fromFile(kernelFiles[1]));
  auto pick = [&](VariantQuery query) {
    auto name = selectVariant(*grouped->module, query);
    return name ? *name : llvm::toString(name.takeError());
  };
  EXPECT_EQ(pick({}), "128x128");
  EXPECT_EQ(pick({"128x256", "", "", ""}), "128x256");
  EXPECT_EQ(pick({"", "128x256x128", "", ""}), "128x256");
  EXPECT_EQ(pick({"", "128x128x128", "f8E4M3FN", ""}), "128x128");
  EXPECT_EQ(pick({"", "", "f8E4M3FN", ""}), "128x128");
  EXPECT_PRED2(contains, pick({"128x128", "128x256x128", "", ""}),
               "has no variant for '128x128, 128x256x128', expected one of "
               "128x128 (128x128x128, f8E4M3FN); 128x256 (128x256x128, "
               "f8E4M3FN)");
  EXPECT_TRUE(hasKernel(*grouped->module));
  EXPECT_FALSE(hasKernel(*Parsed("").module));

  std::unique_ptr<Parsed> dense(Parsed::fromFile(kernelFiles[0]));
  auto pickFor = [&](VariantQuery query) {
    auto name = selectVariant(*dense->module, query);
    return name ? *name : llvm::toString(name.takeError());
  };
  EXPECT_EQ(pickFor({"", "", "", "gfx950"}), "bf16_128x128");
  EXPECT_EQ(pickFor({"", "", "", "gfx942"}), "bf16_128x128_staged");
  EXPECT_EQ(pickFor({"", "256x256x32", "f16", "gfx942"}), "f16_256x256_staged");
  EXPECT_EQ(pickFor({"", "", "", "gfx90a"}),
            "unknown arch 'gfx90a', expected one of gfx942, gfx950");
  for (const VariantInfo &variant :
       llvm::cantFail(describeVariants(*dense->module, "gfx942")))
    EXPECT_EQ(variant.arch, "gfx942");
}

/// A large problem takes a large tile, as long as there is one for each compute
/// unit and the MFMA, and so the bits, are the same.
TEST(Variants, ArePickedForTheSizeOfADenseProblem) {
  std::unique_ptr<Parsed> dense(Parsed::fromFile(kernelFiles[0]));
  std::unique_ptr<Parsed> grouped(Parsed::fromFile(kernelFiles[1]));
  auto pick = [&](Parsed &file, VariantQuery query, int64_t m, int64_t n) {
    return llvm::cantFail(
        selectVariant(*file.module, query, {/*computeUnits=*/256, m, n}));
  };
  VariantQuery gfx950 = {"", "", "", "gfx950"};
  VariantQuery gfx942 = {"", "", "", "gfx942"};
  EXPECT_EQ(pick(*dense, gfx942, 4096, 4096), "bf16_256x256_staged");
  EXPECT_EQ(pick(*dense, gfx942, 256, 256), "bf16_128x128_staged");
  EXPECT_EQ(pick(*dense, gfx950, 1, 1 << 20), "bf16_128x128");
  EXPECT_EQ(pick(*dense, gfx950, 300, 1 << 20), "bf16_192x256");
  EXPECT_EQ(pick(*dense, gfx950, 256, 1 << 20), "bf16_256x256");
  EXPECT_EQ(pick(*dense, gfx950, 4096, 4096), "bf16_256x256");
  EXPECT_EQ(pick(*dense, gfx950, 4096, 3840), "bf16_192x256");
  EXPECT_EQ(pick(*dense, gfx950, 4096, 2048), "bf16_256x128");
  EXPECT_EQ(pick(*dense, gfx950, 4096, 1024), "bf16_128x128");
  EXPECT_EQ(pick(*dense, gfx950, 0, -1), "bf16_128x128");
  EXPECT_EQ(pick(*dense, {"", "", "f16", "gfx950"}, 4096, 4096), "f16_256x256");
  EXPECT_EQ(pick(*dense, {"", "", "f16", "gfx950"}, 256, 256), "f16_128x128");
  // What is named is taken; of two with one tile and type the first.
  EXPECT_EQ(pick(*dense, {"bf16_256x256_4w", "", "", "gfx950"}, 64, 64),
            "bf16_256x256_4w");
  EXPECT_EQ(pick(*dense, {"", "256x256x64", "bf16", "gfx950"}, 64, 64),
            "bf16_256x256");
  EXPECT_EQ(pick(*grouped, {}, 1 << 20, 1 << 20), "128x128");
}

/// The expanded level of one of the kernels.
struct Expanded {
  Expanded() : parsed(Parsed::fromFile(kernelFiles[0])) {
    kernel = llvm::cantFail(findKernel(*parsed->module));
  }
  std::unique_ptr<Parsed> parsed;
  KernelOp kernel;
};

TEST(KernelFacts, OnlyTheExpandedLevelHasAManifest) {
  Expanded problem;
  const TargetInfo &target = llvm::cantFail(lookupTarget("gfx950"));
  EXPECT_PRED2(contains, errorOf(manifestOf(problem.kernel, target)),
               "kernel 'gemm_a16w16' is not at the expanded level");
}

TEST(KernelFacts, TheObjectMustHaveTheArguments) {
  auto kernel =
      llvm::cantFail(compileKernelFile(kernelFiles[0], {"gfx950", ""}));
  auto readBackOf = [&](auto change) {
    Manifest manifest = kernel.manifest;
    change(manifest);
    return llvm::toString(readBack(manifest, kernel.object));
  };
  EXPECT_EQ(readBackOf([](Manifest &) {}), "");
  EXPECT_EQ(readBackOf([](Manifest &m) { m.arguments.pop_back(); }),
            "linked kernel 'gemm_a16w16': expected 8 arguments, the object has "
            "9");
  EXPECT_EQ(
      readBackOf([](Manifest &m) { m.arguments[3].type = "ptr"; }),
      "linked kernel 'gemm_a16w16': argument 'm': expected ptr of 4 bytes "
      "at 24, the object has by_value of 4 bytes at 24");
  EXPECT_PRED2(contains,
               readBackOf([](Manifest &m) { m.arguments[4].offsetBytes = 32; }),
               "argument 'n': expected i32 of 4 bytes at 32, the object has "
               "by_value of 4 bytes at 28");
  EXPECT_NE(readBackOf([](Manifest &m) { m.kernel = "other"; }), "");
  Manifest manifest = kernel.manifest;
  EXPECT_NE(llvm::toString(readBack(manifest, ArrayRef<char>("garbage", 7))),
            "");
}

} // namespace
