//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fly/Arch/TargetInfo.h"
#include "fly/Dialect/Fly/IR/Fly.h"
#include "fly/Dialect/Fly/IR/KernelABI.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace fly;

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

// The signature: `(` `%name` `:` type, ... `)`. The SSA names are the names of
// the code object's arguments, so they are kept.
static ParseResult
parseSignature(OpAsmParser &parser, OperationState &result,
               SmallVectorImpl<OpAsmParser::Argument> &args) {
  if (parser.parseArgumentList(args, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true))
    return failure();
  SmallVector<StringRef> names;
  for (const OpAsmParser::Argument &arg : args)
    names.push_back(arg.ssaName.name.drop_front());
  result.addAttribute("arg_names", parser.getBuilder().getStrArrayAttr(names));
  return success();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> args;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes) ||
      parseSignature(parser, result, args))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("variants"))) {
    ArrayAttr variants;
    if (parser.parseAttribute(variants, getVariantsAttrName(result.name),
                              result.attributes))
      return failure();
  } else if (succeeded(parser.parseOptionalKeyword("variant"))) {
    VariantAttr variant;
    StringAttr arch;
    if (parser.parseAttribute(variant, getVariantAttrName(result.name),
                              result.attributes) ||
        parser.parseKeyword("arch") ||
        parser.parseAttribute(arch, getArchAttrName(result.name),
                              result.attributes))
      return failure();
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, args))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getSymName());
  printer << "(";
  llvm::interleaveComma(
      getEntryBlock().getArguments(), printer,
      [&](BlockArgument arg) { printer.printRegionArgument(arg); });
  printer << ")";
  if (ArrayAttr variants = getVariantsAttr()) {
    printer.increaseIndent();
    printer.printNewline();
    printer << "  variants " << variants;
    printer.decreaseIndent();
  }
  if (VariantAttr variant = getVariantAttr())
    printer << " variant " << variant << " arch " << getArchAttr();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getArgNamesAttrName(), getVariantsAttrName(),
       getVariantAttrName(), getArchAttrName()});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

void KernelOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  for (auto [arg, name] : llvm::zip(region.getArguments(), getArgNames()))
    setName(arg, cast<StringAttr>(name).getValue());
}

StringRef KernelOp::getArgName(Value value) {
  auto arg = dyn_cast<BlockArgument>(value);
  if (!arg || arg.getOwner() != &getEntryBlock())
    return "";
  return cast<StringAttr>(getArgNames()[arg.getArgNumber()]).getValue();
}

VariantAttr KernelOp::findVariant(StringRef name, StringRef arch) {
  ArrayAttr variants = getVariantsAttr();
  if (!variants)
    return {};
  for (auto variant : variants.getAsRange<VariantAttr>())
    if (variant.isFor(arch) &&
        (name.empty() || variant.getName().getValue() == name))
      return variant;
  return {};
}

static LogicalResult verifyArguments(KernelOp kernel) {
  Block &entry = kernel.getEntryBlock();
  if (entry.getNumArguments() != kernel.getArgNames().size())
    return kernel.emitOpError("has ")
           << entry.getNumArguments() << " arguments but "
           << kernel.getArgNames().size() << " argument names";
  llvm::StringSet<> seen;
  for (auto [arg, nameAttr] :
       llvm::zip(entry.getArguments(), kernel.getArgNames())) {
    StringRef name = cast<StringAttr>(nameAttr).getValue();
    // The names of SSA values, of the code object's arguments, of the manifest.
    if (name.empty() || llvm::isDigit(name[0]) ||
        !llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }))
      return kernel.emitOpError("argument name '")
             << name << "' must be letters, digits and _, no digit first";
    if (!isa<MatrixType, ScalesType, GroupLayoutType>(arg.getType()))
      return kernel.emitOpError("argument '")
             << name << "' must be a matrix, scales or a group layout, got "
             << arg.getType();
  }
  for (const KernelArgument &argument : getKernelArguments(kernel))
    if (!seen.insert(argument.name).second)
      return kernel.emitOpError("has two arguments called '")
             << argument.name << "' in its code object";
  return success();
}

