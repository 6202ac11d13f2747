//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What --trace prints. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_TRACE_H
#define FLY_LIB_EMULATOR_TRACE_H

#include "MemoryAccess.h"

namespace fly {
namespace emu {

/// The instruction of \p w at \p index, EXEC and SCC.
void traceInstruction(const Wave &w, uint32_t index);
/// What the instruction that runs does in LDS, if anything: the access, the
/// bytes of one lane, and the address of each active lane in order. A read or
/// write of two parts has the addresses of both. A store's addresses have "="
/// and the bytes in hex behind them, in the order in which they lie in LDS.
void traceAccess(const Wave &w, const MemoryAccess &access);

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_TRACE_H
