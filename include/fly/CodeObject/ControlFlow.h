//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Basic blocks and loops of decoded code.

#ifndef FLY_CODEOBJECT_CONTROLFLOW_H
#define FLY_CODEOBJECT_CONTROLFLOW_H

#include "fly/CodeObject/Disassembly.h"

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <vector>

namespace fly {

/// Instructions [begin, end) of the disassembly, entered only at the first.
struct BasicBlock {
  uint32_t begin = 0, end = 0;
  llvm::SmallVector<uint32_t, 2> successors, predecessors; ///< block numbers
};

/// A natural loop: the blocks from which the header is reached again without
/// leaving through it.
struct Loop {
  uint32_t header = 0;
  std::vector<uint32_t> blocks; ///< ascending, header included
  unsigned depth = 1;           ///< 1: outermost
};

/// The blocks reachable from one entry, numbered in address order, and their
/// loops. An indirect branch has no successors.
class ControlFlowGraph {
public:
  ControlFlowGraph(const Disassembly &code, uint64_t entryAddress);

  llvm::ArrayRef<BasicBlock> blocks() const { return blockList; }
  llvm::ArrayRef<Loop> loops() const { return loopList; }
  /// The loop that does the work: among the innermost loops the one with the
  /// most MFMA, then with the most memory instructions, then the longest.
  const Loop *hotLoop() const;
  /// Indices of the instructions of \p loop in address order.
  std::vector<uint32_t> instructionsOf(const Loop &loop) const;

private:
  void findBlocks(uint64_t entryAddress);
  void findLoops();
  const Disassembly &code;
  std::vector<BasicBlock> blockList;
  std::vector<Loop> loopList;
  uint32_t entryBlock = 0;
};

} // namespace fly

#endif // FLY_CODEOBJECT_CONTROLFLOW_H
