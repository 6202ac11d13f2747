//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// fly-inspect: what the kernels of a code object are made of.

#include "fly/Cli/Json.h"
#include "fly/Cli/LaunchOptions.h"
#include "fly/Cli/Output.h"
#include "fly/CodeObject/CodeObject.h"
#include "fly/Emulator/Emulator.h"
#include "fly/Inspect/Inspect.h"
#include "fly/Runner/Run.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace fly;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;
namespace json = llvm::json;

static cl::OptionCategory category("fly-inspect options");

static cl::opt<std::string> inputPath(cl::Positional, cl::Required,
                                      cl::desc("FILE.hsaco"),
                                      cl::cat(category));
static cl::opt<std::string>
    kernelName("kernel", cl::desc("The kernel; all of them if left out"),
               cl::value_desc("NAME"), cl::cat(category));
static cl::opt<std::string> jsonPath("json",
                                     cl::desc("Write the result as JSON; - is "
                                              "stdout"),
                                     cl::value_desc("FILE"), cl::cat(category));
static cl::opt<std::string>
    manifestPath("manifest",
                 cl::desc("The manifest of the object: gives workgroup size, "
                          "tile and K step, and a small problem of one tile "
                          "to execute"),
                 cl::value_desc("FILE"), cl::cat(category));
/// A launch to execute; no file is written.
static LaunchOptions launchOptions(category);

static const char *const overview =
    R"(fly-inspect: what the kernels of a gfx950 or gfx942 code object are made of

Registers, LDS, scratch, occupancy; of the hot loop (the innermost loop with the
most MFMA) the instructions by kind, waits, barriers, MFMA cycles, bytes from
memory for each FLOP, and what is wrong with it. Any compiler's objects do:

  fly-inspect kernel.hsaco
  fly-inspect kernel.hsaco --kernel=gemm --json=-

LDS bank conflicts are counted from addresses that were executed. For that the
emulator runs a launch that you give as to fly-emu, or, for an object of fly, a
small problem made from its manifest:

  fly-inspect copy.hsaco --grid=1 --block=256 --arg=@in.npy --arg=@out.npy
  fly-inspect gemm.hsaco --manifest=gemm.json

Exit code: 0 the object was read (and the launch ran); 2 if not: a bad file, an
unknown kernel, a launch that cannot run. What the flags say changes nothing.
docs/inspect.md explains every field.
)";

/// Whatever went wrong in the launch, as an error.
static Error errorOfReports(llvm::ArrayRef<Report> reports) {
  for (const Report &report : reports)
    if (report.severity == Report::Severity::Error)
      return llvm::createStringError("the launch went wrong: " + report.kind +
                                     ": " + report.message);
  return Error::success();
}

static EmulatorOptions fastMode(BankConflictObserver &observer) {
  EmulatorOptions options;
  options.check = false;
  options.observer = &observer;
  return options;
}

/// Runs the launch that the command line gives.
static Expected<unsigned> runLaunch(const CodeObject &object,
                                    const Kernel &kernel,
                                    BankConflictObserver &observer) {
  auto emulator = Emulator::create(object.target().name, fastMode(observer));
  if (!emulator)
    return emulator.takeError();
  auto module = (*emulator)->load(object.bytes());
  if (!module)
    return module.takeError();
  auto prepared = launchOptions.prepare(kernel, (*emulator)->memory());
  if (!prepared)
    return prepared.takeError();
  const LaunchParams &params = prepared->params;
  Expected<LaunchResult> result = (*emulator)->launch(**module, params);
  if (!result)
    return result.takeError();
  if (Error error = errorOfReports(result->reports))
    return std::move(error);
  return params.block[0] * params.block[1] * params.block[2];
}

