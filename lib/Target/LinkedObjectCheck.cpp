//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/CodeObject/CodeObject.h"
#include "fly/Target/SchedulePlan.h"

#include "LinkedEvents.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <array>
#include <numeric>

using namespace llvm;

namespace fly {
namespace {

/// Instructions of each kind, and the order of those that one counter counts.
struct Counts {
  using ByKind = std::array<unsigned, numPlanEventKinds>;
  ByKind of = {};
  std::vector<PlanEventKind> vmOrder, lgkmOrder;
  std::vector<ByKind> groups;      ///< of a plan, each closed by a boundary
  ByKind open = {};                ///< of a plan, behind the last boundary
  std::vector<LinkedEvent> events; ///< of an object, in order

  unsigned &operator[](unsigned kind) { return of[kind]; }
  unsigned operator[](unsigned kind) const { return of[kind]; }
  bool empty() const { return of == Counts().of; }
  void add(PlanEventKind kind, unsigned count) {
    of[unsigned(kind)] += count;
    open[unsigned(kind)] += count;
    if (kind == PlanEventKind::DirectCopy ||
        kind == PlanEventKind::RegisterLoad)
      vmOrder.insert(vmOrder.end(), count, kind);
    if (kind == PlanEventKind::FragmentRead || kind == PlanEventKind::LdsWrite)
      lgkmOrder.insert(lgkmOrder.end(), count, kind);
  }
  void closeGroup() {
    groups.push_back(open);
    open = {};
  }
  void add(const Counts &other) {
    of = sum(of, other.of);
    append_range(vmOrder, other.vmOrder);
    append_range(lgkmOrder, other.lgkmOrder);
    append_range(events, other.events);
    for (const ByKind &group : other.groups) {
      open = sum(open, group);
      closeGroup();
    }
    open = sum(open, other.open);
  }
  static ByKind sum(ByKind a, const ByKind &b) {
    for (auto [count, more] : zip(a, b))
      count += more;
    return a;
  }
};

/// Waits and barriers of one part, and what stands between them: counts[i] and
/// begins[i] are of the interval before syncs[i], the last of that after all.
struct Sequence {
  std::vector<PlanEvent> syncs;
  std::vector<const Instruction *> at; ///< of each sync; null in a plan
  std::vector<Counts> counts = {Counts()};
  const Instruction *end = nullptr; ///< last instruction of the part

  void add(const PlanEvent &event, const Instruction *instruction) {
    end = instruction;
    if (event.kind == PlanEventKind::Boundary) {
      counts.back().closeGroup();
      return;
    }
    if (!event.isSync()) {
      counts.back().add(event.kind, event.count);
      if (instruction)
        counts.back().events.push_back({event, instruction});
      return;
    }
    syncs.push_back(event);
    at.push_back(instruction);
    counts.emplace_back();
  }
};

bool isSame(const PlanEvent &a, const PlanEvent &b) {
  return a.kind == b.kind && a.vmcnt == b.vmcnt && a.lgkmcnt == b.lgkmcnt &&
         a.ofGroup == b.ofGroup;
}

std::optional<unsigned> smaller(std::optional<unsigned> a,
                                std::optional<unsigned> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

/// Waits of a plan with nothing between them are one s_waitcnt.
Sequence ofPlan(ArrayRef<PlanEvent> events) {
  Sequence result;
  for (const PlanEvent &event : events) {
    bool afterWait = !result.syncs.empty() &&
                     result.syncs.back().kind == PlanEventKind::Wait &&
                     result.counts.back().empty();
    if (event.kind == PlanEventKind::Wait && afterWait) {
      PlanEvent &last = result.syncs.back();
      last.vmcnt = smaller(last.vmcnt, event.vmcnt);
      last.lgkmcnt = smaller(last.lgkmcnt, event.lgkmcnt);
      continue;
    }
    result.add(event, nullptr);
  }
  return result;
}

Sequence ofObject(ArrayRef<LinkedEvent> events) {
  Sequence result;
  for (const LinkedEvent &event : events)
    result.add(event.event, event.instruction);
  return result;
}

/// One step of an alignment: a planned and a linked sync, or one of them alone
/// (the other is -1).
struct Pair {
  int planned, linked;
};

/// Aligns the syncs of both sides with the fewest missing, added and changed
/// ones, so that one fault is reported as one.
std::vector<Pair> align(const Sequence &plan, const Sequence &object) {
  int n = int(plan.syncs.size()), m = int(object.syncs.size());
  // Two for a missing or an added one, three for a changed wait: a change is
  // cheaper than a removal and an addition.
  std::vector<std::vector<int>> cost(n + 1, std::vector<int>(m + 1));
  auto change = [&](int i, int j) {
    const PlanEvent &p = plan.syncs[i], &o = object.syncs[j];
    return isSame(p, o) ? 0 : p.kind == o.kind ? 3 : 5;
  };
  for (int i = n; i >= 0; --i)
    for (int j = m; j >= 0; --j) {
      if (i == n || j == m) {
        cost[i][j] = 2 * (n - i + m - j);
        continue;
      }
      cost[i][j] = std::min({cost[i + 1][j + 1] + change(i, j),
                             cost[i + 1][j] + 2, cost[i][j + 1] + 2});
    }
  std::vector<Pair> pairs;
  for (int i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && cost[i][j] == cost[i + 1][j + 1] + change(i, j))
      pairs.push_back({i++, j++});
    else if (i < n && cost[i][j] == cost[i + 1][j] + 2)
      pairs.push_back({i++, -1});
    else
      pairs.push_back({-1, j++});
  }
  return pairs;
}

class PartComparison {
public:
  PartComparison(StringRef part, ArrayRef<PlanEvent> plan,
                 ArrayRef<LinkedEvent> object, Violations &violations)
      : part(part), plan(ofPlan(plan)), object(ofObject(object)),
        violations(violations) {}

