//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Buffer loads and stores, direct-to-LDS loads, cache controls. Atomics are in
/// GlobalAtomicOps.cpp.

#include "BufferAddress.h"
#include "LaneMemory.h"

#include "fly/Emulator/Handlers.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

template <Format format> void bufferLoad(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = w.memory->begin(w, inst);
  BufferOperands ops(inst);
  bufferAddresses(w, ops, a, bytesOf(format), false);
  a.perform = performLoad<Space::Global, format>;
  a.kind = AccessKind::Load;
  a.space = Space::Global;
  a.counter = Counter::Vm;
  a.bytes = bytesOf(format);
  a.writesRows = true;
  a.firstRow = uint16_t(ops.data->row());
  a.numRows = dwordsOf(format);
  w.memory->submit(w, a);
}

template <Format format> void bufferStore(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = w.memory->begin(w, inst);
  BufferOperands ops(inst);
  bufferAddresses(w, ops, a, bytesOf(format), false);
  captureData(w, a, *ops.data);
  a.perform = performStore<Space::Global, format>;
  a.kind = AccessKind::Store;
  a.space = Space::Global;
  a.counter = Counter::Vm;
  a.bytes = bytesOf(format);
  a.writesRows = false;
  w.memory->submit(w, a);
}

/// LDS address: M0[17:0] + inst_offset + lane * step (CDNA4 ISA manual 9.1.9).
template <Format format> void bufferLoadToLds(Wave &w, const ExecInst &inst) {
  if (!w.target->canCopyDirect(dwordsOf(format) * 4))
    return w.fail("this chip has no direct-to-LDS load of this width");
  MemoryAccess &a = w.memory->begin(w, inst);
  BufferOperands ops(inst);
  bufferAddresses(w, ops, a, bytesOf(format), false);
  const uint32_t step = copyStep<format>(w);
  uint32_t base = (w.m0() & 0x3ffff) + ops.instOffset;
  for (unsigned l = 0; l != waveLanes; ++l)
    a.ldsAddress[l] = base + l * step;
  a.perform = performLoadToLds<format>;
  a.kind = AccessKind::LoadToLds;
  a.space = Space::Global;
  a.counter = Counter::Vm;
  a.bytes = bytesOf(format);
  a.writesRows = false;
  w.memory->submit(w, a);
}

/// Cache write-back and invalidation: memory is one and coherent here. They
/// count in no counter (buffer_wbl2 is waited for with vmcnt, which has nothing
/// more to wait for than the stores before it).
void cacheControl(Wave &, const ExecInst &) {}

} // namespace

void addMubufOps(HandlerTable &table) {
  table.add("buffer_load_ubyte", bufferLoad<Format::U8>);
  table.add("buffer_load_sbyte", bufferLoad<Format::I8>);
  table.add("buffer_load_ushort", bufferLoad<Format::U16>);
  table.add("buffer_load_sshort", bufferLoad<Format::I16>);
  table.add("buffer_load_dword", bufferLoad<Format::B32>);
  table.add("buffer_load_dwordx2", bufferLoad<Format::B64>);
  table.add("buffer_load_dwordx3", bufferLoad<Format::B96>);
  table.add("buffer_load_dwordx4", bufferLoad<Format::B128>);
  table.add("buffer_load_ubyte_d16", bufferLoad<Format::U8Lo>);
  table.add("buffer_load_ubyte_d16_hi", bufferLoad<Format::U8Hi>);
  table.add("buffer_load_sbyte_d16", bufferLoad<Format::I8Lo>);
  table.add("buffer_load_sbyte_d16_hi", bufferLoad<Format::I8Hi>);
  table.add("buffer_load_short_d16", bufferLoad<Format::B16Lo>);
  table.add("buffer_load_short_d16_hi", bufferLoad<Format::B16Hi>);

  table.add("buffer_store_byte", bufferStore<Format::U8>);
  table.add("buffer_store_byte_d16_hi", bufferStore<Format::U8Hi>);
  table.add("buffer_store_short", bufferStore<Format::U16>);
  table.add("buffer_store_short_d16_hi", bufferStore<Format::B16Hi>);
  table.add("buffer_store_dword", bufferStore<Format::B32>);
  table.add("buffer_store_dwordx2", bufferStore<Format::B64>);
  table.add("buffer_store_dwordx3", bufferStore<Format::B96>);
  table.add("buffer_store_dwordx4", bufferStore<Format::B128>);

  table.add("buffer_load_ubyte_lds", bufferLoadToLds<Format::U8>);
  table.add("buffer_load_sbyte_lds", bufferLoadToLds<Format::I8>);
  table.add("buffer_load_ushort_lds", bufferLoadToLds<Format::U16>);
  table.add("buffer_load_sshort_lds", bufferLoadToLds<Format::I16>);
  table.add("buffer_load_dword_lds", bufferLoadToLds<Format::B32>);
  table.add("buffer_load_dwordx3_lds", bufferLoadToLds<Format::B96>);
  table.add("buffer_load_dwordx4_lds", bufferLoadToLds<Format::B128>);

  table.add("buffer_wbl2", cacheControl);
  table.add("buffer_inv", cacheControl);
  table.add("buffer_wbinvl1", cacheControl);
  table.add("buffer_wbinvl1_vol", cacheControl);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
