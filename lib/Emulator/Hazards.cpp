//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Hazards.h"

#include "LaunchContext.h"
#include "Workgroup.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace emu {

/// No rule looks further back.
static constexpr uint32_t longestWait = 20;

HazardTracker::HazardTracker(const LaunchContext &context, const Wave &wave)
    : context(context), wave(wave), isGfx950(context.target.hasScaledMfma) {}

void HazardTracker::start() {
  now = 0;
  mfmas.count = others.count = 0;
  std::fill_n(writeMatters, 512, 0);
  std::fill_n(readMatters, 512, 0);
  m0Written = setRegSeen = false;
}

static bool overlaps(RowRange a, RowRange b) {
  return a.first < b.first + b.count && b.first < a.first + a.count;
}

/// A result that is merged into what its register holds is a read as well.
static bool readsRows(const CheckInfo &info, RowRange rows) {
  if (info.writtenBytes != 15 && overlaps(info.writes[0], rows))
    return true;
  for (unsigned i = 0; i != info.numReads; ++i)
    if (overlaps(info.reads[i], rows))
      return true;
  return false;
}
static bool writesRows(const CheckInfo &info, RowRange rows) {
  for (unsigned i = 0; i != info.numWrites; ++i)
    if (overlaps(info.writes[i], rows))
      return true;
  return false;
}
static bool readsScalarsOf(const CheckInfo &reader, const CheckInfo &writer) {
  for (unsigned i = 0; i != 2; ++i)
    if (reader.scalarReads.words[i] & writer.scalarWrites.words[i])
      return true;
  return false;
}

void HazardTracker::require(const Event &event, const ExecInst &inst,
                            unsigned need, StringRef rule, bool lint) {
  unsigned have = since(event);
  if (have >= need)
    return;
  context.reports.add(
      lint ? Report::Severity::Lint : Report::Severity::Error,
      "missing-wait-states", event.index, inst.index, [&] {
        return formatv("{0}: {1} after {2} needs {3} wait states, there are "
                       "{4}; workgroup ({5},{6},{7}) wave {8}: s_nop {9} is "
                       "missing between them",
                       context.program.describe(inst.index), rule,
                       context.program.describe(event.index), need, have,
                       wave.group->id[0], wave.group->id[1], wave.group->id[2],
                       wave.waveInGroup, need - have - 1)
            .str();
      });
}

void HazardTracker::checkAfterMfma(const Event &event, const ExecInst &inst,
                                   const CheckInfo &info,
                                   const HazardInfo &hazard) {
  const HazardInfo &from = *event.hazard;
  MfmaInterlock interlock = context.options.mfmaInterlock;
  bool allLint = interlock == MfmaInterlock::All;
  bool readLint = interlock != MfmaInterlock::None;
  unsigned p = from.passes;
  unsigned result = !from.isXdl ? p + 2 : !isGfx950 || p == 2 ? p + 3 : p + 4;
  if (hazard.isMfma) {
    if (overlaps(hazard.srcA, from.dst) || overlaps(hazard.srcB, from.dst) ||
        overlaps(hazard.indices, from.dst))
      require(event, inst, result, "reading a matrix result as A or B",
              allLint);
    if (overlaps(hazard.srcC, from.dst)) {
      bool same = hazard.srcC.first == from.dst.first &&
                  hazard.srcC.count == from.dst.count;
      unsigned other = !isGfx950 || p == 2 ? p + 1 : p + 2;
      require(event, inst, same ? (p == 2 ? 2 : 0) : other,
              same ? "accumulating on a matrix result"
                   : "reading a part of a matrix result as C",
              allLint);
    }
    return;
  }
  if (hazard.isValu || hazard.isMemory) {
    if (readsRows(info, from.dst))
      require(event, inst, result, "reading a matrix result", readLint);
    if (hazard.isValu && writesRows(info, from.dst))
      require(event, inst, result, "overwriting a matrix result", allLint);
  }
  if (hazard.isValu && writesRows(info, from.srcC))
    require(event, inst, p - 1, "overwriting source C", allLint);
}

void HazardTracker::check(const Event &event, const ExecInst &inst,
                          const CheckInfo &info, const HazardInfo &hazard) {
  const CheckInfo &from = *event.info;
  switch (event.cause) {
  case Cause::Trans:
    if (hazard.isValu && !hazard.isTrans && readsRows(info, from.writes[0]))
      require(event, inst, 1, "reading a transcendental result");
    return;
  case Cause::PartialWrite:
    if (hazard.isValu &&
        (readsRows(info, from.writes[0]) || writesRows(info, from.writes[0])))
      require(event, inst, 1, "using a register of which a part was written");
    return;
  case Cause::ValuWrite:
    if (hazard.isMfma && readsRows(info, from.writes[0]))
      require(event, inst, context.options.valuToMfmaWaits,
              "a matrix instruction reading a VALU result");
    if (hazard.isDpp && readsRows(info, from.writes[0]))
      require(event, inst, 2, "a DPP read of a VALU result");
    if (hazard.isPermlaneSwap && readsRows(info, from.writes[0])) {
      require(event, inst, 1, "a permlane swap of a VALU result");
      if (since(event) >= 1)
        require(event, inst, 2, "a permlane swap of a VALU result",
                /*lint=*/true);
    }
    return;
  case Cause::ValuScalar:
    if (hazard.isVmem && readsScalarsOf(info, from))
      require(event, inst, 5, "a memory read of an SGPR that the VALU wrote");
    if (hazard.isLaneSelect && readsScalarsOf(info, from))
      require(event, inst, 4, "a lane select by an SGPR that the VALU wrote");
    if (hazard.isDivFmas && from.scalarWrites.test(ScalarVcc))
      require(event, inst, 4, "v_div_fmas with a VCC that the VALU wrote");
    return;
  case Cause::ValuExec:
    if (hazard.isMfma)
      require(event, inst, 4, "a matrix instruction");
    if (hazard.isDpp)
      require(event, inst, 5, "a DPP instruction");
    return;
  case Cause::WideStore:
    if (hazard.isValu && writesRows(info, event.hazard->storeData))
      require(event, inst, 1, "overwriting the data of a wide store");
    return;
  }
}

