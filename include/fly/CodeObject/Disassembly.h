//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Machine code decoded once through LLVM's public MC interfaces: instructions
/// named by a *semantic key* and with normalised operands, so that no user of
/// it ever sees an opcode number or an operand position of one encoding.

#ifndef FLY_CODEOBJECT_DISASSEMBLY_H
#define FLY_CODEOBJECT_DISASSEMBLY_H

#include "fly/Arch/TargetInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fly {

/// Where a register lives. Scalar covers everything with a scalar operand
/// code: SGPRs, VCC (106), M0 (124), EXEC (126), apertures (235..239), VCCZ
/// (251), EXECZ (252), SCC (253), ...
enum class RegFile : uint8_t { None, Scalar, Vgpr, Agpr };

/// Codes of the scalar registers that have a name (CDNA4 ISA manual, table of
/// scalar operands). A 64-bit register occupies its code and the next one.
enum ScalarCode : uint16_t {
  ScalarFlatScratch = 102,
  ScalarXnackMask = 104,
  ScalarVcc = 106,
  ScalarTtmp = 108,
  ScalarM0 = 124,
  ScalarExec = 126,
  ScalarSharedBase = 235,
  ScalarSharedLimit = 236,
  ScalarPrivateBase = 237,
  ScalarPrivateLimit = 238,
  ScalarVccz = 251,
  ScalarExecz = 252,
  ScalarScc = 253
};

/// Bits of Operand::mods, as LLVM numbers them. For VOP3 floats Neg and Abs;
/// for packed and op_sel instructions Neg is neg_lo, Abs is neg_hi, OpSel0 is
/// op_sel and OpSel1 op_sel_hi. In op_sel instructions of VOP3 the bit OpSel1
/// of the *first* source is the destination's op_sel bit. SDWA sign extension
/// of an integer source is bit Sext.
enum OperandMods : uint8_t {
  ModNeg = 1,
  ModAbs = 2,
  ModOpSel0 = 4,
  ModOpSel1 = 8,
  ModSext = 16
};

/// One operand. Tied copies of a destination (the accumulator of v_fmac, the
/// old value of a DPP move) are left out of Instruction::operands and leave
/// isReadToo on the destination.
struct Operand {
  enum class Kind : uint8_t { Register, Immediate };
  Kind kind = Kind::Immediate;
  RegFile file = RegFile::None;
  /// Width of the register in dwords; 0 for an immediate.
  uint8_t dwords = 0;
  /// Input modifiers (OperandMods) that LLVM keeps in an operand of their own.
  uint8_t mods = 0;
  bool isDef = false;
  /// A destination that is read as well (a tied source): an accumulator, or
  /// the old value that a DPP, SDWA or 16-bit result is merged into.
  bool isReadToo = false;
  /// VGPR or AGPR number, or scalar code, of the first dword.
  uint16_t index = 0;
  /// Inline constants arrive as the bits of the operand's width, 32-bit
  /// literals zero-extended; FLAT offsets already sign-extended.
  int64_t imm = 0;

  bool isReg() const { return kind == Kind::Register; }
  bool isImm() const { return kind == Kind::Immediate; }
  bool isVector() const {
    return file == RegFile::Vgpr || file == RegFile::Agpr;
  }
  bool isScalar() const { return file == RegFile::Scalar; }
  /// Row in a register file that holds VGPRs in 0..255, AGPRs in 256..511.
  unsigned row() const {
    return file == RegFile::Agpr ? 256u + index : unsigned(index);
  }
};

/// How the bits are laid out; operand order differs between them.
enum class Encoding : uint8_t {
  Other, ///< scalar, memory, VOP1/VOP2/VOPC 32-bit forms (e32), VOP3P
  Vop3,  ///< the 64-bit form (e64) of an instruction that also has an e32 one
  Sdwa,
  Dpp
};

/// Which address operands a memory instruction has.
enum class AddressMode : uint8_t {
  None,
  Offset,  ///< MUBUF: neither; SMEM: immediate only; SCRATCH: `off, off`
  Offen,   ///< MUBUF: VGPR byte offset
  Idxen,   ///< MUBUF: VGPR index
  Bothen,  ///< MUBUF: VGPR pair (index, offset)
  Vaddr,   ///< FLAT, GLOBAL: 64-bit VGPR pair; SCRATCH: 32-bit VGPR
  Saddr,   ///< GLOBAL: SGPR pair + VGPR; SCRATCH: SGPR
  SvAddr,  ///< SCRATCH: VGPR + SGPR
  Sgpr,    ///< SMEM: SGPR offset
  SgprImm, ///< SMEM: SGPR offset + immediate
};

