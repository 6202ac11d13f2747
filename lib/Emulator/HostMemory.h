//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Device memory on the host. Addresses are handed out in ascending order with
/// gaps, so that they are the same in every run. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_HOSTMEMORY_H
#define FLY_LIB_EMULATOR_HOSTMEMORY_H

#include "MemoryMap.h"

#include "fly/Emulator/Emulator.h"

#include "llvm/Support/Memory.h"

#include <map>
#include <memory>
#include <mutex>

namespace fly {
namespace emu {

class HostMemory : public DeviceMemory {
public:
  ~HostMemory() override;
  llvm::Expected<uint64_t> allocate(uint64_t bytes) override;
  llvm::Error free(uint64_t address) override;
  llvm::Error copyToDevice(uint64_t address,
                           llvm::ArrayRef<uint8_t> data) override;
  llvm::Error copyToHost(llvm::MutableArrayRef<uint8_t> data,
                         uint64_t address) override;
  llvm::Expected<uint64_t> map(void *host, uint64_t bytes) override;
  llvm::Expected<uint8_t *> hostPointer(uint64_t address,
                                        uint64_t bytes) override;

  /// The allocations as they are now.
  MemoryMap snapshot();

private:
  struct Allocation {
    uint64_t size = 0;
    uint8_t *host = nullptr;
    llvm::sys::MemoryBlock block; ///< empty if the memory is the caller's
  };
  /// Host pointer of [address, +bytes), or an error about \p what.
  llvm::Expected<uint8_t *> locate(uint64_t address, uint64_t bytes,
                                   llvm::StringRef what);

  std::mutex mutex;
  std::map<uint64_t, Allocation> allocations;
  uint64_t nextAddress = uint64_t(1) << 44;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_HOSTMEMORY_H
