//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Emulator/Emulator.h"

#include "CheckTables.h"
#include "HandlerRegistry.h"
#include "HostMemory.h"
#include "KernelArguments.h"
#include "Program.h"
#include "Scheduler.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Threading.h"

using namespace llvm;

namespace fly {
namespace emu {

namespace {

class LoadedModule : public EmulatorModule {
public:
  LoadedModule(std::unique_ptr<Program> program, HostMemory &memory)
      : program(std::move(program)), memory(memory) {}
  ~LoadedModule() override { consumeError(memory.free(program->loadBase)); }
  std::vector<std::string> kernelNames() const override {
    std::vector<std::string> names;
    for (const Kernel &kernel : program->object().kernels())
      names.push_back(kernel.name);
    return names;
  }
  uint64_t loadBase() const override { return program->loadBase; }

  std::unique_ptr<Program> program;
  std::unique_ptr<CheckTables> tables;

private:
  HostMemory &memory;
};

class EmulatorImpl : public Emulator {
public:
  EmulatorImpl(const TargetInfo &target, const EmulatorOptions &options)
      : targetInfo(target), options(options) {
    if (options.maxInstructionsPerWave == 0)
      this->options.maxInstructionsPerWave = uint64_t(1)
                                             << (options.check ? 26 : 28);
  }

  const TargetInfo &target() const override { return targetInfo; }
  DeviceMemory &memory() override { return hostMemory; }
  Expected<std::unique_ptr<EmulatorModule>>
  load(ArrayRef<uint8_t> object) override;
  Expected<LaunchResult> launch(const EmulatorModule &module,
                                const LaunchParams &params) override;

private:
  Error placeImage(Program &program);
  /// Checks sizes and fills what the launch needs from them.
  Error prepare(LaunchContext &context);
  Expected<LaunchResult> run(LaunchContext &context);
  unsigned threadsFor(const Program &program) const;

