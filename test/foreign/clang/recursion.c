//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Stacks that the compiler cannot size: recursion whose depth only the run
// knows, calls through pointers, arrays of run-time size. In C, as OpenCL
// forbids recursion and clang takes its word for it.

#define KERNEL __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(64, 64)))
#define GLOBAL __attribute__((address_space(1)))
#define NOINLINE __attribute__((noinline))

static unsigned lane(void) { return __builtin_amdgcn_workitem_id_x(); }

NOINLINE static int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
KERNEL void recursion(const GLOBAL int *in, GLOBAL int *out) {
  out[lane()] = ackermann(in[lane()] & 1, 3 + (in[lane()] & 3));
}

// The number of partitions of a sum; every call keeps an array.
NOINLINE static int partition(int total, int largest) {
  if (total == 0)
    return 1;
  if (total < 0 || largest == 0)
    return 0;
  volatile int kept[8];
  for (int i = 0; i != 8; ++i)
    kept[i] = total * i + largest;
  int with = partition(total - largest, largest);
  int without = partition(total, largest - 1);
  for (int i = 0; i != 8; ++i)
    if (kept[i] != total * i + largest)
      return -1000000;
  return with + without;
}
KERNEL void partitions(GLOBAL int *out) {
  int total = (int)lane() % 12;
  out[lane()] = partition(total, total);
}

NOINLINE static int twice(int x) { return 2 * x; }
NOINLINE static int squared(int x) { return x * x; }
typedef int (*Function)(int);
KERNEL void pointers(const GLOBAL int *in, GLOBAL int *out) {
  Function chosen = in[lane()] & 1 ? twice : squared;
  out[lane()] = chosen(in[lane()]);
}

// A sum over an array that is as long as the argument says.
KERNEL void run_time_array(const GLOBAL int *in, GLOBAL int *out, int n) {
  volatile int copy[n];
  for (int i = 0; i != n; ++i)
    copy[i] = in[i] + (int)lane();
  int sum = 0;
  for (int i = 0; i != n; ++i)
    sum += copy[n - 1 - i] * (i + 1);
  out[lane()] = sum;
}
