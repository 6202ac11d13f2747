//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Assembly.h"
#include "Declarations.h"
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

static LogicalResult
verifyElements(function_ref<InFlightDiagnostic()> emitError, StringRef of,
               Type type) {
  if (!isa<FloatType>(type) ||
      !llvm::is_contained({8u, 16u, 32u}, type.getIntOrFloatBitWidth()))
    return emitError() << of
                       << " elements must be floats of 8, 16 or 32 bits, got "
                       << type;
  return success();
}

LogicalResult MatrixType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Type elementType, bool) {
  return verifyElements(emitError, "matrix", elementType);
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
  if (rows < 1 || k < 1 || rows > maxTileSize || k > maxTileSize)
    return emitError() << "sizes of a scale's block must be within 1.."
                       << maxTileSize << ", got " << rows << "x" << k;
  return success();
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

static LogicalResult verifySizes(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef of, ArrayRef<int64_t> sizes) {
  for (int64_t size : sizes)
    if (size < 1 || size > maxTileSize)
      return emitError() << "sizes of a" << of << " must be within 1.."
                         << maxTileSize << ", got " << size;
  return success();
}

LogicalResult SlotType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t rows, int64_t k, Type elementType) {
  if (failed(verifySizes(emitError, " slot", {rows, k})))
    return failure();
  return verifyElements(emitError, "slot", elementType);
}

LogicalResult FragmentType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   int64_t tiles, int64_t k, Type elementType) {
  if (failed(verifySizes(emitError, " fragment", {tiles, k})))
    return failure();
  return verifyElements(emitError, "fragment", elementType);
}

LogicalResult StagingType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t count) {
  return verifySizes(emitError, " staging", {count});
}

LogicalResult
ScaleFragmentType::verify(function_ref<InFlightDiagnostic()> emitError,
                          int64_t count) {
  return verifySizes(emitError, " scale fragment", {count});
}

LogicalResult
AccumulatorType::verify(function_ref<InFlightDiagnostic()> emitError,
                        int64_t tilesM, int64_t tilesN) {
  return verifySizes(emitError, "n accumulator", {tilesM, tilesN});
}
