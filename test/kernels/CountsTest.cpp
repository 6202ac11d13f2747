//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The hot loop of every variant that is shipped or tested has exactly the
/// instructions that one formula says, and nothing else that costs time.

#include "KernelTest.h"

#include "fly/CodeObject/CodeObject.h"
#include "fly/Inspect/Inspect.h"
#include "fly/Schedule/LoopCounts.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace fly;

namespace {

/// A kernel file, and the arch of its variants that name none.
struct File {
  const char *name, *arch = "gfx950";
};
void PrintTo(const File &file, std::ostream *os) { *os << file.name; }

class Counts : public KernelTest, public testing::WithParamInterface<File> {
protected:
  /// The kernel of one tile, looked at and executed.
  static KernelReport inspect(const CompiledKernel &compiled) {
    auto bytes = llvm::arrayRefFromStringRef(
        llvm::StringRef(compiled.object.data(), compiled.object.size()));
    CodeObject object = unwrap(CodeObject::parse(bytes));
    Disassembly code = unwrap(object.disassemble());
    BankConflictObserver observer(object.target());
    EmulatorOptions options;
    options.check = false;
    options.observer = &observer;
    auto device = unwrap(createEmulatorDevice(object.target().name, options));
    Shape shape;
    shape.m = compiled.manifest.tileM;
    shape.n = compiled.manifest.tileN;
    shape.k = 8 * compiled.manifest.tileK;
    if (compiled.manifest.groupAlignment) {
      shape.groups = 1;
      shape.layout = makeLayout({{0, shape.m}}, shape.m);
      shape.m = shape.layout.size();
    }
    Problem problem = unwrap(Problem::create(compiled.manifest, shape));
    Operands operands = unwrap(makeExactOperands(problem, 1));
    run(*device, compiled, problem, operands);
    InspectOptions inspect;
    inspect.manifest = &compiled.manifest;
    inspect.executed = &observer;
    return inspectKernel(object, code, object.kernels().front(), inspect);
  }

  static void compare(const KernelReport &report, const LoopCounts &expected) {
    ASSERT_TRUE(report.hotLoop);
    const InstructionMix &mix = report.hotLoop->mix;
    EXPECT_EQ(mix.mfmaCount(), expected.mfma);
    EXPECT_EQ(totalOf(mix.ldsReads), expected.ldsReads);
    EXPECT_EQ(mix.directCopyCount(), expected.copies);
    EXPECT_EQ(totalOf(mix.ldsWrites), expected.ldsWrites);
    EXPECT_EQ(totalOf(mix.loads), expected.loads);
    EXPECT_EQ(mix.waitCount(), expected.waits);
    EXPECT_EQ(mix.barriers, expected.barriers);
    EXPECT_LE(mix.salu, expected.maxSalu);
    EXPECT_LE(mix.nops, expected.maxNops);
    // What is 0, and that there is nothing else.
    EXPECT_EQ(mix.total, mix.mfmaCount() + totalOf(mix.ldsReads) +
                             totalOf(mix.ldsWrites) + mix.directCopyCount() +
                             totalOf(mix.loads) + mix.waitCount() +
                             mix.barriers + mix.salu + mix.nops +
                             mix.priorities + mix.branches);
    EXPECT_EQ(mix.branches, 1u);
    EXPECT_EQ(report.hotLoop->fullVmWaits, 0u);
    EXPECT_EQ(report.hotLoop->movedAccumulators, 0u);
    ASSERT_TRUE(report.hotLoop->conflicts);
    EXPECT_EQ(report.hotLoop->conflicts->reads.factor(), 1);
    if (expected.ldsWrites)
      EXPECT_EQ(report.hotLoop->conflicts->writes.factor(), 1);
    EXPECT_EQ(report.resources.vgprSpills + report.resources.sgprSpills, 0u);
  }

  /// As a row of the table in docs/schedule-and-proof.md.
  static std::string row(llvm::StringRef name, const LoopCounts &counts) {
    return llvm::formatv(
        "| `{0}` | {1} | {2} | {3} | {4} | {5} | {6} | {7} | {8} |", name,
        counts.mfma, counts.ldsReads, counts.copies, counts.ldsWrites,
        counts.loads, counts.waits, counts.barriers, counts.maxSalu);
  }
};

TEST_P(Counts, OfTheLinkedLoopFollowFromTheVariant) {
  std::string file = GetParam().name, path = FLY_KERNELS_DIR "/" + file;
  bool isShipped = !llvm::StringRef(file).starts_with("..");
  std::string docs =
      unwrap(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(
                 FLY_KERNELS_DIR "/../docs/schedule-and-proof.md")))
          ->getBuffer()
          .str();
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = unwrap(parseKernelFile(path, context));
  KernelOp kernel = *module->getOps<KernelOp>().begin();
  auto type =
      llvm::cast<MatrixType>(kernel.getEntryBlock().getArgument(1).getType());
  bool isScaled = kernel.findOp<GroupedGemmOp>() != nullptr;
  for (auto variant : kernel.getVariantsAttr().getAsRange<VariantAttr>()) {
    SCOPED_TRACE(variant.getName().str());
    mlir::Type element = variant.getTypes().empty() ? type.getElementType()
                                                    : variant.getTypes()[0];
    std::string arch =
        variant.getArch() ? variant.getArch().str() : GetParam().arch;
    LoopCounts expected = unwrap(expectedLoopCounts(
        variant, unwrap(lookupTarget(arch)), element, isScaled));
    std::string line = row(variant.getName(), expected);
    KernelReport report =
        inspect(compiledKernel(file, variant.getName().str(), arch));
    compare(report, expected);
    if (isShipped)
      EXPECT_NE(docs.find(line), std::string::npos)
          << "docs/schedule-and-proof.md has no line\n"
          << line;
  }
}

INSTANTIATE_TEST_SUITE_P(
    , Counts,
    testing::Values(File{"gemm_a16w16.mlir"},
                    File{"grouped_gemm_blockscale_contiguous.mlir"},
                    File{"../test/kernels/Inputs/rotated_gemm.mlir"},
                    File{"../test/kernels/Inputs/interleaved_gemm.mlir"},
                    File{"../test/kernels/Inputs/staged_gemm.mlir", "gfx942"}),
    [](const testing::TestParamInfo<File> &info) {
      llvm::StringRef file = info.param.name;
      return file.rsplit('/').second.empty()
                 ? file.rsplit('.').first.str()
                 : file.rsplit('/').second.rsplit('.').first.str();
    });

} // namespace
