//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The proof that an expanded schedule has no hazard. It follows one wave and
/// takes every other wave to be anywhere between the same two barriers: what
/// one wave does in a segment (from one barrier to the next) may come before or
/// after anything another wave does in that segment.
///
/// An access to LDS by another wave is over only if it was retired by a wait in
/// a segment that a barrier has closed since. So each access is in one of three
/// states (Progress); with the counters' queues they make the abstract state,
/// which is finite. The loop is walked until its state repeats, and the drain
/// is checked after every iteration: the result holds for any trip count.

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

struct SlotStage {
  Content copy; ///< its last copy
  Content read; ///< its last read since then
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

using Stage = std::pair<void *, int64_t>; // a handle and one of its stages

Stage stageOf(Value handle, int64_t stage) {
  return {handle.getAsOpaquePointer(), stage};
}

struct State {
  std::map<Stage, SlotStage> slots;
  std::map<Stage, Content> scales;
  std::map<void *, Content> fragments;
  std::vector<Outstanding> vmQueue, lgkmQueue;
  /// The K tile position that each accumulator takes next.
  std::map<void *, int64_t> due;

  bool operator==(const State &other) const {
    return slots == other.slots && scales == other.scales &&
           fragments == other.fragments && vmQueue == other.vmQueue &&
           lgkmQueue == other.lgkmQueue && due == other.due;
  }

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
};

// Walks blocks of an expanded kernel and reports the first hazard.
class Checker {
public:
  explicit Checker(KernelOp kernel) {
    for (auto accumulator : kernel.getOps<AccumulatorOp>())
      state.due[accumulator.getResult().getAsOpaquePointer()] = 0;
  }

  LogicalResult checkPrologue(Block &block) { return walk(block); }

  // Walks the loop until its state at the head repeats, the drain after each
  // iteration: any number of iterations from one on is covered.
  LogicalResult checkLoop(LoopOp loop, DrainOp drain) {
    std::vector<State> seen;
    while (!llvm::is_contained(seen, state)) {
      seen.push_back(state);
      if (failed(walk(loop.getBody().front())))
        return failure();
      state.forEachContent([&](Content &content) {
        // Positions long past are never asked for again; keep them finite.
        content.position =
            std::max<int64_t>(content.position - loop.getUnroll(), -1);
      });
      for (auto &[accumulator, position] : state.due)
        position -= loop.getUnroll();
      Checker after = *this;
      if (failed(after.checkDrain(drain)))
        return failure();
    }
    return success();
  }

  LogicalResult checkDrain(DrainOp drain) {
    if (failed(walk(drain.getBody().front())))
      return failure();
    for (auto *queue : {&state.vmQueue, &state.lgkmQueue})
      if (!queue->empty()) {
        InFlightDiagnostic diag =
            drain.emitOpError("leaves accesses in flight when the workgroup "
                              "gives up its LDS: ");
        diag << "a wait of " << (queue == &state.vmQueue ? "vmcnt" : "lgkmcnt")
             << "(0) is missing";
        diag.attachNote(queue->front().op->getLoc()) << "in flight is this";
        return diag;
      }
    for (auto &[accumulator, position] : state.due)
      if (position)
        return drain.emitOpError("ends when an accumulator has taken ")
               << std::abs(position) << " K tiles too "
               << (position < 0 ? "few" : "many");
    return success();
  }

private:
  LogicalResult walk(Block &block) {
    for (Operation &op : block) {
      LogicalResult result =
          llvm::TypeSwitch<Operation *, LogicalResult>(&op)
              .Case([&](PhaseOp phase) { return walkPhase(phase); })
              .Case([&](CopyOp copy) { return visit(copy); })
              .Case([&](ReadOp read) { return visit(read); })
              .Case([&](LoadScalesOp load) { return visit(load); })
              .Case([&](MmaOp mma) { return visit(mma); })
              .Case([&](WaitOp wait) { return visit(wait); })
              .Case([&](BarrierOp barrier) { return visit(barrier); })
              .Default(success());
      if (failed(result))
        return failure();
    }
    return success();
  }

  LogicalResult walkPhase(PhaseOp phase) {
    return walk(phase.getBody().front());
  }

  //===--------------------------------------------------------------------===//
  // Words for a finding
  //===--------------------------------------------------------------------===//

  static std::string placeOf(Operation *op) {
    Operation *parent = op->getParentOp();
    auto phase = dyn_cast<PhaseOp>(parent);
    if (!phase)
      return (" in the " + parent->getName().stripDialect()).str();
    int64_t index = 0;
    for (Operation *previous = phase->getPrevNode(); previous;
         previous = previous->getPrevNode())
      index += isa<PhaseOp>(previous);
    return (" in " + stringifyPhaseKind(phase.getKind()) + " phase " +
            Twine(index) + " of the " +
            phase->getParentOp()->getName().stripDialect())
        .str();
  }

