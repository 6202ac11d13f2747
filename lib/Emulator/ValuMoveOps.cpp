//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Moves between registers and lanes: v_mov, the accumulator moves,
/// v_readfirstlane, v_readlane, v_writelane, v_mbcnt, the row swaps; and the
/// random number generator.

#include "Valu.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

void vMov(Wave &w, const ExecInst &inst) {
  Row storage;
  const uint32_t *value = readRow(w, inst.src(0), 0, storage);
  writeRowMasked(w, inst.ops[0].row(), value, w.exec());
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

/// v_permlane16_swap, v_permlane32_swap: swaps the odd group of \p size lanes
/// of the first register with the even one of the second. What inactive lanes
/// do is an option (PermlaneSwap).
template <unsigned size> void vPermlaneSwap(Wave &w, const ExecInst &inst) {
  Row first, second;
  const uint32_t *a = w.regs[inst.ops[0].row()];
  const uint32_t *b = w.regs[inst.ops[1].row()];
  for (unsigned l = 0; l != waveLanes; ++l) {
    bool odd = l & size;
    first.lane[l] = odd ? b[l - size] : a[l];
    second.lane[l] = odd ? b[l] : a[(l + size) & 63];
  }
  // Lane l of one register is swapped with lane l +- size of the other.
  uint64_t exec = w.exec(), firstMask = exec, secondMask = exec;
  if (w.swapsAll) {
    firstMask = secondMask = ~uint64_t(0);
  } else if (w.swapsPairs) {
    constexpr uint64_t odd =
        size == 16 ? 0xffff0000ffff0000 : 0xffffffff00000000;
    firstMask = exec & (~odd | exec << size);
    secondMask = exec & (odd | exec >> size);
  }
  writeRowMasked(w, inst.ops[0].row(), first.lane, firstMask);
  writeRowMasked(w, inst.ops[1].row(), second.lane, secondMask);
}

void vNop(Wave &, const ExecInst &) {}

} // namespace

void addValuMoveOps(HandlerTable &table) {
  VALU1(table, "v_mov_b32", B32, B32, a);
  VALU1(table, "v_mov_b64", B64, B64, a);
  table.add("v_accvgpr_read_b32", vMov);
  table.add("v_accvgpr_write_b32", vMov);
  table.add("v_accvgpr_mov_b32", vMov);
  table.add("v_readfirstlane_b32", vReadFirstLane);
  table.add("v_readlane_b32", vReadLane);
  table.add("v_writelane_b32", vWriteLane);
  table.add("v_mbcnt_lo_u32_b32", vMbcnt<false>);
  table.add("v_mbcnt_hi_u32_b32", vMbcnt<true>);
  table.add("v_permlane16_swap_b32", vPermlaneSwap<16>);
  table.add("v_permlane32_swap_b32", vPermlaneSwap<32>);
  // A linear feedback shift register (CDNA4 ISA manual).
  VALU1(table, "v_prng_b32", B32, B32, a << 1 ^ (a >> 31 ? 197 : 0));
  table.add("v_nop", vNop);
  table.add("v_clrexcp", vNop);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
