//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// DS instructions that move data between lanes: ds_bpermute, ds_permute,
/// ds_swizzle, and the transposing reads of gfx950.

#include "LaneMemory.h"

#include "fly/Emulator/Handlers.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

void writeCaptured(Wave &w, MemoryAccess &a) {
  writeRowMasked(w, a.firstRow, a.data[0].lane, a.mask);
}

/// An access that touches no memory; its result, data[0], is counted in
/// lgkmcnt like a read.
void submitRow(Wave &w, const ExecInst &inst, MemoryAccess &a) {
  a.mask = w.exec();
  allValid(a);
  a.perform = writeCaptured;
  a.kind = AccessKind::Load;
  a.space = Space::Nowhere;
  a.counter = Counter::Lds;
  a.writesRows = true;
  a.firstRow = uint16_t(inst.ops[0].row());
  a.numRows = 1;
  w.memory->submit(w, a);
}

/// Lane l gets the data of lane (address / 4) % 64; 0 from an inactive one.
void dsBpermute(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = w.memory->begin(w, inst);
  const uint32_t *address = w.regs[inst.src(0).row()];
  const uint32_t *data = w.regs[inst.src(1).row()];
  uint32_t offset = uint32_t(inst.src(2).imm) & 0xffff;
  uint64_t exec = w.exec();
  for (unsigned l = 0; l != waveLanes; ++l) {
    unsigned from = (address[l] + offset) / 4 % 64;
    a.address[l] = from;
    a.data[0].lane[l] = exec >> from & 1 ? data[from] : 0;
  }
  submitRow(w, inst, a);
}

/// Lane l sends its data to lane (address / 4) % 64; the highest sender wins.
void dsPermute(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = w.memory->begin(w, inst);
  const uint32_t *address = w.regs[inst.src(0).row()];
  const uint32_t *data = w.regs[inst.src(1).row()];
  uint32_t offset = uint32_t(inst.src(2).imm) & 0xffff;
  uint64_t exec = w.exec();
  for (unsigned l = 0; l != waveLanes; ++l)
    a.data[0].lane[l] = 0;
  for (unsigned l = 0; l != waveLanes; ++l) {
    unsigned to = (address[l] + offset) / 4 % 64;
    a.address[l] = to;
    if (exec >> l & 1)
      a.data[0].lane[to] = data[l];
  }
  submitRow(w, inst, a);
}

/// Source lane by the pattern (CDNA4 ISA manual, "DS_SWIZZLE_B32"): quad
/// permutation, rotation of 32 lanes, or and-or-xor masks on 5 lane bits.
unsigned swizzled(unsigned lane, uint32_t pattern) {
  unsigned half = lane & 32, l = lane & 31;
  if ((pattern & 0xe000) == 0xe000) { // FFT: bits of the lane reversed
    unsigned mask = pattern & 31, reversed = 0;
    for (unsigned bit = 0; bit != 5; ++bit)
      reversed |= (l >> bit & 1) << (4 - bit);
    reversed >>= unsigned(__builtin_popcount(mask));
    return half | reversed | (l & mask);
  }
  if ((pattern & 0xe000) == 0xc000) { // rotate
    unsigned mask = pattern & 31, amount = pattern >> 5 & 31;
    if (pattern >> 10 & 1)
      amount = 32 - amount;
    return half | (l & mask) | ((l + amount) & ~mask & 31);
  }
  if (pattern & 0x8000)
    return (lane & ~3u) | (pattern >> (2 * (lane & 3)) & 3);
  return half | ((((l & pattern) | pattern >> 5) & 31) ^ (pattern >> 10 & 31));
}

void dsSwizzle(Wave &w, const ExecInst &inst) {
  uint32_t pattern = uint32_t(inst.src(1).imm) & 0xffff;
  MemoryAccess &a = w.memory->begin(w, inst);
  const uint32_t *data = w.regs[inst.src(0).row()];
  uint64_t exec = w.exec();
  for (unsigned l = 0; l != waveLanes; ++l) {
    unsigned from = swizzled(l, pattern);
    a.address[l] = from;
    a.data[0].lane[l] = exec >> from & 1 ? data[from] : 0;
  }
  submitRow(w, inst, a);
}

