//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// What the test programs need of HIP, declared by themselves: ROCm is not
// there.

#ifndef FLY_TEST_HIP_H
#define FLY_TEST_HIP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int hipError_t;
typedef void *hipStream_t, *hipEvent_t, *hipModule_t, *hipFunction_t, *hipCtx_t;
enum { H2H, H2D, D2H, D2D, Default };
typedef struct {
  int type, device;
  void *devicePointer, *hostPointer;
  int isManaged;
  unsigned allocationFlags;
} hipPointerAttribute_t;

typedef struct {
  int id, pad, value[16];
} hipLaunchAttribute;
typedef struct {
  unsigned grid[3], block[3], ldsBytes;
  hipStream_t stream;
  const hipLaunchAttribute *attributes;
  unsigned numAttributes;
} hipLaunchConfig_t;

#ifdef __cplusplus
extern "C" {
#endif
const char *hipGetErrorName(hipError_t);
const char *hipGetErrorString(hipError_t);
hipError_t hipDrvGetErrorName(hipError_t, const char **);
hipError_t hipDrvGetErrorString(hipError_t, const char **);
hipError_t hipGetLastError(void);
hipError_t hipExtGetLastError(void);
hipError_t hipPeekAtLastError(void);
hipError_t hipInit(unsigned);
hipError_t hipDriverGetVersion(int *);
hipError_t hipRuntimeGetVersion(int *);
hipError_t hipGetDeviceCount(int *);
hipError_t hipDeviceGet(int *, int);
hipError_t hipSetDevice(int);
hipError_t hipGetDevice(int *);
hipError_t hipDeviceGetName(char *, int, int);
hipError_t hipDeviceTotalMem(size_t *, int);
hipError_t hipDeviceComputeCapability(int *, int *, int);
hipError_t hipDeviceGetAttribute(int *, int, int);
hipError_t hipDeviceCanAccessPeer(int *, int, int);
hipError_t hipGetDevicePropertiesR0600(void *, int);
hipError_t hipDeviceSynchronize(void);
hipError_t hipDeviceGetStreamPriorityRange(int *, int *);
hipError_t hipGetProcAddress(const char *, void **, int, uint64_t, int *);

hipError_t hipMalloc(void **, size_t);
hipError_t hipExtMallocWithFlags(void **, size_t, unsigned);
hipError_t hipMallocAsync(void **, size_t, hipStream_t);
hipError_t hipMallocManaged(void **, size_t, unsigned);
hipError_t hipMallocHost(void **, size_t);
hipError_t hipHostMalloc(void **, size_t, unsigned);
hipError_t hipHostAlloc(void **, size_t, unsigned);
hipError_t hipFree(void *);
hipError_t hipFreeAsync(void *, hipStream_t);
hipError_t hipHostFree(void *);
hipError_t hipFreeHost(void *);
hipError_t hipHostRegister(void *, size_t, unsigned);
hipError_t hipHostUnregister(void *);
hipError_t hipHostGetDevicePointer(void **, void *, unsigned);
hipError_t hipHostGetFlags(unsigned *, void *);
hipError_t hipMemGetInfo(size_t *, size_t *);
hipError_t hipMemGetAddressRange(void **, size_t *, void *);
hipError_t hipMemPtrGetInfo(void *, size_t *);
hipError_t hipPointerGetAttributes(hipPointerAttribute_t *, const void *);
hipError_t hipPointerGetAttribute(void *, int, void *);
hipError_t hipMemcpy(void *, const void *, size_t, int);
hipError_t hipMemcpyWithStream(void *, const void *, size_t, int, hipStream_t);
hipError_t hipMemcpyAsync(void *, const void *, size_t, int, hipStream_t);
hipError_t hipMemcpyHtoD(void *, const void *, size_t);
hipError_t hipMemcpyDtoH(void *, const void *, size_t);
hipError_t hipMemcpyDtoD(void *, const void *, size_t);
hipError_t hipMemcpyHtoDAsync(void *, const void *, size_t, hipStream_t);
hipError_t hipMemcpyDtoHAsync(void *, const void *, size_t, hipStream_t);
hipError_t hipMemcpyDtoDAsync(void *, const void *, size_t, hipStream_t);
hipError_t hipMemset(void *, int, size_t);
hipError_t hipMemsetAsync(void *, int, size_t, hipStream_t);
hipError_t hipMemsetD8(void *, unsigned char, size_t);
hipError_t hipMemsetD8Async(void *, unsigned char, size_t, hipStream_t);
hipError_t hipMemsetD16(void *, unsigned short, size_t);
hipError_t hipMemsetD16Async(void *, unsigned short, size_t, hipStream_t);
hipError_t hipMemsetD32(void *, int, size_t);
hipError_t hipMemsetD32Async(void *, int, size_t, hipStream_t);

hipError_t hipStreamCreate(hipStream_t *);
hipError_t hipStreamCreateWithFlags(hipStream_t *, unsigned);
hipError_t hipStreamCreateWithPriority(hipStream_t *, unsigned, int);
hipError_t hipStreamDestroy(hipStream_t);
hipError_t hipStreamSynchronize(hipStream_t);
hipError_t hipStreamQuery(hipStream_t);
hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t, unsigned);
hipError_t hipStreamGetFlags(hipStream_t, unsigned *);
hipError_t hipStreamGetPriority(hipStream_t, int *);
hipError_t hipStreamGetDevice(hipStream_t, int *);
hipError_t hipStreamAddCallback(hipStream_t,
                                void (*)(hipStream_t, hipError_t, void *),
                                void *, unsigned);
