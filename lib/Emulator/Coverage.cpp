//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Emulator/Coverage.h"

#include "Binder.h"

#include "fly/CodeObject/InstructionSpace.h"

#include <map>

using namespace llvm;

namespace fly {

StringRef unitName(Unit unit) {
  switch (unit) {
  case Unit::Unknown:
    return "other";
  case Unit::Salu:
    return "SALU";
  case Unit::Smem:
    return "SMEM";
  case Unit::Branch:
    return "branch";
  case Unit::Wait:
    return "control";
  case Unit::Valu:
    return "VALU";
  case Unit::Mfma:
    return "matrix";
  case Unit::Mubuf:
    return "buffer";
  case Unit::Flat:
    return "flat";
  case Unit::Lds:
    return "LDS";
  }
  return "";
}

Expected<std::vector<InstructionCoverage>> instructionCoverage(StringRef arch) {
  Expected<const TargetInfo &> target = lookupTarget(arch);
  if (!target)
    return target.takeError();
  Expected<const emu::HandlerRegistry &> registry = emu::HandlerRegistry::get();
  if (!registry)
    return registry.takeError();
  Expected<std::vector<uint8_t>> bytes = instructionSpace(*target);
  if (!bytes)
    return bytes.takeError();
  Expected<Disassembly> code = Disassembly::decode(*target, *bytes, 0);
  if (!code)
    return code.takeError();
  emu::Binder binder(*registry, *target, EmulatorOptions());
  std::map<StringRef, InstructionCoverage> byKey;
  for (const Instruction &instruction : code->instructions()) {
    InstructionCoverage &entry = byKey[instruction.key];
    emu::ExecInst inst = binder.bind(instruction, 0);
    entry.unit = instruction.unit;
    ++entry.forms;
    if (emu::Binder::isEmulated(inst))
      ++entry.emulated;
    else
      entry.missing.push_back(instruction.opcodeName.str());
  }
  std::vector<InstructionCoverage> result;
  for (auto &[key, entry] : byKey) {
    entry.key = key.str();
    const char *reason = entry.emulated ? nullptr : emu::reasonToStop(key);
    entry.reason = reason ? reason : "";
    result.push_back(std::move(entry));
  }
  return result;
}

} // namespace fly
