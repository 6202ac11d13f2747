//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Assembly.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace fly {

ParseResult parseDims(AsmParser &parser, SmallVectorImpl<int64_t> &dims,
                      unsigned count) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(dims, /*allowDynamic=*/false,
                                /*withTrailingX=*/false))
    return failure();
  if (dims.size() != count)
    return parser.emitError(loc)
           << "expected " << count << " sizes separated by x, got "
           << dims.size();
  return success();
}

void printDims(AsmPrinter &printer, ArrayRef<int64_t> dims) {
  llvm::interleave(dims, printer.getStream(), "x");
}

ParseResult parseDims(OpAsmParser &parser, DenseI64ArrayAttr &dims) {
  SmallVector<int64_t> sizes;
  if (parser.parseDimensionList(sizes, /*allowDynamic=*/false,
                                /*withTrailingX=*/false))
    return failure();
  dims = parser.getBuilder().getDenseI64ArrayAttr(sizes);
  return success();
}

void printDims(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr dims) {
  printDims(printer, dims.asArrayRef());
}

static ParseResult parseTwo(AsmParser &parser, int64_t &first, int64_t &second,
                            bool withTrailingX) {
  SmallVector<int64_t> dims;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(dims, /*allowDynamic=*/false, withTrailingX))
    return failure();
  if (dims.size() != 2)
    return parser.emitError(loc)
           << "expected 2 sizes separated by x, got " << dims.size();
  first = dims[0];
  second = dims[1];
  return success();
}

ParseResult parseShape(AsmParser &parser, int64_t &rows, int64_t &k,
                       Type &elementType) {
  if (parseTwo(parser, rows, k, /*withTrailingX=*/true))
    return failure();
  return parser.parseType(elementType);
}

void printShape(AsmPrinter &printer, int64_t rows, int64_t k,
                Type elementType) {
  printer << rows << "x" << k << "x" << elementType;
}

ParseResult parseGrid(AsmParser &parser, int64_t &first, int64_t &second) {
  return parseTwo(parser, first, second, /*withTrailingX=*/false);
}

void printGrid(AsmPrinter &printer, int64_t first, int64_t second) {
  printer << first << "x" << second;
}

} // namespace fly
