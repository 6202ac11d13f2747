//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Kernels that ask the host for something, as printf and failed assertions do,
// or give up.

kernel void ask(global int *out) {
  // The hidden argument with the buffer of calls to the host.
  constant char *hidden = (constant char *)__builtin_amdgcn_implicitarg_ptr();
  global int *buffer = *(global int *constant *)(hidden + 80);
  if (out[0])
    out[1] = buffer[2];
}

kernel void give_up(global int *out) {
  __builtin_debugtrap();
  if (out[0])
    __builtin_trap();
}
