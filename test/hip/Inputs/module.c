//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Loads a code object through HIP, launches its kernels both ways on streams
// with events, and prints what they computed.

#include "hip.h"

static void *readFile(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    exit(2);
  fseek(file, 0, SEEK_END);
  long bytes = ftell(file);
  rewind(file);
  void *data = malloc((size_t)bytes);
  if (fread(data, 1, (size_t)bytes, file) != (size_t)bytes)
    exit(2);
  fclose(file);
  return data;
}

static void devices(void) {
  int count = -1, device = -1, value = 0, version = 0, major = 0, minor = 0;
  char name[64], properties[1472];
  OK(hipGetDeviceCount(&count));
  OK(hipDeviceGet(&device, 0));
  OK(hipSetDevice(0));
  OK(hipGetDevice(&device));
  OK(hipDeviceGetName(name, sizeof(name), device));
  printf("%d device: %s\n", count, name);
  OK(hipDeviceGetName(name, 4, device));
  TRUE(!strcmp(name, "fly"));
  OK(hipDriverGetVersion(&version));
  TRUE(version / 10000000 == 6);
  OK(hipRuntimeGetVersion(&value));
  TRUE(value == version);
  OK(hipGetDevicePropertiesR0600(properties, 0));
  int warp = 0, units = 0;
  size_t lds = 0, memory = 0, total = 0;
  memcpy(&warp, properties + 308, 4);
  memcpy(&units, properties + 388, 4);
  memcpy(&lds, properties + 296, 8);
  memcpy(&memory, properties + 288, 8);
  printf("%s: arch %s, warp %d, %d units, %zu bytes of LDS\n", properties,
         properties + 1160, warp, units, lds);
  OK(hipDeviceTotalMem(&total, 0));
  TRUE(total == memory && memory > 1 << 20);
  OK(hipDeviceGetAttribute(&value, 63, 0));
  TRUE(value == units);
  OK(hipDeviceGetAttribute(&value, 74, 0));
  TRUE((size_t)value == lds);
  OK(hipDeviceGetAttribute(&value, 10017, 0));
  TRUE(value == 0);
  OK(hipDeviceComputeCapability(&major, &minor, 0));
  printf("capability %d.%d\n", major, minor);
  OK(hipDeviceCanAccessPeer(&value, 0, 0));
  TRUE(value == 0);
}

enum { count = 200 };

/// add by one pointer for each argument, and by a packed buffer.
static void launches(hipModule_t module) {
  hipFunction_t add, again;
  OK(hipModuleGetFunction(&add, module, "add"));
  OK(hipModuleGetFunction(&again, module, "add"));
  TRUE(add == again);
  int host[count], result[count];
  for (int i = 0; i != count; ++i)
    host[i] = i;
  int *in, *out;
  OK(hipMalloc((void **)&in, sizeof(host)));
  OK(hipMalloc((void **)&out, sizeof(host)));
  OK(hipMemcpyHtoD(in, host, sizeof(host)));
  hipStream_t stream;
  hipEvent_t start, stop;
  OK(hipStreamCreate(&stream));
  OK(hipEventCreate(&start));
  OK(hipEventCreate(&stop));

  char plus = 5;
  long long n = count;
  void *parameters[] = {&out, &in, &plus, &n};
  OK(hipEventRecord(start, stream));
  OK(hipModuleLaunchKernel(add, 4, 1, 1, 64, 1, 1, 0, stream, parameters,
                           NULL));
  OK(hipEventRecord(stop, stream));
  OK(hipEventSynchronize(stop));
  float time = -1;
  OK(hipEventElapsedTime(&time, start, stop));
  TRUE(time >= 0 && time < 60000);
  OK(hipMemcpy(result, out, sizeof(result), D2H));
  printf("pointers: %d %d %d\n", result[0], result[1], result[count - 1]);

  struct {
    int *out, *in;
    char plus;
    long long n;
  } packed = {out, in, -1, count};
  size_t bytes = sizeof(packed);
  void *extra[] = {(void *)1, &packed, (void *)2, &bytes, (void *)3};
  OK(hipMemsetAsync(out, 0, sizeof(host), stream));
  OK(hipModuleLaunchKernel(add, 4, 1, 1, 64, 1, 1, 0, stream, NULL, extra));
  OK(hipMemcpyDtoHAsync(result, out, sizeof(result), stream));
  OK(hipStreamSynchronize(stream));
  printf("packed: %d %d %d\n", result[0], result[1], result[count - 1]);

  // The same by threads instead of workgroups, between two events.
  plus = 7;
  OK(hipExtModuleLaunchKernel(add, 256, 1, 1, 64, 1, 1, 0, stream, parameters,
                              NULL, start, stop, 0));
  OK(hipStreamSynchronize(stream));
  OK(hipEventQuery(start));
  OK(hipEventElapsedTime(&time, start, stop));
  OK(hipMemcpyDtoH(result, out, sizeof(result)));
  printf("threads: %d %d %d\n", result[0], result[1], result[count - 1]);
  OK(hipEventDestroy(start));
  OK(hipEventDestroy(stop));
  OK(hipStreamDestroy(stream));
  OK(hipFree(in));
  OK(hipFree(out));
}

