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

#include "ProofState.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "llvm/ADT/TypeSwitch.h"

namespace fly {
#define GEN_PASS_DEF_FLYVERIFYSCHEDULE
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;
using namespace fly::proof;

namespace {

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
        .Case([&](WriteOp write) { return visitWrite(g, write); })
        .Case([&](ReadOp read) { return visitRead(g, read); })
        .Case([&](LoadOp load) {
          return visitLoad(g, load, load.getStaging(),
                           load.getSlotOp().getCopiesPerWave());
        })
        .Case([&](LoadScalesOp load) {
          return visitLoad(g, load, load.getScales(), /*count=*/1);
        })
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

  static StringRef nounOf(Operation *fill) {
    return isa<CopyOp>(fill) ? "copy" : "write";
  }

  // What is missing between \p content's access, by group \p by, and an op.
  void explain(InFlightDiagnostic &diag, const Content &content, size_t by,
               bool needsBarrier) {
    bool inLds = isa<ReadOp, WriteOp>(content.by);
    StringRef counter = inLds ? "lgkmcnt" : "vmcnt";
    const Queue &queue = inLds ? groups[by].lgkmQueue : groups[by].vmQueue;
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
    if (failed(checkGuard(g, copy, copy.getAhead(), copy.getGuarded())) ||
        failed(visitFill(g, copy)))
      return failure();
    groups[g].vmQueue.push_back({copy, copy.getSlotOp().getCopiesPerWave()});
    return success();
  }

  LogicalResult visitWrite(size_t g, WriteOp write) {
    Group &group = groups[g];
    Stage from = stageOf(write.getStaging(), write.getFromStage());
    if (failed(checkRegisters(g, write, write.getAhead(), "staging registers",
                              group.loaded[from])) ||
        failed(visitFill(g, write)))
      return failure();
    group.lgkmQueue.push_back({write, write.getSlotOp().getCopiesPerWave()});
    return success();
  }

  // A copy or a write into a slot.
  template <typename FillOp> LogicalResult visitFill(size_t g, FillOp fill) {
    Group &group = groups[g];
    SlotOp slot = fill.getSlotOp();
    Stage key = stageOf(slot, *fill.getStage());
    auto report = [&] {
      InFlightDiagnostic diag = fill.emitOpError("into slot \"");
      diag << slot.getName() << "\" stage " << *fill.getStage()
           << placeOf(g, fill);
      return diag;
    };
    for (size_t other = 0; other < groups.size(); ++other) {
      Content &read = groups[other].slots[key].read;
      if (!read.by || read.progress == Progress::Over)
        continue;
      InFlightDiagnostic diag = report();
      diag << " may overwrite what another wave still reads (WAR): the read's "
              "end is not known to all waves: ";
      explain(diag, read, other, /*needsBarrier=*/true);
      return diag;
    }
    SlotStage &stage = group.slots[key];
    // LDS executes the writes of one wave in order.
    bool inOrder =
        isa<WriteOp>(fill) && isa_and_nonnull<WriteOp>(stage.fill.by);
    if (stage.fill.by && stage.fill.progress == Progress::InFlight &&
        !inOrder) {
      InFlightDiagnostic diag = report();
      diag << " is not ordered after the " << nounOf(stage.fill.by)
           << " before it (WAW): ";
      explain(diag, stage.fill, g, /*needsBarrier=*/false);
      return diag;
    }
    stage.fill = {fill, baseOf(group) + fill.getAhead(), Progress::InFlight};
    stage.read = {};
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
    // Every group's waves fill a part of the slot.
    for (size_t other = 0; other < groups.size(); ++other) {
      Content &fill = groups[other].slots[key].fill;
      if (!fill.by || fill.position != position) {
        InFlightDiagnostic diag = report();
        diag << " wants K tile position " << read.getAhead() << ", but ";
        if (!fill.by)
          return diag << "nothing was copied there";
        diag << "the stage holds position " << fill.position - baseOf(group);
        diag.attachNote(fill.by->getLoc()) << "copied by this";
        return diag;
      }
      if (fill.progress != Progress::Over) {
        InFlightDiagnostic diag = report();
        diag << " may come before the " << nounOf(fill.by)
             << " has landed in all waves (RAW): ";
        explain(diag, fill, other, /*needsBarrier=*/true);
        return diag;
      }
    }
    group.slots[key].read = {read, position, Progress::InFlight};
    group.fragments[read.getFragment().getAsOpaquePointer()] = {
        read, position, Progress::InFlight};
    group.lgkmQueue.push_back({read, read.getReadsPerWave()});
    return success();
  }

  // A load of \p count instructions into a stage of \p registers.
  template <typename LoadT>
  LogicalResult visitLoad(size_t g, LoadT load, Value registers,
                          int64_t count) {
    if (failed(checkGuard(g, load, load.getAhead(), load.getGuarded())))
      return failure();
    Group &group = groups[g];
    Content &content = group.loaded[stageOf(registers, *load.getStage())];
    if (content.by && content.progress == Progress::InFlight) {
      InFlightDiagnostic diag = load.emitOpError("into stage ");
      diag << *load.getStage() << placeOf(g, load)
           << " is not ordered after the load before it (WAW): ";
      explain(diag, content, g, /*needsBarrier=*/false);
      return diag;
    }
    content = {load, baseOf(group) + load.getAhead(), Progress::InFlight};
    group.vmQueue.push_back({load, count});
    return success();
  }

  LogicalResult visitMma(size_t g, MmaOp mma) {
    Group &group = groups[g];
    for (Side side : {Side::A, Side::B}) {
      Value fragment = mma.getFragmentOp(side);
      if (failed(checkRegisters(
              g, mma, mma.getAhead(), (stringifySide(side) + " fragment").str(),
              group.fragments[fragment.getAsOpaquePointer()])))
        return failure();
    }
    for (auto [scale, name] : {std::pair(mma.getScaleA(), "A scales"),
                               std::pair(mma.getScaleB(), "B scales")})
      if (scale &&
          failed(checkRegisters(g, mma, mma.getAhead(), name,
                                group.loaded[stageOf(scale, *mma.getStage())])))
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

  // Registers must hold the op's K tile, and their access must be waited for.
  LogicalResult checkRegisters(size_t g, Operation *op, int64_t ahead,
                               std::string what, const Content &content) {
    int64_t base = baseOf(groups[g]);
    auto report = [&] {
      InFlightDiagnostic diag = op->emitOpError("uses its ");
      diag << what << placeOf(g, op);
      return diag;
    };
    if (!content.by || content.position != base + ahead) {
      InFlightDiagnostic diag = report();
      diag << " for K tile position " << ahead << ", but ";
      if (!content.by)
        return diag << "nothing was loaded there";
      diag << "the registers hold position " << content.position - base;
      diag.attachNote(content.by->getLoc()) << "loaded by this";
      return diag;
    }
    if (content.progress == Progress::InFlight) {
      InFlightDiagnostic diag = report();
      diag << " before they are there: ";
      explain(diag, content, g, /*needsBarrier=*/false);
      return diag;
    }
    return success();
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
