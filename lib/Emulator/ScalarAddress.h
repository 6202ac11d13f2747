//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Addresses of scalar memory instructions. For family files only.

#ifndef FLY_LIB_EMULATOR_SCALARADDRESS_H
#define FLY_LIB_EMULATOR_SCALARADDRESS_H

#include "MemoryAccess.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// Base, then SGPR offset and immediate as the form has them.
struct ScalarOperands {
  uint64_t offset = 0;

  ScalarOperands(const Wave &w, const ExecInst &inst, const Operand *after) {
    if (inst.addressMode == AddressMode::Sgpr ||
        inst.addressMode == AddressMode::SgprImm)
      offset += readScalar32(w, *after++);
    if (inst.addressMode != AddressMode::Sgpr)
      offset += uint64_t(after->imm);
  }
};

inline ScalarAccess startScalar(const ExecInst &inst, const Operand &data) {
  ScalarAccess a;
  a.inst = &inst;
  a.sgpr = data.index;
  a.dwords = a.validDwords = data.dwords;
  return a;
}

/// Low address bits are dropped: scalar accesses are of aligned dwords.
inline void setScalarAddress(const Wave &w, const ExecInst &inst,
                             ScalarAccess &a) {
  a.address = (readScalar64(w, inst.ops[1]) +
               ScalarOperands(w, inst, &inst.ops[2]).offset) &
              ~uint64_t(3);
}

/// Range of a scalar buffer access: num_records bytes, or records of a strided
/// buffer; dwords beyond read as 0.
inline void setScalarBufferAddress(const Wave &w, const ExecInst &inst,
                                   ScalarAccess &a) {
  const Operand &descriptor = inst.ops[1];
  uint32_t word[3];
  for (unsigned i = 0; i != 3; ++i)
    word[i] = readScalarCode(w, descriptor.index + i);
  uint32_t stride = word[1] >> 16 & 0x3fff;
  uint64_t range = uint64_t(word[2]) * (stride ? stride : 1);
  uint64_t offset = ScalarOperands(w, inst, &inst.ops[2]).offset & ~uint64_t(3);
  a.address = (word[0] | uint64_t(word[1] & 0xffff) << 32) + offset;
  uint64_t inRange = offset < range ? (range - offset) / 4 : 0;
  a.validDwords = uint8_t(inRange < a.dwords ? inRange : a.dwords);
}

} // namespace
} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_SCALARADDRESS_H
