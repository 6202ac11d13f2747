//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Binder.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace fly {
namespace emu {

const char *reasonToStop(StringRef key) {
  return StringSwitch<const char *>(key)
      .Cases({"s_rfe_b64", "s_rfe_restore_b64"},
             "it returns from a trap handler, and traps are not modelled")
      .Cases({"s_cbranch_g_fork", "s_cbranch_i_fork", "s_cbranch_join"},
             "the fork stack is not modelled")
      .StartsWith("ds_gws_", "global wave sync is a resource that a driver "
                             "allots, and is not modelled")
      .StartsWith("s_scratch_", "scratch is not modelled for scalar accesses")
      .Case("s_setkill", "the host that kills waves is not modelled")
      .Case("s_endpgm_ordered_ps_done", "it ends a pixel shader")
      .Case("v_screen_partition_4se_b32", "it is for pixel shaders")
      .Default(nullptr);
}

static void unknownInstruction(Wave &w, const ExecInst &) {
  w.fail("the emulator does not know this instruction");
}
static void noInstruction(Wave &w, const ExecInst &) {
  w.fail("these bytes are no instruction");
}
static void stopHere(Wave &w, const ExecInst &inst) {
  w.fail(static_cast<const char *>(inst.data));
}

static void executeMfma(Wave &w, const ExecInst &inst) {
  const auto *m = static_cast<const MfmaInstruction *>(inst.data);
  m->mfma.execute(w.regs, m->operands, w.mfmaCache,
                  !(w.mode & ModeDenormF32In));
}

/// Scalar registers are no source of these: \p op is not one.
static MfmaSource sourceOf(const Operand &op) {
  return op.isImm() ? MfmaSource::bits(uint64_t(op.imm))
                    : MfmaSource::registers(op.row());
}

/// Operand order: vdst, a, b, c, then cbsz, abid, blgp, or for the f8f6f4 forms
/// cbsz, blgp and for the scaled ones scaleA, scaleB, modA, modB.
void Binder::addMfma(ExecInst &inst) {
  bool f8f6f4 = inst.inst->key.contains("f8f6f4");
  bool scaled = inst.inst->key.contains("_scale_");
  unsigned expected = scaled ? 10 : f8f6f4 ? 6 : 7;
  ArrayRef<Operand> ops(inst.ops, inst.numOps);
  if (inst.numOps != expected || !inst.ops[0].isVector() ||
      !inst.ops[1].isVector() || !inst.ops[2].isVector() ||
      any_of(ops, [](const Operand &op) { return op.isScalar(); }))
    return;
  MfmaModifiers modifiers;
  modifiers.cbsz = uint8_t(inst.ops[4].imm);
  if (!f8f6f4)
    modifiers.abid = uint8_t(inst.ops[5].imm);
  modifiers.blgp = uint8_t(inst.ops[f8f6f4 ? 5 : 6].imm);
  Expected<Mfma> mfma =
      Mfma::create(inst.inst->key, modifiers, target, rounding, scaleZero);
  if (!mfma) {
    consumeError(mfma.takeError());
    return;
  }
  MfmaOperands operands;
  operands.d = uint16_t(inst.ops[0].row());
  operands.a = uint16_t(inst.ops[1].row());
  operands.b = uint16_t(inst.ops[2].row());
  operands.c = sourceOf(inst.ops[3]);
  if (scaled) {
    // op_sel is bit 2, op_sel_hi bit 3 of a scale's modifiers.
    operands.scaleA = sourceOf(inst.ops[6]);
    operands.scaleB = sourceOf(inst.ops[7]);
    operands.scaleByteA = uint8_t(inst.ops[8].imm >> 2 & 3);
    operands.scaleByteB = uint8_t(inst.ops[9].imm >> 2 & 3);
  }
  mfmas.push_back({*mfma, operands});
  inst.handler = executeMfma;
  inst.data = &mfmas.back();
}

static void executeSmfmac(Wave &w, const ExecInst &inst) {
  const auto *s = static_cast<const SmfmacInstruction *>(inst.data);
  s->smfmac.execute(w.regs, s->operands);
}

/// Operand order: vdst, a, b, indices, cbsz, abid.
void Binder::addSmfmac(ExecInst &inst) {
  if (inst.numOps != 6 || !all_of(ArrayRef(inst.ops, 4), [](const Operand &op) {
        return op.isVector();
      }))
    return;
  Expected<Smfmac> smfmac =
      Smfmac::create(inst.inst->key, uint8_t(inst.ops[4].imm),
                     uint8_t(inst.ops[5].imm), target, rounding);
  if (!smfmac)
    return consumeError(smfmac.takeError());
  SmfmacOperands operands;
  operands.d = uint16_t(inst.ops[0].row());
  operands.a = uint16_t(inst.ops[1].row());
  operands.b = uint16_t(inst.ops[2].row());
  operands.indices = uint16_t(inst.ops[3].row());
  smfmacs.push_back({*smfmac, operands});
  inst.handler = executeSmfmac;
  inst.data = &smfmacs.back();
}

static bool isSkippable(Unit unit) {
  return unit == Unit::Valu || unit == Unit::Mfma || unit == Unit::Mubuf ||
         unit == Unit::Flat || unit == Unit::Lds;
}

ExecInst Binder::bind(const Instruction &instruction, uint32_t index) {
  ExecInst inst;
  inst.inst = &instruction;
  inst.ops = instruction.firstOperand;
  inst.numOps = instruction.numOperands;
  inst.numDefs = instruction.numDefs;
  inst.encoding = instruction.encoding;
  inst.addressMode = instruction.addressMode;
  inst.unit = instruction.unit;
  inst.skippedByVskip = isSkippable(instruction.unit);
  inst.index = index;
  if (!instruction.valid) {
    inst.handler = noInstruction;
    return inst;
  }
  registry.resolve(target, inst);
  if (instruction.key.starts_with("v_smfmac_"))
    addSmfmac(inst);
  else if (instruction.unit == Unit::Mfma)
    addMfma(inst);
  if (inst.handler)
    return inst;
  if (const char *reason = reasonToStop(instruction.key)) {
    inst.handler = stopHere;
    inst.data = reason;
    return inst;
  }
  inst.handler = unknownInstruction;
  return inst;
}

bool Binder::isEmulated(const ExecInst &inst) {
  return inst.handler != unknownInstruction && inst.handler != noInstruction &&
         inst.handler != stopHere;
}

} // namespace emu
} // namespace fly
