//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Short names for the llvm and rocdl ops that the lowering emits. All integers
/// are i32 unless a name says otherwise.

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_CODEBUILDER_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_CODEBUILDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fly {

/// Address spaces of the AMDGPU target (LLVM AMDGPUUsage).
enum AddressSpace : unsigned {
  GlobalSpace = 1,
  LdsSpace = 3,
  ConstantSpace = 4,
  BufferSpace = 8
};

class CodeBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  using Value = mlir::Value;
  using Type = mlir::Type;

  /// An offset that no descriptor's range reaches: ranges are below 2 GiB.
  static constexpr int64_t outOfRange = -0x80000000LL;

  Type i32() { return getI32Type(); }
  Type vec(int64_t size, Type element) {
    return mlir::VectorType::get(size, element);
  }
  Type ptr(unsigned space) {
    return mlir::LLVM::LLVMPointerType::get(getContext(), space);
  }

  Value constant(int64_t value);
  Value constant64(int64_t value);
  Value add(Value a, Value b);
  Value add(Value a, int64_t b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value mul(Value a, int64_t b);
  /// Unsigned division and remainder by a positive constant.
  Value div(Value a, int64_t b);
  Value rem(Value a, int64_t b);
  Value udiv(Value a, Value b);
  Value bitXor(Value a, Value b);
  Value smin(Value a, Value b);
  Value umin(Value a, Value b);
  Value less(Value a, Value b);  ///< signed
  Value below(Value a, Value b); ///< unsigned
  Value select(Value condition, Value a, Value b);
  /// i32 to i64: sizes and pitches are not negative.
  Value zext64(Value a);
  Value trunc32(Value a);
  Value bitcast(Value a, Type type);

  /// \p base plus \p bytes (i32 or i64) in the same address space.
  Value offsetPtr(Value base, Value bytes);
  Value offsetPtr(Value base, int64_t bytes);

  /// The wave's own value of something that is equal in all its lanes.
  Value uniform(Value a);

  /// A raw buffer of \p bytes (i32) from \p base; accesses past it read zeros
  /// and write nothing.
  Value descriptor(Value base, Value bytes);
  Value bufferLoad(Type type, Value descriptor, Value voffset, Value soffset);
  void bufferStore(Value data, Value descriptor, Value voffset);

  /// An empty piece of assembly that ties its result to its operand: a hint to
  /// the register allocator, or a value that the optimiser cannot see through.
  /// \p isUnique: it is not merged with an equal one.
  Value tie(Value a, llvm::StringRef constraint, bool isUnique = false);

  /// Nothing is scheduled across.
  void schedulingBarrier();
};

} // namespace fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_CODEBUILDER_H
