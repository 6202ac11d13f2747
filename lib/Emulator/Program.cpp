//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "SubDwordAtomics.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace emu {

Expected<std::unique_ptr<Program>>
Program::create(CodeObject object, const EmulatorOptions &options) {
  Expected<const HandlerRegistry &> registry = HandlerRegistry::get();
  if (!registry)
    return registry.takeError();
  std::unique_ptr<Program> program(
      new Program(std::move(object), *registry, options));
  Expected<Disassembly> decoded = program->codeObject.disassemble();
  if (!decoded)
    return decoded.takeError();
  program->decoded.emplace(std::move(*decoded));
  ArrayRef<Instruction> instructions = program->decoded->instructions();
  program->insts.reserve(instructions.size());
  for (const Instruction &instruction : instructions) {
    ExecInst inst =
        program->binder.bind(instruction, uint32_t(program->insts.size()));
    if (instruction.isBranch)
      inst.target = int32_t(program->decoded->indexAt(instruction.target));
    program->insts.push_back(inst);
  }
  markSubDwordAtomics(program->insts);
  return program;
}

std::string Program::describe(uint32_t index) const {
  const Instruction &inst = decoded->instructions()[index];
  std::string line = lines->at(inst.address);
  return formatv("{0:x} '{1}'{2}", inst.address, decoded->text(inst),
                 line.empty() ? line : " (" + line + ")");
}

} // namespace emu
} // namespace fly
