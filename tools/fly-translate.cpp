//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// fly-translate: from a kernel file to LLVM IR, assembly or code objects.

#include "fly/Target/CodeGen.h"
#include "fly/Target/Compile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;

static cl::OptionCategory category("fly-translate options");

static cl::opt<std::string> inputPath(cl::Positional, cl::Required,
                                      cl::desc("FILE.mlir"), cl::cat(category));
static cl::opt<std::string>
    outputPath("o",
               cl::desc("Where the result goes; - is stdout (the default). "
                        "With --all a directory"),
               cl::value_desc("FILE"), cl::init("-"), cl::cat(category));
static cl::opt<std::string>
    arch("arch", cl::desc("The chip to compile for: gfx950 or gfx942"),
         cl::value_desc("ARCH"), cl::cat(category));
static cl::opt<std::string>
    manifestPath("manifest",
                 cl::desc("With --fly-to-hsaco: write the manifest as well"),
                 cl::value_desc("FILE"), cl::cat(category));
static cl::opt<std::string>
    variant("variant",
            cl::desc("The variant of the kernel; the first if not "
                     "given"),
            cl::value_desc("NAME"), cl::cat(category));
static cl::opt<std::string>
    tile("tile", cl::desc("The variant with this tile, 128x128x64 for example"),
         cl::value_desc("MxNxK"), cl::cat(category));
static cl::opt<std::string>
    dtype("dtype",
          cl::desc("The variant with this element type of A, bf16 for "
                   "example"),
          cl::value_desc("TYPE"), cl::cat(category));

enum class Output { None, LLVMIR, ISA, HSACO, All, List };
static cl::opt<Output> outputKind(
    cl::desc("What to make (one is required):"), cl::init(Output::None),
    cl::values(clEnumValN(Output::LLVMIR, "fly-to-llvmir",
                          "LLVM IR text, before LLVM's optimiser"),
               clEnumValN(Output::ISA, "fly-to-isa", "AMDGPU assembly text"),
               clEnumValN(Output::HSACO, "fly-to-hsaco",
                          "A linked code object"),
               clEnumValN(Output::All, "all",
                          "Every variant's code object and manifest, into the "
                          "directory -o"),
               clEnumValN(Output::List, "list-variants",
                          "The names of the kernel's variants, the default "
                          "first")),
    cl::cat(category));

static const char overview[] = R"(fly-translate: compile a kernel file

A kernel file holds one fly.kernel at the problem level with its variants:

  fly-translate gemm.mlir --list-variants
  fly-translate gemm.mlir --arch=gfx950 --fly-to-hsaco -o gemm.hsaco \
      --manifest=gemm.json --variant=bf16_128x128
  fly-translate gemm.mlir --arch=gfx950 --fly-to-isa --tile=128x128x64
  fly-translate gemm.mlir --arch=gfx950 --all -o kernels/

The schedule is proved, and the linked object is read back and compared with
it, every time. A module of the llvm and rocdl dialects with a kernel
(llvm.func with rocdl.kernel) is taken as well; it has no variants and no
manifest. Nothing is written when something fails, and the exit code is then 1.
)";

namespace {

/// The options, copied out of the command line: linking resets every cl::opt
/// (see linkCodeObject).
struct Request {
  std::string input = inputPath, output = outputPath, arch = ::arch;
  std::string manifest = manifestPath;
  VariantQuery query = {variant, tile, dtype};
  Output kind = outputKind;

  bool picksVariant() const {
    return !query.variant.empty() || !query.tile.empty() ||
           !query.dtype.empty();
  }
};

Error check(const Request &request) {
  if (request.kind == Output::None)
    return llvm::createStringError(
        "nothing to make: give one of --fly-to-llvmir, --fly-to-isa, "
        "--fly-to-hsaco, --all and --list-variants");
  if (request.arch.empty() && request.kind != Output::List)
    return llvm::createStringError("--arch is missing: give --arch=gfx950 or "
                                   "--arch=gfx942");
  if (!request.manifest.empty() && request.kind != Output::HSACO)
    return llvm::createStringError("--manifest goes with --fly-to-hsaco");
  if (request.kind == Output::All && request.picksVariant())
    return llvm::createStringError("--all makes every variant: --variant, "
                                   "--tile and --dtype do not go with it");
  if (request.kind == Output::All && request.output == "-")
    return llvm::createStringError("--all needs a directory: give -o DIR");
  return Error::success();
}

Error write(StringRef path, llvm::ArrayRef<char> bytes) {
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os.write(bytes.data(), bytes.size());
    return Error::success();
  });
}

