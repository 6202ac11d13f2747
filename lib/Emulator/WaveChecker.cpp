//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "WaveChecker.h"

#include "LaneReductions.h"
#include "LdsShadow.h"
#include "Workgroup.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace emu {

WaveChecker::WaveChecker(const LaunchContext &context, Wave &wave,
                         LdsShadow &shadow, MemorySystem &memory)
    : context(context), wave(wave), shadow(shadow), memory(memory),
      hazards(context, wave) {
  const KernelDescriptor &d = context.kernel.descriptor;
  numVgprs = d.accumOffset;
  numAgprs = d.vgprs > d.accumOffset ? d.vgprs - d.accumOffset : 0;
  for (auto &ring : recent)
    ring.resize(numRecent);
}

void WaveChecker::start() {
  unused.clear();
  for (auto &access : pool)
    unused.push_back(access.get());
  vm.clear();
  lds.clear();
  flat.clear();
  reads = writes = AddressRange();
  scalars.clear();
  scalarCount = 0;
  for (unsigned s = 0; s != numStreams; ++s) {
    issued[s] = 0;
    landed[s] = landedAtBarrier[s] = 1;
    std::fill(recent[s].begin(), recent[s].end(), Recent());
  }
  std::fill_n(pendingCount, 512, 0);
  std::fill_n(written, 512, 0);
  partial.clear();
  std::fill_n(origins, 512, Origin());
  written[0] = ~uint64_t(0); // work-item ids
  for (unsigned row = 1; row != 512; ++row)
    suspicious.set(row);
  suspicious.reset(0);
  hazards.start();
  scalarPending = BitSet<128>();
  scalarUnwritten = BitSet<128>();
  for (unsigned code = wave.initialScalars; code != 102; ++code)
    scalarUnwritten.set(code);
  scalarUnwritten.set(ScalarVcc);
  scalarUnwritten.set(ScalarVcc + 1);
  scalarUnwritten.set(ScalarM0);
}

MemoryAccess &WaveChecker::begin(const ExecInst &inst) {
  if (unused.empty()) {
    pool.push_back(std::make_unique<MemoryAccess>());
    unused.push_back(pool.back().get());
  }
  // It stays in the list until it is submitted.
  MemoryAccess &access = *unused.back();
  access.inst = &inst;
  access.parts = 1;
  access.writesRows = false;
  access.performed = false;
  access.range = AddressRange();
  access.format = 0;
  return access;
}

void WaveChecker::addPending(const MemoryAccess &access, int delta) {
  if (!access.writesRows)
    return;
  for (unsigned i = 0; i != access.numRows; ++i) {
    unsigned row = (access.firstRow + i) & 511;
    pendingCount[row] = uint8_t(pendingCount[row] + delta);
    if (delta < 0)
      writeBytes(row, i ? 15 : context.tables->of(*access.inst).writtenBytes,
                 access.mask);
    if (pendingCount[row] || written[row] != ~uint64_t(0))
      suspicious.set(row);
    else
      suspicious.reset(row);
  }
}

/// Misaligned accesses work in the mode that ROCm sets, and are slow.
void WaveChecker::checkAlignment(const MemoryAccess &access) {
  unsigned need = access.bytes >= 4 ? 4 : access.bytes;
  if (access.space == Space::Nowhere || need == 1)
    return;
  if (LLVM_LIKELY(bitsOf(access.address, access.mask) % need == 0))
    return;
  for (uint64_t rest = access.mask; rest; rest &= rest - 1) {
    unsigned lane = unsigned(__builtin_ctzll(rest));
    if (access.address[lane] % need == 0)
      continue;
    uint32_t index = access.inst->index;
    context.reports.add(
        Report::Severity::Lint, "misaligned", index, index, [&] {
          return formatv("{0}: {1} lane {2} accesses {3} bytes at {4:x}, which "
                         "is no multiple of {5}",
                         context.program.describe(index), who(), lane,
                         unsigned(access.bytes), access.address[lane], need)
              .str();
        });
    return;
  }
}

