//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The workgroup maps on values: WorkgroupMap.h as scalar code.

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_MAPLOWERING_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_MAPLOWERING_H

#include "CodeBuilder.h"

namespace fly {

mlir::Value lowerMapXcd(CodeBuilder &b, mlir::Value id, mlir::Value total,
                        int64_t xcds);

std::pair<mlir::Value, mlir::Value>
lowerMapGroupedM(CodeBuilder &b, mlir::Value id, mlir::Value rows,
                 mlir::Value columns, int64_t size);

} // namespace fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_MAPLOWERING_H
