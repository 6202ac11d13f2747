//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The kernels that device tests load; compiled for each chip.

/// out[i] = in[i] + add for all i < n up to a multiple of 64.
__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(64, 64))) void
add(__attribute__((address_space(1))) int *out,
    const __attribute__((address_space(1))) int *in, int add, int n) {
  int i =
      __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  out[i] = in[i] + add;
}
