//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Checking mode's view of one wave: which accesses are in flight, what each
/// register waits for, and which registers have been written. Internal to
/// Emulator.
///
/// Landing. Each counter has accesses that return in order and others that
/// return in any order (vmcnt: FLAT; lgkmcnt: SMEM and FLAT). A wait for n
/// proves of the ordered ones that all but the last n have returned, and of the
/// others nothing unless n is 0. An access lands when its waits prove that it
/// must have: that is as late as the ISA allows. A counter that is full forces
/// the oldest ordered access.

#ifndef FLY_LIB_EMULATOR_WAVECHECKER_H
#define FLY_LIB_EMULATOR_WAVECHECKER_H

#include "CheckTables.h"
#include "Hazards.h"
#include "LaunchContext.h"
#include "MemoryAccess.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <memory>

namespace fly {
namespace emu {

class LdsShadow;

/// The ordered streams of LDS accesses that a wave has.
enum Stream : unsigned { StreamLds = 0, StreamVm = 1, numStreams = 2 };

class WaveChecker {
public:
  WaveChecker(const LaunchContext &context, Wave &wave, LdsShadow &shadow,
              MemorySystem &memory);

  void start();
  void before(Wave &w, const ExecInst &inst) {
    const CheckInfo &info = context.tables->of(inst);
    before(w, inst, info);
    hazards.step(inst, info, context.tables->hazardOf(inst));
  }
  void after(Wave &w, const ExecInst &inst) {
    after(w, inst, context.tables->of(inst));
  }
  void before(Wave &w, const ExecInst &inst, const CheckInfo &info);
  void after(Wave &w, const ExecInst &inst, const CheckInfo &info);

  MemoryAccess &begin(const ExecInst &inst);
  void submit(MemoryAccess &access);
  void submitScalar(const ScalarAccess &access);
  void wait(WaitCount count);
  void passBarrier();
  /// Lands everything; the data of what was not waited for is unordered for
  /// the other waves.
  void end();
  /// Performs stores that are still in flight, and what comes before them, so
  /// that other workgroups which spin on them see them at last. Nothing counts
  /// as waited for.
  void performStores();
  /// Performs what is in flight and touches the same global memory as \p next,
  /// if one of the two writes it, and what comes before that. Of the wave that
  /// issues \p next itself (\p isOwn) a queue is in order anyway, but not FLAT
  /// against the others.
  void performMet(const MemoryAccess &next, bool isOwn);

  /// All accesses of \p stream below this sequence number have landed.
  uint32_t landed[numStreams];
  /// The same when the wave passed its last barrier: those are before
  /// everything that any wave does now.
  uint32_t landedAtBarrier[numStreams];
  /// The instruction of a recent access, or -1 if it is too long ago.
  int64_t instructionOf(Stream stream, uint32_t sequence) const;
  /// The LDS instruction of that number, if it is still in flight.
  const MemoryAccess *pendingLds(uint32_t sequence) const;
  /// The s_waitcnt that would have proved an access of \p stream, given what
  /// has been issued since.
  std::string waitFor(Stream stream, uint32_t sequence) const;

private:
  struct Recent {
    uint32_t sequence = 0, index = 0;
  };
  static constexpr unsigned numRecent = 1024;

