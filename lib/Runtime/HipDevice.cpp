//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The device over HIP: a thin layer, one call of HIP for one of ours.

#include "Checks.h"
#include "HipLibrary.h"

#include "fly/Runtime/Device.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace {

class HipKernel : public LoadedKernel {
public:
  HipKernel(const Device &device, const Manifest &manifest,
            std::shared_ptr<HipLibrary> library, void *module)
      : LoadedKernel(device, manifest), library(std::move(library)),
        module(module) {}
  ~HipKernel() override { library->hipModuleUnload(module); }

  std::shared_ptr<HipLibrary> library;
  void *module;
  void *function = nullptr;
};

class HipDevice : public Device {
public:
  HipDevice(std::shared_ptr<HipLibrary> library, int index, StringRef arch)
      : library(std::move(library)), index(index), archName(arch) {}

  StringRef kind() const override { return "hip"; }
  StringRef arch() const override { return archName; }
  std::string description() const override;

  Expected<uint64_t> allocate(uint64_t bytes) override;
  Error free(uint64_t address) override;
  Error copyToDevice(uint64_t address, ArrayRef<uint8_t> data) override;
  Error copyToHost(MutableArrayRef<uint8_t> data, uint64_t address) override;
  Expected<std::unique_ptr<LoadedKernel>>
  load(ArrayRef<char> object, const Manifest &manifest) override;
  Error launch(const LoadedKernel &kernel, uint32_t workgroups,
               ArrayRef<uint8_t> kernargs) override;
  Error synchronize() override;

private:
  /// HIP's current device is a thread's: it is set before every call.
  Error activate() const {
    return library->check(library->hipSetDevice(index),
                          "hipSetDevice(" + Twine(index) + ")");
  }

  std::shared_ptr<HipLibrary> library;
  int index;
  std::string archName;
  /// For errors that come out of an earlier launch.
  std::string lastKernel;
};

} // namespace

static void *toPointer(uint64_t address) {
  return reinterpret_cast<void *>(address);
}

std::string HipDevice::description() const {
  char name[256] = "GPU";
  library->hipDeviceGetName(name, sizeof(name), index);
  name[sizeof(name) - 1] = 0;
  return formatv("{0} ({1}, device {2}) through {3}", name, archName, index,
                 library->name());
}

Expected<uint64_t> HipDevice::allocate(uint64_t bytes) {
  if (Error error = activate())
    return error;
  void *address = nullptr;
  int code = library->hipMalloc(&address, bytes);
  if (code == hipSuccess)
    return reinterpret_cast<uint64_t>(address);
  std::string call = formatv("hipMalloc of {0} bytes", bytes);
  size_t freeBytes = 0, totalBytes = 0;
  if (code == hipErrorOutOfMemory &&
      library->hipMemGetInfo(&freeBytes, &totalBytes) == hipSuccess)
    call += formatv(" with {0} of {1} bytes free", freeBytes, totalBytes);
  return library->check(code, call);
}

Error HipDevice::free(uint64_t address) {
  if (Error error = activate())
    return error;
  return library->check(library->hipFree(toPointer(address)),
                        formatv("hipFree of {0:x}", address).str());
}

Error HipDevice::copyToDevice(uint64_t address, ArrayRef<uint8_t> data) {
  if (Error error = activate())
    return error;
  return library->check(library->hipMemcpy(toPointer(address), data.data(),
                                           data.size(), hipMemcpyHostToDevice),
                        formatv("hipMemcpy of {0} bytes to the device at {1:x}",
                                data.size(), address)
                            .str());
}

Error HipDevice::copyToHost(MutableArrayRef<uint8_t> data, uint64_t address) {
  if (Error error = activate())
    return error;
  return library->check(
      library->hipMemcpy(data.data(), toPointer(address), data.size(),
                         hipMemcpyDeviceToHost),
      formatv("hipMemcpy of {0} bytes from the device at {1:x}", data.size(),
              address)
          .str());
}

