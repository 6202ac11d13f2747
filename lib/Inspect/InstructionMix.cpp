//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Inspect/InstructionMix.h"

#include "fly/Inspect/BankConflicts.h"
#include "fly/Inspect/MfmaTiming.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace fly {

unsigned totalOf(const NameCounts &counts) {
  unsigned sum = 0;
  for (const auto &[name, count] : counts)
    sum += count;
  return sum;
}

unsigned InstructionMix::mfmaCount() const {
  unsigned sum = 0;
  for (const MfmaUse &use : mfma)
    sum += use.count;
  return sum;
}

unsigned InstructionMix::directCopyCount() const {
  unsigned sum = 0;
  for (auto [bytes, count] : directCopies)
    sum += count;
  return sum;
}

unsigned InstructionMix::waitCount() const {
  unsigned sum = 0;
  for (const WaitUse &use : waits)
    sum += use.count;
  return sum;
}

std::optional<uint64_t> InstructionMix::mfmaCycles() const {
  uint64_t sum = 0;
  for (const MfmaUse &use : mfma) {
    if (!use.cycles)
      return std::nullopt;
    sum += uint64_t(use.count) * *use.cycles;
  }
  return sum;
}

uint64_t InstructionMix::mfmaFlops() const {
  uint64_t sum = 0;
  for (const MfmaUse &use : mfma)
    sum += use.count * use.flops;
  return sum;
}

/// Bytes a lane of a load from memory, from its name:
/// "buffer_load_dwordx4_lds", "global_load_lds_ubyte", "flat_load_short_d16".
static unsigned bytesOfLoad(StringRef name) {
  StringRef type = name.split("_load_").second;
  type.consume_front("lds_");
  type.consume_back("_lds");
  if (type.consume_front("format_")) {
    unsigned bytes = type.consume_front("d16_") ? 2 : 4;
    return bytes * unsigned(type.take_while([](char c) {
                                  return StringRef("xyzw").contains(c);
                                })
                                .size());
  }
  type = type.split('_').first;
  return StringSwitch<unsigned>(type)
      .Cases({"ubyte", "sbyte"}, 1)
      .Cases({"ushort", "sshort", "short"}, 2)
      .Case("dword", 4)
      .Case("dwordx2", 8)
      .Case("dwordx3", 12)
      .Case("dwordx4", 16)
      .Default(0);
}

uint64_t InstructionMix::bytesFromMemory() const {
  constexpr uint64_t lanes = 64;
  uint64_t sum = 0;
  for (auto [bytes, count] : directCopies)
    sum += lanes * bytes * count;
  for (const auto &[name, count] : loads)
    sum += lanes * bytesOfLoad(name) * count;
  return sum;
}

WaitUse waitOf(const Instruction &inst) {
  // A counter at its largest value is not waited for.
  WaitCount count = WaitCount::decode(uint16_t(inst.operand(0).imm)), none;
  auto waited = [](unsigned value, unsigned largest) {
    return value == largest ? std::nullopt : std::optional<unsigned>(value);
  };
  return {waited(count.vm, none.vm), waited(count.lgkm, none.lgkm),
          waited(count.exp, none.exp), 1};
}

static void addWait(InstructionMix &mix, const Instruction &inst) {
  WaitUse wait = waitOf(inst);
  for (WaitUse &use : mix.waits)
    if (use.vmcnt == wait.vmcnt && use.lgkmcnt == wait.lgkmcnt &&
        use.expcnt == wait.expcnt) {
      ++use.count;
      return;
    }
  mix.waits.push_back(wait);
}

static void addMfma(InstructionMix &mix, const TargetInfo &target,
                    const Instruction &inst) {
  std::string name = mfmaNameOf(inst);
  auto it = find_if(mix.mfma, [&](auto &use) { return use.name == name; });
  if (it == mix.mfma.end()) {
    MfmaUse use;
    use.name = std::move(name);
    if (std::optional<MfmaShape> shape = mfmaShapeOf(inst)) {
      use.cycles = mfmaCycles(*shape, target);
      use.flops = mfmaFlops(*shape);
      use.k = shape->k;
      use.rate = mfmaRate(*shape, target);
    }
    mix.mfma.push_back(std::move(use));
    it = std::prev(mix.mfma.end());
  }
  ++it->count;
}

static void addMemory(InstructionMix &mix, const Instruction &inst) {
  StringRef key = inst.key;
  if (inst.toLds)
    ++mix.directCopies[bytesOfLoad(key)];
  else if (key.starts_with("scratch_"))
    ++mix.scratch[key.str()];
  else if (key.contains("_load_"))
    ++mix.loads[key.str()];
  else if (key.contains("_store_"))
    ++mix.stores[key.str()];
  else if (key.contains("_atomic_"))
    ++mix.atomics[key.str()];
  else
    ++mix.other[key.str()];
}

static void addWaitUnit(InstructionMix &mix, const Instruction &inst) {
  if (inst.key == "s_waitcnt")
    addWait(mix, inst);
  else if (inst.key == "s_nop")
    ++mix.nops;
  else if (inst.key == "s_barrier")
    ++mix.barriers;
  else if (inst.key == "s_setprio")
    ++mix.priorities;
  else
    ++mix.other[inst.key.str()];
}

static void add(InstructionMix &mix, const TargetInfo &target,
                const Instruction &inst) {
  ++mix.total;
  if (!inst.valid) {
    ++mix.other["invalid"];
    return;
  }
  switch (inst.unit) {
  case Unit::Mfma:
    return addMfma(mix, target, inst);
  case Unit::Lds:
    ++(isLdsRead(inst)    ? mix.ldsReads
       : isLdsWrite(inst) ? mix.ldsWrites
                          : mix.ldsOther)[inst.key.str()];
    return;
  case Unit::Mubuf:
  case Unit::Flat:
    return addMemory(mix, inst);
  case Unit::Smem:
    ++mix.scalarMemory;
    return;
  case Unit::Salu:
    ++mix.salu;
    return;
  case Unit::Valu:
    ++(inst.key.starts_with("v_accvgpr_") ? mix.accumulatorMoves : mix.valu);
    return;
  case Unit::Branch:
    ++mix.branches;
    return;
  case Unit::Wait:
    return addWaitUnit(mix, inst);
  case Unit::Unknown:
    ++mix.other[inst.key.str()];
    return;
  }
}

InstructionMix countInstructions(const TargetInfo &target,
                                 ArrayRef<const Instruction *> code) {
  InstructionMix mix;
  for (const Instruction *inst : code)
    add(mix, target, *inst);
  return mix;
}

} // namespace fly
