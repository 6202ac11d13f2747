//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MapLowering.h"

using namespace mlir;

namespace fly {

Value lowerMapXcd(CodeBuilder &b, Value id, Value total, int64_t xcds) {
  Value xcd = b.rem(id, xcds);
  Value longer = b.umin(xcd, b.rem(total, xcds));
  Value mapped =
      b.add(b.add(b.mul(xcd, b.div(total, xcds)), longer), b.div(id, xcds));
  return b.select(b.below(id, total), mapped, id);
}

std::pair<Value, Value> lowerMapGroupedM(CodeBuilder &b, Value id, Value rows,
                                         Value columns, int64_t size) {
  Value span = b.mul(columns, size);
  Value group = b.udiv(id, span);
  Value first = b.mul(group, size);
  Value height =
      b.select(b.below(first, rows),
               b.umin(b.sub(rows, first), b.constant(size)), b.constant(1));
  Value rest = b.sub(id, b.mul(group, span));
  Value column = b.udiv(rest, height);
  return {b.add(first, b.sub(rest, b.mul(column, height))), column};
}

} // namespace fly
