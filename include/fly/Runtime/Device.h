//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The one interface to what runs a kernel: a GPU through HIP, or the emulator.

#ifndef FLY_RUNTIME_DEVICE_H
#define FLY_RUNTIME_DEVICE_H

#include "fly/CodeObject/Manifest.h"
#include "fly/Emulator/Emulator.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fly {

class Device;

/// A kernel loaded on a device, ready to launch there while the device lives.
class LoadedKernel {
public:
  LoadedKernel(const Device &device, const Manifest &manifest)
      : owner(device), description(manifest) {}
  virtual ~LoadedKernel() = default;
  const Device &device() const { return owner; }
  const Manifest &manifest() const { return description; }

private:
  const Device &owner;
  Manifest description;
};

class Device {
public:
  virtual ~Device() = default;
  virtual llvm::StringRef kind() const = 0; ///< "hip" or "emulator"
  virtual llvm::StringRef arch() const = 0;
  /// For people: which GPU through which library, or what the emulator checks.
  virtual std::string description() const = 0;

  virtual llvm::Expected<uint64_t> allocate(uint64_t bytes) = 0;
  virtual llvm::Error free(uint64_t address) = 0;
  virtual llvm::Error copyToDevice(uint64_t address,
                                   llvm::ArrayRef<uint8_t> data) = 0;
  virtual llvm::Error copyToHost(llvm::MutableArrayRef<uint8_t> data,
                                 uint64_t address) = 0;

  /// Fails when the object is broken, for another arch, or lacks the kernel;
  /// the error says what was expected and what was given.
  virtual llvm::Expected<std::unique_ptr<LoadedKernel>>
  load(llvm::ArrayRef<char> object, const Manifest &manifest) = 0;
  /// \p kernargs must have the size the manifest states and keep its
  /// constraints; LaunchPlan.h packs them. Without workgroups nothing is done.
  /// On a GPU the launch only begins: synchronize() waits, and reports faults.
  virtual llvm::Error launch(const LoadedKernel &kernel, uint32_t workgroups,
                             llvm::ArrayRef<uint8_t> kernargs) = 0;
  virtual llvm::Error synchronize() = 0;
  /// Whether launches are watched for races, bad addresses and the like.
  virtual bool findsFaults() const { return false; }
  /// Findings of launches since the last call; always empty on a GPU.
  virtual std::vector<Report> takeReports() { return {}; }
};

/// \p kind is "hip", "emulator" or "auto": hip if a GPU of \p arch is present,
/// else the emulator. \p whyNot, if given, is told why auto passed over hip.
llvm::Expected<std::unique_ptr<Device>>
createDevice(llvm::StringRef kind, llvm::StringRef arch,
             const EmulatorOptions &options, std::string *whyNot = nullptr);

/// The first GPU of \p arch that HIP finds. The library is looked up at run
/// time: the file that the environment variable FLY_HIP_LIBRARY names, else
/// libamdhip64 of ROCm 7 or 6.
llvm::Expected<std::unique_ptr<Device>> createHipDevice(llvm::StringRef arch);

/// The emulator of \p arch.
llvm::Expected<std::unique_ptr<Device>>
createEmulatorDevice(llvm::StringRef arch, const EmulatorOptions &options);

} // namespace fly

#endif // FLY_RUNTIME_DEVICE_H
