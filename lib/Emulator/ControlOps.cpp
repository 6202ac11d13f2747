//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Branches, the program counter, waits and barriers, hardware registers, and
/// the state bits VSKIP and GPR index mode.

#include "MemoryAccess.h"

#include "fly/Emulator/Handlers.h"
#include "fly/Emulator/Lanes.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

void takeBranch(Wave &w, const ExecInst &inst) {
  if (inst.target < 0)
    return w.fail("branch to an address where no instruction starts");
  w.nextPc = uint32_t(inst.target);
}
template <bool (*condition)(const Wave &)>
void branchIf(Wave &w, const ExecInst &inst) {
  if (condition(w))
    takeBranch(w, inst);
}
bool sccSet(const Wave &w) { return w.scc; }
bool sccClear(const Wave &w) { return !w.scc; }
bool vccZero(const Wave &w) { return w.vcc() == 0; }
bool vccSet(const Wave &w) { return w.vcc() != 0; }
bool execZero(const Wave &w) { return w.exec() == 0; }
bool execSet(const Wave &w) { return w.exec() != 0; }

uint64_t addressAfter(const Wave &w, const ExecInst &inst) {
  return w.codeBase + inst.inst->address + inst.inst->size;
}
void sGetPc(Wave &w, const ExecInst &inst) {
  writeScalar64(w, inst.ops[0], addressAfter(w, inst));
}
void sSetPc(Wave &w, const ExecInst &inst) {
  jumpTo(w, readScalar64(w, inst.src(0)));
}
void sSwapPc(Wave &w, const ExecInst &inst) {
  uint64_t to = readScalar64(w, inst.src(0));
  writeScalar64(w, inst.ops[0], addressAfter(w, inst));
  jumpTo(w, to);
}
void sCall(Wave &w, const ExecInst &inst) {
  writeScalar64(w, inst.ops[0], addressAfter(w, inst));
  takeBranch(w, inst);
}

void sEndPgm(Wave &w, const ExecInst &) {
  w.memory->end(w);
  w.status = WaveStatus::Ended;
}
void sBarrier(Wave &w, const ExecInst &inst) {
  w.status = WaveStatus::AtBarrier;
  ++w.barriers;
  w.memory->barrier(w, inst);
}
void sWaitcnt(Wave &w, const ExecInst &inst) {
  w.memory->wait(w, inst, WaitCount::decode(uint16_t(inst.ops[0].imm)));
}
void sHalt(Wave &w, const ExecInst &inst) {
  if (inst.ops[0].imm & 1)
    w.status = WaveStatus::Halted;
}
/// Also of a message that halts: nobody lets the wave go on.
void sMessageHalt(Wave &w, const ExecInst &) { w.status = WaveStatus::Halted; }
/// Trap 3 is the debugger's (__builtin_debugtrap); without one nothing happens.
void sTrap(Wave &w, const ExecInst &inst) {
  if ((inst.ops[0].imm & 0xff) != 3)
    w.status = WaveStatus::Halted;
}
/// Hints: timing, priority, caches, messages to a host that does not listen.
void sNothing(Wave &, const ExecInst &) {}

enum HwRegister : unsigned {
  HwMode = 1,
  HwStatus = 2,
  HwTrapStatus = 3,
  HwHwId = 4,
  HwGprAlloc = 5,
  HwLdsAlloc = 6,
  HwIbStatus = 7,
  HwShMemBases = 15,
  HwXccId = 20
};

struct HwField {
  unsigned id, offset, width;
  explicit HwField(const Operand &op)
      : id(op.imm & 63), offset(op.imm >> 6 & 31),
        width((op.imm >> 11 & 31) + 1) {}
  uint32_t mask() const {
    return width == 32 ? ~uint32_t(0) : (uint32_t(1) << width) - 1;
  }
};

bool readHwRegister(const Wave &w, unsigned id, uint32_t &value) {
  switch (id) {
  case HwMode:
    value = w.mode | uint32_t(w.vskip) << 28;
    return true;
  case HwStatus:
    value = uint32_t(w.scc) | uint32_t(w.exec() == 0) << 9 |
            uint32_t(w.vcc() == 0) << 10 | 1u << 16;
    return true;
  case HwTrapStatus:
    value = w.trapStatus;
    return true;
  case HwHwId:
    value = w.hwId;
    return true;
  case HwGprAlloc:
    value = w.gprAlloc;
    return true;
  case HwLdsAlloc:
    value = w.ldsAlloc;
    return true;
  case HwIbStatus:
    value = 0;
    return true;
  case HwShMemBases:
    value =
        (sharedApertureHigh & 0xffff) << 16 | (privateApertureHigh & 0xffff);
    return true;
  case HwXccId:
    value = w.xccId;
    return true;
  default:
    return false;
  }
}

