//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FLY_OPS_TD
#define FLY_OPS_TD

include "fly/Dialect/Fly/IR/FlyMapOps.td"
include "fly/Dialect/Fly/IR/FlyProblemOps.td"
include "fly/Dialect/Fly/IR/FlyScheduleOps.td"

#endif // FLY_OPS_TD
