//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "McTarget.h"

#include "llvm/Support/TargetSelect.h"

#include <mutex>

using namespace llvm;

namespace fly {

static void initializeAmdgpu() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmParser();
    LLVMInitializeAMDGPUDisassembler();
  });
}

Expected<std::unique_ptr<McTarget>> McTarget::create(const TargetInfo &target) {
  initializeAmdgpu();
  auto mc = std::make_unique<McTarget>();
  mc->triple = Triple("amdgcn-amd-amdhsa");
  std::string message;
  mc->llvmTarget = TargetRegistry::lookupTarget(mc->triple, message);
  if (!mc->llvmTarget)
    return createStringError("LLVM has no AMDGPU target: " + message);
  const Target *t = mc->llvmTarget;
  mc->registers.reset(t->createMCRegInfo(mc->triple));
  mc->asmInfo.reset(
      t->createMCAsmInfo(*mc->registers, mc->triple, mc->options));
  mc->instructions.reset(t->createMCInstrInfo());
  mc->subtarget.reset(t->createMCSubtargetInfo(mc->triple, target.name, ""));
  if (!mc->registers || !mc->asmInfo || !mc->instructions || !mc->subtarget)
    return createStringError("LLVM cannot describe chip '" + target.name + "'");
  mc->context = std::make_unique<MCContext>(
      mc->triple, mc->asmInfo.get(), mc->registers.get(), mc->subtarget.get());
  mc->disassembler.reset(t->createMCDisassembler(*mc->subtarget, *mc->context));
  mc->printer.reset(
      t->createMCInstPrinter(mc->triple, mc->asmInfo->getAssemblerDialect(),
                             *mc->asmInfo, *mc->instructions, *mc->registers));
  if (!mc->disassembler || !mc->printer)
    return createStringError("LLVM has no disassembler for chip '" +
                             target.name + "'");
  mc->printer->setPrintBranchImmAsAddress(true);
  return mc;
}

} // namespace fly
