//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// A code object made ready to run. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_PROGRAM_H
#define FLY_LIB_EMULATOR_PROGRAM_H

#include "Binder.h"

#include "fly/CodeObject/CodeObject.h"
#include "fly/CodeObject/SourceLines.h"
#include "fly/Emulator/Emulator.h"
#include "fly/Emulator/Wave.h"

#include <optional>
#include <vector>

namespace fly {
namespace emu {

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
  Program(CodeObject object, const HandlerRegistry &registry,
          const EmulatorOptions &options)
      : codeObject(std::move(object)),
        lines(std::make_unique<SourceLines>(codeObject.bytes())),
        binder(registry, codeObject.target(), options) {}

  CodeObject codeObject;
  std::unique_ptr<SourceLines> lines;
  std::optional<Disassembly> decoded;
  std::vector<ExecInst> insts;
  Binder binder;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_PROGRAM_H
