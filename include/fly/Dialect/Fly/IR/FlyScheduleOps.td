//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FLY_SCHEDULEOPS_TD
#define FLY_SCHEDULEOPS_TD

include "fly/Dialect/Fly/IR/FlyAttrs.td"
include "fly/Dialect/Fly/IR/FlyEnums.td"
include "fly/Dialect/Fly/IR/FlyTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Declarations: what exists
//===----------------------------------------------------------------------===//

class Fly_DeclOp<string mnemonic, list<Trait> traits = []>
    : Fly_Op<mnemonic, !listconcat([HasParent<"KernelOp">], traits)> {
  let hasVerifier = 1;
}

// A declaration whose handle prints under a telling name.
class Fly_HandleOp<string mnemonic, list<Trait> traits = []>
    : Fly_DeclOp<mnemonic, !listconcat(
          [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>],
          traits)>;

def Fly_WorkgroupTileOp
    : Fly_HandleOp<"workgroup_tile", [AttrSizedOperandSegments]> {
  let summary = "Maps the workgroup to its output tile";
  let description = [{
    The tile is at row `at` and column of tiles that a map has chosen; without
    `at`, workgroup i computes tile (i mod ceil(M / tile M), i div ceil(M / tile
    M)). `waves` is the wave grid along M x N: wave w is at (w div waves N,
    w mod waves N). `mfma` is the shape of the matrix instruction, 16x16 or 32x32
    by its K; without it, 16x16 by as much K as the arch has. With `groups`, B and its scales are those of the group of
    the tile's alignment block; a tile whose block belongs to no group stores
    zeros and ends.

    Example:
    ```mlir
    %tile = fly.workgroup_tile 128x128x128 waves 2x2 groups %layout align 128
    %tile = fly.workgroup_tile 256x256x64 waves 2x2 mfma 32x32x16
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$tile, DenseI64ArrayAttr:$waves,
                       OptionalAttr<DenseI64ArrayAttr>:$mfma,
                       Optional<I32>:$row, Optional<I32>:$column,
                       Optional<Fly_GroupLayout>:$groups,
                       OptionalAttr<Fly_IntAttr>:$alignment);
  let results = (outs Fly_Tile:$result);
  let assemblyFormat = [{
    custom<Dims>($tile) `waves` custom<Dims>($waves)
    (`mfma` custom<Dims>($mfma)^)?
    (`at` $row^ `,` $column)?
    (`groups` $groups^ `align` $alignment)? attr-dict
  }];
  let extraClassDeclaration = [{
    int64_t getTileM() { return getTile()[0]; }
    int64_t getTileN() { return getTile()[1]; }
    int64_t getTileK() { return getTile()[2]; }
    int64_t getNumWaves() { return getWaves()[0] * getWaves()[1]; }
    /// Rows, and columns, of one MFMA's result.
    int64_t getMfmaRows();
    /// Rows of the tile, or waves, along the dimension of `side`.
    int64_t getTileRows(::fly::Side side) {
      return getTile()[static_cast<int>(side)];
    }
    int64_t getSideWaves(::fly::Side side) {
      return getWaves()[static_cast<int>(side)];
    }
  }];
}

def Fly_SlotOp : Fly_HandleOp<"slot"> {
  let summary = "A part of one operand's tile in LDS";
  let description = [{
    Part `part` of `parts` of the tile's rows of A or B, in `stages` stages that
    lie one after another from byte `at` of the workgroup's LDS. Rows are 64 or
    128 bytes: half a block of K or a whole one.

    LDS row (w * t + i) * R + r, for wave w of its dimension, tile i of its t, R
    rows of one MFMA and r in 0..R-1, holds the row of the operand's tile
    * for A: w * rows/waves + r * (parts * t) + part * t + i,
    * for B: w * rows/waves + g * (v * parts * t) + part * v * t + i * v + e,
      where the MFMA's row r is register e of the v = R * R / 64 that a lane holds
      of it, in the lanes of group g = (r div 4) mod (64 / R); e = (r div
      (256 / R)) * 4 + r mod 4,
    so that what one lane accumulates is contiguous: rows of A for its scales,
    columns of D for its stores. A slot's bytes are a multiple of waves x 1 KiB:
    every wave then issues the same number of copies. Copies fill it directly
    (`fly.copy`), or through registers (`fly.staging`).

    Example:
    ```mlir
    %slot = fly.slot A "A" of %a in %tile part 0 of 1 stages 2 at 0
        swizzle <16, 1> : !fly.matrix<bf16> -> !fly.slot<128x64xbf16>
    ```
  }];
  let arguments = (ins Fly_SideAttr:$side, StrAttr:$name,
                       Fly_MatrixType:$operand, Fly_Tile:$tile,
                       Fly_IntAttr:$part, Fly_IntAttr:$parts, Fly_IntAttr:$stages,
                       Fly_IntAttr:$offset, Fly_SwizzleAttr:$swizzle);
  let results = (outs Fly_SlotType:$result);
  let assemblyFormat = [{
    $side $name `of` $operand `in` $tile `part` $part `of` $parts `stages`
    $stages `at` $offset `swizzle` $swizzle attr-dict `:` type($operand)
    `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::fly::WorkgroupTileOp getTileOp();
    int64_t getRowBytes();
    /// Chunks of a row that one lane of a fragment holds.
    int64_t getChunksPerLane();
    /// K tiles that make one block of the walk over K: 1, or 2 of half of one.
    int64_t getTilesPerBlock();
    int64_t getStageBytes();
    /// Copies of 16 bytes a lane that each wave issues for one stage; staged,
    /// as many loads and as many writes.
    int64_t getCopiesPerWave();
    /// Tiles of the slot, of one MFMA's rows, that one wave owns.
    int64_t getTilesPerWave();
  }];
}

