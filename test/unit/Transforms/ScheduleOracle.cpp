//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ScheduleOracle.h"

#include <deque>
#include <map>
#include <set>

using namespace fly;
using mlir::Operation;

namespace {

// A slot, staging or scale registers by their declaring op, and a stage.
using Place = std::pair<Operation *, int64_t>;

struct Event {
  Operation *op;
  int64_t base; ///< K tile position that `ahead` counts from
};

// The ops of a block in order, phases opened.
void flatten(mlir::Block &block, int64_t base, std::vector<Event> &program) {
  for (Operation &op : block) {
    if (auto phase = llvm::dyn_cast<PhaseOp>(op))
      flatten(phase.getBody().front(), base, program);
    else
      program.push_back({&op, base});
  }
}

// What a wave of \p group executes.
std::vector<Event> unroll(KernelOp kernel, int64_t kTiles, int64_t group) {
  std::vector<Event> program;
  int64_t base = 0;
  for (Operation &op : kernel.getEntryBlock()) {
    if (llvm::isa<PrologueOp, DrainOp>(op))
      flatten(op.getRegion(0).front(), base, program);
    if (auto loop = llvm::dyn_cast<LoopOp>(op)) {
      // The drain of a peeled loop is the last iteration.
      int64_t behind = loop.getPeeled() ? loop.getUnroll() : 0;
      for (; base + behind < kTiles; base += loop.getUnroll())
        flatten(loop.getBody().front(), base, program);
    }
  }
  llvm::erase_if(program, [&](const Event &event) {
    auto barrier = llvm::dyn_cast<BarrierOp>(event.op);
    return barrier && barrier.getGroup() && *barrier.getGroup() != group;
  });
  return program;
}

bool isPeeled(KernelOp kernel) {
  return llvm::any_of(kernel.getOps<LoopOp>(),
                      [](LoopOp loop) { return loop.getPeeled(); });
}

bool hasGroups(KernelOp kernel) {
  bool found = false;
  kernel.walk(
      [&](BarrierOp barrier) { found |= barrier.getGroup().has_value(); });
  return found;
}

// An instruction that has been issued: where, and for a read, into what.
struct Access {
  Place place;
  Operation *fragment = nullptr;
  bool isWrite = false;
};

// One wave before one event.
struct Wave {
  std::deque<Access> copies, lds;             ///< in flight, oldest first
  std::map<Place, int64_t> landed;            ///< position in its share
  std::map<Operation *, int64_t> fragments;   ///< position in registers
  std::map<Operation *, int64_t> accumulated; ///< positions taken

  bool isCopying(Place place) const {
    return llvm::any_of(
        copies, [&](const Access &access) { return access.place == place; });
  }
  bool isWriting(Place place) const {
    return llvm::any_of(lds, [&](const Access &access) {
      return access.isWrite && access.place == place;
    });
  }
  bool isLoading(Operation *fragment) const {
    return llvm::any_of(
        lds, [&](const Access &access) { return access.fragment == fragment; });
  }
};

std::string nameOf(Operation *op, int64_t position) {
  return (op->getName().getStringRef() + " of K tile position " +
          llvm::Twine(position))
      .str();
}

// Executes a wave by itself and keeps its state before every event.
class WaveRun {
public:
  WaveRun(const std::vector<Event> &program, int64_t kTiles) : kTiles(kTiles) {
    for (const Event &event : program) {
      before.push_back(wave);
      execute(event);
    }
    before.push_back(wave);
    if (!wave.copies.empty() || !wave.lds.empty())
      fail("accesses in flight at the end");
  }

  std::vector<Wave> before;
  std::string hazard;

private:
  void fail(const std::string &what) {
    if (hazard.empty())
      hazard = what;
  }

  void issueToVmem(Operation *op, Operation *declaration, int64_t position,
                   int64_t stage, bool guarded, int64_t count) {
    Place place(declaration, stage);
    if (wave.isCopying(place) || wave.isWriting(place))
      fail(nameOf(op, position) + " while one before is in flight");
    if (position >= kTiles && !guarded)
      fail(nameOf(op, position) + " past the end without a guard");
    wave.copies.insert(wave.copies.end(), count, Access{place});
    wave.landed[place] = position;
  }

