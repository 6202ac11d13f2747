//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Moves the data of a MemoryAccess: the addresses of 64 lanes become host
/// pointers, then rows are gathered or scattered. For family files only (it is
/// compiled once a level).

#ifndef FLY_LIB_EMULATOR_LANEMEMORY_H
#define FLY_LIB_EMULATOR_LANEMEMORY_H

#include "MemoryAccess.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// How a lane's bytes become registers.
enum class Format {
  U8,
  I8,
  U16,
  I16,
  B32,
  B64,
  B96,
  B128,
  // 16-bit results that keep the other half of the register.
  U8Lo,
  I8Lo,
  B16Lo,
  U8Hi,
  I8Hi,
  B16Hi
};

constexpr unsigned bytesOf(Format f) {
  switch (f) {
  case Format::U8:
  case Format::I8:
  case Format::U8Lo:
  case Format::I8Lo:
  case Format::U8Hi:
  case Format::I8Hi:
    return 1;
  case Format::U16:
  case Format::I16:
  case Format::B16Lo:
  case Format::B16Hi:
    return 2;
  case Format::B32:
    return 4;
  case Format::B64:
    return 8;
  case Format::B96:
    return 12;
  case Format::B128:
    return 16;
  }
  return 0;
}
constexpr unsigned dwordsOf(Format f) { return (bytesOf(f) + 3) / 4; }

struct alignas(64) LanePointers {
  uint8_t *lane[waveLanes];

  const uint8_t *at(unsigned l) const { return lane[l]; }
};

/// Lanes whose addresses are all inside LDS.
struct LdsLanes {
  const uint8_t *lds;
  const uint64_t *address;

  const uint8_t *at(unsigned l) const { return lds + address[l]; }
};

alignas(16) uint8_t zeroBlock[16];

/// One lane, any space; null and a report if it is outside.
template <Space space>
uint8_t *resolveLane(Wave &w, const MemoryAccess &a, unsigned lane,
                     uint64_t address, unsigned bytes) {
  Space actual = space;
  uint64_t offset = address;
  if (space == Space::Flat) {
    actual = uint32_t(address >> 32) == sharedApertureHigh    ? Space::Lds
             : uint32_t(address >> 32) == privateApertureHigh ? Space::Scratch
                                                              : Space::Global;
    if (actual != Space::Global)
      offset = uint32_t(address);
  }
  if (actual == Space::Lds) {
    if (offset <= w.ldsBytes && bytes <= w.ldsBytes - offset)
      return w.lds + offset;
  } else if (actual == Space::Scratch) {
    if (offset <= w.scratchBytes && bytes <= w.scratchBytes - offset)
      return w.scratch + uint64_t(lane) * w.scratchBytes + offset;
  } else if (const MappedRange *range = w.memory->map.find(offset, bytes)) {
    return range->host + (offset - range->base);
  } else if (a.inst->isSubDwordAtomic && bytes == 4 && offset % 4 == 0) {
    if (const MappedRange *part = w.memory->map.findDwords(offset, 1))
      return part->host + (offset - part->base);
  }
  w.memory->badAddress(w, a, actual, lane, offset, bytes);
  return nullptr;
}

/// The pointers of all lanes. On integers, which compilers make vectors of.
[[gnu::always_inline]] inline void
addBase(const uint8_t *base, const uint64_t *offset, LanePointers &p) {
  alignas(64) uint64_t sum[waveLanes];
  for (unsigned l = 0; l != waveLanes; ++l)
    sum[l] = reinterpret_cast<uintptr_t>(base) + offset[l];
  static_assert(sizeof(sum) == sizeof(p.lane), "host of 64 bits");
  __builtin_memcpy(p.lane, sum, sizeof(sum));
}