/// M0 and the hardware registers, of which the last write counts.
void HazardTracker::checkScalars(const ExecInst &inst,
                                 const HazardInfo &hazard) {
  Event event;
  if (m0Written && (hazard.isDirectToLds || hazard.isMovRel)) {
    event.time = m0Time;
    event.index = m0Index;
    require(event, inst, 1,
            hazard.isMovRel ? "a relative move by M0"
                            : "a direct-to-LDS load by M0",
            /*lint=*/hazard.isDirectToLds);
  }
  if (setRegSeen && hazard.isGetReg && hazard.hwRegister == setRegister) {
    event.time = setRegTime;
    event.index = setRegIndex;
    require(event, inst, 2, "s_getreg of the register");
  }
}

void HazardTracker::EventList::add(const Event &event) {
  if (count == capacity) {
    std::move(events + 1, events + capacity, events);
    --count;
  }
  events[count++] = event;
}

void HazardTracker::EventList::expire(uint32_t now) {
  unsigned expired = 0;
  while (expired != count && now - events[expired].time - 1 > longestWait)
    ++expired;
  if (!expired)
    return;
  std::move(events + expired, events + count, events);
  count -= expired;
}

bool HazardTracker::matters(const uint32_t *until, RowRange rows) const {
  bool any = false;
  for (unsigned row = rows.first; row != unsigned(rows.first) + rows.count;
       ++row)
    any |= now < until[row];
  return any;
}

bool HazardTracker::concernsMfma(const CheckInfo &info,
                                 const HazardInfo &hazard) const {
  for (unsigned i = 0; i != info.numReads; ++i)
    if (matters(writeMatters, info.reads[i]))
      return true;
  for (unsigned i = 0; hazard.isValu && i != info.numWrites; ++i)
    if (matters(writeMatters, info.writes[i]) ||
        matters(readMatters, info.writes[i]))
      return true;
  return false;
}

void HazardTracker::remember(Cause cause, const ExecInst &inst,
                             const CheckInfo &info, const HazardInfo &hazard) {
  others.add({now, inst.index, cause, &info, &hazard});
}

void HazardTracker::step(const ExecInst &inst, const CheckInfo &info,
                         const HazardInfo &hazard) {
  if (hazard.isMfma || hazard.isValu || hazard.isMemory) {
    if (mfmas.count && concernsMfma(info, hazard)) {
      mfmas.expire(now);
      for (unsigned i = 0; i != mfmas.count; ++i)
        checkAfterMfma(mfmas.events[i], inst, info, hazard);
    }
    if (others.count) {
      others.expire(now);
      for (unsigned i = 0; i != others.count; ++i)
        check(others.events[i], inst, info, hazard);
    }
  }
  checkScalars(inst, hazard);

  if (hazard.isMfma) {
    mfmas.add({now, inst.index, Cause::Trans, &info, &hazard});
    // No rule asks for more than passes + 4 wait states.
    std::fill_n(writeMatters + hazard.dst.first, hazard.dst.count,
                now + hazard.passes + 5);
    std::fill_n(readMatters + hazard.srcC.first, hazard.srcC.count,
                now + hazard.passes);
  } else if (hazard.isValu) {
    bool writesVgpr = info.numWrites != 0;
    if (hazard.isTrans && writesVgpr)
      remember(Cause::Trans, inst, info, hazard);
    if (hazard.writesPart && writesVgpr)
      remember(Cause::PartialWrite, inst, info, hazard);
    if (writesVgpr &&
        (context.tables->needsValuWrites || context.options.valuToMfmaWaits))
      remember(Cause::ValuWrite, inst, info, hazard);
    if (info.scalarWrites.any())
      remember(Cause::ValuScalar, inst, info, hazard);
    if (hazard.valuWritesExec)
      remember(Cause::ValuExec, inst, info, hazard);
  } else if (hazard.isWideStore) {
    remember(Cause::WideStore, inst, info, hazard);
  } else if (inst.unit == Unit::Salu && info.scalarWrites.test(ScalarM0)) {
    m0Written = true;
    m0Time = now;
    m0Index = inst.index;
  }
  if (hazard.isSetReg) {
    setRegSeen = true;
    setRegTime = now;
    setRegIndex = inst.index;
    setRegister = hazard.hwRegister;
  }
  now += hazard.waitStates;
}

} // namespace emu
} // namespace fly
