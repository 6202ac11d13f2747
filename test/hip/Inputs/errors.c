//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Every error of the HIP library: which call returns which. Arguments: a code
// object for this chip, one for another, a broken one.

#include "hip.h"

#include <sys/mman.h>

static void codes(void) {
  const char *text = NULL;
  TRUE(!strcmp(hipGetErrorName(719), "hipErrorLaunchFailure"));
  TRUE(!strcmp(hipGetErrorName(-3), "hipErrorUnknown"));
  TRUE(strlen(hipGetErrorString(209)) > 0);
  TRUE(!strcmp(hipGetErrorString(-3), hipGetErrorString(999)));
  OK(hipDrvGetErrorName(1, &text));
  TRUE(!strcmp(text, "hipErrorInvalidValue"));
  OK(hipDrvGetErrorString(1, &text));
  TRUE(!strcmp(text, hipGetErrorString(1)));
  EXPECT(hipErrorInvalidValue, hipDrvGetErrorName(1, NULL));
  EXPECT(hipErrorInvalidValue, hipDrvGetErrorString(1, NULL));
  // The last error stays until it is taken; success does not hide it.
  EXPECT(hipErrorInvalidValue, hipGetDeviceCount(NULL));
  int count;
  OK(hipGetDeviceCount(&count));
  EXPECT(hipErrorInvalidValue, hipPeekAtLastError());
  EXPECT(hipErrorInvalidValue, hipGetLastError());
  OK(hipGetLastError());
  EXPECT(hipErrorInvalidDevice, hipSetDevice(1));
  EXPECT(hipErrorInvalidDevice, hipExtGetLastError());
  OK(hipPeekAtLastError());
}

static void devices(void) {
  int value;
  char name[8];
  size_t bytes;
  void *function;
  EXPECT(hipErrorInvalidValue, hipInit(1));
  EXPECT(hipErrorInvalidDevice, hipDeviceGet(&value, 1));
  EXPECT(hipErrorInvalidValue, hipDeviceGet(NULL, 0));
  EXPECT(hipErrorInvalidDevice, hipSetDevice(-1));
  EXPECT(hipErrorInvalidValue, hipGetDevice(NULL));
  EXPECT(hipErrorInvalidValue, hipDeviceGetName(NULL, 8, 0));
  EXPECT(hipErrorInvalidValue, hipDeviceGetName(name, 0, 0));
  EXPECT(hipErrorInvalidDevice, hipDeviceGetName(name, 8, 3));
  EXPECT(hipErrorInvalidValue, hipDeviceTotalMem(NULL, 0));
  EXPECT(hipErrorInvalidDevice, hipDeviceTotalMem(&bytes, 1));
  EXPECT(hipErrorInvalidValue, hipDeviceComputeCapability(NULL, &value, 0));
  EXPECT(hipErrorInvalidDevice, hipDeviceComputeCapability(&value, &value, 1));
  EXPECT(hipErrorInvalidValue, hipDeviceGetAttribute(&value, 5000, 0));
  EXPECT(hipErrorInvalidValue, hipDeviceGetAttribute(NULL, 1, 0));
  EXPECT(hipErrorInvalidDevice, hipDeviceGetAttribute(&value, 1, 1));
  EXPECT(hipErrorInvalidValue, hipGetDevicePropertiesR0600(NULL, 0));
  EXPECT(hipErrorInvalidDevice, hipGetDevicePropertiesR0600(name, 1));
  EXPECT(hipErrorInvalidDevice, hipDeviceCanAccessPeer(&value, 0, 1));
  EXPECT(hipErrorInvalidDevice, hipDeviceCanAccessPeer(&value, 1, 0));
  EXPECT(hipErrorInvalidValue, hipDeviceCanAccessPeer(NULL, 0, 0));
  EXPECT(hipErrorInvalidValue, hipDriverGetVersion(NULL));
  EXPECT(hipErrorInvalidValue, hipRuntimeGetVersion(NULL));
  OK(hipGetProcAddress("hipMalloc", &function, 60300000, 0, &value));
  TRUE(function && value == 0);
  // What HIP 6 means by this name, and what the versions before it did.
  OK(hipGetProcAddress("hipGetDeviceProperties", &function, 60300000, 0, NULL));
  TRUE(function == (void *)hipGetDevicePropertiesR0600);
  EXPECT(hipErrorNotFound, hipGetProcAddress("hipGetDeviceProperties",
                                             &function, 50700000, 0, NULL));
  EXPECT(hipErrorNotFound,
         hipGetProcAddress("hipNothing", &function, 60300000, 0, &value));
  TRUE(!function && value == 1);
  EXPECT(hipErrorNotFound, hipGetProcAddress("malloc", &function, 0, 0, NULL));
  EXPECT(hipErrorInvalidValue, hipGetProcAddress(NULL, &function, 0, 0, NULL));
}