/// Runs one tile of the manifest's problem, with K enough for two passes of a
/// loop over two K tiles between prologue and drain.
static Error runManifest(const CodeObject &object, const Manifest &manifest,
                         BankConflictObserver &observer) {
  constexpr int64_t kTiles = 8;
  auto device = createEmulatorDevice(object.target().name, fastMode(observer));
  if (!device)
    return device.takeError();
  RunRequest request;
  request.m = manifest.tileM;
  request.n = manifest.tileN;
  request.k = kTiles * manifest.tileK;
  if (manifest.problem != "gemm")
    request.groupRows = {manifest.tileM};
  auto report = runAndCheck(
      **device,
      llvm::ArrayRef(reinterpret_cast<const char *>(object.bytes().data()),
                     object.bytes().size()),
      manifest, request);
  return report ? errorOfReports(report->reports) : report.takeError();
}

static Expected<KernelReport> inspect(const CodeObject &object,
                                      const Disassembly &code,
                                      const Kernel &kernel,
                                      const Manifest *manifest) {
  BankConflictObserver observer(object.target());
  InspectOptions options;
  options.dynamicLdsBytes = launchOptions.ldsBytes();
  if (manifest) {
    options.manifest = manifest;
    if (Error error = runManifest(object, *manifest, observer))
      return std::move(error);
    options.executed = &observer;
  } else if (launchOptions.given()) {
    Expected<unsigned> threads = runLaunch(object, kernel, observer);
    if (!threads)
      return threads.takeError();
    options.workgroupSize = *threads;
    options.executed = &observer;
  }
  return inspectKernel(object, code, kernel, options);
}

/// The kernels to look at; one if there is a launch.
static Expected<std::vector<const Kernel *>>
chooseKernels(const CodeObject &object, const Manifest *manifest) {
  std::string name = kernelName;
  if (manifest && name.empty())
    name = manifest->kernel;
  if (manifest && name != manifest->kernel)
    return llvm::createStringError("--kernel=" + name +
                                   ": the manifest is for kernel '" +
                                   manifest->kernel + "'");
  std::vector<const Kernel *> kernels;
  if (name.empty() &&
      (!launchOptions.given() || object.kernels().size() == 1)) {
    for (const Kernel &kernel : object.kernels())
      kernels.push_back(&kernel);
    return kernels;
  }
  Expected<const Kernel &> kernel = object.findKernel(name);
  if (!kernel)
    return kernel.takeError();
  kernels.push_back(&*kernel);
  return kernels;
}

static Error run() {
  if (Error error = checkOutput(jsonPath))
    return error;
  std::optional<Manifest> manifest;
  if (!manifestPath.empty()) {
    if (launchOptions.given())
      return llvm::createStringError("--manifest gives a launch of its own; "
                                     "expected none by --grid, --block, --arg "
                                     "or --lds");
    Expected<Manifest> read = Manifest::readFile(manifestPath);
    if (!read)
      return read.takeError();
    manifest = std::move(*read);
  }
  Expected<CodeObject> object = CodeObject::readFile(inputPath);
  if (!object)
    return object.takeError();
  const Manifest *chosen = manifest ? &*manifest : nullptr;
  auto kernels = chooseKernels(*object, chosen);
  if (!kernels)
    return kernels.takeError();
  Expected<Disassembly> code = object->disassemble();
  if (!code)
    return code.takeError();
  json::Array list;
  for (const Kernel *kernel : *kernels) {
    Expected<KernelReport> report = inspect(*object, *code, *kernel, chosen);
    if (!report)
      return report.takeError();
    if (jsonPath != "-") {
      printReport(*report, llvm::outs());
      if (kernel != kernels->back())
        llvm::outs() << "\n";
    }
    list.push_back(toJSON(*report));
  }
  if (jsonPath.empty())
    return Error::success();
  return writeJson(jsonPath, json::Object{{"file", inputPath.getValue()},
                                          {"arch", object->target().name},
                                          {"kernels", std::move(list)}});
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "fly-inspect " << FLY_VERSION << "\n";
  });
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return 2;
  if (Error error = run()) {
    llvm::WithColor::error(llvm::errs(), "fly-inspect")
        << llvm::toString(std::move(error)) << "\n";
    return 2;
  }
  return 0;
}