  void execute(const Event &event) {
    Operation *op = event.op;
    if (op->getParentOfType<DrainOp>() &&
        llvm::isa<CopyOp, LoadOp, LoadScalesOp>(op) &&
        !isPeeled(op->getParentOfType<KernelOp>()))
      fail("a copy in the drain");
    if (auto copy = llvm::dyn_cast<CopyOp>(op)) {
      issueToVmem(op, copy.getSlotOp(), event.base + copy.getAhead(),
                  *copy.getStage(), copy.getGuarded(),
                  copy.getSlotOp().getCopiesPerWave());
    } else if (auto load = llvm::dyn_cast<LoadOp>(op)) {
      issueToVmem(op, load.getStagingOp(), event.base + load.getAhead(),
                  *load.getStage(), load.getGuarded(),
                  load.getSlotOp().getCopiesPerWave());
    } else if (auto write = llvm::dyn_cast<WriteOp>(op)) {
      execute(write, event.base + write.getAhead());
    } else if (auto load = llvm::dyn_cast<LoadScalesOp>(op)) {
      issueToVmem(op, load.getScaleFragmentOp(), event.base + load.getAhead(),
                  *load.getStage(), load.getGuarded(), 1);
    } else if (auto read = llvm::dyn_cast<ReadOp>(op)) {
      Access access{{read.getSlotOp(), *read.getStage()}, read.getFragmentOp()};
      wave.lds.insert(wave.lds.end(), read.getReadsPerWave(), access);
      wave.fragments[read.getFragmentOp()] = event.base + read.getAhead();
    } else if (auto mma = llvm::dyn_cast<MmaOp>(op)) {
      execute(mma, event.base + mma.getAhead());
    } else if (auto wait = llvm::dyn_cast<WaitOp>(op)) {
      while (wait.getVmcnt() && int64_t(wave.copies.size()) > *wait.getVmcnt())
        wave.copies.pop_front();
      while (wait.getLgkmcnt() && int64_t(wave.lds.size()) > *wait.getLgkmcnt())
        wave.lds.pop_front();
    }
  }

  // The slot's stage names that of the registers: one divides the other.
  void execute(WriteOp write, int64_t position) {
    StagingOp staging = write.getStagingOp();
    Place from(staging, *write.getStage() % staging.getStages());
    auto found = wave.landed.find(from);
    if (found == wave.landed.end() || found->second != position)
      fail(nameOf(write, position) + " with other registers");
    if (wave.isCopying(from))
      fail(nameOf(write, position) + " before its registers");
    Place to(staging.getSlotOp(), *write.getStage());
    if (wave.isCopying(to))
      fail(nameOf(write, position) + " while a copy is in flight");
    wave.lds.insert(wave.lds.end(), write.getSlotOp().getCopiesPerWave(),
                    Access{to, nullptr, /*isWrite=*/true});
    wave.landed[to] = position;
  }

  void execute(MmaOp mma, int64_t position) {
    for (Side side : {Side::A, Side::B}) {
      FragmentOp fragment = mma.getFragmentOp(side);
      auto found = wave.fragments.find(fragment);
      if (found == wave.fragments.end() || found->second != position)
        fail(nameOf(mma, position) + " with other fragments");
      if (wave.isLoading(fragment))
        fail(nameOf(mma, position) + " before its fragments");
    }
    for (mlir::Value scale : {mma.getScaleA(), mma.getScaleB()}) {
      if (!scale)
        continue;
      Place place(scale.getDefiningOp(), *mma.getStage());
      auto found = wave.landed.find(place);
      if (found == wave.landed.end() || found->second != position)
        fail(nameOf(mma, position) + " with other scales");
      if (wave.isCopying(place))
        fail(nameOf(mma, position) + " before its scales");
    }
    if (wave.accumulated[mma.getAccumulatorOp()]++ != position)
      fail(nameOf(mma, position) + " out of turn");
  }