hipError_t hipLaunchHostFunc(hipStream_t, void (*)(void *), void *);
hipError_t hipEventCreate(hipEvent_t *);
hipError_t hipEventCreateWithFlags(hipEvent_t *, unsigned);
hipError_t hipEventDestroy(hipEvent_t);
hipError_t hipEventRecord(hipEvent_t, hipStream_t);
hipError_t hipEventSynchronize(hipEvent_t);
hipError_t hipEventQuery(hipEvent_t);
hipError_t hipEventElapsedTime(float *, hipEvent_t, hipEvent_t);

hipError_t hipModuleLoad(hipModule_t *, const char *);
hipError_t hipModuleLoadData(hipModule_t *, const void *);
hipError_t hipModuleLoadDataEx(hipModule_t *, const void *, unsigned, void *,
                               void **);
hipError_t hipModuleUnload(hipModule_t);
hipError_t hipModuleGetFunction(hipFunction_t *, hipModule_t, const char *);
hipError_t hipModuleGetGlobal(void **, size_t *, hipModule_t, const char *);
hipError_t hipFuncGetAttribute(int *, int, hipFunction_t);
hipError_t hipFuncSetAttribute(const void *, int, int);
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *,
                                                              hipFunction_t,
                                                              int, size_t);
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *, int *, hipFunction_t,
                                                   size_t, int);
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t, unsigned, unsigned,
                                            unsigned, unsigned, unsigned,
                                            unsigned, unsigned, hipStream_t,
                                            void **);
hipError_t hipDrvLaunchKernelEx(const hipLaunchConfig_t *, hipFunction_t,
                                void **, void **);
hipError_t hipLaunchKernelExC(const hipLaunchConfig_t *, const void *, void **);
hipError_t hipModuleLaunchKernel(hipFunction_t, unsigned, unsigned, unsigned,
                                 unsigned, unsigned, unsigned, unsigned,
                                 hipStream_t, void **, void **);
hipError_t hipExtModuleLaunchKernel(hipFunction_t, uint32_t, uint32_t, uint32_t,
                                    uint32_t, uint32_t, uint32_t, size_t,
                                    hipStream_t, void **, void **, hipEvent_t,
                                    hipEvent_t, uint32_t);

hipError_t hipCtxCreate(hipCtx_t *, unsigned, int);
hipError_t hipCtxDestroy(hipCtx_t);
hipError_t hipCtxPushCurrent(hipCtx_t);
hipError_t hipCtxPopCurrent(hipCtx_t *);
hipError_t hipCtxSetCurrent(hipCtx_t);
hipError_t hipCtxGetCurrent(hipCtx_t *);
hipError_t hipCtxGetDevice(int *);
hipError_t hipCtxGetFlags(unsigned *);
hipError_t hipCtxSynchronize(void);
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *, int);
hipError_t hipDevicePrimaryCtxRelease(int);
hipError_t hipDevicePrimaryCtxGetState(int, unsigned *, int *);
#ifdef __cplusplus
}
#endif

static int failures = 0;

static void expectCode(hipError_t code, const char *name, const char *call,
                       int line) {
  if (!strcmp(hipGetErrorName(code), name))
    return;
  ++failures;
  printf("line %d: %s: expected %s, got %s (%d)\n", line, call, name,
         hipGetErrorName(code), code);
}
/// The call returns the error of this name.
#define EXPECT(name, call) expectCode(call, #name, #call, __LINE__)
#define OK(call) EXPECT(hipSuccess, call)

static void expectTrue(int good, const char *what, int line) {
  if (good)
    return;
  ++failures;
  printf("line %d: expected %s\n", line, what);
}
#define TRUE(condition) expectTrue(condition, #condition, __LINE__)

static int verdict(void) {
  printf(failures ? "%d failures\n" : "PASSED\n", failures);
  return failures != 0;
}

#endif // FLY_TEST_HIP_H
