//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// FLAT, GLOBAL and SCRATCH loads and stores, and global direct-to-LDS loads.

#include "FlatAddress.h"
#include "LaneMemory.h"

#include "fly/Emulator/Handlers.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

template <Space space>
MemoryAccess &startAccess(Wave &w, const ExecInst &inst,
                          const FlatOperands &ops, unsigned bytes) {
  MemoryAccess &a = w.memory->begin(w, inst);
  if (space == Space::Scratch)
    scratchAddresses(w, ops, a);
  else
    flatAddresses(w, ops, a);
  dropLowBits(w, a, bytes);
  a.space = space;
  a.counter = space == Space::Flat ? Counter::Flat : Counter::Vm;
  a.bytes = uint8_t(bytes);
  a.writesRows = false;
  return a;
}

template <Space space, Format format>
void flatLoad(Wave &w, const ExecInst &inst) {
  FlatOperands ops(inst);
  MemoryAccess &a = startAccess<space>(w, inst, ops, bytesOf(format));
  a.perform = performLoad<space, format>;
  a.kind = AccessKind::Load;
  a.writesRows = true;
  a.firstRow = uint16_t(ops.result->row());
  a.numRows = dwordsOf(format);
  w.memory->submit(w, a);
}

template <Space space, Format format>
void flatStore(Wave &w, const ExecInst &inst) {
  FlatOperands ops(inst);
  MemoryAccess &a = startAccess<space>(w, inst, ops, bytesOf(format));
  captureData(w, a, *ops.data);
  a.perform = performStore<space, format>;
  a.kind = AccessKind::Store;
  w.memory->submit(w, a);
}

/// LDS address: M0[17:2] * 4 + inst_offset + lane * step (CDNA4 ISA manual
/// 10.3); the offset counts on the memory side too.
template <Space space, Format format>
void loadToLds(Wave &w, const ExecInst &inst) {
  if (!w.target->canCopyDirect(dwordsOf(format) * 4))
    return w.fail("this chip has no direct-to-LDS load of this width");
  FlatOperands ops(inst);
  MemoryAccess &a = startAccess<space>(w, inst, ops, bytesOf(format));
  const uint32_t step = copyStep<format>(w);
  uint32_t base = (w.m0() & 0x3fffc) + uint32_t(ops.offset);
  for (unsigned l = 0; l != waveLanes; ++l)
    a.ldsAddress[l] = base + l * step;
  a.perform = performLoadToLds<format, space>;
  a.kind = AccessKind::LoadToLds;
  w.memory->submit(w, a);
}

/// Adds handlers under names that start with the address space.
struct PrefixedTable {
  HandlerTable &table;
  const char *prefix;
  void operator()(const char *name, Handler handler) const {
    char key[64];
    unsigned n = 0;
    for (const char *from : {prefix, name})
      while (*from)
        key[n++] = *from++;
    table.add(llvm::StringRef(key, n), handler);
  }
};

template <Space space> void addToLds(HandlerTable &table, const char *prefix) {
  PrefixedTable add = {table, prefix};
  add("_load_lds_ubyte", loadToLds<space, Format::U8>);
  add("_load_lds_sbyte", loadToLds<space, Format::I8>);
  add("_load_lds_ushort", loadToLds<space, Format::U16>);
  add("_load_lds_sshort", loadToLds<space, Format::I16>);
  add("_load_lds_dword", loadToLds<space, Format::B32>);
}

template <Space space> void addSpace(HandlerTable &table, const char *prefix) {
  PrefixedTable add = {table, prefix};
  add("_load_ubyte", flatLoad<space, Format::U8>);
  add("_load_sbyte", flatLoad<space, Format::I8>);
  add("_load_ushort", flatLoad<space, Format::U16>);
  add("_load_sshort", flatLoad<space, Format::I16>);
  add("_load_dword", flatLoad<space, Format::B32>);
  add("_load_dwordx2", flatLoad<space, Format::B64>);
  add("_load_dwordx3", flatLoad<space, Format::B96>);
  add("_load_dwordx4", flatLoad<space, Format::B128>);
  add("_load_ubyte_d16", flatLoad<space, Format::U8Lo>);
  add("_load_ubyte_d16_hi", flatLoad<space, Format::U8Hi>);
  add("_load_sbyte_d16", flatLoad<space, Format::I8Lo>);
  add("_load_sbyte_d16_hi", flatLoad<space, Format::I8Hi>);
  add("_load_short_d16", flatLoad<space, Format::B16Lo>);
  add("_load_short_d16_hi", flatLoad<space, Format::B16Hi>);
  add("_store_byte", flatStore<space, Format::U8>);
  add("_store_byte_d16_hi", flatStore<space, Format::U8Hi>);
  add("_store_short", flatStore<space, Format::U16>);
  add("_store_short_d16_hi", flatStore<space, Format::B16Hi>);
  add("_store_dword", flatStore<space, Format::B32>);
  add("_store_dwordx2", flatStore<space, Format::B64>);
  add("_store_dwordx3", flatStore<space, Format::B96>);
  add("_store_dwordx4", flatStore<space, Format::B128>);
}

} // namespace

void addFlatOps(HandlerTable &table) {
  addSpace<Space::Global>(table, "global");
  addSpace<Space::Flat>(table, "flat");
  addSpace<Space::Scratch>(table, "scratch");
  addToLds<Space::Global>(table, "global");
  addToLds<Space::Scratch>(table, "scratch");
  table.add("global_load_lds_dwordx3", loadToLds<Space::Global, Format::B96>);
  table.add("global_load_lds_dwordx4", loadToLds<Space::Global, Format::B128>);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
