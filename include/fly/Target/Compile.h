//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// From a kernel file to a code object, in process: parse, run fly's pipeline,
/// translate, generate code, link with lld, read the object back and check it.

#ifndef FLY_TARGET_COMPILE_H
#define FLY_TARGET_COMPILE_H

#include "fly/Arch/TargetInfo.h"
#include "fly/CodeObject/Manifest.h"
#include "fly/Target/SchedulePlan.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class MLIRContext;
class ModuleOp;
template <typename OpTy> class OwningOpRef;
} // namespace mlir

namespace fly {

struct CompileOptions {
  std::string arch; ///< required, "gfx950"
  /// Name in the kernel file's list; empty: the first for the arch.
  std::string variant;
  /// How workgroups are mapped to tiles: XCDs to map for (0: the arch's, 1:
  /// none), and rows of tiles to walk before the next column.
  int64_t numXcds = 0;
  int64_t groupSizeM = 4;
};

struct CompiledKernel {
  llvm::SmallVector<char, 0> object; ///< a linked HSACO
  Manifest manifest;
  SchedulePlan plan; ///< what the object was checked against
};

/// Everything the compiler needs registered in a context.
void registerCompilerDialects(mlir::DialectRegistry &registry);

/// Parses the .mlir file \p path in \p context, which must have the compiler's
/// dialects. Diagnostics of the parser are part of the error.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
parseKernelFile(llvm::StringRef path, mlir::MLIRContext &context);

/// Names of the variants that the kernel file lists for \p arch, the default
/// first; all of them if it is empty.
llvm::Expected<std::vector<std::string>>
listVariants(mlir::ModuleOp module, llvm::StringRef arch = "");

/// One line of a kernel file's list of variants.
struct VariantInfo {
  std::string name, schedule;
  std::string tile;  ///< "128x128x64"
  std::string dtype; ///< element type of A, "bf16"
  std::string mfma;  ///< "32x32x16"; empty: as large as the arch has at 16x16
  int64_t tileM = 0, tileN = 0;
  std::string arch; ///< the only one it is for; empty: any
};

/// The variants that the kernel file lists for \p arch, the default first; all
/// of them if it is empty.
llvm::Expected<std::vector<VariantInfo>>
describeVariants(mlir::ModuleOp module, llvm::StringRef arch = "");

/// What a user may say to pick a variant; empty fields say nothing.
struct VariantQuery {
  std::string variant; ///< its name
  std::string tile;    ///< "128x128x64"
  std::string dtype;   ///< element type of A, "bf16"
  std::string arch;    ///< to build for
};

/// What a variant is picked for when nothing names it.
struct VariantUse {
  unsigned computeUnits = 0;
  int64_t m = 0, n = 0; ///< rows and columns of the result
};

/// The name of the variant that fits \p query: the first listed of those with
/// its arch, tile and type. The error lists the variants when none fits, or
/// several of different tiles or types. A query that names neither variant nor
/// tile means the first of its type (of all) for its arch; or, given the \p use
/// of a dense problem, the one with the largest tile that still gives each
/// compute unit a tile and computes at most an eighth more than the first, of
/// those that give the same bits as the first because they have the same MFMA.
llvm::Expected<std::string> selectVariant(mlir::ModuleOp module,
                                          const VariantQuery &query,
                                          const VariantUse &use = {});

/// Whether \p module holds a fly.kernel; else it is at the machine level.
bool hasKernel(mlir::ModuleOp module);

/// Compiles \p module, which holds one fly.kernel at the problem level. The
/// module is left as it was. Diagnostics of passes are part of the error. The
/// linked object is always read back and checked against the schedule that was
/// proved (checkLinkedObject). Linking resets llvm::cl options, see CodeGen.h.
llvm::Expected<CompiledKernel> compileKernel(mlir::ModuleOp module,
                                             const CompileOptions &options);

/// Compiles \p module, whose one fly.kernel is at the expanded level with its
/// waits, as it stands: the schedule is neither proved nor compared with the
/// linked object. For tests of those two checks; everything else goes through
/// compileKernel.
llvm::Expected<CompiledKernel> compileUnproved(mlir::ModuleOp module,
                                               llvm::StringRef arch);

/// Stops earlier: LLVM IR text before LLVM's optimiser, or assembly text. The
/// schedule is proved as well, but no object is there to be checked.
llvm::Expected<std::string> compileToLLVMIR(mlir::ModuleOp module,
                                            const CompileOptions &options);
llvm::Expected<std::string> compileToISA(mlir::ModuleOp module,
                                         const CompileOptions &options);

/// compileKernel from the path of an .mlir file.
llvm::Expected<CompiledKernel> compileKernelFile(llvm::StringRef path,
                                                 const CompileOptions &options);

} // namespace fly

#endif // FLY_TARGET_COMPILE_H