  void run() {
    Counts planned = {}, linked = {};
    int p = 0, o = 0;
    for (Pair pair : align(plan, object)) {
      if (pair.planned >= 0)
        planned.add(plan.counts[p++]);
      if (pair.linked >= 0)
        linked.add(object.counts[o++]);
      report(pair, o);
      if (pair.planned < 0 || pair.linked < 0)
        continue;
      compare(planned, linked, object.at[pair.linked]);
      planned = linked = {};
    }
    planned.add(plan.counts.back());
    linked.add(object.counts.back());
    compare(planned, linked, nullptr);
  }

private:
  std::string before(const Instruction *instruction) const {
    return instruction ? "before " + violations.at(*instruction)
                       : "at the end of the part";
  }

  void report(Pair pair, int next) {
    if (pair.linked < 0) {
      const Instruction *follower =
          next < int(object.at.size()) ? object.at[next] : nullptr;
      violations.add(part + ": planned " + describe(plan.syncs[pair.planned]) +
                     " is missing " + before(follower));
      return;
    }
    std::string at = violations.at(*object.at[pair.linked]);
    if (pair.planned < 0)
      violations.add(part + ": " + at + " is not planned");
    else if (!isSame(plan.syncs[pair.planned], object.syncs[pair.linked]))
      violations.add(part + ": " + at + ", planned " +
                     describe(plan.syncs[pair.planned]));
  }

  void compare(const Counts &planned, const Counts &linked,
               const Instruction *follower) {
    for (unsigned kind = 0; kind < numPlanEventKinds; ++kind)
      if (planned[kind] != linked[kind])
        violations.add(
            part + ": " + Twine(linked[kind]) + " " +
            describe(PlanEventKind(kind)) + " stand " + before(follower) +
            ", planned " +
            describe(PlanEvent::counted(PlanEventKind(kind), planned[kind])));
    if (planned.of != linked.of)
      return;
    if (planned.lgkmOrder != linked.lgkmOrder)
      violations.add(part +
                     ": LDS reads and writes stand in another order than "
                     "planned " +
                     before(follower));
    if (planned.vmOrder != linked.vmOrder)
      violations.add(part +
                     ": copies and loads stand in another order than "
                     "planned " +
                     before(follower));
    compareGroups(planned, linked);
  }

  /// The counts of both are the same.
  void compareGroups(const Counts &planned, const Counts &linked) {
    auto next = linked.events.begin();
    for (Counts::ByKind group : planned.groups)
      for (unsigned left = std::accumulate(group.begin(), group.end(), 0u);
           left > 0; --left, ++next) {
        unsigned &ofKind = group[unsigned(next->event.kind)];
        if (ofKind == 0) {
          violations.add(part + ": " + violations.at(*next->instruction) +
                         " stands in another group than planned");
          return;
        }
        --ofKind;
      }
  }

