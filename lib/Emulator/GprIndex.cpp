//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GprIndex.h"

#include "WaveChecker.h"

#include <algorithm>

namespace fly {
namespace emu {

void executeIndexed(Wave &w, const ExecInst &inst) {
  constexpr unsigned maxOps = 16;
  Operand ops[maxOps];
  if (inst.numOps > maxOps)
    return w.fail("too many operands for GPR index mode");
  std::copy_n(inst.ops, inst.numOps, ops);
  unsigned index = w.m0() & 255;
  unsigned source = 0;
  for (unsigned i = 0; i != inst.numOps; ++i) {
    Operand &op = ops[i];
    bool enabled = op.isDef ? w.gprIndexMode >> 3 & 1
                            : source < 3 && (w.gprIndexMode >> source & 1);
    source += !op.isDef;
    if (!enabled || op.file != RegFile::Vgpr)
      continue;
    op.index = uint16_t(op.index + index);
    if (op.index + op.dwords > 256)
      return w.fail("GPR index beyond the last VGPR");
  }
  ExecInst indexed = inst;
  indexed.ops = ops;
  if (!w.checked)
    return inst.handler(w, indexed);
  CheckInfo info = makeCheckInfo(indexed);
  w.checked->before(w, indexed, info);
  inst.handler(w, indexed);
  w.checked->after(w, indexed, info);
}

} // namespace emu
} // namespace fly
