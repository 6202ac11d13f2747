//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The abstract state of the proof (VerifySchedule.cpp): what the waves of each
/// group have in flight and what slots and registers hold.

#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_PROOFSTATE_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_PROOFSTATE_H

#include "fly/Dialect/Fly/IR/Fly.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <vector>

namespace fly::proof {

using mlir::Operation;
using mlir::Value;

enum class Progress {
  InFlight, ///< no wait has covered it
  Retired,  ///< waited for, but no barrier since: other waves may not know
  Over      ///< a barrier has followed: over for every wave
};

// What was last put into a stage of a slot, of staging or scale registers, or
// into a fragment.
struct Content {
  Operation *by = nullptr; ///< the op that put it there; null for nothing
  int64_t position = 0;    ///< from the base of the region being walked
  Progress progress = Progress::Over;

  bool operator==(const Content &other) const {
    return by == other.by && position == other.position &&
           progress == other.progress;
  }
};

// A wave's last copy or write into a stage of a slot, and its last read since
// then.
struct SlotStage {
  Content fill, read;
  bool operator==(const SlotStage &other) const {
    return fill == other.fill && read == other.read;
  }
};

// An entry of a counter's queue: instructions of one op still outstanding.
struct Outstanding {
  Operation *op;
  int64_t count;
  bool operator==(const Outstanding &other) const {
    return op == other.op && count == other.count;
  }
};
using Queue = std::vector<Outstanding>;

using Stage = std::pair<void *, int64_t>; // a handle and one of its stages

inline Stage stageOf(Value handle, int64_t stage) {
  return {handle.getAsOpaquePointer(), stage};
}

// One wave group: what its waves have in flight and hold, and where they are.
struct Group {
  std::map<Stage, SlotStage> slots;
  std::map<Stage, Content> loaded; ///< staging and scale registers
  std::map<void *, Content> fragments;
  Queue vmQueue, lgkmQueue;
  std::map<void *, int64_t> due; ///< K tile position an accumulator takes next
  int64_t iteration = 0;         ///< of the loop; the trip count once past it
  Operation *at = nullptr;       ///< next op; null at the end

  void forEachContent(llvm::function_ref<void(Content &)> visit) {
    for (auto &[stage, slot] : slots) {
      visit(slot.fill);
      visit(slot.read);
    }
    for (auto &[stage, content] : loaded)
      visit(content);
    for (auto &[handle, content] : fragments)
      visit(content);
  }
  bool operator==(const Group &other) const {
    return slots == other.slots && loaded == other.loaded &&
           fragments == other.fragments && vmQueue == other.vmQueue &&
           lgkmQueue == other.lgkmQueue && due == other.due &&
           iteration == other.iteration && at == other.at;
  }
};

// Both counters retire in order: LDS accesses and vector memory each do.
inline void retire(Group &group, Queue &queue, std::optional<int64_t> left) {
  int64_t total = 0;
  for (const Outstanding &entry : queue)
    total += entry.count;
  while (left && total > *left) {
    Outstanding &oldest = queue.front();
    int64_t count = std::min(oldest.count, total - *left);
    oldest.count -= count;
    total -= count;
    if (oldest.count)
      continue;
    Operation *op = oldest.op;
    queue.erase(queue.begin());
    // The loop issues the same op again and again: its content is retired
    // only if no younger instance is in flight.
    if (llvm::any_of(queue,
                     [&](const Outstanding &entry) { return entry.op == op; }))
      continue;
    group.forEachContent([&](Content &content) {
      if (content.by == op && content.progress == Progress::InFlight)
        content.progress = Progress::Retired;
    });
  }
}

// Instructions issued after \p op's last ones: what a wait may leave.
inline int64_t youngerThan(const Queue &queue, Operation *op) {
  int64_t count = 0;
  for (const Outstanding &entry : llvm::reverse(queue)) {
    if (entry.op == op)
      break;
    count += entry.count;
  }
  return count;
}

} // namespace fly::proof

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_PROOFSTATE_H
