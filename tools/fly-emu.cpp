//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// fly-emu: run a kernel of any code object on the emulator.

#include "fly/Cli/Choice.h"
#include "fly/Cli/Interrupt.h"
#include "fly/Cli/Json.h"
#include "fly/Cli/LaunchOptions.h"
#include "fly/Cli/Output.h"
#include "fly/Cli/ProgressBar.h"
#include "fly/CodeObject/CodeObject.h"
#include "fly/Emulator/Coverage.h"
#include "fly/Emulator/Emulator.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace fly;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;
namespace json = llvm::json;

static cl::OptionCategory category("fly-emu options");

static cl::opt<std::string> inputPath(cl::Positional, cl::desc("FILE.hsaco"),
                                      cl::cat(category));
static cl::opt<std::string>
    kernelName("kernel",
               cl::desc("The kernel to run; may be left out if the object has "
                        "one only"),
               cl::value_desc("NAME"), cl::cat(category));
static LaunchOptions launchOptions(category);
enum class Switch { Off, On };
static Choice<Switch>
    check("check", cl::desc("Find races, early reads, bad addresses and hangs"),
          cl::values(clEnumValN(Switch::On, "on", "checking mode"),
                     clEnumValN(Switch::Off, "off", "fast mode")),
          cl::init(Switch::On), cl::cat(category));
static cl::opt<std::string> jsonPath("json",
                                     cl::desc("Write the result as JSON; - is "
                                              "stdout"),
                                     cl::value_desc("FILE"), cl::cat(category));
static cl::opt<unsigned> threads("jobs",
                                 cl::desc("Worker threads; 0 is one a core"),
                                 cl::init(0), cl::cat(category));
static cl::opt<bool>
    deterministic("deterministic",
                  cl::desc("Order-dependent atomics follow workgroup order "
                           "(one thread)"),
                  cl::cat(category));
static Choice<MfmaRounding> mfmaRounding(
    "mfma-rounding", cl::desc("How an MFMA rounds its sum"),
    cl::values(clEnumValN(MfmaRounding::SequentialFused, "sequential",
                          "one fused multiply-add after another, k ascending"),
               clEnumValN(MfmaRounding::ExactThenRound, "exact",
                          "exact sum, rounded once"),
               clEnumValN(MfmaRounding::Cdna3Grouped, "cdna3",
                          "the published grouped scheme of gfx942")),
    cl::init(MfmaRounding::SequentialFused), cl::cat(category));
static cl::opt<bool> soffsetInRange(
    "range-check-soffset",
    cl::desc("Buffer range checks include SOFFSET (observed on gfx950)"),
    cl::init(true), cl::cat(category));
enum class Alignment { Byte, Dword };
static Choice<Alignment> alignment(
    "alignment-mode", cl::desc("Misaligned buffer, global and LDS accesses"),
    cl::values(clEnumValN(Alignment::Byte, "byte", "work at any address"),
               clEnumValN(Alignment::Dword, "dword",
                          "drop the low address bits")),
    cl::init(Alignment::Byte), cl::cat(category));
static Choice<ScaleZero> scaleZero(
    "scale-zero", cl::desc("What an E8M0 scale of 0 stands for"),
    cl::values(clEnumValN(ScaleZero::Minus127, "2^-127", "as the format says"),
               clEnumValN(ScaleZero::Minus126, "2^-126", "least normal f32"),
               clEnumValN(ScaleZero::Flush, "flush", "zero")),
    cl::init(ScaleZero::Minus127), cl::cat(category));
static Choice<PermlaneSwap> permlaneSwap(
    "permlane-swap", cl::desc("Lanes that a permlane swap writes"),
    cl::values(clEnumValN(PermlaneSwap::Lane, "lane", "the active ones"),
               clEnumValN(PermlaneSwap::Pair, "pair",
                          "both of a pair if both are active"),
               clEnumValN(PermlaneSwap::All, "all", "all")),
    cl::init(PermlaneSwap::Lane), cl::cat(category));
static Choice<MfmaInterlock> mfmaInterlock(
    "mfma-interlock",
    cl::desc("Wait states after matrix instructions that the hardware makes "
             "itself; a lint where they are missing"),
    cl::values(clEnumValN(MfmaInterlock::None, "none", "none of them"),
               clEnumValN(MfmaInterlock::Results, "results",
                          "before VALU and memory instructions that read the "
                          "result"),
               clEnumValN(MfmaInterlock::All, "all", "all")),
    cl::init(MfmaInterlock::Results), cl::cat(category));