  void perform(MemoryAccess *access);
  /// Performs the accesses of a queue up to the last that \p matters.
  template <typename Queue, typename Matters>
  void performUpTo(Queue &queue, Matters matters);
  void land(MemoryAccess *access);
  void landScalars();
  void addPending(const MemoryAccess &access, int delta);
  void forceFull();
  void checkAlignment(const MemoryAccess &access);
  void reportRegister(const ExecInst &inst, unsigned row, uint64_t lanes);
  void spread(const ExecInst &inst, const CheckInfo &info, unsigned source,
              bool isPair, bool isHigh, unsigned row, uint64_t lanes);
  /// Whether nobody has written the scalar register, nor is about to.
  bool isUnwritten(unsigned code) const;
  /// Calls body(source, dword) for what of \p inst is such a register; false as
  /// soon as that is.
  template <typename Body>
  bool forEachUnwritten(const ExecInst &inst, const CheckInfo &info,
                        Body body) const;
  bool spreadScalars(const ExecInst &inst, const CheckInfo &info);
  void reportUnallocated(const ExecInst &inst, const CheckInfo &info);
  void reportScalar(const ExecInst &inst, const CheckInfo &info);
  void checkRows(const ExecInst &inst, RowRange range, bool isWrite,
                 uint64_t lanes);
  void checkWritten(const ExecInst &inst, const CheckInfo &info, unsigned read,
                    uint64_t lanes);
  uint8_t undefinedHalves(const ExecInst &inst, const CheckInfo &info) const;
  void checkScalarsWritten(const ExecInst &inst, const CheckInfo &info);
  void setWritten(const CheckInfo &info, uint64_t lanes);
  void writeBytes(unsigned row, unsigned bytes, uint64_t lanes) {
    if (LLVM_LIKELY(bytes == 15 && partial.empty()))
      written[row] |= lanes;
    else
      writePart(row, bytes, lanes);
  }
  void forgetPart(unsigned row, uint64_t lanes);
  void writePart(unsigned row, unsigned bytes, uint64_t lanes);
  uint64_t lanesWithBytes(unsigned row, unsigned bytes, bool all) const;
  const MemoryAccess *findPending(unsigned row, uint64_t lanes, bool ignoreVm,
                                  bool ignoreLds) const;
  std::string nameOf(unsigned row) const;
  static std::string nameOfScalar(unsigned code);
  std::string who() const;

  const LaunchContext &context;
  Wave &wave;
  LdsShadow &shadow;
  MemorySystem &memory;

  std::vector<std::unique_ptr<MemoryAccess>> pool;
  std::vector<MemoryAccess *> unused;
  std::deque<MemoryAccess *> vm, lds;
  struct FlatPending {
    MemoryAccess *access;
    bool vmDone, ldsDone;
  };
  std::vector<FlatPending> flat;
  static MemoryAccess *accessOf(MemoryAccess *access) { return access; }
  static MemoryAccess *accessOf(const FlatPending &pending) {
    return pending.access;
  }
  /// At least what \c vm and \c flat read and write of global memory.
  AddressRange reads, writes;
  std::vector<ScalarAccess> scalars;
  unsigned scalarCount = 0; ///< what the SMEM in flight add to lgkmcnt
  uint32_t issued[numStreams];
  std::vector<Recent> recent[numStreams];

  HazardTracker hazards;
  unsigned numVgprs, numAgprs; ///< allocated
  uint8_t pendingCount[512];
  /// Rows with an access in flight, or with lanes nobody has written.
  BitSet<512> suspicious;
  uint64_t written[512];
  /// Lanes of rows that are written in part, byte by byte. Only lanes that are
  /// not in \c written count.
  struct PartialRow {
    uint64_t bytes[4] = {0, 0, 0, 0};
  };
  llvm::SmallDenseMap<unsigned, PartialRow, 4> partial;
  static constexpr unsigned numRows = 512;
  /// The instruction that first read what a row's value comes from, and the
  /// row that nobody had written, or numRows + the code of a scalar;
  /// meaningful where \c written has gaps.
  struct Origin {
    uint32_t index = 0;
    uint16_t row = 0;
    bool isSet = false;
  };
  Origin origins[512], spreading;
  /// Lanes of the low and the high dword of the running instruction's result
  /// that come from registers nobody wrote.
  uint64_t undefined[2] = {0, 0};
  uint8_t undefinedScalar = 0; ///< bit i: dword i of the result, 3: all
  BitSet<128> scalarPending, scalarUnwritten;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_WAVECHECKER_H
