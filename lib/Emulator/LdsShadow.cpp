//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LdsShadow.h"

#include "LaneReductions.h"
#include "Workgroup.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace emu {

LdsShadow::LdsShadow(const LaunchContext &context, Workgroup &group)
    : context(context), group(group) {
  // Four columns at least, so that a row of them compares as vectors.
  numWaves = context.wavesPerGroup <= 4   ? 4
             : context.wavesPerGroup <= 8 ? 8
                                          : 16;
}

void LdsShadow::start() {
  size_t granules = (size_t(context.ldsBytes) >> shift) + 1;
  writes.assign(granules, WriteRecord());
  reads.assign(granules * numWaves, 0);
  atomics.clear();
  for (auto &row : threshold)
    std::fill(std::begin(row), std::end(row), ~uint32_t(0));
}

void LdsShadow::refine(unsigned newShift) {
  size_t factor = size_t(1) << (shift - newShift);
  auto spread = [&](auto &table, size_t columns) {
    auto old = std::move(table);
    table.clear();
    table.reserve(old.size() * factor);
    for (size_t row = 0; row != old.size() / columns; ++row)
      for (size_t copy = 0; copy != factor; ++copy)
        table.insert(table.end(), old.begin() + long(row * columns),
                     old.begin() + long((row + 1) * columns));
  };
  spread(writes, 1);
  spread(reads, numWaves);
  if (!atomics.empty())
    spread(atomics, numWaves);
  shift = newShift;
}

/// Packed numbers from this one on are not ordered before what wave \p w issues
/// now in \p stream.
void LdsShadow::setThresholds(const Wave &w, Stream stream) {
  for (const auto &other : group.allWaves())
    for (unsigned s = 0; s != numStreams; ++s)
      threshold[s][other->waveInGroup] =
          pack(other->checked->landedAtBarrier[s], 0);
  unsigned otherStream = stream == StreamLds ? StreamVm : StreamLds;
  threshold[stream][w.waveInGroup] = ~uint32_t(0);
  threshold[otherStream][w.waveInGroup] =
      pack(w.checked->landed[otherStream], 0);
}

void LdsShadow::record(const Wave &w, const MemoryAccess &access, Stream stream,
                       uint32_t sequence) {
  Use use = access.kind == AccessKind::Load     ? Use::Read
            : access.kind == AccessKind::Atomic ? Use::Atomic
                                                : Use::Write;
  bool touchesLds = access.space == Space::Lds || access.space == Space::Flat ||
                    access.kind == AccessKind::LoadToLds;
  if (!touchesLds || context.ldsBytes == 0)
    return;
  setThresholds(w, stream);
  if (access.kind == AccessKind::LoadToLds) {
    // Of an element of any format one value goes to LDS.
    unsigned bytes = access.format ? 4 : std::max<unsigned>(access.bytes, 4);
    recordPart(w, access, access.ldsAddress, bytes, use, stream, sequence);
    return;
  }
  alignas(64) uint32_t low[waveLanes];
  if (access.space == Space::Lds)
    narrowBelow(access.address, context.ldsBytes, low);
  else
    for (unsigned l = 0; l != waveLanes; ++l)
      low[l] = access.address[l] >> 32 == sharedApertureHigh
                   ? uint32_t(access.address[l])
                   : ~uint32_t(0);
  recordPart(w, access, low, access.bytes, use, stream, sequence);
  if (access.parts == 2)
    recordPart(w, access, access.ldsAddress, access.bytes, use, stream,
               sequence);
}

void LdsShadow::recordPart(const Wave &w, const MemoryAccess &access,
                           const uint32_t *address, unsigned bytes, Use use,
                           Stream stream, uint32_t sequence) {
  uint64_t lanes = access.mask;
  AddressExtent extent = extentOf(address, lanes);
  uint32_t low = extent.bits;
  if (LLVM_UNLIKELY(uint64_t(extent.high) + bytes > context.ldsBytes)) {
    lanes = 0;
    low = 0;
    for (unsigned l = 0; l != waveLanes; ++l) {
      bool inside = (access.mask >> l & 1) && address[l] < context.ldsBytes &&
                    bytes <= context.ldsBytes - address[l];
      lanes |= uint64_t(inside) << l;
      low |= inside ? address[l] : 0;
    }
  }
  unsigned fineness = unsigned(__builtin_ctz(low | bytes | 16));
  if (fineness < shift)
    refine(fineness);
  if (use == Use::Atomic && atomics.empty())
    atomics.assign(reads.size(), 0);
  bool isElement = access.kind != AccessKind::LoadToLds && bytes <= 8 &&
                   (low & (bytes - 1)) == 0;
  Part part = {access, address, bytes, lanes, stream, sequence, isElement};
  switch (numWaves) {
  case 4:
    return recordUse<4>(w, part, use);
  case 8:
    return recordUse<8>(w, part, use);
  default:
    return recordUse<16>(w, part, use);
  }
}