  StringRef part;
  Sequence plan, object;
  Violations &violations;
};

/// What follows the drain is the epilogue: its waits and its loads and stores
/// of global memory are its own, but nothing of the pipeline may have sunk
/// there.
void splitEpilogue(ArrayRef<PlanEvent> plan, std::vector<LinkedEvent> &drain,
                   Violations &violations) {
  size_t syncs = ofPlan(plan).syncs.size();
  Counts rest = ofPlan(plan).counts.back();
  auto isPlanned = [&](const PlanEvent &event) {
    if (syncs > 0) {
      syncs -= event.isSync();
      return true;
    }
    // Behind the last planned wait or barrier another one is the epilogue's
    // once all planned work is done.
    if (event.isSync())
      return !rest.empty();
    unsigned &left = rest[unsigned(event.kind)];
    return left > 0 && left-- > 0;
  };
  std::vector<LinkedEvent> kept;
  for (const LinkedEvent &event : drain) {
    if (isPlanned(event.event)) {
      kept.push_back(event);
      continue;
    }
    PlanEventKind kind = event.event.kind;
    if (kind == PlanEventKind::Mfma || kind == PlanEventKind::DirectCopy ||
        kind == PlanEventKind::FragmentRead || kind == PlanEventKind::LdsWrite)
      violations.add("drain: " + violations.at(*event.instruction) +
                     " stands after its planned end");
  }
  drain = std::move(kept);
}

bool overlaps(const Operand &a, const Operand &b) {
  return a.isReg() && b.isReg() && a.file == b.file &&
         a.index < b.index + b.dwords && b.index < a.index + a.dwords;
}

bool isMove(StringRef key) {
  return key.starts_with("v_mov_b") || key == "v_pk_mov_b32";
}

/// Facts of the hot loop that no count shows.
void checkHotLoop(const LinkedPipeline &pipeline, const SchedulePlan &plan,
                  Violations &violations) {
  std::vector<Operand> accumulators;
  for (const Instruction *inst : pipeline.loopInstructions)
    if (inst->unit == Unit::Mfma)
      accumulators.push_back(inst->operand(0));
  bool drains = any_of(plan.loop, [](const PlanEvent &event) {
    return event.vmcnt && *event.vmcnt == 0;
  });
  auto report = [&](const Instruction &inst, const char *what) {
    violations.add("loop: " + violations.at(inst) + what);
  };
  for (const Instruction *inst : pipeline.loopInstructions) {
    if (inst->key.starts_with("scratch_"))
      report(*inst, " accesses scratch");
    if (inst->key.starts_with("v_accvgpr_"))
      report(*inst, " moves an accumulator");
    if (isMove(inst->key) && any_of(accumulators, [&](const Operand &operand) {
          return any_of(inst->operands(), [&](const Operand &moved) {
            return overlaps(moved, operand);
          });
        }))
      report(*inst, " moves an accumulator");
    if (inst->unit == Unit::Mfma) {
      const Operand &d = inst->operand(0), &c = inst->operand(3);
      if (!c.isReg() || c.file != d.file || c.index != d.index)
        report(*inst, " does not add to its own registers");
    }
    std::optional<PlanEvent> event = classify(*inst);
    if (event && event->vmcnt && *event->vmcnt == 0 && !drains)
      report(*inst, " is a full drain");
  }
}

/// No plan waits for exports.
void checkExportWaits(ArrayRef<LinkedEvent> events, Violations &violations) {
  for (const LinkedEvent &event : events)
    if (event.event.kind == PlanEventKind::Wait &&
        WaitCount::decode(uint16_t(event.instruction->operand(0).imm)).exp !=
            WaitCount().exp)
      violations.add(violations.at(*event.instruction) +
                     " waits for exports, which no plan does");
}

void compare(LinkedPipeline &pipeline, const SchedulePlan &plan,
             Violations &violations) {
  splitEpilogue(plan.drain, pipeline.drain, violations);
  for (const auto *events :
       {&pipeline.prologue, &pipeline.loop, &pipeline.drain})
    checkExportWaits(*events, violations);
  PartComparison("prologue", plan.prologue, pipeline.prologue, violations)
      .run();
  PartComparison("loop", plan.loop, pipeline.loop, violations).run();
  PartComparison("drain", plan.drain, pipeline.drain, violations).run();
  checkHotLoop(pipeline, plan, violations);
}

} // namespace

Error checkLinkedObject(ArrayRef<char> object, StringRef kernel,
                        const SchedulePlan &plan) {
  auto parsed = CodeObject::parse(ArrayRef(
      reinterpret_cast<const uint8_t *>(object.data()), object.size()));
  if (!parsed)
    return parsed.takeError();
  auto found = parsed->findKernel(kernel);
  if (!found)
    return found.takeError();
  auto code = parsed->disassemble();
  if (!code)
    return code.takeError();
  Violations violations(*code);
  LinkedPipeline pipeline =
      findPipeline(*code, found->entryAddress, plan, violations);
  if (!pipeline.prologue.empty() || !pipeline.loop.empty())
    compare(pipeline, plan, violations);
  if (violations.empty())
    return Error::success();
  return createStringError("the linked code of kernel '" + kernel +
                           "' is not what its schedule planned:\n  " +
                           join(violations.all(), "\n  "));
}

} // namespace fly
