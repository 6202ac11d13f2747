//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What Disassembly knows of an LLVM opcode, worked out once from its name and
/// description and cached. Internal to CodeObject.

#ifndef FLY_LIB_CODEOBJECT_OPCODETABLE_H
#define FLY_LIB_CODEOBJECT_OPCODETABLE_H

#include "McTarget.h"

#include "fly/CodeObject/Disassembly.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/StringSaver.h"

namespace fly {

class OpcodeTable {
public:
  explicit OpcodeTable(const McTarget &mc);

  /// An instruction with every field filled that depends on the opcode alone.
  const Instruction &describe(const llvm::MCInst &inst);

  /// Whether operand \p i of \p opcode holds the input modifiers of the
  /// operand after it.
  bool isInputMods(unsigned opcode, unsigned i) const;
  /// The destination that operand \p i of \p opcode repeats, or -1.
  int tiedTo(unsigned opcode, unsigned i) const;
  /// False if LLVM decoded operands that the instruction cannot have. That
  /// tuples start at an even register is not looked at.
  bool admitsOperands(const llvm::MCInst &inst);
  /// Register file, code and width of a physical register.
  Operand describeRegister(llvm::MCRegister reg);

private:
  /// One bit for each RegFile of which the class has registers.
  unsigned filesOf(unsigned registerClass);
  bool admits(const llvm::MCOperandInfo &info, const llvm::MCOperand &operand,
              bool isDef);
  llvm::StringRef makeKey(const llvm::MCInst &inst, llvm::StringRef name);
  void setImplicit(const llvm::MCInstrDesc &desc, Instruction &result) const;

  const McTarget &mc;
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver;
  llvm::DenseMap<unsigned, Instruction> byOpcode;
  llvm::DenseMap<unsigned, Operand> byRegister;
  llvm::DenseMap<unsigned, unsigned> filesByClass;
  unsigned hwMode;
  unsigned inputModsType = ~0u;
};

} // namespace fly

#endif // FLY_LIB_CODEOBJECT_OPCODETABLE_H