static void contexts(void) {
  hipCtx_t primary, context, other;
  int device, active;
  unsigned flags;
  OK(hipDevicePrimaryCtxRetain(&primary, 0));
  OK(hipCtxGetCurrent(&context));
  TRUE(context == primary);
  EXPECT(hipErrorInvalidContext, hipCtxPopCurrent(&context));
  OK(hipCtxCreate(&context, 4, 0));
  OK(hipCtxGetCurrent(&other));
  TRUE(other == context);
  OK(hipCtxGetFlags(&flags));
  TRUE(flags == 4);
  OK(hipCtxGetDevice(&device));
  TRUE(device == 0);
  OK(hipCtxPopCurrent(&other));
  TRUE(other == context);
  OK(hipCtxPushCurrent(context));
  OK(hipCtxSetCurrent(primary));
  OK(hipCtxSynchronize());
  OK(hipCtxSetCurrent(NULL));
  OK(hipCtxSetCurrent(context));
  OK(hipCtxDestroy(context));
  OK(hipCtxGetCurrent(&other));
  TRUE(other == primary);
  EXPECT(hipErrorInvalidContext, hipCtxDestroy(context));
  EXPECT(hipErrorInvalidContext, hipCtxDestroy(primary));
  EXPECT(hipErrorInvalidContext, hipCtxPushCurrent(context));
  EXPECT(hipErrorInvalidContext, hipCtxSetCurrent(context));
  EXPECT(hipErrorInvalidDevice, hipCtxCreate(&context, 0, 1));
  EXPECT(hipErrorInvalidValue, hipCtxCreate(NULL, 0, 0));
  EXPECT(hipErrorInvalidValue, hipCtxGetCurrent(NULL));
  EXPECT(hipErrorInvalidValue, hipCtxGetDevice(NULL));
  EXPECT(hipErrorInvalidValue, hipCtxGetFlags(NULL));
  EXPECT(hipErrorInvalidDevice, hipDevicePrimaryCtxRetain(&primary, 1));
  EXPECT(hipErrorInvalidValue, hipDevicePrimaryCtxRetain(NULL, 0));
  OK(hipDevicePrimaryCtxGetState(0, &flags, &active));
  TRUE(active == 1 && flags == 0);
  EXPECT(hipErrorInvalidDevice,
         hipDevicePrimaryCtxGetState(1, &flags, &active));
  OK(hipDevicePrimaryCtxRelease(0));
  EXPECT(hipErrorInvalidDevice, hipDevicePrimaryCtxRelease(1));
}

