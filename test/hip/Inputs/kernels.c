//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The kernels that the HIP test programs load; compiled for each chip.

#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))
#define KERNEL(threads)                                                        \
  __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(1, threads))) void

#define WORKGROUP __builtin_amdgcn_workgroup_id_x()
#define LANE __builtin_amdgcn_workitem_id_x()

/// Variables that hipModuleGetGlobal finds.
__attribute__((visibility("protected"))) GLOBAL int factor = 3;
__attribute__((visibility("protected"))) GLOBAL int table[4] = {1, 2, 4, 8};

/// out[i] = (in[i] + add) * factor, in workgroups of 64; the char and the long
/// long leave gaps between the arguments.
KERNEL(64)
add(GLOBAL int *out, const GLOBAL int *in, char add, long long n) {
  long long i = WORKGROUP * 64 + LANE;
  if (i < n)
    out[i] = (in[i] + add) * factor;
}

/// Without arguments: counts in the table.
KERNEL(64) tick(void) {
  if (LANE == 0)
    table[0] += 1;
}

static LOCAL int buffer[256] __attribute__((loader_uninitialized));
static LOCAL int racing[256] __attribute__((loader_uninitialized));

/// out[i] = the lane's opposite, through LDS; both wait for all.
KERNEL(256) reverse(GLOBAL int *out) {
  unsigned lane = LANE;
  buffer[lane] = lane;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  out[WORKGROUP * 256 + lane] = buffer[255 - lane];
}

/// The same without a barrier: a race.
KERNEL(256) race(GLOBAL int *out) {
  unsigned lane = LANE;
  racing[lane] = lane;
  __builtin_amdgcn_wave_barrier();
  out[WORKGROUP * 256 + lane] = racing[255 - lane];
}

/// Adds one to *out a number of times, long enough to be caught at it.
KERNEL(64) slow(GLOBAL volatile int *out, int times) {
  for (int i = 0; i != times; ++i)
    out[LANE] += 1;
}

/// out[workgroup] = how many workgroups have come, when all have: they wait for
/// each other, which a cooperative launch allows.
KERNEL(64) meet(GLOBAL int *arrived, GLOBAL int *out, int groups) {
  if (LANE != 0)
    return;
  __scoped_atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL,
                            __MEMORY_SCOPE_DEVICE);
  int seen;
  do
    seen = __scoped_atomic_load_n(arrived, __ATOMIC_ACQUIRE,
                                  __MEMORY_SCOPE_DEVICE);
  while (seen < groups);
  out[WORKGROUP] = seen;
}
