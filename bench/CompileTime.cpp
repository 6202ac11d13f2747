//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// User time of compiling a kernel in process, beside that of LLVM's own tools
// (opt -O3, llc -O3, ld.lld) on the same module, taken in turns in one run. The
// counter "ratio" is in process over tools; the project's limit is 1.3.

#include "fly/Target/Compile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include "benchmark/benchmark.h"

#include <sys/resource.h>

using namespace fly;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

/// User seconds of this process, all threads.
double userSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_utime.tv_sec) + double(usage.ru_utime.tv_usec) * 1e-6;
}

/// Runs one of LLVM's tools and returns its user seconds.
Expected<double> runTool(StringRef name, llvm::ArrayRef<StringRef> arguments) {
  std::string path = (FLY_LLVM_TOOLS "/" + name).str();
  llvm::SmallVector<StringRef> all = {path};
  all.append(arguments.begin(), arguments.end());
  std::optional<llvm::sys::ProcessStatistics> statistics;
  std::string message;
  int code = llvm::sys::ExecuteAndWait(path, all, std::nullopt, {}, 0, 0,
                                       &message, nullptr, &statistics);
  if (code != 0 || !statistics)
    return llvm::createStringError(name + " failed: " + message);
  return double(statistics->UserTime.count()) * 1e-6;
}

/// Temporary files of one run of the tools.
struct ToolFiles {
  ToolFiles() {
    for (auto *path : {&input, &optimized, &object, &linked})
      if (llvm::sys::fs::createTemporaryFile("fly-bench", "tmp", *path))
        path->clear();
  }
  ~ToolFiles() {
    for (auto *path : {&input, &optimized, &object, &linked})
      llvm::sys::fs::remove(*path);
  }
  llvm::SmallString<64> input, optimized, object, linked;
};

Expected<double> runTools(StringRef ir, StringRef arch) {
  ToolFiles files;
  if (Error error = llvm::writeToOutput(files.input, [&](auto &os) {
        os << ir;
        return Error::success();
      }))
    return error;
  std::string cpu = ("-mcpu=" + arch).str();
  double seconds = 0;
  auto add = [&](StringRef name, llvm::ArrayRef<StringRef> arguments) -> Error {
    Expected<double> time = runTool(name, arguments);
    if (!time)
      return time.takeError();
    seconds += *time;
    return Error::success();
  };
  if (Error error =
          add("opt", {"-O3", cpu, files.input, "-o", files.optimized}))
    return error;
  if (Error error = add("llc", {"-O3", cpu, "-filetype=obj", files.optimized,
                                "-o", files.object}))
    return error;
  if (Error error =
          add("ld.lld", {"-shared", files.object, "-o", files.linked}))
    return error;
  return seconds;
}

/// What the tools get: the same kernel as LLVM IR, so that parsing the kernel
/// file, scheduling, proving and checking count against fly alone.
Expected<std::string> llvmIR(StringRef path, const CompileOptions &options) {
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = parseKernelFile(path, context);
  if (!module)
    return module.takeError();
  return compileToLLVMIR(**module, options);
}

void compileTime(benchmark::State &state, const char *file,
                 const char *variant) {
  std::string path = std::string(FLY_SOURCE_DIR "/kernels/") + file;
  CompileOptions options = {"gfx950", variant};
  Expected<std::string> ir = llvmIR(path, options);
  if (!ir)
    return state.SkipWithError(llvm::toString(ir.takeError()).c_str());
  double inProcess = 0, tools = 0;
  for (auto _ : state) {
    double start = userSeconds();
    auto kernel = compileKernelFile(path, options);
    double own = userSeconds() - start;
    if (!kernel)
      return state.SkipWithError(llvm::toString(kernel.takeError()).c_str());
    Expected<double> others = runTools(*ir, options.arch);
    if (!others)
      return state.SkipWithError(llvm::toString(others.takeError()).c_str());
    inProcess += own;
    tools += *others;
    state.SetIterationTime(own);
  }
  double count = double(state.iterations());
  state.counters["in_process_ms"] = inProcess / count * 1e3;
  state.counters["tools_ms"] = tools / count * 1e3;
  state.counters["ratio"] = inProcess / tools;
}

#define FLY_COMPILE_TIME(name, file, variant)                                  \
  BENCHMARK_CAPTURE(compileTime, name, file, variant)                          \
      ->UseManualTime()                                                        \
      ->Iterations(20)                                                         \
      ->Unit(benchmark::kMillisecond)

FLY_COMPILE_TIME(gemm_a16w16_128x128, "gemm_a16w16.mlir", "bf16_128x128");
FLY_COMPILE_TIME(grouped_gemm_blockscale_128x128,
                 "grouped_gemm_blockscale_contiguous.mlir", "128x128");
FLY_COMPILE_TIME(grouped_gemm_blockscale_128x256,
                 "grouped_gemm_blockscale_contiguous.mlir", "128x256");

} // namespace

BENCHMARK_MAIN();