template <unsigned columns>
void LdsShadow::recordUse(const Wave &w, const Part &part, Use use) {
  switch (use) {
  case Use::Read:
    return recordLanes<Use::Read, columns>(w, part);
  case Use::Write:
    return recordLanes<Use::Write, columns>(w, part);
  case Use::Atomic:
    return recordLanes<Use::Atomic, columns>(w, part);
  }
}

template <LdsShadow::Use use, unsigned columns>
void LdsShadow::recordLanes(const Wave &w, const Part &part) {
  const MemoryAccess &access = part.access;
  const unsigned count = part.bytes >> shift, me = w.waveInGroup, by = shift;
  WriteRecord *writeTable = writes.data();
  uint32_t *readTable = reads.data();
  const bool hasAtomics = !atomics.empty();
  // Elements are read and written at once, so they may race with atomics.
  const bool relaxed = !context.options.orderLdsAtomics &&
                       (use == Use::Atomic || part.isElement);
  for (uint64_t rest = part.lanes; rest; rest &= rest - 1) {
    unsigned lane = unsigned(__builtin_ctzll(rest));
    uint32_t packed = pack(part.sequence, lane);
    size_t first = part.address[lane] >> by;
    for (size_t g = first; g != first + count; ++g) {
      WriteRecord &last = writeTable[g];
      uint32_t *readers = readTable + g * columns;
      // Lanes of this very access do not conflict with each other.
      if (LLVM_UNLIKELY(conflicts(last)) &&
          !(use == Use::Atomic &&
            (last.isAtomic || (relaxed && last.isElement))) &&
          !(relaxed && last.isAtomic) &&
          !(use == Use::Write &&
            writesTheSame(w, access, part.address == access.ldsAddress, g, lane,
                          last)))
        report(w, access, last.isAtomic ? "an atomic" : "a write",
               use == Use::Read ? "read" : "write", last.wave,
               Stream(last.stream), last.packed, g, lane);
      if (use != Use::Write && LLVM_UNLIKELY(!last.isWritten))
        reportUnwritten(w, access, g, lane);
      if (LLVM_UNLIKELY(hasAtomics)) {
        uint32_t *row = &atomics[g * columns];
        if (use != Use::Atomic && !relaxed && anyUnordered<columns>(row))
          reportReaders(w, access, g, row, true, lane);
        if (use == Use::Write)
          std::fill_n(row, columns, 0);
        if (use == Use::Atomic)
          row[me] = packed;
      }
      if (use == Use::Read) {
        readers[me] = packed;
        continue;
      }
      if (LLVM_UNLIKELY(anyUnordered<columns>(readers)))
        reportReaders(w, access, g, readers, false, lane);
      if (use == Use::Write)
        std::fill_n(readers, columns, 0);
      last = WriteRecord(packed, me, part.stream, use == Use::Atomic,
                         part.isElement);
    }
  }
}

/// Byte \p at of LDS as \p lane of the store \p access writes it.
static uint8_t storedByte(const MemoryAccess &access, bool secondPart,
                          unsigned lane, uint32_t at) {
  uint64_t start = secondPart ? access.ldsAddress[lane] : access.address[lane];
  uint32_t offset = at - uint32_t(start);
  if (access.bytes < 4 && access.inst->inst->key.ends_with("_d16_hi"))
    offset += 2;
  const Row &row = access.data[secondPart * (access.bytes / 4) + offset / 4];
  return uint8_t(row.lane[lane] >> 8 * (offset % 4));
}

