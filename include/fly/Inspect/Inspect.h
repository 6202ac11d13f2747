//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What a kernel of a code object is made of, whoever compiled it: resources,
/// occupancy, and its hot loop. Everything is read from the object; only LDS
/// bank conflicts come from a run on the emulator. See docs/inspect.md.
///
/// \code
///   CodeObject object = cantFail(CodeObject::readFile("k.hsaco"));
///   Disassembly code = cantFail(object.disassemble());
///   KernelReport report =
///       inspectKernel(object, code, object.kernels()[0], InspectOptions());
///   printReport(report, llvm::outs());
/// \endcode

#ifndef FLY_INSPECT_INSPECT_H
#define FLY_INSPECT_INSPECT_H

#include "fly/CodeObject/CodeObject.h"
#include "fly/CodeObject/Manifest.h"
#include "fly/Inspect/BankConflicts.h"
#include "fly/Inspect/InstructionMix.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace fly {

/// What is known beside the code object.
struct InspectOptions {
  /// Threads of a workgroup in a launch; 0: what the object says.
  unsigned workgroupSize = 0;
  uint32_t dynamicLdsBytes = 0;
  /// The kernel's manifest, or null: workgroup size, tile, K step.
  const Manifest *manifest = nullptr;
  /// What a run saw, or null: nothing was executed.
  const BankConflictObserver *executed = nullptr;
};

struct Resources {
  unsigned vgprs = 0, agprs = 0, sgprs = 0; ///< used, of one wave
  unsigned accumOffset = 0;                 ///< VGPRs before the first AGPR
  unsigned allocatedRegisters = 0; ///< VGPR and AGPR together, in granules
  unsigned vgprSpills = 0, sgprSpills = 0;
  uint32_t ldsBytes = 0, allocatedLdsBytes = 0;
  uint32_t scratchBytes = 0; ///< a lane
  uint32_t kernargBytes = 0;
  uint32_t workgroupSize = 0; ///< threads; 0 if nothing states it
  /// "launch", "manifest", "required", "maximum" or "unknown".
  std::string workgroupSizeFrom = "unknown";
};

/// How many waves a compute unit holds at a time.
struct Occupancy {
  unsigned wavesPerWorkgroup = 1;
  unsigned workgroupsPerCu = 0; ///< 0: one alone does not fit
  double wavesPerSimd = 0;
  /// What keeps it from one workgroup more: "registers", "lds", "waves".
  std::vector<std::string> limitedBy;
};

/// LDS bank conflicts of the executed instructions of a region.
struct ConflictReport {
  struct Instruction {
    uint64_t address = 0;
    std::string text;
    uint64_t executions = 0;
    double factor = 0;
  };
  BankCycles reads, writes;
  std::vector<Instruction> conflicting; ///< factor above 1
};

/// A stretch of code: the hot loop, or all of the kernel.
struct Region {
  uint64_t beginAddress = 0, endAddress = 0;
  uint64_t bytes = 0; ///< of the instructions that belong to it
  InstructionMix mix;
  /// K that one pass takes the accumulators forward by; none if not known.
  std::optional<double> k;
  unsigned fullVmWaits = 0;   ///< vmcnt(0) between MFMA
  unsigned fullLgkmWaits = 0; ///< lgkmcnt(0) between MFMA, no barrier between
  unsigned movedAccumulators = 0;          ///< MFMA whose D is not its C
  std::optional<ConflictReport> conflicts; ///< none: nothing was executed
};

/// Something that costs speed, found in the hot loop, or in the whole kernel
/// if it has no loop.
struct Flag {
  /// "full-drain", "accumulator-copies", "half-rate-mfma", "scratch",
  /// "bank-conflicts".
  std::string kind;
  unsigned count = 0; ///< instructions
  std::string message;
};

struct KernelReport {
  std::string kernel, arch;
  Resources resources;
  Occupancy occupancy;
  Region code; ///< all instructions that the entry reaches
  std::optional<Region> hotLoop;
  double kStep = 0; ///< the manifest's tile_k, else 0: one pass of the loop
  bool executed = false;
  std::vector<Flag> flags;

  /// What the flags are about.
  const Region &hotRegion() const { return hotLoop ? *hotLoop : code; }
};

/// \p code is that of \p object, and \p kernel one of its kernels.
KernelReport inspectKernel(const CodeObject &object, const Disassembly &code,
                           const Kernel &kernel, const InspectOptions &options);

/// Resources and occupancy alone; \p code is all that the kernel's entry
/// reaches.
Resources resourcesOf(const CodeObject &object, const Kernel &kernel,
                      llvm::ArrayRef<const Instruction *> code,
                      const InspectOptions &options);
Occupancy occupancyOf(const TargetInfo &target, const Resources &resources);

void printReport(const KernelReport &report, llvm::raw_ostream &os);
llvm::json::Value toJSON(const KernelReport &report);

} // namespace fly

#endif // FLY_INSPECT_INSPECT_H
