//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Allocations and what is known of a pointer.

#include "Runtime.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace fly;
using namespace fly::hip;
using namespace llvm;

static Error allocate(void **result, size_t bytes) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  if (!result)
    return fail(hipErrorInvalidValue, "no place for the address");
  *result = nullptr;
  if (bytes == 0)
    return Error::success();
  auto address = runtime->memory.allocateDevice(bytes);
  if (!address)
    return address.takeError();
  *result = reinterpret_cast<void *>(*address);
  return Error::success();
}

static Error allocateHost(void **result, size_t bytes, unsigned flags,
                          MemoryKind kind) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  if (!result)
    return fail(hipErrorInvalidValue, "no place for the address");
  *result = nullptr;
  if (bytes == 0)
    return Error::success();
  auto address = runtime->memory.allocateHost(kind, bytes, flags);
  if (!address)
    return address.takeError();
  *result = *address;
  return Error::success();
}

/// Waits for all work that was given before, as HIP does.
static Error freeNow(void *address, ArrayRef<MemoryKind> kinds,
                     hipError_t code) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  if (!address)
    return Error::success();
  auto allocation = runtime->memory.take(address, kinds, code);
  if (!allocation)
    return allocation.takeError();
  runtime->streams.drain();
  runtime->memory.release(*allocation);
  return Error::success();
}

static Error freeOnStream(void *address, void *handle) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  auto stream = runtime->stream(handle);
  if (!stream)
    return stream.takeError();
  if (!address)
    return Error::success();
  auto allocation = runtime->memory.take(address, MemoryKind::Device,
                                         hipErrorInvalidDevicePointer);
  if (!allocation)
    return allocation.takeError();
  runtime->streams.submit(*stream,
                          [&runtime = *runtime, allocation = *allocation] {
                            runtime.memory.release(allocation);
                            return hipSuccess;
                          });
  return Error::success();
}

FLY_HIP_EXPORT hipError_t hipMalloc(void **address, size_t bytes) {
  return finish("hipMalloc", allocate(address, bytes));
}

FLY_HIP_EXPORT hipError_t hipExtMallocWithFlags(void **address, size_t bytes,
                                                unsigned) {
  return finish("hipExtMallocWithFlags", allocate(address, bytes));
}

/// At once: nothing that the stream does before can use the address.
FLY_HIP_EXPORT hipError_t hipMallocAsync(void **address, size_t bytes,
                                         void *handle) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return finish("hipMallocAsync", runtime.takeError());
  auto stream = runtime->stream(handle);
  return finish("hipMallocAsync",
                stream ? allocate(address, bytes) : stream.takeError());
}

FLY_HIP_EXPORT hipError_t hipFree(void *address) {
  return finish("hipFree",
                freeNow(address, {MemoryKind::Device, MemoryKind::Managed},
                        hipErrorInvalidDevicePointer));
}

FLY_HIP_EXPORT hipError_t hipFreeAsync(void *address, void *stream) {
  return finish("hipFreeAsync", freeOnStream(address, stream));
}

FLY_HIP_EXPORT hipError_t hipMallocManaged(void **address, size_t bytes,
                                           unsigned flags) {
  return finish("hipMallocManaged",
                allocateHost(address, bytes, flags, MemoryKind::Managed));
}

FLY_HIP_EXPORT hipError_t hipHostMalloc(void **address, size_t bytes,
                                        unsigned flags) {
  return finish("hipHostMalloc",
                allocateHost(address, bytes, flags, MemoryKind::Host));
}

FLY_HIP_EXPORT hipError_t hipHostAlloc(void **address, size_t bytes,
                                       unsigned flags) {
  return finish("hipHostAlloc",
                allocateHost(address, bytes, flags, MemoryKind::Host));
}

FLY_HIP_EXPORT hipError_t hipMallocHost(void **address, size_t bytes) {
  return finish("hipMallocHost",
                allocateHost(address, bytes, 0, MemoryKind::Host));
}

FLY_HIP_EXPORT hipError_t hipHostFree(void *address) {
  return finish("hipHostFree",
                freeNow(address, MemoryKind::Host, hipErrorInvalidValue));
}

FLY_HIP_EXPORT hipError_t hipFreeHost(void *address) {
  return finish("hipFreeHost",
                freeNow(address, MemoryKind::Host, hipErrorInvalidValue));
}

FLY_HIP_EXPORT hipError_t hipHostRegister(void *address, size_t bytes,
                                          unsigned flags) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return finish("hipHostRegister", runtime.takeError());
  if (!address || !bytes)
    return finish("hipHostRegister",
                  fail(hipErrorInvalidValue, "address null or no bytes"));
  return finish("hipHostRegister",
                runtime->memory.registerHost(address, bytes, flags));
}

FLY_HIP_EXPORT hipError_t hipHostUnregister(void *address) {
  if (!address)
    return finish("hipHostUnregister", fail(hipErrorInvalidValue));
  return finish("hipHostUnregister", freeNow(address, MemoryKind::Registered,
                                             hipErrorHostMemoryNotRegistered));
}

