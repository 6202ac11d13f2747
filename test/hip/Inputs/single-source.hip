//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// A program with its kernels in one file, as clang's HIP front end compiles it
// without ROCm: the constructors register the code object, <<< >>> launches.

#include "hip.h"

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
extern "C" {
hipError_t __hipPushCallConfiguration(dim3, dim3, size_t = 0,
                                      hipStream_t = nullptr);
hipError_t __hipPopCallConfiguration(dim3 *, dim3 *, size_t *, hipStream_t *);
hipError_t hipLaunchKernel(const void *, dim3, dim3, void **, size_t,
                           hipStream_t);
void **__hipRegisterFatBinary(const void *);
hipError_t hipFuncGetAttributes(void *, const void *);
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *,
                                                        int, size_t);
hipError_t hipMemcpyToSymbol(const void *, const void *, size_t, size_t, int);
hipError_t hipMemcpyFromSymbol(void *, const void *, size_t, size_t, int);
hipError_t hipGetSymbolAddress(void **, const void *);
hipError_t hipGetSymbolSize(size_t *, const void *);
}

__device__ int weights[4];
__device__ int launches;

__global__ void weigh(int *out, const int *in, int n) {
  __shared__ int tile[64];
  int lane = __builtin_amdgcn_workitem_id_x();
  int i = __builtin_amdgcn_workgroup_id_x() * 64 + lane;
  if (i == 0)
    ++launches;
  tile[lane] = i < n ? in[i] : 0;
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
  if (i < n)
    out[i] = tile[lane ^ 1] * weights[i % 4];
}

static void notAKernel() {}

int main() {
  int host[128], *in, *out, table[4] = {1, 10, 100, 1000}, count = -1;
  for (int i = 0; i != 128; ++i)
    host[i] = i;
  OK(hipMalloc((void **)&in, sizeof(host)));
  OK(hipMalloc((void **)&out, sizeof(host)));
  OK(hipMemcpy(in, host, sizeof(host), H2D));
  OK(hipMemcpyToSymbol(weights, table, sizeof(table), 0, H2D));
  EXPECT(hipErrorInvalidValue, hipMemcpyToSymbol(weights, table, 8, 12, H2D));
  EXPECT(hipErrorInvalidSymbol, hipMemcpyToSymbol(table, table, 8, 0, H2D));
  EXPECT(hipErrorInvalidSymbol, hipGetLastError());
  weigh<<<2, 64>>>(out, in, 128);
  OK(hipGetLastError());
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  weigh<<<dim3(2), dim3(64), 128, stream>>>(out, in, 127);
  OK(hipGetLastError());
  OK(hipStreamSynchronize(stream));
  OK(hipMemcpy(host, out, sizeof(host), D2H));
  OK(hipMemcpyFromSymbol(&count, &launches, 4, 0, D2H));
  printf("%d launches: %d %d %d %d %d\n", count, host[0], host[1], host[2],
         host[126], host[127]);

  void *address;
  size_t bytes;
  int blocks;
  struct {
    int binary, cache;
    size_t constant, local;
    int dynamic, threads, registers, carveout, ptx;
    size_t lds;
  } attributes;
  OK(hipGetSymbolAddress(&address, weights));
  OK(hipMemcpy(table, address, sizeof(table), D2H));
  TRUE(table[3] == 1000);
  OK(hipGetSymbolSize(&bytes, weights));
  TRUE(bytes == 16);
  EXPECT(hipErrorInvalidSymbol, hipGetSymbolSize(&bytes, table));
  EXPECT(hipErrorInvalidSymbol, hipGetSymbolAddress(&address, table));
  EXPECT(hipErrorInvalidValue, hipGetSymbolAddress(nullptr, weights));
  EXPECT(hipErrorInvalidValue, hipGetSymbolSize(nullptr, weights));
  OK(hipFuncGetAttributes(&attributes, (const void *)weigh));
  TRUE(attributes.lds == 256 && attributes.threads == 1024);
  OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)weigh,
                                                  64, 0));
  TRUE(blocks == 32);
  EXPECT(hipErrorInvalidDeviceFunction,
         hipFuncGetAttributes(&attributes, (const void *)notAKernel));
  EXPECT(hipErrorInvalidValue,
         hipFuncGetAttributes(nullptr, (const void *)weigh));
  TRUE(!__hipRegisterFatBinary(&attributes));
  weigh<<<1, 1025>>>(out, in, 1);
  EXPECT(hipErrorInvalidConfiguration, hipGetLastError());
  EXPECT(hipErrorInvalidDeviceFunction,
         hipLaunchKernel((const void *)notAKernel, dim3(1), dim3(1), nullptr, 0,
                         nullptr));
  dim3 grid(1), block(1);
  EXPECT(hipErrorMissingConfiguration,
         __hipPopCallConfiguration(&grid, &block, &bytes, &stream));
  return verdict();
}
