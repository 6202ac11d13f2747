//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Scalar memory: loads, buffer loads, stores, clocks, cache controls. Atomics
/// are in SmemAtomicOps.cpp.

#include "ScalarAddress.h"

#include "fly/Emulator/Handlers.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// A dword of which an allocation holds a byte may be read: compilers load
/// bytes and halves as the dword around them, as there are no narrower loads.
void loadScalars(Wave &w, const ScalarAccess &a, MemorySystem &memory) {
  uint32_t data[16] = {};
  if (a.validDwords) {
    if (const MappedRange *range =
            memory.map.findDwords(a.address, a.validDwords))
      __builtin_memcpy(data, range->host + (a.address - range->base),
                       4 * a.validDwords);
    else
      memory.badScalarAddress(w, a);
  }
  for (unsigned i = 0; i != a.dwords && a.sgpr + i < 128; ++i)
    w.scalars[a.sgpr + i] = data[i];
}

void storeScalars(Wave &w, const ScalarAccess &a, MemorySystem &memory) {
  if (!a.validDwords)
    return;
  if (const MappedRange *range = memory.map.find(a.address, 4 * a.validDwords))
    __builtin_memcpy(range->host + (a.address - range->base), a.data,
                     4 * a.validDwords);
  else
    memory.badScalarAddress(w, a);
}

void writeClock(Wave &w, const ScalarAccess &a, MemorySystem &) {
  w.scalars[a.sgpr] = a.data[0];
  w.scalars[a.sgpr + 1] = a.data[1];
}

void captureScalars(const Wave &w, ScalarAccess &a) {
  for (unsigned i = 0; i != a.dwords; ++i)
    a.data[i] = readScalarCode(w, a.sgpr + i);
}

void sLoad(Wave &w, const ExecInst &inst) {
  ScalarAccess a = startScalar(inst, inst.ops[0]);
  a.isLoad = true;
  setScalarAddress(w, inst, a);
  a.perform = loadScalars;
  w.memory->submitScalar(w, a);
}

void sStore(Wave &w, const ExecInst &inst) {
  ScalarAccess a = startScalar(inst, inst.ops[0]);
  setScalarAddress(w, inst, a);
  captureScalars(w, a);
  a.perform = storeScalars;
  w.memory->submitScalar(w, a);
}

void sBufferLoad(Wave &w, const ExecInst &inst) {
  ScalarAccess a = startScalar(inst, inst.ops[0]);
  a.isLoad = true;
  setScalarBufferAddress(w, inst, a);
  a.perform = loadScalars;
  w.memory->submitScalar(w, a);
}

void sBufferStore(Wave &w, const ExecInst &inst) {
  ScalarAccess a = startScalar(inst, inst.ops[0]);
  setScalarBufferAddress(w, inst, a);
  captureScalars(w, a);
  a.perform = storeScalars;
  w.memory->submitScalar(w, a);
}

/// The clock of the emulator: instructions this wave has executed, in steps of
/// four engine clocks; the constant 100 MHz clock is taken as 1/24 of it.
template <unsigned divisor> void sClock(Wave &w, const ExecInst &inst) {
  ScalarAccess a = startScalar(inst, inst.ops[0]);
  a.isLoad = true;
  uint64_t clock = w.executed * 4 / divisor;
  a.data[0] = uint32_t(clock);
  a.data[1] = uint32_t(clock >> 32);
  a.validDwords = 0;
  a.perform = writeClock;
  w.memory->submitScalar(w, a);
}

void cacheControl(Wave &, const ExecInst &) {}

} // namespace

void addSmemOps(HandlerTable &table) {
  for (const char *key : {"s_load_dword", "s_load_dwordx2", "s_load_dwordx4",
                          "s_load_dwordx8", "s_load_dwordx16"})
    table.add(key, sLoad);
  for (const char *key :
       {"s_buffer_load_dword", "s_buffer_load_dwordx2", "s_buffer_load_dwordx4",
        "s_buffer_load_dwordx8", "s_buffer_load_dwordx16"})
    table.add(key, sBufferLoad);
  for (const char *key :
       {"s_store_dword", "s_store_dwordx2", "s_store_dwordx4"})
    table.add(key, sStore);
  for (const char *key : {"s_buffer_store_dword", "s_buffer_store_dwordx2",
                          "s_buffer_store_dwordx4"})
    table.add(key, sBufferStore);
  table.add("s_memtime", sClock<1>);
  table.add("s_memrealtime", sClock<24>);
  for (const char *key :
       {"s_dcache_inv", "s_dcache_wb", "s_dcache_inv_vol", "s_dcache_wb_vol",
        "s_dcache_discard", "s_dcache_discard_x2", "s_atc_probe",
        "s_atc_probe_buffer"})
    table.add(key, cacheControl);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