def Fly_StagingOp : Fly_HandleOp<"staging"> {
  let summary = "Registers through which a slot is filled";
  let description = [{
    For chips without wide direct copies, and for bytes that are changed on the
    way. One set of registers for each of `stages` stages, which divide those of
    the slot: a K tile at position p is loaded into stage p mod `stages`, so
    that as many K tiles may be on their way at a time.

    Example:
    ```mlir
    %r = fly.staging of %slot stages 1 : !fly.slot<128x64xbf16> -> !fly.staging<4>
    ```
  }];
  let arguments = (ins Fly_SlotType:$slot, Fly_IntAttr:$stages);
  let results = (outs Fly_StagingType:$result);
  let assemblyFormat = [{
    `of` $slot `stages` $stages attr-dict `:` type($slot) `->` type($result)
  }];
  let extraClassDeclaration = [{ ::fly::SlotOp getSlotOp(); }];
}

def Fly_FragmentOp : Fly_HandleOp<"fragment"> {
  let summary = "Registers for a wave's rows of a slot";
  let description = [{
    Example:
    ```mlir
    %fa = fly.fragment of %slot : !fly.slot<128x64xbf16> -> !fly.fragment<4x64xbf16>
    ```
  }];
  let arguments = (ins Fly_SlotType:$slot);
  let results = (outs Fly_FragmentType:$result);
  let assemblyFormat = [{
    `of` $slot attr-dict `:` type($slot) `->` type($result)
  }];
  let extraClassDeclaration = [{ ::fly::SlotOp getSlotOp(); }];
}

def Fly_ScaleFragmentOp : Fly_HandleOp<"scale_fragment"> {
  let summary = "Registers for a wave's scales";
  let description = [{
    One set of registers for each of `stages` stages. For A a lane holds the
    scale bytes of the rows that it accumulates, in their order; for B one byte
    serves all the wave's columns, which must lie in one scale block.

    Example:
    ```mlir
    %sa = fly.scale_fragment A of %scale_a in %tile stages 2
        : !fly.scales<f8E8M0FNU, 1x128> -> !fly.scale_fragment<4>
    ```
  }];
  let arguments = (ins Fly_SideAttr:$side, Fly_ScalesType:$scales,
                       Fly_Tile:$tile, Fly_IntAttr:$stages);
  let results = (outs Fly_ScaleFragmentType:$result);
  let assemblyFormat = [{
    $side `of` $scales `in` $tile `stages` $stages attr-dict `:`
    type($scales) `->` type($result)
  }];
  let extraClassDeclaration = [{ ::fly::WorkgroupTileOp getTileOp(); }];
}

def Fly_AccumulatorOp : Fly_HandleOp<"accumulator"> {
  let summary = "Registers for the product of two fragments, zero at first";
  let description = [{
    `in agpr`: in the accumulation registers, of which a wave has as many again as
    ordinary ones when it is the only one of its SIMD; for MFMA of 32x32.

    Example:
    ```mlir
    %acc = fly.accumulator of %fa, %fb
        : !fly.fragment<4x64xbf16>, !fly.fragment<4x64xbf16>
        -> !fly.accumulator<4x4>
    ```
  }];
  let arguments = (ins Fly_FragmentType:$a, Fly_FragmentType:$b,
                       DefaultValuedAttr<Fly_RegisterFileAttr,
                                         "::fly::RegisterFile::Vgpr">:$file);
  let results = (outs Fly_AccumulatorType:$result);
  let extraClassDeclaration = [{
    /// Dwords of a lane for one MFMA's result, and for all of them.
    int64_t getTileRegisters();
    int64_t getNumRegisters();
  }];
  let assemblyFormat = [{
    `of` $a `,` $b (`in` $file^)? attr-dict `:` type($a) `,` type($b) `->` type($result)
  }];
}