void sGetReg(Wave &w, const ExecInst &inst) {
  HwField field(inst.src(0));
  uint32_t value;
  if (!readHwRegister(w, field.id, value))
    return w.fail("s_getreg of a hardware register that is not modelled");
  writeScalar32(w, inst.ops[0], value >> field.offset & field.mask());
}

void setHwRegister(Wave &w, const HwField &field, uint32_t value) {
  uint32_t mask = field.mask() << field.offset;
  uint32_t bits = value << field.offset & mask;
  if (field.id == HwMode) {
    uint32_t mode = (w.mode & ~mask) | bits;
    if (mask >> 28 & 1)
      w.vskip = mode >> 28 & 1;
    w.mode = mode & ~(uint32_t(1) << 28);
  } else if (field.id == HwTrapStatus) {
    w.trapStatus = (w.trapStatus & ~mask) | bits;
  } else {
    w.fail("s_setreg of a hardware register that is not modelled");
  }
}
void sSetReg(Wave &w, const ExecInst &inst) {
  setHwRegister(w, HwField(inst.ops[1]), readScalar32(w, inst.ops[0]));
}
void sSetRegImm(Wave &w, const ExecInst &inst) {
  setHwRegister(w, HwField(inst.ops[1]), uint32_t(inst.ops[0].imm));
}

void sSetVskip(Wave &w, const ExecInst &inst) {
  w.vskip =
      readScalar32(w, inst.src(0)) >> (readScalar32(w, inst.src(1)) & 31) & 1;
}

/// GPR index mode: the index is M0[7:0], the enables M0[15:12].
void setGprIndex(Wave &w, uint32_t index, uint32_t enables) {
  w.scalars[ScalarM0] =
      (w.m0() & ~0xf0ffu) | (index & 255) | (enables & 15) << 12;
}
void sSetGprIdxOn(Wave &w, const ExecInst &inst) {
  uint32_t enables = uint32_t(inst.ops[1].imm);
  setGprIndex(w, readScalar32(w, inst.ops[0]), enables);
  w.gprIndexMode = uint8_t(0x10 | (enables & 15));
}
void sSetGprIdxOff(Wave &w, const ExecInst &) { w.gprIndexMode = 0; }
void sSetGprIdxMode(Wave &w, const ExecInst &inst) {
  uint32_t enables = uint32_t(inst.ops[0].imm);
  setGprIndex(w, w.m0(), enables);
  if (w.gprIndexMode)
    w.gprIndexMode = uint8_t(0x10 | (enables & 15));
}
void sSetGprIdxIdx(Wave &w, const ExecInst &inst) {
  w.scalars[ScalarM0] =
      (w.m0() & ~0xffu) | (readScalar32(w, inst.ops[0]) & 255);
}

void addBranches(HandlerTable &table) {
  table.add("s_branch", takeBranch);
  table.add("s_cbranch_scc0", branchIf<sccClear>);
  table.add("s_cbranch_scc1", branchIf<sccSet>);
  table.add("s_cbranch_vccz", branchIf<vccZero>);
  table.add("s_cbranch_vccnz", branchIf<vccSet>);
  table.add("s_cbranch_execz", branchIf<execZero>);
  table.add("s_cbranch_execnz", branchIf<execSet>);
  // No debugger is attached.
  for (const char *key :
       {"s_cbranch_cdbgsys", "s_cbranch_cdbguser", "s_cbranch_cdbgsys_or_user",
        "s_cbranch_cdbgsys_and_user"})
    table.add(key, sNothing);
  table.add("s_getpc_b64", sGetPc);
  table.add("s_setpc_b64", sSetPc);
  table.add("s_swappc_b64", sSwapPc);
  table.add("s_call_b64", sCall);
}

} // namespace

void addControlOps(HandlerTable &table) {
  addBranches(table);
  table.add("s_endpgm", sEndPgm);
  table.add("s_endpgm_saved", sEndPgm);
  table.add("s_barrier", sBarrier);
  table.add("s_waitcnt", sWaitcnt);
  table.add("s_sethalt", sHalt);
  table.add("s_trap", sTrap);
  table.add("s_sendmsghalt", sMessageHalt);
  for (const char *key :
       {"s_nop", "s_sleep", "s_setprio", "s_sendmsg", "s_icache_inv",
        "s_wakeup", "s_ttracedata", "s_incperflevel", "s_decperflevel"})
    table.add(key, sNothing);
  table.add("s_getreg_b32", sGetReg);
  table.add("s_setreg_b32", sSetReg);
  table.add("s_setreg_imm32_b32", sSetRegImm);
  table.add("s_setvskip", sSetVskip);
  table.add("s_set_gpr_idx_on", sSetGprIdxOn);
  table.add("s_set_gpr_idx_off", sSetGprIdxOff);
  table.add("s_set_gpr_idx_mode", sSetGprIdxMode);
  table.add("s_set_gpr_idx_idx", sSetGprIdxIdx);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
