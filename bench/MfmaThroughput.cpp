//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Speed of the emulated matrix instructions on one thread, beside OpenBLAS
// sgemm on one thread in the same run. The pattern is that of a GEMM: a wave
// tile of 4 x 4 fragments, so that each fragment is used four times. The
// counter "of_sgemm" is GFLOP/s over that of sgemm, both by CPU time.

#include "Sgemm.h"

#include "fly/Emulator/Mfma.h"

#include "benchmark/benchmark.h"

#include <cblas.h>
#include <ctime>
#include <random>
#include <vector>

using namespace fly;

namespace {

/// CPU seconds of this thread: other work on the machine does not count.
struct alignas(64) Registers {
  uint32_t rows[512][64];
};

/// 4 x 4 fragments: A from v0, B from v128, accumulators from a0 on (a tile of
/// 32x32 results has 256 of them).
void runTile(benchmark::State &state, const char *name, MfmaModifiers modifiers,
             bool cached) {
  const TargetInfo &target = llvm::cantFail(lookupTarget("gfx950"));
  Mfma mfma = llvm::cantFail(
      Mfma::create(name, modifiers, target, MfmaRounding::SequentialFused));
  const MfmaShape &shape = mfma.shape();
  auto registers = std::make_unique<Registers>();
  std::mt19937 generator(1);
  // Codes of about 1, in every format.
  for (unsigned row = 0; row < 256; ++row)
    for (uint32_t &value : registers->rows[row])
      value = (generator() & 0x83838383) | 0x3c3c3c3c;
  for (uint32_t &value : registers->rows[255])
    value = 0x7f7f7f7f;
  MfmaCache cache;
  MfmaOperands operands;
  operands.scaleA = operands.scaleB = MfmaSource::registers(255);
  double start = secondsNow();
  for (auto _ : state) {
    // New operands, as a K step brings them.
    for (unsigned row = 0; row < 4 * shape.aRegisters(); ++row)
      registers->rows[row][0] ^= 1;
    for (unsigned row = 0; row < 4 * shape.bRegisters(); ++row)
      registers->rows[128 + row][0] ^= 1;
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned j = 0; j < 4; ++j) {
        operands.a = uint16_t(i * shape.aRegisters());
        operands.b = uint16_t(128 + j * shape.bRegisters());
        operands.d = uint16_t(256 + (i * 4 + j) * shape.dRegisters());
        operands.c = MfmaSource::registers(operands.d);
        mfma.execute(registers->rows, operands, cached ? &cache : nullptr);
      }
    benchmark::ClobberMemory();
  }
  double elapsed = secondsNow() - start;
  double flop = 2.0 * shape.m * shape.n * shape.k * shape.blocks * 16;
  double speed = flop * double(state.iterations()) / elapsed * 1e-9;
  state.counters["GFLOP/s"] = speed;
  state.counters["of_sgemm"] =
      speed / sgemmSpeed(1024, 1024, 1024, /*threads=*/1);
  state.SetLabel(sgemmKernel());
}

} // namespace

#define FLY_BENCH(label, name, cbsz, blgp)                                     \
  BENCHMARK_CAPTURE(runTile, label, name, MfmaModifiers{cbsz, 0, blgp},        \
                    false);                                                    \
  BENCHMARK_CAPTURE(runTile, label##_cached, name,                             \
                    MfmaModifiers{cbsz, 0, blgp}, true)

FLY_BENCH(bf16_16x16x32, "v_mfma_f32_16x16x32_bf16", 0, 0);
FLY_BENCH(bf16_16x16x16, "v_mfma_f32_16x16x16_bf16", 0, 0);
FLY_BENCH(bf16_32x32x16, "v_mfma_f32_32x32x16_bf16", 0, 0);
FLY_BENCH(f16_16x16x32, "v_mfma_f32_16x16x32_f16", 0, 0);
FLY_BENCH(f32_16x16x4, "v_mfma_f32_16x16x4_f32", 0, 0);
FLY_BENCH(fp8_16x16x32, "v_mfma_f32_16x16x32_fp8_fp8", 0, 0);
FLY_BENCH(i8_16x16x64, "v_mfma_i32_16x16x64_i8", 0, 0);
FLY_BENCH(fp8_16x16x128, "v_mfma_f32_16x16x128_f8f6f4", 0, 0);
FLY_BENCH(scaled_fp8_16x16x128, "v_mfma_scale_f32_16x16x128_f8f6f4", 0, 0);
FLY_BENCH(scaled_fp8_32x32x64, "v_mfma_scale_f32_32x32x64_f8f6f4", 0, 0);
FLY_BENCH(scaled_fp4_16x16x128, "v_mfma_scale_f32_16x16x128_f8f6f4", 4, 4);
FLY_BENCH(scaled_fp6_16x16x128, "v_mfma_scale_f32_16x16x128_f8f6f4", 2, 2);

BENCHMARK_MAIN();
