//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Templates that turn a function of one lane into a handler. Only the plain
/// encodings without modifiers are taken here; resolvers leave others unknown.
/// For family files only.

#ifndef FLY_LIB_EMULATOR_VALULANES_H
#define FLY_LIB_EMULATOR_VALULANES_H

#include "fly/Emulator/Handlers.h"
#include "fly/Emulator/Lanes.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// e32 or e64, no input modifiers, clamp and omod zero.
inline bool isPlain(const ExecInst &inst) {
  if (inst.encoding == Encoding::Sdwa || inst.encoding == Encoding::Dpp)
    return false;
  for (unsigned i = 0; i != inst.numOps; ++i)
    if (inst.ops[i].mods)
      return false;
  return true;
}

/// Whether the immediates after \p numSources sources (clamp, omod) are zero.
inline bool hasNoOutputModifiers(const ExecInst &inst, unsigned numSources) {
  for (unsigned i = inst.numDefs + numSources; i < inst.numOps; ++i)
    if (inst.ops[i].isImm() && inst.ops[i].imm != 0)
      return false;
  return true;
}

using Lane1 = uint32_t (*)(uint32_t);
using Lane2 = uint32_t (*)(uint32_t, uint32_t);
using Lane3 = uint32_t (*)(uint32_t, uint32_t, uint32_t);

template <Lane1 f> void lanes1(Wave &w, const ExecInst &inst) {
  Row s0, result;
  const uint32_t *a = readRow(w, inst.src(0), 0, s0);
  for (unsigned l = 0; l != waveLanes; ++l)
    result.lane[l] = f(a[l]);
  writeRow(w, inst.ops[0], 0, result);
}
template <Lane2 f> void lanes2(Wave &w, const ExecInst &inst) {
  Row s0, s1, result;
  const uint32_t *a = readRow(w, inst.src(0), 0, s0);
  const uint32_t *b = readRow(w, inst.src(1), 0, s1);
  for (unsigned l = 0; l != waveLanes; ++l)
    result.lane[l] = f(a[l], b[l]);
  writeRow(w, inst.ops[0], 0, result);
}
template <Lane3 f> void lanes3(Wave &w, const ExecInst &inst) {
  Row s0, s1, s2, result;
  const uint32_t *a = readRow(w, inst.src(0), 0, s0);
  const uint32_t *b = readRow(w, inst.src(1), 0, s1);
  const uint32_t *c = readRow(w, inst.src(2), 0, s2);
  for (unsigned l = 0; l != waveLanes; ++l)
    result.lane[l] = f(a[l], b[l], c[l]);
  writeRow(w, inst.ops[0], 0, result);
}

template <unsigned numSources, Handler handler>
void resolvePlain(const TargetInfo &, ExecInst &inst) {
  if (isPlain(inst) && hasNoOutputModifiers(inst, numSources))
    inst.handler = handler;
}
template <Lane1 f> void addLanes1(HandlerTable &table, const char *key) {
  table.addResolver(key, resolvePlain<1, lanes1<f>>);
}
template <Lane2 f> void addLanes2(HandlerTable &table, const char *key) {
  table.addResolver(key, resolvePlain<2, lanes2<f>>);
}
template <Lane3 f> void addLanes3(HandlerTable &table, const char *key) {
  table.addResolver(key, resolvePlain<3, lanes3<f>>);
}

/// 64 bits of a source, lane by lane.
struct alignas(64) WideRow {
  uint64_t lane[waveLanes];
};
[[gnu::always_inline]] inline void readWide(const Wave &w, const Operand &op,
                                            WideRow &value) {
  Row s0, s1;
  const uint32_t *low = readRow(w, op, 0, s0);
  const uint32_t *high = readRow(w, op, 1, s1);
  for (unsigned l = 0; l != waveLanes; ++l)
    value.lane[l] = low[l] | uint64_t(high[l]) << 32;
}
[[gnu::always_inline]] inline void writeWide(Wave &w, const Operand &op,
                                             const WideRow &value) {
  Row low, high;
  for (unsigned l = 0; l != waveLanes; ++l) {
    low.lane[l] = uint32_t(value.lane[l]);
    high.lane[l] = uint32_t(value.lane[l] >> 32);
  }
  writeRow(w, op, 0, low);
  writeRow(w, op, 1, high);
}

/// The mask destination of compares and carries: inactive lanes get 0. VCC if
/// it is implicit.
[[gnu::always_inline]] inline void writeLaneMask(Wave &w, const Operand *op,
                                                 uint64_t mask) {
  mask &= w.exec();
  if (op)
    writeScalar64(w, *op, mask);
  else
    w.setPair(ScalarVcc, mask);
}

} // namespace
} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_VALULANES_H
