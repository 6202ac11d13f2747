//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What memory a program has: device memory, which only copies reach, and host
/// memory that kernels see at the host's own address (hipHostMalloc,
/// hipMallocManaged, hipHostRegister). Internal to the HIP library.

#ifndef FLY_LIB_EMULATOR_HIP_MEMORY_H
#define FLY_LIB_EMULATOR_HIP_MEMORY_H

#include "HipTypes.h"

#include "fly/Emulator/Emulator.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/Memory.h"

#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace fly {
namespace hip {

enum class MemoryKind { Device, Host, Managed, Registered, Global };

struct Allocation {
  MemoryKind kind = MemoryKind::Device;
  uint64_t base = 0, size = 0;
  unsigned flags = 0;
  uint8_t *host = nullptr; ///< where the library itself reaches it

  /// Whether the program may use the address itself.
  bool isHostVisible() const {
    return kind == MemoryKind::Host || kind == MemoryKind::Managed ||
           kind == MemoryKind::Registered;
  }
};

/// One end of a copy, resolved for the library.
struct CopyEnd {
  uint8_t *host = nullptr;
  bool isPageable = false; ///< memory that HIP was not told of
};

/// Which memory one end of a copy must be in.
enum class Side { Host, Device, Any };

class Memory {
public:
  explicit Memory(DeviceMemory &device);
  ~Memory();

  llvm::Expected<uint64_t> allocateDevice(uint64_t bytes);
  llvm::Expected<void *> allocateHost(MemoryKind kind, uint64_t bytes,
                                      unsigned flags);
  llvm::Error registerHost(void *host, uint64_t bytes, unsigned flags);
  /// A variable of a module, whose memory is the module's.
  llvm::Error addGlobal(uint64_t address, uint64_t bytes);
  void removeGlobal(uint64_t address);

  /// Takes the allocation that starts at \p address out, so that no later call
  /// finds it; its memory stays until release(). Fails with \p code unless it
  /// is of one of \p kinds.
  llvm::Expected<Allocation>
  take(const void *address, llvm::ArrayRef<MemoryKind> kinds, hipError_t code);
  /// Gives memory back, once no kernel runs that might touch it.
  void release(const Allocation &allocation);

  /// The allocation that holds \p address.
  std::optional<Allocation> find(const void *address) const;
  /// Where the library finds [\p address, + \p bytes).
  llvm::Expected<CopyEnd> resolve(const void *address, uint64_t bytes,
                                  Side side, const char *what) const;

  uint64_t totalBytes() const { return total; }
  uint64_t freeBytes() const;

  /// Around each launch: memory released meanwhile is kept until it ends.
  void beginLaunch();
  void endLaunch();

private:
  llvm::Error checkSize(uint64_t bytes) const;
  void releaseNow(const Allocation &allocation);

  DeviceMemory &device;
  uint64_t total;
  mutable std::mutex mutex;
  std::map<uint64_t, Allocation> allocations;
  std::map<uint64_t, llvm::sys::MemoryBlock> hostBlocks;
  uint64_t used = 0;
  /// Device addresses handed out so far lie in here.
  uint64_t deviceBegin = ~uint64_t(0), deviceEnd = 0;
  unsigned launches = 0;
  std::vector<Allocation> released;
};

} // namespace hip
} // namespace fly

#endif // FLY_LIB_EMULATOR_HIP_MEMORY_H
