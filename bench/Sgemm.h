//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The peer of the emulator's benchmarks: OpenBLAS sgemm in the same run.

#ifndef FLY_BENCH_SGEMM_H
#define FLY_BENCH_SGEMM_H

#include <algorithm>
#include <array>
#include <cblas.h>
#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace fly {

inline double secondsNow() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// GFLOP/s of C = A * B^T, m x n x k, on \p threads threads: the best of five
/// calls after a warm one. Measured once for each size.
inline double sgemmSpeed(int m, int n, int k, int threads) {
  static std::map<std::array<int, 4>, double> known;
  double &speed = known[{m, n, k, threads}];
  if (speed)
    return speed;
  openblas_set_num_threads(threads);
  std::vector<float> a(size_t(m) * k, 1.0f), b(size_t(n) * k, 2.0f),
      c(size_t(m) * n);
  for (int i = 0; i < 6; ++i) {
    double start = secondsNow();
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1.0f,
                a.data(), k, b.data(), k, 0.0f, c.data(), n);
    if (i > 0)
      speed = std::max(speed, 2e-9 * m * n * k / (secondsNow() - start));
  }
  return speed;
}

/// The CPU whose kernels OpenBLAS runs.
inline std::string sgemmKernel() {
  return std::string("sgemm for ") + openblas_get_corename();
}

} // namespace fly

#endif // FLY_BENCH_SGEMM_H
