//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Dialect/Fly/IR/Fly.h"
#include "fly/Target/Compile.h"

#include "KernelFacts.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {

bool hasKernel(mlir::ModuleOp module) {
  return !module.getOps<KernelOp>().empty();
}

Expected<KernelOp> findKernel(mlir::ModuleOp module) {
  auto kernels = to_vector(module.getOps<KernelOp>());
  if (kernels.size() != 1)
    return createStringError("expected one fly.kernel in the module, got " +
                             Twine(kernels.size()));
  return kernels.front();
}

static SmallVector<VariantAttr> variantsOf(KernelOp kernel) {
  SmallVector<VariantAttr> variants;
  if (mlir::ArrayAttr list = kernel.getVariantsAttr())
    append_range(variants, list.getAsRange<VariantAttr>());
  return variants;
}

Expected<std::vector<std::string>> listVariants(mlir::ModuleOp module) {
  auto kernel = findKernel(module);
  if (!kernel)
    return kernel.takeError();
  std::vector<std::string> names;
  for (VariantAttr variant : variantsOf(*kernel))
    names.push_back(variant.getName().str());
  return names;
}

static std::string tileOf(VariantAttr variant) {
  return formatv("{0}x{1}x{2}", variant.getTileM(), variant.getTileN(),
                 variant.getTileK());
}

/// The element type of A: the variant's if it has types, else the problem's.
static std::string dtypeOf(KernelOp kernel, VariantAttr variant) {
  mlir::Type type;
  if (!variant.getTypes().empty())
    type = variant.getTypes().front();
  else
    kernel.walk([&](mlir::Operation *op) {
      if (auto gemm = dyn_cast<GemmOp>(op))
        type = gemm.getA().getType().getElementType();
      else if (auto grouped = dyn_cast<GroupedGemmOp>(op))
        type = grouped.getA().getType().getElementType();
    });
  std::string text;
  raw_string_ostream os(text);
  if (type)
    os << type;
  return text;
}

Expected<std::string> selectVariant(mlir::ModuleOp module,
                                    const VariantQuery &query) {
  auto kernel = findKernel(module);
  if (!kernel)
    return kernel.takeError();
  std::vector<std::string> all, fitting;
  for (VariantAttr variant : variantsOf(*kernel)) {
    std::string name = variant.getName().str();
    std::string tile = tileOf(variant), dtype = dtypeOf(*kernel, variant);
    all.push_back(name + " (" + tile + ", " + dtype + ")");
    if ((query.variant.empty() || query.variant == name) &&
        (query.tile.empty() || query.tile == tile) &&
        (query.dtype.empty() || query.dtype == dtype))
      fitting.push_back(name);
  }
  std::string where = ("kernel '" + kernel->getSymName() + "'").str();
  if (all.empty())
    return createStringError(where + " lists no variants");
  bool isDefault =
      query.variant.empty() && query.tile.empty() && query.dtype.empty();
  if (fitting.size() == 1 || (isDefault && !fitting.empty()))
    return fitting.front();
  std::string asked;
  for (const std::string *part : {&query.variant, &query.tile, &query.dtype})
    if (!part->empty())
      asked += (asked.empty() ? "" : ", ") + *part;
  return createStringError(
      where + " has " + (fitting.empty() ? "no variant" : "several variants") +
      " for '" + asked + "', expected one of " + join(all, "; "));
}

} // namespace fly
