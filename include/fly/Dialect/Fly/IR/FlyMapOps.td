//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FLY_MAPOPS_TD
#define FLY_MAPOPS_TD

include "fly/Dialect/Fly/IR/FlyAttrs.td"
include "fly/Dialect/Fly/IR/FlyEnums.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Which tile a workgroup computes: pure functions of small unsigned integers,
// the same as those of WorkgroupMap.h.

class Fly_MapOp<string mnemonic, list<Trait> traits = []>
    : Fly_Op<mnemonic, !listconcat([Pure], traits)>;

def Fly_WorkgroupIdOp : Fly_MapOp<"workgroup_id"> {
  let summary = "The workgroup's linear id";
  let description = [{
    Example: `%id = fly.workgroup_id`
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Fly_TileCountOp : Fly_MapOp<"tile_count", [HasParent<"KernelOp">]> {
  let summary = "How many tiles cover M (side A) or N (side B)";
  let description = [{
    ceil(M / size) or ceil(N / size), at run time.

    Example: `%rows = fly.tile_count A 256`
  }];
  let arguments = (ins Fly_SideAttr:$side, Fly_IntAttr:$size);
  let results = (outs I32:$result);
  let assemblyFormat = "$side $size attr-dict";
  let hasVerifier = 1;
}

def Fly_MapXcdOp : Fly_MapOp<"map_xcd"> {
  let summary = "Gives each XCD a contiguous range of ids";
  let description = [{
    The hardware deals workgroups out round-robin: id p runs on XCD p mod
    `xcds`. Renumbered, the workgroups of one XCD are neighbours and share what
    its L2 holds. With T = rows * columns, x = p mod xcds, j = p div xcds,
    q = T div xcds and r = T mod xcds the new id is x * q + min(x, r) + j: a
    bijection for every T. Ids from T on stay as they are.

    Example: `%p = fly.map_xcd %id of %rows, %columns xcds 8`
  }];
  let arguments = (ins I32:$id, I32:$rows, I32:$columns, Fly_IntAttr:$xcds);
  let results = (outs I32:$result);
  let assemblyFormat = [{
    $id `of` $rows `,` $columns `xcds` $xcds attr-dict
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Fly_MapGroupedMOp : Fly_MapOp<"map_grouped_m"> {
  let summary = "Walks the tiles in groups of rows";
  let description = [{
    Ids walk down `size` rows of tiles before they go on to the next column, so
    that neighbours share both rows of A and columns of B. With S = size *
    columns, g = p div S, f = g * size, h = min(rows - f, size) (the last group is
    shorter) and u = p mod S the tile is (f + u mod h, u div h).

    Example: `%row, %column = fly.map_grouped_m %p of %rows, %columns size 4`
  }];
  let arguments = (ins I32:$id, I32:$rows, I32:$columns, Fly_IntAttr:$size);
  let results = (outs I32:$row, I32:$column);
  let assemblyFormat = [{
    $id `of` $rows `,` $columns `size` $size attr-dict
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif // FLY_MAPOPS_TD
