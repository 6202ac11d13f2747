//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HostMemory.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>
#ifdef __linux__
#include <sys/mman.h>
#endif

using namespace llvm;

namespace fly {
namespace emu {

/// Room between allocations, so that a wrong address rarely hits another one.
static constexpr uint64_t guardBytes = 64 * 1024;
static constexpr uint64_t pageBytes = 4096;
static constexpr uint64_t hugePageBytes = 2 << 20;
static constexpr uint64_t addressEnd = uint64_t(1) << 47;

/// Kernels walk matrices with strides beyond a page: with small pages each
/// row costs a walk of the page table.
static void adviseHugePages(const sys::MemoryBlock &block) {
#ifdef MADV_HUGEPAGE
  if (block.allocatedSize() >= hugePageBytes)
    madvise(block.base(), block.allocatedSize(), MADV_HUGEPAGE);
#endif
}

HostMemory::~HostMemory() {
  for (auto &entry : allocations)
    if (entry.second.block.base())
      sys::Memory::releaseMappedMemory(entry.second.block);
}

Expected<uint64_t> HostMemory::allocate(uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  if (bytes > addressEnd - nextAddress - 2 * guardBytes)
    return createStringError(
        formatv("cannot allocate {0} bytes of device memory", bytes));
  std::error_code code;
  Allocation allocation;
  allocation.size = bytes;
  allocation.block = sys::Memory::allocateMappedMemory(
      std::max<uint64_t>(bytes, 1), nullptr,
      sys::Memory::MF_READ | sys::Memory::MF_WRITE, code);
  if (code)
    return createStringError(formatv("cannot allocate {0} bytes of device "
                                     "memory: {1}",
                                     bytes, code.message()));
  adviseHugePages(allocation.block);
  allocation.host = static_cast<uint8_t *>(allocation.block.base());
  uint64_t address = nextAddress;
  uint64_t pages = (bytes + pageBytes - 1) / pageBytes * pageBytes;
  nextAddress += pages + guardBytes;
  allocations[address] = allocation;
  return address;
}

Error HostMemory::free(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = allocations.find(address);
  if (it == allocations.end())
    return createStringError(
        formatv("free of {0:x}, which is no allocation", address));
  if (it->second.block.base())
    sys::Memory::releaseMappedMemory(it->second.block);
  allocations.erase(it);
  return Error::success();
}

Expected<uint64_t> HostMemory::map(void *host, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t address = reinterpret_cast<uint64_t>(host);
  auto next = allocations.lower_bound(address);
  bool overlaps = next != allocations.end() && next->first - address < bytes;
  if (next != allocations.begin()) {
    auto previous = std::prev(next);
    overlaps |= address - previous->first < previous->second.size;
  }
  if (bytes == 0 || bytes > ~address || overlaps)
    return createStringError(formatv(
        "cannot map {0} bytes of host memory at {1:x}: {2}", bytes, address,
        overlaps ? "an allocation is there"
                 : "expected at least one byte below 2^64"));
  Allocation allocation;
  allocation.size = bytes;
  adviseHugePages(allocation.block);
  allocation.host = static_cast<uint8_t *>(host);
  allocations[address] = allocation;
  return address;
}

Expected<uint8_t *> HostMemory::locate(uint64_t address, uint64_t bytes,
                                       StringRef what) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = allocations.upper_bound(address);
  if (it != allocations.begin()) {
    --it;
    uint64_t offset = address - it->first;
    if (offset <= it->second.size && bytes <= it->second.size - offset)
      return it->second.host + offset;
    if (offset <= it->second.size)
      return createStringError(
          formatv("{0} of {1} bytes at {2:x}: the allocation at {3:x} has {4} "
                  "bytes",
                  what, bytes, address, it->first, it->second.size));
  }
  return createStringError(formatv(
      "{0} of {1} bytes at {2:x}: no allocation there", what, bytes, address));
}

Error HostMemory::copyToDevice(uint64_t address, ArrayRef<uint8_t> data) {
  Expected<uint8_t *> host = locate(address, data.size(), "copy to device");
  if (!host)
    return host.takeError();
  if (!data.empty())
    std::memcpy(*host, data.data(), data.size());
  return Error::success();
}

Error HostMemory::copyToHost(MutableArrayRef<uint8_t> data, uint64_t address) {
  Expected<uint8_t *> host = locate(address, data.size(), "copy from device");
  if (!host)
    return host.takeError();
  if (!data.empty())
    std::memcpy(data.data(), *host, data.size());
  return Error::success();
}

Expected<uint8_t *> HostMemory::hostPointer(uint64_t address, uint64_t bytes) {
  return locate(address, bytes, "host pointer");
}

MemoryMap HostMemory::snapshot() {
  std::lock_guard<std::mutex> lock(mutex);
  MemoryMap map;
  for (auto &entry : allocations)
    map.ranges.push_back({entry.first, entry.second.size, entry.second.host});
  return map;
}

} // namespace emu
} // namespace fly
