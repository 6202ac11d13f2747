//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// How many instructions of which kind a stretch of code has.

#ifndef FLY_INSPECT_INSTRUCTIONMIX_H
#define FLY_INSPECT_INSTRUCTIONMIX_H

#include "fly/Arch/TargetInfo.h"
#include "fly/CodeObject/Disassembly.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fly {

/// Numbers of instructions by name.
using NameCounts = std::map<std::string, unsigned>;
unsigned totalOf(const NameCounts &counts);

/// Matrix instructions of one name.
struct MfmaUse {
  std::string name; ///< mfmaNameOf
  unsigned count = 0;
  /// Of one instruction; none if its shape is not known.
  std::optional<unsigned> cycles;
  uint64_t flops = 0;
  unsigned k = 0; ///< of one instruction
  double rate = 1;
};

/// One kind of s_waitcnt. A counter that is not waited for is absent.
struct WaitUse {
  std::optional<unsigned> vmcnt, lgkmcnt, expcnt;
  unsigned count = 0;
};

/// Every instruction is in exactly one member.
struct InstructionMix {
  unsigned total = 0;
  std::vector<MfmaUse> mfma;
  NameCounts ldsReads, ldsWrites;
  NameCounts ldsOther; ///< atomics, permutations
  /// Direct copies from memory to LDS, by bytes a lane.
  std::map<unsigned, unsigned> directCopies;
  NameCounts loads, stores, atomics; ///< buffer, flat and global
  NameCounts scratch;
  unsigned scalarMemory = 0, salu = 0;
  unsigned valu = 0;             ///< without accumulatorMoves
  unsigned accumulatorMoves = 0; ///< v_accvgpr_*
  unsigned nops = 0, barriers = 0, priorities = 0;
  unsigned branches = 0; ///< s_endpgm too
  NameCounts other;      ///< s_sleep, cache controls, what is no instruction
  std::vector<WaitUse> waits;

  unsigned mfmaCount() const;
  unsigned directCopyCount() const;
  unsigned waitCount() const;
  /// Cycles of the matrix unit; none if one of the instructions has none.
  std::optional<uint64_t> mfmaCycles() const;
  uint64_t mfmaFlops() const;
  /// Bytes that a wave of 64 lanes asks memory for: direct copies and loads.
  uint64_t bytesFromMemory() const;
};

InstructionMix countInstructions(const TargetInfo &target,
                                 llvm::ArrayRef<const Instruction *> code);

/// The counters of an s_waitcnt that are waited for; count is 1.
WaitUse waitOf(const Instruction &inst);

} // namespace fly

#endif // FLY_INSPECT_INSTRUCTIONMIX_H
