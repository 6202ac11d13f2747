//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Code generation in process: from a module in the llvm and rocdl dialects to
/// LLVM IR text, ISA text, or a linked code object in memory. No function here
/// ends the process on bad input: LLVM's diagnostics and fatal errors, and
/// those of lld, come back as errors. All are safe to call from many threads,
/// each with its own MLIRContext.

#ifndef FLY_TARGET_CODEGEN_H
#define FLY_TARGET_CODEGEN_H

#include "fly/Arch/TargetInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace fly {

/// Registers the dialects a machine-level module may hold (builtin, llvm,
/// rocdl) and their translations to LLVM IR.
void registerMachineDialects(mlir::DialectRegistry &registry);

/// \p module as LLVM IR text for \p target, as code generation reads it: with
/// triple, data layout and code object version, before any optimisation.
llvm::Expected<std::string> generateLLVMIR(mlir::ModuleOp module,
                                           const TargetInfo &target);

/// \p module as AMDGPU assembly text.
llvm::Expected<std::string> generateISA(mlir::ModuleOp module,
                                        const TargetInfo &target);

/// \p module as a linked code object (HSACO, code object version 5). Its
/// machine code is decoded again: LLVM 22 emits some instructions of gfx950 for
/// gfx942 without a word.
llvm::Expected<llvm::SmallVector<char, 0>>
generateObject(mlir::ModuleOp module, const TargetInfo &target);

/// Links one relocatable AMDGPU object into a code object with lld. Undefined
/// symbols are errors. Nothing is compiled or linked beside it, because lld has
/// process globals. It also *resets every llvm::cl option of the process* to
/// its default: a tool copies the values of its options before it compiles
/// anything.
llvm::Expected<llvm::SmallVector<char, 0>>
linkCodeObject(llvm::ArrayRef<char> relocatable);

} // namespace fly

#endif // FLY_TARGET_CODEGEN_H
