//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// fly-run: compiles a kernel, runs it on a device, and compares the result.

#include "fly/Cli/Interrupt.h"
#include "fly/Cli/Json.h"
#include "fly/Cli/Output.h"
#include "fly/Cli/ProgressBar.h"
#include "fly/CodeObject/CodeObject.h"
#include "fly/Runner/Run.h"
#include "fly/Target/VariantOptions.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

#include <chrono>

using namespace fly;
using namespace llvm;

static cl::OptionCategory category("fly-run options");

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("KERNEL.mlir"), cl::cat(category));
static VariantOptions variantOptions(category);
static cl::opt<std::string>
    manifestPath("manifest",
                 cl::desc("KERNEL is a code object, and this its manifest"),
                 cl::value_desc("FILE"), cl::cat(category));
static cl::opt<std::string>
    deviceKind("device",
               cl::desc("auto (a GPU if there is one, else the emulator), hip "
                        "or emulator"),
               cl::value_desc("KIND"), cl::init("auto"), cl::cat(category));
static cl::opt<int64_t>
    numXcds("num-xcds",
            cl::desc("XCDs to map workgroups for; 0 (default) for the arch's, "
                     "1 for none"),
            cl::init(0), cl::cat(category));
static cl::opt<int64_t> groupSizeM(
    "group-size-m",
    cl::desc("Rows of tiles to walk before the next column (default 4)"),
    cl::init(4), cl::cat(category));
static cl::opt<bool> listOnly("list-variants",
                              cl::desc("Print the variants and stop"),
                              cl::cat(category));
static cl::opt<int64_t>
    groups("groups", cl::desc("Groups of a grouped problem (default 4)"),
           cl::init(4), cl::cat(category));
static cl::list<int64_t>
    groupRows("group-rows",
              cl::desc("Valid rows of each group, instead of --groups and --m"),
              cl::value_desc("M0,M1,..."), cl::CommaSeparated,
              cl::cat(category));
static cl::opt<int64_t>
    m("m", cl::desc("Valid rows of each group; all rows when dense"),
      cl::init(256), cl::cat(category));
static cl::opt<int64_t> n("n", cl::desc("Columns of the result"), cl::init(512),
                          cl::cat(category));
static cl::opt<int64_t> k("k", cl::desc("Length of the sums"), cl::init(512),
                          cl::cat(category));
static cl::opt<int64_t>
    padding("padding",
            cl::desc("Elements past each row of A, B and D; those of A and B "
                     "are NaN, those of D must stay"),
            cl::init(0), cl::cat(category));
static cl::opt<bool>
    exact("exact", cl::desc("Operands with exact sums, compared bit for bit"),
          cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("Seed of the operands"),
                              cl::init(1), cl::cat(category));
static cl::opt<bool> checkRaces(
    "check-races",
    cl::desc("The emulator reports races, early and uninitialised reads, and "
             "bad addresses; slower"),
    cl::cat(category));
static cl::opt<std::string>
    jsonPath("json", cl::desc("Also write the result as JSON; - is stdout"),
             cl::value_desc("FILE"), cl::cat(category));

static const char overview[] =
    R"(fly-run: compile a GEMM kernel, run it, and say whether the result is right

  fly-run kernels/gemm_a16w16.mlir --arch=gfx950 --m=512 --n=512 --k=1024
  fly-run kernels/grouped_gemm_blockscale_contiguous.mlir --arch=gfx950 \
      --groups=8 --m=256 --n=2048 --k=7168 --check-races
  fly-run gemm.hsaco --manifest=gemm.json --exact --json=-

The result is compared with the product before quantisation (DeepGEMM's
calc_diff), and, in each 16 x 16 tile, with the dequantised product in double
precision; with --exact, bit for bit. Exit code: 0 if everything is right and
nothing was reported, 1 if not, 2 if it could not run, 130 if Ctrl-C stopped it.
)";

namespace {

/// The options, copied: linking a code object resets the command line's.
struct Request {
  std::string input = ::input, arch = variantOptions.arch(),
              manifest = manifestPath;
  std::string device = deviceKind, json = jsonPath;
  VariantQuery query = variantOptions.query();
  bool listOnly = ::listOnly, checkRaces = ::checkRaces;
  bool groupsGiven = groups.getNumOccurrences() || groupRows.size();
  int64_t groupCount = groups;
  int64_t numXcds = ::numXcds, groupSizeM = ::groupSizeM;
  bool mapGiven =
      ::numXcds.getNumOccurrences() || ::groupSizeM.getNumOccurrences();
  RunRequest run;

  Request() {
    run.groupRows.assign(groupRows.begin(), groupRows.end());
    run.m = m;
    run.n = n;
    run.k = k;
    run.padding = padding;
    run.exact = exact;
    run.seed = seed;
  }
};

struct BuiltKernel {
  SmallVector<char, 0> object;
  Manifest manifest;
  double compileSeconds = 0;
};

} // namespace