def Fly_StoreOp : Fly_DeclOp<"store"> {
  let summary = "Rounds the accumulators and stores them to D";
  let description = [{
    Stores straight from registers, 16 bytes at a time. Rows past M and columns
    past N are dropped; in a grouped tile, rows whose group is -1 become zeros.

    Example:
    ```mlir
    fly.store %acc to %d in %tile : !fly.accumulator<4x4> -> !fly.matrix<bf16>
    ```
  }];
  let arguments = (ins Variadic<Fly_AccumulatorType>:$accumulators,
                       Fly_MatrixType:$d, Fly_Tile:$tile);
  let assemblyFormat = [{
    $accumulators `to` $d `in` $tile attr-dict `:` type($accumulators) `->`
    type($d)
  }];
  let extraClassDeclaration = [{ ::fly::WorkgroupTileOp getTileOp(); }];
}

//===----------------------------------------------------------------------===//
// Steps: what happens, in a phase or laid out
//===----------------------------------------------------------------------===//

// `ahead` counts K tile positions from the base of the enclosing region: the
// current K tile in a pipeline, the iteration's first in a loop, position 0 in a
// prologue. `stage` is absent in a pipeline and present once laid out.
class Fly_StepOp<string mnemonic, list<Trait> traits = []>
    : Fly_Op<mnemonic, traits> {
  let hasVerifier = 1;
}

def Fly_CopyOp : Fly_StepOp<"copy"> {
  let summary = "Copies a slot's part of one K tile from global memory to LDS";
  let description = [{
    Direct to LDS, 16 bytes a lane, counted in vmcnt; gfx942 has no such copy, see
    `fly.load`. Rows past the matrix and chunks past K arrive as zeros. `guarded`: the position may be past the last
    K tile; the slot is then filled with zeros and no memory is read.

    Example: `fly.copy %slot ahead 2`; laid out: `fly.copy %slot ahead 2 stage 0
    guarded`.
  }];
  let arguments = (ins Fly_SlotType:$slot, Fly_IntAttr:$ahead,
                       OptionalAttr<Fly_IntAttr>:$stage, UnitAttr:$guarded);
  let assemblyFormat = [{
    $slot `ahead` $ahead (`stage` $stage^)? (`guarded` $guarded^)? attr-dict
    `:` type($slot)
  }];
  let extraClassDeclaration = [{ ::fly::SlotOp getSlotOp(); }];
}

def Fly_LoadOp : Fly_StepOp<"load"> {
  let summary = "Loads a slot's part of one K tile into staging registers";
  let description = [{
    The first step of a staged copy: 16 bytes a lane from global memory, counted
    in vmcnt. Zeros and `guarded` as for `fly.copy`. `fly.write` is the second.

    Example: `fly.load %staging ahead 2`; laid out: `fly.load %staging ahead 2
    stage 0 guarded`.
  }];
  let arguments = (ins Fly_StagingType:$staging, Fly_IntAttr:$ahead,
                       OptionalAttr<Fly_IntAttr>:$stage, UnitAttr:$guarded);
  let assemblyFormat = [{
    $staging `ahead` $ahead (`stage` $stage^)? (`guarded` $guarded^)? attr-dict
    `:` type($staging)
  }];
  let extraClassDeclaration = [{
    ::fly::StagingOp getStagingOp();
    ::fly::SlotOp getSlotOp();
  }];
}

def Fly_WriteOp : Fly_StepOp<"write"> {
  let summary = "Writes staging registers to their slot";
  let description = [{
    The second step of a staged copy: ds_write_b128, counted in lgkmcnt. `ahead`
    names the K tile that the registers must hold; `stage` is the slot's, the
    registers' is that modulo their stages.

    Example: `fly.write %staging ahead 1`; laid out: `fly.write %staging ahead 1
    stage 1`.
  }];
  let arguments = (ins Fly_StagingType:$staging, Fly_IntAttr:$ahead,
                       OptionalAttr<Fly_IntAttr>:$stage);
  let assemblyFormat = [{
    $staging `ahead` $ahead (`stage` $stage^)? attr-dict `:` type($staging)
  }];
  let extraClassDeclaration = [{
    ::fly::StagingOp getStagingOp();
    ::fly::SlotOp getSlotOp();
    /// The registers' stage, once laid out.
    int64_t getFromStage();
  }];
}