void WaveChecker::submit(MemoryAccess &access) {
  unused.pop_back();
  checkAlignment(access);
  auto number = [&](Stream stream) {
    uint32_t sequence = ++issued[stream];
    // The shadow keeps 26 bits of it.
    if (LLVM_UNLIKELY(sequence >> 26))
      wave.fail("more than 2^26 accesses of one wave in checking mode");
    recent[stream][sequence % numRecent] = {sequence, access.inst->index};
    return sequence;
  };
  bool usesVm = access.counter != Counter::Lds;
  bool usesLds = access.counter != Counter::Vm;
  if (usesVm)
    access.sequence = number(StreamVm);
  if (usesLds)
    access.sequence = number(StreamLds);
  Stream stream = usesLds ? StreamLds : StreamVm;
  shadow.record(wave, access, stream, access.sequence);
  addPending(access, 1);
  if (usesVm && vm.empty() && flat.empty())
    reads = writes = AddressRange();
  if (access.writes())
    writes.include(access.range);
  if (access.reads())
    reads.include(access.range);
  if (access.counter == Counter::Vm)
    vm.push_back(&access);
  else if (access.counter == Counter::Lds)
    lds.push_back(&access);
  else
    flat.push_back({&access, false, false});
  forceFull();
}

/// A counter cannot exceed its field: issue stalls until the oldest is back.
void WaveChecker::forceFull() {
  while (vm.size() > 63) {
    land(vm.front());
    vm.pop_front();
    landed[StreamVm] = vm.front()->sequence;
  }
  while (lds.size() > 15) {
    land(lds.front());
    lds.pop_front();
    landed[StreamLds] = lds.front()->sequence;
  }
}

void WaveChecker::land(MemoryAccess *access) {
  perform(access);
  addPending(*access, -1);
  unused.push_back(access);
}

void WaveChecker::submitScalar(const ScalarAccess &access) {
  scalars.push_back(access);
  scalarCount += access.dwords > 1 ? 2 : 1;
  if (!access.isLoad)
    return;
  for (unsigned i = 0; i != access.dwords && access.sgpr + i < 128; ++i)
    scalarPending.set(access.sgpr + i);
}

void WaveChecker::landScalars() {
  for (const ScalarAccess &access : scalars) {
    access.perform(wave, access, memory);
    for (unsigned i = 0;
         access.isLoad && i != access.dwords && access.sgpr + i < 128; ++i) {
      scalarPending.reset(access.sgpr + i);
      scalarUnwritten.reset(access.sgpr + i);
    }
  }
  scalars.clear();
  scalarCount = 0;
}

void WaveChecker::wait(WaitCount count) {
  while (vm.size() > count.vm) {
    land(vm.front());
    vm.pop_front();
  }
  while (lds.size() > count.lgkm) {
    land(lds.front());
    lds.pop_front();
  }
  if (count.lgkm == 0)
    landScalars();
  for (size_t i = 0; i != flat.size();) {
    FlatPending &pending = flat[i];
    pending.vmDone |= count.vm == 0;
    pending.ldsDone |= count.lgkm == 0;
    if (!pending.vmDone || !pending.ldsDone) {
      ++i;
      continue;
    }
    land(pending.access);
    flat.erase(flat.begin() + long(i));
  }
  landed[StreamVm] = vm.empty() ? issued[StreamVm] + 1 : vm.front()->sequence;
  landed[StreamLds] =
      lds.empty() ? issued[StreamLds] + 1 : lds.front()->sequence;
  for (const FlatPending &pending : flat)
    landed[StreamLds] = std::min(landed[StreamLds], pending.access->sequence);
}

void WaveChecker::passBarrier() {
  for (unsigned s = 0; s != numStreams; ++s)
    landedAtBarrier[s] = landed[s];
}

void WaveChecker::end() {
  for (auto *queue : {&lds, &vm}) {
    for (MemoryAccess *access : *queue)
      land(access);
    queue->clear();
  }
  for (FlatPending &pending : flat)
    land(pending.access);
  flat.clear();
  landScalars();
}

void WaveChecker::perform(MemoryAccess *access) {
  if (!access->performed)
    access->perform(wave, *access);
  access->performed = true;
}

template <typename Queue, typename Matters>
void WaveChecker::performUpTo(Queue &queue, Matters matters) {
  size_t end = queue.size();
  while (end != 0 && !matters(*accessOf(queue[end - 1])))
    --end;
  for (size_t i = 0; i != end; ++i)
    perform(accessOf(queue[i]));
}

void WaveChecker::performStores() {
  auto isStore = [](const MemoryAccess &access) {
    return access.kind == AccessKind::Store ||
           (access.kind == AccessKind::Atomic && !access.writesRows);
  };
  performUpTo(vm, isStore);
  performUpTo(flat, isStore);
}