static LogicalResult verifyBody(KernelOp kernel) {
  llvm::SmallDenseSet<OperationName> seen;
  for (Operation &op : kernel.getEntryBlock()) {
    if (op.getDialect() != kernel->getDialect() || isa<KernelOp>(op))
      return op.emitOpError("cannot be in a fly.kernel");
    if (isa<WorkgroupTileOp, StoreOp, PipelineOp, PrologueOp, LoopOp, DrainOp>(
            op) &&
        !seen.insert(op.getName()).second)
      return op.emitOpError("is there twice; a kernel has one");
  }
  return success();
}

LogicalResult KernelOp::verify() {
  if (failed(verifyArguments(*this)) || failed(verifyBody(*this)))
    return failure();
  if (ArrayAttr variants = getVariantsAttr()) {
    if (variants.empty())
      return emitOpError("lists no variants");
    llvm::StringSet<> seen;
    for (auto variant : variants.getAsRange<VariantAttr>())
      if (!seen.insert(variant.getName().getValue()).second)
        return emitOpError("lists variant '")
               << variant.getName().getValue() << "' twice";
    if (getVariant())
      return emitOpError("has both a list of variants and a chosen one");
    return success();
  }
  if (!getVariant())
    return emitOpError("needs a list of variants or a chosen variant");
  if (!getArch())
    return emitOpError("needs an arch beside its chosen variant");
  auto target = lookupTarget(*getArch());
  if (!target)
    return emitOpError(toString(target.takeError()));
  return success();
}

//===----------------------------------------------------------------------===//
// GemmOp, GroupedGemmOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyTypes(Operation *op, MatrixType a, MatrixType b,
                                 MatrixType d) {
  Type elementA = a.getElementType();
  if (elementA != b.getElementType())
    return op->emitOpError("A and B must have one element type, got ")
           << elementA << " and " << b.getElementType();
  if (elementA.getIntOrFloatBitWidth() > 16)
    return op->emitOpError("A and B must have elements of 8 or 16 bits, got ")
           << elementA;
  if (!d.getElementType().isBF16() && !d.getElementType().isF16())
    return op->emitOpError("D must be bf16 or f16, got ") << d.getElementType();
  if (a.getGrouped() || d.getGrouped())
    return op->emitOpError("A and D must not be grouped: their rows are those "
                           "of all groups");
  return success();
}

LogicalResult GemmOp::verify() {
  if (getB().getType().getGrouped())
    return emitOpError("B must not be grouped; use fly.grouped_gemm");
  return verifyTypes(*this, getA().getType(), getB().getType(),
                     getD().getType());
}

LogicalResult GroupedGemmOp::verify() {
  if (failed(verifyTypes(*this, getA().getType(), getB().getType(),
                         getD().getType())))
    return failure();
  if (!getB().getType().getGrouped() || !getScaleB().getType().getGrouped())
    return emitOpError("B and its scales must be grouped");
  ScalesType scaleA = getScaleA().getType(), scaleB = getScaleB().getType();
  if (scaleA.getGrouped())
    return emitOpError("the scales of A must not be grouped: they follow the "
                       "rows of all groups");
  if (scaleA.getRows() != 1)
    return emitOpError("the scales of A must be of single rows, got blocks of ")
           << scaleA.getRows() << " rows";
  if (scaleA.getK() != scaleB.getK())
    return emitOpError("both scales must have one K granularity, got ")
           << scaleA.getK() << " and " << scaleB.getK();
  if (getAlignment() <= 0 || getAlignment() % 16)
    return emitOpError("alignment must be a positive multiple of 16 rows, got ")
           << getAlignment();
  return success();
}
