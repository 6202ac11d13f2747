//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The table for people.

#include "fly/Inspect/Inspect.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {

static void row(raw_ostream &os, StringRef name, const Twine &text) {
  os << "  " << left_justify(name, 15) << text << "\n";
}

/// A kind of instruction: its number and, after it, the details.
static void countRow(raw_ostream &os, StringRef name, unsigned count,
                     StringRef details = "") {
  std::string number = details.empty()
                           ? std::to_string(count)
                           : formatv("{0,-6}{1}", count, details).str();
  row(os, name, number);
}

static std::string namesAndCounts(const NameCounts &counts) {
  std::vector<std::string> parts;
  for (const auto &[name, count] : counts)
    parts.push_back(name + " " + std::to_string(count));
  return join(parts, ", ");
}

static void namesRow(raw_ostream &os, StringRef name,
                     const NameCounts &counts) {
  if (!counts.empty())
    countRow(os, name, totalOf(counts), namesAndCounts(counts));
}

static void printResources(const KernelReport &report, raw_ostream &os) {
  const Resources &r = report.resources;
  row(os, "registers",
      formatv("{0} VGPR, {1} AGPR (from {2} on), {3} SGPR; {4} of a SIMD's "
              "registers",
              r.vgprs, r.agprs, r.accumOffset, r.sgprs, r.allocatedRegisters));
  row(os, "spills", formatv("{0} VGPR, {1} SGPR", r.vgprSpills, r.sgprSpills));
  row(os, "LDS",
      formatv("{0} bytes, {1} allocated", r.ldsBytes, r.allocatedLdsBytes));
  row(os, "scratch", formatv("{0} bytes a lane", r.scratchBytes));
  row(os, "kernarg", formatv("{0} bytes", r.kernargBytes));
  const Occupancy &o = report.occupancy;
  if (r.workgroupSize == 0)
    row(os, "workgroup", "unknown size; one wave is taken below");
  else
    row(os, "workgroup",
        formatv("{0} threads ({1}), {2} waves", r.workgroupSize,
                r.workgroupSizeFrom, o.wavesPerWorkgroup));
  row(os, "occupancy",
      formatv("{0} waves a SIMD, {1} workgroups a CU; limited by {2}",
              o.wavesPerSimd, o.workgroupsPerCu, join(o.limitedBy, ", ")));
  row(os, "code",
      formatv("{0} bytes, {1} instructions", report.code.bytes,
              report.code.mix.total));
}

static void printMfma(const InstructionMix &mix, raw_ostream &os) {
  std::vector<std::string> parts;
  for (const MfmaUse &use : mix.mfma)
    parts.push_back(use.cycles ? formatv("{0} {1} ({2} cycles)", use.name,
                                         use.count, *use.cycles)
                                     .str()
                               : formatv("{0} {1}", use.name, use.count).str());
  countRow(os, "MFMA", mix.mfmaCount(), join(parts, ", "));
}

static void printWaits(const InstructionMix &mix, raw_ostream &os) {
  std::vector<std::string> parts;
  for (const WaitUse &use : mix.waits) {
    std::string text;
    if (use.vmcnt)
      text += formatv("vmcnt({0}) ", *use.vmcnt).str();
    if (use.expcnt)
      text += formatv("expcnt({0}) ", *use.expcnt).str();
    if (use.lgkmcnt)
      text += formatv("lgkmcnt({0}) ", *use.lgkmcnt).str();
    parts.push_back(text + std::to_string(use.count));
  }
  countRow(os, "waits", mix.waitCount(), join(parts, ", "));
}

static void printMix(const InstructionMix &mix, raw_ostream &os) {
  printMfma(mix, os);
  namesRow(os, "LDS reads", mix.ldsReads);
  namesRow(os, "LDS writes", mix.ldsWrites);
  namesRow(os, "LDS other", mix.ldsOther);
  if (!mix.directCopies.empty()) {
    std::vector<std::string> parts;
    for (auto [bytes, count] : mix.directCopies)
      parts.push_back(formatv("{0} bytes a lane {1}", bytes, count));
    countRow(os, "direct copies", mix.directCopyCount(), join(parts, ", "));
  }
  namesRow(os, "loads", mix.loads);
  namesRow(os, "stores", mix.stores);
  namesRow(os, "atomics", mix.atomics);
  namesRow(os, "scratch", mix.scratch);
  if (mix.scalarMemory)
    countRow(os, "scalar memory", mix.scalarMemory);
  countRow(os, "SALU", mix.salu);
  countRow(os, "VALU", mix.valu);
  countRow(os, "v_accvgpr", mix.accumulatorMoves);
  countRow(os, "s_nop", mix.nops);
  printWaits(mix, os);
  countRow(os, "barriers", mix.barriers);
  countRow(os, "s_setprio", mix.priorities);
  countRow(os, "branches", mix.branches);
  namesRow(os, "other", mix.other);
}

static std::string factorText(const BankCycles &cycles) {
  return cycles.phases ? formatv("{0:f2}", cycles.factor()).str() : "none";
}

static void printConflicts(const Region &region, raw_ostream &os) {
  if (!region.conflicts) {
    row(os, "bank conflicts", "not executed");
    return;
  }
  row(os, "bank conflicts",
      formatv("reads {0}, writes {1} (cycles over those without a conflict)",
              factorText(region.conflicts->reads),
              factorText(region.conflicts->writes)));
  for (const auto &inst : region.conflicts->conflicting)
    row(os, "",
        formatv("{0:f2} at {1:x} {2}, {3} times", inst.factor, inst.address,
                inst.text, inst.executions));
}

static void printRates(const Region &region, const KernelReport &report,
                       raw_ostream &os) {
  uint64_t flops = region.mix.mfmaFlops();
  if (flops == 0)
    return;
  std::optional<uint64_t> cycles = region.mix.mfmaCycles();
  std::string text = cycles ? formatv("{0} a wave", *cycles).str() : "unknown";
  if (cycles && region.k) {
    double step = report.kStep ? report.kStep : *region.k;
    text += formatv(" for K = {0}", *region.k).str();
    if (step != *region.k)
      text += formatv("; {0} for a K step of {1}",
                      double(*cycles) * step / *region.k, step)
                  .str();
  }
  row(os, "MFMA cycles", text);
  row(os, "from memory",
      formatv("{0} bytes a wave, {1:f5} bytes a FLOP",
              region.mix.bytesFromMemory(),
              double(region.mix.bytesFromMemory()) / double(flops)));
}

void printReport(const KernelReport &report, raw_ostream &os) {
  os << report.kernel << " (" << report.arch << ")\n";
  printResources(report, os);
  const Region &region = report.hotRegion();
  if (report.hotLoop)
    os << formatv("hot loop {0:x} to {1:x}, {2} bytes, {3} instructions a "
                  "pass\n",
                  region.beginAddress, region.endAddress, region.bytes,
                  region.mix.total);
  else
    os << "no loop; the whole kernel:\n";
  printMix(region.mix, os);
  printRates(region, report, os);
  printConflicts(region, os);
  if (report.flags.empty())
    row(os, "flags", "none");
  for (const Flag &flag : report.flags)
    row(os, "flag", flag.kind + ": " + flag.message);
}

} // namespace fly
