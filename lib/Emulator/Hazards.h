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
/// permlane swap, behind it and behind a wide store. The two states that LLVM
/// puts between a VALU's write of an SGPR and a VALU's read are not asked for:
/// such kernels leave them out everywhere.
///
/// All rules look at the last writer of a register only: the instructions of a
/// kind execute in order.

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
  bool isMfma = false, isXdl = false, isDgemm = false;
  bool isValu = false; ///< other than MFMA
  bool isTrans = false, isDot = false, isDpp = false, isPermlaneSwap = false;
  bool isDivFmas = false, isFmaF64 = false;
  bool isLaneMove = false; ///< v_readlane, v_readfirstlane, v_writelane
  bool readsLane = false;  ///< the first two
  int16_t laneSelect = -1; ///< the SGPR that names the lane
  bool needsM0 = false;    ///< s_movrel, s_sendmsg, ds_*_addtid
  bool writesPart = false; ///< of a register, by op_sel or SDWA
  bool valuWritesExec = false;
  bool isMemory = false; ///< VMEM, FLAT or DS
  bool isVmem = false, isDirectToLds = false;
  /// Until the data of a store of more than 64 bits may be overwritten.
  uint8_t storeWaits = 0;
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

/// Wait states after a matrix instruction.
struct MfmaWaits {
  unsigned operand; ///< until a matrix instruction may read its result as A, B
  unsigned sameC;   ///< all of it, and no more, as C
  unsigned partC;   ///< as C else
  unsigned read, memory; ///< until a VALU or memory instruction may read it
  unsigned overwrite;
  unsigned sourceC; ///< until its source C may be overwritten
};
MfmaWaits mfmaWaits(const HazardInfo &from, const HazardInfo &to,
                    bool isGfx950);

/// The recent instructions of one wave.
class HazardTracker {
public:
  HazardTracker(const LaunchContext &context, const Wave &wave);
  void start();
  void step(const ExecInst &inst, const CheckInfo &info,
            const HazardInfo &hazard);

private:
  /// When something happened, and which instruction did it.
  struct Event {
    uint32_t time = 0, index = 0;
  };
  struct MfmaEvent : Event {
    const HazardInfo *hazard = nullptr;
  };

  /// The live matrix instructions, oldest first.
  struct MfmaList {
    static constexpr unsigned capacity = 32;
    MfmaEvent events[capacity];
    unsigned count = 0;
    void add(const MfmaEvent &event);
    void expire(uint32_t now);
  };

  bool matters(const uint32_t *until, RowRange rows) const;
  bool concernsMfma(const CheckInfo &info, const HazardInfo &hazard) const;
  /// Wait states between the event and now.
  uint32_t since(const Event &event) const { return now - event.time - 1; }
  /// The last of the events of the rows.
  static const Event &latest(const Event *events, RowRange rows);
  void checkAfterMfma(const MfmaEvent &event, const ExecInst &inst,
                      const CheckInfo &info, const HazardInfo &hazard);
  void checkValuResults(const ExecInst &inst, const CheckInfo &info,
                        const HazardInfo &hazard);
  void checkSpecialResult(const Event &event, const ExecInst &inst,
                          const HazardInfo &hazard, bool isRead, bool isAOrB);
  void checkSpecialResults(const ExecInst &inst, const CheckInfo &info,
                           const HazardInfo &hazard);
  void checkValuScalars(const ExecInst &inst, const CheckInfo &info,
                        const HazardInfo &hazard);
  void checkHardwareRegisters(const ExecInst &inst, const HazardInfo &hazard);
  void rememberMfma(const ExecInst &inst, const HazardInfo &hazard);
  void rememberValu(const ExecInst &inst, const CheckInfo &info,
                    const HazardInfo &hazard);
  void require(const Event &event, const ExecInst &inst, unsigned need,
               llvm::StringRef rule, bool lint = false);
  const HazardInfo &hazardOf(const Event &event) const;

  const LaunchContext &context;
  const Wave &wave;
  bool isGfx950;
  uint32_t now = 0;
  MfmaList mfmas;
  /// Until when a matrix instruction's write of a row, or its read as C, can
  /// make trouble.
  uint32_t writeMatters[512], readMatters[512];
  /// When a matrix instruction wrote a row, or read it as C.
  uint32_t mfmaWrote[512], mfmaReadC[512];
  /// Writes of rows and of scalars by the VALU; reads by wide stores.
  Event valuWrote[512], scalarWrote[128], storeRead[512];
  Event execWrote, m0Wrote, registerSet, dgemm;
  /// The last VALU result that not everything may read at once, the last SGPR
  /// that the VALU wrote and the last wide store.
  uint32_t specialTime = 0, scalarTime = 0, storeTime = 0;
  uint8_t setRegister = 0;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_HAZARDS_H
