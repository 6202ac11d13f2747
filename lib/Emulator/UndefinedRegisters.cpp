//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Registers that nobody wrote: which results depend on them, and the uses that
/// are reported. See Undefined in CheckTables.h.

#include "WaveChecker.h"

#include "Workgroup.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace emu {

/// Lanes of \p row of which all of \p bytes, or any of them, are written.
uint64_t WaveChecker::lanesWithBytes(unsigned row, unsigned bytes,
                                     bool all) const {
  auto it = partial.find(row);
  if (it == partial.end())
    return 0;
  uint64_t each = ~uint64_t(0), any = 0;
  for (unsigned i = 0; i != 4; ++i)
    if (bytes >> i & 1) {
      each &= it->second.bytes[i];
      any |= it->second.bytes[i];
    }
  return all ? each : any;
}

void WaveChecker::forgetPart(unsigned row, uint64_t lanes) {
  if (auto it = partial.find(row); it != partial.end())
    for (uint64_t &mask : it->second.bytes)
      mask &= ~lanes;
}

/// Marks \p bytes of \p row as written. An undefined rest does not matter to
/// arithmetic, which may leave it out again, but to what takes it elsewhere.
void WaveChecker::writePart(unsigned row, unsigned bytes, uint64_t lanes) {
  if (bytes == 15) {
    written[row] |= lanes;
    forgetPart(row, lanes);
    return;
  }
  uint64_t unwritten = lanes & ~written[row];
  if (!unwritten)
    return;
  PartialRow &known = partial[row];
  uint64_t whole = ~uint64_t(0);
  for (unsigned i = 0; i != 4; ++i) {
    known.bytes[i] |= bytes >> i & 1 ? unwritten : 0;
    whole &= known.bytes[i];
  }
  written[row] |= whole & unwritten;
}

void WaveChecker::checkWritten(const ExecInst &inst, const CheckInfo &info,
                               unsigned read, uint64_t lanes) {
  RowRange range = info.reads[read];
  for (unsigned row = range.first; row != unsigned(range.first) + range.count;
       ++row) {
    uint64_t unwritten = lanes & ~written[row];
    if (pendingCount[row] || !unwritten)
      continue;
    if (!partial.empty()) {
      bool exact = info.exactReads >> read & 1;
      unwritten &=
          ~lanesWithBytes(row, exact ? info.readBytes[read] : 15, exact);
      if (!unwritten)
        continue;
    }
    if (info.savesData && info.readSource[read] == 0)
      continue;
    if (info.oneLane && !info.numWrites) { // v_readlane: restores an SGPR
      undefinedScalar = 3;
      continue;
    }
    if (info.undefined == Undefined::Reported)
      return reportRegister(inst, row, unwritten);
    spread(inst, info, info.readSource[read], range.count == 2,
           row != range.first, row, unwritten);
  }
}

/// Marks what of the result depends on \p lanes of \p row, which is the low or
/// the high dword of a pair or all that there is of a source.
void WaveChecker::spread(const ExecInst &inst, const CheckInfo &info,
                         unsigned source, bool isPair, bool isHigh,
                         unsigned row, uint64_t lanes) {
  bool reaches[2] = {true, true};
  switch (info.undefined) {
  case Undefined::SpreadsUp:
    reaches[0] = !(isPair && isHigh);
    break;
  case Undefined::ByRow:
    reaches[0] = !(isPair && isHigh);
    reaches[1] = !(isPair && !isHigh);
    break;
  case Undefined::PairMove:
    reaches[source != 0] = true;
    reaches[source == 0] = false;
    break;
  case Undefined::Selects: {
    uint64_t mask =
        inst.numSrcs() > 2 ? readScalar64(wave, inst.src(2)) : wave.vcc();
    lanes &= source == 0 ? ~mask : source == 1 ? mask : 0;
    break;
  }
  default:
    break;
  }
  if (!lanes)
    return;
  for (unsigned i = 0; i != 2; ++i)
    undefined[i] |= reaches[i] ? lanes : 0;
  if (!spreading.isSet)
    spreading = row < numRows && origins[row].isSet
                    ? origins[row]
                    : Origin{inst.index, uint16_t(row), true};
}

/// The results of an instruction: written, but for the lanes that depend on
/// what nobody wrote.
void WaveChecker::setWritten(const CheckInfo &info, uint64_t lanes) {
  for (unsigned i = 0; i != info.numWrites; ++i) {
    RowRange range = info.writes[i];
    for (unsigned j = 0; j != range.count; ++j) {
      unsigned row = unsigned(range.first) + j;
      writeBytes(row, i || j ? 15 : info.writtenBytes, lanes);
      uint64_t bad =
          range.count == 2 ? undefined[j] : undefined[0] | undefined[1];
      if (LLVM_UNLIKELY(bad)) {
        written[row] &= ~(bad & lanes);
        forgetPart(row, bad & lanes);
        origins[row] = spreading;
        suspicious.set(row);
      } else if (!pendingCount[row] && written[row] == ~uint64_t(0)) {
        suspicious.reset(row);
        origins[row].isSet = false;
      }
    }
  }
  undefined[0] = undefined[1] = 0;
  spreading.isSet = false;
}