/// Sets the pointers of \p lanes and returns those that may be accessed.
template <Space space>
uint64_t resolveLanes(Wave &w, const MemoryAccess &a, const uint64_t *address,
                      unsigned bytes, uint64_t lanes, LanePointers &p) {
  if (!lanes)
    return 0;
  if (space == Space::Global || space == Space::Lds) {
    uint64_t first = address[__builtin_ctzll(lanes)];
    uint64_t low = first, high = first;
    if (lanes == ~uint64_t(0)) {
      for (unsigned l = 0; l != waveLanes; ++l) {
        low = address[l] < low ? address[l] : low;
        high = address[l] > high ? address[l] : high;
      }
    } else {
      for (unsigned l = 0; l != waveLanes; ++l) {
        uint64_t v = lanes >> l & 1 ? address[l] : first;
        low = v < low ? v : low;
        high = v > high ? v : high;
      }
    }
    uint8_t *base = nullptr;
    if (space == Space::Lds) {
      if (high <= w.ldsBytes && bytes <= w.ldsBytes - high)
        base = w.lds;
    } else if (high - low <= (uint64_t(1) << 62)) {
      if (const MappedRange *range =
              w.memory->map.find(low, high - low + bytes))
        base = range->host - range->base;
    }
    if (base) {
      if (lanes == ~uint64_t(0))
        return addBase(base, address, p), lanes;
      for (unsigned l = 0; l != waveLanes; ++l)
        p.lane[l] = lanes >> l & 1 ? base + address[l] : p.lane[l];
      return lanes;
    }
  }
  uint64_t good = 0;
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctzll(rest));
    if (uint8_t *pointer = resolveLane<space>(w, a, l, address[l], bytes)) {
      p.lane[l] = pointer;
      good |= uint64_t(1) << l;
    }
  }
  return good;
}

typedef uint32_t Vec4 __attribute__((vector_size(16)));
typedef uint32_t Vec16 __attribute__((vector_size(64)));

[[gnu::always_inline]] inline Vec4 loadVec4(const uint8_t *p) {
  Vec4 v;
  __builtin_memcpy(&v, p, 16);
  return v;
}

/// The 16 bytes of four lanes, \p step apart.
template <typename Lanes>
[[gnu::always_inline]] inline Vec16 loadFour(const Lanes &p, unsigned lane,
                                             unsigned step) {
  Vec4 v0 = loadVec4(p.at(lane)), v1 = loadVec4(p.at(lane + step));
  Vec4 v2 = loadVec4(p.at(lane + 2 * step));
  Vec4 v3 = loadVec4(p.at(lane + 3 * step));
  typedef uint32_t Vec8 __attribute__((vector_size(32)));
  Vec8 low = __builtin_shufflevector(v0, v1, 0, 1, 2, 3, 4, 5, 6, 7);
  Vec8 high = __builtin_shufflevector(v2, v3, 0, 1, 2, 3, 4, 5, 6, 7);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                                 11, 12, 13, 14, 15);
}

/// Dwords 0 and 1 of each 16 bytes of \p a and \p b, alternating.
[[gnu::always_inline]] inline Vec16 interleaveLow(Vec16 a, Vec16 b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25,
                                 12, 28, 13, 29);
}
[[gnu::always_inline]] inline Vec16 interleaveHigh(Vec16 a, Vec16 b) {
  return __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11,
                                 27, 14, 30, 15, 31);
}
/// The first (second) 8 of each 16 bytes of \p a and \p b.
[[gnu::always_inline]] inline Vec16 firstHalves(Vec16 a, Vec16 b) {
  return __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25,
                                 12, 13, 28, 29);
}
[[gnu::always_inline]] inline Vec16 secondHalves(Vec16 a, Vec16 b) {
  return __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26,
                                 27, 14, 15, 30, 31);
}

/// Row d gets dword d of the lanes' 16 bytes: 4x4 transpositions.
template <typename Lanes>
[[gnu::always_inline]] inline void gatherRows128(const Lanes &p,
                                                 uint32_t (*rows)[waveLanes]) {
  for (unsigned l = 0; l != waveLanes; l += 16) {
    Vec16 v0 = loadFour(p, l, 4), v1 = loadFour(p, l + 1, 4);
    Vec16 v2 = loadFour(p, l + 2, 4), v3 = loadFour(p, l + 3, 4);
    Vec16 low01 = interleaveLow(v0, v1), high01 = interleaveHigh(v0, v1);
    Vec16 low23 = interleaveLow(v2, v3), high23 = interleaveHigh(v2, v3);
    Vec16 dwords[4] = {firstHalves(low01, low23), secondHalves(low01, low23),
                       firstHalves(high01, high23),
                       secondHalves(high01, high23)};
    for (unsigned d = 0; d != 4; ++d)
      __builtin_memcpy(&rows[d][l], &dwords[d], 64);
  }
}

