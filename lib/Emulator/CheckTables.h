//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What checking mode must know of every instruction, worked out once a
/// program: the registers it reads and writes. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_CHECKTABLES_H
#define FLY_LIB_EMULATOR_CHECKTABLES_H

#include "Program.h"

#include <array>
#include <cstdint>
#include <vector>

namespace fly {
namespace emu {

/// Rows [first, first + count) of Wave::regs.
struct RowRange {
  uint16_t first = 0, count = 0;
};

/// A set of the 512 rows or of the 128 scalar codes.
template <unsigned bits> struct BitSet {
  std::array<uint64_t, bits / 64> words{};
  void set(unsigned i) { words[i / 64] |= uint64_t(1) << i % 64; }
  void reset(unsigned i) { words[i / 64] &= ~(uint64_t(1) << i % 64); }
  bool test(unsigned i) const { return words[i / 64] >> i % 64 & 1; }
  bool any() const {
    for (uint64_t word : words)
      if (word)
        return true;
    return false;
  }
  /// Whether a bit of [first, first + count) is set; count is at most 64.
  bool anyOf(unsigned first, unsigned count) const {
    unsigned word = first / 64, shift = first % 64;
    uint64_t mask = count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
    uint64_t found = words[word] >> shift;
    if (shift && word + 1 < words.size())
      found |= words[word + 1] << (64 - shift);
    return (found & mask) != 0;
  }
};

/// What a register that nobody wrote does to an instruction that reads it.
/// Compilers compute with undefined halves of pairs and undefined masks, and
/// use of the result only what does not depend on them. So arithmetic passes
/// the mark on to its result, and what takes it to an address, to memory, to a
/// matrix or to a branch is reported.
enum class Undefined : uint8_t {
  Reported,
  Spreads,   ///< to the whole result
  SpreadsUp, ///< the high dword of a source only to the high dword
  ByRow,     ///< dword i of a source to dword i of the result
  PairMove,  ///< source i to dword i of the result
  Selects,   ///< of the source that the mask picks (v_cndmask_b32)
  Absorbed   ///< scalar logic: only if all sources are undefined
};

struct CheckInfo {
  static constexpr unsigned maxReads = 6, maxWrites = 3;
  RowRange reads[maxReads], writes[maxWrites];
  uint8_t readSource[maxReads] = {}; ///< which source reads[i] is
  uint8_t numReads = 0, numWrites = 0;
  Undefined undefined = Undefined::Reported;
  /// Results merged into what the register held: pending loads matter, but
  /// not whether it was ever written.
  uint8_t mergedWrites = 0; ///< bit i: writes[i]
  /// Bytes of writes[0] that are written: the others stay (d16, op_sel, SDWA
  /// with UNUSED_PRESERVE).
  uint8_t writtenBytes = 15;
  /// Bit i: reads[i] takes these bytes of each dword to memory, to an address
  /// or to a matrix, whatever they are.
  uint8_t exactReads = 0;
  uint8_t readBytes[maxReads] = {15, 15, 15, 15, 15, 15};
  /// Reads and writes every lane, whatever EXEC is (MFMA).
  bool allLanes = false;
  /// v_readlane, v_writelane: one lane, named by the last source.
  bool oneLane = false;
  /// Scratch stores: functions save registers there without knowing whether
  /// they hold anything.
  bool savesData = false;
  /// The destination rows are written when the access lands.
  bool writesAtLanding = false;
  /// The scalar destination is written when the access lands.
  bool scalarAtLanding = false;
  BitSet<128> scalarReads, scalarWrites;
  /// One past the highest VGPR and AGPR that is named.
  uint16_t vgprEnd = 0, agprEnd = 0;
};

CheckInfo makeCheckInfo(const ExecInst &inst);

struct HazardInfo;

class CheckTables {
public:
  explicit CheckTables(const Program &program);
  ~CheckTables();
  const CheckInfo &of(const ExecInst &inst) const { return infos[inst.index]; }
  const HazardInfo &hazardOf(const ExecInst &inst) const;

private:
  std::vector<CheckInfo> infos;
  std::vector<HazardInfo> hazards;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_CHECKTABLES_H
