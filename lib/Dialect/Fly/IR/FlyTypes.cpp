//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Assembly.h"
#include "fly/Dialect/Fly/IR/Fly.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fly;

#define GET_TYPEDEF_CLASSES
#include "fly/Dialect/Fly/IR/FlyTypes.cpp.inc"

void FlyDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "fly/Dialect/Fly/IR/FlyTypes.cpp.inc"
      >();
}

// An optional `, grouped` before the closing bracket.
static ParseResult parseGroupedEnd(AsmParser &parser, bool &grouped) {
  grouped = succeeded(parser.parseOptionalComma());
  if (grouped && parser.parseKeyword("grouped"))
    return failure();
  return parser.parseGreater();
}

//===----------------------------------------------------------------------===//
// MatrixType
//===----------------------------------------------------------------------===//

Type MatrixType::parse(AsmParser &parser) {
  Type elementType;
  bool grouped = false;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseType(elementType) ||
      parseGroupedEnd(parser, grouped))
    return {};
  return parser.getChecked<MatrixType>(loc, parser.getContext(), elementType,
                                       grouped);
}

void MatrixType::print(AsmPrinter &printer) const {
  printer << "<" << getElementType() << (getGrouped() ? ", grouped>" : ">");
}

LogicalResult MatrixType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Type elementType, bool) {
  if (!isa<FloatType>(elementType) ||
      !llvm::is_contained({8u, 16u, 32u}, elementType.getIntOrFloatBitWidth()))
    return emitError() << "matrix elements must be floats of 8, 16 or 32 bits, "
                          "got "
                       << elementType;
  return success();
}

//===----------------------------------------------------------------------===//
// ScalesType
//===----------------------------------------------------------------------===//

Type ScalesType::parse(AsmParser &parser) {
  Type elementType;
  SmallVector<int64_t> block;
  bool grouped = false;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseType(elementType) ||
      parser.parseComma() || parseDims(parser, block, 2) ||
      parseGroupedEnd(parser, grouped))
    return {};
  return parser.getChecked<ScalesType>(loc, parser.getContext(), elementType,
                                       block[0], block[1], grouped);
}

void ScalesType::print(AsmPrinter &printer) const {
  printer << "<" << getElementType() << ", ";
  printDims(printer, {getRows(), getK()});
  printer << (getGrouped() ? ", grouped>" : ">");
}

LogicalResult ScalesType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Type elementType, int64_t rows, int64_t k,
                                 bool) {
  if (!isa<Float8E8M0FNUType>(elementType))
    return emitError() << "scales must be f8E8M0FNU, got " << elementType;
  if (rows <= 0 || k <= 0)
    return emitError() << "a scale's block must have positive sizes, got "
                       << rows << "x" << k;
  return success();
}
