//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Runtime/Device.h"

using namespace llvm;

namespace fly {

Expected<std::unique_ptr<Device>> createDevice(StringRef kind, StringRef arch,
                                               const EmulatorOptions &options,
                                               std::string *whyNot) {
  Expected<const TargetInfo &> target = lookupTarget(arch);
  if (!target)
    return target.takeError();
  if (kind == "emulator")
    return createEmulatorDevice(arch, options);
  if (kind != "hip" && kind != "auto")
    return createStringError("device: expected 'auto', 'hip' or 'emulator', "
                             "got '" +
                             kind + "'");
  Expected<std::unique_ptr<Device>> hip = createHipDevice(arch);
  if (hip || kind == "hip")
    return hip;
  std::string reason = toString(hip.takeError());
  if (whyNot)
    *whyNot = std::move(reason);
  return createEmulatorDevice(arch, options);
}

} // namespace fly
