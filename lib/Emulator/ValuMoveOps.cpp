//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Moves between registers and lanes that ignore input modifiers: v_mov_b32,
/// the accumulator moves, v_readfirstlane, v_readlane, v_writelane, v_mbcnt.

#include "fly/Emulator/Handlers.h"
#include "fly/Emulator/Lanes.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

void vMov(Wave &w, const ExecInst &inst) {
  Row storage;
  const uint32_t *value = readRow(w, inst.src(0), 0, storage);
  writeRowMasked(w, inst.ops[0].row(), value, w.exec());
}

void resolveMov(const TargetInfo &, ExecInst &inst) {
  if (inst.encoding == Encoding::Other || inst.encoding == Encoding::Vop3)
    inst.handler = vMov;
}

void vMovB64(Wave &w, const ExecInst &inst) {
  Row low, high;
  const uint32_t *a = readRow(w, inst.src(0), 0, low);
  const uint32_t *b = readRow(w, inst.src(0), 1, high);
  // The destination may overlap the source by one register.
  Row copy;
  std::memcpy(copy.lane, b, sizeof(copy.lane));
  writeRowMasked(w, inst.ops[0].row(), a, w.exec());
  writeRowMasked(w, inst.ops[0].row() + 1, copy.lane, w.exec());
}

void vReadFirstLane(Wave &w, const ExecInst &inst) {
  uint64_t exec = w.exec();
  // With no active lane the hardware reads lane 0.
  unsigned lane = exec ? unsigned(__builtin_ctzll(exec)) : 0;
  Row storage;
  writeScalar32(w, inst.ops[0], readRow(w, inst.src(0), 0, storage)[lane]);
}

void vReadLane(Wave &w, const ExecInst &inst) {
  Row storage;
  unsigned lane = readScalar32(w, inst.src(1)) & 63;
  writeScalar32(w, inst.ops[0], readRow(w, inst.src(0), 0, storage)[lane]);
}

void vWriteLane(Wave &w, const ExecInst &inst) {
  unsigned lane = readScalar32(w, inst.src(1)) & 63;
  w.regs[inst.ops[0].row()][lane] = readScalar32(w, inst.src(0));
}

/// Bits of the mask below the lane, plus the addend. \p half: lanes 32..63.
template <bool half> void vMbcnt(Wave &w, const ExecInst &inst) {
  Row a, b, result;
  const uint32_t *mask = readRow(w, inst.src(0), 0, a);
  const uint32_t *addend = readRow(w, inst.src(1), 0, b);
  for (unsigned l = 0; l != waveLanes; ++l) {
    uint32_t below = half ? (l < 32 ? 0 : (uint32_t(1) << (l - 32)) - 1)
                          : (l < 32 ? (uint32_t(1) << l) - 1 : ~uint32_t(0));
    result.lane[l] = uint32_t(__builtin_popcount(mask[l] & below)) + addend[l];
  }
  writeRow(w, inst.ops[0], 0, result);
}

} // namespace

void addValuMoveOps(HandlerTable &table) {
  table.addResolver("v_mov_b32", resolveMov);
  table.add("v_mov_b64", vMovB64);
  table.add("v_accvgpr_read_b32", vMov);
  table.add("v_accvgpr_write_b32", vMov);
  table.add("v_accvgpr_mov_b32", vMov);
  table.add("v_readfirstlane_b32", vReadFirstLane);
  table.add("v_readlane_b32", vReadLane);
  table.add("v_writelane_b32", vWriteLane);
  table.add("v_mbcnt_lo_u32_b32", vMbcnt<false>);
  table.add("v_mbcnt_hi_u32_b32", vMbcnt<true>);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
