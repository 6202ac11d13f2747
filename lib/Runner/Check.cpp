//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Runner/Check.h"

#include "fly/Numerics/Quantize.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;

namespace fly {
namespace {

/// As printf's %.6g: formatv has no such style.
static std::string number(double value) {
  std::string text;
  raw_string_ostream(text) << format("%.6g", value);
  return text;
}

/// Collects failures of one kind: the first few, then how many more.
class Failures {
public:
  explicit Failures(std::vector<std::string> &lines) : lines(lines) {}
  template <typename... Ts> void add(const char *format, Ts &&...values) {
    if (++count <= kept)
      lines.push_back(formatv(format, std::forward<Ts>(values)...));
  }
  ~Failures() {
    if (count > kept)
      lines.push_back(formatv("and {0} more of this kind", count - kept));
  }

private:
  static constexpr int64_t kept = 3;
  std::vector<std::string> &lines;
  int64_t count = 0;
};

/// D of a result, beside the pattern it was filled with.
class Result {
public:
  Result(const Problem &problem, const Operands &operands)
      : problem(problem), operands(operands), size(problem.elementBytesD()) {}

  const uint8_t *at(int64_t row, int64_t column) const {
    return operands.dData() + (row * problem.pitchD + column) * size;
  }
  double value(int64_t row, int64_t column) const {
    return decodeElement(problem.manifest.typeD, at(row, column));
  }

