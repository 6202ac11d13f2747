//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Blas.h"
#include "fly/Runner/OperandImages.h"

#include "fly/Runner/Check.h"

#include "llvm/Support/Parallel.h"

using namespace llvm;

namespace fly {

/// Decodes k elements at \p bytes, each block times \p scaleOf(block).
template <typename ScaleOf>
static void dequantizeRow(const Problem &problem, const uint8_t *bytes,
                          ScaleOf scaleOf, double *out) {
  StringRef type = problem.manifest.typeA;
  int64_t k = problem.shape.k, size = problem.elementBytesAB();
  for (int64_t i = 0; i < k; ++i)
    out[i] = decodeElement(type, bytes + i * size);
  if (!problem.scaled())
    return;
  int64_t granularity = problem.manifest.scaleK;
  for (int64_t block = 0; block < problem.blocksK(); ++block) {
    double scale = decodeE8M0(scaleOf(block));
    int64_t end = std::min(k, (block + 1) * granularity);
    for (int64_t i = block * granularity; i < end; ++i)
      out[i] *= scale;
  }
}

static std::vector<double> dequantizeA(const Problem &problem,
                                       const Operands &operands,
                                       ArrayRef<int64_t> rows) {
  std::vector<double> result(rows.size() * problem.shape.k);
  parallelFor(0, rows.size(), [&](size_t i) {
    int64_t row = rows[i];
    dequantizeRow(
        problem, rowOfA(operands, problem, row),
        [&](int64_t block) { return scaleOfA(operands, problem, row, block); },
        result.data() + i * problem.shape.k);
  });
  return result;
}

static std::vector<double> dequantizeB(const Problem &problem,
                                       const Operands &operands, int64_t g) {
  std::vector<double> result(problem.shape.n * problem.shape.k);
  parallelFor(0, problem.shape.n, [&](size_t n) {
    dequantizeRow(
        problem, rowOfB(operands, problem, g, n),
        [&](int64_t block) {
          int64_t blockN = int64_t(n) / problem.manifest.scaleN;
          return scaleOfB(operands, problem, g, blockN, block);
        },
        result.data() + n * problem.shape.k);
  });
  return result;
}

std::vector<double> computeReference(const Problem &problem,
                                     const Operands &operands,
                                     const ProgressFunction &progress) {
  int64_t n = problem.shape.n, k = problem.shape.k;
  std::vector<double> reference(problem.shape.m * n, 0.0);
  for (int64_t g = 0; g < problem.matrices(); ++g) {
    if (progress)
      progress(double(g) / problem.matrices());
    std::vector<int64_t> rows = problem.rowsOfGroup(g);
    if (rows.empty())
      continue;
    std::vector<double> a = dequantizeA(problem, operands, rows);
    std::vector<double> b = dequantizeB(problem, operands, g);
    std::vector<double> product;
    multiply(rows.size(), n, k, a, b, product);
    for (auto [i, row] : enumerate(rows))
      std::copy_n(product.begin() + i * n, n, reference.begin() + row * n);
  }
  return reference;
}

} // namespace fly
