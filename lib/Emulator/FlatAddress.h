//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Addresses of FLAT, GLOBAL and SCRATCH instructions. For family files only.

#ifndef FLY_LIB_EMULATOR_FLATADDRESS_H
#define FLY_LIB_EMULATOR_FLATADDRESS_H

#include "MemoryAccess.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// The operands in the orders LLVM has them: vdst, vaddr | saddr, vaddr for
/// loads; vaddr, vdata(, saddr) for stores, but vdata, vaddr for scratch ones;
/// vdst, vaddr, vdata(, saddr) for atomics; saddr, vaddr | vaddr for
/// direct-to-LDS. Then offset, cpol.
struct FlatOperands {
  const Operand *result = nullptr, *data = nullptr;
  const Operand *vaddr = nullptr, *saddr = nullptr;
  int64_t offset = 0;

  explicit FlatOperands(const ExecInst &inst) {
    bool hasVaddr = inst.addressMode != AddressMode::Offset;
    bool isScratch = inst.inst->key.starts_with("scratch");
    if (isScratch && inst.addressMode == AddressMode::Saddr)
      hasVaddr = false;
    for (unsigned i = 0; i != inst.numOps; ++i) {
      const Operand &op = inst.ops[i];
      if (op.isImm()) {
        offset = op.imm;
        break;
      }
      if (op.isDef)
        result = &op;
      else if (op.isScalar())
        saddr = &op;
      else if (hasVaddr && !vaddr &&
               (!isScratch || result || data || inst.inst->toLds))
        vaddr = &op;
      else
        data = &op;
    }
  }
};

/// Global and FLAT: 64-bit VGPR pair, or SGPR pair plus 32-bit VGPR.
inline void flatAddresses(Wave &w, const FlatOperands &ops, MemoryAccess &a) {
  a.mask = w.exec();
  for (uint64_t &valid : a.valid)
    valid = ~uint64_t(0);
  const uint32_t *low = w.regs[ops.vaddr->row()];
  if (ops.saddr) {
    uint64_t base = readScalar64(w, *ops.saddr) + uint64_t(ops.offset);
    for (unsigned l = 0; l != waveLanes; ++l)
      a.address[l] = base + low[l];
    return;
  }
  const uint32_t *high = w.regs[ops.vaddr->row() + 1];
  for (unsigned l = 0; l != waveLanes; ++l)
    a.address[l] = (low[l] | uint64_t(high[l]) << 32) + uint64_t(ops.offset);
}

/// Scratch: 32-bit offsets, each lane in its own segment.
inline void scratchAddresses(Wave &w, const FlatOperands &ops,
                             MemoryAccess &a) {
  a.mask = w.exec();
  for (uint64_t &valid : a.valid)
    valid = ~uint64_t(0);
  uint32_t base =
      (ops.saddr ? readScalar32(w, *ops.saddr) : 0) + uint32_t(ops.offset);
  for (unsigned l = 0; l != waveLanes; ++l)
    a.address[l] =
        uint32_t(base + (ops.vaddr ? w.regs[ops.vaddr->row()][l] : 0));
}

inline void dropLowBits(const Wave &w, MemoryAccess &a, unsigned bytes) {
  if (!w.dropLowAddressBits || bytes < 4)
    return;
  for (uint64_t &address : a.address)
    address &= ~uint64_t(3);
}

} // namespace
} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_FLATADDRESS_H
