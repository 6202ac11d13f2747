//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The arguments of a kernel's code object, which follow from its signature (see
/// fly.kernel). The lowering and the manifest both read them here.

#ifndef FLY_DIALECT_FLY_IR_KERNELABI_H
#define FLY_DIALECT_FLY_IR_KERNELABI_H

#include "fly/Dialect/Fly/IR/Fly.h"

#include <string>
#include <vector>

namespace fly {

struct KernelArgument {
  enum class Type { Pointer, I32, I64 };
  std::string name;
  Type type;
  /// For a pointer: the kernel writes what it points to.
  bool written = false;

  uint32_t sizeBytes() const { return type == Type::I32 ? 4 : 8; }
};

/// The arguments in order; each lies at the next multiple of its size.
std::vector<KernelArgument> getKernelArguments(KernelOp kernel);

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_KERNELABI_H
