#!/bin/sh
# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Draws the pictures of docs/schedule-and-proof.md from the schedules themselves.
# usage: draw.sh FLY_OPT KERNELS DIRECTORY
set -eu
draw() { # kernel, variant, K tiles, picture
  "$1" "$2" --fly-schedule-gemm="arch=gfx950 variant=$3" --fly-expand-pipeline \
    --fly-plan-waits --fly-verify-schedule \
    --fly-draw-schedule="output=$5 k-tiles=$4" -o /dev/null
}
draw "$1" "$2/gemm_a16w16.mlir" bf16_256x256 2 "$3/schedule-rotate.svg"
draw "$1" "$2/grouped_gemm_blockscale_contiguous.mlir" 128x128 4 \
  "$3/schedule-double-buffer.svg"
draw "$1" "$2/gemm_a16w16.mlir" bf16_256x256_4w 4 "$3/schedule-interleave.svg"
