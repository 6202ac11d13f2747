//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The staged 16-bit GEMM: the variants shipped for gfx942, what else the
/// staged schedules can be built as, and the same schedules on gfx950.

#include "DenseVariants.h"

using namespace fly;

namespace {

constexpr char shipped[] = "gemm_a16w16.mlir";
constexpr char others[] = "../test/kernels/Inputs/staged_gemm.mlir";

constexpr DenseVariant variants[] = {
    {shipped, "bf16_256x256_staged"}, {shipped, "f16_256x256_staged"},
    {shipped, "bf16_128x128_staged"}, {shipped, "f16_128x128_staged"},
    {others, "128x128x64_rotated"},   {others, "256x128x32_2x2"},
    {others, "256x256x32_peeled"},    {others, "128x128x32"}};
/// Another MFMA adds in another order: exact where the sums are.
constexpr DenseVariant otherMfma[] = {{others, "f16_256x256x32_mfma32"},
                                      {others, "bf16_128x128x64_mfma32"}};
constexpr unsigned numVariants = std::size(variants);

class Staged : public DenseVariants {
protected:
  Staged() : DenseVariants("gfx942") {}
};

class StagedExact : public Staged, public testing::WithParamInterface<Sizes> {};

/// Each size with two of the variants; over all sizes every variant sees every
/// kind of tail and count of K tiles.
TEST_P(StagedExact, EveryBitIsRight) {
  auto [m, n, k] = GetParam();
  unsigned index = m / 7 + n / 8 + 5 * (k / 8);
  expectExactBits({variants[index % 4], variants[(index + 3) % numVariants]},
                  GetParam(), index);
}

INSTANTIATE_TEST_SUITE_P(
    , StagedExact,
    testing::Combine(testing::Values(1, 77, 255, 256, 257, 384, 1280),
                     testing::Values(8, 24, 136, 248, 256, 264, 384, 768),
                     testing::Values(8, 64, 72, 128, 192, 256, 320, 1024)),
    nameOfSizes);

TEST_F(Staged, OtherMfmaAreExact) {
  for (Sizes sizes : {Sizes(77, 136, 8), Sizes(257, 264, 72),
                      Sizes(300, 392, 192), Sizes(129, 256, 584)})
    expectExactBits(otherMfma, sizes, 1);
}

TEST_F(Staged, RowsAreTheSameBitsInEveryVariantAndEveryM) {
  expectSameRows(variants[0], variants);
}

TEST_F(Staged, EveryWorkgroupMapCoversEveryTile) {
  expectEveryMapExact({shipped, "bf16_256x256_staged"});
}

/// A chip that has direct copies can stage them as well, to the same bits.
class StagedOnGfx950 : public DenseVariants {};

TEST_F(StagedOnGfx950, GivesTheBitsOfDirectCopies) {
  constexpr DenseVariant staged[] = {{others, "128x128x64_rotated"},
                                     {others, "256x128x32_2x2"},
                                     {others, "128x128x64"},
                                     {others, "128x128x32"},
                                     {others, "256x256x32_peeled"}};
  for (Sizes sizes : {Sizes(77, 136, 8), Sizes(257, 264, 72),
                      Sizes(300, 392, 192), Sizes(129, 256, 584)})
    expectExactBits(staged, sizes, 1);
  expectSameRows({shipped, "bf16_128x128"}, staged);
}

} // namespace
