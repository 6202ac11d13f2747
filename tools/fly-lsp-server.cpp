//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// fly-lsp-server: MLIR's language server with the fly dialect, for editors.
/// See docs/inspect.md.

#include "fly/Dialect/Fly/IR/Fly.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

static const char overview[] =
    R"(fly-lsp-server: language server for .mlir files with the fly dialect

An editor starts it and talks to it over stdin and stdout (JSON-RPC, language
server protocol): diagnostics as you type, hover, definitions and references.

  Visual Studio Code  install "MLIR", set mlir.server_path to this program
  Neovim              vim.lsp.start({name = "fly", cmd = {"fly-lsp-server"}})

OPTIONS:
  --log=error|info|verbose  what goes to stderr (default info)
  --pretty                  pretty-printed JSON
  --lit-test                messages from stdin between lines of "// -----"
  --help-hidden             every option of MLIR and LLVM
  --version
)";

int main(int argc, char **argv) {
  // MLIR's main has its own --help, which lists all options of LLVM.
  for (int i = 1; i < argc; ++i)
    if (llvm::StringRef(argv[i]) == "--help" ||
        llvm::StringRef(argv[i]) == "-help" ||
        llvm::StringRef(argv[i]) == "-h") {
      llvm::outs() << overview;
      return 0;
    }
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "fly-lsp-server " << FLY_VERSION << "\n";
  });
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registry.insert<fly::FlyDialect>();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
