//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the hot loop of a linked kernel must have, from the parameters of its
/// variant alone: from neither the ops of its schedule nor what they became.

#ifndef FLY_SCHEDULE_LOOPCOUNTS_H
#define FLY_SCHEDULE_LOOPCOUNTS_H

#include "fly/Arch/TargetInfo.h"
#include "fly/Dialect/Fly/IR/Fly.h"

#include "llvm/Support/Error.h"

namespace fly {

/// Instructions of one wave and iteration, which takes 2 K tiles. There are no
/// others but `s_setprio` and the loop's branch: no VALU, no scratch access.
struct LoopCounts {
  int64_t mfma = 0;
  int64_t ldsReads = 0;  ///< ds_read_b128
  int64_t copies = 0;    ///< direct, of 16 bytes a lane
  int64_t ldsWrites = 0; ///< ds_write_b128, of staged copies
  int64_t loads = 0;     ///< to registers, of scales and of staged copies
  int64_t waits = 0, barriers = 0;
  int64_t maxSalu = 0, maxNops = 0;
};

/// The counts of \p variant on \p target for operands of \p elementType,
/// block-scaled if \p isScaled. Fails if the variant's schedule is not known.
llvm::Expected<LoopCounts> expectedLoopCounts(VariantAttr variant,
                                              const TargetInfo &target,
                                              mlir::Type elementType,
                                              bool isScaled);

} // namespace fly

#endif // FLY_SCHEDULE_LOOPCOUNTS_H
