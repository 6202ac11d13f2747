//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// LLVM's MC objects for one chip, made together. Internal to CodeObject.

#ifndef FLY_LIB_CODEOBJECT_MCTARGET_H
#define FLY_LIB_CODEOBJECT_MCTARGET_H

#include "fly/Arch/TargetInfo.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace fly {

struct McTarget {
  static llvm::Expected<std::unique_ptr<McTarget>>
  create(const TargetInfo &target);

  const llvm::Target *llvmTarget = nullptr;
  llvm::Triple triple;
  llvm::MCTargetOptions options;
  std::unique_ptr<const llvm::MCRegisterInfo> registers;
  std::unique_ptr<const llvm::MCAsmInfo> asmInfo;
  std::unique_ptr<const llvm::MCInstrInfo> instructions;
  std::unique_ptr<const llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
};

} // namespace fly

#endif // FLY_LIB_CODEOBJECT_MCTARGET_H