bool WaveChecker::isUnwritten(unsigned code) const {
  return scalarUnwritten.test(code) && !scalarPending.test(code);
}

template <typename Body>
bool WaveChecker::forEachUnwritten(const ExecInst &inst, const CheckInfo &info,
                                   Body body) const {
  for (unsigned i = 0; i != inst.numSrcs(); ++i) {
    const Operand &op = inst.src(i);
    for (unsigned j = 0; op.isScalar() && j != op.dwords; ++j) {
      unsigned code = op.index + j;
      if (code < 128 && info.scalarReads.test(code) && isUnwritten(code) &&
          !body(i, j))
        return false;
    }
  }
  return true;
}

/// Arithmetic of the VALU on SGPRs that nobody wrote marks its result, as that
/// on VGPRs does. False if the use is to be reported.
bool WaveChecker::spreadScalars(const ExecInst &inst, const CheckInfo &info) {
  bool isMask = inst.inst->readsVcc && scalarUnwritten.test(ScalarVcc);
  if (inst.unit != Unit::Valu || info.undefined == Undefined::Reported ||
      isMask)
    return false;
  return forEachUnwritten(inst, info, [&](unsigned i, unsigned j) {
    const Operand &op = inst.src(i);
    if (info.undefined == Undefined::Selects && i == 2)
      return false;
    bool isPair = op.dwords == 2 && info.scalarReads.test(op.index) &&
                  info.scalarReads.test(op.index + 1);
    spread(inst, info, i, isPair, j == 1, numRows + op.index + j, wave.exec());
    return true;
  });
}

/// Which dwords of the result of the SALU depend on what nobody wrote.
uint8_t WaveChecker::undefinedHalves(const ExecInst &inst,
                                     const CheckInfo &info) const {
  uint8_t halves = 0;
  forEachUnwritten(inst, info, [&](unsigned, unsigned j) {
    bool isHalf = info.undefined == Undefined::ByRow ||
                  (info.undefined == Undefined::SpreadsUp && j == 1);
    halves |= isHalf ? 1 << j : 3;
    return true;
  });
  return halves ? halves : 3; // none: a register that is not named
}

void WaveChecker::checkScalarsWritten(const ExecInst &inst,
                                      const CheckInfo &info) {
  int first = -1;
  bool allUnwritten = true;
  for (unsigned code = 0; code != 128; ++code) {
    if (!info.scalarReads.test(code))
      continue;
    bool unwritten = isUnwritten(code);
    allUnwritten &= unwritten;
    if (unwritten && first < 0)
      first = int(code);
  }
  // v_writelane saves an SGPR; its last source chooses the lane.
  if (info.oneLane && info.numWrites &&
      !(inst.src(1).isScalar() && scalarUnwritten.test(inst.src(1).index))) {
    undefined[0] |= uint64_t(1) << (readScalar32(wave, inst.src(1)) & 63);
    return;
  }
  if (spreadScalars(inst, info))
    return;
  if (info.undefined == Undefined::Absorbed && inst.unit == Unit::Salu) {
    undefinedScalar = allUnwritten ? 3 : 0;
    return;
  }
  if (info.undefined != Undefined::Reported && inst.unit == Unit::Salu) {
    undefinedScalar = undefinedHalves(inst, info);
    return;
  }
  context.reports.add(
      Report::Severity::Error, "uninitialised-register", inst.index, inst.index,
      [&] {
        return formatv("{0} reads {1} of {2}, which nothing has written",
                       context.program.describe(inst.index),
                       nameOfScalar(unsigned(first)), who())
            .str();
      });
}

void WaveChecker::reportRegister(const ExecInst &inst, unsigned row,
                                 uint64_t lanes) {
  Origin origin = origins[row];
  context.reports.add(
      Report::Severity::Error, "uninitialised-register",
      origin.isSet ? origin.index : inst.index, inst.index, [&] {
        std::string text =
            formatv("{0} reads {1} of {2} lane {3}, which nothing has written",
                    context.program.describe(inst.index), nameOf(row), who(),
                    unsigned(__builtin_ctzll(lanes)));
        if (origin.isSet)
          text += formatv(": its value comes from {0}, read by {1}",
                          nameOf(origin.row),
                          context.program.describe(origin.index));
        return text;
      });
}

} // namespace emu
} // namespace fly
