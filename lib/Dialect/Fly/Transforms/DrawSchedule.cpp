//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A picture of a planned schedule. Time runs from barrier to barrier: column n
/// is what lies between the n-th barrier that a wave meets and the next. Above,
/// what each wave group does; below, what each stage of each slot holds.

#include "fly/Dialect/Fly/Transforms/Passes.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ToolOutputFile.h"

#include <map>

namespace fly {
#define GEN_PASS_DEF_FLYDRAWSCHEDULE
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {

// Steps of one group between two barriers.
struct Cell {
  std::vector<std::string> lines;
  bool computes = false;
};

// A K tile's part in one stage of a slot: columns are those of the group that
// is first to copy or write, last to see it landed.
struct Residence {
  size_t issued = ~size_t(0), landed = 0;
  std::vector<std::pair<size_t, size_t>> reads; ///< from issue to retirement
};
using SlotStage = std::pair<unsigned, int64_t>; // number of the slot, stage

struct Timeline {
  std::vector<std::vector<Cell>> groups;
  std::map<SlotStage, std::map<int64_t, Residence>> slots; ///< by position
  std::vector<std::string> slotNames;
  size_t columns = 0;
};

// Executes the kernel for a few K tiles, one group after the other.
class Run {
public:
  Run(KernelOp kernel, LoopOp loop, int64_t kTiles)
      : kernel(kernel), loop(loop), kTiles(kTiles) {}

  Timeline make() {
    for (auto slot : kernel.getOps<SlotOp>()) {
      numbers[slot] = timeline.slotNames.size();
      timeline.slotNames.push_back(slot.getName().str());
    }
    int64_t groups = 1;
    kernel.walk([&](BarrierOp op) { groups = op.getGroup() ? 2 : groups; });
    for (group = 0; group < groups; ++group)
      runGroup();
    for (auto &cells : timeline.groups)
      timeline.columns = std::max(timeline.columns, cells.size());
    return std::move(timeline);
  }

private:
  enum class AccessKind { Fill, Read, ToRegisters };
  struct Access {
    AccessKind kind;
    int64_t count;
    SlotStage stage;
    int64_t position;
    size_t column;
  };

  void runGroup() {
    timeline.groups.emplace_back(1);
    vmem.clear();
    lds.clear();
    int64_t base = 0;
    for (Operation &op : kernel.getEntryBlock()) {
      if (&op != loop) {
        if (isa<PrologueOp, DrainOp>(op))
          runBlock(op.getRegion(0).front(), base);
        continue;
      }
      int64_t behind = loop.getPeeled() ? loop.getUnroll() : 0;
      for (; base + behind < kTiles; base += loop.getUnroll())
        runBlock(loop.getBody().front(), base);
    }
  }

  void runBlock(Block &block, int64_t base) {
    for (Operation &op : block)
      if (auto phase = dyn_cast<PhaseOp>(op))
        runBlock(phase.getBody().front(), base);
      else
        runStep(&op, base);
  }

  size_t column() { return timeline.groups.back().size() - 1; }
  template <typename... Ts> void say(const char *format, Ts &&...values) {
    timeline.groups.back().back().lines.push_back(
        llvm::formatv(format, std::forward<Ts>(values)...));
  }

  void runStep(Operation *op, int64_t base) {
    if (auto barrier = dyn_cast<BarrierOp>(op)) {
      if (!barrier.getGroup() || *barrier.getGroup() == group)
        timeline.groups.back().emplace_back();
    } else if (auto wait = dyn_cast<WaitOp>(op)) {
      runWait(wait);
    } else if (auto copy = dyn_cast<CopyOp>(op)) {
      fill("copy", copy.getSlotOp(), *copy.getStage(), base + copy.getAhead(),
           vmem);
    } else if (auto write = dyn_cast<WriteOp>(op)) {
      fill("write", write.getSlotOp(), *write.getStage(),
           base + write.getAhead(), lds);
    } else if (auto load = dyn_cast<LoadOp>(op)) {
      say("load {0} {1}", load.getSlotOp().getName(), base + load.getAhead());
      vmem.push_back({AccessKind::ToRegisters,
                      load.getSlotOp().getCopiesPerWave(),
                      {},
                      0,
                      column()});
    } else if (auto read = dyn_cast<ReadOp>(op)) {
      SlotStage stage(numbers[read.getSlotOp()], *read.getStage());
      int64_t position = base + read.getAhead();
      say("read {0} {1}", read.getSlotOp().getName(), position);
      lds.push_back({AccessKind::Read, read.getReadsPerWave(), stage, position,
                     column()});
    } else if (auto load = dyn_cast<LoadScalesOp>(op)) {
      say("load scales {0} {1}",
          stringifySide(load.getScaleFragmentOp().getSide()),
          base + load.getAhead());
      vmem.push_back({AccessKind::ToRegisters, 1, {}, 0, column()});
    } else if (auto mma = dyn_cast<MmaOp>(op)) {
      timeline.groups.back().back().computes = true;
      say("{0} * {1} {2}", mma.getFragmentOp(Side::A).getSlotOp().getName(),
          mma.getFragmentOp(Side::B).getSlotOp().getName(),
          base + mma.getAhead());
    }
  }

  void runWait(WaitOp wait) {
    std::string text = "wait";
    if (wait.getVmcnt())
      text += " vm " + std::to_string(*wait.getVmcnt());
    if (wait.getLgkmcnt())
      text += " lgkm " + std::to_string(*wait.getLgkmcnt());
    say("{0}", text);
    retire(vmem, wait.getVmcnt());
    retire(lds, wait.getLgkmcnt());
  }

  void fill(StringRef verb, SlotOp slot, int64_t stageNumber, int64_t position,
            std::vector<Access> &queue) {
    SlotStage stage(numbers[slot], stageNumber);
    say("{0} {1} {2}", verb, slot.getName(), position);
    Residence &residence = timeline.slots[stage][position];
    residence.issued = std::min(residence.issued, column());
    queue.push_back(
        {AccessKind::Fill, slot.getCopiesPerWave(), stage, position, column()});
  }

  void finish(const Access &access) {
    if (access.kind == AccessKind::ToRegisters)
      return;
    Residence &residence = timeline.slots[access.stage][access.position];
    if (access.kind == AccessKind::Fill)
      residence.landed = std::max(residence.landed, column());
    else
      residence.reads.push_back({access.column, column()});
  }

  void retire(std::vector<Access> &queue, std::optional<int64_t> left) {
    int64_t total = 0;
    for (const Access &access : queue)
      total += access.count;
    while (left && total > *left) {
      int64_t count = std::min(queue.front().count, total - *left);
      queue.front().count -= count;
      total -= count;
      if (queue.front().count)
        continue;
      finish(queue.front());
      queue.erase(queue.begin());
    }
  }

  KernelOp kernel;
  LoopOp loop;
  int64_t kTiles;
  int64_t group = 0;
  llvm::DenseMap<Operation *, unsigned> numbers;
  std::vector<Access> vmem, lds; ///< in flight, oldest first
  Timeline timeline;
};

// Sizes in pixels.
class Picture {
public:
  Picture(const Timeline &timeline, llvm::raw_ostream &os)
      : timeline(timeline), os(os) {
    for (auto &cells : timeline.groups)
      for (const Cell &cell : cells)
        cellHeight = std::max<int>(cellHeight, 12 * cell.lines.size() + 8);
  }

  void draw(StringRef title) {
    int groupsHeight = timeline.groups.size() * (cellHeight + gap);
    int width = left + timeline.columns * column + gap;
    int height = top + groupsHeight + gap + timeline.slots.size() * row + 44;
    os << llvm::formatv(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"10\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        width, height);
    text(gap, 16, title);
    for (size_t i = 0; i <= timeline.columns; ++i)
      os << llvm::formatv("<path d=\"M{0} {1}V{2}\" stroke=\"#ccc\"/>\n", x(i),
                          top, height - 44);
    for (auto [i, cells] : llvm::enumerate(timeline.groups))
      drawGroup(i, cells);
    int y = top + groupsHeight + gap;
    for (auto &[stage, positions] : timeline.slots) {
      drawSlot(y, stage, positions);
      y += row;
    }
    drawLegend(y + 14);
    os << "</svg>\n";
  }

private:
  static constexpr int left = 90, top = 28, column = 118, row = 18, gap = 8;

  static int x(size_t columnIndex) { return left + int(columnIndex) * column; }

  void text(int x, int y, StringRef value) {
    os << "<text x=\"" << x << "\" y=\"" << y << "\">";
    for (char c : value)
      c == '<'   ? os << "&lt;"
      : c == '>' ? os << "&gt;"
      : c == '&' ? os << "&amp;"
                 : os << c;
    os << "</text>\n";
  }

  void box(int x, int y, int width, int height, StringRef colour) {
    os << llvm::formatv("<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" "
                        "height=\"{3}\" rx=\"2\" fill=\"{4}\"/>\n",
                        x, y, width, height, colour);
  }

  void drawGroup(size_t group, const std::vector<Cell> &cells) {
    int y = top + int(group) * (cellHeight + gap);
    text(gap, y + 14,
         timeline.groups.size() == 1 ? "every wave"
                                     : "wave group " + std::to_string(group));
    for (auto [i, cell] : llvm::enumerate(cells)) {
      if (cell.lines.empty())
        continue;
      box(x(i) + 2, y, column - 4, cellHeight,
          cell.computes ? "#f6c28b" : "#bcd6f0");
      for (auto [line, value] : llvm::enumerate(cell.lines))
        text(x(i) + 6, y + 13 + 12 * int(line), value);
    }
  }

  void drawSlot(int y, SlotStage stage,
                const std::map<int64_t, Residence> &positions) {
    text(gap, y + 12,
         timeline.slotNames[stage.first] + " " + std::to_string(stage.second));
    for (auto it = positions.begin(); it != positions.end(); ++it) {
      const Residence &residence = it->second;
      auto next = std::next(it);
      size_t end =
          next == positions.end() ? timeline.columns : next->second.issued;
      size_t landed = std::max(residence.landed + 1, residence.issued + 1);
      bar(y, residence.issued, std::min(landed, end), "#f3e3a0");
      bar(y, std::min(landed, end), end, "#cfe8cf");
      for (auto [from, to] : residence.reads)
        bar(y, from, to + 1, "#5fa85f");
      text(x(residence.issued) + 4, y + 12, std::to_string(it->first));
    }
  }

  void bar(int y, size_t from, size_t to, StringRef colour) {
    if (from < to)
      box(x(from) + 1, y + 1, int(to - from) * column - 2, row - 3, colour);
  }

  void drawLegend(int y) {
    int at = left;
    for (auto [colour, meaning] :
         {std::pair("#f3e3a0", "copy, write in flight"),
          std::pair("#cfe8cf", "landed in all waves"),
          std::pair("#5fa85f", "read in flight"),
          std::pair("#bcd6f0", "memory"), std::pair("#f6c28b", "MFMA")}) {
      box(at, y, 14, 12, colour);
      text(at + 18, y + 10, meaning);
      at += 140;
    }
    text(at, y + 10, "Numbers are K tile positions; lines are barriers.");
  }

  const Timeline &timeline;
  llvm::raw_ostream &os;
  int cellHeight = 20;
};

struct DrawSchedule : public fly::impl::FlyDrawScheduleBase<DrawSchedule> {
  using Base::Base;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    auto loops = kernel.getOps<LoopOp>();
    if (loops.empty()) {
      kernel.emitOpError("is not expanded: there is no loop to draw");
      return signalPassFailure();
    }
    if (kTiles < 1 || kTiles > 64) {
      kernel.emitOpError("can be drawn for 1 to 64 K tiles, got ")
          << kTiles.getValue();
      return signalPassFailure();
    }
    std::error_code error;
    llvm::ToolOutputFile file(output, error, llvm::sys::fs::OF_Text);
    if (error) {
      kernel.emitOpError("cannot be drawn to '")
          << output << "': " << error.message();
      return signalPassFailure();
    }
    Timeline timeline = Run(kernel, *loops.begin(), kTiles).make();
    std::string title = kernel.getSymName().str();
    if (VariantAttr variant = kernel.getVariantAttr())
      title += ", variant " + variant.getName().str() + ", schedule " +
               variant.getSchedule().str();
    Picture(timeline, file.os()).draw(title);
    file.keep();
    markAllAnalysesPreserved();
  }
};
} // namespace