static void memory(void) {
  char *device, host[64], *gone;
  size_t freeBytes, total, bytes;
  void *base;
  OK(hipMemGetInfo(&freeBytes, &total));
  TRUE(freeBytes == total);
  OK(hipMalloc((void **)&device, 64));
  OK(hipMemGetInfo(&freeBytes, NULL));
  TRUE(freeBytes == total - 64);
  EXPECT(hipErrorOutOfMemory, hipMalloc(&base, total - 63));
  TRUE(base == NULL);
  EXPECT(hipErrorOutOfMemory, hipHostMalloc(&base, SIZE_MAX, 0));
  EXPECT(hipErrorInvalidValue, hipMalloc(NULL, 64));
  EXPECT(hipErrorInvalidValue, hipHostMalloc(NULL, 64, 0));
  OK(hipMalloc(&base, 0));
  TRUE(base == NULL);
  OK(hipHostMalloc(&base, 0, 0));
  OK(hipFree(NULL));
  OK(hipHostFree(NULL));

  // Copies outside the allocation, and in the wrong direction.
  EXPECT(hipErrorInvalidValue, hipMemcpy(device, host, 65, H2D));
  EXPECT(hipErrorInvalidValue, hipMemcpy(device + 1, host, 64, H2D));
  EXPECT(hipErrorInvalidValue, hipMemcpy(host, device + 60, 5, D2H));
  EXPECT(hipErrorInvalidValue, hipMemcpy(host, device + 64, 1, Default));
  EXPECT(hipErrorInvalidValue, hipMemcpy(device - 1, host, 1, H2D));
  EXPECT(hipErrorInvalidValue, hipMemcpyDtoD(device, device + 32, 33));
  EXPECT(hipErrorInvalidValue, hipMemcpy(host, host + 32, 8, H2D));
  EXPECT(hipErrorInvalidValue, hipMemcpy(host, device, 8, H2H));
  EXPECT(hipErrorInvalidValue, hipMemcpy(device, device, 8, D2H));
  EXPECT(hipErrorInvalidValue, hipMemcpy(NULL, host, 8, Default));
  EXPECT(hipErrorInvalidMemcpyDirection, hipMemcpy(device, host, 8, 5));
  EXPECT(hipErrorInvalidHandle, hipMemcpyAsync(device, host, 8, H2D, host));
  OK(hipMemcpy(host, host + 32, 8, H2H));
  OK(hipMemcpy(NULL, host, 0, H2D));
  EXPECT(hipErrorInvalidValue, hipMemset(device, 1, 65));
  EXPECT(hipErrorInvalidValue, hipMemset(host, 1, 8));
  EXPECT(hipErrorInvalidValue, hipMemsetD16(device, 1, 33));
  EXPECT(hipErrorInvalidValue, hipMemsetD32(device + 2, 1, 4));
  EXPECT(hipErrorInvalidValue, hipMemsetD32(device, 1, SIZE_MAX / 2));
  EXPECT(hipErrorInvalidHandle, hipMemsetAsync(device, 1, 8, host));
  OK(hipMemset(device, 1, 0));

  OK(hipMemGetAddressRange(&base, &bytes, device + 63));
  TRUE(base == device && bytes == 64);
  EXPECT(hipErrorNotFound, hipMemGetAddressRange(&base, &bytes, device + 64));
  OK(hipMemPtrGetInfo(device, &bytes));
  TRUE(bytes == 64);
  EXPECT(hipErrorInvalidValue, hipMemPtrGetInfo(host, &bytes));
  EXPECT(hipErrorInvalidValue, hipMemPtrGetInfo(device, NULL));

  // Free what is no start of an allocation, of another kind, or free already.
  EXPECT(hipErrorInvalidDevicePointer, hipFree(device + 8));
  EXPECT(hipErrorInvalidValue, hipHostFree(device));
  OK(hipFree(device));
  gone = device;
  EXPECT(hipErrorInvalidDevicePointer, hipFree(gone));
  EXPECT(hipErrorInvalidDevicePointer, hipFreeAsync(gone, NULL));
  EXPECT(hipErrorInvalidValue, hipMemcpy(host, gone, 8, D2H));
  EXPECT(hipErrorInvalidValue, hipMemcpy(host, gone, 8, Default));
  OK(hipMallocAsync((void **)&device, 64, NULL));
  EXPECT(hipErrorInvalidHandle, hipFreeAsync(device, host));
  EXPECT(hipErrorInvalidHandle, hipMallocAsync(&base, 64, host));
  OK(hipFreeAsync(NULL, NULL));
  OK(hipFreeAsync(device, NULL));
  EXPECT(hipErrorInvalidDevicePointer, hipFreeAsync(device, NULL));
  OK(hipDeviceSynchronize());
  OK(hipMemGetInfo(&freeBytes, &total));
  TRUE(freeBytes == total);
}

