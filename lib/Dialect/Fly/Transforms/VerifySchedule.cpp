//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The proof that an expanded schedule has no hazard. It follows one wave of
/// each wave group from barrier to barrier. Between two barriers the waves may
/// run in any order: what one does may come before or after anything that
/// another does there, be it of the same group or not.
///
/// An access to LDS is over for other waves only if it was retired by a wait,
/// and a barrier has followed. So an access is in one of three states
/// (Progress); with the counters' queues and the places of the groups they make
/// the abstract state, which is finite. The loop is followed until the state
/// repeats, and the program's end is checked for every trip count up to there:
/// the result holds for any number of K tiles.

#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

namespace fly {
#define GEN_PASS_DEF_FLYVERIFYSCHEDULE
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {

enum class Progress {
  InFlight, ///< no wait has covered it
  Retired,  ///< waited for, but no barrier since: other waves may not know
  Over      ///< a barrier has followed: over for every wave
};

// What was last put into a stage of a slot, a fragment or scale registers.
struct Content {
  Operation *by = nullptr; ///< the op that put it there; null for nothing
  int64_t position = 0;    ///< from the base of the region being walked
  Progress progress = Progress::Over;

  bool operator==(const Content &other) const {
    return by == other.by && position == other.position &&
           progress == other.progress;
  }
};

// A wave's last copy into a stage of a slot, and its last read since then.
struct SlotStage {
  Content copy, read;
  bool operator==(const SlotStage &other) const {
    return copy == other.copy && read == other.read;
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

Stage stageOf(Value handle, int64_t stage) {
  return {handle.getAsOpaquePointer(), stage};
}

// One wave group: what its waves have in flight and hold, and where they are.
struct Group {
  std::map<Stage, SlotStage> slots;
  std::map<Stage, Content> scales;
  std::map<void *, Content> fragments;
  Queue vmQueue, lgkmQueue;
  std::map<void *, int64_t> due; ///< K tile position an accumulator takes next
  int64_t iteration = 0;         ///< of the loop; the trip count once past it
  Operation *at = nullptr;       ///< next op; null at the end

  void forEachContent(llvm::function_ref<void(Content &)> visit) {
    for (auto &[stage, slot] : slots) {
      visit(slot.copy);
      visit(slot.read);
    }
    for (auto &[stage, content] : scales)
      visit(content);
    for (auto &[handle, content] : fragments)
      visit(content);
  }
  bool operator==(const Group &other) const {
    return slots == other.slots && scales == other.scales &&
           fragments == other.fragments && vmQueue == other.vmQueue &&
           lgkmQueue == other.lgkmQueue && due == other.due &&
           iteration == other.iteration && at == other.at;
  }
};

// Runs the program of all groups for one trip count and reports the first
// hazard. The ops of prologue, loop and drain in order; phases are flattened.
class Checker {
public:
  Checker(KernelOp kernel, PrologueOp prologue, LoopOp loop, DrainOp drain)
      : loop(loop), drain(drain) {
    flatten(prologue.getBody().front(), prologueOps);
    flatten(loop.getBody().front(), loopOps);
    flatten(drain.getBody().front(), drainOps);
    for (auto accumulator : kernel.getOps<AccumulatorOp>())
      accumulators.push_back(accumulator.getResult().getAsOpaquePointer());
    kernel.walk([&](BarrierOp barrier) {
      if (barrier.getGroup())
        groupCount = 2;
    });
  }

  // The states at the loop's head when its first group comes there, relative to
  // the iteration, for as many iterations as asked.
  LogicalResult run(int64_t trips) {
    heads.clear();
    this->trips = trips;
    groups.assign(groupCount, Group());
    for (Group &group : groups) {
      for (void *accumulator : accumulators)
        group.due[accumulator] = 0;
      group.at = first(prologueOps, group);
    }
    while (llvm::any_of(groups, [](Group &group) { return group.at; })) {
      for (size_t g = 0; g < groups.size(); ++g)
        if (failed(runToBarrier(g)))
          return failure();
      if (failed(meet()))
        return failure();
    }
    return checkEnd();
  }

  // Trip counts from the smallest on, until a state at the loop's head repeats:
  // larger ones pass no other state.
  LogicalResult check() {
    for (int64_t trips = loop.getPeeled() ? 0 : 1;; ++trips) {
      if (failed(run(trips)))
        return failure();
      for (size_t i = 0; i + 1 < heads.size(); ++i)
        if (heads[i] == heads.back())
          return success();
    }
  }

private:
  static void flatten(Block &block, std::vector<Operation *> &ops) {
    for (Operation &op : block)
      if (auto phase = dyn_cast<PhaseOp>(op))
        flatten(phase.getBody().front(), ops);
      else
        ops.push_back(&op);
  }

  //===--------------------------------------------------------------------===//
  // Control
  //===--------------------------------------------------------------------===//

  // The first op of \p ops, or of what follows them when they are none.
  Operation *first(const std::vector<Operation *> &ops, Group &group) {
    if (!ops.empty() && (&ops != &loopOps || trips > 0))
      return ops.front();
    if (&ops == &prologueOps)
      return first(loopOps, group);
    if (&ops == &loopOps)
      return first(drainOps, group);
    return nullptr;
  }

  const std::vector<Operation *> &listOf(Operation *op) {
    for (auto *ops : {&prologueOps, &loopOps})
      if (llvm::is_contained(*ops, op))
        return *ops;
    return drainOps;
  }

  void advance(Group &group) {
    const std::vector<Operation *> &ops = listOf(group.at);
    auto next = std::next(llvm::find(ops, group.at));
    if (next != ops.end()) {
      group.at = *next;
    } else if (&ops == &prologueOps) {
      group.at = first(loopOps, group);
    } else if (&ops == &loopOps) {
      ++group.iteration;
      group.at =
          group.iteration < trips ? loopOps.front() : first(drainOps, group);
    } else {
      group.at = nullptr;
    }
  }

  // K tile position that the base of the op's region stands for.
  int64_t baseOf(Group &group) {
    return llvm::is_contained(prologueOps, group.at)
               ? 0
               : group.iteration * loop.getUnroll();
  }

  // Runs up to the next barrier that the group takes part in, or to the end.
  LogicalResult runToBarrier(size_t g) {
    Group &group = groups[g];
    while (group.at) {
      if (auto barrier = dyn_cast<BarrierOp>(group.at)) {
        if (!barrier.getGroup() || *barrier.getGroup() == int64_t(g))
          return success();
      } else if (failed(visit(g, group.at))) {
        return failure();
      }
      step(g);
    }
    return success();
  }

  void step(size_t g) {
    advance(groups[g]);
    if (g == 0 && !loopOps.empty() && groups[0].at == loopOps.front())
      recordHead();
  }

  // All groups stand at a barrier: accesses waited for are over for all.
  LogicalResult meet() {
    for (size_t g = 0; g < groups.size(); ++g)
      if (!groups[g].at && llvm::any_of(groups, [](Group &group) {
            return group.at != nullptr;
          })) {
        Operation *barrier =
            llvm::find_if(groups, [](Group &group) { return group.at; })->at;
        return barrier->emitOpError("is met by one wave group only: group ")
               << g
               << " has ended, the groups execute different numbers of "
                  "barriers";
      }
    for (size_t g = 0; g < groups.size(); ++g) {
      groups[g].forEachContent([](Content &content) {
        if (content.progress == Progress::Retired)
          content.progress = Progress::Over;
      });
      if (groups[g].at)
        step(g);
    }
    return success();
  }

  // Positions relative to group 0's; those long past are never asked for again.
  void recordHead() {
    std::vector<Group> state = groups;
    int64_t iteration = groups[0].iteration,
            base = iteration * loop.getUnroll();
    for (Group &group : state) {
      group.iteration -= iteration;
      group.forEachContent([&](Content &content) {
        content.position =
            std::max(content.position - base, -2 * loop.getUnroll());
      });
      for (auto &[accumulator, position] : group.due)
        position -= base;
    }
    heads.push_back(std::move(state));
  }

  LogicalResult checkEnd() {
    for (Group &group : groups)
      for (Queue *queue : {&group.vmQueue, &group.lgkmQueue})
        if (!queue->empty()) {
          InFlightDiagnostic diag =
              drain.emitOpError("leaves accesses in flight when the workgroup "
                                "gives up its LDS: a wait of ");
          diag << (queue == &group.vmQueue ? "vmcnt" : "lgkmcnt")
               << "(0) is missing";
          diag.attachNote(queue->front().op->getLoc()) << "in flight is this";
          return diag;
        }
    int64_t all = (trips + loop.getPeeled()) * loop.getUnroll();
    for (auto &[accumulator, position] : groups[0].due)
      if (position != all)
        return drain.emitOpError("ends when an accumulator has taken ")
               << std::abs(position - all) << " K tiles too "
               << (position < all ? "few" : "many");
    return success();
  }

  LogicalResult visit(size_t g, Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](CopyOp copy) { return visitCopy(g, copy); })
        .Case([&](ReadOp read) { return visitRead(g, read); })
        .Case([&](LoadScalesOp load) { return visitLoad(g, load); })
        .Case([&](MmaOp mma) { return visitMma(g, mma); })
        .Case([&](WaitOp wait) {
          retire(groups[g], groups[g].vmQueue, wait.getVmcnt());
          retire(groups[g], groups[g].lgkmQueue, wait.getLgkmcnt());
          return success();
        })
        .Default(success());
  }

  //===--------------------------------------------------------------------===//
  // Words for a finding
  //===--------------------------------------------------------------------===//

  std::string placeOf(size_t g, Operation *op) {
    std::string place;
    Operation *parent = op->getParentOp();
    if (auto phase = dyn_cast<PhaseOp>(parent)) {
      int64_t index = 0;
      for (Operation *previous = phase->getPrevNode(); previous;
           previous = previous->getPrevNode())
        index += isa<PhaseOp>(previous);
      place = (" in " + stringifyPhaseKind(phase.getKind()) + " phase " +
               Twine(index))
                  .str();
      parent = phase->getParentOp();
    }
    place += (isa<PhaseOp>(op->getParentOp()) ? " of the " : " in the ");
    place += parent->getName().stripDialect();
    if (groups.size() > 1)
      place += " by wave group " + std::to_string(g);
    return place;
  }

  // Instructions issued after \p op's last ones: what a wait may leave.
  static int64_t youngerThan(const Queue &queue, Operation *op) {
    int64_t count = 0;
    for (const Outstanding &entry : llvm::reverse(queue)) {
      if (entry.op == op)
        break;
      count += entry.count;
    }
    return count;
  }

  // What is missing between \p content's access, by group \p by, and an op.
  void explain(InFlightDiagnostic &diag, const Content &content, size_t by,
               StringRef counter, const Queue &queue, bool needsBarrier) {
    bool single = groups.size() == 1;
    std::string whose = single ? "" : " of wave group " + std::to_string(by);
    if (content.progress == Progress::InFlight) {
      diag << "it is still in flight; a wait" << whose << " of " << counter
           << "(" << youngerThan(queue, content.by) << ") or less";
      diag << (needsBarrier ? " and then a barrier are missing"
                            : " is missing");
    } else {
      diag << (single ? "its wait" : "the wait" + whose)
           << " is there, but a barrier after the wait is missing";
    }
    diag.attachNote(content.by->getLoc()) << "the earlier access is this";
  }

  //===--------------------------------------------------------------------===//
  // Steps
  //===--------------------------------------------------------------------===//

  // What is past the last K tile must arrive as zeros.
  LogicalResult checkGuard(size_t g, Operation *op, int64_t ahead,
                           bool guarded) {
    if (op->getParentOfType<DrainOp>() && !loop.getPeeled())
      return op->emitOpError("is in the drain, where no K tile is left");
    // The base of a region exists. Behind an iteration of a peeled loop comes
    // another one, whose base exists as well.
    bool isFollowed = loop.getPeeled() && op->getParentOfType<LoopOp>();
    if (ahead > (isFollowed ? loop.getUnroll() : 0) && !guarded)
      return op->emitOpError("of K tile position ")
             << ahead << placeOf(g, op)
             << " may be past the last K tile and is not guarded";
    return success();
  }

  LogicalResult visitCopy(size_t g, CopyOp copy) {
    if (failed(checkGuard(g, copy, copy.getAhead(), copy.getGuarded())))
      return failure();
    Group &group = groups[g];
    Stage key = stageOf(copy.getSlot(), *copy.getStage());
    auto report = [&] {
      InFlightDiagnostic diag = copy.emitOpError("into slot \"");
      diag << copy.getSlotOp().getName() << "\" stage " << *copy.getStage()
           << placeOf(g, copy);
      return diag;
    };
    for (size_t other = 0; other < groups.size(); ++other) {
      Content &read = groups[other].slots[key].read;
      if (!read.by || read.progress == Progress::Over)
        continue;
      InFlightDiagnostic diag = report();
      diag << " may overwrite what another wave still reads (WAR): the read's "
              "end is not known to all waves: ";
      explain(diag, read, other, "lgkmcnt", groups[other].lgkmQueue, true);
      return diag;
    }
    SlotStage &stage = group.slots[key];
    if (stage.copy.by && stage.copy.progress == Progress::InFlight) {
      InFlightDiagnostic diag = report();
      diag << " is not ordered after the copy before it (WAW): ";
      explain(diag, stage.copy, g, "vmcnt", group.vmQueue, false);
      return diag;
    }
    stage.copy = {copy, baseOf(group) + copy.getAhead(), Progress::InFlight};
    stage.read = {};
    group.vmQueue.push_back({copy, copy.getSlotOp().getCopiesPerWave()});
    return success();
  }

  LogicalResult visitRead(size_t g, ReadOp read) {
    Group &group = groups[g];
    Stage key = stageOf(read.getSlotOp(), *read.getStage());
    int64_t position = baseOf(group) + read.getAhead();
    auto report = [&] {
      InFlightDiagnostic diag = read.emitOpError("of slot \"");
      diag << read.getSlotOp().getName() << "\" stage " << *read.getStage()
           << placeOf(g, read);
      return diag;
    };
    // Every group's waves copy a part of the slot.
    for (size_t other = 0; other < groups.size(); ++other) {
      Content &copy = groups[other].slots[key].copy;
      if (!copy.by || copy.position != position) {
        InFlightDiagnostic diag = report();
        diag << " wants K tile position " << read.getAhead() << ", but ";
        if (!copy.by)
          return diag << "nothing was copied there";
        diag << "the stage holds position " << copy.position - baseOf(group);
        diag.attachNote(copy.by->getLoc()) << "copied by this";
        return diag;
      }
      if (copy.progress != Progress::Over) {
        InFlightDiagnostic diag = report();
        diag << " may come before the copy has landed in all waves (RAW): ";
        explain(diag, copy, other, "vmcnt", groups[other].vmQueue, true);
        return diag;
      }
    }
    group.slots[key].read = {read, position, Progress::InFlight};
    group.fragments[read.getFragment().getAsOpaquePointer()] = {
        read, position, Progress::InFlight};
    group.lgkmQueue.push_back({read, read.getReadsPerWave()});
    return success();
  }

  LogicalResult visitLoad(size_t g, LoadScalesOp load) {
    if (failed(checkGuard(g, load, load.getAhead(), load.getGuarded())))
      return failure();
    Group &group = groups[g];
    Content &content =
        group.scales[stageOf(load.getScales(), *load.getStage())];
    if (content.by && content.progress == Progress::InFlight) {
      InFlightDiagnostic diag = load.emitOpError("into stage ");
      diag << *load.getStage() << placeOf(g, load)
           << " is not ordered after the load before it (WAW): ";
      explain(diag, content, g, "vmcnt", group.vmQueue, false);
      return diag;
    }
    content = {load, baseOf(group) + load.getAhead(), Progress::InFlight};
    group.vmQueue.push_back({load, 1});
    return success();
  }

  LogicalResult visitMma(size_t g, MmaOp mma) {
    Group &group = groups[g];
    for (Side side : {Side::A, Side::B}) {
      Value fragment = mma.getFragmentOp(side);
      if (failed(checkRegisters(g, mma,
                                (stringifySide(side) + " fragment").str(),
                                group.fragments[fragment.getAsOpaquePointer()],
                                "lgkmcnt", group.lgkmQueue)))
        return failure();
    }
    for (auto [scale, name] : {std::pair(mma.getScaleA(), "A scales"),
                               std::pair(mma.getScaleB(), "B scales")})
      if (scale &&
          failed(checkRegisters(g, mma, name,
                                group.scales[stageOf(scale, *mma.getStage())],
                                "vmcnt", group.vmQueue)))
        return failure();
    int64_t &due = group.due[mma.getAccumulator().getAsOpaquePointer()];
    int64_t base = baseOf(group);
    if (base + mma.getAhead() != due)
      return mma.emitOpError("takes K tile position ")
             << mma.getAhead() << placeOf(g, mma) << ", but position "
             << due - base << " is due: each must be taken once, in order";
    ++due;
    return success();
  }

  // Registers must hold the MFMA's K tile, and their access must be waited for.
  LogicalResult checkRegisters(size_t g, MmaOp mma, std::string what,
                               const Content &content, StringRef counter,
                               const Queue &queue) {
    int64_t base = baseOf(groups[g]);
    auto report = [&] {
      InFlightDiagnostic diag = mma.emitOpError("uses its ");
      diag << what << placeOf(g, mma);
      return diag;
    };
    if (!content.by || content.position != base + mma.getAhead()) {
      InFlightDiagnostic diag = report();
      diag << " for K tile position " << mma.getAhead() << ", but ";
      if (!content.by)
        return diag << "nothing was loaded there";
      diag << "the registers hold position " << content.position - base;
      diag.attachNote(content.by->getLoc()) << "loaded by this";
      return diag;
    }
    if (content.progress == Progress::InFlight) {
      InFlightDiagnostic diag = report();
      diag << " before they are there: ";
      explain(diag, content, g, counter, queue, false);
      return diag;
    }
    return success();
  }

  // Both counters retire in order: LDS reads and vector memory each do.
  static void retire(Group &group, Queue &queue, std::optional<int64_t> left) {
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
      if (llvm::any_of(
              queue, [&](const Outstanding &entry) { return entry.op == op; }))
        continue;
      group.forEachContent([&](Content &content) {
        if (content.by == op && content.progress == Progress::InFlight)
          content.progress = Progress::Retired;
      });
    }
  }

  LoopOp loop;
  DrainOp drain;
  std::vector<Operation *> prologueOps, loopOps, drainOps;
  std::vector<void *> accumulators;
  size_t groupCount = 1;

  int64_t trips = 0;
  std::vector<Group> groups;
  std::vector<std::vector<Group>> heads;
};

struct VerifySchedule
    : public fly::impl::FlyVerifyScheduleBase<VerifySchedule> {
  void runOnOperation() override {
    if (failed(verify(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }

  static LogicalResult verify(KernelOp kernel) {
    auto prologue = kernel.findOp<PrologueOp>();
    auto loop = kernel.findOp<LoopOp>();
    auto drain = kernel.findOp<DrainOp>();
    if (!prologue || !loop || !drain)
      return kernel.emitOpError("is not expanded: a prologue, a loop and a "
                                "drain are needed for the proof");
    if (!prologue->isBeforeInBlock(loop) || !loop->isBeforeInBlock(drain))
      return kernel.emitOpError(
          "must have its prologue, loop and drain in this "
          "order");
    return Checker(kernel, prologue, loop, drain).check();
  }
};
} // namespace