template <typename T> [[gnu::always_inline]] inline T loadAs(const uint8_t *p) {
  T v;
  __builtin_memcpy(&v, p, sizeof(T));
  return v;
}

/// Gathers the lanes' bytes into rows.
template <Format format, typename Lanes>
[[gnu::always_inline]] inline void gatherRows(const Lanes &p,
                                              uint32_t (*rows)[waveLanes]) {
  if constexpr (format == Format::B128)
    return gatherRows128(p, rows);
  for (unsigned l = 0; l != waveLanes; ++l) {
    const uint8_t *from = p.at(l);
    switch (format) {
    case Format::U8:
    case Format::U8Lo:
    case Format::U8Hi:
      rows[0][l] = *from;
      break;
    case Format::I8:
    case Format::I8Lo:
    case Format::I8Hi:
      rows[0][l] = uint32_t(int32_t(int8_t(*from)));
      break;
    case Format::U16:
    case Format::B16Lo:
    case Format::B16Hi:
      rows[0][l] = loadAs<uint16_t>(from);
      break;
    case Format::I16:
      rows[0][l] = uint32_t(int32_t(loadAs<int16_t>(from)));
      break;
    default:
      for (unsigned d = 0; d != dwordsOf(format); ++d)
        rows[d][l] = loadAs<uint32_t>(from + 4 * d);
    }
  }
}

/// Writes one result row, keeping half of it for the 16-bit forms.
template <Format format>
[[gnu::always_inline]] inline void writeResult(Wave &w, unsigned row,
                                               Row &value, uint64_t mask) {
  constexpr bool low = format == Format::U8Lo || format == Format::I8Lo ||
                       format == Format::B16Lo;
  constexpr bool high = format == Format::U8Hi || format == Format::I8Hi ||
                        format == Format::B16Hi;
  if (low || high) {
    const uint32_t *old = w.regs[row & (numRegisterRows - 1)];
    for (unsigned l = 0; l != waveLanes; ++l)
      value.lane[l] = low ? (old[l] & 0xffff0000u) | (value.lane[l] & 0xffff)
                          : (old[l] & 0xffffu) | value.lane[l] << 16;
  }
  writeRowMasked(w, row, value.lane, mask);
}

/// Whether every lane's bytes are inside LDS.
inline bool isInLds(const Wave &w, const uint64_t *address, unsigned bytes) {
  uint64_t high = 0;
  for (unsigned l = 0; l != waveLanes; ++l)
    high = address[l] > high ? address[l] : high;
  return high <= w.ldsBytes && bytes <= w.ldsBytes - high;
}

/// One part of a load: gathers and writes the rows from \p firstRow on.
template <Space space, Format format>
void performLoadPart(Wave &w, MemoryAccess &a, const uint64_t *address,
                     unsigned firstRow) {
  constexpr unsigned dwords = dwordsOf(format);
  uint64_t some = a.mask & a.valid[0], full = some;
  for (unsigned d = 1; d < dwords; ++d) {
    full &= a.valid[d];
    some |= a.mask & a.valid[d];
  }
  // What most reads of a GEMM are: straight from LDS to the registers.
  if (space == Space::Lds && format >= Format::B32 && format <= Format::B128 &&
      full == ~uint64_t(0) && firstRow + dwords <= numRegisterRows &&
      isInLds(w, address, bytesOf(format)))
    return gatherRows<format>(LdsLanes{w.lds, address}, w.regs + firstRow);
  LanePointers p;
  for (unsigned l = 0; l != waveLanes; ++l)
    p.lane[l] = zeroBlock;
  resolveLanes<space>(w, a, address, bytesOf(format), full, p);
  Row rows[dwords];
  gatherRows<format>(p, &rows[0].lane);
  // Lanes of which a buffer's range holds some dwords only.
  for (uint64_t rest = some & ~full; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctzll(rest));
    for (unsigned d = 0; d < dwords; ++d)
      if (a.valid[d] >> l & 1)
        if (uint8_t *from = resolveLane<space>(w, a, l, address[l] + 4 * d, 4))
          rows[d].lane[l] = loadAs<uint32_t>(from);
  }
  for (unsigned d = 0; d < dwords; ++d)
    writeResult<format>(w, firstRow + d, rows[d], a.mask);
}

