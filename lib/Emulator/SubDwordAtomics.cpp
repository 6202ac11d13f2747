//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SubDwordAtomics.h"

using namespace llvm;

namespace fly {
namespace emu {

/// "cmpswap" of "global_atomic_cmpswap", or nothing.
static StringRef atomicOf(const ExecInst &inst) {
  StringRef key = inst.inst->key;
  for (StringRef space : {"global", "flat", "buffer"})
    if (key.consume_front(space) && key.consume_front("_atomic_"))
      return key;
  return "";
}

static bool isDwordLoad(const ExecInst &inst) {
  StringRef key = inst.inst->key;
  return key == "global_load_dword" || key == "flat_load_dword" ||
         key == "buffer_load_dword";
}

/// Whether a register that \p load reads, all of which make its address, is
/// read by \p atomic too.
static bool sharesAddress(const ExecInst &load, const ExecInst &atomic) {
  auto isRead = [](const Operand &op) { return op.isReg() && !op.isDef; };
  for (unsigned i = 0; i != load.numOps; ++i)
    for (unsigned j = 0; j != atomic.numOps; ++j) {
      const Operand &a = load.ops[i], &b = atomic.ops[j];
      if (isRead(a) && isRead(b) && a.file == b.file && a.index == b.index &&
          a.dwords == b.dwords)
        return true;
    }
  return false;
}

void markSubDwordAtomics(MutableArrayRef<ExecInst> insts) {
  constexpr size_t furthest = 64; // instructions from the load to the loop
  for (size_t i = 0; i != insts.size(); ++i) {
    StringRef atomic = atomicOf(insts[i]);
    insts[i].isSubDwordAtomic = atomic == "and" || atomic == "or" ||
                                atomic == "xor" || atomic == "cmpswap";
    if (atomic != "cmpswap")
      continue;
    for (size_t j = i; j-- != 0 && i - j <= furthest;)
      if (isDwordLoad(insts[j]) && sharesAddress(insts[j], insts[i])) {
        insts[j].isSubDwordAtomic = true;
        break;
      }
  }
}

} // namespace emu
} // namespace fly
