//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Target/CodeGen.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly;
namespace cl = llvm::cl;

static cl::OptionCategory category("fly-translate");

static cl::opt<std::string> inputPath(cl::Positional, cl::Required,
                                      cl::desc("FILE.mlir"), cl::cat(category));
static cl::opt<std::string>
    outputPath("o", cl::desc("Where the result goes; - is stdout (default)"),
               cl::value_desc("FILE"), cl::init("-"), cl::cat(category));
static cl::opt<std::string>
    arch("arch",
         cl::desc("The chip to compile for, gfx950 or gfx942; required"),
         cl::value_desc("ARCH"), cl::Required, cl::cat(category));

enum class Output { None, LLVMIR, ISA, HSACO };
static cl::opt<Output> outputKind(
    cl::desc("What to make (one is required):"), cl::init(Output::None),
    cl::values(clEnumValN(Output::LLVMIR, "fly-to-llvmir",
                          "LLVM IR text, before LLVM's optimiser"),
               clEnumValN(Output::ISA, "fly-to-isa", "AMDGPU assembly text"),
               clEnumValN(Output::HSACO, "fly-to-hsaco",
                          "A linked code object")),
    cl::cat(category));

static const char overview[] =
    "fly-translate: from a kernel file to LLVM IR, assembly or a code "
    "object\n\n"
    "  fly-translate gemm.mlir --arch=gfx950 --fly-to-hsaco -o gemm.hsaco\n\n"
    "The input is a module of the llvm and rocdl dialects that holds a kernel\n"
    "(llvm.func with rocdl.kernel). Nothing is written when something fails.\n";

/// The options, copied out of the command line: linking resets every cl::opt
/// (see linkCodeObject).
struct Request {
  std::string input = inputPath, output = outputPath, arch = ::arch;
  Output kind = outputKind;
};

static llvm::Expected<llvm::SmallVector<char, 0>>
translate(mlir::ModuleOp module, const TargetInfo &target, Output kind) {
  if (kind == Output::HSACO)
    return generateObject(module, target);
  auto text = kind == Output::ISA ? generateISA(module, target)
                                  : generateLLVMIR(module, target);
  if (!text)
    return text.takeError();
  return llvm::SmallVector<char, 0>(text->begin(), text->end());
}

static llvm::Error run(const Request &request) {
  if (request.kind == Output::None)
    return llvm::createStringError("nothing to make: give one of "
                                   "--fly-to-llvmir, --fly-to-isa and "
                                   "--fly-to-hsaco");
  auto target = lookupTarget(request.arch);
  if (!target)
    return target.takeError();
  mlir::DialectRegistry registry;
  registerMachineDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(request.input, &context);
  if (!module)
    return llvm::createStringError("cannot read " + request.input);
  auto result = translate(*module, *target, request.kind);
  if (!result)
    return result.takeError();
  return llvm::writeToOutput(request.output, [&](llvm::raw_ostream &os) {
    os.write(result->data(), result->size());
    return llvm::Error::success();
  });
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << "fly-translate " FLY_VERSION "\n"; });
  cl::ParseCommandLineOptions(argc, argv, overview);
  if (llvm::Error error = run(Request())) {
    llvm::WithColor::error(llvm::errs(), "fly-translate")
        << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
