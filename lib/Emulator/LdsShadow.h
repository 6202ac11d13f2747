//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Who wrote and who read each byte of a workgroup's LDS last, and the rule by
/// which two accesses are ordered. Internal to Emulator.
///
/// An access A of wave a is before everything that any wave issues after
/// passing a barrier, if A had landed (by a wait of wave a) when a arrived at
/// that barrier: s_barrier itself waits for nothing. All waves of a workgroup
/// pass a barrier together, so "A is ordered before what is issued now" is
/// A.sequence < landedAtBarrier of its wave and stream. Within a wave, accesses
/// of one stream (LDS instructions; direct-to-LDS loads) are in order, and one
/// of the other stream must have landed. Two stores of the same value need no
/// order.
///
/// Bytes are tracked in granules of the largest power of two that divides every
/// address and size seen in the launch, so that an access always covers whole
/// granules and nothing is lost; a finer access refines all granules.

#ifndef FLY_LIB_EMULATOR_LDSSHADOW_H
#define FLY_LIB_EMULATOR_LDSSHADOW_H

#include "LaunchContext.h"
#include "WaveChecker.h"

namespace fly {
namespace emu {

class LdsShadow {
public:
  LdsShadow(const LaunchContext &context, Workgroup &group);

  void start();
  /// Records the LDS part of \p access, and reports what it is not ordered
  /// with. \p sequence is its number in \p stream.
  void record(const Wave &w, const MemoryAccess &access, Stream stream,
              uint32_t sequence);

private:
  /// Sequence number and lane in one word; 0: none.
  static uint32_t pack(uint32_t sequence, unsigned lane) {
    return sequence << 6 | lane;
  }
  struct WriteRecord {
    uint32_t packed = 0;
    uint8_t wave = 0, stream = 0;
    bool isAtomic : 1, isElement : 1, isWritten : 1;
    WriteRecord() : isAtomic(false), isElement(false), isWritten(false) {}
    WriteRecord(uint32_t packed, unsigned wave, Stream stream, bool isAtomic,
                bool isElement)
        : packed(packed), wave(uint8_t(wave)), stream(uint8_t(stream)),
          isAtomic(isAtomic), isElement(isElement), isWritten(true) {}
  };
  enum class Use { Read, Write, Atomic };
  /// One part of an access: what recordLanes() needs of it.
  struct Part {
    const MemoryAccess &access;
    const uint32_t *address;
    unsigned bytes;
    uint64_t lanes;
    Stream stream;
    uint32_t sequence;
    /// Aligned, and at most 8 bytes: no other access sees a part of it.
    bool isElement;
  };

  void refine(unsigned newShift);
  void setThresholds(const Wave &w, Stream stream);
  void recordPart(const Wave &w, const MemoryAccess &access,
                  const uint32_t *address, unsigned bytes, Use use,
                  Stream stream, uint32_t sequence);
  template <Use use, unsigned columns>
  void recordLanes(const Wave &w, const Part &part);
  template <unsigned columns>
  void recordUse(const Wave &w, const Part &part, Use use);
  /// Whether a wave's packed number in the row is not ordered before now.
  template <unsigned columns> bool anyUnordered(const uint32_t *row) const {
    uint32_t any = 0;
    for (unsigned i = 0; i != columns; ++i)
      any |= uint32_t(row[i] >= threshold[StreamLds][i]);
    return any != 0;
  }
  bool conflicts(const WriteRecord &record) const {
    return record.packed >= threshold[record.stream][record.wave];
  }
  bool writesTheSame(const Wave &w, const MemoryAccess &access, bool secondPart,
                     size_t granule, unsigned lane,
                     const WriteRecord &last) const;
  bool readsElements(unsigned wave, uint32_t packed) const;
  void reportReaders(const Wave &w, const MemoryAccess &access, size_t granule,
                     const uint32_t *row, bool areAtomics, unsigned lane);
  void report(const Wave &w, const MemoryAccess &access,
              llvm::StringRef earlier, llvm::StringRef later,
              unsigned otherWave, Stream otherStream, uint32_t otherPacked,
              size_t granule, unsigned lane);
  void reportUnwritten(const Wave &w, const MemoryAccess &access,
                       size_t granule, unsigned lane);

  const LaunchContext &context;
  Workgroup &group;
  unsigned shift = 4;
  unsigned numWaves; ///< columns of the reader tables
  std::vector<WriteRecord> writes;
  std::vector<uint32_t> reads;   ///< [granule][wave], packed
  std::vector<uint32_t> atomics; ///< the same; empty until there are some
  /// What a packed number must be below to be ordered before the access that
  /// is being recorded.
  uint32_t threshold[numStreams][16];
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_LDSSHADOW_H
