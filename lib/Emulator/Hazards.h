//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Wait states that software must put between instructions (CDNA3 and CDNA4 ISA
/// manuals, "Manually Inserted Wait States"; the numbers are those that LLVM's
/// hazard recognizer uses). An instruction counts as one wait state, s_nop N as
/// N + 1. Internal to Emulator.
///
/// A violation is an error, but a lint where shipped hand-written kernels that
/// work on hardware have it too: MFMA result read by VALU or memory
/// instructions, M0 before a direct-to-LDS load, the second wait state before a
/// permlane swap.

#ifndef FLY_LIB_EMULATOR_HAZARDS_H
#define FLY_LIB_EMULATOR_HAZARDS_H

#include "CheckTables.h"

namespace fly {
namespace emu {

struct LaunchContext;

/// What the rules ask of one instruction.
struct HazardInfo {
  uint8_t waitStates = 1;
  uint8_t passes = 0; ///< of a matrix instruction, 4 clocks each
  bool isMfma = false, isXdl = false;
  bool isValu = false; ///< other than MFMA
  bool isTrans = false, isDpp = false, isPermlaneSwap = false;
  bool isDivFmas = false, isLaneSelect = false, isMovRel = false;
  bool writesPart = false; ///< of a register, by op_sel or SDWA
  bool valuWritesExec = false;
  bool isMemory = false; ///< VMEM, FLAT or DS
  bool isVmem = false, isDirectToLds = false;
  bool isWideStore = false; ///< more than 64 bits of data
  bool isSetReg = false, isGetReg = false;
  uint8_t hwRegister = 0;
  RowRange srcA, srcB, srcC, dst; ///< of a matrix instruction
  RowRange indices;               ///< of a sparse one
  RowRange storeData;
};

HazardInfo makeHazardInfo(const ExecInst &inst);

/// Cycles of 4 clocks that the matrix instruction \p key takes. \p has8Bit: an
/// f8f6f4 form with an 8-bit operand.
unsigned mfmaPasses(llvm::StringRef key, bool has8Bit, bool isGfx950);

/// The recent instructions of one wave.
class HazardTracker {
public:
  HazardTracker(const LaunchContext &context, const Wave &wave);
  void start();
  void step(const ExecInst &inst, const CheckInfo &info,
            const HazardInfo &hazard);

private:
  enum class Cause : uint8_t {
    Trans,
    PartialWrite,
    ValuWrite, ///< of a VGPR
    ValuScalar,
    ValuExec,
    WideStore
  };
  struct Event {
    uint32_t time = 0, index = 0;
    Cause cause = Cause::Trans;
    const CheckInfo *info = nullptr;
    const HazardInfo *hazard = nullptr;
  };

  /// The live events of one kind, oldest first.
  struct EventList {
    static constexpr unsigned capacity = 32;
    Event events[capacity];
    unsigned count = 0;
    void add(const Event &event);
    void expire(uint32_t now);
  };

  bool matters(const uint32_t *until, RowRange rows) const;
  bool concernsMfma(const CheckInfo &info, const HazardInfo &hazard) const;
  /// Wait states between the event and now.
  uint32_t since(const Event &event) const { return now - event.time - 1; }
  void check(const Event &event, const ExecInst &inst, const CheckInfo &info,
             const HazardInfo &hazard);
  void checkAfterMfma(const Event &event, const ExecInst &inst,
                      const CheckInfo &info, const HazardInfo &hazard);
  void checkScalars(const ExecInst &inst, const HazardInfo &hazard);
  void remember(Cause cause, const ExecInst &inst, const CheckInfo &info,
                const HazardInfo &hazard);
  void require(const Event &event, const ExecInst &inst, unsigned need,
               llvm::StringRef rule, bool lint = false);

  const LaunchContext &context;
  const Wave &wave;
  bool isGfx950;
  uint32_t now = 0;
  EventList mfmas, others;
  /// Until when a matrix instruction's write of a row, or its read as C, can
  /// make trouble.
  uint32_t writeMatters[512], readMatters[512];
  uint32_t m0Time = 0, m0Index = 0, setRegTime = 0, setRegIndex = 0;
  bool m0Written = false, setRegSeen = false;
  uint8_t setRegister = 0;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_HAZARDS_H
