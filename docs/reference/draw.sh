#!/bin/sh
# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Draws the pictures of docs/schedule-and-proof.md from the schedules themselves.
# usage: draw.sh FLY_OPT KERNELS DIRECTORY
set -eu
draw() { # fly-opt, kernel, arch, variant, K tiles, picture
  "$1" "$2" --fly-schedule-gemm="arch=$3 variant=$4" --fly-expand-pipeline \
    --fly-plan-waits --fly-verify-schedule \
    --fly-draw-schedule="output=$6 k-tiles=$5" -o /dev/null
}
draw "$1" "$2/gemm_a16w16.mlir" gfx950 bf16_256x256 2 "$3/schedule-rotate.svg"
draw "$1" "$2/gemm_a16w16.mlir" gfx942 bf16_256x256_staged 2 \
  "$3/schedule-rotate-staged.svg"
draw "$1" "$2/grouped_gemm_blockscale_contiguous.mlir" gfx950 128x128 4 \
  "$3/schedule-double-buffer.svg"
draw "$1" "$2/gemm_a16w16.mlir" gfx950 bf16_256x256_4w 4 "$3/schedule-interleave.svg"
