//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// fly-translate: from a kernel file to LLVM IR, assembly or code objects.

#include "fly/Cli/Json.h"
#include "fly/Target/CodeGen.h"
#include "fly/Target/VariantOptions.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

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
static VariantOptions variantOptions(category);
static cl::opt<std::string>
    manifestPath("manifest",
                 cl::desc("With --fly-to-hsaco: write the manifest as well"),
                 cl::value_desc("FILE"), cl::cat(category));
static cl::opt<std::string>
    jsonPath("json",
             cl::desc("Also write what was made, or the list of variants, as "
                      "JSON; - is stdout"),
             cl::value_desc("FILE"), cl::cat(category));
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
                          "first; with --arch only those for it")),
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
  std::string input = inputPath, output = outputPath;
  std::string arch = variantOptions.arch();
  std::string manifest = manifestPath, json = jsonPath;
  VariantQuery query = variantOptions.query();
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
  if (request.kind != Output::List)
    if (Error error = checkArchGiven(request.arch))
      return error;
  if (!request.manifest.empty() && request.kind != Output::HSACO)
    return llvm::createStringError("--manifest goes with --fly-to-hsaco");
  if (!request.json.empty() &&
      (request.kind == Output::LLVMIR || request.kind == Output::ISA))
    return llvm::createStringError("--json goes with --fly-to-hsaco, --all and "
                                   "--list-variants");
  if (request.json == "-" && request.output == "-" &&
      request.kind != Output::List)
    return llvm::createStringError("--json=- needs -o FILE: both would go to "
                                   "stdout");
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

/// A compiled kernel and where it goes.
struct Made {
  CompiledKernel kernel;
  double seconds;
  std::string objectPath, manifestPath;

  llvm::json::Value toJSON() const {
    const Manifest &m = kernel.manifest;
    return llvm::json::Object{{"kernel", m.kernel},
                              {"variant", m.variant},
                              {"arch", m.arch},
                              {"object", objectPath},
                              {"manifest", manifestPath},
                              {"bytes", int64_t(kernel.object.size())},
                              {"vgprs", int64_t(m.vgprs)},
                              {"agprs", int64_t(m.agprs)},
                              {"sgprs", int64_t(m.sgprs)},
                              {"lds_bytes", int64_t(m.ldsBytes)},
                              {"scratch_bytes", int64_t(m.scratchBytes)},
                              {"compile_seconds", seconds}};
  }
};

Expected<Made> make(mlir::ModuleOp module, const Request &request,
                    const std::string &variantName) {
  auto start = std::chrono::steady_clock::now();
  auto kernel = compileKernel(module, {request.arch, variantName});
  if (!kernel)
    return kernel.takeError();
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return Made{std::move(*kernel), time.count(), request.output,
              request.manifest};
}

Error writeReport(const Request &request, llvm::json::Value value) {
  return request.json.empty() ? Error::success()
                              : writeJson(request.json, value);
}

Error writeMade(const Request &request, llvm::ArrayRef<Made> objects) {
  llvm::json::Array list;
  for (const Made &made : objects) {
    Error error = made.manifestPath.empty()
                      ? write(made.objectPath, made.kernel.object)
                      : write(made.kernel, made.objectPath, made.manifestPath);
    if (error)
      return error;
    list.push_back(made.toJSON());
  }
  return writeReport(request, llvm::json::Object{{"input", request.input},
                                                 {"objects", std::move(list)}});
}

Error makeAll(mlir::ModuleOp module, const Request &request) {
  auto variants = listVariants(module, request.arch);
  if (!variants)
    return variants.takeError();
  std::vector<Made> objects;
  for (const std::string &name : *variants) {
    auto made = make(module, request, name);
    if (!made)
      return made.takeError();
    const Manifest &manifest = made->kernel.manifest;
    llvm::SmallString<128> stem(request.output);
    llvm::sys::path::append(stem, manifest.kernel + "." + manifest.variant +
                                      "." + manifest.arch);
    made->objectPath = (stem + ".hsaco").str();
    made->manifestPath = (stem + ".json").str();
    objects.push_back(std::move(*made));
  }
  if (std::error_code code = llvm::sys::fs::create_directories(request.output))
    return llvm::createStringError(code, "cannot make directory " +
                                             request.output + ": " +
                                             code.message());
  return writeMade(request, objects);
}

Error makeOne(mlir::ModuleOp module, const Request &request) {
  auto name = selectVariant(module, request.query);
  if (!name)
    return name.takeError();
  CompileOptions options = {request.arch, *name};
  if (request.kind == Output::HSACO) {
    auto made = make(module, request, *name);
    return made ? writeMade(request, *made) : made.takeError();
  }
  auto text = request.kind == Output::ISA ? compileToISA(module, options)
                                          : compileToLLVMIR(module, options);
  return text ? write(request.output, *text) : text.takeError();
}

Error list(mlir::ModuleOp module, const Request &request) {
  auto variants = describeVariants(module, request.arch);
  if (!variants)
    return variants.takeError();
  std::string text;
  llvm::json::Array array;
  for (const VariantInfo &info : *variants) {
    text += info.name + "\n";
    array.push_back(llvm::json::Object{{"name", info.name},
                                       {"schedule", info.schedule},
                                       {"tile", info.tile},
                                       {"dtype", info.dtype}});
    if (!info.arch.empty())
      array.back().getAsObject()->insert({"arch", info.arch});
  }
  // JSON on stdout stands alone there.
  if (request.json != "-" || request.output != "-")
    if (Error error = write(request.output, text))
      return error;
  return writeReport(request,
                     llvm::json::Object{{"input", request.input},
                                        {"variants", std::move(array)}});
}

Error translateMachineLevel(mlir::ModuleOp module, const Request &request) {
  if (request.picksVariant() || !request.manifest.empty() ||
      !request.json.empty() || request.kind == Output::All ||
      request.kind == Output::List)
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
