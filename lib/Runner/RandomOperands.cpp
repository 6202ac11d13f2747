//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Normal values, quantised with block scales or rounded to 16 bits.

#include "Blas.h"
#include "Random.h"
#include "fly/Runner/OperandImages.h"

#include "fly/Numerics/Quantize.h"

#include "llvm/Support/Parallel.h"

#include <cmath>

using namespace llvm;

namespace fly {
namespace {

/// Rows are made and quantised in bands of this many; a block of B's scales
/// never crosses one.
constexpr int64_t bandRows = 128;

class Maker {
public:
  Maker(const Problem &problem, const RandomOptions &options,
        std::vector<float> &unquantized)
      : problem(problem), options(options), product(unquantized),
        operands(makeUnusableOperands(problem)),
        granularity(problem.scaled() ? problem.manifest.scaleK : 128) {}

  Operands run();

private:
  /// One value of a matrix whose blocks of scaleRows x granularity are
  /// modulated.
  void fillRow(const Random &values, const Random &exponents, int64_t row,
               int64_t scaleRows, float *out) const;
  void makeBandOfA(int64_t band);
  void makeBandOfB(int64_t g, int64_t band);
  /// Writes rows first ... as codes; \p values become what the codes stand for
  /// where there are no scales.
  void encodeRow(float *values, uint8_t *bytes) const;
  void multiplyGroup(int64_t g);

  const Problem &problem;
  const RandomOptions &options;
  std::vector<float> &product;
  Operands operands;
  int64_t granularity;
  /// A [m][k], and B [n][k] of the group at hand.
  std::vector<float> valuesA, valuesB;
};

} // namespace

void Maker::fillRow(const Random &values, const Random &exponents, int64_t row,
                    int64_t scaleRows, float *out) const {
  int64_t k = problem.shape.k;
  int64_t blocks = Problem::ceilDiv(k, granularity);
  for (int64_t block = 0; block < blocks; ++block) {
    int exponent = int(exponents.below(row / scaleRows * blocks + block,
                                       2 * options.modulation + 1)) -
                   options.modulation;
    float factor = std::ldexp(1.0f, exponent);
    int64_t end = std::min(k, (block + 1) * granularity);
    for (int64_t i = block * granularity; i < end; ++i)
      out[i] = values.normal(row * k + i) * factor;
  }
}

void Maker::encodeRow(float *values, uint8_t *bytes) const {
  StringRef type = problem.manifest.typeA;
  int64_t size = problem.elementBytesAB();
  for (int64_t i = 0; i < problem.shape.k; ++i) {
    encodeElement(type, values[i], bytes + i * size);
    values[i] = float(decodeElement(type, bytes + i * size));
  }
}

void Maker::makeBandOfA(int64_t band) {
  Random values(options.seed, 0), exponents(options.seed, 1);
  int64_t k = problem.shape.k;
  QuantizeOptions quantize;
  quantize.granularity = granularity;
  quantize.ue8m0 = true;
  if (problem.scaled())
    quantize.format = *smallFloatKind(problem.manifest.typeA);
  int64_t end = std::min(problem.shape.m, (band + 1) * bandRows);
  for (int64_t row = band * bandRows; row < end; ++row) {
    if (problem.groupOfRow(row) < 0)
      continue;
    float *data = valuesA.data() + row * k;
    fillRow(values, exponents, row, 1, data);
    if (!problem.scaled()) {
      encodeRow(data, rowOfA(operands, problem, row));
      continue;
    }
    Quantized result = quantizePerToken(ArrayRef(data, k), 1, k, quantize);
    llvm::copy(result.codes, rowOfA(operands, problem, row));
    for (auto [block, scale] : enumerate(result.scales))
      scaleOfA(operands, problem, row, block) = ue8m0Code(scale);
  }
}

void Maker::makeBandOfB(int64_t g, int64_t band) {
  Random values(options.seed, 2 + 2 * g), exponents(options.seed, 3 + 2 * g);
  int64_t k = problem.shape.k;
  int64_t first = band * bandRows;
  int64_t rows = std::min(problem.shape.n - first, bandRows);
  float *data = valuesB.data() + first * k;
  for (int64_t i = 0; i < rows; ++i)
    fillRow(values, exponents, first + i, granularity, data + i * k);
  if (!problem.scaled()) {
    for (int64_t i = 0; i < rows; ++i)
      encodeRow(data + i * k, rowOfB(operands, problem, g, first + i));
    return;
  }
  QuantizeOptions quantize;
  quantize.granularity = granularity;
  quantize.ue8m0 = true;
  quantize.format = *smallFloatKind(problem.manifest.typeB);
  Quantized result =
      quantizePerBlock(ArrayRef(data, rows * k), rows, k, quantize);
  for (int64_t i = 0; i < rows; ++i)
    llvm::copy(ArrayRef(result.codes).slice(i * k, k),
               rowOfB(operands, problem, g, first + i));
  for (size_t blockN = 0; blockN < result.scaleRows; ++blockN)
    for (size_t block = 0; block < result.scaleColumns; ++block)
      scaleOfB(operands, problem, g, first / granularity + blockN, block) =
          ue8m0Code(result.scales[blockN * result.scaleColumns + block]);
}

void Maker::multiplyGroup(int64_t g) {
  std::vector<int64_t> rows = problem.rowsOfGroup(g);
  if (rows.empty())
    return;
  int64_t k = problem.shape.k, n = problem.shape.n;
  std::vector<float> gathered(rows.size() * k), result;
  for (auto [i, row] : enumerate(rows))
    std::copy_n(valuesA.begin() + row * k, k, gathered.begin() + i * k);
  multiply(rows.size(), n, k, gathered, valuesB, result);
  for (auto [i, row] : enumerate(rows))
    std::copy_n(result.begin() + i * n, n, product.begin() + row * n);
}

Operands Maker::run() {
  const Shape &shape = problem.shape;
  product.assign(shape.m * shape.n, 0.0f);
  valuesA.assign(shape.m * shape.k, 0.0f);
  parallelFor(0, Problem::ceilDiv(shape.m, bandRows),
              [&](size_t band) { makeBandOfA(band); });
  valuesB.resize(shape.n * shape.k);
  for (int64_t g = 0; g < problem.matrices(); ++g) {
    if (options.progress)
      options.progress(double(g) / problem.matrices());
    parallelFor(0, Problem::ceilDiv(shape.n, bandRows),
                [&](size_t band) { makeBandOfB(g, band); });
    multiplyGroup(g);
  }
  return std::move(operands);
}

Expected<Operands> makeRandomOperands(const Problem &problem,
                                      const RandomOptions &options,
                                      std::vector<float> &unquantized) {
  if (Error error = checkOperandTypes(problem))
    return error;
  if (problem.scaled() && bandRows % problem.manifest.scaleN != 0)
    return createStringError("scales: expected a granularity that divides " +
                             Twine(bandRows) + ", got " +
                             Twine(problem.manifest.scaleN));
  return Maker(problem, options, unquantized).run();
}

} // namespace fly