def Fly_ReadOp : Fly_StepOp<"read"> {
  let summary = "Reads a fragment from its slot";
  let description = [{
    ds_read_b128, counted in lgkmcnt. `ahead` names the copy that filled the
    slot, or the write.

    Example: `fly.read %fa ahead 0`
  }];
  let arguments = (ins Fly_FragmentType:$fragment, Fly_IntAttr:$ahead,
                       OptionalAttr<Fly_IntAttr>:$stage);
  let assemblyFormat = [{
    $fragment `ahead` $ahead (`stage` $stage^)? attr-dict `:` type($fragment)
  }];
  let extraClassDeclaration = [{
    ::fly::FragmentOp getFragmentOp();
    ::fly::SlotOp getSlotOp();
    /// ds_read_b128 instructions that a wave issues.
    int64_t getReadsPerWave();
  }];
}

def Fly_LoadScalesOp : Fly_StepOp<"load_scales"> {
  let summary = "Loads a wave's scales of one K tile into registers";
  let description = [{
    One load, counted in vmcnt. `guarded` as for `fly.copy`.

    Example: `fly.load_scales %sa ahead 1`
  }];
  let arguments = (ins Fly_ScaleFragmentType:$scales, Fly_IntAttr:$ahead,
                       OptionalAttr<Fly_IntAttr>:$stage, UnitAttr:$guarded);
  let assemblyFormat = [{
    $scales `ahead` $ahead (`stage` $stage^)? (`guarded` $guarded^)? attr-dict
    `:` type($scales)
  }];
  let extraClassDeclaration = [{ ::fly::ScaleFragmentOp getScaleFragmentOp(); }];
}

def Fly_MmaOp : Fly_StepOp<"mma", [AttrSizedOperandSegments]> {
  let summary = "Multiplies two fragments into an accumulator";
  let description = [{
    Accumulates in place, k ascending within the K tile. `ahead` names the K tile
    that the fragments must hold. With scales, `stage` is the scale registers'
    stage and the products are scaled in the MFMA.

    Example: `fly.mma %fa * %fb into %acc ahead 0`, with scales:
    `fly.mma %fa * %fb scale %sa, %sb into %acc ahead 0`
  }];
  let arguments = (ins Fly_FragmentType:$a, Fly_FragmentType:$b,
                       Optional<Fly_ScaleFragmentType>:$scaleA,
                       Optional<Fly_ScaleFragmentType>:$scaleB,
                       Fly_AccumulatorType:$accumulator,
                       Fly_IntAttr:$ahead, OptionalAttr<Fly_IntAttr>:$stage);
  let assemblyFormat = [{
    $a `*` $b (`scale` $scaleA^ `,` $scaleB)? `into` $accumulator `ahead` $ahead
    (`stage` $stage^)? attr-dict `:` type($a) `,` type($b)
    (`,` type($scaleA)^ `,` type($scaleB))? `->` type($accumulator)
  }];
  let extraClassDeclaration = [{
    ::fly::AccumulatorOp getAccumulatorOp();
    ::fly::FragmentOp getFragmentOp(::fly::Side side);
    /// K of one MFMA, in elements.
    int64_t getMfmaK();
    /// MFMA instructions that a wave issues.
    int64_t getMfmaCount();
  }];
}

//===----------------------------------------------------------------------===//
// Structure: when it happens
//===----------------------------------------------------------------------===//

class Fly_RegionOp<string mnemonic, list<Trait> traits = []>
    : Fly_Op<mnemonic, !listconcat([NoTerminator, SingleBlock,
                                    NoRegionArguments], traits)> {
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}

def Fly_PhaseOp : Fly_RegionOp<"phase"> {
  let summary = "What a wave does between two barriers";
  let description = [{
    A memory phase holds reads, copies, loads and writes, a compute phase holds
    MFMA and may hold the others, which run under them. `priority` (0 to 3) is the
    wave's issue priority in the phase.

    Steps are issued one after another. In an `interleave` phase their instructions
    are dealt out: those of all other steps, in order, evenly among the MFMA, or
    among the reads where there is no MFMA and no write. With c instructions to
    deal d others among, other i follows the first c * (i + 1) div d of them.
    Nothing is moved past a wait or barrier, a read or load is not moved past an
    MFMA of what it fills, nor a write past the load that it takes.

    Example:
    ```mlir
    fly.phase memory interleave {
      fly.read %fa ahead 0 : !fly.fragment<4x64xbf16>
      fly.read %fb ahead 0 : !fly.fragment<4x64xbf16>
      fly.copy %slot ahead 2 : !fly.slot<128x64xbf16>
    }
    ```
  }];
  let arguments = (ins Fly_PhaseKindAttr:$kind,
                       OptionalAttr<Fly_IntAttr>:$priority,
                       UnitAttr:$interleave);
  let assemblyFormat = [{
    $kind (`priority` $priority^)? (`interleave` $interleave^)? $body attr-dict
  }];
}