/// Waves that hold copies of the same values may all store them: the order does
/// not matter (Triton does so with layouts that have fewer values than lanes).
bool LdsShadow::writesTheSame(const Wave &w, const MemoryAccess &access,
                              bool secondPart, size_t granule, unsigned lane,
                              const WriteRecord &last) const {
  if (last.isAtomic || last.stream != StreamLds || last.wave == w.waveInGroup ||
      access.space != Space::Lds || access.kind != AccessKind::Store)
    return false;
  const WaveChecker &other = *group.allWaves()[last.wave]->checked;
  const MemoryAccess *earlier = other.pendingLds(last.packed >> 6);
  if (earlier &&
      (earlier->kind != AccessKind::Store || earlier->space != Space::Lds))
    return false;
  unsigned earlierLane = last.packed & 63;
  for (unsigned i = 0; i != 1u << shift; ++i) {
    uint32_t at = uint32_t(granule << shift) + i;
    uint8_t before = w.lds[at];
    if (earlier) {
      bool inFirst = at - earlier->address[earlierLane] < earlier->bytes;
      before = storedByte(*earlier, !inFirst, earlierLane, at);
    }
    if (storedByte(access, secondPart, lane, at) != before)
      return false;
  }
  return true;
}

/// Whether a wave's read took at most 8 bytes at once.
bool LdsShadow::readsElements(unsigned wave, uint32_t packed) const {
  int64_t index =
      group.allWaves()[wave]->checked->instructionOf(StreamLds, packed >> 6);
  if (index < 0)
    return true;
  const ExecInst &inst = context.program.code()[size_t(index)];
  unsigned dwords = inst.numDefs ? inst.ops[0].dwords : 0;
  return dwords / (inst.inst->key.starts_with("ds_read2") ? 2 : 1) <= 2;
}

/// Reports the waves whose read (or atomic) of the granule is not ordered
/// before the access.
void LdsShadow::reportReaders(const Wave &w, const MemoryAccess &access,
                              size_t granule, const uint32_t *row,
                              bool areAtomics, unsigned lane) {
  bool isAtomic = access.kind == AccessKind::Atomic;
  for (unsigned i = 0; i != context.wavesPerGroup; ++i)
    if (row[i] >= threshold[StreamLds][i] &&
        !(isAtomic && !context.options.orderLdsAtomics &&
          readsElements(i, row[i])))
      report(w, access, areAtomics ? "an atomic" : "a read",
             access.kind == AccessKind::Load ? "read" : "write", i, StreamLds,
             row[i], granule, lane);
}

void LdsShadow::report(const Wave &w, const MemoryAccess &access,
                       StringRef earlier, StringRef later, unsigned otherWave,
                       Stream otherStream, uint32_t otherPacked, size_t granule,
                       unsigned lane) {
  const WaveChecker &other = *group.allWaves()[otherWave]->checked;
  uint32_t sequence = otherPacked >> 6;
  int64_t index = other.instructionOf(otherStream, sequence);
  uint32_t first = index < 0 ? ~uint32_t(0) : uint32_t(index);
  bool sameWave = otherWave == w.waveInGroup;
  bool hasLanded = sequence < other.landed[otherStream];
  context.reports.add(
      Report::Severity::Error, "lds-race", first, access.inst->index, [&] {
        std::string missing =
            hasLanded ? std::string("an s_barrier between them is missing")
                      : other.waitFor(otherStream, sequence) + " in wave " +
                            std::to_string(otherWave) +
                            (sameWave ? " between them is missing"
                                      : ", then an s_barrier, between them "
                                        "is missing");
        return formatv(
                   "LDS bytes [{0}, {1}): {2} by workgroup ({3},{4},{5}) wave "
                   "{6} lane {7} at {8} is not ordered after {9} by wave {10} "
                   "lane {11} at {12}: {13}",
                   granule << shift, (granule + 1) << shift, later, group.id[0],
                   group.id[1], group.id[2], w.waveInGroup, lane,
                   context.program.describe(access.inst->index), earlier,
                   otherWave, otherPacked & 63,
                   index < 0 ? std::string("an instruction long ago")
                             : context.program.describe(first),
                   missing)
            .str();
      });
}

void LdsShadow::reportUnwritten(const Wave &w, const MemoryAccess &access,
                                size_t granule, unsigned lane) {
  uint32_t index = access.inst->index;
  context.reports.add(
      Report::Severity::Error, "uninitialised-lds", index, index, [&] {
        return formatv("{0} reads LDS bytes [{1}, {2}), workgroup "
                       "({3},{4},{5}) wave {6} lane {7}, which nothing has "
                       "written",
                       context.program.describe(index), granule << shift,
                       (granule + 1) << shift, group.id[0], group.id[1],
                       group.id[2], w.waveInGroup, lane)
            .str();
      });
}

} // namespace emu
} // namespace fly
