//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Target/CodeGen.h"
#include "fly/CodeObject/CodeObject.h"
#include "fly/CodeObject/ControlFlow.h"

#include "BackendGuard.h"
#include "Translation.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

#include "mlir/IR/BuiltinOps.h"

#include <mutex>

using namespace llvm;

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
void LLVMInitializeAMDGPUAsmParser();
}

namespace fly {
namespace {

void initializeBackend() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser(); // for inline asm
  });
}

/// All that lives as long as one compilation. On the heap, so that it can be
/// left alone when the backend gave up in the middle.
struct Compilation {
  LLVMContext context;
  std::unique_ptr<TargetMachine> machine;
  std::unique_ptr<Module> module;
  SmallVector<char, 0> output;
};

Expected<std::unique_ptr<TargetMachine>>
createMachine(const TargetInfo &target) {
  initializeBackend();
  Triple triple("amdgcn-amd-amdhsa");
  std::string message;
  const Target *backend = TargetRegistry::lookupTarget(triple, message);
  if (!backend)
    return createStringError("LLVM has no AMDGPU backend: " + message);
  TargetOptions options;
  options.MCOptions.AsmVerbose = true;
  return std::unique_ptr<TargetMachine>(backend->createTargetMachine(
      triple, target.name, /*Features=*/"", options, Reloc::PIC_, std::nullopt,
      CodeGenOptLevel::Aggressive));
}

void optimize(Module &module, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3)
      .run(module, modules);
}

Error emit(Compilation &work, CodeGenFileType type) {
  raw_svector_ostream os(work.output);
  legacy::PassManager passes;
  if (work.machine->addPassesToEmitFile(passes, os, nullptr, type))
    return createStringError("LLVM cannot emit this kind of file");
  passes.run(*work.module);
  return Error::success();
}

Expected<std::unique_ptr<Compilation>> begin(mlir::ModuleOp module,
                                             const TargetInfo &target) {
  auto work = std::make_unique<Compilation>();
  auto machine = createMachine(target);
  if (!machine)
    return machine.takeError();
  work->machine = std::move(*machine);
  auto translated = translateModule(module, work->context, target);
  if (!translated)
    return translated.takeError();
  work->module = std::move(*translated);
  work->module->setDataLayout(work->machine->createDataLayout());
  return work;
}

Expected<SmallVector<char, 0>> generate(mlir::ModuleOp module,
                                        const TargetInfo &target,
                                        CodeGenFileType type) {
  auto work = begin(module, target);
  if (!work)
    return work.takeError();
  GuardedResult result =
      runGuarded("code generation for " + target.name.str(), (*work)->context,
                 [&]() -> Error {
                   optimize(*(*work)->module, *(*work)->machine);
                   return emit(**work, type);
                 });
  if (result.abandoned)
    work->release(); // a leak, which is better than a crash
  if (result.error)
    return std::move(result.error);
  return std::move((*work)->output);
}

} // namespace

Expected<std::string> generateLLVMIR(mlir::ModuleOp module,
                                     const TargetInfo &target) {
  auto work = begin(module, target);
  if (!work)
    return work.takeError();
  std::string text;
  raw_string_ostream os(text);
  (*work)->module->print(os, nullptr);
  return text;
}

Expected<std::string> generateISA(mlir::ModuleOp module,
                                  const TargetInfo &target) {
  auto text = generate(module, target, CodeGenFileType::AssemblyFile);
  if (!text)
    return text.takeError();
  return std::string(text->begin(), text->end());
}

/// Every reachable instruction of every kernel is one of the object's chip.
static Error checkInstructions(ArrayRef<char> object) {
  auto parsed = CodeObject::parse(ArrayRef(
      reinterpret_cast<const uint8_t *>(object.data()), object.size()));
  if (!parsed)
    return parsed.takeError();
  auto code = parsed->disassemble();
  if (!code)
    return code.takeError();
  for (const Kernel &kernel : parsed->kernels()) {
    ControlFlowGraph graph(*code, kernel.entryAddress);
    for (const BasicBlock &block : graph.blocks())
      for (uint32_t i = block.begin; i != block.end; ++i) {
        const Instruction &instruction = code->instructions()[i];
        if (!instruction.valid)
          return createStringError(formatv(
              "LLVM generated code for kernel '{0}' that {1} has not: {2:x}: "
              "{3}",
              kernel.name, parsed->target().name, instruction.address,
              code->text(instruction)));
      }
  }
  return Error::success();
}

Expected<SmallVector<char, 0>> generateObject(mlir::ModuleOp module,
                                              const TargetInfo &target) {
  auto object = generate(module, target, CodeGenFileType::ObjectFile);
  if (!object)
    return object.takeError();
  auto linked = linkCodeObject(*object);
  if (!linked)
    return linked.takeError();
  if (Error error = checkInstructions(*linked))
    return error;
  return linked;
}

} // namespace fly