static cl::opt<unsigned> valuToMfmaWaits(
    "valu-mfma-waits",
    cl::desc(
        "Wait states from a VALU result to a matrix instruction that reads "
        "it"),
    cl::value_desc("N"), cl::init(EmulatorOptions().valuToMfmaWaits),
    cl::cat(category));
enum class CopyX3Step { Twelve = 12, Sixteen = 16 };
static Choice<CopyX3Step> ldsCopyX3Step(
    "lds-copy-x3-step",
    cl::desc("Bytes between the lanes of a three-dword direct-to-LDS load"),
    cl::values(clEnumValN(CopyX3Step::Sixteen, "16", "by the CDNA4 ISA manual"),
               clEnumValN(CopyX3Step::Twelve, "12", "without a gap")),
    cl::init(CopyX3Step::Sixteen), cl::cat(category));
enum class LdsAtomics { Relaxed, Ordered };
static Choice<LdsAtomics> ldsAtomics(
    "lds-atomics",
    cl::desc("Plain LDS accesses against atomics of other waves"),
    cl::values(clEnumValN(LdsAtomics::Relaxed, "relaxed",
                          "one aligned element of up to 8 bytes may race with "
                          "them, as relaxed atomic loads and stores do"),
               clEnumValN(LdsAtomics::Ordered, "ordered",
                          "all must be ordered")),
    cl::init(LdsAtomics::Relaxed), cl::cat(category));
static cl::opt<uint32_t> stackBytes(
    "stack",
    cl::desc("Scratch of a lane, at least, of a kernel that recurses "
             "or whose stack is not known for other reasons"),
    cl::value_desc("BYTES"), cl::init(EmulatorOptions().dynamicStackBytes),
    cl::cat(category));
static cl::opt<uint64_t>
    maxInstructions("max-instructions",
                    cl::desc("Instructions of one wave after which the run "
                             "counts as endless; 0 is 2^28, or 2^26 with "
                             "checks"),
                    cl::value_desc("N"), cl::init(0), cl::cat(category));
static cl::opt<unsigned> maxReports("max-reports",
                                    cl::desc("Findings shown; further ones are "
                                             "counted"),
                                    cl::value_desc("N"),
                                    cl::init(EmulatorOptions().maxReports),
                                    cl::cat(category));

static cl::list<std::string>
    traces("trace",
           cl::desc("Print every instruction that a wave executes, or that all "
                    "waves of a (linear) workgroup do; may be given several "
                    "times"),
           cl::value_desc("GROUP[,WAVE]"), cl::cat(category));
static cl::opt<bool>
    counts("counts",
           cl::desc("Print how often each kind of instruction was executed, by "
                    "all waves; in the JSON each instruction by its address"),
           cl::cat(category));
static cl::opt<bool> strict("strict", cl::desc("Lints count as errors"),
                            cl::cat(category));
static cl::opt<std::string>
    listInstructions("list-instructions",
                     cl::desc("Print every instruction of a chip, its unit, "
                              "its forms that are emulated of those that LLVM "
                              "knows, and why it is not emulated, with tabs "
                              "between them, and stop"),
                     cl::value_desc("gfx950|gfx942"), cl::cat(category));

static const char *const overview =
    R"(fly-emu: run a kernel of any gfx950 or gfx942 code object on the CPU

The object is what a GPU would load: linked machine code, whoever compiled it.
In checking mode (the default) data lands as late as the waits allow, and races,
registers used before their wait, uninitialised reads, addresses outside every
buffer, barriers and hangs are reported with the two accesses that conflict.

  fly-emu add.hsaco --kernel=add --grid=16 --block=256 \
    --arg=@a.npy --arg=@b.npy --arg=@out.npy:rw --arg=i32:4096

Exit code: 0 the kernel ran and no error was found; 1 an error was found (a hang
included); 2 it could not run (bad file, unknown kernel, wrong arguments,
impossible block or LDS size, an instruction the emulator does not know); 130 it
was stopped by Ctrl-C, which says how far it was and writes no file.
Lints, things that are known to work but are not promised, are shown and change
the exit code with --strict only.
)";

/// Nothing was found that counts.
static bool isClean(const LaunchResult &result) {
  return result.passed() && !(strict && !result.reports.empty());
}

