//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FLY_ATTRS_TD
#define FLY_ATTRS_TD

include "fly/Dialect/Fly/IR/FlyDialect.td"
include "mlir/IR/AttrTypeBase.td"

class Fly_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Fly_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Fly_VariantAttr : Fly_Attr<"Variant", "variant"> {
  let summary = "One way to build a kernel";
  let description = [{
    A kernel file lists its variants; the first is the default. `schedule` names
    a schedule builder, `tile` is M x N x K in elements, `waves` is the wave
    grid along M x N. `mfma`, when given, is the shape of the matrix instruction
    as `fly.workgroup_tile` describes it. `arch`, when given, is the only arch
    that the variant is built for. `types`, when given, replaces the element types
    of A, B and D that the kernel's signature states.

    Example:
    ```mlir
    #fly.variant<"f16_128x128", schedule "double_buffer", tile 128x128x64,
                 waves 2x2, arch "gfx950", types (f16, f16) -> f16>
    #fly.variant<"256x256_4w", schedule "interleave", tile 256x256x64,
                 waves 2x2, mfma 32x32x16>
    ```
  }];
  let parameters = (ins
    "::mlir::StringAttr":$name,
    "::mlir::StringAttr":$schedule,
    ArrayRefParameter<"int64_t", "M, N, K in elements">:$tile,
    ArrayRefParameter<"int64_t", "waves along M, N">:$waves,
    ArrayRefParameter<"int64_t", "M, N, K of one MFMA; or empty">:$mfma,
    OptionalParameter<"::mlir::StringAttr", "the only arch">:$arch,
    ArrayRefParameter<"::mlir::Type", "element types of A, B, D; or empty">:$types);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getTileM() const { return getTile()[0]; }
    int64_t getTileN() const { return getTile()[1]; }
    int64_t getTileK() const { return getTile()[2]; }
    /// Whether the variant may be built for `arch`.
    bool isFor(::llvm::StringRef arch) const {
      return !getArch() || getArch().getValue() == arch;
    }
  }];
}

def Fly_SwizzleAttr : Fly_Attr<"Swizzle", "swizzle"> {
  let summary = "Where a 16-byte chunk of a row lies in LDS";
  let description = [{
    Chunk c of row r is stored as chunk c xor ((r mod `rows`) >> `shift`). A
    direct copy cannot scatter in LDS, so the copy permutes the global side and
    the read uses the same formula. With ds_read_b128 these are free of bank
    conflicts: (8, 1) for 64-byte rows on both chips, for 128-byte rows (16, 1)
    with gfx950's 64 banks and (8, 0) with gfx942's 32.

    Example: `#fly.swizzle<16, 1>`
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$shift);
  let assemblyFormat = "`<` $rows `,` $shift `>`";
  let genVerifyDecl = 1;
}

def Fly_VariantArrayAttr
    : TypedArrayAttrBase<Fly_VariantAttr, "a list of variants">;

#endif // FLY_ATTRS_TD