/// What kernels see of the host's memory.
static void hostMemory(void) {
  char *pinned, *managed, own[64], *device;
  hipPointerAttribute_t attributes;
  unsigned flags;
  void *seen;
  OK(hipHostMalloc((void **)&pinned, 64, 2));
  OK(hipMallocManaged((void **)&managed, 64, 1));
  OK(hipMalloc((void **)&device, 64));
  pinned[5] = 9;
  OK(hipHostGetDevicePointer(&seen, pinned, 0));
  TRUE(seen == pinned);
  OK(hipHostGetFlags(&flags, pinned));
  TRUE(flags == 2);
  OK(hipMemcpy(managed, pinned, 64, Default));
  TRUE(managed[5] == 9);
  EXPECT(hipErrorInvalidValue, hipMemcpy(pinned, managed, 65, Default));
  EXPECT(hipErrorInvalidValue, hipHostGetDevicePointer(&seen, device, 0));
  EXPECT(hipErrorInvalidValue, hipHostGetDevicePointer(&seen, own, 0));
  EXPECT(hipErrorInvalidValue, hipHostGetFlags(&flags, device));
  EXPECT(hipErrorInvalidValue, hipHostGetFlags(NULL, pinned));
  EXPECT(hipErrorInvalidValue, hipPointerGetAttributes(&attributes, own));
  EXPECT(hipErrorInvalidValue, hipPointerGetAttributes(NULL, own));
  OK(hipPointerGetAttributes(&attributes, device + 1));
  TRUE(attributes.type == 2 && attributes.devicePointer == device + 1 &&
       !attributes.hostPointer && !attributes.isManaged);
  OK(hipPointerGetAttributes(&attributes, pinned));
  TRUE(attributes.type == 1 && attributes.hostPointer == pinned &&
       attributes.devicePointer == pinned && attributes.allocationFlags == 2);
  OK(hipPointerGetAttributes(&attributes, managed));
  TRUE(attributes.type == 3 && attributes.isManaged);
  // The same, one at a time.
  int type = 0, ordinal = -1;
  char isManaged = 0, isMapped = 0;
  size_t bytes = 0;
  OK(hipPointerGetAttribute(&type, 2, device));
  TRUE(type == 2);
  OK(hipPointerGetAttribute(&seen, 3, device + 1));
  TRUE(seen == device + 1);
  EXPECT(hipErrorInvalidValue, hipPointerGetAttribute(&seen, 4, device));
  OK(hipPointerGetAttribute(&seen, 4, pinned));
  TRUE(seen == pinned);
  OK(hipPointerGetAttribute(&isManaged, 8, managed));
  OK(hipPointerGetAttribute(&ordinal, 9, device));
  OK(hipPointerGetAttribute(&isMapped, 13, device));
  TRUE(isManaged == 1 && ordinal == 0 && isMapped == 1);
  OK(hipPointerGetAttribute(&seen, 11, device + 63));
  OK(hipPointerGetAttribute(&bytes, 12, device + 63));
  TRUE(seen == device && bytes == 64);
  EXPECT(hipErrorInvalidValue, hipPointerGetAttribute(&type, 2, own));
  EXPECT(hipErrorInvalidValue, hipPointerGetAttribute(NULL, 2, device));
  EXPECT(hipErrorNotSupported, hipPointerGetAttribute(&seen, 5, device));
  EXPECT(hipErrorInvalidValue, hipHostRegister(NULL, 64, 0));
  OK(hipHostRegister(own, 64, 0));
  EXPECT(hipErrorHostMemoryAlreadyRegistered, hipHostRegister(own + 8, 8, 0));
  OK(hipPointerGetAttributes(&attributes, own));
  TRUE(attributes.type == 1);
  EXPECT(hipErrorInvalidValue, hipMemcpy(own + 60, pinned, 5, H2H));
  OK(hipHostUnregister(own));
  EXPECT(hipErrorHostMemoryNotRegistered, hipHostUnregister(own));
  EXPECT(hipErrorInvalidValue, hipHostUnregister(NULL));
  EXPECT(hipErrorInvalidDevicePointer, hipFree(pinned));
  OK(hipHostFree(pinned));
  EXPECT(hipErrorInvalidValue, hipHostFree(pinned));
  OK(hipFree(managed));
  OK(hipFree(device));
}

