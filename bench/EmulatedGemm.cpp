//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Speed of emulated GEMM kernels, in fast and in checking mode, beside OpenBLAS
// sgemm of the same size on the same threads in the same run. The counter
// "of_sgemm" is GFLOP/s over that of sgemm; the limits to hold it against are
// 0.5 (bf16, fast), 0.4 (fp8, fast) and 0.15 (checking). Arguments: M, N, K,
// threads. The label names the CPU that OpenBLAS runs for: a wrong guess of it,
// or OPENBLAS_CORETYPE, makes the peer slow.

#include "Sgemm.h"

#include "fly/Runner/Execute.h"
#include "fly/Target/Compile.h"

#include "benchmark/benchmark.h"

#include <string>

using namespace fly;
using llvm::cantFail;

namespace {

void runKernel(benchmark::State &state, const char *file, const char *variant,
               bool check) {
  CompiledKernel compiled = cantFail(compileKernelFile(
      std::string(FLY_SOURCE_DIR "/kernels/") + file, {"gfx950", variant}));
  Shape shape;
  shape.m = state.range(0);
  shape.n = state.range(1);
  shape.k = state.range(2);
  if (compiled.manifest.groupAlignment) {
    shape.groups = 1;
    shape.layout.assign(shape.m, 0);
  }
  Problem problem = cantFail(Problem::create(compiled.manifest, shape));
  Operands operands = cantFail(makeExactOperands(problem, 1));
  EmulatorOptions options;
  options.check = check;
  options.threads = state.range(3);
  auto device = cantFail(createEmulatorDevice("gfx950", options));
  auto kernel = cantFail(device->load(compiled.object, compiled.manifest));
  double seconds = 0;
  for (auto _ : state) {
    Execution execution =
        cantFail(execute(*device, *kernel, problem, operands));
    seconds += execution.seconds;
    state.SetIterationTime(execution.seconds);
  }
  double flops = 2.0 * shape.m * shape.n * shape.k * state.iterations();
  double speed = 1e-9 * flops / seconds;
  state.counters["GFLOP/s"] = speed;
  state.counters["of_sgemm"] =
      speed / sgemmSpeed(shape.m, shape.n, shape.k, options.threads);
  state.SetLabel(sgemmKernel());
}

void sizes(benchmark::internal::Benchmark *benchmark) {
  for (int threads : {1, 2})
    benchmark->Args({2048, 2048, 4096, threads});
  benchmark->Args({4096, 4096, 4096, 2});
  benchmark->UseManualTime()->Iterations(2)->Unit(benchmark::kMillisecond);
}

constexpr char grouped[] = "grouped_gemm_blockscale_contiguous.mlir";
BENCHMARK_CAPTURE(runKernel, bf16_256x256_fast, "gemm_a16w16.mlir",
                  "bf16_256x256", false)
    ->Apply(sizes);
BENCHMARK_CAPTURE(runKernel, bf16_256x256_check, "gemm_a16w16.mlir",
                  "bf16_256x256", true)
    ->Apply(sizes);
BENCHMARK_CAPTURE(runKernel, fp8_128x128_fast, grouped, "128x128", false)
    ->Apply(sizes);
BENCHMARK_CAPTURE(runKernel, fp8_128x128_check, grouped, "128x128", true)
    ->Apply(sizes);

} // namespace

BENCHMARK_MAIN();
