//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The rotated 16-bit GEMM: the shipped variants, and what else its schedules
/// can be built as.

#include "DenseVariants.h"

using namespace fly;

namespace {

constexpr char shipped[] = "gemm_a16w16.mlir";
constexpr char others[] = "../test/kernels/Inputs/rotated_gemm.mlir";

using Variant = DenseVariant;

constexpr Variant variants[] = {
    {shipped, "bf16_256x256"},  {shipped, "f16_256x256"},
    {others, "256x256_4x2"},    {others, "256x256_early"},
    {others, "256x256_merged"}, {others, "256x256_peeled"},
    {shipped, "bf16_192x256"},  {shipped, "f16_192x256"},
    {others, "192x256_4x2"},    {shipped, "bf16_256x128"},
    {shipped, "f16_256x128"},   {others, "256x128_2x4"},
    {others, "128x128_2x4"},    {others, "128x128_4x2"},
    {others, "256x256x32"},     {others, "128x128x32"}};
constexpr unsigned numVariants = std::size(variants);

class RotatedExact : public DenseVariants,
                     public testing::WithParamInterface<Sizes> {};

/// Each size with the default tile and with one of the other variants; over all
/// sizes every variant sees every kind of tail and count of K tiles.
TEST_P(RotatedExact, EveryBitIsRight) {
  auto [m, n, k] = GetParam();
  unsigned index = m / 7 + n / 8 + 5 * (k / 8);
  expectExactBits({variants[0], variants[1 + index % (numVariants - 1)]},
                  GetParam(), index);
}

INSTANTIATE_TEST_SUITE_P(
    , RotatedExact,
    testing::Combine(testing::Values(1, 77, 255, 256, 257, 384, 1280),
                     testing::Values(8, 24, 136, 248, 256, 264, 384, 768),
                     testing::Values(8, 64, 72, 128, 192, 256, 320, 1024)),
    nameOfSizes);

class Rotated : public DenseVariants {};

TEST_F(Rotated, RowsAreTheSameBitsInEveryVariantAndEveryM) {
  expectSameRows({shipped, "bf16_128x128"}, variants);
}

TEST_F(Rotated, EveryWorkgroupMapCoversEveryTile) {
  expectEveryMapExact({shipped, "bf16_256x256"});
}

} // namespace
