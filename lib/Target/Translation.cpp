//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Translation.h"

#include "fly/Target/CodeGen.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace fly {

void registerMachineDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::LLVM::LLVMDialect, mlir::ROCDL::ROCDLDialect>();
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerROCDLDialectTranslation(registry);
}

/// "file:line:column: ", or nothing where no file is known.
static void printLocation(raw_ostream &os, mlir::Location location) {
  if (auto file = location->findInstanceOf<mlir::FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine() << ":"
       << file.getColumn() << ": ";
}

DiagnosticCollector::DiagnosticCollector(mlir::MLIRContext *context)
    : context(context) {
  handler = context->getDiagEngine().registerHandler(
      [this](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
          return mlir::failure();
        raw_string_ostream os(messages);
        if (!messages.empty())
          os << "\n";
        printLocation(os, diagnostic.getLocation());
        os << diagnostic;
        for (mlir::Diagnostic &note : diagnostic.getNotes()) {
          os << "\n";
          printLocation(os, note.getLocation());
          os << "note: " << note;
        }
        return mlir::success();
      });
}

DiagnosticCollector::~DiagnosticCollector() {
  context->getDiagEngine().eraseHandler(handler);
}

Error DiagnosticCollector::takeError(const Twine &what) {
  std::string text = what.str();
  if (!messages.empty())
    text += ": " + messages;
  messages.clear();
  return createStringError(text);
}

/// A function may name its CPU, but no other one than \p target.
static Error setTargetCpu(Module &module, const TargetInfo &target) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    StringRef given = function.getFnAttribute("target-cpu").getValueAsString();
    if (!given.empty() && given != target.name)
      return createStringError("function '" + function.getName() + "' is for " +
                               given + ", expected " + target.name);
    function.addFnAttr("target-cpu", target.name);
  }
  return Error::success();
}

Expected<std::unique_ptr<Module>> translateModule(mlir::ModuleOp module,
                                                  LLVMContext &context,
                                                  const TargetInfo &target) {
  mlir::DialectRegistry registry;
  registerMachineDialects(registry);
  module.getContext()->appendDialectRegistry(registry);
  DiagnosticCollector diagnostics(module.getContext());
  std::unique_ptr<Module> result = mlir::translateModuleToLLVMIR(
      module, context, module.getName().value_or("fly"));
  if (!result)
    return diagnostics.takeError("translation to LLVM IR failed");
  result->setTargetTriple(Triple("amdgcn-amd-amdhsa"));
  // Version 5 loads on every ROCm that knows gfx942 (6.0 on).
  result->addModuleFlag(Module::Error, "amdhsa_code_object_version", 500);
  if (Error error = setTargetCpu(*result, target))
    return error;
  return result;
}

} // namespace fly