/// Within each 16 lanes: element v of lane t comes from the 64 (96) bits that
/// lane source(t, v) has read, element index(t, v) of them.
template <unsigned bits> struct Transposition;
template <> struct Transposition<16> {
  static constexpr unsigned elements = 4, dwords = 2;
  static unsigned source(unsigned t, unsigned v) { return (t >> 2) + 4 * v; }
  static unsigned index(unsigned t, unsigned) { return t & 3; }
};
template <> struct Transposition<8> {
  static constexpr unsigned elements = 8, dwords = 2;
  static unsigned source(unsigned t, unsigned v) { return t / 8 + 2 * v; }
  static unsigned index(unsigned t, unsigned) { return t % 8; }
};
template <> struct Transposition<4> {
  static constexpr unsigned elements = 16, dwords = 2;
  static unsigned source(unsigned, unsigned v) { return v; }
  static unsigned index(unsigned t, unsigned) { return t; }
};
template <> struct Transposition<6> {
  static constexpr unsigned elements = 16, dwords = 3;
  static unsigned source(unsigned, unsigned v) { return v; }
  static unsigned index(unsigned t, unsigned) { return t; }
};

uint32_t fieldOf(const Row *rows, unsigned lane, unsigned bit, unsigned bits) {
  uint64_t wide = rows[bit / 32].lane[lane];
  if (bit % 32 + bits > 32)
    wide |= uint64_t(rows[bit / 32 + 1].lane[lane]) << 32;
  return uint32_t(wide >> (bit % 32)) & ((1u << bits) - 1);
}

template <unsigned bits> void performTransposed(Wave &w, MemoryAccess &a) {
  using Map = Transposition<bits>;
  LanePointers p;
  for (unsigned l = 0; l != waveLanes; ++l)
    p.lane[l] = zeroBlock;
  resolveLanes<Space::Lds>(w, a, a.address, 4 * Map::dwords, a.mask, p);
  Row rows[Map::dwords], result[Map::dwords] = {};
  gatherRows<Map::dwords == 2 ? Format::B64 : Format::B96>(p, &rows[0].lane);
  for (unsigned l = 0; l != waveLanes; ++l)
    for (unsigned v = 0; v != Map::elements; ++v) {
      unsigned t = l % 16, from = l / 16 * 16 + Map::source(t, v);
      uint32_t field = fieldOf(rows, from, Map::index(t, v) * bits, bits);
      unsigned bit = v * bits;
      result[bit / 32].lane[l] |= field << (bit % 32);
      if (bit % 32 + bits > 32)
        result[bit / 32 + 1].lane[l] |= field >> (32 - bit % 32);
    }
  for (unsigned d = 0; d != Map::dwords; ++d)
    writeRowMasked(w, a.firstRow + d, result[d].lane, a.mask);
}

template <unsigned bits> void dsReadTransposed(Wave &w, const ExecInst &inst) {
  if (!w.target->hasTransposingRead)
    return w.fail("this chip has no transposing LDS reads");
  MemoryAccess &a = w.memory->begin(w, inst);
  a.mask = w.exec();
  allValid(a);
  const uint32_t *address = w.regs[inst.src(0).row()];
  uint32_t offset = uint32_t(inst.src(1).imm) & 0xffff;
  for (unsigned l = 0; l != waveLanes; ++l)
    a.address[l] = uint32_t(address[l] + offset);
  a.perform = performTransposed<bits>;
  a.kind = AccessKind::Load;
  a.space = Space::Lds;
  a.counter = Counter::Lds;
  a.bytes = 4 * Transposition<bits>::dwords;
  a.parts = 1;
  a.writesRows = true;
  a.firstRow = uint16_t(inst.ops[0].row());
  a.numRows = Transposition<bits>::dwords;
  w.memory->submit(w, a);
}

void nothing(Wave &, const ExecInst &) {}

} // namespace

void addDsCrossLaneOps(HandlerTable &table) {
  table.add("ds_bpermute_b32", dsBpermute);
  table.add("ds_permute_b32", dsPermute);
  table.add("ds_swizzle_b32", dsSwizzle);
  table.add("ds_nop", nothing);
  table.add("ds_read_b64_tr_b16", dsReadTransposed<16>);
  table.add("ds_read_b64_tr_b8", dsReadTransposed<8>);
  table.add("ds_read_b64_tr_b4", dsReadTransposed<4>);
  table.add("ds_read_b96_tr_b6", dsReadTransposed<6>);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
