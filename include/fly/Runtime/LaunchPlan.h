//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// From named values to what a launch takes: packed kernel arguments and a
/// grid, both as the manifest says. No device is needed, so the same checks
/// hold on a GPU and on the emulator.

#ifndef FLY_RUNTIME_LAUNCHPLAN_H
#define FLY_RUNTIME_LAUNCHPLAN_H

#include "fly/CodeObject/Manifest.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <variant>

namespace fly {

/// A device address, as distinct from an integer.
struct DeviceAddress {
  uint64_t value = 0;
};

/// The value of the argument called \c name: an address for "ptr", an integer
/// for "i32" and "i64", a float for "f32".
struct ArgumentValue {
  std::string name;
  std::variant<DeviceAddress, int64_t, float> value;
};

struct LaunchPlan {
  /// 0 when a factor of the grid is 0: there is nothing to do, and a launch
  /// with it does nothing.
  uint32_t workgroups = 0;
  llvm::SmallVector<uint8_t, 128> kernargs;

  /// Fails on an argument that is missing, unknown, given twice, of another
  /// type or out of its range, on a broken constraint, and on a grid past
  /// 2^32 - 1 threads, saying what was expected and what was given.
  static llvm::Expected<LaunchPlan>
  create(const Manifest &manifest, llvm::ArrayRef<ArgumentValue> values);
};

/// Fails when \p kernargs have not the size the manifest states, or when a
/// value in them breaks one of its constraints.
llvm::Error checkKernargs(const Manifest &manifest,
                          llvm::ArrayRef<uint8_t> kernargs);

} // namespace fly

#endif // FLY_RUNTIME_LAUNCHPLAN_H
