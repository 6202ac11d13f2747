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

/// No rule looks further back than this, nor, but for matrix instructions, than
/// shortWait.
static constexpr uint32_t longestWait = 20, shortWait = 5;

HazardTracker::HazardTracker(const LaunchContext &context, const Wave &wave)
    : context(context), wave(wave), isGfx950(context.target.hasScaledMfma) {}

void HazardTracker::start() {
  // Time 0 is so long ago that no rule cares.
  now = 2 * longestWait;
  mfmas.count = 0;
  for (uint32_t *times : {writeMatters, readMatters, mfmaWrote, mfmaReadC})
    std::fill_n(times, 512, 0);
  std::fill_n(valuWrote, 512, Event());
  std::fill_n(scalarWrote, 128, Event());
  std::fill_n(storeRead, 512, Event());
  execWrote = m0Wrote = registerSet = dgemm = Event();
  specialTime = scalarTime = storeTime = 0;
}

/// Whether \p time is when the last of the rows was written, or read as C, by
/// a matrix instruction.
static bool isLast(const uint32_t *times, uint32_t time, RowRange rows) {
  uint32_t last = 0;
  for (unsigned i = 0; i != rows.count; ++i)
    last = std::max(last, times[rows.first + i]);
  return last == time;
}

const HazardInfo &HazardTracker::hazardOf(const Event &event) const {
  return context.tables->hazardOf(context.program.code()[event.index]);
}

