//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// LDS loads and stores. Transposing and lane-crossing forms are in
/// DsCrossLaneOps.cpp, atomics in DsAtomicOps.cpp.

#include "LaneMemory.h"

#include "fly/Emulator/Handlers.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

MemoryAccess &startAccess(Wave &w, const ExecInst &inst, unsigned bytes,
                          AccessKind kind) {
  MemoryAccess &a = w.memory->begin(w, inst);
  a.mask = w.exec();
  allValid(a);
  a.space = Space::Lds;
  a.kind = kind;
  a.counter = Counter::Lds;
  a.bytes = uint8_t(bytes);
  a.parts = 1;
  a.writesRows = false;
  return a;
}

/// Address = VGPR + 16-bit offset, modulo 2^32: compilers count on negative
/// bases with an offset (LLVM, GCNSubtarget::hasUsableDSOffset).
void setAddresses(const Wave &w, const Operand &address, uint32_t offset,
                  MemoryAccess &a, unsigned bytes) {
  const uint32_t *from = w.regs[address.row()];
  uint32_t keep =
      w.dropLowAddressBits ? ~uint32_t(bytes >= 4 ? 3 : bytes - 1) : ~0u;
  for (unsigned l = 0; l != waveLanes; ++l)
    a.address[l] = (from[l] + offset) & keep;
}

template <Format format> void dsRead(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = startAccess(w, inst, bytesOf(format), AccessKind::Load);
  setAddresses(w, inst.src(0), uint32_t(inst.src(1).imm) & 0xffff, a,
               bytesOf(format));
  a.perform = performLoad<Space::Lds, format>;
  a.writesRows = true;
  a.firstRow = uint16_t(inst.ops[0].row());
  a.numRows = dwordsOf(format);
  w.memory->submit(w, a);
}

template <Format format> void dsWrite(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = startAccess(w, inst, bytesOf(format), AccessKind::Store);
  setAddresses(w, inst.src(0), uint32_t(inst.src(2).imm) & 0xffff, a,
               bytesOf(format));
  captureData(w, a, inst.src(1));
  a.perform = performStore<Space::Lds, format>;
  w.memory->submit(w, a);
}

/// Two addresses: VGPR + offset * unit, offsets of 8 bits.
template <Format format, unsigned scale>
void setPairAddresses(const Wave &w, const Operand &address,
                      const Operand *offsets, MemoryAccess &a) {
  constexpr unsigned unit = bytesOf(format) * scale;
  setAddresses(w, address, (uint32_t(offsets[0].imm) & 255) * unit, a,
               bytesOf(format));
  const uint32_t *from = w.regs[address.row()];
  uint32_t second = (uint32_t(offsets[1].imm) & 255) * unit;
  for (unsigned l = 0; l != waveLanes; ++l)
    a.ldsAddress[l] = (from[l] + second) & ~(w.dropLowAddressBits ? 3u : 0u);
  a.parts = 2;
}

template <Format format, unsigned scale>
void dsRead2(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = startAccess(w, inst, bytesOf(format), AccessKind::Load);
  setPairAddresses<format, scale>(w, inst.src(0), &inst.src(1), a);
  a.perform = performLoad2<format>;
  a.writesRows = true;
  a.firstRow = uint16_t(inst.ops[0].row());
  a.numRows = 2 * dwordsOf(format);
  w.memory->submit(w, a);
}

template <Format format, unsigned scale>
void dsWrite2(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = startAccess(w, inst, bytesOf(format), AccessKind::Store);
  setPairAddresses<format, scale>(w, inst.src(0), &inst.src(3), a);
  captureData(w, a, inst.src(1));
  captureData(w, a, inst.src(2), dwordsOf(format));
  a.perform = performStore2<format>;
  w.memory->submit(w, a);
}

/// M0, the offset and four bytes a lane.
void setLaneAddresses(const Wave &w, uint32_t offset, MemoryAccess &a) {
  for (unsigned l = 0; l != waveLanes; ++l)
    a.address[l] = (w.m0() & 0x3ffff) + (offset & 0xffff) + 4 * l;
}
void dsReadByLane(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = startAccess(w, inst, 4, AccessKind::Load);
  setLaneAddresses(w, uint32_t(inst.src(0).imm), a);
  a.perform = performLoad<Space::Lds, Format::B32>;
  a.writesRows = true;
  a.firstRow = uint16_t(inst.ops[0].row());
  a.numRows = 1;
  w.memory->submit(w, a);
}
void dsWriteByLane(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = startAccess(w, inst, 4, AccessKind::Store);
  setLaneAddresses(w, uint32_t(inst.src(1).imm), a);
  captureData(w, a, inst.src(0));
  a.perform = performStore<Space::Lds, Format::B32>;
  w.memory->submit(w, a);
}

} // namespace

void addDsOps(HandlerTable &table) {
  table.add("ds_read_u8", dsRead<Format::U8>);
  table.add("ds_read_i8", dsRead<Format::I8>);
  table.add("ds_read_u16", dsRead<Format::U16>);
  table.add("ds_read_i16", dsRead<Format::I16>);
  table.add("ds_read_b32", dsRead<Format::B32>);
  table.add("ds_read_b64", dsRead<Format::B64>);
  table.add("ds_read_b96", dsRead<Format::B96>);
  table.add("ds_read_b128", dsRead<Format::B128>);
  table.add("ds_read_u8_d16", dsRead<Format::U8Lo>);
  table.add("ds_read_u8_d16_hi", dsRead<Format::U8Hi>);
  table.add("ds_read_i8_d16", dsRead<Format::I8Lo>);
  table.add("ds_read_i8_d16_hi", dsRead<Format::I8Hi>);
  table.add("ds_read_u16_d16", dsRead<Format::B16Lo>);
  table.add("ds_read_u16_d16_hi", dsRead<Format::B16Hi>);
  table.add("ds_write_b8", dsWrite<Format::U8>);
  table.add("ds_write_b8_d16_hi", dsWrite<Format::U8Hi>);
  table.add("ds_write_b16", dsWrite<Format::U16>);
  table.add("ds_write_b16_d16_hi", dsWrite<Format::B16Hi>);
  table.add("ds_write_b32", dsWrite<Format::B32>);
  table.add("ds_write_b64", dsWrite<Format::B64>);
  table.add("ds_write_b96", dsWrite<Format::B96>);
  table.add("ds_write_b128", dsWrite<Format::B128>);
  table.add("ds_read_addtid_b32", dsReadByLane);
  table.add("ds_write_addtid_b32", dsWriteByLane);
  table.add("ds_read2_b32", dsRead2<Format::B32, 1>);
  table.add("ds_read2_b64", dsRead2<Format::B64, 1>);
  table.add("ds_read2st64_b32", dsRead2<Format::B32, 64>);
  table.add("ds_read2st64_b64", dsRead2<Format::B64, 64>);
  table.add("ds_write2_b32", dsWrite2<Format::B32, 1>);
  table.add("ds_write2_b64", dsWrite2<Format::B64, 1>);
  table.add("ds_write2st64_b32", dsWrite2<Format::B32, 64>);
  table.add("ds_write2st64_b64", dsWrite2<Format::B64, 64>);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
