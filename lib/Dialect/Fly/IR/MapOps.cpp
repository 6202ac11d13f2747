//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The ops that map a workgroup to its tile.

#include "fly/Dialect/Fly/IR/Fly.h"
#include "fly/Dialect/Fly/IR/WorkgroupMap.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fly;

static std::optional<uint32_t> getConstant(Attribute attr) {
  if (auto value = dyn_cast_or_null<IntegerAttr>(attr))
    return static_cast<uint32_t>(value.getValue().getZExtValue());
  return std::nullopt;
}

static LogicalResult verifyPositive(Operation *op, StringRef what,
                                    int64_t value) {
  if (value < 1 || value > INT32_MAX)
    return op->emitOpError(what) << " must be positive, got " << value;
  return success();
}

LogicalResult TileCountOp::verify() {
  return verifyPositive(*this, "size", getSize());
}

LogicalResult MapXcdOp::verify() {
  return verifyPositive(*this, "xcds", getXcds());
}

OpFoldResult MapXcdOp::fold(FoldAdaptor adaptor) {
  if (getXcds() == 1)
    return getId();
  auto id = getConstant(adaptor.getId()), rows = getConstant(adaptor.getRows()),
       columns = getConstant(adaptor.getColumns());
  if (!id || !rows || !columns)
    return {};
  return IntegerAttr::get(getType(), mapXcd(*id, *rows * *columns, getXcds()));
}

LogicalResult MapGroupedMOp::verify() {
  return verifyPositive(*this, "size", getSize());
}

LogicalResult MapGroupedMOp::fold(FoldAdaptor adaptor,
                                  SmallVectorImpl<OpFoldResult> &results) {
  auto id = getConstant(adaptor.getId()), rows = getConstant(adaptor.getRows()),
       columns = getConstant(adaptor.getColumns());
  if (!id || !rows || !columns || *columns == 0)
    return failure();
  auto [row, column] = mapGroupedM(*id, *rows, *columns, getSize());
  results.push_back(IntegerAttr::get(getRow().getType(), row));
  results.push_back(IntegerAttr::get(getColumn().getType(), column));
  return success();
}