static Expected<BuiltKernel> readObject(const Request &request) {
  auto manifest = Manifest::readFile(request.manifest);
  if (!manifest)
    return manifest.takeError();
  auto object = CodeObject::readFile(request.input);
  if (!object)
    return object.takeError();
  if (!request.arch.empty() && request.arch != manifest->arch)
    return createStringError("--arch=" + request.arch + ": '" +
                             request.manifest + "' is the manifest of a " +
                             manifest->arch + " object");
  return BuiltKernel{SmallVector<char, 0>(object->bytes()),
                     std::move(*manifest)};
}

/// Options that would leave each other without effect, and a result that could
/// not be written.
static Error checkOptions(const Request &request) {
  const VariantQuery &query = request.query;
  bool picks = !query.variant.empty() || !query.tile.empty() ||
               !query.dtype.empty() || request.listOnly || request.mapGiven;
  if (!request.manifest.empty() && picks)
    return createStringError(
        "--manifest is of an object that is compiled: expected none of "
        "--variant, --tile, --dtype, --list-variants, --num-xcds, "
        "--group-size-m");
  constexpr int64_t maxGroups = 1 << 20;
  if (request.groupCount < 1 || request.groupCount > maxGroups)
    return createStringError(formatv("--groups: expected 1 to {0}, got {1}",
                                     maxGroups, request.groupCount));
  return checkOutput(request.json);
}

static Expected<BuiltKernel> compile(const Request &request,
                                     mlir::ModuleOp module) {
  if (Error error = checkArchGiven(request.arch))
    return std::move(error);
  auto target = lookupTarget(request.arch);
  if (!target)
    return target.takeError();
  auto selected =
      selectVariant(module, request.query,
                    {target->computeUnits, request.run.m, request.run.n});
  if (!selected)
    return selected.takeError();
  auto start = std::chrono::steady_clock::now();
  auto compiled = compileKernel(
      module, {request.arch, *selected, request.numXcds, request.groupSizeM});
  if (!compiled)
    return compiled.takeError();
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  return BuiltKernel{std::move(compiled->object), std::move(compiled->manifest),
                     elapsed.count()};
}

/// Rows of each group: --group-rows, else --groups times --m.
static void spreadRows(Request &request, const Manifest &manifest) {
  bool grouped = manifest.problem != "gemm";
  if (request.run.groupRows.empty() && (grouped || request.groupsGiven))
    request.run.groupRows.assign(request.groupCount, request.run.m);
}

static Expected<bool> run(Request &request, BuiltKernel &kernel) {
  spreadRows(request, kernel.manifest);
  EmulatorOptions options;
  options.check = request.checkRaces;
  CancellationToken token;
  ProgressBar bar;
  options.cancellation = &token;
  options.progress = [&](const LaunchProgress &p) { bar.update(p); };
  std::string whyNot;
  auto device =
      createDevice(request.device, kernel.manifest.arch, options, &whyNot);
  if (!device)
    return device.takeError();
  // Everywhere else Ctrl-C ends the process: nothing has been written. A GPU
  // cannot be stopped.
  bool canStop = (*device)->kind() == "emulator";
  std::optional<InterruptScope> interrupt;
  Expected<RunReport> report =
      runAndCheck(**device, kernel.object, kernel.manifest, request.run,
                  [&](RunStep step, double done) {
                    interrupt.reset();
                    if (step == RunStep::Launch && canStop)
                      interrupt.emplace(token);
                    bar.update(describe(step), done);
                  });
  interrupt.reset();
  bar.clear();
  if (!report)
    return report.takeError();
  report->compileSeconds = kernel.compileSeconds;
  if (!whyNot.empty())
    report->deviceDescription += " (" + whyNot + ")";
  // With the JSON on stdout the table goes beside it.
  report->print(request.json == "-" ? errs() : outs());
  if (!request.json.empty())
    if (Error error = writeJson(request.json, report->toJSON()))
      return std::move(error);
  return report->passed();
}

static Expected<bool> runTool(Request &request) {
  if (Error error = checkOptions(request))
    return std::move(error);
  if (!request.manifest.empty()) {
    auto kernel = readObject(request);
    return kernel ? run(request, *kernel) : kernel.takeError();
  }
  file_magic magic;
  if (!identify_magic(request.input, magic) &&
      magic == file_magic::elf_shared_object)
    return createStringError("'" + request.input +
                             "' is a code object, give its manifest as well: "
                             "--manifest=FILE");
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = parseKernelFile(request.input, context);
  if (!module)
    return module.takeError();
  if (request.listOnly) {
    auto names = listVariants(**module, request.arch);
    if (!names)
      return names.takeError();
    for (const std::string &name : *names)
      outs() << name << "\n";
    return true;
  }
  auto kernel = compile(request, **module);
  return kernel ? run(request, *kernel) : kernel.takeError();
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(
      [](raw_ostream &os) { os << "fly-run " FLY_VERSION "\n"; });
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &errs()))
    return 2;
  Request request;
  Expected<bool> passed = runTool(request);
  if (passed)
    return *passed ? 0 : 1;
  Error error = passed.takeError();
  int code = error.isA<LaunchCancelled>() ? interruptedExitCode : 2;
  WithColor::error(errs(), "fly-run") << toString(std::move(error)) << "\n";
  return code;
}