  void checkPadding(std::vector<std::string> &lines) const;
  void checkUntouched(std::vector<std::string> &lines) const;

private:
  const Problem &problem;
  const Operands &operands;
  int64_t size;
};

} // namespace

/// The pattern of makeUnusableOperands, by offset in Operands::d.
static uint8_t patternAt(int64_t offset) { return offset % 2 ? 0x7f : 0xd1; }

void Result::checkPadding(std::vector<std::string> &lines) const {
  Failures failures(lines);
  for (int64_t row = 0; row < problem.shape.m; ++row) {
    if (problem.groupOfRow(row) >= 0)
      continue;
    for (int64_t column = 0; column < problem.shape.n; ++column)
      if (any_of(ArrayRef(at(row, column), size),
                 [](uint8_t byte) { return byte != 0; })) {
        failures.add("padding row {0}, column {1}: expected 0, got {2}", row,
                     column, number(value(row, column)));
        break;
      }
  }
}

void Result::checkUntouched(std::vector<std::string> &lines) const {
  Failures failures(lines);
  auto check = [&](int64_t begin, int64_t end, const std::string &where) {
    for (int64_t i = begin; i < end; ++i)
      if (operands.d[i] != patternAt(i)) {
        failures.add("{0}: byte {1} was written: {2:x-2} became {3:x-2}", where,
                     i - begin, patternAt(i), operands.d[i]);
        return;
      }
  };
  int64_t begin = Operands::marginBytes;
  check(0, begin, "before D");
  for (int64_t row = 0; row < problem.shape.m; ++row)
    check(begin + (row * problem.pitchD + problem.shape.n) * size,
          begin + (row + 1) * problem.pitchD * size,
          formatv("D, gap after row {0}", row));
  check(begin + problem.bytesD(), operands.d.size(), "after D");
}

/// Half a unit in the last place, relative to a value just above a power of
/// two, and what the sum in f32 may add to it: its error grows with the root
/// of the number of terms.
static double tileErrorLimit(const Problem &problem) {
  StringRef type = problem.manifest.typeD;
  int bits = type == "bf16" ? 8 : type == "f16" ? 11 : 24;
  return std::ldexp(1.0, -bits) +
         std::sqrt(double(problem.shape.k)) * std::ldexp(1.0, -22);
}

namespace {
struct TileError {
  double error = 0;
  int64_t row = 0, column = 0; ///< of the worst element
};
} // namespace

/// The largest error in the tile at (\p row0, \p column0) over the largest
/// reference value in it. A NaN counts as infinite.
static TileError findTileError(const Problem &problem, const Result &result,
                               ArrayRef<double> reference, int64_t row0,
                               int64_t column0) {
  TileError worst;
  worst.row = row0;
  worst.column = column0;
  double largest = 0, error = 0;
  for (int64_t row = row0; row < std::min(row0 + 16, problem.shape.m); ++row)
    for (int64_t column = column0;
         column < std::min(column0 + 16, problem.shape.n); ++column) {
      double expected = reference[row * problem.shape.n + column];
      double difference = std::fabs(result.value(row, column) - expected);
      largest = std::max(largest, std::fabs(expected));
      if (!(difference <= error)) {
        error = std::isnan(difference) ? INFINITY : difference;
        worst.row = row;
        worst.column = column;
      }
    }
  worst.error = error == 0 ? 0 : error / largest;
  return worst;
}

static void compareTiles(const Problem &problem, const Result &result,
                         ArrayRef<double> reference, Comparison &comparison) {
  comparison.tileErrorLimit = tileErrorLimit(problem);
  Failures failures(comparison.failures);
  for (int64_t row = 0; row < problem.shape.m; row += 16)
    for (int64_t column = 0; column < problem.shape.n; column += 16) {
      TileError tile = findTileError(problem, result, reference, row, column);
      comparison.maxTileError = std::max(comparison.maxTileError, tile.error);
      if (tile.error > comparison.tileErrorLimit)
        failures.add(
            "tile at row {0}, column {1}: error {2:e2} of its largest "
            "value, expected at most {3:e2}; at row {4}, column {5} "
            "expected {6}, got {7}",
            row, column, tile.error, comparison.tileErrorLimit, tile.row,
            tile.column,
            number(reference[tile.row * problem.shape.n + tile.column]),
            number(result.value(tile.row, tile.column)));
    }
}

Comparison compareRounded(const Problem &problem, const Operands &operands,
                          ArrayRef<double> reference,
                          ArrayRef<float> unquantized) {
  Comparison comparison;
  Result result(problem, operands);
  int64_t n = problem.shape.n;
  std::vector<float> values, expected;
  for (int64_t row = 0; row < problem.shape.m; ++row) {
    if (problem.groupOfRow(row) < 0)
      continue;
    for (int64_t column = 0; column < n; ++column) {
      values.push_back(float(result.value(row, column)));
      expected.push_back(unquantized[row * n + column]);
    }
  }
  comparison.calcDiff = calcDiff(values, expected);
  if (!(comparison.calcDiff < Comparison::calcDiffLimit))
    comparison.failures.push_back(
        formatv("calc_diff: expected below {0:e2}, got {1:e2}",
                Comparison::calcDiffLimit, comparison.calcDiff));
  compareTiles(problem, result, reference, comparison);
  result.checkPadding(comparison.failures);
  result.checkUntouched(comparison.failures);
  return comparison;
}

Comparison compareExact(const Problem &problem, const Operands &operands,
                        ArrayRef<double> reference) {
  Comparison comparison;
  Result result(problem, operands);
  int64_t size = problem.elementBytesD();
  StringRef type = problem.manifest.typeD;
  {
    Failures failures(comparison.failures);
    for (int64_t row = 0; row < problem.shape.m; ++row)
      for (int64_t column = 0; column < problem.shape.n; ++column) {
        double exact = reference[row * problem.shape.n + column];
        uint8_t code[4];
        encodeElement(type, float(exact), code);
        bool same = std::isnan(exact)
                        ? std::isnan(result.value(row, column))
                        : std::equal(code, code + size, result.at(row, column));
        if (!same)
          failures.add("row {0}, column {1}: expected {2}, got {3}", row,
                       column, number(decodeElement(type, code)),
                       number(result.value(row, column)));
      }
  }
  result.checkPadding(comparison.failures);
  result.checkUntouched(comparison.failures);
  return comparison;
}

} // namespace fly
