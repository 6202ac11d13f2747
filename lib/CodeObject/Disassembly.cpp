//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/CodeObject/Disassembly.h"

#include "McTarget.h"
#include "OpcodeTable.h"

#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <mutex>

using namespace llvm;

namespace fly {

struct Disassembly::Impl {
  explicit Impl(std::unique_ptr<McTarget> target)
      : mc(std::move(target)), opcodes(*mc) {}

  Instruction decodeAt(uint64_t offset, uint64_t address);
  /// False if an operand has no value.
  bool addOperands(const MCInst &inst, Instruction &result);
  ArrayRef<uint8_t> bytesAt(uint64_t offset) const {
    return ArrayRef(bytes).drop_front(offset);
  }

  std::unique_ptr<McTarget> mc;
  OpcodeTable opcodes;
  std::vector<uint8_t> bytes;
  std::vector<Operand> pool;
  std::mutex printMutex;
};

Disassembly::Disassembly() = default;
Disassembly::Disassembly(Disassembly &&) = default;
Disassembly &Disassembly::operator=(Disassembly &&) = default;
Disassembly::~Disassembly() = default;

/// Sign extension that LLVM leaves to the printer: FLAT offsets have 13 bits,
/// SMEM offsets 21.
static void extendOffset(Operand &op, Unit unit) {
  if (unit == Unit::Flat)
    op.imm = SignExtend64<13>(op.imm & 0x1fff);
  if (unit == Unit::Smem)
    op.imm = SignExtend64<21>(op.imm & 0x1fffff);
}

bool Disassembly::Impl::addOperands(const MCInst &inst, Instruction &result) {
  unsigned opcode = inst.getOpcode();
  unsigned numDefs = result.numDefs;
  result.numDefs = 0;
  uint8_t pendingMods = 0;
  bool seenImm = false;
  size_t first = pool.size();
  for (unsigned i = 0, e = inst.getNumOperands(); i != e; ++i) {
    const MCOperand &mcOp = inst.getOperand(i);
    if (int def = opcodes.tiedTo(opcode, i); def >= 0) {
      if (size_t(def) < pool.size() - first) {
        pool[first + def].isReadToo = true;
        // op_sel[2] of a conversion with two sources.
        pool[first + def].mods |= pendingMods;
        pendingMods = 0;
      }
      continue;
    }
    // The scaled MFMA have their scales' modifiers at the end, after both.
    if (mcOp.isImm() && result.unit != Unit::Mfma &&
        opcodes.isInputMods(opcode, i) && i + 1 != e) {
      pendingMods = uint8_t(mcOp.getImm());
      continue;
    }
    // The 16-bit loads repeat their destination at the end without a tie.
    bool isMemory = result.unit == Unit::Mubuf || result.unit == Unit::Flat ||
                    result.unit == Unit::Lds;
    if (isMemory && seenImm && mcOp.isReg()) {
      if (numDefs)
        pool[first].isReadToo = true;
      continue;
    }
    Operand op;
    if (mcOp.isReg() && mcOp.getReg())
      op = opcodes.describeRegister(mcOp.getReg());
    else if (mcOp.isImm())
      op.imm = mcOp.getImm();
    else if (mcOp.isExpr() && !mcOp.getExpr()->evaluateAsAbsolute(op.imm))
      return false;
    else if (!mcOp.isReg() && !mcOp.isExpr())
      return false;
    if (op.isImm() && !seenImm) {
      seenImm = true;
      extendOffset(op, result.unit);
    }
    op.mods = pendingMods;
    pendingMods = 0;
    op.isDef = i < numDefs;
    result.numDefs += op.isDef;
    pool.push_back(op);
    ++result.numOperands;
  }
  return true;
}

/// Whether a 64-bit encoding names a literal (source code 255), which none of
/// them can have on gfx9. LLVM 22's disassembler may crash on the message that
/// it makes of these.
static bool namesImpossibleLiteral(ArrayRef<uint8_t> bytes) {
  for (unsigned at = 0; at + 8 <= bytes.size(); at += 8) {
    uint32_t first = support::endian::read32le(bytes.data() + at);
    uint32_t second = support::endian::read32le(bytes.data() + at + 4);
    bool isVop3 = first >> 26 == 0x34;
    bool isBuffer = first >> 26 == 0x38 || first >> 26 == 0x3a;
    if (isVop3)
      for (unsigned shift : {0, 9, 18})
        if ((second >> shift & 0x1ff) == 255)
          return true;
    if (isBuffer && second >> 24 == 255)
      return true;
    // Only the scaled matrix instructions go on, with a second such pair.
    if (first >> 16 != 0xd3ac)
      return false;
  }
  return false;
}

/// Whether an SDWA encoding selects byte or word 7 or has dst_unused 3, which
/// are reserved (CDNA3 ISA manual, "SDWA"). LLVM 22 decodes them, and its
/// printer jumps out of its tables.
static bool hasReservedSelect(ArrayRef<uint8_t> bytes) {
  if (bytes.size() < 8)
    return false;
  uint32_t first = support::endian::read32le(bytes.data());
  uint32_t second = support::endian::read32le(bytes.data() + 4);
  bool isVop2OrLess = first >> 31 == 0;
  if (!isVop2OrLess || (first & 0x1ff) != 0xf9)
    return false;
  bool isVop1 = first >> 25 == 0x3f, isVopc = first >> 25 == 0x3e;
  auto field = [&](unsigned shift, uint32_t mask) {
    return (second >> shift & mask) == mask;
  };
  bool destination = !isVopc && (field(8, 7) || field(11, 3));
  return destination || field(16, 7) || (!isVop1 && field(24, 7));
}

Instruction Disassembly::Impl::decodeAt(uint64_t offset, uint64_t address) {
  MCInst inst;
  uint64_t size = 0;
  MCDisassembler::DecodeStatus status = MCDisassembler::Fail;
  if (!namesImpossibleLiteral(bytesAt(offset)))
    status = mc->disassembler->getInstruction(inst, size, bytesAt(offset),
                                              address, nulls());
  Instruction result;
  if (status != MCDisassembler::Success || size == 0 || size > 20 ||
      size > bytes.size() - offset) {
    result.address = address;
    result.size = 4;
    return result;
  }
  if (hasReservedSelect(bytesAt(offset))) {
    result.address = address;
    result.size = uint8_t(size);
    return result;
  }
  result = opcodes.describe(inst);
  result.address = address;
  result.size = uint8_t(size);
  // A literal that an inline constant could hold is an expression in LLVM.
  size_t poolSize = pool.size();
  if (!addOperands(inst, result)) {
    pool.resize(poolSize);
    result = Instruction();
    result.address = address;
    result.size = uint8_t(size);
    return result;
  }
  if (result.isBranch && inst.getNumOperands() != 0) {
    const MCOperand &last = inst.getOperand(inst.getNumOperands() - 1);
    if (last.isImm())
      result.target =
          address + 4 + uint64_t(SignExtend64<16>(last.getImm() & 0xffff)) * 4;
  }
  return result;
}

Expected<Disassembly> Disassembly::decode(const TargetInfo &target,
                                          ArrayRef<uint8_t> bytes,
                                          uint64_t address) {
  Expected<std::unique_ptr<McTarget>> mc = McTarget::create(target);
  if (!mc)
    return mc.takeError();
  if (address % 4 != 0)
    return createStringError(
        formatv("code starts at {0:x}, expected a multiple of 4", address));
  Disassembly result;
  result.impl = std::make_unique<Impl>(std::move(*mc));
  Impl &impl = *result.impl;
  impl.bytes.assign(bytes.begin(), bytes.end());
  impl.bytes.resize(bytes.size() / 4 * 4);
  result.start = address;
  result.numBytes = impl.bytes.size();
  result.indexOfDword.assign(impl.bytes.size() / 4, -1);
  for (uint64_t offset = 0; offset < impl.bytes.size();) {
    result.indexOfDword[offset / 4] = int32_t(result.insts.size());
    result.insts.push_back(impl.decodeAt(offset, address + offset));
    offset += result.insts.back().size;
  }
  // The pool does not grow any more.
  const Operand *next = impl.pool.data();
  for (Instruction &inst : result.insts) {
    inst.firstOperand = next;
    next += inst.numOperands;
  }
  return result;
}

int64_t Disassembly::indexAt(uint64_t address) const {
  if (address < start || address >= endAddress() || address % 4 != 0)
    return -1;
  return indexOfDword[(address - start) / 4];
}

std::string Disassembly::text(const Instruction &inst) const {
  uint64_t offset = inst.address - start;
  if (!inst.valid)
    return formatv(".long {0:x8}",
                   support::endian::read32le(impl->bytes.data() + offset));
  std::lock_guard<std::mutex> lock(impl->printMutex);
  MCInst mcInst;
  uint64_t size;
  impl->mc->disassembler->getInstruction(mcInst, size, impl->bytesAt(offset),
                                         inst.address, nulls());
  std::string text;
  raw_string_ostream os(text);
  impl->mc->printer->printInst(&mcInst, inst.address, "", *impl->mc->subtarget,
                               os);
  for (char &c : text)
    if (c == '\t')
      c = ' ';
  StringRef printed = StringRef(text).trim();
  // LLVM prints the raw distance of a branch.
  if (inst.isBranch && printed.contains(' '))
    return formatv("{0} {1:x}", printed.take_front(printed.rfind(' ')),
                   inst.target);
  return printed.str();
}

} // namespace fly
