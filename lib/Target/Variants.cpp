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

Expected<std::vector<VariantInfo>> describeVariants(mlir::ModuleOp module) {
  auto kernel = findKernel(module);
  if (!kernel)
    return kernel.takeError();
  std::vector<VariantInfo> variants;
  if (mlir::ArrayAttr list = kernel->getVariantsAttr())
    for (auto variant : list.getAsRange<VariantAttr>())
      variants.push_back({variant.getName().str(), variant.getSchedule().str(),
                          tileOf(variant), dtypeOf(*kernel, variant)});
  return variants;
}

Expected<std::vector<std::string>> listVariants(mlir::ModuleOp module) {
  auto variants = describeVariants(module);
  if (!variants)
    return variants.takeError();
  std::vector<std::string> names;
  for (const VariantInfo &variant : *variants)
    names.push_back(variant.name);
  return names;
}

Expected<std::string> selectVariant(mlir::ModuleOp module,
                                    const VariantQuery &query) {
  auto variants = describeVariants(module);
  if (!variants)
    return variants.takeError();
  std::vector<std::string> all, fitting;
  for (const VariantInfo &variant : *variants) {
    all.push_back(variant.name + " (" + variant.tile + ", " + variant.dtype +
                  ")");
    if ((query.variant.empty() || query.variant == variant.name) &&
        (query.tile.empty() || query.tile == variant.tile) &&
        (query.dtype.empty() || query.dtype == variant.dtype))
      fitting.push_back(variant.name);
  }
  std::string where =
      "kernel '" + cantFail(findKernel(module)).getSymName().str() + "'";
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