  // Instructions issued after \p op's last ones: what a wait may leave.
  static int64_t youngerThan(const std::vector<Outstanding> &queue,
                             Operation *op) {
    int64_t count = 0;
    for (const Outstanding &entry : llvm::reverse(queue)) {
      if (entry.op == op)
        break;
      count += entry.count;
    }
    return count;
  }

  // What is missing between \p content's access and \p op.
  void explain(InFlightDiagnostic &diag, const Content &content,
               StringRef counter, const std::vector<Outstanding> &queue,
               bool needsBarrier) {
    if (content.progress == Progress::InFlight) {
      diag << "it is still in flight; a wait of " << counter << "("
           << youngerThan(queue, content.by) << ") or less";
      diag << (needsBarrier ? " and then a barrier are missing"
                            : " is missing");
    } else {
      diag << "its wait is there, but a barrier after the wait is missing";
    }
    diag.attachNote(content.by->getLoc()) << "the earlier access is this";
  }

  //===--------------------------------------------------------------------===//
  // Steps
  //===--------------------------------------------------------------------===//

  // What is past the last K tile must arrive as zeros.
  static LogicalResult checkGuard(Operation *op, int64_t ahead, bool guarded) {
    if (op->getParentOfType<DrainOp>())
      return op->emitOpError("is in the drain, where no K tile is left");
    if (ahead > 0 && !guarded)
      return op->emitOpError("of K tile position ")
             << ahead << placeOf(op)
             << " may be past the last K tile and is not guarded";
    return success();
  }

  LogicalResult visit(CopyOp copy) {
    if (failed(checkGuard(copy, copy.getAhead(), copy.getGuarded())))
      return failure();
    SlotStage &stage = state.slots[stageOf(copy.getSlot(), *copy.getStage())];
    auto report = [&] {
      InFlightDiagnostic diag = copy.emitOpError("into slot \"");
      diag << copy.getSlotOp().getName() << "\" stage " << *copy.getStage()
           << placeOf(copy);
      return diag;
    };
    if (stage.read.by && stage.read.progress != Progress::Over) {
      InFlightDiagnostic diag = report();
      diag << " may overwrite what another wave still reads (WAR): the read's "
              "end is not known to all waves: ";
      explain(diag, stage.read, "lgkmcnt", state.lgkmQueue, true);
      return diag;
    }
    if (stage.copy.by && stage.copy.progress == Progress::InFlight) {
      InFlightDiagnostic diag = report();
      diag << " is not ordered after the copy before it (WAW): ";
      explain(diag, stage.copy, "vmcnt", state.vmQueue, false);
      return diag;
    }
    stage.copy = {copy, copy.getAhead(), Progress::InFlight};
    stage.read = {};
    state.vmQueue.push_back({copy, copy.getSlotOp().getCopiesPerWave()});
    return success();
  }

  LogicalResult visit(ReadOp read) {
    SlotStage &stage = state.slots[stageOf(read.getSlotOp(), *read.getStage())];
    auto report = [&] {
      InFlightDiagnostic diag = read.emitOpError("of slot \"");
      diag << read.getSlotOp().getName() << "\" stage " << *read.getStage()
           << placeOf(read);
      return diag;
    };
    if (!stage.copy.by || stage.copy.position != read.getAhead()) {
      InFlightDiagnostic diag = report();
      diag << " wants K tile position " << read.getAhead() << ", but ";
      if (!stage.copy.by)
        return diag << "nothing was copied there";
      diag << "the stage holds position " << stage.copy.position;
      diag.attachNote(stage.copy.by->getLoc()) << "copied by this";
      return diag;
    }
    if (stage.copy.progress != Progress::Over) {
      InFlightDiagnostic diag = report();
      diag << " may come before the copy has landed in all waves (RAW): ";
      explain(diag, stage.copy, "vmcnt", state.vmQueue, true);
      return diag;
    }
    stage.read = {read, read.getAhead(), Progress::InFlight};
    state.fragments[read.getFragment().getAsOpaquePointer()] = {
        read, read.getAhead(), Progress::InFlight};
    state.lgkmQueue.push_back({read, read.getReadsPerWave()});
    return success();
  }

  LogicalResult visit(LoadScalesOp load) {
    if (failed(checkGuard(load, load.getAhead(), load.getGuarded())))
      return failure();
    Content &content =
        state.scales[stageOf(load.getScales(), *load.getStage())];
    if (content.by && content.progress == Progress::InFlight) {
      InFlightDiagnostic diag = load.emitOpError("into stage ");
      diag << *load.getStage() << placeOf(load)
           << " is not ordered after the load before it (WAW): ";
      explain(diag, content, "vmcnt", state.vmQueue, false);
      return diag;
    }
    content = {load, load.getAhead(), Progress::InFlight};
    state.vmQueue.push_back({load, 1});
    return success();
  }