/// An image of \p bytes bytes of \p data, behind which nothing is mapped.
static void *atEnd(const void *data, size_t bytes) {
  size_t room = (bytes + 4095) / 4096 * 4096;
  char *pages = mmap(NULL, room + 4096, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(pages + room, 4096);
  memcpy(pages + room - bytes, data, bytes);
  return pages + room - bytes;
}

static void images(const char *good, const char *foreign, const char *broken) {
  hipModule_t module;
  char elf[4096];
  FILE *file = fopen(good, "rb");
  TRUE(file && fread(elf, 1, sizeof(elf), file) == sizeof(elf));
  fclose(file);
  EXPECT(hipErrorFileNotFound, hipModuleLoad(&module, "/no/such.hsaco"));
  EXPECT(hipErrorInvalidValue, hipModuleLoad(NULL, good));
  EXPECT(hipErrorInvalidValue, hipModuleLoad(&module, NULL));
  EXPECT(hipErrorNoBinaryForGpu, hipModuleLoad(&module, foreign));
  EXPECT(hipErrorInvalidImage, hipModuleLoad(&module, broken));
  EXPECT(hipErrorInvalidImage, hipModuleLoad(&module, "/proc/self/exe"));
  EXPECT(hipErrorInvalidImage, hipModuleLoad(&module, "/dev/null"));
  EXPECT(hipErrorInvalidValue, hipModuleLoadData(&module, NULL));
  EXPECT(hipErrorInvalidImage, hipModuleLoadData(&module, "hello, world"));
  // A file cut off in memory, at each size that its headers might survive.
  EXPECT(hipErrorInvalidImage, hipModuleLoadData(&module, atEnd(elf, 4)));
  EXPECT(hipErrorInvalidImage, hipModuleLoadData(&module, atEnd(elf, 63)));
  EXPECT(hipErrorInvalidImage, hipModuleLoadData(&module, atEnd(elf, 100)));
  EXPECT(hipErrorInvalidImage, hipModuleLoadData(&module, atEnd(elf, 4096)));
  EXPECT(hipErrorInvalidImage, hipModuleLoadData(&module, (void *)64));
  // An ELF file of a chip that is not known: its flags say gfx90a.
  elf[48] = 0x3f;
  EXPECT(hipErrorNoBinaryForGpu, hipModuleLoadData(&module, elf));
  // Bundles: empty, cut off, with sizes that cannot be; compressed ones.
  char bundle[128] = "__CLANG_OFFLOAD_BUNDLE__";
  EXPECT(hipErrorNoBinaryForGpu, hipModuleLoadData(&module, bundle));
  EXPECT(hipErrorInvalidImage, hipModuleLoadData(&module, atEnd(bundle, 28)));
  bundle[24] = 1; // one entry
  EXPECT(hipErrorInvalidImage, hipModuleLoadData(&module, atEnd(bundle, 40)));
  bundle[48] = 6; // bytes of its name
  strcpy(bundle + 56, "other!");
  EXPECT(hipErrorNoBinaryForGpu, hipModuleLoadData(&module, atEnd(bundle, 62)));
  EXPECT(hipErrorInvalidImage, hipModuleLoadData(&module, atEnd(bundle, 61)));
  bundle[53] = 1; // 2^40 of them
  EXPECT(hipErrorInvalidImage, hipModuleLoadData(&module, bundle));
  char packed[64] = "CCOB\1";
  EXPECT(hipErrorInvalidImage, hipModuleLoadData(&module, packed));
  for (char version = 2; version != 4; ++version) {
    packed[4] = version;
    packed[8] = 0;
    EXPECT(hipErrorInvalidImage, hipModuleLoadData(&module, packed));
    packed[8] = 40;
    EXPECT(hipErrorInvalidImage, hipModuleLoadData(&module, packed));
    packed[11] = 127;
    EXPECT(hipErrorInvalidImage, hipModuleLoadData(&module, packed));
    packed[11] = 0;
  }
  EXPECT(hipErrorInvalidHandle, hipModuleUnload(elf));
  EXPECT(hipErrorInvalidHandle, hipModuleUnload(NULL));
}

static void functions(hipModule_t module) {
  hipFunction_t function;
  void *address;
  size_t bytes;
  int value, block;
  EXPECT(hipErrorNotFound, hipModuleGetFunction(&function, module, "nothing"));
  EXPECT(hipErrorNotFound, hipModuleGetFunction(&function, module, "factor"));
  EXPECT(hipErrorInvalidValue, hipModuleGetFunction(NULL, module, "add"));
  EXPECT(hipErrorInvalidValue, hipModuleGetFunction(&function, module, NULL));
  EXPECT(hipErrorInvalidHandle, hipModuleGetFunction(&function, NULL, "add"));
  EXPECT(hipErrorNotFound, hipModuleGetGlobal(&address, &bytes, module, "add"));
  EXPECT(hipErrorInvalidValue,
         hipModuleGetGlobal(NULL, NULL, module, "factor"));
  EXPECT(hipErrorInvalidHandle,
         hipModuleGetGlobal(&address, &bytes, NULL, "factor"));
  OK(hipModuleGetFunction(&function, module, "reverse"));
  EXPECT(hipErrorInvalidValue, hipFuncGetAttribute(&value, 10, function));
  EXPECT(hipErrorInvalidValue, hipFuncGetAttribute(NULL, 0, function));
  EXPECT(hipErrorInvalidHandle, hipFuncGetAttribute(&value, 0, module));
  EXPECT(hipErrorInvalidValue, hipFuncSetAttribute(function, 8, 163840));
  EXPECT(hipErrorInvalidValue, hipFuncSetAttribute(function, 9, 101));
  EXPECT(hipErrorInvalidValue, hipFuncSetAttribute(function, 0, 1));
  EXPECT(hipErrorInvalidDeviceFunction, hipFuncSetAttribute(module, 8, 0));
  EXPECT(hipErrorInvalidValue,
         hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&value, function,
                                                            257, 0));
  EXPECT(hipErrorInvalidDeviceFunction,
         hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&value, module, 64,
                                                            0));
  EXPECT(hipErrorInvalidValue,
         hipModuleOccupancyMaxPotentialBlockSize(NULL, &block, function, 0, 0));
  EXPECT(hipErrorInvalidDeviceFunction,
         hipModuleOccupancyMaxPotentialBlockSize(&value, &block, module, 0, 0));
}