def Fly_PipelineOp : Fly_RegionOp<"pipeline", [HasParent<"KernelOp">]> {
  let summary = "The steady state of the loop over K, stated once";
  let description = [{
    The phases of one K tile, in order. A copy `ahead n` is issued n K tiles
    before the tile is read, and so are the two steps of a staged copy. Prologue, loop, drain, waits and barriers follow
    from it.

    `rotate`: the workgroup's two halves, wave groups 0 and 1, run the same
    phases, group 1 one phase behind, so that one computes while the other loads.
    A barrier then stands between any two phases. `peel`: the last iteration is
    laid out behind the loop, without the copies that it does not need; else the
    loop runs to the end and those copies fetch nothing.

    Example:
    ```mlir
    fly.pipeline stages 2 {
      fly.phase memory  { fly.read %fa ahead 0 ... }
      fly.phase compute { fly.copy %A ahead 2 ...  fly.mma ... }
    }
    ```
  }];
  let arguments = (ins Fly_IntAttr:$stages, UnitAttr:$rotate, UnitAttr:$peel);
  let assemblyFormat = [{
    `stages` $stages (`rotate` $rotate^)? (`peel` $peel^)? $body attr-dict
  }];
}

def Fly_PrologueOp : Fly_RegionOp<"prologue", [HasParent<"KernelOp">]> {
  let summary = "What is issued before the loop";
  let description = [{
    Example: `fly.prologue { fly.copy %A ahead 0 stage 0 : ... }`
  }];
  let assemblyFormat = "$body attr-dict";
}

def Fly_LoopOp : Fly_RegionOp<"loop", [HasParent<"KernelOp">]> {
  let summary = "The loop over K";
  let description = [{
    Runs ceil(T / unroll) times for T >= 1 K tiles, `unroll` positions an
    iteration; once less when the pipeline was peeled (`peeled`: the drain is the
    last iteration). When T is no multiple of `unroll`, the surplus K tiles are
    zeros: their copies are guarded.

    Example: `fly.loop unroll 2 { fly.phase memory { ... } ... }`
  }];
  let arguments = (ins Fly_IntAttr:$unroll, UnitAttr:$rotate, UnitAttr:$peeled);
  let assemblyFormat = [{
    `unroll` $unroll (`rotate` $rotate^)? (`peeled` $peeled^)? $body attr-dict
  }];
}

def Fly_DrainOp : Fly_RegionOp<"drain", [HasParent<"KernelOp">]> {
  let summary = "What follows the loop before the stores";
  let description = [{
    Example: `fly.drain { fly.wait vmcnt(0) }`
  }];
  let assemblyFormat = "$body attr-dict";
}

def Fly_WaitOp : Fly_StepOp<"wait"> {
  let summary = "Waits until at most so many accesses are outstanding";
  let description = [{
    s_waitcnt. vmcnt counts copies and loads from global memory, lgkmcnt reads
    and writes of LDS; both retire in order. Derived by `fly-plan-waits`.

    Example: `fly.wait vmcnt(8) lgkmcnt(0)`
  }];
  let arguments = (ins OptionalAttr<Fly_IntAttr>:$vmcnt,
                       OptionalAttr<Fly_IntAttr>:$lgkmcnt);
  let assemblyFormat = [{
    (`vmcnt` `(` $vmcnt^ `)`)? (`lgkmcnt` `(` $lgkmcnt^ `)`)? attr-dict
  }];
}

def Fly_BarrierOp : Fly_StepOp<"barrier"> {
  let summary = "All waves of the workgroup meet";
  let description = [{
    s_barrier: it waits for no access. Derived by `fly-plan-waits`. With `group`
    only the waves of that group (0 or 1, the workgroup's halves) take part: it
    shifts the groups against each other, or aligns them again.

    Example: `fly.barrier`, `fly.barrier group 1`
  }];
  let arguments = (ins OptionalAttr<Fly_IntAttr>:$group);
  let assemblyFormat = "(`group` $group^)? attr-dict";
}

#endif // FLY_SCHEDULEOPS_TD
