//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FLY_TEST_UNIT_TARGET_PARSEDMODULE_H
#define FLY_TEST_UNIT_TARGET_PARSEDMODULE_H

#include "fly/Target/CodeGen.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

/// A machine-level module in a context of its own.
struct ParsedModule {
  enum Source { Text, InputFile };
  explicit ParsedModule(llvm::StringRef source, Source kind = Text)
      : context(registry()) {
    module = kind == Text
                 ? mlir::parseSourceString<mlir::ModuleOp>(source, &context)
                 : mlir::parseSourceFile<mlir::ModuleOp>(
                       (FLY_TEST_INPUTS "/" + source).str(), &context);
  }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    fly::registerMachineDialects(registry);
    return registry;
  }
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

#endif // FLY_TEST_UNIT_TARGET_PARSEDMODULE_H
