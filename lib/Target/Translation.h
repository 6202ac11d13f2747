//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// From MLIR's llvm and rocdl dialects to an llvm::Module.

#ifndef FLY_LIB_TARGET_TRANSLATION_H
#define FLY_LIB_TARGET_TRANSLATION_H

#include "fly/Arch/TargetInfo.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace mlir {
class MLIRContext;
class ModuleOp;
} // namespace mlir

namespace fly {

/// Collects the errors that MLIR reports while it lives, with their notes, as
/// "location: message" lines.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext *context);
  ~DiagnosticCollector();
  /// What was collected, as one error that begins with \p what.
  llvm::Error takeError(const llvm::Twine &what);

private:
  mlir::MLIRContext *context;
  uint64_t handler;
  std::string messages;
};

/// Translates and sets the triple, the CPU of every function and the code
/// object version. The data layout is the TargetMachine's to set.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateModule(mlir::ModuleOp module, llvm::LLVMContext &context,
                const TargetInfo &target);

} // namespace fly

#endif // FLY_LIB_TARGET_TRANSLATION_H
