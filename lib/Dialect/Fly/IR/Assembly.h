//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Pieces of assembly that several types, attributes and ops share.

#ifndef FLY_LIB_DIALECT_FLY_IR_ASSEMBLY_H
#define FLY_LIB_DIALECT_FLY_IR_ASSEMBLY_H

#include "mlir/IR/OpImplementation.h"

namespace fly {

/// "128x256", without a trailing x. \p count is the number of sizes expected.
mlir::ParseResult parseDims(mlir::AsmParser &parser,
                            llvm::SmallVectorImpl<int64_t> &dims,
                            unsigned count);
void printDims(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> dims);

/// custom<Dims> of an op: any number of sizes.
mlir::ParseResult parseDims(mlir::OpAsmParser &parser,
                            mlir::DenseI64ArrayAttr &dims);
void printDims(mlir::OpAsmPrinter &printer, mlir::Operation *op,
               mlir::DenseI64ArrayAttr dims);

/// custom<Shape>: "128x64xbf16".
mlir::ParseResult parseShape(mlir::AsmParser &parser, int64_t &rows, int64_t &k,
                             mlir::Type &elementType);
void printShape(mlir::AsmPrinter &printer, int64_t rows, int64_t k,
                mlir::Type elementType);

/// custom<Grid>: "4x4".
mlir::ParseResult parseGrid(mlir::AsmParser &parser, int64_t &first,
                            int64_t &second);
void printGrid(mlir::AsmPrinter &printer, int64_t first, int64_t second);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_IR_ASSEMBLY_H
