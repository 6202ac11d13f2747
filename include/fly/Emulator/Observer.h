//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Tells others of the vector memory accesses (buffer, flat, global, scratch,
/// LDS) that the emulated waves issue.

#ifndef FLY_EMULATOR_OBSERVER_H
#define FLY_EMULATOR_OBSERVER_H

#include "fly/CodeObject/Disassembly.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace fly {

/// One access of one wave, as it is issued. Valid during the call only.
struct ObservedAccess {
  const Instruction &instruction;
  uint64_t workgroup = 0; ///< linear, x fastest
  uint32_t wave = 0;      ///< in the workgroup
  uint64_t lanes = 0;     ///< that take part
  /// Bytes a lane of each part; two parts: ds_read2, ds_write2 and the like.
  unsigned bytes = 0, parts = 1;
  /// Address of each of the 64 lanes: in LDS, in the lane's scratch, or in
  /// device memory. Only those of \c lanes mean anything.
  llvm::ArrayRef<uint64_t> addresses;
  /// LDS address of each lane: the second part's, or where a direct copy
  /// (Instruction::toLds) goes. Else meaningless.
  llvm::ArrayRef<uint32_t> ldsAddresses;
};

class AccessObserver {
public:
  virtual ~AccessObserver() = default;
  /// Called on the thread that runs the workgroup, so from several at once.
  virtual void onAccess(const ObservedAccess &access) = 0;
};

} // namespace fly

#endif // FLY_EMULATOR_OBSERVER_H
