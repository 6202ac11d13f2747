//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Assembly.h"
#include "Declarations.h"
#include "fly/Arch/TargetInfo.h"
#include "fly/Dialect/Fly/IR/Fly.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fly;

#define GET_ATTRDEF_CLASSES
#include "fly/Dialect/Fly/IR/FlyAttrs.cpp.inc"

void FlyDialect::registerAttrs() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fly/Dialect/Fly/IR/FlyAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// VariantAttr
//===----------------------------------------------------------------------===//

// `types` `(` type `,` type `)` `->` type
static ParseResult parseTypes(AsmParser &parser, SmallVectorImpl<Type> &types) {
  Type a, b, d;
  if (parser.parseKeyword("types") || parser.parseLParen() ||
      parser.parseType(a) || parser.parseComma() || parser.parseType(b) ||
      parser.parseRParen() || parser.parseArrow() || parser.parseType(d))
    return failure();
  types.append({a, b, d});
  return success();
}

Attribute VariantAttr::parse(AsmParser &parser, Type) {
  StringAttr name, schedule, arch;
  SmallVector<int64_t> tile, waves, mfma;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseAttribute(name) ||
      parser.parseComma() || parser.parseKeyword("schedule") ||
      parser.parseAttribute(schedule) || parser.parseComma() ||
      parser.parseKeyword("tile") || parseDims(parser, tile, 3) ||
      parser.parseComma() || parser.parseKeyword("waves") ||
      parseDims(parser, waves, 2))
    return {};
  bool more = succeeded(parser.parseOptionalComma());
  if (more && succeeded(parser.parseOptionalKeyword("mfma"))) {
    if (parseDims(parser, mfma, 3))
      return {};
    more = succeeded(parser.parseOptionalComma());
  }
  if (more && succeeded(parser.parseOptionalKeyword("arch"))) {
    if (parser.parseAttribute(arch))
      return {};
    more = succeeded(parser.parseOptionalComma());
  }
  if (more && parseTypes(parser, types))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<VariantAttr>(
      loc, parser.getContext(), name, schedule, tile, waves, mfma, arch, types);
}

void VariantAttr::print(AsmPrinter &printer) const {
  printer << "<" << getName() << ", schedule " << getSchedule() << ", tile ";
  printDims(printer, getTile());
  printer << ", waves ";
  printDims(printer, getWaves());
  if (!getMfma().empty()) {
    printer << ", mfma ";
    printDims(printer, getMfma());
  }
  if (getArch())
    printer << ", arch " << getArch();
  if (ArrayRef<Type> types = getTypes(); !types.empty())
    printer << ", types (" << types[0] << ", " << types[1] << ") -> "
            << types[2];
  printer << ">";
}

LogicalResult VariantAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  StringAttr name, StringAttr schedule,
                                  ArrayRef<int64_t> tile,
                                  ArrayRef<int64_t> waves,
                                  ArrayRef<int64_t> mfma, StringAttr arch,
                                  ArrayRef<Type> types) {
  if (name.empty())
    return emitError() << "a variant needs a name";
  if (tile.size() != 3 || waves.size() != 2)
    return emitError() << "variant '" << name.getValue()
                       << "' needs a tile of 3 sizes and a wave grid of 2, got "
                       << tile.size() << " and " << waves.size();
  for (int64_t size : tile)
    if (size < 16 || size > maxTileSize || size % 16)
      return emitError() << "tile sizes of variant '" << name.getValue()
                         << "' must be multiples of 16 within 16.."
                         << maxTileSize << ", got " << size;
  for (int64_t count : waves)
    if (count < 1 || count > maxWaves)
      return emitError() << "wave counts of variant '" << name.getValue()
                         << "' must be within 1.." << maxWaves << ", got "
                         << count;
  if (!mfma.empty() && mfma.size() != 3)
    return emitError() << "variant '" << name.getValue()
                       << "' must give M, N and K of its MFMA or none, got "
                       << mfma.size() << " sizes";
  if (arch)
    if (auto target = lookupTarget(arch.getValue()); !target)
      return emitError() << "variant '" << name.getValue()
                         << "': " << toString(target.takeError());
  if (!types.empty() && types.size() != 3)
    return emitError() << "variant '" << name.getValue()
                       << "' must give the types of A, B and D or none, got "
                       << types.size();
  for (Type type : types)
    if (failed(MatrixType::verify(emitError, type, /*grouped=*/false)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// SwizzleAttr
//===----------------------------------------------------------------------===//

LogicalResult SwizzleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t rows, int64_t shift) {
  // Rows of 128 bytes have 8 chunks: the xor must stay within 0..7.
  if (rows < 1 || rows > maxTileSize || !llvm::isPowerOf2_64(rows) ||
      shift < 0 || shift > 31 || ((rows - 1) >> shift) > 7)
    return emitError() << "swizzle <" << rows << ", " << shift
                       << "> must have a power of two of rows and move a chunk "
                          "within the 8 chunks of a 128-byte row";
  return success();
}
