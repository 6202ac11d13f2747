//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ValuOperands.h"

namespace fly {
namespace emu {

/// Which sources have input modifiers, and how 16-bit ones select halves.
static bool hasInputModifiers(const Operand &op) {
  return (op.mods & (ModNeg | ModAbs | ModOpSel0 | ModSext)) != 0;
}

/// The immediates after the sources of an SDWA instruction: [clamp [, omod]]
/// [, dst_sel, dst_unused], then a selector for each source.
static bool describeSdwa(const ExecInst &inst, unsigned numSources,
                         ValuForm &form) {
  unsigned first = inst.numDefs + numSources;
  if (inst.numOps < first + numSources)
    return false;
  const Operand *tail = inst.ops + first;
  unsigned before = inst.numOps - first - numSources;
  form.isSdwa = 1;
  form.dstSel = 6;
  form.src0Sel = uint64_t(tail[before].imm);
  form.src1Sel = numSources > 1 ? uint64_t(tail[before + 1].imm) : 6;
  if (before == 0 || before > 4)
    return false;
  form.clamp = uint64_t(tail[0].imm);
  if (before == 2 || before == 4)
    form.omod = uint64_t(tail[1].imm);
  if (before >= 3) {
    form.dstSel = uint64_t(tail[before - 2].imm);
    form.dstUnused = uint64_t(tail[before - 1].imm);
  }
  if (form.src0Sel != 6)
    form.slowSources |= 1;
  if (form.src1Sel != 6)
    form.slowSources |= 2;
  form.slowResult = form.clamp || form.omod || form.dstSel != 6;
  return true;
}

static bool describeDpp(const ExecInst &inst, unsigned numSources,
                        ValuForm &form) {
  if (inst.numOps < inst.numDefs + numSources + 4u)
    return false;
  const Operand *tail = inst.ops + inst.numOps - 4;
  form.isDpp = 1;
  form.dppControl = uint64_t(tail[0].imm);
  form.rowMask = uint64_t(tail[1].imm);
  form.bankMask = uint64_t(tail[2].imm);
  form.boundZero = tail[3].imm != 0;
  form.slowSources |= 1;
  form.slowResult = 1;
  return true;
}

bool describeValu(ExecInst &inst, unsigned numSources, bool mergesHalf) {
  ValuForm form;
  std::memset(&form, 0, sizeof(form));
  if (inst.numOps < inst.numDefs + numSources)
    return false;
  for (unsigned i = 0; i < numSources && i < 3; ++i)
    if (hasInputModifiers(inst.src(i)))
      form.slowSources |= uint64_t(1) << i;
  form.mergesHalf = mergesHalf;
  form.highHalf = mergesHalf && (inst.src(0).mods & ModOpSel1);
  bool good = true;
  if (inst.encoding == Encoding::Sdwa) {
    good = describeSdwa(inst, numSources, form);
  } else if (inst.encoding == Encoding::Dpp) {
    good = describeDpp(inst, numSources, form);
  } else {
    const Operand *tail = inst.ops + inst.numDefs + numSources;
    unsigned count = inst.numOps - inst.numDefs - numSources;
    good = count <= 2;
    for (unsigned i = 0; i < count && good; ++i)
      good = tail[i].isImm();
    if (good && count > 0)
      form.clamp = uint64_t(tail[0].imm);
    if (good && count > 1)
      form.omod = uint64_t(tail[1].imm);
    form.slowResult = form.clamp || form.omod || mergesHalf;
  }
  std::memcpy(&inst.data, &form, sizeof(form));
  return good;
}

} // namespace emu
} // namespace fly
