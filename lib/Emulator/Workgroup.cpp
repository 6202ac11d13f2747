//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Workgroup.h"

#include "CheckedMemory.h"
#include "FastMemory.h"
#include "ObservedMemory.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace emu {

/// What registers and LDS hold before anybody wrote them: a NaN with a mark.
static constexpr uint32_t unwrittenDword = 0xffc0dead;

Workgroup::Workgroup(const LaunchContext &context) : context(context) {
  for (unsigned i = 0; i != context.wavesPerGroup; ++i)
    waves.push_back(std::make_unique<Wave>());
  // Slack in front, so that the start can be aligned.
  ldsStorage.resize(context.ldsBytes + 64);
  scratchStorage.resize(size_t(context.scratchBytes) * waveLanes *
                        context.wavesPerGroup);
  if (context.options.countInstructions)
    counts.resize(context.program.code().size());
  if (context.options.check)
    memory = std::make_unique<CheckedMemory>(context, *this);
  else
    memory = std::make_unique<FastMemory>(context);
  if (AccessObserver *observer = context.options.observer)
    observed = std::make_unique<ObservedMemory>(*memory, *observer);
}

Workgroup::~Workgroup() = default;

uint64_t Workgroup::executed() const {
  uint64_t sum = 0;
  for (const auto &wave : waves)
    sum += wave->executed;
  return sum;
}

void Workgroup::start(uint64_t linear) {
  linearId = linear;
  const auto &grid = context.params.grid;
  id = {uint32_t(linear % grid[0]), uint32_t(linear / grid[0] % grid[1]),
        uint32_t(linear / grid[0] / grid[1])};
  barriers = 0;
  quiet = polled = false;
  quietSince = -1;
  loops.assign(waves.size(), std::nullopt);
  auto misaligned = reinterpret_cast<uintptr_t>(ldsStorage.data()) % 64;
  uint8_t *lds = ldsStorage.data() + (misaligned ? 64 - misaligned : 0);
  for (uint32_t i = 0; i + 4 <= context.ldsBytes; i += 4)
    std::memcpy(lds + i, &unwrittenDword, 4);
  for (unsigned i = 0; i != waves.size(); ++i) {
    waves[i]->lds = lds;
    waves[i]->ldsBytes = context.ldsBytes;
    initializeWave(*waves[i], i);
  }
  if (context.options.check)
    static_cast<CheckedMemory &>(*memory).start();
}

void Workgroup::initializeWave(Wave &w, unsigned number) {
  const KernelDescriptor &d = context.kernel.descriptor;
  unsigned vgprs = std::min(d.accumOffset, 256u);
  unsigned agprs =
      std::min(d.vgprs > d.accumOffset ? d.vgprs - d.accumOffset : 0, 256u);
  std::fill_n(&w.regs[0][0], vgprs * waveLanes, unwrittenDword);
  std::fill_n(&w.regs[256][0], agprs * waveLanes, unwrittenDword);
  std::fill_n(w.scalars, 128, unwrittenDword);
  w.scc = w.vskip = false;
  w.traced = context.options.trace &&
             any_of(context.options.tracedWaves, [&](const TracedWave &chosen) {
               return chosen.workgroup == linearId &&
                      chosen.wave.value_or(number) == number;
             });
  w.watched = w.traced || context.options.countInstructions;
  w.gprIndexMode = 0;
  w.status = WaveStatus::Running;
  w.mode = d.floatMode | (d.dx10Clamp ? ModeDx10Clamp : 0) |
           (d.ieeeMode ? ModeIeee : 0) |
           (d.fp16Overflow ? ModeFp16Overflow : 0);
  w.nextPc = context.entryIndex;
  w.waveInGroup = number;
  w.executed = w.writes = 0;
  w.barriers = 0;
  w.trapStatus = 0;
  w.xccId = uint32_t(linearId % context.target.xcds);
  uint32_t cu = uint32_t(linearId / context.target.xcds) & 15;
  w.hwId = number / context.target.simdsPerCu |
           (number % context.target.simdsPerCu) << 4 | cu << 8;
  w.gprAlloc = (d.vgprs / 8 - 1) << 8 | (d.accumOffset / 4 - 1);
  w.ldsAlloc = context.ldsBytes / 256 << 12;
  w.codeBase = context.program.loadBase;
  w.rangeCheckIncludesSoffset = context.options.rangeCheckIncludesSoffset;
  w.dropLowAddressBits = context.options.dropLowAddressBits;
  w.swapsPairs = context.options.permlaneSwap == PermlaneSwap::Pair;
  w.swapsAll = context.options.permlaneSwap == PermlaneSwap::All;
  w.ldsCopyX3Step = uint8_t(context.options.ldsCopyX3Step);
  w.mfmaCache = &mfmaCache;
  w.target = &context.target;
  w.group = this;
  w.memory = observed ? observed.get() : memory.get();
  w.scratchBytes = context.scratchBytes;
  w.scratch =
      scratchStorage.data() + size_t(number) * w.scratchBytes * waveLanes;
  w.failure = nullptr;
  w.checked = nullptr;
  setScalars(w);
  setWorkitemIds(w);
}