  LogicalResult visit(MmaOp mma) {
    for (Side side : {Side::A, Side::B}) {
      Value fragment = mma.getFragmentOp(side);
      if (failed(checkRegisters(mma, (stringifySide(side) + " fragment").str(),
                                state.fragments[fragment.getAsOpaquePointer()],
                                "lgkmcnt", state.lgkmQueue)))
        return failure();
    }
    for (auto [scale, name] : {std::pair(mma.getScaleA(), "A scales"),
                               std::pair(mma.getScaleB(), "B scales")})
      if (scale && failed(checkRegisters(
                       mma, name, state.scales[stageOf(scale, *mma.getStage())],
                       "vmcnt", state.vmQueue)))
        return failure();
    int64_t &due = state.due[mma.getAccumulator().getAsOpaquePointer()];
    if (mma.getAhead() != due)
      return mma.emitOpError("takes K tile position ")
             << mma.getAhead() << placeOf(mma) << ", but position " << due
             << " is due: each must be taken once, in order";
    ++due;
    return success();
  }

  // Registers must hold the MFMA's K tile, and their access must be waited for.
  LogicalResult checkRegisters(MmaOp mma, std::string what,
                               const Content &content, StringRef counter,
                               const std::vector<Outstanding> &queue) {
    auto report = [&] {
      InFlightDiagnostic diag = mma.emitOpError("uses its ");
      diag << what << placeOf(mma);
      return diag;
    };
    if (!content.by || content.position != mma.getAhead()) {
      InFlightDiagnostic diag = report();
      diag << " for K tile position " << mma.getAhead() << ", but ";
      if (!content.by)
        return diag << "nothing was loaded there";
      diag << "the registers hold position " << content.position;
      diag.attachNote(content.by->getLoc()) << "loaded by this";
      return diag;
    }
    if (content.progress == Progress::InFlight) {
      InFlightDiagnostic diag = report();
      diag << " before they are there: ";
      explain(diag, content, counter, queue, false);
      return diag;
    }
    return success();
  }

  LogicalResult visit(WaitOp wait) {
    if (wait.getVmcnt())
      retire(state.vmQueue, *wait.getVmcnt());
    if (wait.getLgkmcnt())
      retire(state.lgkmQueue, *wait.getLgkmcnt());
    return success();
  }

  // Both counters retire in order: LDS reads and vector memory each do.
  void retire(std::vector<Outstanding> &queue, int64_t left) {
    int64_t total = 0;
    for (const Outstanding &entry : queue)
      total += entry.count;
    while (total > left) {
      Outstanding &oldest = queue.front();
      int64_t count = std::min(oldest.count, total - left);
      oldest.count -= count;
      total -= count;
      if (oldest.count)
        continue;
      Operation *op = oldest.op;
      queue.erase(queue.begin());
      // The loop's body issues the same op again and again: only if no younger
      // instance is in flight does its content count as retired.
      bool again = llvm::any_of(
          queue, [&](const Outstanding &entry) { return entry.op == op; });
      state.forEachContent([&](Content &content) {
        if (content.by == op && content.progress == Progress::InFlight &&
            !again)
          content.progress = Progress::Retired;
      });
    }
  }

  LogicalResult visit(BarrierOp) {
    state.forEachContent([](Content &content) {
      if (content.progress == Progress::Retired)
        content.progress = Progress::Over;
    });
    return success();
  }

  State state;
};

struct VerifySchedule
    : public fly::impl::FlyVerifyScheduleBase<VerifySchedule> {
  void runOnOperation() override {
    if (failed(verify(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }

  static LogicalResult verify(KernelOp kernel) {
    PrologueOp prologue;
    LoopOp loop;
    DrainOp drain;
    for (Operation &op : kernel.getEntryBlock()) {
      if (auto found = dyn_cast<PrologueOp>(op))
        prologue = found;
      else if (auto found = dyn_cast<LoopOp>(op))
        loop = found;
      else if (auto found = dyn_cast<DrainOp>(op))
        drain = found;
    }
    if (!prologue || !loop || !drain)
      return kernel.emitOpError("is not expanded: a prologue, a loop and a "
                                "drain are needed for the proof");
    if (!prologue->isBeforeInBlock(loop) || !loop->isBeforeInBlock(drain))
      return kernel.emitOpError(
          "must have its prologue, loop and drain in this "
          "order");
    Checker checker(kernel);
    if (failed(checker.checkPrologue(prologue.getBody().front())))
      return failure();
    return checker.checkLoop(loop, drain);
  }
};
} // namespace