static void globals(hipModule_t module) {
  void *factor, *table;
  size_t bytes;
  int value = 10, values[4];
  OK(hipModuleGetGlobal(&factor, &bytes, module, "factor"));
  TRUE(bytes == 4);
  OK(hipMemcpy(factor, &value, 4, H2D));
  OK(hipModuleGetGlobal(&table, &bytes, module, "table"));
  TRUE(bytes == 16);
  EXPECT(hipErrorInvalidValue, hipMemcpy(table, values, 17, H2D));
  hipFunction_t tick;
  OK(hipModuleGetFunction(&tick, module, "tick"));
  OK(hipModuleLaunchKernel(tick, 1, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL));
  OK(hipModuleLaunchKernel(tick, 1, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL));
  OK(hipMemcpy(values, table, 16, Default));
  printf("table: %d %d %d %d\n", values[0], values[1], values[2], values[3]);
}

static void attributes(hipModule_t module) {
  hipFunction_t reverse;
  int value, grid, block;
  OK(hipModuleGetFunction(&reverse, module, "reverse"));
  OK(hipFuncGetAttribute(&value, 0, reverse));
  TRUE(value == 256);
  OK(hipFuncGetAttribute(&value, 1, reverse));
  TRUE(value == 1024);
  OK(hipFuncGetAttribute(&value, 4, reverse));
  TRUE(value > 0 && value <= 512);
  OK(hipFuncSetAttribute(reverse, 8, 32768));
  // 8 waves a SIMD, 4 SIMDs, 4 waves a workgroup.
  OK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&value, reverse, 256,
                                                        0));
  TRUE(value == 8);
  OK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&value, reverse, 256,
                                                        20000));
  printf("workgroups a unit with 20000 bytes more: %d\n", value);
  OK(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, reverse, 0, 0));
  TRUE(block == 256 && grid > 0 && grid % 8 == 0);
}

int main(int argc, char **argv) {
  hipModule_t module, second;
  hipFunction_t function;
  OK(hipInit(0));
  devices();
  OK(hipModuleLoad(&module, argv[1]));
  launches(module);
  globals(module);
  attributes(module);
  // Each module has its own variables; the image may be freed after the load.
  void *image = readFile(argv[1]);
  OK(hipModuleLoadDataEx(&second, image, 0, NULL, NULL));
  free(image);
  launches(second);
  OK(hipModuleUnload(second));
  OK(hipModuleUnload(module));
  EXPECT(hipErrorInvalidHandle, hipModuleGetFunction(&function, module, "add"));
  return verdict();
}
