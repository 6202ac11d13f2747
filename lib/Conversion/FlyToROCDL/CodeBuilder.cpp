//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CodeBuilder.h"

using namespace mlir;

namespace fly {

// Raw buffer: 32-bit float data format, as LLVM and ROCm's libraries set it.
static constexpr int64_t bufferFlags = 0x27000;

Value CodeBuilder::constant(int64_t value) {
  return LLVM::ConstantOp::create(*this, i32(), getI32IntegerAttr(value));
}
Value CodeBuilder::constant64(int64_t value) {
  return LLVM::ConstantOp::create(*this, getI64Type(),
                                  getI64IntegerAttr(value));
}
Value CodeBuilder::add(Value a, Value b) {
  return LLVM::AddOp::create(*this, a, b);
}
Value CodeBuilder::add(Value a, int64_t b) {
  return b ? add(a, constant(b)) : a;
}
Value CodeBuilder::sub(Value a, Value b) {
  return LLVM::SubOp::create(*this, a, b);
}
Value CodeBuilder::mul(Value a, Value b) {
  return LLVM::MulOp::create(*this, a, b);
}
Value CodeBuilder::mul(Value a, int64_t b) {
  return b == 1 ? a : mul(a, constant(b));
}
Value CodeBuilder::div(Value a, int64_t b) {
  return b == 1 ? a : udiv(a, constant(b));
}
Value CodeBuilder::rem(Value a, int64_t b) {
  return LLVM::URemOp::create(*this, a, constant(b));
}
Value CodeBuilder::udiv(Value a, Value b) {
  return LLVM::UDivOp::create(*this, a, b);
}
Value CodeBuilder::bitXor(Value a, Value b) {
  return LLVM::XOrOp::create(*this, a, b);
}
Value CodeBuilder::smin(Value a, Value b) {
  return LLVM::SMinOp::create(*this, a, b);
}
Value CodeBuilder::umin(Value a, Value b) {
  return LLVM::UMinOp::create(*this, a, b);
}
Value CodeBuilder::less(Value a, Value b) {
  return LLVM::ICmpOp::create(*this, LLVM::ICmpPredicate::slt, a, b);
}
Value CodeBuilder::below(Value a, Value b) {
  return LLVM::ICmpOp::create(*this, LLVM::ICmpPredicate::ult, a, b);
}
Value CodeBuilder::select(Value condition, Value a, Value b) {
  return LLVM::SelectOp::create(*this, condition, a, b);
}
Value CodeBuilder::zext64(Value a) {
  return LLVM::ZExtOp::create(*this, getI64Type(), a);
}
Value CodeBuilder::trunc32(Value a) {
  return LLVM::TruncOp::create(*this, i32(), a);
}
Value CodeBuilder::bitcast(Value a, Type type) {
  return LLVM::BitcastOp::create(*this, type, a);
}

Value CodeBuilder::offsetPtr(Value base, Value bytes) {
  return LLVM::GEPOp::create(*this, base.getType(), getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{bytes});
}
Value CodeBuilder::offsetPtr(Value base, int64_t bytes) {
  return LLVM::GEPOp::create(
      *this, base.getType(), getI8Type(), base,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
}

Value CodeBuilder::uniform(Value a) {
  return ROCDL::ReadfirstlaneOp::create(*this, a.getType(), a);
}

Value CodeBuilder::descriptor(Value base, Value bytes) {
  Value stride =
      LLVM::ConstantOp::create(*this, getI16Type(), getI16IntegerAttr(0));
  return ROCDL::MakeBufferRsrcOp::create(*this, ptr(BufferSpace), base, stride,
                                         zext64(bytes), constant(bufferFlags));
}

Value CodeBuilder::bufferLoad(Type type, Value descriptor, Value voffset,
                              Value soffset) {
  return ROCDL::RawPtrBufferLoadOp::create(*this, type, descriptor, voffset,
                                           soffset, constant(0), ArrayAttr(),
                                           ArrayAttr(), ArrayAttr());
}

void CodeBuilder::bufferStore(Value data, Value descriptor, Value voffset) {
  ROCDL::RawPtrBufferStoreOp::create(*this, data, descriptor, voffset,
                                     constant(0), constant(0), ArrayAttr(),
                                     ArrayAttr(), ArrayAttr());
}

Value CodeBuilder::tie(Value a, StringRef constraint, bool isUnique) {
  auto dialect =
      LLVM::AsmDialectAttr::get(getContext(), LLVM::AsmDialect::AD_ATT);
  return LLVM::InlineAsmOp::create(
             *this, TypeRange{a.getType()}, ValueRange{a}, /*asm_string=*/"",
             (constraint + ",0").str(), /*has_side_effects=*/isUnique,
             /*is_align_stack=*/false, LLVM::TailCallKind::None, dialect,
             /*operand_attrs=*/ArrayAttr())
      .getResult(0);
}

void CodeBuilder::schedulingBarrier() {
  ROCDL::SchedBarrier::create(*this, uint32_t(0));
}

} // namespace fly
