//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FLY_PROBLEMOPS_TD
#define FLY_PROBLEMOPS_TD

include "fly/Dialect/Fly/IR/FlyAttrs.td"
include "fly/Dialect/Fly/IR/FlyTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Fly_KernelOp : Fly_Op<"kernel", [Symbol, IsolatedFromAbove, NoTerminator,
    SingleBlock, DeclareOpInterfaceMethods<OpAsmOpInterface,
                                           ["getAsmBlockArgumentNames"]>]> {
  let summary = "A kernel, at any level above the machine's";
  let description = [{
    The signature names the tensors; the code object's arguments follow from it,
    in this order:

    1. a pointer for each argument, under its name;
    2. `m`, `n`, `k` (i32, elements) and, when an argument is grouped,
       `num_groups` (i32);
    3. `pitch_NAME` (i32) for each matrix (elements) and scales (bytes);
    4. `stride_NAME` (i64) for each grouped matrix (elements) and grouped scales
       (bytes).

    At the problem level the kernel lists its variants and holds one problem op.
    `fly-schedule-gemm` picks one variant for one arch.

    Example:
    ```mlir
    fly.kernel @gemm(%d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>,
                     %b: !fly.matrix<bf16>)
        variants [#fly.variant<"128x128", schedule "double_buffer",
                               tile 128x128x64, waves 2x2>] {
      fly.gemm %a, %b into %d
          : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       StrArrayAttr:$arg_names,
                       OptionalAttr<Fly_VariantArrayAttr>:$variants,
                       OptionalAttr<Fly_VariantAttr>:$variant,
                       OptionalAttr<StrAttr>:$arch);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getEntryBlock() { return getBody().front(); }
    /// The kernel's op of a kind that it has at most once, null if it has none.
    template <typename OpT> OpT findOp() {
      auto ops = getEntryBlock().getOps<OpT>();
      return ops.empty() ? OpT() : *ops.begin();
    }
    /// The name of the argument `value`, "" if it is none.
    ::llvm::StringRef getArgName(::mlir::Value value);
    /// The variant called `name` for `arch`, the first of them for "", null if
    /// there is none.
    ::fly::VariantAttr findVariant(::llvm::StringRef name,
                                   ::llvm::StringRef arch);
  }];
}

class Fly_ProblemOp<string mnemonic, list<Trait> traits = []>
    : Fly_Op<mnemonic, !listconcat([HasParent<"KernelOp">], traits)> {
  let hasVerifier = 1;
}

def Fly_GemmOp : Fly_ProblemOp<"gemm"> {
  let summary = "D = A * B^T";
  let description = [{
    A is M x K, B is N x K, D is M x N, all row-major with run-time pitches;
    accumulation in f32, one rounding to the type of D.

    Example:
    ```mlir
    fly.gemm %a, %b into %d
        : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
    ```
  }];
  let arguments = (ins Fly_MatrixType:$a, Fly_MatrixType:$b,
                       Fly_MatrixType:$d);
  let assemblyFormat = [{
    $a `,` $b `into` $d attr-dict `:` type($a) `,` type($b) `,` type($d)
  }];
}

def Fly_GroupedGemmOp : Fly_ProblemOp<"grouped_gemm"> {
  let summary = "D[r] = (A * scales)[r] * (B * scales)[group of r]^T, contiguous";
  let description = [{
    DeepGEMM's contiguous layout. The rows of all groups lie one after another in
    A and D; `groups` names the group of each row, -1 for padding. The unit is
    the alignment block of `align` rows: its group is that of its first row.
    Every -1 row of D is written with zeros; a block whose first entry is not a
    group is all zeros. The products of each K block are scaled by the two E8M0
    scales before they are added.

    Example:
    ```mlir
    fly.grouped_gemm %a scale %scale_a, %b scale %scale_b into %d
        groups %layout align 128
        : !fly.matrix<f8E4M3FN>, !fly.scales<f8E8M0FNU, 1x128>,
          !fly.matrix<f8E4M3FN, grouped>,
          !fly.scales<f8E8M0FNU, 128x128, grouped>, !fly.matrix<bf16>
    ```
  }];
  let arguments = (ins Fly_MatrixType:$a, Fly_ScalesType:$scaleA,
                       Fly_MatrixType:$b, Fly_ScalesType:$scaleB,
                       Fly_MatrixType:$d, Fly_GroupLayout:$groups,
                       Fly_IntAttr:$alignment);
  let assemblyFormat = [{
    $a `scale` $scaleA `,` $b `scale` $scaleB `into` $d `groups` $groups
    `align` $alignment attr-dict `:` type($a) `,` type($scaleA) `,` type($b)
    `,` type($scaleB) `,` type($d)
  }];
}

#endif // FLY_PROBLEMOPS_TD
