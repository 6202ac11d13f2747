//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/CodeObject/ControlFlow.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>
#include <set>

using namespace llvm;

namespace fly {

ControlFlowGraph::ControlFlowGraph(const Disassembly &code,
                                   uint64_t entryAddress)
    : code(code) {
  findBlocks(entryAddress);
  findLoops();
}

/// Where control goes after instruction \p index, as instruction indices.
static SmallVector<uint32_t, 2> nextOf(const Disassembly &code,
                                       uint32_t index) {
  const Instruction &inst = code.instructions()[index];
  SmallVector<uint32_t, 2> next;
  bool fallsThrough = inst.valid && (!inst.isTerminator || inst.isConditional ||
                                     inst.key == "s_call_b64");
  if (fallsThrough && index + 1 < code.instructions().size())
    next.push_back(index + 1);
  if (inst.isBranch) {
    int64_t target = code.indexAt(inst.target);
    if (target >= 0 && !is_contained(next, uint32_t(target)))
      next.push_back(uint32_t(target));
  }
  return next;
}

void ControlFlowGraph::findBlocks(uint64_t entryAddress) {
  int64_t entry = code.indexAt(entryAddress);
  if (entry < 0)
    return;
  std::set<uint32_t> reached, leaders = {uint32_t(entry)};
  std::vector<uint32_t> work = {uint32_t(entry)};
  while (!work.empty()) {
    uint32_t index = work.back();
    work.pop_back();
    if (!reached.insert(index).second)
      continue;
    SmallVector<uint32_t, 2> next = nextOf(code, index);
    if (code.instructions()[index].isTerminator)
      leaders.insert(next.begin(), next.end());
    work.insert(work.end(), next.begin(), next.end());
  }
  std::vector<int32_t> blockOf(code.instructions().size(), -1);
  for (uint32_t leader : leaders) {
    BasicBlock block;
    block.begin = block.end = leader;
    do {
      blockOf[block.end++] = int32_t(blockList.size());
    } while (reached.count(block.end) && !leaders.count(block.end) &&
             !code.instructions()[block.end - 1].isTerminator);
    blockList.push_back(block);
  }
  for (uint32_t b = 0; b != blockList.size(); ++b)
    for (uint32_t next : nextOf(code, blockList[b].end - 1)) {
      uint32_t to = uint32_t(blockOf[next]);
      blockList[b].successors.push_back(to);
      blockList[to].predecessors.push_back(b);
    }
  // The entry's block is the root of the dominator tree.
  entryBlock = uint32_t(blockOf[uint32_t(entry)]);
}

/// Immediate dominators by the iterative scheme of Cooper, Harvey and Kennedy;
/// -1 for blocks that are not reachable.
static std::vector<int32_t> dominators(ArrayRef<BasicBlock> blocks,
                                       uint32_t entry) {
  std::vector<uint32_t> postOrder;
  std::vector<int32_t> number(blocks.size(), -1), idom(blocks.size(), -1);
  std::vector<std::pair<uint32_t, unsigned>> stack = {{entry, 0}};
  std::vector<bool> seen(blocks.size());
  seen[entry] = true;
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    if (next == blocks[block].successors.size()) {
      number[block] = int32_t(postOrder.size());
      postOrder.push_back(block);
      stack.pop_back();
      continue;
    }
    uint32_t to = blocks[block].successors[next++];
    if (!seen[to]) {
      seen[to] = true;
      stack.push_back({to, 0});
    }
  }
  idom[entry] = int32_t(entry);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t block : llvm::reverse(postOrder)) {
      if (block == entry)
        continue;
      int32_t best = -1;
      for (uint32_t p : blocks[block].predecessors) {
        if (idom[p] < 0)
          continue;
        int32_t other = int32_t(p);
        while (best >= 0 && best != other)
          (number[best] < number[other] ? best : other) =
              idom[number[best] < number[other] ? best : other];
        best = other;
      }
      changed |= idom[block] != best;
      idom[block] = best;
    }
  }
  return idom;
}

void ControlFlowGraph::findLoops() {
  if (blockList.empty())
    return;
  std::vector<int32_t> idom = dominators(blockList, entryBlock);
  auto dominates = [&](uint32_t a, uint32_t b) {
    while (b != a && b != entryBlock && idom[b] >= 0)
      b = uint32_t(idom[b]);
    return a == b;
  };
  for (uint32_t header = 0; header != blockList.size(); ++header) {
    std::set<uint32_t> body = {header};
    std::vector<uint32_t> work;
    for (uint32_t latch : blockList[header].predecessors)
      if (dominates(header, latch))
        work.push_back(latch);
    if (work.empty())
      continue;
    while (!work.empty()) {
      uint32_t block = work.back();
      work.pop_back();
      if (!body.insert(block).second)
        continue;
      work.insert(work.end(), blockList[block].predecessors.begin(),
                  blockList[block].predecessors.end());
    }
    Loop loop;
    loop.header = header;
    loop.blocks.assign(body.begin(), body.end());
    loopList.push_back(std::move(loop));
  }
  for (Loop &loop : loopList)
    for (const Loop &outer : loopList)
      if (outer.header != loop.header &&
          llvm::binary_search(outer.blocks, loop.header))
        ++loop.depth;
}

std::vector<uint32_t> ControlFlowGraph::instructionsOf(const Loop &loop) const {
  std::vector<uint32_t> result;
  for (uint32_t block : loop.blocks)
    for (uint32_t i = blockList[block].begin; i != blockList[block].end; ++i)
      result.push_back(i);
  return result;
}

const Loop *ControlFlowGraph::hotLoop() const {
  auto isInnermost = [&](const Loop &loop) {
    return llvm::none_of(loopList, [&](const Loop &inner) {
      return inner.header != loop.header &&
             llvm::binary_search(loop.blocks, inner.header);
    });
  };
  const Loop *best = nullptr;
  std::array<size_t, 3> bestScore = {0, 0, 0};
  for (const Loop &loop : loopList) {
    if (!isInnermost(loop))
      continue;
    std::array<size_t, 3> score = {0, 0, 0};
    for (uint32_t i : instructionsOf(loop)) {
      const Instruction &inst = code.instructions()[i];
      score[0] += inst.unit == Unit::Mfma;
      score[1] += inst.unit == Unit::Mubuf || inst.unit == Unit::Flat ||
                  inst.unit == Unit::Lds;
      ++score[2];
    }
    if (!best || score > bestScore) {
      best = &loop;
      bestScore = score;
    }
  }
  return best;
}

} // namespace fly
