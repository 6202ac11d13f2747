//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Speed of the emulated loops that kernels are made of, on one thread, in fast
// and in checking mode: VALU, LDS, a copy through registers, a direct copy to
// LDS. Counters: "Minst/s", and "of_host", the work over that of the host doing
// the same plainly in the same run, both by CPU time: multiply-adds over rows
// of 64 floats, or bytes moved by memcpy (a copy into and out of LDS counts as
// two).

#include "LinkedObject.h"

#include "fly/Emulator/Emulator.h"

#include "benchmark/benchmark.h"

#include <cstring>
#include <ctime>

using namespace fly;
using llvm::cantFail;

namespace {

constexpr unsigned passes = 4000, waves = 4;
constexpr size_t bufferBytes = 1 << 20;

/// A loop of `passes` passes over \p body, with the lane in v31, lane * 16 in
/// v29, the buffer's address in s[8:9] and a descriptor of it in s[12:15].
std::string loopOf(const std::string &body) {
  return R"(
    s_load_dwordx2 s[8:9], s[0:1], 0x0
    v_mov_b32 v31, v0
    v_lshlrev_b32 v29, 4, v31
    s_waitcnt lgkmcnt(0)
    s_mov_b32 s12, s8
    s_mov_b32 s13, s9
    s_mov_b32 s14, 0x100000
    s_mov_b32 s15, 0x27000
    s_mov_b32 m0, 0
    v_mov_b32 v0, 0
    v_mov_b32 v1, 0
    v_mov_b32 v2, 0
    v_mov_b32 v3, 0
    ds_write_b128 v29, v[0:3]
    s_waitcnt lgkmcnt(0)
    s_mov_b32 s20, 0
    .Ltop:
)" + body +
         "\n s_add_u32 s20, s20, 1\n s_cmp_lt_u32 s20, " +
         std::to_string(passes) + "\n s_cbranch_scc1 .Ltop\n";
}

/// CPU seconds of this thread: other work on the machine does not count.
double cpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

std::string repeat(unsigned count, const char *text) {
  std::string all;
  for (unsigned i = 0; i != count; ++i)
    all += text;
  return all;
}

struct LoopBench {
  std::string body;
  /// Lane operations, or bytes moved, of one pass of one wave.
  double work;
  double (*hostSpeed)();
};

#if defined(__x86_64__)
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
void multiplyAdd(float *d, const float *a, const float *b) {
  for (unsigned l = 0; l != 64; ++l)
    d[l] = a[l] * b[l] + d[l];
}

/// Multiply-adds a second, over rows of 64 floats in a register file.
double hostFma() {
  static const double speed = [] {
    alignas(64) static float rows[16][64];
    unsigned rounds = 2000000;
    double start = cpuSeconds();
    for (unsigned i = 0; i != rounds; ++i) {
      multiplyAdd(rows[i & 7], rows[8 + (i & 3)], rows[12 + (i & 3)]);
      benchmark::DoNotOptimize(rows);
    }
    return rounds * 64 / (cpuSeconds() - start);
  }();
  return speed;
}

/// Bytes a second that memcpy moves between two buffers of 32 KiB.
double hostCopy() {
  static const double speed = [] {
    static char from[32768], to[32768];
    unsigned rounds = 100000;
    double start = cpuSeconds();
    for (unsigned i = 0; i != rounds; ++i) {
      std::memcpy(to, from, sizeof(to));
      benchmark::DoNotOptimize(to);
    }
    return double(rounds) * sizeof(to) / (cpuSeconds() - start);
  }();
  return speed;
}

LoopBench valuLoop() {
  return {repeat(16, "v_fma_f32 v4, v31, v31, v29\n"
                     "v_fma_f32 v5, v31, v29, v29\n"),
          32 * 64, hostFma};
}
LoopBench ldsLoop() {
  return {repeat(8, "ds_write_b128 v29, v[0:3]\n ds_read_b128 v[4:7], v29\n"
                    "s_waitcnt lgkmcnt(0)\n"),
          16 * 1024, hostCopy};
}
LoopBench copyLoop() {
  return {repeat(8, "global_load_dwordx4 v[4:7], v29, s[8:9]\n"
                    "s_waitcnt vmcnt(0)\n"
                    "global_store_dwordx4 v29, v[4:7], s[8:9] offset:2048\n"),
          8 * 1024, hostCopy};
}
LoopBench directLoop() {
  return {repeat(8, "buffer_load_dwordx4 v29, s[12:15], 0 offen lds\n"
                    "s_waitcnt vmcnt(0)\n"),
          8 * 1024, hostCopy};
}

void runLoop(benchmark::State &state, LoopBench (*make)(), bool check) {
  LoopBench loop = make();
  test::KernelOptions kernel;
  kernel.ldsBytes = 16384;
  EmulatorOptions options;
  options.check = check;
  options.threads = 1;
  auto emulator = cantFail(Emulator::create("gfx950", options));
  auto module = cantFail(emulator->load(test::linkSource(
      "gfx950", test::kernelSource(kernel, loopOf(loop.body)))));
  uint64_t buffer = cantFail(emulator->memory().allocate(bufferBytes));
  std::vector<uint8_t> args(kernel.kernargBytes);
  std::memcpy(args.data(), &buffer, 8);
  LaunchParams params;
  params.kernel = kernel.name;
  params.block = {64, 1, 1};
  params.grid = {waves, 1, 1};
  params.kernargs = args;
  double seconds = 0, instructions = 0;
  for (auto _ : state) {
    double start = cpuSeconds();
    LaunchResult result = cantFail(emulator->launch(*module, params));
    seconds += cpuSeconds() - start;
    instructions += double(result.instructions);
    if (!result.passed())
      return state.SkipWithError(result.reports[0].message.c_str());
  }
  double work = loop.work * passes * waves * double(state.iterations());
  state.counters["Minst/s"] = 1e-6 * instructions / seconds;
  state.counters["of_host"] = work / seconds / loop.hostSpeed();
}

#define FLY_LOOP(name)                                                         \
  BENCHMARK_CAPTURE(runLoop, name##_fast, name##Loop, false)                   \
      ->Unit(benchmark::kMillisecond);                                         \
  BENCHMARK_CAPTURE(runLoop, name##_check, name##Loop, true)                   \
      ->Unit(benchmark::kMillisecond)

FLY_LOOP(valu);
FLY_LOOP(lds);
FLY_LOOP(copy);
FLY_LOOP(direct);

} // namespace

BENCHMARK_MAIN();
