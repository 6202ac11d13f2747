//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Runs the linked machine code of a gfx950 or gfx942 code object on the CPU,
/// whoever compiled it. See docs/emulator.md.
///
/// \code
///   auto emulator = cantFail(Emulator::create("gfx950", EmulatorOptions()));
///   auto module = cantFail(emulator->load(bytes));
///   uint64_t buffer = cantFail(emulator->memory().allocate(4096));
///   LaunchParams params;
///   params.kernel = "k"; params.grid = {16, 1, 1}; params.block = {256, 1, 1};
///   params.kernargs = kernargBytes;
///   LaunchResult result = cantFail(emulator->launch(*module, params));
/// \endcode

#ifndef FLY_EMULATOR_EMULATOR_H
#define FLY_EMULATOR_EMULATOR_H

#include "fly/Arch/TargetInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fly {

class AccessObserver;

/// How an MFMA rounds its sum (what is known: docs/emulator.md).
enum class MfmaRounding {
  SequentialFused, ///< one fused multiply-add after another, k ascending
  ExactThenRound,  ///< exact sum of all products and C, rounded once
  Cdna3Grouped     ///< the published grouped scheme of gfx942
};

/// Asks the launches that look at it to stop. cancel() may be called from any
/// thread, and from a signal handler.
class CancellationToken {
public:
  void cancel() { cancelled.store(true, std::memory_order_relaxed); }
  bool isCancelled() const { return cancelled.load(std::memory_order_relaxed); }

private:
  static_assert(std::atomic<bool>::is_always_lock_free,
                "signal handlers may use lock-free atomics only");
  std::atomic<bool> cancelled{false};
};

/// How far a launch is.
struct LaunchProgress {
  uint64_t endedWorkgroups = 0;
  uint64_t workgroups = 0;   ///< of the whole grid
  uint64_t instructions = 0; ///< executed so far, over all waves
  double seconds = 0;        ///< since the start of the launch
};

/// What an E8M0 scale of 0 stands for.
enum class ScaleZero {
  Minus127, ///< 2^-127, as the format says
  Minus126, ///< 2^-126, the least normal f32
  Flush     ///< 0
};

/// Which lanes v_permlane16_swap and v_permlane32_swap write.
enum class PermlaneSwap {
  Lane, ///< the active ones, each by itself
  Pair, ///< both of a pair, if both are active
  All   ///< all, whatever EXEC is
};

/// Which of LLVM's wait states after a matrix instruction the hardware is taken
/// to need.
enum class MfmaInterlock {
  None,    ///< all of them
  Results, ///< not those before VALU and memory instructions read its result
  All      ///< none of them
};

/// One wave of a launch, or all of a workgroup.
struct TracedWave {
  uint64_t workgroup = 0; ///< linear, x fastest
  /// In the workgroup; all of them if it is not given.
  std::optional<unsigned> wave;
};

struct EmulatorOptions {
  /// Checking mode: data lands as late as the ISA allows, and races, early
  /// reads, uninitialised reads, bad addresses and hangs are reported.
  bool check = true;
  /// Worker threads; 0 is one a core.
  unsigned threads = 0;
  /// Order-dependent atomics follow workgroup order.
  bool deterministic = false;
  MfmaRounding mfmaRounding = MfmaRounding::SequentialFused;
  /// Buffer range checks include SOFFSET (observed on gfx950).
  bool rangeCheckIncludesSoffset = true;
  /// Misaligned accesses drop the low address bits instead of working.
  bool dropLowAddressBits = false;
  ScaleZero scaleZero = ScaleZero::Minus127;
  PermlaneSwap permlaneSwap = PermlaneSwap::Lane;
  MfmaInterlock mfmaInterlock = MfmaInterlock::Results;
  /// Wait states from a VALU instruction to a matrix instruction that reads its
  /// result: 2 by LLVM and by the CDNA3 ISA manual 7.6.
  unsigned valuToMfmaWaits = 2;
  /// Bytes in LDS from one lane to the next of a three-dword direct-to-LDS
  /// load: 16 by the CDNA4 ISA manual, 12 by other emulators.
  unsigned ldsCopyX3Step = 16;
  /// Plain LDS accesses have to be ordered with the atomics of other waves,
  /// even those of one aligned element of at most 8 bytes, which compilers make
  /// of relaxed atomic loads and stores.
  bool orderLdsAtomics = false;
  /// Scratch of a lane, in bytes, at least, of a kernel whose stack the
  /// compiler could not size (recursion, calls through pointers, arrays of
  /// run-time size).
  uint32_t dynamicStackBytes = 16384;
  /// Instructions one wave may execute before the launch is called endless; 0
  /// is 2^28, or 2^26 in checking mode: some seconds of one wave.
  uint64_t maxInstructionsPerWave = 0;
  /// Somebody else may write to the memory while a launch runs (another thread,
  /// through DeviceMemory or mapped memory): waves that poll memory which no
  /// wave will write are not called deadlocked.
  bool memoryIsShared = false;
  /// Reports kept, of errors and of lints each; further ones are counted only.
  unsigned maxReports = 100;
  /// Prints every instruction that the tracedWaves execute, before they do,
  /// with EXEC and SCC, and the LDS addresses of its accesses, a store's with
  /// "=" and its bytes in hex. Each line begins with "WORKGROUP,WAVE: ".
  llvm::raw_ostream *trace = nullptr;
  std::vector<TracedWave> tracedWaves;
  /// Counts how often each instruction is executed: LaunchResult::counts.
  bool countInstructions = false;
  /// Stops launches with LaunchCancelled, within some 100000 instructions of
  /// each thread; not owned, may be null.
  const CancellationToken *cancellation = nullptr;
  /// Called about ten times a second while a launch runs, by one of its threads
  /// at a time.
  std::function<void(const LaunchProgress &)> progress;
  /// Told of every vector memory access (Observer.h); not owned, may be null.
  AccessObserver *observer = nullptr;
};

