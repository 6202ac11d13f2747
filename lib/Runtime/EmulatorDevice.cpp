//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The device over the emulator.

#include "Checks.h"

#include "fly/Runtime/Device.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace {

class EmulatedKernel : public LoadedKernel {
public:
  EmulatedKernel(const Device &device, const Manifest &manifest,
                 std::unique_ptr<EmulatorModule> module)
      : LoadedKernel(device, manifest), module(std::move(module)) {}
  std::unique_ptr<EmulatorModule> module;
};

class EmulatorDevice : public Device {
public:
  EmulatorDevice(std::unique_ptr<Emulator> emulator, bool check)
      : emulator(std::move(emulator)), check(check) {}

  StringRef kind() const override { return "emulator"; }
  StringRef arch() const override { return emulator->target().name; }
  std::string description() const override {
    return formatv("emulated {0}, {1}", arch(),
                   check ? "checking mode" : "fast mode");
  }

  Expected<uint64_t> allocate(uint64_t bytes) override {
    return emulator->memory().allocate(bytes);
  }
  Error free(uint64_t address) override {
    return emulator->memory().free(address);
  }
  Error copyToDevice(uint64_t address, ArrayRef<uint8_t> data) override {
    return emulator->memory().copyToDevice(address, data);
  }
  Error copyToHost(MutableArrayRef<uint8_t> data, uint64_t address) override {
    return emulator->memory().copyToHost(data, address);
  }
  Expected<std::unique_ptr<LoadedKernel>>
  load(ArrayRef<char> object, const Manifest &manifest) override;
  Error launch(const LoadedKernel &kernel, uint32_t workgroups,
               ArrayRef<uint8_t> kernargs) override;
  /// A launch has ended when it returns.
  Error synchronize() override { return Error::success(); }
  bool findsFaults() const override { return check; }
  std::vector<Report> takeReports() override {
    return std::exchange(reports, {});
  }

private:
  std::unique_ptr<Emulator> emulator;
  bool check;
  std::vector<Report> reports;
};

} // namespace

Expected<std::unique_ptr<LoadedKernel>>
EmulatorDevice::load(ArrayRef<char> object, const Manifest &manifest) {
  if (Error error = checkObject(object, manifest, arch()))
    return error;
  auto module = emulator->load(
      arrayRefFromStringRef(StringRef(object.data(), object.size())));
  if (!module)
    return module.takeError();
  return std::make_unique<EmulatedKernel>(*this, manifest, std::move(*module));
}

Error EmulatorDevice::launch(const LoadedKernel &kernel, uint32_t workgroups,
                             ArrayRef<uint8_t> kernargs) {
  const Manifest &manifest = kernel.manifest();
  if (Error error = checkLaunch(*this, kernel, kernargs))
    return error;
  if (workgroups == 0)
    return Error::success();
  LaunchParams params;
  params.kernel = manifest.kernel;
  params.grid = {workgroups, 1, 1};
  params.block = {manifest.workgroupSize, 1, 1};
  params.kernargs = kernargs;
  Expected<LaunchResult> result = emulator->launch(
      *static_cast<const EmulatedKernel &>(kernel).module, params);
  if (!result)
    return result.takeError();
  std::move(result->reports.begin(), result->reports.end(),
            std::back_inserter(reports));
  if (result->suppressedReports) {
    Report more;
    more.kind = "suppressed";
    more.message = formatv("{0} further findings were counted, not kept",
                           result->suppressedReports);
    more.count = result->suppressedReports;
    reports.push_back(std::move(more));
  }
  return Error::success();
}

Expected<std::unique_ptr<Device>>
createEmulatorDevice(StringRef arch, const EmulatorOptions &options) {
  auto emulator = Emulator::create(arch, options);
  if (!emulator)
    return emulator.takeError();
  return std::make_unique<EmulatorDevice>(std::move(*emulator), options.check);
}

} // namespace fly
