//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Schedule/LoopCounts.h"

#include "fly/Schedule/Schedule.h"

using namespace fly;

// Every schedule has two stages, and an iteration one K tile of each.
static constexpr int64_t kTiles = 2;
// Of one ds_read_b128 or ds_write_b128, or one copy of 16 bytes a lane.
static constexpr int64_t bytesOfWave = 64 * 16;
// Of one MFMA's operand: 64 lanes hold 16 bytes each, or 32 with scales; 8
// where the chip has no wider ones.
static int64_t bytesOfOperand(const TargetInfo &target, bool isScaled) {
  return 64 * (isScaled ? 32 : target.hasWideMfma16Bit ? 16 : 8);
}

llvm::Expected<LoopCounts> fly::expectedLoopCounts(VariantAttr variant,
                                                   const TargetInfo &target,
                                                   mlir::Type elementType,
                                                   bool isScaled) {
  auto schedule = lookupSchedule(variant.getSchedule());
  if (!schedule)
    return schedule.takeError();
  int64_t m = variant.getTileM(), n = variant.getTileN();
  int64_t wavesM = variant.getWaves()[0], wavesN = variant.getWaves()[1];
  int64_t rowBytes =
      variant.getTileK() * elementType.getIntOrFloatBitWidth() / 8;
  int64_t mfmaRows = variant.getMfma().empty() ? 16 : variant.getMfma()[0];
  int64_t mfmaSteps = mfmaRows * rowBytes / bytesOfOperand(target, isScaled);
  int64_t copies =
      kTiles * (m + n) * rowBytes / (wavesM * wavesN * bytesOfWave);
  int64_t scaleLoads = isScaled ? kTiles * 2 : 0;
  bool isStaged = schedule->filling == Filling::Staged;

  LoopCounts counts;
  counts.mfma =
      kTiles * (m / wavesM / mfmaRows) * (n / wavesN / mfmaRows) * mfmaSteps;
  counts.ldsReads = kTiles * (m / wavesM + n / wavesN) * rowBytes / bytesOfWave;
  counts.copies = isStaged ? 0 : copies;
  counts.ldsWrites = isStaged ? copies : 0;
  counts.loads = scaleLoads + counts.ldsWrites;
  counts.waits = kTiles * schedule->waits;
  counts.barriers = kTiles * schedule->barriers;
  // M0 for each direct copy; descriptor, guard and offset for each load of
  // scales. For each K tile that copies go to, the same of A and B; for the
  // loop, 2.
  int64_t kTilesCopied = kTiles + schedule->distances - 1;
  counts.maxSalu = counts.copies + 3 * scaleLoads + 6 * kTilesCopied + 2;
  counts.maxNops = 2;
  return counts;
}
