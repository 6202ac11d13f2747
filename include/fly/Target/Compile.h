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

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class MLIRContext;
class ModuleOp;
} // namespace mlir

namespace fly {

struct CompileOptions {
  std::string arch;    ///< required, "gfx950"
  std::string variant; ///< name in the kernel file's list; empty: the first
};

struct CompiledKernel {
  llvm::SmallVector<char, 0> object; ///< a linked HSACO
  Manifest manifest;
};

/// Everything the compiler needs registered in a context.
void registerCompilerDialects(mlir::DialectRegistry &registry);

/// Names of the variants that the kernel file lists, the default first.
llvm::Expected<std::vector<std::string>> listVariants(mlir::ModuleOp module);

/// Compiles \p module, which holds one fly.kernel at the problem level. The
/// module is left as it was. Diagnostics of passes are part of the error.
llvm::Expected<CompiledKernel> compileKernel(mlir::ModuleOp module,
                                             const CompileOptions &options);

/// The same from the path of an .mlir file.
llvm::Expected<CompiledKernel> compileKernelFile(llvm::StringRef path,
                                                 const CompileOptions &options);

} // namespace fly

#endif // FLY_TARGET_COMPILE_H