  int64_t kTiles;
  Wave wave;
};

// Every pair of places where two waves can be at the same time; they may be of
// different groups.
class Interleavings {
public:
  struct Side {
    const std::vector<Event> &program;
    const WaveRun &run;

    bool isBarrier(size_t i) const {
      return i < program.size() && llvm::isa<BarrierOp>(program[i].op);
    }
  };

  Interleavings(Side one, Side other) : one(one), other(other) {}

  std::string explore() {
    std::vector<std::pair<size_t, size_t>> open = {{0, 0}};
    std::set<std::pair<size_t, size_t>> seen(open.begin(), open.end());
    while (!open.empty()) {
      auto [i, j] = open.back();
      open.pop_back();
      for (std::string hazard :
           {check(one, i, other, j), check(other, j, one, i), stuck(i, j)})
        if (!hazard.empty())
          return hazard;
      std::vector<std::pair<size_t, size_t>> next;
      if (one.isBarrier(i) && other.isBarrier(j))
        next.push_back({i + 1, j + 1});
      if (i < one.program.size() && !one.isBarrier(i))
        next.push_back({i + 1, j});
      if (j < other.program.size() && !other.isBarrier(j))
        next.push_back({i, j + 1});
      for (auto pair : next)
        if (seen.insert(pair).second)
          open.push_back(pair);
    }
    return "";
  }

private:
  std::string stuck(size_t i, size_t j) const {
    bool oneEnded = i == one.program.size(),
         otherEnded = j == other.program.size();
    if ((one.isBarrier(i) && otherEnded) || (other.isBarrier(j) && oneEnded))
      return "a barrier that not all waves meet";
    return "";
  }

  // A wave at event i, another at event j.
  static std::string check(Side write, size_t i, Side read, size_t j) {
    const Wave &writer = write.run.before[i], &reader = read.run.before[j];
    for (const Access &access : reader.lds)
      if (!access.isWrite && isFilling(writer, access.place))
        return "a copy lands while another wave reads";
    if (j == read.program.size())
      return "";
    auto step = llvm::dyn_cast<ReadOp>(read.program[j].op);
    if (!step)
      return "";
    Place place(step.getSlotOp(), *step.getStage());
    int64_t position = read.program[j].base + step.getAhead();
    std::string what = nameOf(step, position) + " of slot \"" +
                       step.getSlotOp().getName().str() + "\"";
    auto found = writer.landed.find(place);
    if (found == writer.landed.end() || found->second != position)
      return what + " of another K tile";
    if (isFilling(writer, place))
      return what + " before its copy has landed";
    return "";
  }

  static bool isFilling(const Wave &wave, Place place) {
    return wave.isCopying(place) || wave.isWriting(place);
  }

  Side one, other;
};

// A K tile that an accumulator has not taken when a wave ends.
std::string findLeftOut(KernelOp kernel, const Wave &end, int64_t kTiles) {
  for (auto accumulator : kernel.getOps<AccumulatorOp>()) {
    auto found = end.accumulated.find(accumulator);
    if (found == end.accumulated.end() || found->second < kTiles)
      return "a K tile is left out";
  }
  return "";
}

} // namespace

std::string findHazard(KernelOp kernel, int64_t kTiles) {
  int64_t groups = hasGroups(kernel) ? 2 : 1;
  std::vector<std::vector<Event>> programs;
  std::vector<WaveRun> runs;
  for (int64_t group = 0; group < groups; ++group) {
    programs.push_back(unroll(kernel, kTiles, group));
    runs.emplace_back(programs.back(), kTiles);
    if (!runs.back().hazard.empty())
      return runs.back().hazard;
    std::string left = findLeftOut(kernel, runs.back().before.back(), kTiles);
    if (!left.empty())
      return left;
  }
  for (int64_t g = 0; g < groups; ++g)
    for (int64_t h = g; h < groups; ++h) {
      std::string hazard =
          Interleavings({programs[g], runs[g]}, {programs[h], runs[h]})
              .explore();
      if (!hazard.empty())
        return hazard;
    }
  return "";
}
