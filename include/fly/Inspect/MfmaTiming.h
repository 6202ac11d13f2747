//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// How long a matrix instruction holds a SIMD's matrix unit, and how much it
/// does. Not LLVM's model: that gives every f8f6f4 form the time of its 4-bit
/// types, half of what 8-bit operands take.

#ifndef FLY_INSPECT_MFMATIMING_H
#define FLY_INSPECT_MFMATIMING_H

#include "fly/Arch/TargetInfo.h"
#include "fly/CodeObject/Disassembly.h"
#include "fly/Emulator/Mfma.h"

#include <optional>
#include <string>

namespace fly {

/// What one matrix instruction multiplies, or nothing if it is none of these
/// chips'. Of a sparse one K is that of B.
std::optional<MfmaShape> mfmaShapeOf(const Instruction &inst);

/// The key; for the f8f6f4 forms with the types of A and B, which are operands:
/// "v_mfma_f32_16x16x128_f8f6f4 fp8 fp4".
std::string mfmaNameOf(const Instruction &inst);

/// FLOP (for i8: operations) of one wave: 2 m n k for each block.
uint64_t mfmaFlops(const MfmaShape &shape);

/// Cycles between two of these on one SIMD: 4 for each pass (CDNA3 and CDNA4
/// ISA manuals, table of passes; f8f6f4 with an 8-bit operand as AMD's gfx950
/// tutorials measure it).
unsigned mfmaCycles(const MfmaShape &shape, const TargetInfo &target);

/// The FLOP a cycle of \p shape over the best that the chip does with its
/// types; 1 at full rate, 0.5 for 16x16x32 FP8 on gfx950.
double mfmaRate(const MfmaShape &shape, const TargetInfo &target);

} // namespace fly

#endif // FLY_INSPECT_MFMATIMING_H