Error write(StringRef path, const std::string &text) {
  return write(path, llvm::ArrayRef<char>(text.data(), text.size()));
}

/// Both files or none.
Error write(const CompiledKernel &kernel, StringRef objectPath,
            StringRef manifestPath) {
  if (Error error = write(objectPath, kernel.object))
    return error;
  Error error = kernel.manifest.writeFile(manifestPath);
  if (error && objectPath != "-")
    llvm::sys::fs::remove(objectPath);
  return error;
}

Error makeAll(mlir::ModuleOp module, const Request &request) {
  auto variants = listVariants(module);
  if (!variants)
    return variants.takeError();
  std::vector<CompiledKernel> kernels;
  for (const std::string &name : *variants) {
    auto kernel = compileKernel(module, {request.arch, name});
    if (!kernel)
      return kernel.takeError();
    kernels.push_back(std::move(*kernel));
  }
  if (std::error_code code = llvm::sys::fs::create_directories(request.output))
    return llvm::createStringError(code, "cannot make directory " +
                                             request.output + ": " +
                                             code.message());
  for (const CompiledKernel &kernel : kernels) {
    const Manifest &manifest = kernel.manifest;
    llvm::SmallString<128> stem(request.output);
    llvm::sys::path::append(stem, manifest.kernel + "." + manifest.variant +
                                      "." + manifest.arch);
    if (Error error =
            write(kernel, (stem + ".hsaco").str(), (stem + ".json").str()))
      return error;
  }
  return Error::success();
}

Error makeOne(mlir::ModuleOp module, const Request &request) {
  auto name = selectVariant(module, request.query);
  if (!name)
    return name.takeError();
  CompileOptions options = {request.arch, *name};
  if (request.kind == Output::HSACO) {
    auto kernel = compileKernel(module, options);
    if (!kernel)
      return kernel.takeError();
    return request.manifest.empty()
               ? write(request.output, kernel->object)
               : write(*kernel, request.output, request.manifest);
  }
  auto text = request.kind == Output::ISA ? compileToISA(module, options)
                                          : compileToLLVMIR(module, options);
  return text ? write(request.output, *text) : text.takeError();
}

Error list(mlir::ModuleOp module, const Request &request) {
  auto names = listVariants(module);
  if (!names)
    return names.takeError();
  std::string text;
  for (const std::string &name : *names)
    text += name + "\n";
  return write(request.output, text);
}

Error translateMachineLevel(mlir::ModuleOp module, const Request &request) {
  if (request.picksVariant() || !request.manifest.empty() ||
      request.kind == Output::All || request.kind == Output::List)
    return llvm::createStringError(request.input +
                                   " holds no fly.kernel, so there are no "
                                   "variants and no manifest");
  auto target = lookupTarget(request.arch);
  if (!target)
    return target.takeError();
  if (request.kind == Output::HSACO) {
    auto object = generateObject(module, *target);
    return object ? write(request.output, *object) : object.takeError();
  }
  auto text = request.kind == Output::ISA ? generateISA(module, *target)
                                          : generateLLVMIR(module, *target);
  return text ? write(request.output, *text) : text.takeError();
}

Error run(const Request &request) {
  if (Error error = check(request))
    return error;
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = parseKernelFile(request.input, context);
  if (!module)
    return module.takeError();
  if (!hasKernel(**module))
    return translateMachineLevel(**module, request);
  if (request.kind == Output::List)
    return list(**module, request);
  return request.kind == Output::All ? makeAll(**module, request)
                                     : makeOne(**module, request);
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << "fly-translate " FLY_VERSION "\n"; });
  cl::ParseCommandLineOptions(argc, argv, overview);
  if (Error error = run(Request())) {
    llvm::WithColor::error(llvm::errs(), "fly-translate")
        << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