void WaveChecker::performMet(const MemoryAccess &next, bool isOwn) {
  bool meets = next.range.overlaps(writes) ||
               (next.writes() && next.range.overlaps(reads));
  if (LLVM_LIKELY(!meets))
    return;
  auto isMet = [&](const MemoryAccess &access) {
    return !access.performed && (next.writes() || access.writes()) &&
           next.range.overlaps(access.range);
  };
  bool isFlat = next.counter == Counter::Flat;
  if (!isOwn || isFlat)
    performUpTo(vm, isMet);
  if (!isOwn || !isFlat)
    performUpTo(flat, isMet);
}

void WaveChecker::before(Wave &w, const ExecInst &inst, const CheckInfo &info) {
  if (LLVM_UNLIKELY(info.vgprEnd > numVgprs || info.agprEnd > numAgprs))
    reportUnallocated(inst, info);
  uint64_t lanes = info.allLanes ? ~uint64_t(0) : w.exec();
  if (info.oneLane)
    lanes = uint64_t(1) << (readScalar32(w, inst.src(1)) & 63);
  for (unsigned i = 0; i != info.numReads; ++i)
    if (suspicious.anyOf(info.reads[i].first, info.reads[i].count)) {
      checkRows(inst, info.reads[i], false, lanes);
      checkWritten(inst, info, i, lanes);
    }
  for (unsigned i = 0; i != info.numWrites; ++i)
    if (suspicious.anyOf(info.writes[i].first, info.writes[i].count))
      checkRows(inst, info.writes[i], true, lanes);
  for (unsigned i = 0; i != 2; ++i) {
    uint64_t touched = info.scalarReads.words[i] | info.scalarWrites.words[i];
    if (LLVM_UNLIKELY(touched & scalarPending.words[i]))
      reportScalar(inst, info);
    if (LLVM_UNLIKELY(info.scalarReads.words[i] & scalarUnwritten.words[i] &
                      ~scalarPending.words[i])) {
      checkScalarsWritten(inst, info);
      break;
    }
  }
}

void WaveChecker::after(Wave &w, const ExecInst &inst, const CheckInfo &info) {
  if (!info.writesAtLanding && info.numWrites) {
    uint64_t lanes = info.allLanes ? ~uint64_t(0) : w.exec();
    if (info.oneLane)
      lanes = uint64_t(1) << (readScalar32(w, inst.src(1)) & 63);
    setWritten(info, lanes);
  }
  if (!info.scalarAtLanding)
    for (unsigned i = 0; i != 2; ++i)
      scalarUnwritten.words[i] &= ~info.scalarWrites.words[i];
  if (LLVM_UNLIKELY(undefinedScalar)) {
    if (undefinedScalar == 3)
      for (unsigned i = 0; i != 2; ++i)
        scalarUnwritten.words[i] |= info.scalarWrites.words[i];
    else
      scalarUnwritten.set(inst.ops[0].index + undefinedScalar - 1);
    undefinedScalar = 0;
  }
}

const MemoryAccess *WaveChecker::findPending(unsigned row, uint64_t lanes,
                                             bool ignoreVm,
                                             bool ignoreLds) const {
  auto covers = [&](const MemoryAccess *access) {
    return access->writesRows && row >= access->firstRow &&
           row < unsigned(access->firstRow) + access->numRows &&
           (access->mask & lanes);
  };
  if (!ignoreVm)
    for (const MemoryAccess *access : vm)
      if (covers(access))
        return access;
  if (!ignoreLds)
    for (const MemoryAccess *access : lds)
      if (covers(access))
        return access;
  for (const FlatPending &pending : flat)
    if (covers(pending.access))
      return pending.access;
  return nullptr;
}

std::string WaveChecker::nameOf(unsigned row) const {
  if (row >= numRows)
    return nameOfScalar(row - numRows);
  return (row < 256 ? "v" : "a") + std::to_string(row % 256);
}

std::string WaveChecker::who() const {
  return formatv("workgroup ({0},{1},{2}) wave {3}", wave.group->id[0],
                 wave.group->id[1], wave.group->id[2], wave.waveInGroup);
}

std::string WaveChecker::waitFor(Stream stream, uint32_t sequence) const {
  uint32_t later = issued[stream] - sequence;
  if (!flat.empty())
    return "s_waitcnt vmcnt(0) lgkmcnt(0)";
  if (stream == StreamVm)
    return formatv("s_waitcnt vmcnt({0})", std::min(later, 63u));
  return formatv("s_waitcnt lgkmcnt({0})",
                 scalars.empty() ? std::min(later, 15u) : 0);
}