static json::Value toJson(const LaunchParams &params,
                          const LaunchResult &result, StringRef arch,
                          double seconds) {
  json::Array reports;
  for (const Report &report : result.reports)
    reports.push_back(json::Object{
        {"severity",
         report.severity == Report::Severity::Error ? "error" : "lint"},
        {"kind", report.kind},
        {"message", report.message},
        {"count", report.count}});
  json::Object object{
      {"kernel", params.kernel},
      {"arch", arch},
      {"grid", json::Array{params.grid[0], params.grid[1], params.grid[2]}},
      {"block", json::Array{params.block[0], params.block[1], params.block[2]}},
      {"check", check == Switch::On},
      {"passed", isClean(result)},
      {"hung", result.hung},
      {"instructions", result.instructions},
      {"seconds", seconds},
      {"suppressed_reports", result.suppressedReports},
      {"reports", std::move(reports)}};
  if (!counts)
    return std::move(object);
  json::Array executed;
  for (const InstructionCount &each : result.counts)
    executed.push_back(json::Object{
        {"address", "0x" + llvm::utohexstr(each.address, /*LowerCase=*/true)},
        {"text", each.text},
        {"count", each.count}});
  object["counts"] = std::move(executed);
  return std::move(object);
}

/// By mnemonic, the most frequent first.
static void printCounts(const LaunchResult &result, llvm::raw_ostream &os) {
  llvm::StringMap<uint64_t> sums;
  for (const InstructionCount &each : result.counts)
    sums[StringRef(each.text).split(' ').first] += each.count;
  std::vector<std::pair<uint64_t, StringRef>> sorted;
  for (const auto &entry : sums)
    sorted.push_back({entry.second, entry.first()});
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return std::tuple(b.first, a.second) < std::tuple(a.first, b.second);
  });
  for (const auto &[count, name] : sorted)
    os << llvm::formatv("{0,12} {1}\n", count, name);
}

static void printReports(const LaunchResult &result, llvm::raw_ostream &os) {
  for (const Report &report : result.reports) {
    bool isError = report.severity == Report::Severity::Error;
    (isError ? llvm::WithColor::error(os, "fly-emu")
             : llvm::WithColor::warning(os, "fly-emu"))
        << report.kind << ": " << report.message;
    if (report.count > 1)
      os << " (" << report.count << " times)";
    os << "\n";
  }
  if (result.suppressedReports)
    os << result.suppressedReports << " further findings\n";
}

static EmulatorOptions emulatorOptions() {
  EmulatorOptions options;
  options.check = check == Switch::On;
  options.threads = threads;
  options.deterministic = deterministic;
  options.mfmaRounding = mfmaRounding;
  options.rangeCheckIncludesSoffset = soffsetInRange;
  options.dropLowAddressBits = alignment == Alignment::Dword;
  options.scaleZero = scaleZero;
  options.permlaneSwap = permlaneSwap;
  options.mfmaInterlock = mfmaInterlock;
  options.valuToMfmaWaits = valuToMfmaWaits;
  options.ldsCopyX3Step = unsigned(ldsCopyX3Step.getValue());
  options.orderLdsAtomics = ldsAtomics == LdsAtomics::Ordered;
  options.dynamicStackBytes = stackBytes;
  options.maxInstructionsPerWave = maxInstructions;
  options.maxReports = maxReports;
  options.countInstructions = counts;
  return options;
}

static Error setTrace(EmulatorOptions &options) {
  for (StringRef text : traces) {
    TracedWave chosen;
    auto [group, wave] = text.split(',');
    unsigned number = 0;
    if (group.getAsInteger(10, chosen.workgroup) ||
        (text.contains(',') && wave.getAsInteger(10, number)))
      return llvm::createStringError("--trace=" + text +
                                     ": expected GROUP,WAVE or GROUP");
    if (text.contains(','))
      chosen.wave = number;
    options.tracedWaves.push_back(chosen);
  }
  if (!traces.empty())
    options.trace = &llvm::outs();
  return Error::success();
}

/// Options that would leave each other without effect.
static Error checkOptions() {
  if (strict && check == Switch::Off)
    return llvm::createStringError(
        "--strict counts lints, which --check=off does not look for");
  if (deterministic && threads > 1)
    return llvm::createStringError(
        llvm::formatv("--deterministic is one thread, --jobs={0} asks for more",
                      threads.getValue()));
  if (!traces.empty() && jsonPath == "-")
    return llvm::createStringError("--trace prints to stdout, where --json=- "
                                   "writes; expected --json=FILE");
  return checkOutput(jsonPath);
}

