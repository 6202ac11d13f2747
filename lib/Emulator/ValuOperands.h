//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Operands of VALU instructions in every encoding: input modifiers, op_sel,
/// SDWA, DPP, clamp, omod, and MODE's denormal bits. For family files only.
///
/// A source is a row of 64 dwords. Without modifiers that is the register
/// itself; else fetchSource() makes a changed copy. A result is a row that
/// is written through storeResult() when anything but EXEC matters.

#ifndef FLY_LIB_EMULATOR_VALUOPERANDS_H
#define FLY_LIB_EMULATOR_VALUOPERANDS_H

#include "fly/Emulator/Handlers.h"
#include "fly/Emulator/Lanes.h"

namespace fly {
namespace emu {

/// What the dwords of an operand mean.
enum class ValuKind : uint8_t {
  Bits,  ///< any dwords: only lanes and bytes are selected
  U16,   ///< the low half, or the half that op_sel names
  Float, ///< f32
  Half,  ///< f16 in the half that op_sel names
  Double ///< f64
};

/// How an instruction deviates from plain registers; kept in ExecInst::data.
struct ValuForm {
  // The order of fields fills 64 bits.
  uint64_t slowSources : 3; ///< bit i: source i needs fetchSource()
  uint64_t slowResult : 1;  ///< needs storeResult()
  uint64_t clamp : 1;
  uint64_t omod : 2; ///< 1: times 2, 2: times 4, 3: divided by 2
  uint64_t isDpp : 1;
  uint64_t isSdwa : 1;
  uint64_t dstSel : 3;
  uint64_t dstUnused : 2;
  uint64_t src0Sel : 3;
  uint64_t src1Sel : 3;
  uint64_t mergesHalf : 1; ///< a 16-bit result keeps the other half
  uint64_t highHalf : 1;   ///< and goes to the high one
  uint64_t dppControl : 9;
  uint64_t rowMask : 4;
  uint64_t bankMask : 4;
  uint64_t boundZero : 1; ///< lanes without a source read zero
  uint64_t unused : 22;

  static ValuForm of(const ExecInst &inst) {
    ValuForm form;
    static_assert(sizeof(form) == sizeof(inst.data), "form fits a pointer");
    std::memcpy(&form, &inst.data, sizeof(form));
    return form;
  }
};

/// Reads the form of \p inst, which has \p numSources vector sources, into its
/// data. \p mergesHalf: see ValuForm. False if the operands are not as expected
/// (clamp, omod and what SDWA and DPP append, nothing else).
bool describeValu(ExecInst &inst, unsigned numSources, bool mergesHalf = false);

/// For fetchSource(): destination 0, without modifiers.
constexpr unsigned destinationAsSource = ~0u;

#ifdef FLY_EMU_LEVEL
namespace FLY_EMU_LEVEL {

/// Dword \p dword of source \p i with everything applied that \p kind and the
/// instruction's form ask for. Returns a register row or \p storage.
const uint32_t *fetchSource(const Wave &w, const ExecInst &inst, unsigned i,
                            ValuKind kind, unsigned dword, Row &storage);

/// Applies omod, clamp and MODE to \p low (f64: and \p high, else null) and
/// writes the result to destination 0.
void storeResult(Wave &w, const ExecInst &inst, ValuKind kind, Row &low,
                 Row *high);

/// The lanes that the instruction writes: EXEC less what DPP masks.
uint64_t writtenLanes(const Wave &w, const ExecInst &inst);

/// Runs \p handler under the rounding mode \p mode (as in MODE).
void runRounded(Wave &w, const ExecInst &inst, unsigned mode, Handler handler);

} // namespace FLY_EMU_LEVEL
#endif

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_VALUOPERANDS_H
