//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FLY_ENUMS_TD
#define FLY_ENUMS_TD

include "fly/Dialect/Fly/IR/FlyDialect.td"

def Fly_SideAttr : I32EnumAttr<"Side", "A (rows are M) or B (rows are N)", [
    I32EnumAttrCase<"A", 0>, I32EnumAttrCase<"B", 1>]> {
  let cppNamespace = "::fly";
  let description = [{
    Which operand of D = A * B^T. Example: the `A` in `fly.slot A "A" of %a ...`.
  }];
}

def Fly_RegisterFileAttr : I32EnumAttr<
    "RegisterFile", "ordinary or accumulation registers", [
    I32EnumAttrCase<"Vgpr", 0, "vgpr">,
    I32EnumAttrCase<"Agpr", 1, "agpr">]> {
  let cppNamespace = "::fly";
  let description = [{
    Example: the `agpr` in `fly.accumulator of %fa, %fb in agpr`.
  }];
}

def Fly_PhaseKindAttr : I32EnumAttr<
    "PhaseKind", "memory (reads, copies) or compute (MFMA)", [
    I32EnumAttrCase<"Memory", 0, "memory">,
    I32EnumAttrCase<"Compute", 1, "compute">]> {
  let cppNamespace = "::fly";
  let description = [{
    Example: the `memory` in `fly.phase memory { ... }`.
  }];
}

#endif // FLY_ENUMS_TD
