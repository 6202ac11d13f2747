//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Inputs and outputs of DeepGEMM itself (test/golden/README.md).

#include "KernelTest.h"

#include "fly/Numerics/Quantize.h"
#include "fly/Runner/OperandImages.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace fly;
using namespace llvm;

namespace {

struct GoldenCase {
  const char *name;
  int64_t m, groups, n, k;
};

/// An array of the case, its elements in C order.
template <typename T>
std::vector<T> readArray(const GoldenCase &golden, const char *name,
                         int64_t count) {
  auto buffer = MemoryBuffer::getFile(
      FLY_GOLDEN_DIR "/" + std::string(golden.name) + "." + name + ".bin");
  if (!buffer ||
      int64_t((*buffer)->getBufferSize()) != count * int64_t(sizeof(T)))
    report_fatal_error("the build has not expanded the golden vectors");
  std::vector<T> values(count);
  std::memcpy(values.data(), (*buffer)->getBufferStart(), count * sizeof(T));
  return values;
}

/// The operands of the case, in a problem with gaps.
Operands readOperands(const GoldenCase &golden, const Problem &problem) {
  int64_t m = golden.m, n = golden.n, k = golden.k, groups = golden.groups;
  int64_t blocksN = problem.blocksN(), blocksK = problem.blocksK();
  Operands operands = makeUnusableOperands(problem);
  auto a = readArray<uint8_t>(golden, "a", m * k);
  for (int64_t row = 0; row < m; ++row)
    std::copy_n(&a[row * k], k, rowOfA(operands, problem, row));
  auto b = readArray<uint8_t>(golden, "b", groups * n * k);
  for (int64_t i = 0; i < groups * n; ++i)
    std::copy_n(&b[i * k], k, rowOfB(operands, problem, i / n, i % n));
  auto scaleA = readArray<float>(golden, "sa", m * blocksK);
  for (int64_t i = 0; i < m * blocksK; ++i)
    scaleOfA(operands, problem, i / blocksK, i % blocksK) =
        ue8m0Code(scaleA[i]);
  auto scaleB = readArray<float>(golden, "sb", groups * blocksN * blocksK);
  for (int64_t i = 0; i < groups * blocksN * blocksK; ++i)
    scaleOfB(operands, problem, i / (blocksN * blocksK), i / blocksK % blocksN,
             i % blocksK) = ue8m0Code(scaleB[i]);
  return operands;
}

class Golden : public KernelTest,
               public testing::WithParamInterface<GoldenCase> {};

TEST_P(Golden, MatchesDeepGEMM) {
  const GoldenCase &golden = GetParam();
  const CompiledKernel &compiled =
      compiledKernel("grouped_gemm_blockscale_contiguous.mlir", "");
  Shape shape;
  shape.m = golden.m;
  shape.n = golden.n;
  shape.k = golden.k;
  shape.groups = golden.groups;
  shape.layout = readArray<int32_t>(golden, "layout", golden.m);
  shape.padA = shape.padB = 16;
  shape.padD = 8;
  Problem problem = unwrap(Problem::create(compiled.manifest, shape));
  Operands operands = readOperands(golden, problem);
  run(compiled, problem, operands);

  auto expected = readArray<uint16_t>(golden, "d", golden.m * golden.n);
  std::vector<float> theirs, ours;
  for (int64_t row = 0; row < golden.m; ++row)
    for (int64_t column = 0; column < golden.n; ++column) {
      const uint8_t *bytes =
          operands.dData() + (row * problem.pitchD + column) * 2;
      if (shape.layout[row] < 0) {
        ASSERT_EQ(bytes[0] | bytes[1], 0) << "row " << row;
        continue;
      }
      ours.push_back(float(decodeElement("bf16", bytes)));
      theirs.push_back(bf16ToFloat(expected[row * golden.n + column]));
    }
  EXPECT_GT(ours.size(), 0u);
  EXPECT_LT(calcDiff(ours, theirs), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    , Golden,
    testing::Values(GoldenCase{"contig_small", 256, 2, 128, 128},
                    GoldenCase{"contig_ue8m0", 512, 4, 256, 512},
                    GoldenCase{"contig_ktail", 384, 2, 256, 576}),
    [](const testing::TestParamInfo<GoldenCase> &info) {
      return std::string(info.param.name);
    });

} // namespace
