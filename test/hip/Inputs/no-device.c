//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// What calls answer when there is no device.

#include "hip.h"

int main(void) {
  int count = -1, device;
  char host[8];
  void *address = NULL;
  size_t bytes;
  setvbuf(stdout, NULL, _IONBF, 0);
  EXPECT(hipErrorNoDevice, hipInit(0));
  EXPECT(hipErrorNoDevice, hipGetDeviceCount(&count));
  printf("%d devices\n", count);
  EXPECT(hipErrorNoDevice, hipSetDevice(0));
  EXPECT(hipErrorNoDevice, hipGetDevice(&device));
  EXPECT(hipErrorNoDevice, hipMalloc(&address, 8));
  EXPECT(hipErrorNoDevice, hipHostMalloc(&address, 8, 0));
  EXPECT(hipErrorNoDevice, hipFree(host));
  EXPECT(hipErrorNoDevice, hipFreeAsync(host, NULL));
  EXPECT(hipErrorNoDevice, hipMemcpy(host, host + 4, 4, Default));
  EXPECT(hipErrorNoDevice, hipMemset(host, 0, 4));
  EXPECT(hipErrorNoDevice, hipMemGetInfo(&bytes, &bytes));
  EXPECT(hipErrorNoDevice, hipMemPtrGetInfo(host, &bytes));
  EXPECT(hipErrorNoDevice, hipHostRegister(host, 8, 0));
  EXPECT(hipErrorNoDevice, hipModuleLoad(&address, "none"));
  EXPECT(hipErrorNoDevice, hipModuleLoadData(&address, host));
  EXPECT(hipErrorNoDevice, hipModuleUnload(host));
  EXPECT(hipErrorNoDevice,
         hipModuleLaunchKernel(host, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
  EXPECT(hipErrorNoDevice, hipStreamCreate(&address));
  EXPECT(hipErrorNoDevice, hipStreamDestroy(host));
  EXPECT(hipErrorNoDevice, hipStreamSynchronize(NULL));
  EXPECT(hipErrorNoDevice, hipEventCreate(&address));
  EXPECT(hipErrorNoDevice, hipEventRecord(host, NULL));
  EXPECT(hipErrorNoDevice, hipEventDestroy(host));
  EXPECT(hipErrorNoDevice, hipCtxGetCurrent(&address));
  EXPECT(hipErrorNoDevice, hipCtxCreate(&address, 0, 0));
  EXPECT(hipErrorNoDevice, hipDevicePrimaryCtxRelease(0));
  EXPECT(hipErrorNoDevice, hipDeviceSynchronize());
  return verdict();
}
