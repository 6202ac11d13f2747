//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// In which order the instructions of a phase's steps are issued, as fly.phase
/// states it: the lowering emits them so, the check of the linked object
/// expects them so.

#ifndef FLY_DIALECT_FLY_IR_PHASERUNS_H
#define FLY_DIALECT_FLY_IR_PHASERUNS_H

#include "fly/Dialect/Fly/IR/Fly.h"

#include <vector>

namespace fly {

using Steps = llvm::SmallVector<mlir::Operation *>;

/// The steps of \p phase in stretches past whose ends no instruction moves: a
/// wait or barrier alone; else steps among which no MFMA uses what another
/// fills or refills, and no write what a load before it fills.
std::vector<Steps> runsOf(PhaseOp phase);

/// An interleaved run: the instructions of `dealt` are dealt out among those of
/// `carriers`.
struct Interleaving {
  Steps carriers, dealt;

  /// The MFMA of \p run carry what else it has, or else its reads do, if there
  /// are no writes.
  explicit Interleaving(llvm::ArrayRef<mlir::Operation *> run);

  /// How many of \p carriers instructions stand before instruction \p i of \p
  /// dealt others.
  static int64_t carriersBefore(int64_t i, int64_t carriers, int64_t dealt) {
    return carriers * (i + 1) / dealt;
  }
};

/// Instructions that a wave issues for \p step: a copy, load, write, read or
/// MFMA.
int64_t instructionsOf(mlir::Operation *step);

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_PHASERUNS_H