static Expected<Allocation> findAllocation(const void *address,
                                           hipError_t code) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return runtime.takeError();
  if (std::optional<Allocation> allocation = runtime->memory.find(address))
    return *allocation;
  return fail(code); // programs ask about any pointer: not worth a text
}

FLY_HIP_EXPORT hipError_t hipHostGetDevicePointer(void **result, void *address,
                                                  unsigned) {
  auto allocation = findAllocation(address, hipErrorInvalidValue);
  if (!allocation)
    return finish("hipHostGetDevicePointer", allocation.takeError());
  if (!result || !allocation->isHostVisible())
    return finish("hipHostGetDevicePointer", fail(hipErrorInvalidValue));
  *result = address; // kernels see it at the same address
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipHostGetFlags(unsigned *flags, void *address) {
  auto allocation = findAllocation(address, hipErrorInvalidValue);
  if (!allocation)
    return finish("hipHostGetFlags", allocation.takeError());
  if (!flags || !allocation->isHostVisible())
    return finish("hipHostGetFlags", fail(hipErrorInvalidValue));
  *flags = allocation->flags;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipMemGetInfo(size_t *freeBytes, size_t *totalBytes) {
  Expected<Runtime &> runtime = Runtime::get();
  if (!runtime)
    return finish("hipMemGetInfo", runtime.takeError());
  if (freeBytes)
    *freeBytes = runtime->memory.freeBytes();
  if (totalBytes)
    *totalBytes = runtime->memory.totalBytes();
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipMemGetAddressRange(void **base, size_t *bytes,
                                                void *address) {
  auto allocation = findAllocation(address, hipErrorNotFound);
  if (!allocation)
    return finish("hipMemGetAddressRange", allocation.takeError());
  if (base)
    *base = reinterpret_cast<void *>(allocation->base);
  if (bytes)
    *bytes = allocation->size;
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t hipMemPtrGetInfo(void *address, size_t *bytes) {
  auto allocation = findAllocation(address, hipErrorInvalidValue);
  if (!allocation)
    return finish("hipMemPtrGetInfo", allocation.takeError());
  if (!bytes)
    return finish("hipMemPtrGetInfo", fail(hipErrorInvalidValue));
  *bytes = allocation->size;
  return hipSuccess;
}

static hipMemoryType typeOf(MemoryKind kind) {
  switch (kind) {
  case MemoryKind::Device:
  case MemoryKind::Global:
    return hipMemoryTypeDevice;
  case MemoryKind::Managed:
    return hipMemoryTypeManaged;
  case MemoryKind::Host:
  case MemoryKind::Registered:
    break;
  }
  return hipMemoryTypeHost;
}

FLY_HIP_EXPORT hipError_t hipPointerGetAttributes(hipPointerAttribute_t *result,
                                                  const void *address) {
  if (!result)
    return finish("hipPointerGetAttributes", fail(hipErrorInvalidValue));
  *result = hipPointerAttribute_t();
  auto allocation = findAllocation(address, hipErrorInvalidValue);
  if (!allocation)
    return finish("hipPointerGetAttributes", allocation.takeError());
  result->type = typeOf(allocation->kind);
  result->devicePointer = const_cast<void *>(address);
  if (allocation->isHostVisible())
    result->hostPointer = const_cast<void *>(address);
  result->isManaged = allocation->kind == MemoryKind::Managed;
  result->allocationFlags = allocation->flags;
  return hipSuccess;
}

/// Writes \p value as the type that the attribute has.
template <typename T> static void answer(void *result, T value) {
  std::memcpy(result, &value, sizeof(value));
}

/// One attribute of \p address, which lies in \p allocation.
static Error pointerAttribute(void *result, int attribute, void *address,
                              const Allocation &allocation) {
  switch (attribute) {
  case PointerMemoryType:
    return answer(result, int(typeOf(allocation.kind))), Error::success();
  case PointerDevicePointer:
    return answer(result, address), Error::success();
  case PointerHostPointer:
    if (!allocation.isHostVisible())
      return fail(hipErrorInvalidValue); // so ROCm says that there is none
    return answer(result, address), Error::success();
  case PointerIsManaged:
    return answer(result, allocation.kind == MemoryKind::Managed),
           Error::success();
  case PointerDeviceOrdinal:
    return answer(result, 0), Error::success();
  case PointerRangeStart:
    return answer(result, allocation.base), Error::success();
  case PointerRangeSize:
    return answer(result, size_t(allocation.size)), Error::success();
  case PointerMapped:
    return answer(result, true), Error::success();
  }
  return fail(hipErrorNotSupported,
              formatv("pointer attribute {0} is not supported", attribute));
}

FLY_HIP_EXPORT hipError_t hipPointerGetAttribute(void *result, int attribute,
                                                 void *address) {
  if (!result)
    return finish("hipPointerGetAttribute",
                  fail(hipErrorInvalidValue, "the result is null"));
  auto allocation = findAllocation(address, hipErrorInvalidValue);
  if (!allocation)
    return finish("hipPointerGetAttribute", allocation.takeError());
  return finish("hipPointerGetAttribute",
                pointerAttribute(result, attribute, address, *allocation));
}