Expected<std::unique_ptr<LoadedKernel>>
HipDevice::load(ArrayRef<char> object, const Manifest &manifest) {
  if (Error error = checkObject(object, manifest, archName))
    return error;
  if (Error error = activate())
    return error;
  void *module = nullptr;
  if (Error error = library->check(
          library->hipModuleLoadData(&module, object.data()),
          "hipModuleLoadData of kernel '" + manifest.kernel + "'"))
    return error;
  auto kernel = std::make_unique<HipKernel>(*this, manifest, library, module);
  if (Error error = library->check(
          library->hipModuleGetFunction(&kernel->function, module,
                                        manifest.kernel.c_str()),
          "hipModuleGetFunction of kernel '" + manifest.kernel + "'"))
    return error;
  return kernel;
}

Error HipDevice::launch(const LoadedKernel &kernel, uint32_t workgroups,
                        ArrayRef<uint8_t> kernargs) {
  const Manifest &manifest = kernel.manifest();
  if (Error error = checkLaunch(*this, kernel, kernargs))
    return error;
  if (workgroups == 0)
    return Error::success();
  if (Error error = activate())
    return error;
  lastKernel = manifest.kernel;
  size_t size = kernargs.size();
  void *extra[] = {hipLaunchParamBufferPointer,
                   const_cast<uint8_t *>(kernargs.data()),
                   hipLaunchParamBufferSize, &size, hipLaunchParamEnd};
  // LDS is static in the object: none is asked for at the launch.
  int code = library->hipModuleLaunchKernel(
      static_cast<const HipKernel &>(kernel).function, workgroups, 1, 1,
      manifest.workgroupSize, 1, 1, /*ldsBytes=*/0, /*stream=*/nullptr,
      /*parameters=*/nullptr, extra);
  return library->check(code, formatv("hipModuleLaunchKernel of '{0}' with {1} "
                                      "workgroups of {2} threads",
                                      manifest.kernel, workgroups,
                                      manifest.workgroupSize)
                                  .str());
}

Error HipDevice::synchronize() {
  if (Error error = activate())
    return error;
  std::string call = "hipDeviceSynchronize";
  if (!lastKernel.empty())
    call += " after kernel '" + lastKernel + "'";
  return library->check(library->hipDeviceSynchronize(), call);
}

/// The arch out of a device's properties: the string "gfx..." among them, as
/// far as a colon, after which features stand ("gfx942:sramecc+:xnack-").
/// Its place depends on HIP's version, so it is looked for.
static std::string findArch(StringRef properties) {
  for (size_t at = properties.find("gfx"); at != StringRef::npos;
       at = properties.find("gfx", at + 1)) {
    if (at != 0 && properties[at - 1] != '\0')
      continue;
    StringRef arch = properties.substr(at).take_until(
        [](char c) { return c == ':' || c == '\0'; });
    if (arch.size() > 5 && all_of(arch.drop_front(3), isHexDigit))
      return arch.str();
  }
  return "";
}

Expected<std::unique_ptr<Device>> createHipDevice(StringRef arch) {
  Expected<std::shared_ptr<HipLibrary>> opened = HipLibrary::open();
  if (!opened)
    return opened.takeError();
  HipLibrary &library = **opened;
  if (Error error = library.check(library.hipInit(0), "hipInit"))
    return error;
  int count = 0;
  if (Error error =
          library.check(library.hipGetDeviceCount(&count), "hipGetDeviceCount"))
    return error;
  SmallVector<std::string> found;
  for (int index = 0; index < count; ++index) {
    std::string properties(HipLibrary::propertyBytes, '\0');
    if (Error error = library.check(
            library.hipGetDeviceProperties(properties.data(), index),
            "hipGetDeviceProperties of device " + Twine(index)))
      return error;
    found.push_back(findArch(properties));
    if (found.back() == arch)
      return std::make_unique<HipDevice>(*opened, index, arch);
  }
  return createStringError(formatv("{0} finds no {1} GPU, only: {2}",
                                   library.name(), arch,
                                   found.empty() ? "none" : join(found, ", ")));
}

} // namespace fly