template <Space space, Format format>
void performLoad(Wave &w, MemoryAccess &a) {
  performLoadPart<space, format>(w, a, a.address, a.firstRow);
}

/// Widens the second addresses of a two-part LDS access.
inline void secondAddresses(const MemoryAccess &a, uint64_t *address) {
  for (unsigned l = 0; l != waveLanes; ++l)
    address[l] = a.ldsAddress[l];
}

template <Format format> void performLoad2(Wave &w, MemoryAccess &a) {
  alignas(64) uint64_t second[waveLanes];
  secondAddresses(a, second);
  performLoadPart<Space::Lds, format>(w, a, a.address, a.firstRow);
  performLoadPart<Space::Lds, format>(w, a, second,
                                      a.firstRow + dwordsOf(format));
}

/// Scatters \p data; the highest lane wins where lanes overlap.
template <Space space, Format format>
void performStorePart(Wave &w, MemoryAccess &a, const uint64_t *address,
                      const Row *data) {
  constexpr unsigned dwords = dwordsOf(format);
  constexpr unsigned shift =
      format == Format::U8Hi || format == Format::B16Hi ? 16 : 0;
  LanePointers p;
  uint64_t some = a.mask & a.valid[0], full = some;
  for (unsigned d = 1; d < dwords; ++d) {
    full &= a.valid[d];
    some |= a.mask & a.valid[d];
  }
  uint64_t good = resolveLanes<space>(w, a, address, bytesOf(format), full, p);
  for (uint64_t rest = good; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctzll(rest));
    if (bytesOf(format) < 4) {
      uint32_t value = data[0].lane[l] >> shift;
      __builtin_memcpy(p.lane[l], &value, bytesOf(format));
    } else {
      for (unsigned d = 0; d < dwords; ++d)
        __builtin_memcpy(p.lane[l] + 4 * d, &data[d].lane[l], 4);
    }
  }
  for (uint64_t rest = some & ~full; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctzll(rest));
    for (unsigned d = 0; d < dwords; ++d)
      if (a.valid[d] >> l & 1)
        if (uint8_t *to = resolveLane<space>(w, a, l, address[l] + 4 * d, 4))
          __builtin_memcpy(to, &data[d].lane[l], 4);
  }
}

template <Space space, Format format>
void performStore(Wave &w, MemoryAccess &a) {
  performStorePart<space, format>(w, a, a.address, a.data);
}

template <Format format> void performStore2(Wave &w, MemoryAccess &a) {
  alignas(64) uint64_t second[waveLanes];
  secondAddresses(a, second);
  performStorePart<Space::Lds, format>(w, a, a.address, a.data);
  performStorePart<Space::Lds, format>(w, a, second, a.data + dwordsOf(format));
}

/// Bytes of LDS from one lane of a direct-to-LDS load to the next: 16 for four
/// dwords, 4 for one or less (CDNA4 ISA manual 9.1.9), and an option for three.
template <Format format> uint32_t copyStep(const Wave &w) {
  return dwordsOf(format) == 4   ? 16
         : dwordsOf(format) == 3 ? w.ldsCopyX3Step
                                 : 4;
}

/// Where a lane of a direct-to-LDS load writes, or null. Compilers let waves
/// that have nothing to copy write behind all LDS that the chip has, which
/// drops it (Triton: M0 = 0x7fffffff).
inline uint8_t *copyTarget(Wave &w, const MemoryAccess &a, unsigned lane,
                           unsigned bytes) {
  if (a.ldsAddress[lane] >= w.target->ldsBytes)
    return nullptr;
  return resolveLane<Space::Lds>(w, a, lane, a.ldsAddress[lane], bytes);
}

