//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Arch/TargetInfo.h"
#include "fly/Dialect/Fly/Transforms/Passes.h"
#include "fly/Schedule/Schedule.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

namespace fly {
#define GEN_PASS_DEF_FLYSCHEDULEGEMM
#include "fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

// Gives A, B and D the element types that the variant states.
static void applyTypes(VariantAttr variant, const Problem &problem) {
  ArrayRef<Type> types = variant.getTypes();
  if (types.empty())
    return;
  Value matrices[] = {problem.a, problem.b, problem.d};
  for (auto [matrix, type] : llvm::zip(matrices, types)) {
    auto old = cast<MatrixType>(matrix.getType());
    matrix.setType(MatrixType::get(type.getContext(), type, old.getGrouped()));
  }
}

static std::string variantNames(KernelOp kernel, StringRef arch) {
  std::string names;
  for (auto variant : kernel.getVariantsAttr().getAsRange<VariantAttr>())
    if (variant.isFor(arch))
      names += (names.empty() ? "" : ", ") + variant.getName().str();
  return names.empty() ? "none" : names;
}

namespace {
struct ScheduleGemm : public fly::impl::FlyScheduleGemmBase<ScheduleGemm> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(schedule(getOperation())))
      signalPassFailure();
  }

  LogicalResult schedule(KernelOp kernel) {
    auto target = lookupTarget(arch);
    if (!target)
      return kernel.emitOpError("cannot be scheduled: ")
             << toString(target.takeError());
    if (!kernel.getVariants())
      return kernel.emitOpError("is scheduled already");
    VariantAttr chosen = kernel.findVariant(variant, arch);
    if (!chosen)
      return kernel.emitOpError("has no variant '")
             << variant << "' for " << arch << ", expected one of "
             << variantNames(kernel, arch);
    auto info = lookupSchedule(chosen.getSchedule());
    if (!info)
      return kernel.emitOpError("cannot be scheduled: ")
             << toString(info.takeError());
    if (numXcds < 0 || groupSizeM < 1)
      return kernel.emitOpError("cannot be scheduled: num-xcds must not be "
                                "negative and group-size-m must be positive, "
                                "got ")
             << int64_t(numXcds) << " and " << int64_t(groupSizeM);
    FailureOr<Problem> problem = findProblem(kernel);
    if (failed(problem))
      return failure();

    applyTypes(chosen, *problem);
    kernel.removeVariantsAttr();
    kernel.setVariantAttr(chosen);
    kernel.setArch(arch);
    // The variant's types may not suit the problem, nor its tile the arch.
    if (failed(mlir::verify(problem->op)))
      return failure();
    OpBuilder builder(problem->op);
    MapParameters map;
    map.numXcds = numXcds ? numXcds : target->xcds;
    map.groupSizeM = groupSizeM;
    ScheduleBuilder scheduleBuilder(builder, *problem, chosen, map);
    if (failed(mlir::verify(scheduleBuilder.getTile())))
      return failure();
    info->build(scheduleBuilder);
    problem->op->erase();
    return success();
  }
};
} // namespace