static int printInstructions() {
  if (!inputPath.empty()) {
    llvm::WithColor::error(llvm::errs(), "fly-emu")
        << "--list-instructions takes no code object, got '" << inputPath
        << "'\n";
    return 2;
  }
  auto list = instructionCoverage(listInstructions);
  if (!list) {
    llvm::WithColor::error(llvm::errs(), "fly-emu")
        << llvm::toString(list.takeError()) << "\n";
    return 2;
  }
  for (const InstructionCoverage &entry : *list) {
    llvm::outs() << entry.key << '\t' << unitName(entry.unit) << '\t'
                 << entry.emulated << '/' << entry.forms << '\t';
    if (!entry.reason.empty())
      llvm::outs() << "stops: " << entry.reason;
    else if (!entry.missing.empty())
      llvm::outs() << "unknown: " << llvm::join(entry.missing, " ");
    llvm::outs() << '\n';
  }
  return 0;
}

/// Launches, with a progress bar; Ctrl-C stops it. What was found until then is
/// shown.
static Expected<LaunchResult>
launch(Emulator &emulator, const EmulatorModule &module,
       const LaunchParams &params, CancellationToken &token, ProgressBar &bar) {
  InterruptScope interrupt(token);
  Expected<LaunchResult> result = emulator.launch(module, params);
  bar.clear();
  if (result)
    return result;
  return llvm::handleErrors(
      result.takeError(),
      [](std::unique_ptr<LaunchCancelled> cancelled) -> Error {
        printReports(cancelled->partial, llvm::errs());
        return Error(std::move(cancelled));
      });
}

static Error report(const LaunchParams &params, const LaunchResult &result,
                    StringRef arch, double seconds) {
  printReports(result, llvm::errs());
  if (jsonPath != "-")
    llvm::outs() << llvm::formatv(
        "{0} on emulated {1}: {2} instructions in {3:f3} s, {4}\n",
        params.kernel, arch, result.instructions, seconds,
        isClean(result) ? "passed" : "FAILED");
  if (counts && jsonPath != "-")
    printCounts(result, llvm::outs());
  if (jsonPath.empty())
    return Error::success();
  return writeJson(jsonPath, toJson(params, result, arch, seconds));
}

/// Runs the kernel; whether it passed.
static Expected<bool> run() {
  if (Error error = checkOptions())
    return std::move(error);
  if (inputPath.empty())
    return llvm::createStringError("no code object given; see --help");
  Expected<CodeObject> object = CodeObject::readFile(inputPath);
  if (!object)
    return object.takeError();
  Expected<const Kernel &> kernel = kernelName.empty()
                                        ? object->onlyKernel()
                                        : object->findKernel(kernelName);
  if (!kernel)
    return kernel.takeError();
  EmulatorOptions options = emulatorOptions();
  if (Error error = setTrace(options))
    return std::move(error);
  CancellationToken token;
  ProgressBar bar;
  options.cancellation = &token;
  options.progress = [&](const LaunchProgress &p) { bar.update(p); };
  auto emulator = Emulator::create(object->target().name, options);
  if (!emulator)
    return emulator.takeError();
  auto module = (*emulator)->load(object->bytes());
  if (!module)
    return module.takeError();
  DeviceMemory &memory = (*emulator)->memory();
  Expected<PreparedLaunch> prepared = launchOptions.prepare(*kernel, memory);
  if (!prepared)
    return prepared.takeError();
  for (const std::string &path : prepared->args.outputs())
    if (Error error = checkOutput(path))
      return std::move(error);
  auto start = std::chrono::steady_clock::now();
  Expected<LaunchResult> result =
      launch(**emulator, **module, prepared->params, token, bar);
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  if (!result)
    return result.takeError();
  if (Error error = prepared->args.writeBack(memory))
    return std::move(error);
  if (Error error = report(prepared->params, *result, object->target().name,
                           seconds.count()))
    return std::move(error);
  return isClean(*result);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { os << "fly-emu " << FLY_VERSION << "\n"; });
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return 2;
  if (!listInstructions.empty())
    return printInstructions();
  Expected<bool> passed = run();
  if (!passed) {
    Error error = passed.takeError();
    int code = error.isA<LaunchCancelled>() ? interruptedExitCode : 2;
    llvm::WithColor::error(llvm::errs(), "fly-emu")
        << llvm::toString(std::move(error)) << "\n";
    return code;
  }
  return *passed ? 0 : 1;
}