/// Initial SGPRs in the order of LLVM AMDGPUUsage, "Initial Kernel Execution
/// State". User SGPRs that do not fit their count are not there.
void Workgroup::setScalars(Wave &w) {
  const KernelDescriptor &d = context.kernel.descriptor;
  std::vector<uint32_t> user;
  auto add64 = [&](bool enabled, uint64_t value) {
    if (!enabled)
      return;
    user.push_back(uint32_t(value));
    user.push_back(uint32_t(value >> 32));
  };
  add64(d.sgprPrivateSegmentBuffer, 0);
  add64(d.sgprPrivateSegmentBuffer, 0);
  add64(d.sgprDispatchPtr, context.dispatchAddress);
  add64(d.sgprQueuePtr, context.dispatchAddress);
  add64(d.sgprKernargPtr, context.kernargAddress);
  add64(d.sgprDispatchId, 0);
  add64(d.sgprFlatScratchInit, 0);
  if (d.sgprPrivateSegmentSize)
    user.push_back(context.scratchBytes);
  for (unsigned i = 0; i != d.preloadDwords; ++i) {
    uint32_t value = 0;
    uint64_t offset = 4 * uint64_t(d.preloadOffsetDwords + i);
    if (offset + 4 <= context.kernargBytes.size())
      std::memcpy(&value, context.kernargBytes.data() + offset, 4);
    user.push_back(value);
  }
  unsigned next = 0;
  for (; next != d.userSgprs && next != user.size(); ++next)
    w.scalars[next] = user[next];
  next = d.userSgprs;
  if (d.workgroupIdX)
    w.scalars[next++] = id[0];
  if (d.workgroupIdY)
    w.scalars[next++] = id[1];
  if (d.workgroupIdZ)
    w.scalars[next++] = id[2];
  if (d.workgroupInfo)
    w.scalars[next++] = w.waveInGroup | context.wavesPerGroup << 6;
  w.setPair(ScalarVcc, 0);
  w.scalars[ScalarM0] = 0;
  w.initialScalars = uint8_t(next);
}

/// v0 = x | y << 10 | z << 20; EXEC has the lanes that are in the block.
void Workgroup::setWorkitemIds(Wave &w) {
  const auto &block = context.params.block;
  uint64_t exec = 0;
  for (unsigned l = 0; l != waveLanes; ++l) {
    uint32_t linear = w.waveInGroup * waveLanes + l;
    uint32_t x = linear % block[0], y = linear / block[0] % block[1],
             z = linear / block[0] / block[1];
    w.regs[0][l] = x | y << 10 | z << 20;
    exec |= uint64_t(linear < context.groupThreads()) << l;
  }
  w.setPair(ScalarExec, exec);
}

void jumpTo(Wave &w, uint64_t address) {
  const Program &program = w.group->context.program;
  int64_t index = program.disassembly().indexAt(address - w.codeBase);
  if (index < 0)
    return w.fail("jump to an address where no instruction starts");
  w.nextPc = uint32_t(index);
}

} // namespace emu
} // namespace fly
