//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Checks.h"

#include "fly/CodeObject/CodeObject.h"
#include "fly/Runtime/LaunchPlan.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {

Error checkObject(ArrayRef<char> object, const Manifest &manifest,
                  StringRef deviceArch) {
  Expected<CodeObject> parsed = CodeObject::parse(
      arrayRefFromStringRef(StringRef(object.data(), object.size())));
  if (!parsed)
    return parsed.takeError();
  StringRef objectArch = parsed->target().name;
  if (objectArch != deviceArch)
    return createStringError(
        formatv("the device is a {0}, but the code object is for {1}",
                deviceArch, objectArch));
  if (objectArch != manifest.arch)
    return createStringError(
        formatv("the manifest of kernel '{0}' is for {1}, but the code object "
                "is for {2}",
                manifest.kernel, manifest.arch, objectArch));
  Expected<const Kernel &> kernel = parsed->findKernel(manifest.kernel);
  if (!kernel)
    return kernel.takeError();
  if (Error error = manifest.verifyHash(object))
    return error;
  if (kernel->kernargBytes() > manifest.kernargBytes)
    return createStringError(formatv(
        "kernel '{0}' takes {1} bytes of arguments, but its manifest "
        "states {2}",
        manifest.kernel, kernel->kernargBytes(), manifest.kernargBytes));
  if (kernel->maxFlatWorkgroupSize &&
      kernel->maxFlatWorkgroupSize < manifest.workgroupSize)
    return createStringError(formatv(
        "kernel '{0}' takes at most {1} threads in a workgroup, but "
        "its manifest states {2}",
        manifest.kernel, kernel->maxFlatWorkgroupSize, manifest.workgroupSize));
  return Error::success();
}

Error checkLaunch(const Device &device, const LoadedKernel &kernel,
                  ArrayRef<uint8_t> kernargs) {
  const Manifest &manifest = kernel.manifest();
  if (&kernel.device() != &device)
    return createStringError("kernel '" + manifest.kernel +
                             "' is loaded on another device");
  return checkKernargs(manifest, kernargs);
}

} // namespace fly
