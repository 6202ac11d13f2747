//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Dialect/Fly/IR/KernelABI.h"

using namespace mlir;

namespace fly {

static bool isGrouped(Type type) {
  if (auto matrix = dyn_cast<MatrixType>(type))
    return matrix.getGrouped();
  auto scales = dyn_cast<ScalesType>(type);
  return scales && scales.getGrouped();
}

// D is what a problem op or a store writes.
static bool isWritten(BlockArgument arg) {
  for (OpOperand &use : arg.getUses()) {
    Operation *user = use.getOwner();
    if (auto gemm = dyn_cast<GemmOp>(user); gemm && gemm.getD() == arg)
      return true;
    if (auto grouped = dyn_cast<GroupedGemmOp>(user);
        grouped && grouped.getD() == arg)
      return true;
    if (isa<StoreOp>(user))
      return true;
  }
  return false;
}

std::vector<KernelArgument> getKernelArguments(KernelOp kernel) {
  using Type = KernelArgument::Type;
  std::vector<KernelArgument> result;
  auto args = kernel.getEntryBlock().getArguments();
  bool grouped = false;
  for (BlockArgument arg : args) {
    result.push_back(
        {kernel.getArgName(arg).str(), Type::Pointer, isWritten(arg)});
    grouped |= isGrouped(arg.getType());
  }
  for (const char *size : {"m", "n", "k"})
    result.push_back({size, Type::I32});
  if (grouped)
    result.push_back({"num_groups", Type::I32});
  for (BlockArgument arg : args)
    if (!isa<GroupLayoutType>(arg.getType()))
      result.push_back({"pitch_" + kernel.getArgName(arg).str(), Type::I32});
  for (BlockArgument arg : args)
    if (isGrouped(arg.getType()))
      result.push_back({"stride_" + kernel.getArgName(arg).str(), Type::I64});
  return result;
}

} // namespace fly
