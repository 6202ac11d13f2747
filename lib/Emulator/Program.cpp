//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "HandlerRegistry.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace emu {

static void unknownInstruction(Wave &w, const ExecInst &inst) {
  w.fail(inst.inst->valid ? "the emulator does not know this instruction"
                          : "these bytes are no instruction");
}

static void executeMfma(Wave &w, const ExecInst &inst) {
  const auto *m = static_cast<const MfmaInstruction *>(inst.data);
  m->mfma.execute(w.regs, m->operands, w.mfmaCache,
                  !(w.mode & ModeDenormF32In));
}

static MfmaSource sourceOf(const Operand &op) {
  return op.isImm() ? MfmaSource::bits(uint64_t(op.imm))
                    : MfmaSource::registers(op.row());
}

/// Operand order: vdst, a, b, c, then cbsz, abid, blgp, or for the f8f6f4 forms
/// cbsz, blgp and for the scaled ones scaleA, scaleB, modA, modB.
void Program::addMfma(ExecInst &inst, const EmulatorOptions &options) {
  bool f8f6f4 = inst.inst->key.contains("f8f6f4");
  bool scaled = inst.inst->key.contains("_scale_");
  unsigned expected = scaled ? 10 : f8f6f4 ? 6 : 7;
  if (inst.numOps != expected || !inst.ops[0].isVector() ||
      !inst.ops[1].isVector() || !inst.ops[2].isVector())
    return;
  MfmaModifiers modifiers;
  modifiers.cbsz = uint8_t(inst.ops[4].imm);
  if (!f8f6f4)
    modifiers.abid = uint8_t(inst.ops[5].imm);
  modifiers.blgp = uint8_t(inst.ops[f8f6f4 ? 5 : 6].imm);
  Expected<Mfma> mfma = Mfma::create(inst.inst->key, modifiers,
                                     codeObject.target(), options.mfmaRounding);
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

static bool isSkippable(Unit unit) {
  return unit == Unit::Valu || unit == Unit::Mfma || unit == Unit::Mubuf ||
         unit == Unit::Flat || unit == Unit::Lds;
}

Expected<std::unique_ptr<Program>>
Program::create(CodeObject object, const EmulatorOptions &options) {
  Expected<const HandlerRegistry &> registry = HandlerRegistry::get();
  if (!registry)
    return registry.takeError();
  std::unique_ptr<Program> program(new Program(std::move(object)));
  Expected<Disassembly> decoded = program->codeObject.disassemble();
  if (!decoded)
    return decoded.takeError();
  program->decoded.emplace(std::move(*decoded));
  ArrayRef<Instruction> instructions = program->decoded->instructions();
  program->insts.reserve(instructions.size());
  for (const Instruction &instruction : instructions) {
    ExecInst inst;
    inst.inst = &instruction;
    inst.ops = instruction.firstOperand;
    inst.numOps = instruction.numOperands;
    inst.numDefs = instruction.numDefs;
    inst.encoding = instruction.encoding;
    inst.addressMode = instruction.addressMode;
    inst.unit = instruction.unit;
    inst.skippedByVskip = isSkippable(instruction.unit);
    inst.index = uint32_t(program->insts.size());
    if (instruction.isBranch)
      inst.target = int32_t(program->decoded->indexAt(instruction.target));
    registry->resolve(program->codeObject.target(), inst);
    if (instruction.unit == Unit::Mfma)
      program->addMfma(inst, options);
    if (!inst.handler)
      inst.handler = unknownInstruction;
    program->insts.push_back(inst);
  }
  return program;
}

std::string Program::describe(uint32_t index) const {
  const Instruction &inst = decoded->instructions()[index];
  std::string line = lines->at(inst.address);
  return formatv("{0:x} '{1}'{2}", inst.address, decoded->text(inst),
                 line.empty() ? line : " (" + line + ")");
}

} // namespace emu
} // namespace fly
