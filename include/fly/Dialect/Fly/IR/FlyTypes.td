//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FLY_TYPES_TD
#define FLY_TYPES_TD

include "fly/Dialect/Fly/IR/FlyDialect.td"
include "mlir/IR/AttrTypeBase.td"

class Fly_Type<string name, string typeMnemonic>
    : TypeDef<Fly_Dialect, name> {
  let mnemonic = typeMnemonic;
}

//===----------------------------------------------------------------------===//
// Kernel arguments
//===----------------------------------------------------------------------===//

def Fly_MatrixType : Fly_Type<"Matrix", "matrix"> {
  let summary = "A row-major matrix in global memory";
  let description = [{
    A pointer with a run-time row pitch (elements) and, when `grouped`, a
    run-time stride between the groups' matrices (elements).

    Example: `!fly.matrix<f8E4M3FN, grouped>`
  }];
  let parameters = (ins "::mlir::Type":$elementType,
                        OptionalParameter<"bool", "one matrix a group">:$grouped);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Fly_ScalesType : Fly_Type<"Scales", "scales"> {
  let summary = "Block scales of a matrix in global memory";
  let description = [{
    One E8M0 byte for each block of `rows` x `k` elements. Scales of single rows
    (rows = 1) lie as `[ceil(K/k)][pitch]` with the row contiguous; scales of
    blocks of rows lie as `[ceil(N/rows)][pitch]` with the K block contiguous.
    The pitch (bytes) and, when `grouped`, the stride between groups (bytes) are
    run-time arguments.

    Example: `!fly.scales<f8E8M0FNU, 1x128>`
  }];
  let parameters = (ins "::mlir::Type":$elementType, "int64_t":$rows,
                        "int64_t":$k,
                        OptionalParameter<"bool", "one set a group">:$grouped);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Fly_GroupLayoutType : Fly_Type<"GroupLayout", "group_layout"> {
  let summary = "The group of every row, in global memory";
  let description = [{
    An i32 for each row of A: its group, or -1 for padding. The group of an
    alignment block is that of its first row.

    Example: `!fly.group_layout`
  }];
}

//===----------------------------------------------------------------------===//
// Handles of a schedule
//===----------------------------------------------------------------------===//

def Fly_TileType : Fly_Type<"Tile", "tile"> {
  let summary = "The output tile of a workgroup";
  let description = [{
    Result of `fly.workgroup_tile`; what slots, scale registers and stores are
    placed by. Example: `!fly.tile`
  }];
}

def Fly_SlotType : Fly_Type<"Slot", "slot"> {
  let summary = "A part of one operand's tile in LDS, in every stage";
  let description = [{
    `rows` x `k` elements in each stage. The unit of hazards.

    Example: `!fly.slot<128x64xbf16>`
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$k,
                        "::mlir::Type":$elementType);
  let assemblyFormat = "`<` custom<Shape>($rows, $k, $elementType) `>`";
  let genVerifyDecl = 1;
}

def Fly_FragmentType : Fly_Type<"Fragment", "fragment"> {
  let summary = "A wave's rows of one slot in registers";
  let description = [{
    `tiles` tiles of as many rows as one MFMA has (16 or 32), each with the K
    tile's `k` elements of a row spread over the lanes that share the row (four or
    two).

    Example: `!fly.fragment<4x64xbf16>`
  }];
  let parameters = (ins "int64_t":$tiles, "int64_t":$k,
                        "::mlir::Type":$elementType);
  let assemblyFormat = "`<` custom<Shape>($tiles, $k, $elementType) `>`";
  let genVerifyDecl = 1;
}

def Fly_StagingType : Fly_Type<"Staging", "staging"> {
  let summary = "Registers on the way from global memory to one slot";
  let description = [{
    A wave's share of one stage of a slot: `count` chunks of 16 bytes a lane.

    Example: `!fly.staging<4>`
  }];
  let parameters = (ins "int64_t":$count);
  let assemblyFormat = "`<` $count `>`";
  let genVerifyDecl = 1;
}

def Fly_ScaleFragmentType : Fly_Type<"ScaleFragment", "scale_fragment"> {
  let summary = "A wave's scales of one K tile in registers";
  let description = [{
    `count` scale bytes a lane.

    Example: `!fly.scale_fragment<4>`
  }];
  let parameters = (ins "int64_t":$count);
  let assemblyFormat = "`<` $count `>`";
  let genVerifyDecl = 1;
}

def Fly_AccumulatorType : Fly_Type<"Accumulator", "accumulator"> {
  let summary = "A wave's part of the product, in registers";
  let description = [{
    `tilesM` x `tilesN` results of one MFMA, 16 x 16 or 32 x 32 in f32.

    Example: `!fly.accumulator<4x4>`
  }];
  let parameters = (ins "int64_t":$tilesM, "int64_t":$tilesN);
  let assemblyFormat = "`<` custom<Grid>($tilesM, $tilesN) `>`";
  let genVerifyDecl = 1;
}

// The two types without parameters, which the assembly need not spell.
def Fly_GroupLayout : Type<Fly_GroupLayoutType.predicate, "group layout",
                           "::fly::GroupLayoutType">,
    BuildableType<"::fly::GroupLayoutType::get($_builder.getContext())">;
def Fly_Tile : Type<Fly_TileType.predicate, "workgroup tile",
                    "::fly::TileType">,
    BuildableType<"::fly::TileType::get($_builder.getContext())">;

#endif // FLY_TYPES_TD