const HazardTracker::Event &HazardTracker::latest(const Event *events,
                                                  RowRange rows) {
  const Event *last = &events[rows.first];
  for (unsigned i = 1; i < rows.count; ++i)
    if (events[rows.first + i].time > last->time)
      last = &events[rows.first + i];
  return *last;
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

void HazardTracker::checkAfterMfma(const MfmaEvent &event, const ExecInst &inst,
                                   const CheckInfo &info,
                                   const HazardInfo &hazard) {
  const HazardInfo &from = *event.hazard;
  MfmaInterlock interlock = context.options.mfmaInterlock;
  bool allLint = interlock == MfmaInterlock::All;
  bool readLint = interlock != MfmaInterlock::None;
  MfmaWaits waits = mfmaWaits(from, hazard, isGfx950);
  auto uses = [&](RowRange rows) {
    return isLast(mfmaWrote, event.time, rows);
  };
  if (hazard.isMfma) {
    if (uses(hazard.srcA) || uses(hazard.srcB) || uses(hazard.indices))
      require(event, inst, waits.operand, "reading a matrix result as A or B",
              allLint);
    bool same = hazard.srcC.first == from.dst.first &&
                hazard.srcC.count == from.dst.count;
    if (uses(hazard.srcC))
      require(event, inst, same ? waits.sameC : waits.partC,
              same ? "accumulating on a matrix result"
                   : "reading a part of a matrix result as C",
              allLint);
    return;
  }
  bool reads =
      (info.writtenBytes != 15 || info.mergedWrites) && uses(info.writes[0]);
  for (unsigned i = 0; i != info.numReads; ++i)
    reads |= uses(info.reads[i]);
  if (reads)
    require(event, inst, hazard.isMemory ? waits.memory : waits.read,
            "reading a matrix result", readLint);
  for (unsigned i = 0; i != info.numWrites; ++i) {
    RowRange rows = info.writes[i];
    // Loads take longer than that.
    bool lint = hazard.isMemory ? readLint : allLint;
    if (uses(rows))
      require(event, inst, waits.overwrite, "overwriting a matrix result",
              lint);
    if (isLast(mfmaReadC, event.time, rows))
      require(event, inst, waits.sourceC, "overwriting source C", lint);
  }
}

/// Reads of what the VALU just wrote by instructions that cannot have it yet.
void HazardTracker::checkValuResults(const ExecInst &inst,
                                     const CheckInfo &info,
                                     const HazardInfo &hazard) {
  for (unsigned i = 0; i != info.numReads; ++i) {
    const Event &event = latest(valuWrote, info.reads[i]);
    if (since(event) >= shortWait)
      continue;
    const HazardInfo &from = hazardOf(event);
    if (hazard.isMfma && !from.isDot)
      require(event, inst, context.options.valuToMfmaWaits,
              "a matrix instruction reading a VALU result",
              /*lint=*/from.isPermlaneSwap && since(event) >= 1);
    if (hazard.isDpp)
      require(event, inst, 2, "a DPP read of a VALU result");
    if (hazard.isPermlaneSwap)
      require(event, inst, 2, "a permlane swap of a VALU result",
              /*lint=*/since(event) >= 1);
    if (hazard.readsLane)
      require(event, inst, 1, "reading a lane of a VALU result");
  }
}

void HazardTracker::checkSpecialResult(const Event &event, const ExecInst &inst,
                                       const HazardInfo &hazard, bool isRead,
                                       bool isAOrB) {
  if (since(event) >= 3)
    return;
  const HazardInfo &from = hazardOf(event);
  if (from.isTrans && isRead && hazard.isValu && !hazard.isTrans)
    require(event, inst, 1, "reading a transcendental result");
  if (from.writesPart && !hazard.isMemory)
    require(event, inst, 1, "using a register of which a part was written");
  bool isSame = context.program.code()[event.index].inst->key == inst.inst->key;
  if (from.isDot && !hazard.isMfma && (!isSame || isAOrB))
    require(event, inst, 3, "using the result of a dot product");
}

void HazardTracker::checkSpecialResults(const ExecInst &inst,
                                        const CheckInfo &info,
                                        const HazardInfo &hazard) {
  for (unsigned i = 0; i != info.numReads; ++i) {
    bool isResult = i == 0 && inst.numDefs && inst.ops[0].isReadToo;
    for (unsigned j = 0; j != info.reads[i].count; ++j)
      checkSpecialResult(valuWrote[info.reads[i].first + j], inst, hazard,
                         /*isRead=*/true,
                         /*isAOrB=*/!isResult && info.readSource[i] < 2);
  }
  bool keepsSome = info.writtenBytes != 15 || info.mergedWrites;
  for (unsigned i = 0; i != info.numWrites; ++i)
    for (unsigned j = 0; j != info.writes[i].count; ++j)
      checkSpecialResult(valuWrote[info.writes[i].first + j], inst, hazard,
                         /*isRead=*/i == 0 && keepsSome,
                         /*isAOrB=*/false);
}

/// Reads of SGPRs, VCC and EXEC that the VALU just wrote.
void HazardTracker::checkValuScalars(const ExecInst &inst,
                                     const CheckInfo &info,
                                     const HazardInfo &hazard) {
  if (hazard.isVmem)
    for (unsigned code = 0; code != 128; ++code)
      if (info.scalarReads.test(code))
        require(scalarWrote[code], inst, 5,
                "a memory read of an SGPR that the VALU wrote");
  if (hazard.laneSelect >= 0)
    require(scalarWrote[hazard.laneSelect], inst, 4,
            "a lane select by an SGPR that the VALU wrote");
  if (hazard.isDivFmas)
    require(scalarWrote[ScalarVcc], inst, 4,
            "v_div_fmas with a VCC that the VALU wrote");
  if (hazard.isMfma)
    require(execWrote, inst, 4,
            "a matrix instruction with an EXEC that the VALU wrote");
  if (hazard.isDpp)
    require(execWrote, inst, 5,
            "a DPP instruction with an EXEC that the VALU wrote");
  if (hazard.isLaneMove)
    require(execWrote, inst, 4,
            "a move of one lane with an EXEC that the VALU wrote");
}

/// M0 and the hardware registers, of which the last write counts.
void HazardTracker::checkHardwareRegisters(const ExecInst &inst,
                                           const HazardInfo &hazard) {
  if (hazard.needsM0)
    require(m0Wrote, inst, 1, "use of M0");
  if (hazard.isDirectToLds)
    require(m0Wrote, inst, 1, "a direct-to-LDS load by M0", /*lint=*/true);
  if ((hazard.isGetReg || hazard.isSetReg) && hazard.hwRegister == setRegister)
    require(registerSet, inst, 2,
            hazard.isGetReg ? "s_getreg of the register"
                            : "s_setreg of the register");
}

void HazardTracker::MfmaList::add(const MfmaEvent &event) {
  if (count == capacity) {
    std::move(events + 1, events + capacity, events);
    --count;
  }
  events[count++] = event;
}

void HazardTracker::MfmaList::expire(uint32_t now) {
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
  for (unsigned i = 0; !hazard.isMfma && i != info.numWrites; ++i)
    if (matters(writeMatters, info.writes[i]) ||
        matters(readMatters, info.writes[i]))
      return true;
  return false;
}

void HazardTracker::rememberMfma(const ExecInst &inst,
                                 const HazardInfo &hazard) {
  MfmaEvent event;
  event.time = now;
  event.index = inst.index;
  event.hazard = &hazard;
  mfmas.add(event);
  if (hazard.isDgemm)
    dgemm = event;
  RowRange dst = hazard.dst, srcC = hazard.srcC;
  // No rule asks for more wait states than that.
  unsigned longest = hazard.isDgemm ? longestWait : hazard.passes + 5;
  std::fill_n(writeMatters + dst.first, dst.count, now + longest + 1);
  std::fill_n(mfmaWrote + dst.first, dst.count, now);
  std::fill_n(readMatters + srcC.first, srcC.count, now + hazard.passes);
  std::fill_n(mfmaReadC + srcC.first, srcC.count, now);
}

void HazardTracker::rememberValu(const ExecInst &inst, const CheckInfo &info,
                                 const HazardInfo &hazard) {
  Event event{now, inst.index};
  for (unsigned i = 0; i != info.numWrites; ++i)
    std::fill_n(valuWrote + info.writes[i].first, info.writes[i].count, event);
  if (hazard.isTrans || hazard.writesPart || hazard.isDot)
    specialTime = now;
  if (info.scalarWrites.any()) {
    scalarTime = now;
    for (unsigned code = 0; code != 128; ++code)
      if (info.scalarWrites.test(code))
        scalarWrote[code] = event;
  }
  if (hazard.valuWritesExec) {
    execWrote = event;
    scalarTime = now;
  }
}

void HazardTracker::step(const ExecInst &inst, const CheckInfo &info,
                         const HazardInfo &hazard) {
  if (hazard.isMfma || hazard.isValu || hazard.isMemory) {
    if (mfmas.count && concernsMfma(info, hazard)) {
      mfmas.expire(now);
      for (unsigned i = 0; i != mfmas.count; ++i)
        checkAfterMfma(mfmas.events[i], inst, info, hazard);
    }
    if (hazard.isMfma || hazard.isDpp || hazard.isPermlaneSwap ||
        hazard.readsLane)
      checkValuResults(inst, info, hazard);
    if (now - specialTime <= 3)
      checkSpecialResults(inst, info, hazard);
    if (now - scalarTime <= shortWait)
      checkValuScalars(inst, info, hazard);
    // The data of a store of more than two dwords is read late.
    if (!hazard.isMemory && now - storeTime <= 2)
      for (unsigned i = 0; i != info.numWrites; ++i) {
        const Event &event = latest(storeRead, info.writes[i]);
        if (since(event) >= 2)
          continue;
        unsigned waits = hazardOf(event).storeWaits;
        require(event, inst, waits, "overwriting the data of a wide store",
                /*lint=*/since(event) >= 1);
      }
    if (hazard.isFmaF64)
      require(dgemm, inst, 2, "v_fma_f64");
  }
  checkHardwareRegisters(inst, hazard);

  Event event{now, inst.index};
  if (hazard.isMfma) {
    rememberMfma(inst, hazard);
  } else if (hazard.isValu) {
    rememberValu(inst, info, hazard);
  } else if (hazard.storeWaits) {
    std::fill_n(storeRead + hazard.storeData.first, hazard.storeData.count,
                event);
    storeTime = now;
  } else if (inst.unit == Unit::Salu && info.scalarWrites.test(ScalarM0)) {
    m0Wrote = event;
  }
  if (hazard.isSetReg) {
    registerSet = event;
    setRegister = hazard.hwRegister;
  }
  now += hazard.waitStates;
}

} // namespace emu
} // namespace fly
