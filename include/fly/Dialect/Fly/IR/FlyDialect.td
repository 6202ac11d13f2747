//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FLY_DIALECT_TD
#define FLY_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"

def Fly_Dialect : Dialect {
  let name = "fly";
  let cppNamespace = "::fly";
  let summary = "Matrix kernels for AMD GPUs with proven schedules";
  let description = [{
    The dialect describes one matrix kernel at three levels. Each is readable by
    itself and can be written by hand.

    * **problem**: `fly.gemm`, `fly.grouped_gemm`: operands, element types,
      scales. Nothing of tiles, LDS or waves.
    * **schedule**: slots in LDS, copies, fragment reads and MFMA steps in the
      phases of a `fly.pipeline`, which states the steady state once.
    * **expanded**: the same ops laid out in a `fly.prologue`, a `fly.loop` and
      a `fly.drain`, with `fly.wait` and `fly.barrier`.

    **K tiles and positions.** A kernel walks over T = ceil(K / tile K) K tiles.
    It takes the last one first, because only that one can be partial: position
    0 is K tile T-1, position p > 0 is K tile p-1. What the tail needs then
    happens in the prologue, and the loop knows nothing of it. Every variant
    walks in the same order, so that a row's result does not depend on the
    variant.

    **Handles.** Slots, fragments, scale registers and accumulators are declared
    once and named by handles; ops on them have an effect, as with memory.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttrs();
    void registerTypes();
  }];
}

/// An i64 attribute whose accessor is signed (I64Attr's is not).
def Fly_IntAttr : TypedSignlessIntegerAttrBase<I64, "int64_t", "integer">;

class Fly_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fly_Dialect, mnemonic, traits>;

#endif // FLY_DIALECT_TD
