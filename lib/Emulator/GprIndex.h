//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// VALU instructions in GPR index mode. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_GPRINDEX_H
#define FLY_LIB_EMULATOR_GPRINDEX_H

#include "fly/Emulator/Wave.h"

namespace fly {
namespace emu {

/// Runs \p inst with M0[7:0] added to the vector registers that the mode
/// enables: bit 0 SRC0, 1 SRC1, 2 SRC2, 3 DST (CDNA4 ISA manual,
/// "S_SET_GPR_IDX_ON"). Checking mode sees the registers that are meant.
void executeIndexed(Wave &w, const ExecInst &inst);

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_GPRINDEX_H