/// The unit that executes an instruction.
enum class Unit : uint8_t {
  Unknown,
  Salu,
  Smem,
  Branch, ///< branches, s_endpgm
  Wait,   ///< s_waitcnt, s_barrier, s_nop, s_sleep, s_setprio and the like
  Valu,
  Mfma,
  Mubuf,
  Flat, ///< FLAT, GLOBAL, SCRATCH
  Lds
};

struct Instruction {
  uint64_t address = 0; ///< virtual address in the object
  uint8_t size = 0;     ///< bytes, also of what is no instruction
  bool valid = false;   ///< false: the bytes at address are no instruction
  Encoding encoding = Encoding::Other;
  AddressMode addressMode = AddressMode::None;
  Unit unit = Unit::Unknown;

  bool isBranch = false;      ///< direct branch or call; see target
  bool isConditional = false; ///< falls through as well
  bool isIndirect = false;    ///< s_setpc, s_swappc: target not known
  bool isTerminator = false;  ///< s_endpgm and branches
  bool mayLoad = false, mayStore = false;
  bool returnsOld = false;                  ///< returning form of an atomic
  bool toLds = false;                       ///< direct-to-LDS form of a load
  bool readsVcc = false, writesVcc = false; ///< implicitly
  bool readsScc = false, writesScc = false;
  bool readsM0 = false;
  bool readsExec = false, writesExec = false; ///< implicitly

  uint8_t numOperands = 0;
  uint8_t numDefs = 0; ///< leading operands that are destinations
  /// First operand in the disassembly's pool; use operands().
  const Operand *firstOperand = nullptr;
  /// Target of a direct branch.
  uint64_t target = 0;

  /// Mnemonic without encoding suffix: "v_add_f32", "buffer_load_dwordx4",
  /// "buffer_load_dwordx4_lds" for the direct-to-LDS form. Empty if not valid.
  llvm::StringRef key;
  /// LLVM's opcode name, "V_ADD_F32_e32_vi".
  llvm::StringRef opcodeName;

  llvm::ArrayRef<Operand> operands() const {
    return {firstOperand, numOperands};
  }
  const Operand &operand(unsigned i) const { return firstOperand[i]; }
};

/// Decoded counters of an s_waitcnt (gfx9 layout: vmcnt [15:14]:[3:0],
/// expcnt [6:4], lgkmcnt [11:8]; LLVM AMDGPUUsage).
struct WaitCount {
  unsigned vm = 63, exp = 7, lgkm = 15;
  static WaitCount decode(uint16_t simm16) {
    return {(simm16 & 15u) | ((simm16 >> 14 & 3u) << 4), simm16 >> 4 & 7u,
            simm16 >> 8 & 15u};
  }
  uint16_t encode() const {
    return uint16_t((vm & 15) | (vm >> 4 & 3) << 14 | (exp & 7) << 4 |
                    (lgkm & 15) << 8);
  }
};

/// The instructions of one range of code, in address order.
class Disassembly {
public:
  /// Decodes \p bytes, which start at virtual address \p address, for
  /// \p target. Bytes that are no instruction become invalid instructions of
  /// one dword; a trailing part of a dword is left out.
  static llvm::Expected<Disassembly> decode(const TargetInfo &target,
                                            llvm::ArrayRef<uint8_t> bytes,
                                            uint64_t address);
  Disassembly(Disassembly &&);
  Disassembly &operator=(Disassembly &&);
  ~Disassembly();

  llvm::ArrayRef<Instruction> instructions() const { return insts; }
  uint64_t startAddress() const { return start; }
  uint64_t endAddress() const { return start + numBytes; }
  /// Index of the instruction that starts at \p address, or -1.
  int64_t indexAt(uint64_t address) const;
  /// Printed text as llvm-objdump prints it, branch targets as addresses;
  /// ".long" and the dwords for an invalid one. Thread-safe.
  std::string text(const Instruction &inst) const;

private:
  struct Impl;
  Disassembly();
  std::unique_ptr<Impl> impl;
  std::vector<Instruction> insts;
  std::vector<int32_t> indexOfDword;
  uint64_t start = 0, numBytes = 0;
};

/// Assembles AMDGPU assembly to the bytes of one relocatable object and returns
/// its .text section (no relocations are applied). For tests and probes.
llvm::Expected<std::vector<uint8_t>> assembleText(const TargetInfo &target,
                                                  llvm::StringRef source);

/// Assembles \p source to a relocatable ELF object.
llvm::Expected<std::vector<uint8_t>> assembleObject(const TargetInfo &target,
                                                    llvm::StringRef source);

} // namespace fly

#endif // FLY_CODEOBJECT_DISASSEMBLY_H
