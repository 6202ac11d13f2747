//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpcodeTable.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCInst.h"

using namespace llvm;

namespace fly {

OpcodeTable::OpcodeTable(const McTarget &mc)
    : mc(mc), saver(allocator),
      hwMode(mc.subtarget->getHwMode(MCSubtargetInfo::HwMode_RegInfo)) {
  // The operand type "input modifiers" has no public name; it is that of the
  // first modifier operand of the 64-bit form of v_add_f32.
  for (unsigned i = 0, e = mc.instructions->getNumOpcodes(); i != e; ++i) {
    if (mc.instructions->getName(i) != "V_ADD_F32_e64_vi")
      continue;
    inputModsType = mc.instructions->get(i).operands()[1].OperandType;
    break;
  }
}

bool OpcodeTable::isInputMods(unsigned opcode, unsigned i) const {
  ArrayRef<MCOperandInfo> infos = mc.instructions->get(opcode).operands();
  return i < infos.size() && infos[i].OperandType == inputModsType;
}

int OpcodeTable::tiedTo(unsigned opcode, unsigned i) const {
  const MCInstrDesc &desc = mc.instructions->get(opcode);
  return i < desc.getNumOperands() ? desc.getOperandConstraint(i, MCOI::TIED_TO)
                                   : -1;
}

static unsigned registerDwords(StringRef name) {
  for (StringRef prefix : {"VGPR", "AGPR", "SGPR", "TTMP"})
    if (name.starts_with(prefix))
      return name.count(prefix);
  if (name.contains("_LO") || name.contains("_HI"))
    return 1;
  bool wide = name.starts_with("VCC") || name.starts_with("EXEC") ||
              name.contains("FLAT_SCR") || name.contains("XNACK") ||
              name.contains("_BASE") || name.contains("_LIMIT");
  return wide ? 2 : 1;
}

/// HWEncoding: bits 9:0 number, bit 10 VGPR, bit 11 AGPR.
static RegFile fileOf(unsigned encoding) {
  return encoding & 2048   ? RegFile::Agpr
         : encoding & 1024 ? RegFile::Vgpr
                           : RegFile::Scalar;
}

unsigned OpcodeTable::filesOf(unsigned registerClass) {
  auto [it, isNew] = filesByClass.try_emplace(registerClass);
  if (isNew)
    for (MCPhysReg reg : mc.registers->getRegClass(registerClass))
      it->second |= 1u << unsigned(fileOf(mc.registers->getEncodingValue(reg)));
  return it->second;
}

bool OpcodeTable::admits(const MCOperandInfo &info, const MCOperand &operand,
                         bool isDef) {
  int id = mc.instructions->getOpRegClassID(info, hwMode);
  if (id < 0)
    return true;
  if (operand.isReg() && operand.getReg()) {
    Operand op = describeRegister(operand.getReg());
    // LLVM also knows v256 and up, of other chips.
    if (op.isVector() && op.index + op.dwords > 256)
      return false;
    if (filesOf(id) >> unsigned(op.file) & 1)
      return true;
    if (op.isVector())
      return false;
  }
  // A scalar register where LLVM has vector registers, or a constant. Hardware
  // broadcasts it as any source; but nothing says how to more than two dwords,
  // unless the instruction is made for constants.
  if (isDef)
    return false;
  return mc.registers->getRegClass(id).getSizeInBits() <= 64 ||
         (operand.isImm() && info.OperandType != MCOI::OPERAND_REGISTER);
}

bool OpcodeTable::admitsOperands(const MCInst &inst) {
  const MCInstrDesc &desc = mc.instructions->get(inst.getOpcode());
  unsigned count = std::min(inst.getNumOperands(), desc.getNumOperands());
  for (unsigned i = 0; i != count; ++i)
    if (!admits(desc.operands()[i], inst.getOperand(i), i < desc.getNumDefs()))
      return false;
  return true;
}

Operand OpcodeTable::describeRegister(MCRegister reg) {
  auto [it, isNew] = byRegister.try_emplace(reg.id());
  if (!isNew)
    return it->second;
  unsigned encoding = mc.registers->getEncodingValue(reg);
  Operand op;
  op.kind = Operand::Kind::Register;
  op.file = fileOf(encoding);
  op.index = encoding & 0x3ff;
  op.dwords = registerDwords(mc.registers->getName(reg));
  return it->second = op;
}

static Unit classify(StringRef name) {
  auto any = [&](std::initializer_list<StringRef> prefixes) {
    return llvm::any_of(prefixes,
                        [&](StringRef p) { return name.starts_with(p); });
  };
  if (any({"V_MFMA", "V_SMFMAC"}))
    return Unit::Mfma;
  if (any({"V_"}))
    return Unit::Valu;
  if (any({"BUFFER_", "TBUFFER_"}))
    return Unit::Mubuf;
  if (any({"FLAT_", "GLOBAL_", "SCRATCH_"}))
    return Unit::Flat;
  if (any({"DS_"}))
    return Unit::Lds;
  if (any({"S_LOAD", "S_BUFFER_", "S_STORE", "S_SCRATCH", "S_ATOMIC",
           "S_DCACHE", "S_MEMTIME", "S_MEMREALTIME", "S_ATC_PROBE"}))
    return Unit::Smem;
  if (any({"S_CBRANCH", "S_BRANCH", "S_SETPC", "S_SWAPPC", "S_CALL", "S_ENDPGM",
           "S_RFE"}))
    return Unit::Branch;
  if (any({"S_WAITCNT", "S_BARRIER", "S_NOP", "S_SLEEP", "S_SETPRIO",
           "S_SETHALT", "S_SENDMSG", "S_TRAP", "S_ICACHE", "S_WAKEUP",
           "S_SETKILL", "S_TTRACEDATA", "S_INCPERFLEVEL", "S_DECPERFLEVEL"}))
    return Unit::Wait;
  return name.starts_with("S_") ? Unit::Salu : Unit::Unknown;
}

/// The opcode name without what follows the last part that says something
/// about the operands: "_vi", "_gfx90a", "_vcd", ...
static StringRef withoutFamily(StringRef name) {
  for (bool changed = true; changed;) {
    changed = false;
    for (StringRef suffix : {"_vi", "_gfx9", "_gfx90a", "_gfx940", "_gfx950",
                             "_vcd", "_acd", "_gfx6_gfx7_gfx8_gfx9"})
      changed |= name.consume_back(suffix);
  }
  return name;
}

static AddressMode addressModeOf(StringRef name, Unit unit) {
  StringRef base = withoutFamily(name);
  base.consume_back("_RTN");
  base.consume_back("_TFE");
  switch (unit) {
  case Unit::Mubuf:
    return StringSwitch<AddressMode>(base.substr(base.rfind('_')))
        .Case("_OFFSET", AddressMode::Offset)
        .Case("_OFFEN", AddressMode::Offen)
        .Case("_IDXEN", AddressMode::Idxen)
        .Case("_BOTHEN", AddressMode::Bothen)
        .Default(AddressMode::None);
  case Unit::Flat: {
    bool scratch = base.starts_with("SCRATCH_");
    return StringSwitch<AddressMode>(base.substr(base.rfind('_')))
        .Case("_SADDR", AddressMode::Saddr)
        .Case("_SVS", AddressMode::SvAddr)
        .Case("_ST", AddressMode::Offset)
        .Case("_VE", AddressMode::Vaddr)
        .Default(scratch ? AddressMode::Vaddr : AddressMode::Vaddr);
  }
  case Unit::Smem:
    if (base.ends_with("_SGPR_IMM"))
      return AddressMode::SgprImm;
    if (base.ends_with("_SGPR"))
      return AddressMode::Sgpr;
    return base.ends_with("_IMM") ? AddressMode::Offset : AddressMode::None;
  default:
    return AddressMode::None;
  }
}

StringRef OpcodeTable::makeKey(const MCInst &inst, StringRef name) {
  const char *mnemonic = mc.printer->getMnemonic(inst).first;
  // Some mnemonics go on with an operand that is fixed ("... off,").
  StringRef key = StringRef(mnemonic ? mnemonic : "").trim().split(' ').first;
  for (StringRef suffix : {"_e32", "_e64", "_dpp", "_sdwa"})
    if (key.consume_back(suffix))
      break;
  bool bufferToLds = key.starts_with("buffer_") && name.contains("_LDS_");
  return saver.save(key.str() + (bufferToLds ? "_lds" : ""));
}

void OpcodeTable::setImplicit(const MCInstrDesc &desc,
                              Instruction &result) const {
  for (MCPhysReg reg : desc.implicit_uses()) {
    StringRef name = mc.registers->getName(reg);
    result.readsVcc |= name.starts_with("VCC");
    result.readsScc |= name == "SCC";
    result.readsM0 |= name.starts_with("M0");
    result.readsExec |= name.starts_with("EXEC");
  }
  for (MCPhysReg reg : desc.implicit_defs()) {
    StringRef name = mc.registers->getName(reg);
    result.writesVcc |= name.starts_with("VCC");
    result.writesScc |= name == "SCC";
    result.writesExec |= name.starts_with("EXEC");
  }
}

const Instruction &OpcodeTable::describe(const MCInst &inst) {
  auto [it, isNew] = byOpcode.try_emplace(inst.getOpcode());
  Instruction &result = it->second;
  if (!isNew)
    return result;
  const MCInstrDesc &desc = mc.instructions->get(inst.getOpcode());
  StringRef name = mc.instructions->getName(inst.getOpcode());
  result.valid = true;
  result.opcodeName = name;
  result.key = makeKey(inst, name);
  result.unit = classify(name);
  result.addressMode = addressModeOf(name, result.unit);
  result.encoding = name.contains("_sdwa")  ? Encoding::Sdwa
                    : name.contains("_dpp") ? Encoding::Dpp
                    : name.contains("_e64") ? Encoding::Vop3
                                            : Encoding::Other;
  result.isIndirect = name.starts_with("S_SETPC") ||
                      name.starts_with("S_SWAPPC") || name.starts_with("S_RFE");
  result.isBranch = result.unit == Unit::Branch && !result.isIndirect &&
                    !name.starts_with("S_ENDPGM");
  result.isConditional = name.starts_with("S_CBRANCH");
  result.isTerminator = result.unit == Unit::Branch;
  result.mayLoad = desc.mayLoad();
  result.mayStore = desc.mayStore();
  result.returnsOld = name.contains("_RTN");
  result.toLds = name.contains("_LDS_") && name.contains("LOAD") &&
                 result.unit != Unit::Lds;
  result.numDefs = desc.getNumDefs();
  setImplicit(desc, result);
  return result;
}

} // namespace fly