#define LAUNCH(grid, block, lds, parameters, extra)                            \
  hipModuleLaunchKernel(function, grid, 1, 1, block, 1, 1, lds, NULL,          \
                        parameters, extra)

static void launches(hipModule_t module) {
  hipFunction_t function;
  int *out, *in;
  OK(hipModuleGetFunction(&function, module, "add"));
  OK(hipMalloc((void **)&out, 256));
  OK(hipMalloc((void **)&in, 256));
  OK(hipMemset(in, 0, 256));
  char plus = 0;
  long long n = 64;
  void *parameters[] = {&out, &in, &plus, &n};
  void *missing[] = {&out, &in, NULL, &n};
  OK(LAUNCH(1, 64, 0, parameters, NULL));
  EXPECT(hipErrorInvalidValue, LAUNCH(0, 64, 0, parameters, NULL));
  EXPECT(hipErrorInvalidValue, LAUNCH(1, 0, 0, parameters, NULL));
  EXPECT(hipErrorInvalidValue, LAUNCH(1, 1025, 0, parameters, NULL));
  EXPECT(hipErrorInvalidValue, LAUNCH(1u << 26, 64, 0, parameters, NULL));
  EXPECT(hipErrorInvalidValue,
         hipModuleLaunchKernel(function, 1, 1, 1, 64, 32, 1, 0, NULL,
                               parameters, NULL));
  EXPECT(hipErrorLaunchFailure, LAUNCH(1, 65, 0, parameters, NULL));
  EXPECT(hipErrorInvalidValue, LAUNCH(1, 64, 163841, parameters, NULL));
  EXPECT(hipErrorInvalidValue, LAUNCH(1, 64, 0, NULL, NULL));
  EXPECT(hipErrorInvalidValue, LAUNCH(1, 64, 0, missing, NULL));
  EXPECT(hipErrorInvalidHandle,
         hipModuleLaunchKernel(module, 1, 1, 1, 64, 1, 1, 0, NULL, parameters,
                               NULL));
  EXPECT(hipErrorInvalidHandle,
         hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, out, parameters,
                               NULL));
  EXPECT(hipErrorInvalidValue,
         hipExtModuleLaunchKernel(function, 65, 1, 1, 64, 1, 1, 0, NULL,
                                  parameters, NULL, NULL, NULL, 0));
  EXPECT(hipErrorInvalidConfiguration,
         hipExtModuleLaunchKernel(function, 64, 1, 1, 0, 1, 1, 0, NULL,
                                  parameters, NULL, NULL, NULL, 0));
  EXPECT(hipErrorInvalidHandle,
         hipExtModuleLaunchKernel(function, 64, 1, 1, 64, 1, 1, 0, NULL,
                                  parameters, NULL, out, NULL, 0));

  struct {
    void *out, *in;
    char plus;
    long long n;
    char more[256];
  } packed = {out, in, 0, 64, {0}};
  size_t bytes = 32;
  void *extra[] = {(void *)1, &packed, (void *)2, &bytes, (void *)3};
  OK(LAUNCH(1, 64, 0, NULL, extra));
  EXPECT(hipErrorInvalidValue, LAUNCH(1, 64, 0, parameters, extra));
  bytes = 31;
  EXPECT(hipErrorInvalidValue, LAUNCH(1, 64, 0, NULL, extra));
  bytes = 0;
  EXPECT(hipErrorInvalidValue, LAUNCH(1, 64, 0, NULL, extra));
  bytes = sizeof(packed);
  EXPECT(hipErrorInvalidValue, LAUNCH(1, 64, 0, NULL, extra));
  bytes = 32;
  void *noEnd[] = {(void *)1, &packed, (void *)2, &bytes, NULL};
  EXPECT(hipErrorInvalidValue, LAUNCH(1, 64, 0, NULL, noEnd));
  void *noBuffer[] = {(void *)1, NULL, (void *)2, &bytes, (void *)3};
  EXPECT(hipErrorInvalidValue, LAUNCH(1, 64, 0, NULL, noBuffer));
  void *noSize[] = {(void *)1, &packed, (void *)2, NULL, (void *)3};
  EXPECT(hipErrorInvalidValue, LAUNCH(1, 64, 0, NULL, noSize));
  OK(hipDeviceSynchronize());
  OK(hipFree(out));
  OK(hipFree(in));
}

