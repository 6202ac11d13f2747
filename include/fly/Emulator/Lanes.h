//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// How handlers read and write operands. Everything works on whole rows of 64
/// dwords, so that the loops vectorise.

#ifndef FLY_EMULATOR_LANES_H
#define FLY_EMULATOR_LANES_H

#include "fly/Emulator/Wave.h"

namespace fly {
namespace emu {

/// Storage for one operand row that is not in the register file.
struct alignas(64) Row {
  uint32_t lane[waveLanes];
};

/// The high halves of the 64-bit apertures of FLAT addresses; LDS and scratch
/// lie above every global address (below 2^47).
constexpr uint32_t sharedApertureHigh = 0x10000;
constexpr uint32_t privateApertureHigh = 0x20000;

/// The dword at scalar operand code \p code. Specials read as 32 bits.
[[gnu::always_inline]] inline uint32_t readScalarCode(const Wave &w,
                                                      unsigned code) {
  if (code < 128)
    return w.scalars[code];
  switch (code) {
  case ScalarVccz:
    return w.vcc() == 0;
  case ScalarExecz:
    return w.exec() == 0;
  case ScalarScc:
    return w.scc;
  default:
    return 0; // the low halves of the apertures
  }
}

/// 32 bits of a scalar or immediate source.
[[gnu::always_inline]] inline uint32_t readScalar32(const Wave &w,
                                                    const Operand &op) {
  return op.isImm() ? uint32_t(op.imm) : readScalarCode(w, op.index);
}

/// 64 bits of a scalar or immediate source. The sources' widths are as the
/// instruction has them: \p op is a pair, a special or an immediate.
[[gnu::always_inline]] inline uint64_t readScalar64(const Wave &w,
                                                    const Operand &op) {
  if (op.isImm())
    return uint64_t(op.imm);
  if (op.index < 127)
    return w.pair(op.index);
  switch (op.index) {
  case ScalarSharedBase:
    return uint64_t(sharedApertureHigh) << 32;
  case ScalarSharedLimit:
    return uint64_t(sharedApertureHigh) << 32 | 0xffffffffu;
  case ScalarPrivateBase:
    return uint64_t(privateApertureHigh) << 32;
  case ScalarPrivateLimit:
    return uint64_t(privateApertureHigh) << 32 | 0xffffffffu;
  default:
    return readScalarCode(w, op.index);
  }
}

/// Scalar destinations: SGPRs, VCC, EXEC, M0. Writes beyond are dropped.
[[gnu::always_inline]] inline void writeScalar32(Wave &w, const Operand &op,
                                                 uint32_t value) {
  if (op.index < 128)
    w.scalars[op.index] = value;
}
[[gnu::always_inline]] inline void writeScalar64(Wave &w, const Operand &op,
                                                 uint64_t value) {
  if (op.index < 127)
    w.setPair(op.index, value);
}

/// Dword \p dword of a source as a row: the register row itself, or \p storage
/// filled with the scalar or immediate. Modifiers are not applied.
[[gnu::always_inline]] inline const uint32_t *
readRow(const Wave &w, const Operand &op, unsigned dword, Row &storage) {
  if (op.isVector())
    return w.regs[(op.row() + dword) & (numRegisterRows - 1)];
  uint32_t value = op.isImm() ? uint32_t(uint64_t(op.imm) >> (32 * dword))
                   : op.index + dword < 128
                       ? w.scalars[op.index + dword]
                       : uint32_t(readScalar64(w, op) >> (32 * dword));
  for (unsigned l = 0; l != waveLanes; ++l)
    storage.lane[l] = value;
  return storage.lane;
}

/// Writes the lanes of \p mask of row \p row.
[[gnu::always_inline]] inline void
writeRowMasked(Wave &w, unsigned row, const uint32_t *value, uint64_t mask) {
  uint32_t *to = w.regs[row & (numRegisterRows - 1)];
  if (mask == ~uint64_t(0)) {
    for (unsigned l = 0; l != waveLanes; ++l)
      to[l] = value[l];
    return;
  }
  for (unsigned half = 0; half != 2; ++half) {
    uint32_t bits = uint32_t(mask >> (32 * half));
    uint32_t *t = to + 32 * half;
    const uint32_t *v = value + 32 * half;
    for (unsigned l = 0; l != 32; ++l)
      t[l] = bits >> l & 1 ? v[l] : t[l];
  }
}

/// Writes the active lanes of dword \p dword of a vector destination.
[[gnu::always_inline]] inline void writeRow(Wave &w, const Operand &op,
                                            unsigned dword, const Row &value) {
  writeRowMasked(w, op.row() + dword, value.lane, w.exec());
}

} // namespace emu
} // namespace fly

#endif // FLY_EMULATOR_LANES_H
