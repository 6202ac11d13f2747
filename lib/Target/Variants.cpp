//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Arch/TargetInfo.h"
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

static std::string dimsOf(ArrayRef<int64_t> dims) {
  std::string text;
  raw_string_ostream os(text);
  interleave(dims, os, "x");
  return text;
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

Expected<std::vector<VariantInfo>> describeVariants(mlir::ModuleOp module,
                                                    StringRef arch) {
  auto kernel = findKernel(module);
  if (!kernel)
    return kernel.takeError();
  if (!arch.empty())
    if (auto target = lookupTarget(arch); !target)
      return target.takeError();
  std::vector<VariantInfo> variants;
  if (mlir::ArrayAttr list = kernel->getVariantsAttr())
    for (auto variant : list.getAsRange<VariantAttr>())
      if (arch.empty() || variant.isFor(arch))
        variants.push_back(
            {variant.getName().str(), variant.getSchedule().str(),
             dimsOf(variant.getTile()), dtypeOf(*kernel, variant),
             dimsOf(variant.getMfma()), variant.getTileM(), variant.getTileN(),
             variant.getArch() ? variant.getArch().str() : ""});
  return variants;
}

Expected<std::vector<std::string>> listVariants(mlir::ModuleOp module,
                                                StringRef arch) {
  auto variants = describeVariants(module, arch);
  if (!variants)
    return variants.takeError();
  std::vector<std::string> names;
  for (const VariantInfo &variant : *variants)
    names.push_back(variant.name);
  return names;
}

/// Of \p variants the one to use for any problem, or for \p use.
static const VariantInfo &defaultOf(ArrayRef<const VariantInfo *> variants,
                                    const VariantUse &use) {
  const VariantInfo &first = *variants.front(), *best = &first;
  auto tilesOf = [&](const VariantInfo &variant) {
    return divideCeil(std::max<int64_t>(use.m, 0), variant.tileM) *
           divideCeil(std::max<int64_t>(use.n, 0), variant.tileN);
  };
  auto areaOf = [](const VariantInfo &variant) {
    return uint64_t(variant.tileM * variant.tileN);
  };
  for (const VariantInfo *variant : variants) {
    uint64_t tiles = tilesOf(*variant), computed = tiles * areaOf(*variant);
    if (use.computeUnits > 0 && tiles >= use.computeUnits &&
        variant->mfma == first.mfma && variant->dtype == first.dtype &&
        computed - computed / 9 <= tilesOf(first) * areaOf(first) &&
        areaOf(*variant) > areaOf(*best))
      best = variant;
  }
  return *best;
}

Expected<std::string> selectVariant(mlir::ModuleOp module,
                                    const VariantQuery &query,
                                    const VariantUse &use) {
  auto variants = describeVariants(module, query.arch);
  if (!variants)
    return variants.takeError();
  std::vector<std::string> all;
  std::vector<const VariantInfo *> fitting;
  for (const VariantInfo &variant : *variants) {
    all.push_back(variant.name + " (" + variant.tile + ", " + variant.dtype +
                  ")");
    if ((query.variant.empty() || query.variant == variant.name) &&
        (query.tile.empty() || query.tile == variant.tile) &&
        (query.dtype.empty() || query.dtype == variant.dtype))
      fitting.push_back(&variant);
  }
  KernelOp kernel = cantFail(findKernel(module));
  std::string where = "kernel '" + kernel.getSymName().str() + "'";
  if (all.empty())
    return createStringError(where + " lists no variants" +
                             (query.arch.empty() ? "" : " for " + query.arch));
  bool isDefault = query.variant.empty() && query.tile.empty();
  if (isDefault && !fitting.empty())
    return defaultOf(fitting, kernel.findOp<GemmOp>() ? use : VariantUse())
        .name;
  auto isLikeFirst = [&](const VariantInfo *variant) {
    return variant->tile == fitting[0]->tile &&
           variant->dtype == fitting[0]->dtype;
  };
  if (!fitting.empty() && all_of(fitting, isLikeFirst))
    return fitting[0]->name;
  std::string asked;
  for (const std::string *part : {&query.variant, &query.tile, &query.dtype})
    if (!part->empty())
      asked += (asked.empty() ? "" : ", ") + *part;
  return createStringError(
      where + " has " + (fitting.empty() ? "no variant" : "several variants") +
      " for '" + asked + "', expected one of " + join(all, "; ") +
      (query.arch.empty() ? "" : ", which are those for " + query.arch));
}

} // namespace fly
