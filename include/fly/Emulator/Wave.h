//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The architectural state of one wave of 64 lanes, and the instruction form
/// that handlers execute. See docs/add-an-instruction.md.

#ifndef FLY_EMULATOR_WAVE_H
#define FLY_EMULATOR_WAVE_H

#include "fly/Arch/TargetInfo.h"
#include "fly/CodeObject/Disassembly.h"

#include <cstdint>
#include <cstring>

namespace fly {
class MfmaCache;

namespace emu {

struct Wave;
struct ExecInst;
struct Workgroup;
class MemorySystem;
class WaveChecker;

/// Executes one instruction. Handlers of memory instructions only compute
/// addresses and hand an access to MemorySystem, which decides when it lands.
using Handler = void (*)(Wave &, const ExecInst &);

/// One instruction, ready to run.
struct ExecInst {
  Handler handler = nullptr;
  const Operand *ops = nullptr; ///< as Instruction::operands()
  uint8_t numOps = 0, numDefs = 0;
  Encoding encoding = Encoding::Other;
  AddressMode addressMode = AddressMode::None;
  Unit unit = Unit::Unknown;
  /// VSKIP passes over it (VALU, MFMA, vector memory, LDS).
  bool skippedByVskip = false;
  /// It may belong to an atomic of a byte or half (see SubDwordAtomics.h).
  bool isSubDwordAtomic = false;
  uint32_t index = 0; ///< position in the code, also of inst
  /// Index of the branch target, or -1 outside the code.
  int32_t target = -1;
  const Instruction *inst = nullptr;
  /// Whatever the resolver wants its handler to know, e.g. an MfmaDesc.
  const void *data = nullptr;

  /// Source \p i, counted after the destinations.
  const Operand &src(unsigned i) const { return ops[numDefs + i]; }
  unsigned numSrcs() const { return numOps - numDefs; }
};

/// Where a direct-to-LDS copy last read, and how far that was from the time
/// before: at first, two K tiles of 128 bytes, as loops unrolled twice have it.
struct RecentCopy {
  const uint8_t *from = nullptr;
  int32_t stride = 256; ///< bytes
};

enum class WaveStatus : uint8_t {
  Running,
  AtBarrier,
  Ended,
  Halted, ///< s_sethalt, s_trap: never goes on
  Failed  ///< failure holds why
};

/// MODE register bits (CDNA4 ISA manual, "MODE").
enum ModeBits : uint32_t {
  ModeRoundF32Shift = 0, ///< 2 bits: 0 RNE, 1 +inf, 2 -inf, 3 toward zero
  ModeRoundF64F16Shift = 2,
  ModeDenormF32In = 1 << 4, ///< bit set: denormal inputs kept
  ModeDenormF32Out = 1 << 5,
  ModeDenormF64F16In = 1 << 6,
  ModeDenormF64F16Out = 1 << 7,
  ModeDx10Clamp = 1 << 8, ///< clamp turns NaN into 0
  ModeIeee = 1 << 9,
  ModeFp16Overflow = 1 << 23, ///< overflow to max normal instead of Inf
};

/// Rows of Wave::regs.
constexpr unsigned numRegisterRows = 512;
constexpr unsigned waveLanes = 64;

struct alignas(64) Wave {
  /// VGPR n is row n, AGPR n row 256 + n; one dword a lane.
  uint32_t regs[numRegisterRows][waveLanes];
  /// Indexed by scalar operand code: SGPRs from 0, VCC at 106 and 107, M0 at
  /// 124, EXEC at 126 and 127.
  uint32_t scalars[128];

  bool scc = false;
  bool vskip = false;
  bool traced = false;
  /// Traced, or its instructions are counted.
  bool watched = false;
  /// s_set_gpr_idx: VSRC0, VSRC1, VSRC2, VDST enables in bits 0..3, or 0.
  uint8_t gprIndexMode = 0;
  WaveStatus status = WaveStatus::Running;
  uint32_t mode = 0;
  /// Index of the instruction after the one that runs.
  uint32_t nextPc = 0;
  uint32_t waveInGroup = 0;
  uint64_t executed = 0; ///< instructions
  uint64_t writes = 0;   ///< stores and atomics, to memory, LDS or scratch
  uint32_t barriers = 0; ///< reached
  uint32_t trapStatus = 0;
  /// Read by s_getreg: XCC_ID, HW_ID, GPR_ALLOC, LDS_ALLOC.
  uint32_t xccId = 0, hwId = 0, gprAlloc = 0, ldsAlloc = 0;
  /// The instruction that runs, or ran last.
  uint32_t pc = 0;
  /// SGPRs that hold a value at the start.
  uint8_t initialScalars = 0;
  /// Device address of virtual address 0 of the code object.
  uint64_t codeBase = 0;

  /// Unsettled facts of the hardware, from EmulatorOptions.
  bool rangeCheckIncludesSoffset = true;
  bool dropLowAddressBits = false;
  bool swapsPairs = false; ///< PermlaneSwap::Pair
  bool swapsAll = false;   ///< PermlaneSwap::All
  uint8_t ldsCopyX3Step = 16;

  MfmaCache *mfmaCache = nullptr;
  const TargetInfo *target = nullptr;
  Workgroup *group = nullptr;
  MemorySystem *memory = nullptr;
  uint8_t *lds = nullptr;
  uint32_t ldsBytes = 0; ///< allocated, a multiple of 4
  /// Scratch of the wave, scratchBytes a lane, lane after lane.
  uint8_t *scratch = nullptr;
  uint32_t scratchBytes = 0;
  /// Where recent direct-to-LDS copies read, to fetch ahead.
  static constexpr unsigned numRecentCopies = 512;
  RecentCopy recentCopies[numRecentCopies] = {};
  WaveChecker *checked = nullptr; ///< state of checking mode, else null
  /// Why the status is Failed (static text).
  const char *failure = nullptr;

  uint64_t pair(unsigned code) const {
    return scalars[code] | uint64_t(scalars[code + 1]) << 32;
  }
  void setPair(unsigned code, uint64_t value) {
    scalars[code] = uint32_t(value);
    scalars[code + 1] = uint32_t(value >> 32);
  }
  uint64_t exec() const { return pair(ScalarExec); }
  uint64_t vcc() const { return pair(ScalarVcc); }
  uint32_t m0() const { return scalars[ScalarM0]; }

  /// Stops the wave; the launch reports \p why with address and text.
  void fail(const char *why) {
    status = WaveStatus::Failed;
    failure = why;
  }
};

/// Continues at device address \p address; fails the wave if no instruction
/// starts there.
void jumpTo(Wave &w, uint64_t address);

} // namespace emu
} // namespace fly

#endif // FLY_EMULATOR_WAVE_H
