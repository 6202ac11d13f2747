//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The products that references are made of.

#ifndef FLY_RUNNER_BLAS_H
#define FLY_RUNNER_BLAS_H

#include <cblas.h>

#include <cstdint>
#include <vector>

namespace fly {

/// C [m][n] = A [m][k] B[n][k]^T, row major without gaps.
inline void multiply(int64_t m, int64_t n, int64_t k,
                     const std::vector<float> &a, const std::vector<float> &b,
                     std::vector<float> &c) {
  c.resize(m * n);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1, a.data(), k,
              b.data(), k, 0, c.data(), n);
}
inline void multiply(int64_t m, int64_t n, int64_t k,
                     const std::vector<double> &a, const std::vector<double> &b,
                     std::vector<double> &c) {
  c.resize(m * n);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1, a.data(), k,
              b.data(), k, 0, c.data(), n);
}

} // namespace fly

#endif // FLY_RUNNER_BLAS_H
