//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Gives decoded instructions their handlers. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_BINDER_H
#define FLY_LIB_EMULATOR_BINDER_H

#include "HandlerRegistry.h"

#include "fly/Emulator/Mfma.h"
#include "fly/Emulator/Smfmac.h"

#include <deque>

namespace fly {
namespace emu {

/// What ExecInst::data of a matrix instruction points to.
struct MfmaInstruction {
  Mfma mfma;
  MfmaOperands operands;
};

/// The same of a sparse one.
struct SmfmacInstruction {
  Smfmac smfmac;
  SmfmacOperands operands;
};

/// Why a run ends at instructions of this key, whose effect is outside of what
/// the emulator models; null for all others.
const char *reasonToStop(llvm::StringRef key);

/// Owns what handlers are told about their instructions.
class Binder {
public:
  Binder(const HandlerRegistry &registry, const TargetInfo &target,
         const EmulatorOptions &options)
      : registry(registry), target(target), rounding(options.mfmaRounding),
        scaleZero(options.scaleZero) {}

  /// The handler is never null; that of an instruction which is not emulated
  /// fails the wave.
  ExecInst bind(const Instruction &instruction, uint32_t index);
  /// Whether \p inst, bound here, does something.
  static bool isEmulated(const ExecInst &inst);

private:
  void addMfma(ExecInst &inst);
  void addSmfmac(ExecInst &inst);

  const HandlerRegistry &registry;
  const TargetInfo &target;
  MfmaRounding rounding;
  ScaleZero scaleZero;
  std::deque<MfmaInstruction> mfmas;
  std::deque<SmfmacInstruction> smfmacs;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_BINDER_H
