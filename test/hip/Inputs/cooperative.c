//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Cooperative launches, whose workgroups wait for each other, by each function
// that can ask for one; and grids that do not fit the chip. Argument: a code
// object of kernels.c.

#include "hip.h"

static int *arrived, *out;
enum { most = 600 };

static void begin(void) {
  OK(hipMemset(arrived, 0, sizeof(int)));
  OK(hipMemset(out, 0xff, most * sizeof(int)));
}

/// Whether each of the workgroups has seen all.
static void end(int groups) {
  int seen[most];
  OK(hipDeviceSynchronize());
  OK(hipMemcpy(seen, out, sizeof(seen), D2H));
  for (int i = 0; i != most; ++i)
    TRUE(seen[i] == (i < groups ? groups : -1));
}

int main(int argc, char **argv) {
  hipModule_t module;
  hipFunction_t meet;
  int groups = most, value = 0, perUnit = 0, units = 0;
  OK(hipModuleLoad(&module, argv[1]));
  OK(hipModuleGetFunction(&meet, module, "meet"));
  OK(hipMalloc((void **)&arrived, sizeof(int)));
  OK(hipMalloc((void **)&out, most * sizeof(int)));
  OK(hipDeviceGetAttribute(&value, 10, 0));
  TRUE(value == 1);
  void *parameters[] = {&arrived, &out, &groups};

  begin();
  OK(hipModuleLaunchCooperativeKernel(meet, most, 1, 1, 64, 1, 1, 0, NULL,
                                      parameters));
  end(most);

  hipLaunchAttribute attributes[] = {{4, 0, {1, 1, 1}}, {2, 0, {1}}};
  hipLaunchConfig_t config = {{5, 2, 1}, {64, 1, 1}, 0, NULL, attributes, 2};
  groups = 5; // the kernel counts in x only, and the rows of y meet as well
  begin();
  OK(hipDrvLaunchKernelEx(&config, meet, parameters, NULL));
  OK(hipDeviceSynchronize());
  config.grid[1] = 1;
  begin();
  OK(hipLaunchKernelExC(&config, meet, parameters));
  end(5);

  // One workgroup more than the chip holds; without the attribute any number.
  OK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&perUnit, meet, 64, 0));
  OK(hipDeviceGetAttribute(&units, 63, 0));
  unsigned tooMany = (unsigned)(perUnit * units) + 1;
  EXPECT(hipErrorCooperativeLaunchTooLarge,
         hipModuleLaunchCooperativeKernel(meet, tooMany, 1, 1, 64, 1, 1, 0,
                                          NULL, parameters));
  EXPECT(hipErrorCooperativeLaunchTooLarge,
         hipModuleLaunchCooperativeKernel(meet, 1u << 20, 1u << 20, 1u << 20,
                                          64, 1, 1, 0, NULL, parameters));
  config.grid[0] = tooMany;
  EXPECT(hipErrorCooperativeLaunchTooLarge,
         hipDrvLaunchKernelEx(&config, meet, parameters, NULL));
  // With LDS one workgroup fills a unit.
  int ldsBytes = 0;
  OK(hipDeviceGetAttribute(&ldsBytes, 74, 0));
  EXPECT(hipErrorCooperativeLaunchTooLarge,
         hipModuleLaunchCooperativeKernel(meet, (unsigned)units + 1, 1, 1, 64,
                                          1, 1, (unsigned)ldsBytes, NULL,
                                          parameters));

  EXPECT(hipErrorInvalidValue,
         hipDrvLaunchKernelEx(NULL, meet, parameters, NULL));
  config.grid[0] = 1;
  attributes[0].value[0] = 2; // a cluster of two workgroups
  EXPECT(hipErrorNotSupported,
         hipDrvLaunchKernelEx(&config, meet, parameters, NULL));
  attributes[0].id = 9;
  EXPECT(hipErrorNotSupported,
         hipDrvLaunchKernelEx(&config, meet, parameters, NULL));
  config.attributes = NULL;
  EXPECT(hipErrorInvalidValue,
         hipDrvLaunchKernelEx(&config, meet, parameters, NULL));
  EXPECT(hipErrorInvalidHandle,
         hipModuleLaunchCooperativeKernel(module, 1, 1, 1, 64, 1, 1, 0, NULL,
                                          parameters));
  OK(hipModuleUnload(module));
  return verdict();
}