  const TargetInfo &targetInfo;
  EmulatorOptions options;
  HostMemory hostMemory;
};

} // namespace

/// Copies the segments into device memory and relocates them.
Error EmulatorImpl::placeImage(Program &program) {
  uint64_t end = 0;
  for (const Segment &segment : program.object().segments())
    end = std::max(end, segment.address + segment.memoryBytes);
  Expected<uint64_t> base = hostMemory.allocate(end);
  if (!base)
    return base.takeError();
  program.loadBase = *base;
  for (const Segment &segment : program.object().segments())
    if (Error error =
            hostMemory.copyToDevice(*base + segment.address, segment.contents))
      return error;
  for (const Relocation &relocation : program.object().relocations()) {
    uint8_t bytes[8];
    support::endian::write64le(bytes, *base + relocation.value);
    if (Error error =
            hostMemory.copyToDevice(*base + relocation.address, bytes))
      return error;
  }
  return Error::success();
}

Expected<std::unique_ptr<EmulatorModule>>
EmulatorImpl::load(ArrayRef<uint8_t> bytes) {
  Expected<CodeObject> object = CodeObject::parse(bytes);
  if (!object)
    return object.takeError();
  if (&object->target() != &targetInfo)
    return createStringError("the code object is for " + object->target().name +
                             ", this emulator is a " + targetInfo.name);
  Expected<std::unique_ptr<Program>> program =
      Program::create(std::move(*object), options);
  if (!program)
    return program.takeError();
  if (Error error = placeImage(**program))
    return std::move(error);
  auto module = std::make_unique<LoadedModule>(std::move(*program), hostMemory);
  if (options.check)
    module->tables = std::make_unique<CheckTables>(*module->program);
  return module;
}

static uint64_t numWorkgroups(const LaunchParams &params) {
  return uint64_t(params.grid[0]) * params.grid[1] * params.grid[2];
}

static Error checkBlock(const LaunchContext &context) {
  const Kernel &kernel = context.kernel;
  const auto &block = context.params.block, &grid = context.params.grid;
  constexpr uint64_t maxGroups = uint64_t(1) << 40;
  uint64_t threads = 1, groups = 1;
  for (unsigned i = 0; i != 3; ++i) {
    if (block[i] == 0 || grid[i] == 0)
      return createStringError("grid and block sizes must be at least 1");
    threads = SaturatingMultiply<uint64_t>(threads, block[i]);
    groups = SaturatingMultiply<uint64_t>(groups, grid[i]);
    // The dispatch packet counts threads in 32 bits.
    if (uint64_t(grid[i]) * block[i] > UINT32_MAX)
      return createStringError(formatv(
          "dimension {0} of the grid has {1} x {2} threads, expected at most "
          "{3}",
          "xyz"[i], grid[i], block[i], UINT32_MAX));
  }
  if (groups > maxGroups)
    return createStringError("the grid has more than 2^40 workgroups");
  unsigned limit = context.target.maxWorkgroupSize;
  if (kernel.maxFlatWorkgroupSize)
    limit = std::min(limit, kernel.maxFlatWorkgroupSize);
  if (threads > limit)
    return createStringError(
        formatv("block of {0} x {1} x {2} threads, kernel '{3}' takes at most "
                "{4}",
                block[0], block[1], block[2], kernel.name, limit));
  for (unsigned i = 0; i != 3; ++i)
    if (kernel.requiredWorkgroupSize[i] &&
        kernel.requiredWorkgroupSize[i] != block[i])
      return createStringError(formatv(
          "block of {0} x {1} x {2} threads, kernel '{3}' requires "
          "{4} x {5} x {6}",
          block[0], block[1], block[2], kernel.name,
          kernel.requiredWorkgroupSize[0], kernel.requiredWorkgroupSize[1],
          kernel.requiredWorkgroupSize[2]));
  return Error::success();
}

static Error checkTracedWaves(const LaunchContext &context) {
  uint64_t groups = numWorkgroups(context.params);
  for (const TracedWave &chosen : context.options.tracedWaves)
    if (chosen.workgroup >= groups ||
        chosen.wave.value_or(0) >= context.wavesPerGroup)
      return createStringError(formatv(
          "trace of wave {0} of workgroup {1}: the launch has {2} workgroups "
          "of {3} waves",
          chosen.wave.value_or(0), chosen.workgroup, groups,
          context.wavesPerGroup));
  return Error::success();
}

/// A runtime asks for a stack of a fixed size where the compiler could not
/// bound it.
static uint64_t scratchBytes(const KernelDescriptor &descriptor,
                             const EmulatorOptions &options) {
  uint64_t stack =
      descriptor.dynamicStack ? alignTo(options.dynamicStackBytes, 16) : 0;
  return std::max<uint64_t>(descriptor.privateSegmentBytes, stack);
}

Error EmulatorImpl::prepare(LaunchContext &context) {
  if (Error error = checkBlock(context))
    return error;
  const KernelDescriptor &d = context.kernel.descriptor;
  uint64_t lds = uint64_t(d.groupSegmentBytes) + context.params.dynamicLdsBytes;
  if (lds > targetInfo.ldsBytes)
    return createStringError(formatv(
        "kernel '{0}' needs {1} bytes of LDS ({2} static, {3} "
        "dynamic), {4} has {5}",
        context.kernel.name, lds, d.groupSegmentBytes,
        context.params.dynamicLdsBytes, targetInfo.name, targetInfo.ldsBytes));
  if (d.vgprs > targetInfo.registersPerSimd || d.accumOffset > 256)
    return createStringError(
        formatv("kernel '{0}' asks for {1} registers, AGPRs from {2} on; a "
                "wave has at most {3}",
                context.kernel.name, d.vgprs, d.accumOffset,
                targetInfo.registersPerSimd));
  // The most that a wave can have is 8191 KiB (LLVM,
  // GCNSubtarget::getMaxWaveScratchSize).
  constexpr uint32_t maxScratch = 8191 * 1024 / waveLanes;
  uint64_t scratch = scratchBytes(d, options);
  if (scratch > maxScratch)
    return createStringError(
        formatv("kernel '{0}' needs {1} bytes of scratch a lane, expected at "
                "most {2}",
                context.kernel.name, scratch, maxScratch));
  context.scratchBytes = uint32_t(scratch);
  context.ldsBytes = uint32_t((lds + 3) / 4 * 4);
  context.wavesPerGroup = (context.groupThreads() + waveLanes - 1) / waveLanes;
  if (Error error = checkTracedWaves(context))
    return error;
  // With kernarg preload the hardware enters 256 bytes further on: what is
  // skipped loads the same registers for older firmware.
  uint64_t entry = context.kernel.entryAddress + (d.preloadDwords ? 256 : 0);
  int64_t index = context.program.disassembly().indexAt(entry);
  if (index < 0)
    return createStringError(formatv(
        "kernel '{0}' would start at {1:x}, where no instruction starts",
        context.kernel.name, entry));
  context.entryIndex = uint32_t(index);
  return Error::success();
}

unsigned EmulatorImpl::threadsFor(const Program &) const {
  if (options.deterministic)
    return 1; // workgroups in order
  return options.threads ? options.threads
                         : hardware_concurrency().compute_thread_count();
}

Expected<LaunchResult> EmulatorImpl::run(LaunchContext &context) {
  Scheduler scheduler(context, numWorkgroups(context.params));
  scheduler.run(threadsFor(context.program));
  LaunchResult result;
  context.reports.take(result);
  for (auto [index, count] : enumerate(context.control.executions())) {
    const Disassembly &code = context.program.disassembly();
    const Instruction &inst = code.instructions()[index];
    if (count)
      result.counts.push_back({inst.address, code.text(inst), count});
  }
  return context.control.finish(std::move(result));
}

Expected<LaunchResult> EmulatorImpl::launch(const EmulatorModule &module,
                                            const LaunchParams &params) {
  const auto &loaded = static_cast<const LoadedModule &>(module);
  const Program &program = *loaded.program;
  Expected<const Kernel &> kernel = program.object().findKernel(params.kernel);
  if (!kernel)
    return kernel.takeError();
  Expected<std::vector<uint8_t>> kernargs = makeKernargs(*kernel, params);
  if (!kernargs)
    return kernargs.takeError();
  // LLVM widens loads of the segment up to its alignment, past its end:
  // runtimes allocate it in units of at least that.
  Expected<uint64_t> segment =
      hostMemory.allocate(alignTo(kernargs->size(), 64));
  if (!segment)
    return segment.takeError();
  auto freeSegment =
      scope_exit([&] { consumeError(hostMemory.free(*segment)); });
  std::array<uint8_t, 64> packet =
      makeDispatchPacket(*kernel, params, *segment,
                         uint32_t(scratchBytes(kernel->descriptor, options)));
  Expected<uint64_t> dispatch = hostMemory.allocate(packet.size());
  if (!dispatch)
    return dispatch.takeError();
  auto freeDispatch =
      scope_exit([&] { consumeError(hostMemory.free(*dispatch)); });
  if (Error error = hostMemory.copyToDevice(*segment, *kernargs))
    return std::move(error);
  if (Error error = hostMemory.copyToDevice(*dispatch, packet))
    return std::move(error);

  MemoryMap map = hostMemory.snapshot();
  ReportSink reports(options.maxReports);
  LaunchControl control(options, numWorkgroups(params));
  LaunchContext context(options, program, *kernel, params, map, reports,
                        control);
  context.tables = loaded.tables.get();
  context.kernargAddress = *segment;
  context.dispatchAddress = *dispatch;
  context.kernargBytes = *kernargs;
  if (Error error = prepare(context))
    return std::move(error);
  return run(context);
}

} // namespace emu

Expected<std::unique_ptr<Emulator>>
Emulator::create(StringRef arch, const EmulatorOptions &options) {
  Expected<const TargetInfo &> target = lookupTarget(arch);
  if (!target)
    return target.takeError();
  Expected<const emu::HandlerRegistry &> registry = emu::HandlerRegistry::get();
  if (!registry)
    return registry.takeError();
  return std::make_unique<emu::EmulatorImpl>(*target, options);
}

} // namespace fly
