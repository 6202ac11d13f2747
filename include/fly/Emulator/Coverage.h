//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Which instructions of a chip the emulator executes: LLVM's tables against
/// its own. docs/reference/instructions.md is made of it.

#ifndef FLY_EMULATOR_COVERAGE_H
#define FLY_EMULATOR_COVERAGE_H

#include "fly/CodeObject/Disassembly.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fly {

/// One instruction by its semantic key (docs/add-an-instruction.md).
struct InstructionCoverage {
  std::string key;
  Unit unit = Unit::Unknown;
  /// LLVM opcodes: encodings, address modes, register files of the result.
  unsigned forms = 0;
  /// How many of them are executed. A run stops where it reaches another.
  unsigned emulated = 0;
  /// LLVM names of those that are not.
  std::vector<std::string> missing;
  /// Why the instruction is not executed; empty if it is, or if the emulator
  /// just does not know it.
  std::string reason;
};

/// All that LLVM's disassembler knows for \p arch, sorted by key.
llvm::Expected<std::vector<InstructionCoverage>>
instructionCoverage(llvm::StringRef arch);

/// "VALU", "LDS", ...
llvm::StringRef unitName(Unit unit);

} // namespace fly

#endif // FLY_EMULATOR_COVERAGE_H