/// One finding of checking mode.
struct Report {
  enum class Severity { Error, Lint };
  Severity severity = Severity::Error;
  /// "lds-race", "early-register-read", "uninitialised-read", ...
  std::string kind;
  /// The whole finding: both accesses with program counter, disassembly, wave,
  /// lane and address, and the wait or barrier that would have ordered them.
  std::string message;
  /// How often this pair of instructions was found.
  uint64_t count = 1;
};

/// How often the waves of a launch executed one instruction.
struct InstructionCount {
  uint64_t address = 0; ///< virtual, as in the object
  std::string text;     ///< disassembly
  uint64_t count = 0;
};

struct LaunchParams {
  std::string kernel;
  std::array<uint32_t, 3> grid = {1, 1, 1};  ///< workgroups
  std::array<uint32_t, 3> block = {1, 1, 1}; ///< threads
  llvm::ArrayRef<uint8_t> kernargs;
  uint32_t dynamicLdsBytes = 0;
};

struct LaunchResult {
  std::vector<Report> reports;
  uint64_t suppressedReports = 0;
  uint64_t instructions = 0; ///< executed, over all waves
  /// Of what was executed, by address; with countInstructions only.
  std::vector<InstructionCount> counts;
  bool hung = false;   ///< deadlock or endless loop, also in reports
  bool passed() const; ///< no report of severity Error
};

/// The error of a launch that was cancelled: memory is as the waves left it.
class LaunchCancelled : public llvm::ErrorInfo<LaunchCancelled> {
public:
  static char ID;
  LaunchCancelled(const LaunchProgress &progress, LaunchResult partial)
      : progress(progress), partial(std::move(partial)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  LaunchProgress progress;
  LaunchResult partial; ///< with what was found so far
};

/// Device memory: allocations at 64-bit addresses with guard gaps between them.
class DeviceMemory {
public:
  virtual ~DeviceMemory() = default;
  /// A zero-filled allocation of \p bytes, aligned to 256.
  virtual llvm::Expected<uint64_t> allocate(uint64_t bytes) = 0;
  virtual llvm::Error free(uint64_t address) = 0;
  virtual llvm::Error copyToDevice(uint64_t address,
                                   llvm::ArrayRef<uint8_t> data) = 0;
  virtual llvm::Error copyToHost(llvm::MutableArrayRef<uint8_t> data,
                                 uint64_t address) = 0;
  /// Makes \p bytes of the host's memory from \p host on an allocation, whose
  /// device address is the host's. free() takes it back and leaves the memory.
  virtual llvm::Expected<uint64_t> map(void *host, uint64_t bytes) = 0;
  /// Where the host finds [\p address, +\p bytes) until it is freed.
  virtual llvm::Expected<uint8_t *> hostPointer(uint64_t address,
                                                uint64_t bytes) = 0;
};

/// A loaded code object.
class EmulatorModule {
public:
  virtual ~EmulatorModule() = default;
  virtual std::vector<std::string> kernelNames() const = 0;
  /// Device address to which the object's virtual address 0 was moved.
  virtual uint64_t loadBase() const = 0;
};

class Emulator {
public:
  static llvm::Expected<std::unique_ptr<Emulator>>
  create(llvm::StringRef arch, const EmulatorOptions &options);
  virtual ~Emulator() = default;

  virtual const TargetInfo &target() const = 0;
  virtual DeviceMemory &memory() = 0;
  /// Fails on a broken ELF and on an object of another arch, naming both.
  virtual llvm::Expected<std::unique_ptr<EmulatorModule>>
  load(llvm::ArrayRef<uint8_t> object) = 0;
  /// Runs the whole grid. An error means that the launch could not run (unknown
  /// kernel, impossible block or LDS size, unknown instruction, ...) or was
  /// cancelled (LaunchCancelled).
  virtual llvm::Expected<LaunchResult> launch(const EmulatorModule &module,
                                              const LaunchParams &params) = 0;
};

} // namespace fly

#endif // FLY_EMULATOR_EMULATOR_H
