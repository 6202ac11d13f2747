//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Inspect/Inspect.h"

#include "Flags.h"

#include "fly/CodeObject/ControlFlow.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace llvm;

namespace fly {

namespace {
using Code = ArrayRef<const Instruction *>;

/// D, A, B, C are operands 0 to 3 of a dense MFMA; a sparse one has no C of its
/// own.
const Operand *accumulatorOf(const Instruction &inst) {
  bool dense = inst.key.starts_with("v_mfma_") && inst.numOperands > 3;
  return dense && inst.operand(3).isReg() ? &inst.operand(3) : nullptr;
}

bool isMoved(const Instruction &inst) {
  const Operand *c = accumulatorOf(inst);
  return c && c->row() != inst.operand(0).row();
}

/// Where waits for everything in flight stand in the middle of the MFMA. In a
/// loop the code goes on at its start.
class DrainCounter {
public:
  DrainCounter(Code code, bool isLoop) : code(code), isLoop(isLoop) {}

  void count(Region &region) const {
    for (size_t i = 0; i != code.size(); ++i) {
      if (code[i]->key != "s_waitcnt")
        continue;
      WaitUse wait = waitOf(*code[i]);
      if (wait.vmcnt == 0u)
        region.fullVmWaits += isBetween(i, /*barrierEnds=*/false);
      if (wait.lgkmcnt == 0u)
        region.fullLgkmWaits += isBetween(i, /*barrierEnds=*/true);
    }
  }

private:
  /// An MFMA comes before and after instruction \p i.
  bool isBetween(size_t i, bool barrierEnds) const {
    return finds(i, size_t(-1), barrierEnds) && finds(i, 1, barrierEnds);
  }
  bool finds(size_t i, size_t step, bool barrierEnds) const {
    for (size_t n = 1; n < code.size(); ++n) {
      size_t at = i + step * n; // wraps around below 0
      if (at >= code.size()) {
        if (!isLoop)
          return false;
        at = step == 1 ? at - code.size() : at + code.size();
      }
      if (code[at]->unit == Unit::Mfma)
        return true;
      if (barrierEnds && code[at]->key == "s_barrier")
        return false;
    }
    return false;
  }

  Code code;
  bool isLoop;
};

/// What K a pass over \p code adds to each accumulator. With a manifest: from
/// the tile. Else, if every MFMA accumulates in place: what the MFMA of one
/// accumulator take together.
std::optional<double> kOf(Code code, const InstructionMix &mix,
                          const KernelReport &report,
                          const Manifest *manifest) {
  if (mix.mfmaFlops() == 0)
    return std::nullopt;
  if (manifest)
    return double(mix.mfmaFlops()) * report.occupancy.wavesPerWorkgroup /
           (2.0 * double(manifest->tileM) * double(manifest->tileN));
  std::set<unsigned> accumulators;
  for (const Instruction *inst : code) {
    if (inst->unit != Unit::Mfma)
      continue;
    if (!accumulatorOf(*inst) || isMoved(*inst))
      return std::nullopt;
    accumulators.insert(inst->operand(0).row());
  }
  uint64_t k = 0;
  for (const MfmaUse &use : mix.mfma)
    k += uint64_t(use.count) * use.k;
  return double(k) / double(accumulators.size());
}

ConflictReport conflictsOf(Code code, const Disassembly &disassembly,
                           const BankConflictObserver &executed) {
  ConflictReport report;
  for (const Instruction *inst : code) {
    auto it = executed.entries().find(inst->address);
    if (it == executed.entries().end())
      continue;
    const BankConflictObserver::Entry &entry = it->second;
    (isLdsWrite(*inst) ? report.writes : report.reads) += entry.cycles;
    if (entry.cycles.cycles > entry.cycles.phases)
      report.conflicting.push_back({inst->address, disassembly.text(*inst),
                                    entry.executions, entry.cycles.factor()});
  }
  return report;
}

Region makeRegion(const TargetInfo &target, Code code, bool isLoop,
                  const Disassembly &disassembly,
                  const InspectOptions &options) {
  Region region;
  region.mix = countInstructions(target, code);
  if (!code.empty()) {
    region.beginAddress = code.front()->address;
    region.endAddress = code.back()->address + code.back()->size;
  }
  for (const Instruction *inst : code) {
    region.bytes += inst->size;
    region.movedAccumulators += isMoved(*inst);
  }
  DrainCounter(code, isLoop).count(region);
  if (options.executed)
    region.conflicts = conflictsOf(code, disassembly, *options.executed);
  return region;
}
} // namespace

KernelReport inspectKernel(const CodeObject &object, const Disassembly &code,
                           const Kernel &kernel,
                           const InspectOptions &options) {
  const TargetInfo &target = object.target();
  KernelReport report;
  report.kernel = kernel.name;
  report.arch = target.name.str();
  report.executed = options.executed != nullptr;
  if (options.manifest)
    report.kStep = double(options.manifest->tileK);

  ControlFlowGraph graph(code, kernel.entryAddress);
  auto pointersTo = [&](ArrayRef<uint32_t> indices) {
    std::vector<const Instruction *> result;
    for (uint32_t i : indices)
      result.push_back(&code.instructions()[i]);
    return result;
  };
  std::vector<uint32_t> all;
  for (const BasicBlock &block : graph.blocks())
    for (uint32_t i = block.begin; i != block.end; ++i)
      all.push_back(i);
  std::vector<const Instruction *> hot = pointersTo(all);
  report.resources = resourcesOf(object, kernel, hot, options);
  report.occupancy = occupancyOf(target, report.resources);
  report.code = makeRegion(target, hot, /*isLoop=*/false, code, options);
  if (const Loop *loop = graph.hotLoop()) {
    hot = pointersTo(graph.instructionsOf(*loop));
    report.hotLoop = makeRegion(target, hot, /*isLoop=*/true, code, options);
  }
  Region &region = report.hotLoop ? *report.hotLoop : report.code;
  region.k = kOf(hot, region.mix, report, options.manifest);
  report.flags = findFlags(report);
  return report;
}

} // namespace fly