/// Copies 4 * dwords bytes of each lane to its place in \p lds.
template <unsigned dwords>
void copyLanes(const LanePointers &p, const uint32_t *place, uint8_t *lds) {
  if (dwords != 4) {
    for (unsigned l = 0; l != waveLanes; ++l)
      __builtin_memcpy(lds + place[l], p.lane[l], 4 * dwords);
    return;
  }
  // One after another, as copyStep() has it.
  uint8_t *to = lds + place[0];
  for (unsigned l = 0; l != waveLanes; l += 4) {
    Vec16 four = loadFour(p, l, 1);
    __builtin_memcpy(to + l * 16, &four, sizeof(four));
  }
}

/// Direct to LDS: out-of-range lanes write zeros, forms narrower than a dword
/// write a whole one.
template <Format format, Space from = Space::Global>
void performLoadToLds(Wave &w, MemoryAccess &a) {
  constexpr unsigned dwords = dwordsOf(format);
  LanePointers p;
  for (unsigned l = 0; l != waveLanes; ++l)
    p.lane[l] = zeroBlock;
  uint64_t some = a.mask & a.valid[0], full = some;
  for (unsigned d = 1; d < dwords; ++d) {
    full &= a.valid[d];
    some |= a.mask & a.valid[d];
  }
  resolveLanes<from>(w, a, a.address, bytesOf(format), full, p);
  uint64_t highest = 0;
  for (unsigned l = 0; l != waveLanes; ++l) {
    uint64_t v = a.mask >> l & 1 ? a.ldsAddress[l] : 0;
    highest = v > highest ? v : highest;
  }
  bool fits = highest + 4 * dwords <= w.ldsBytes;
  if (bytesOf(format) >= 4 && fits && some == full && a.mask == ~uint64_t(0)) {
    // The same copy of the next iteration is likely to be as far away as this
    // one is from the last; its lines would come too late otherwise.
    RecentCopy &recent = w.recentCopies[a.inst->index % Wave::numRecentCopies];
    intptr_t stride = intptr_t(p.lane[0]) - intptr_t(recent.from);
    recent.from = p.lane[0];
    if (stride > -65536 && stride < 65536)
      recent.stride = int32_t(stride);
    for (unsigned l = 0; l < waveLanes; l += 64 / (4 * dwords))
      __builtin_prefetch(p.lane[l] + recent.stride);
    copyLanes<dwords>(p, a.ldsAddress, w.lds);
    return;
  }
  for (uint64_t rest = a.mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctzll(rest));
    uint8_t *to =
        fits ? w.lds + a.ldsAddress[l] : copyTarget(w, a, l, 4 * dwords);
    if (!to)
      continue;
    uint32_t value[4];
    if (format == Format::U8)
      value[0] = *p.lane[l];
    else if (format == Format::I8)
      value[0] = uint32_t(int32_t(int8_t(*p.lane[l])));
    else if (format == Format::U16)
      value[0] = loadAs<uint16_t>(p.lane[l]);
    else if (format == Format::I16)
      value[0] = uint32_t(int32_t(loadAs<int16_t>(p.lane[l])));
    else
      __builtin_memcpy(value, p.lane[l], 4 * dwords);
    if ((some & ~full) >> l & 1)
      for (unsigned d = 0; d < dwords; ++d)
        if (a.valid[d] >> l & 1)
          if (uint8_t *source =
                  resolveLane<from>(w, a, l, a.address[l] + 4 * d, 4))
            value[d] = loadAs<uint32_t>(source);
    __builtin_memcpy(to, value, 4 * dwords);
  }
}

/// Copies the rows of a data operand into the access.
[[gnu::always_inline]] inline void captureData(Wave &w, MemoryAccess &a,
                                               const Operand &op,
                                               unsigned firstData = 0) {
  for (unsigned d = 0; d != op.dwords; ++d)
    __builtin_memcpy(a.data[firstData + d].lane, w.regs[op.row() + d],
                     sizeof(Row));
}

inline void allValid(MemoryAccess &a) {
  for (uint64_t &valid : a.valid)
    valid = ~uint64_t(0);
}

} // namespace
} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_LANEMEMORY_H