static void streams(void) {
  hipStream_t stream, blocking;
  hipEvent_t event, untimed;
  unsigned flags;
  int value, least, greatest;
  float time;
  EXPECT(hipErrorInvalidValue, hipStreamCreate(NULL));
  EXPECT(hipErrorInvalidValue, hipStreamCreateWithFlags(&stream, 2));
  OK(hipStreamCreateWithPriority(&stream, 1, -2));
  OK(hipStreamCreate(&blocking));
  OK(hipStreamGetFlags(stream, &flags));
  OK(hipStreamGetPriority(stream, &value));
  TRUE(flags == 1 && value == -2);
  OK(hipStreamGetDevice(stream, &value));
  TRUE(value == 0);
  OK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  TRUE(least >= greatest);
  EXPECT(hipErrorInvalidValue, hipStreamGetFlags(stream, NULL));
  EXPECT(hipErrorInvalidValue, hipStreamGetPriority(stream, NULL));
  EXPECT(hipErrorInvalidValue, hipStreamGetDevice(stream, NULL));
  EXPECT(hipErrorInvalidHandle, hipStreamGetFlags(&flags, &flags));
  EXPECT(hipErrorInvalidHandle, hipStreamGetPriority(&flags, &value));
  EXPECT(hipErrorInvalidHandle, hipStreamGetDevice(&flags, &value));
  EXPECT(hipErrorInvalidHandle, hipStreamSynchronize(&flags));
  EXPECT(hipErrorInvalidHandle, hipStreamQuery(&flags));
  EXPECT(hipErrorInvalidHandle, hipStreamDestroy(&flags));
  EXPECT(hipErrorInvalidHandle, hipStreamDestroy(NULL));
  EXPECT(hipErrorInvalidValue, hipStreamAddCallback(stream, NULL, NULL, 0));
  EXPECT(hipErrorInvalidValue, hipLaunchHostFunc(stream, NULL, NULL));
  EXPECT(hipErrorInvalidHandle, hipLaunchHostFunc(&flags, NULL, NULL));
  OK(hipStreamSynchronize((hipStream_t)1));
  OK(hipStreamSynchronize((hipStream_t)2));
  OK(hipStreamQuery(NULL));

  EXPECT(hipErrorInvalidValue, hipEventCreate(NULL));
  EXPECT(hipErrorInvalidValue, hipEventCreateWithFlags(&event, 8));
  EXPECT(hipErrorNotSupported, hipEventCreateWithFlags(&event, 6));
  OK(hipEventCreate(&event));
  OK(hipEventCreateWithFlags(&untimed, 2));
  OK(hipEventQuery(event)); // never recorded
  OK(hipEventSynchronize(event));
  OK(hipStreamWaitEvent(stream, event, 0));
  EXPECT(hipErrorInvalidHandle, hipEventElapsedTime(&time, event, event));
  OK(hipEventRecord(event, stream));
  OK(hipEventRecord(untimed, blocking));
  OK(hipStreamWaitEvent(blocking, event, 0));
  OK(hipDeviceSynchronize());
  EXPECT(hipErrorInvalidHandle, hipEventElapsedTime(&time, event, untimed));
  EXPECT(hipErrorInvalidValue, hipEventElapsedTime(NULL, event, event));
  EXPECT(hipErrorInvalidHandle, hipEventElapsedTime(&time, event, NULL));
  OK(hipEventElapsedTime(&time, event, event));
  TRUE(time == 0);
  EXPECT(hipErrorInvalidHandle, hipEventRecord(event, &flags));
  EXPECT(hipErrorInvalidHandle, hipEventRecord(&flags, stream));
  EXPECT(hipErrorInvalidHandle, hipEventSynchronize(&flags));
  EXPECT(hipErrorInvalidHandle, hipEventQuery(&flags));
  EXPECT(hipErrorInvalidHandle, hipStreamWaitEvent(stream, &flags, 0));
  EXPECT(hipErrorInvalidHandle, hipStreamWaitEvent(&flags, event, 0));
  OK(hipEventDestroy(event));
  EXPECT(hipErrorInvalidHandle, hipEventDestroy(event));
  OK(hipStreamDestroy(stream));
  OK(hipStreamDestroy(blocking));
  EXPECT(hipErrorInvalidHandle, hipStreamDestroy(stream));
  EXPECT(hipErrorInvalidHandle, hipStreamQuery(stream));
}

int main(int argc, char **argv) {
  hipModule_t module;
  codes();
  devices();
  contexts();
  memory();
  hostMemory();
  images(argv[1], argv[2], argv[3]);
  OK(hipModuleLoad(&module, argv[1]));
  functions(module);
  launches(module);
  streams();
  OK(hipModuleUnload(module));
  EXPECT(hipErrorInvalidHandle, hipModuleUnload(module));
  return verdict();
}
