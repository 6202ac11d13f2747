//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Inspect/Inspect.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;

namespace fly {

/// Registers are given out eight a lane at a time (LLVM AMDGPUUsage, gfx90a
/// and later).
static constexpr unsigned registerGranule = 8;

/// The registers' numbers are the note's, which counts VGPR and AGPR together.
/// Hand-written notes may leave the AGPRs out, and some objects have no note:
/// then the AGPRs are those that the code names.
static void countRegisters(const Kernel &kernel,
                           ArrayRef<const Instruction *> code,
                           Resources &result) {
  const KernelDescriptor &d = kernel.descriptor;
  result.accumOffset = d.accumOffset;
  result.allocatedRegisters = unsigned(alignTo(d.vgprs, registerGranule));
  unsigned all = kernel.hasMetadata ? kernel.vgprCount : d.vgprs;
  result.sgprs = kernel.sgprCount;
  result.agprs = std::min(kernel.agprCount, all);
  result.vgprs = all - result.agprs;
  if (result.agprs)
    return;
  for (const Instruction *inst : code)
    for (const Operand &op : inst->operands())
      if (op.file == RegFile::Agpr)
        result.agprs = std::max<unsigned>(result.agprs, op.index + op.dwords);
  if (result.agprs || !kernel.hasMetadata)
    result.vgprs = std::min(all, d.accumOffset);
}

static void findWorkgroupSize(const Kernel &kernel,
                              const InspectOptions &options,
                              Resources &result) {
  const auto &required = kernel.requiredWorkgroupSize;
  auto set = [&](uint32_t threads, const char *from) {
    result.workgroupSize = threads;
    result.workgroupSizeFrom = from;
  };
  if (options.workgroupSize)
    set(options.workgroupSize, "launch");
  else if (options.manifest)
    set(options.manifest->workgroupSize, "manifest");
  else if (required[0] && required[1] && required[2])
    set(required[0] * required[1] * required[2], "required");
  else if (kernel.maxFlatWorkgroupSize)
    set(kernel.maxFlatWorkgroupSize, "maximum");
}

Resources resourcesOf(const CodeObject &object, const Kernel &kernel,
                      ArrayRef<const Instruction *> code,
                      const InspectOptions &options) {
  Resources result;
  countRegisters(kernel, code, result);
  findWorkgroupSize(kernel, options, result);
  result.vgprSpills = kernel.vgprSpills;
  result.sgprSpills = kernel.sgprSpills;
  result.ldsBytes =
      kernel.descriptor.groupSegmentBytes + options.dynamicLdsBytes;
  result.allocatedLdsBytes =
      uint32_t(alignTo(result.ldsBytes, object.target().ldsGranuleBytes));
  result.scratchBytes = kernel.descriptor.privateSegmentBytes;
  result.kernargBytes = kernel.kernargBytes();
  return result;
}

Occupancy occupancyOf(const TargetInfo &target, const Resources &resources) {
  Occupancy result;
  unsigned threads = std::max(resources.workgroupSize, 1u);
  result.wavesPerWorkgroup = unsigned(divideCeil(threads, target.waveSize));
  // A workgroup's waves are dealt over the SIMDs; one of fewer waves than
  // SIMDs leaves the others to the next workgroup.
  auto groupsFor = [&](unsigned wavesPerSimd) {
    if (result.wavesPerWorkgroup < target.simdsPerCu)
      return wavesPerSimd * target.simdsPerCu / result.wavesPerWorkgroup;
    return wavesPerSimd /
           unsigned(divideCeil(result.wavesPerWorkgroup, target.simdsPerCu));
  };
  unsigned registers = std::max(resources.allocatedRegisters, registerGranule);
  unsigned byWaves = groupsFor(target.maxWavesPerSimd);
  unsigned byRegisters = groupsFor(target.registersPerSimd / registers);
  unsigned byLds = resources.allocatedLdsBytes
                       ? target.ldsBytes / resources.allocatedLdsBytes
                       : ~0u;
  result.workgroupsPerCu = std::min({byWaves, byRegisters, byLds});
  result.wavesPerSimd = double(result.workgroupsPerCu) *
                        result.wavesPerWorkgroup / target.simdsPerCu;
  if (byRegisters == result.workgroupsPerCu)
    result.limitedBy.push_back("registers");
  if (byLds == result.workgroupsPerCu)
    result.limitedBy.push_back("lds");
  if (byWaves == result.workgroupsPerCu)
    result.limitedBy.push_back("waves");
  return result;
}

} // namespace fly
