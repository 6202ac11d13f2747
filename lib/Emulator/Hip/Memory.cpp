//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "Failure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <unistd.h>

using namespace llvm;

namespace fly {
namespace hip {

Memory::Memory(DeviceMemory &device)
    : device(device), total(uint64_t(sysconf(_SC_PHYS_PAGES)) *
                            uint64_t(sysconf(_SC_PAGESIZE))) {}

Memory::~Memory() {
  for (auto &entry : hostBlocks)
    sys::Memory::releaseMappedMemory(entry.second);
}

Error Memory::checkSize(uint64_t bytes) const {
  if (bytes <= total - used)
    return Error::success();
  return fail(hipErrorOutOfMemory,
              formatv("{0} bytes asked for, {1} of {2} are free", bytes,
                      total - used, total));
}

Expected<uint64_t> Memory::allocateDevice(uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  if (Error error = checkSize(bytes))
    return std::move(error);
  Expected<uint64_t> address = device.allocate(bytes);
  if (!address)
    return failAs(hipErrorOutOfMemory, address.takeError());
  Allocation allocation;
  allocation.base = *address;
  allocation.size = bytes;
  allocation.host = cantFail(device.hostPointer(*address, bytes));
  allocations[*address] = allocation;
  used += bytes;
  deviceBegin = std::min(deviceBegin, *address);
  deviceEnd = std::max(deviceEnd, *address + bytes);
  return *address;
}

Expected<void *> Memory::allocateHost(MemoryKind kind, uint64_t bytes,
                                      unsigned flags) {
  std::lock_guard<std::mutex> lock(mutex);
  if (Error error = checkSize(bytes))
    return std::move(error);
  std::error_code code;
  sys::MemoryBlock block = sys::Memory::allocateMappedMemory(
      bytes, nullptr, sys::Memory::MF_READ | sys::Memory::MF_WRITE, code);
  if (code)
    return fail(hipErrorOutOfMemory, code.message());
  Expected<uint64_t> address = device.map(block.base(), bytes);
  if (!address) {
    sys::Memory::releaseMappedMemory(block);
    return failAs(hipErrorOutOfMemory, address.takeError());
  }
  Allocation allocation;
  allocation.kind = kind;
  allocation.base = *address;
  allocation.size = bytes;
  allocation.flags = flags;
  allocation.host = static_cast<uint8_t *>(block.base());
  allocations[*address] = allocation;
  hostBlocks[*address] = block;
  used += bytes;
  return block.base();
}

Error Memory::registerHost(void *host, uint64_t bytes, unsigned flags) {
  std::lock_guard<std::mutex> lock(mutex);
  Expected<uint64_t> address = device.map(host, bytes);
  if (!address)
    return failAs(hipErrorHostMemoryAlreadyRegistered, address.takeError());
  Allocation allocation;
  allocation.kind = MemoryKind::Registered;
  allocation.base = *address;
  allocation.size = bytes;
  allocation.flags = flags;
  allocation.host = static_cast<uint8_t *>(host);
  allocations[*address] = allocation;
  return Error::success();
}

Error Memory::addGlobal(uint64_t address, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  Expected<uint8_t *> host = device.hostPointer(address, bytes);
  if (!host)
    return failAs(hipErrorInvalidImage, host.takeError());
  Allocation allocation;
  allocation.kind = MemoryKind::Global;
  allocation.base = address;
  allocation.size = bytes;
  allocation.host = *host;
  allocations[address] = allocation;
  return Error::success();
}

void Memory::removeGlobal(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex);
  allocations.erase(address);
}

Expected<Allocation> Memory::take(const void *address,
                                  ArrayRef<MemoryKind> kinds, hipError_t code) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = allocations.find(reinterpret_cast<uint64_t>(address));
  if (it == allocations.end() || !is_contained(kinds, it->second.kind))
    return fail(code, formatv("no allocation of this kind starts at {0}",
                              const_cast<void *>(address)));
  Allocation allocation = it->second;
  allocations.erase(it);
  return allocation;
}

void Memory::release(const Allocation &allocation) {
  std::lock_guard<std::mutex> lock(mutex);
  if (launches)
    released.push_back(allocation);
  else
    releaseNow(allocation);
}

void Memory::releaseNow(const Allocation &allocation) {
  cantFail(device.free(allocation.base));
  if (allocation.kind != MemoryKind::Registered)
    used -= allocation.size;
  auto block = hostBlocks.find(allocation.base);
  if (block == hostBlocks.end())
    return;
  sys::Memory::releaseMappedMemory(block->second);
  hostBlocks.erase(block);
}

void Memory::beginLaunch() {
  std::lock_guard<std::mutex> lock(mutex);
  ++launches;
}

void Memory::endLaunch() {
  std::lock_guard<std::mutex> lock(mutex);
  if (--launches)
    return;
  for (const Allocation &allocation : released)
    releaseNow(allocation);
  released.clear();
}

uint64_t Memory::freeBytes() const {
  std::lock_guard<std::mutex> lock(mutex);
  return total - used;
}

std::optional<Allocation> Memory::find(const void *pointer) const {
  uint64_t address = reinterpret_cast<uint64_t>(pointer);
  std::lock_guard<std::mutex> lock(mutex);
  auto it = allocations.upper_bound(address);
  if (it == allocations.begin())
    return std::nullopt;
  --it;
  if (address - it->first >= it->second.size)
    return std::nullopt;
  return it->second;
}

Expected<CopyEnd> Memory::resolve(const void *pointer, uint64_t bytes,
                                  Side side, const char *what) const {
  uint64_t address = reinterpret_cast<uint64_t>(pointer);
  std::optional<Allocation> allocation = find(pointer);
  if (!allocation) {
    bool wasDevice = false;
    {
      std::lock_guard<std::mutex> lock(mutex);
      wasDevice = address >= deviceBegin && address <= deviceEnd;
    }
    if (side == Side::Device || wasDevice || !pointer)
      return fail(hipErrorInvalidValue,
                  formatv("the {0} {1:x} is in no allocation", what, address));
    return CopyEnd{reinterpret_cast<uint8_t *>(address), /*isPageable=*/true};
  }
  if (side == Side::Host && !allocation->isHostVisible())
    return fail(hipErrorInvalidValue,
                formatv("the {0} {1:x} is device memory, the direction of the "
                        "copy says host memory",
                        what, address));
  uint64_t offset = address - allocation->base;
  if (bytes > allocation->size - offset)
    return fail(hipErrorInvalidValue,
                formatv("{0} bytes at the {1} {2:x} pass the end of the "
                        "allocation at {3:x} of {4} bytes",
                        bytes, what, address, allocation->base,
                        allocation->size));
  return CopyEnd{allocation->host + offset, /*isPageable=*/false};
}

} // namespace hip
} // namespace fly