const MemoryAccess *WaveChecker::pendingLds(uint32_t sequence) const {
  for (const MemoryAccess *access : lds)
    if (access->sequence == sequence)
      return access;
  return nullptr;
}

int64_t WaveChecker::instructionOf(Stream stream, uint32_t sequence) const {
  const Recent &entry = recent[stream][sequence % numRecent];
  return entry.sequence == sequence ? int64_t(entry.index) : -1;
}

/// \p isWrite: results of accesses of one stream come in order, so another
/// load of the same stream may go to the same register.
void WaveChecker::checkRows(const ExecInst &inst, RowRange range, bool isWrite,
                            uint64_t lanes) {
  bool isMemory = inst.unit == Unit::Mubuf || inst.unit == Unit::Flat ||
                  inst.unit == Unit::Lds;
  bool isFlat = inst.unit == Unit::Flat && inst.inst->key.starts_with("flat");
  bool inVm = isWrite && isMemory && inst.unit != Unit::Lds && !isFlat;
  bool inLds = isWrite && inst.unit == Unit::Lds;
  for (unsigned row = range.first; row != range.first + range.count; ++row) {
    if (!suspicious.test(row))
      continue;
    const MemoryAccess *access =
        pendingCount[row] ? findPending(row, lanes, inVm, inLds) : nullptr;
    if (access) {
      unsigned lane = unsigned(__builtin_ctzll(access->mask & lanes));
      bool isVm = access->counter == Counter::Vm;
      context.reports.add(
          Report::Severity::Error,
          isWrite ? "register-overwritten-in-flight" : "early-register-read",
          access->inst->index, inst.index, [&] {
            return formatv(
                       "{0} {1} {2} of {3} lane {4} before the result of {5} "
                       "(address {6:x}) is waited for: {7} is missing between "
                       "them",
                       context.program.describe(inst.index),
                       isWrite ? "writes" : "reads", nameOf(row), who(), lane,
                       context.program.describe(access->inst->index),
                       access->address[lane],
                       waitFor(isVm ? StreamVm : StreamLds, access->sequence))
                .str();
          });
      return;
    }
  }
}

void WaveChecker::reportUnallocated(const ExecInst &inst,
                                    const CheckInfo &info) {
  context.reports.add(
      Report::Severity::Error, "register-out-of-range", inst.index, inst.index,
      [&] {
        bool isVgpr = info.vgprEnd > numVgprs;
        return formatv("{0} uses {1}{2}, kernel '{3}' has {4} {5}",
                       context.program.describe(inst.index), isVgpr ? "v" : "a",
                       (isVgpr ? info.vgprEnd : info.agprEnd) - 1,
                       context.kernel.name, isVgpr ? numVgprs : numAgprs,
                       isVgpr ? "VGPRs" : "AGPRs")
            .str();
      });
}

std::string WaveChecker::nameOfScalar(unsigned code) {
  if (code == ScalarVcc || code == ScalarVcc + 1)
    return code == ScalarVcc ? "vcc_lo" : "vcc_hi";
  if (code == ScalarM0)
    return "m0";
  return "s" + std::to_string(code);
}

/// A scalar that an SMEM in flight writes.
void WaveChecker::reportScalar(const ExecInst &inst, const CheckInfo &info) {
  for (unsigned code = 0; code != 128; ++code) {
    bool reads = info.scalarReads.test(code);
    if (!scalarPending.test(code) || !(reads || info.scalarWrites.test(code)))
      continue;
    for (const ScalarAccess &access : scalars) {
      if (!access.isLoad || code < access.sgpr ||
          code >= unsigned(access.sgpr) + access.dwords)
        continue;
      context.reports.add(
          Report::Severity::Error,
          reads ? "early-register-read" : "register-overwritten-in-flight",
          access.inst->index, inst.index, [&] {
            return formatv("{0} {1} {2} of {3} before the result of {4} "
                           "(address {5:x}) is waited for: s_waitcnt "
                           "lgkmcnt(0) is missing between them",
                           context.program.describe(inst.index),
                           reads ? "reads" : "writes", nameOfScalar(code),
                           who(), context.program.describe(access.inst->index),
                           access.address)
                .str();
          });
      return;
    }
  }
}

} // namespace emu
} // namespace fly
