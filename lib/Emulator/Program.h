//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// A code object made ready to run. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_PROGRAM_H
#define FLY_LIB_EMULATOR_PROGRAM_H

#include "fly/CodeObject/CodeObject.h"
#include "fly/CodeObject/SourceLines.h"
#include "fly/Emulator/Emulator.h"
#include "fly/Emulator/Mfma.h"
#include "fly/Emulator/Wave.h"

#include <deque>
#include <optional>
#include <vector>

namespace fly {
namespace emu {

/// What ExecInst::data of a matrix instruction points to.
struct MfmaInstruction {
  Mfma mfma;
  MfmaOperands operands;
};

class Program {
public:
  static llvm::Expected<std::unique_ptr<Program>>
  create(CodeObject object, const EmulatorOptions &options);

  const CodeObject &object() const { return codeObject; }
  llvm::ArrayRef<ExecInst> code() const { return insts; }
  const Disassembly &disassembly() const { return *decoded; }
  /// "0x1234 'v_add_f32_e32 v0, v1, v2'" of instruction \p index, and the
  /// source line, "(gemm.cl:12)", if the object has debug information.
  std::string describe(uint32_t index) const;

  /// Device address of virtual address 0; set by load().
  uint64_t loadBase = 0;

private:
  explicit Program(CodeObject object)
      : codeObject(std::move(object)),
        lines(std::make_unique<SourceLines>(codeObject.bytes())) {}
  void addMfma(ExecInst &inst, const EmulatorOptions &options);

  CodeObject codeObject;
  std::unique_ptr<SourceLines> lines;
  std::optional<Disassembly> decoded;
  std::vector<ExecInst> insts;
  std::deque<MfmaInstruction> mfmas;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_PROGRAM_H
