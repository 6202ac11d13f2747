//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/CodeObject/Disassembly.h"

#include "EncodingCheck.h"
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
    return ArrayRef(bytes).slice(offset, maxInstructionBytes);
  }

  std::unique_ptr<McTarget> mc;
  OpcodeTable opcodes;
  /// The code, and zeros behind it: LLVM does not survive a literal that is cut
  /// off.
  std::vector<uint8_t> bytes;
  uint64_t numBytes = 0;
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
    // A literal that an inline constant could hold.
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

/// \p size bytes at \p address that are no instruction.
static Instruction notAnInstruction(uint64_t address, uint64_t size) {
  Instruction result;
  result.address = address;
  result.size = uint8_t(size);
  return result;
}

Instruction Disassembly::Impl::decodeAt(uint64_t offset, uint64_t address) {
  uint64_t left = numBytes - offset;
  if (uint64_t size = impossibleEncodingSize(bytes.data() + offset))
    return notAnInstruction(address, std::min(size, left));
  MCInst inst;
  uint64_t size = 0;
  if (mc->disassembler->getInstruction(inst, size, bytesAt(offset), address,
                                       nulls()) != MCDisassembler::Success ||
      size == 0 || size > left)
    return notAnInstruction(address, 4);
  if (!opcodes.admitsOperands(inst))
    return notAnInstruction(address, size);
  Instruction result = opcodes.describe(inst);
  result.address = address;
  result.size = uint8_t(size);
  size_t poolSize = pool.size();
  if (!addOperands(inst, result)) {
    pool.resize(poolSize);
    return notAnInstruction(address, size);
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
  impl.numBytes = bytes.size() / 4 * 4;
  bytes = bytes.take_front(impl.numBytes);
  impl.bytes.assign(bytes.begin(), bytes.end());
  impl.bytes.resize(impl.numBytes + maxInstructionBytes);
  result.start = address;
  result.numBytes = impl.numBytes;
  result.indexOfDword.assign(impl.numBytes / 4, -1);
  for (uint64_t offset = 0; offset < impl.numBytes;) {
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
  if (!inst.valid) {
    std::string dwords;
    for (unsigned at = 0; at != inst.size; at += 4)
      dwords +=
          formatv("{0} {1:x8}", at ? "," : "",
                  support::endian::read32le(impl->bytes.data() + offset + at));
    return ".long" + dwords;
  }
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
