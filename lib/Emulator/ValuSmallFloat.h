//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Small floats in VALU conversions. For family files only.

#ifndef FLY_LIB_EMULATOR_VALUSMALLFLOAT_H
#define FLY_LIB_EMULATOR_VALUSMALLFLOAT_H

#include "ValuFloat.h"

#include "fly/Numerics/SmallFloat.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// MODE.FP16_OVFL: results beyond the range become the largest value.
Overflow overflowOf(const Wave &w) {
  return w.mode & ModeFp16Overflow ? Overflow::Saturate : Overflow::Special;
}

// The bits of op_sel that pick part of a source or of the destination.
unsigned opSel0(const Operand &op) { return op.mods & ModOpSel0 ? 1 : 0; }
unsigned opSel1(const Operand &op) { return op.mods & ModOpSel1 ? 1 : 0; }

/// Puts `bits` of value at position `index` of the destination's lane.
u32 insert(u32 old, unsigned bits, unsigned index, u32 value) {
  u32 mask = ((u32(1) << bits) - 1) << (bits * index);
  return (old & ~mask) | (value << (bits * index) & mask);
}

/// Whether the operands are \p numSources vector sources and nothing else.
bool isPlainVop3(ExecInst &inst, unsigned numSources) {
  return inst.encoding == Encoding::Other &&
         inst.numOps == inst.numDefs + numSources &&
         describeValu(inst, numSources);
}

} // namespace
} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_VALUSMALLFLOAT_H
