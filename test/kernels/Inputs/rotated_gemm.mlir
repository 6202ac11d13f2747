// What the rotated schedules can be built as, beside the shipped variants; and K
// tiles of half a block.

fly.kernel @rotated_gemm(
    %d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [
      #fly.variant<"256x256_4x2", schedule "rotate", tile 256x256x64, waves 4x2>,
      #fly.variant<"256x256_early", schedule "rotate_early", tile 256x256x64, waves 2x4>,
      #fly.variant<"256x256_merged", schedule "rotate_merged", tile 256x256x64, waves 2x4>,
      #fly.variant<"256x256_peeled", schedule "rotate_peeled", tile 256x256x64, waves 2x4>,
      #fly.variant<"192x256_4x2", schedule "rotate_merged", tile 192x256x64, waves 4x2>,
      #fly.variant<"256x128_2x4", schedule "rotate", tile 256x128x64, waves 2x4>,
      #fly.variant<"128x128_2x4", schedule "rotate", tile 128x128x64, waves 2x4>,
      #fly.variant<"128x128_4x2", schedule "rotate_early", tile 128x128x64, waves 4x2>,
      #fly.variant<"256x256x32", schedule "rotate", tile 256x256x32, waves 2x4>,
      #fly.variant<"128x128x32", schedule "double_buffer", tile 128x128x32, waves 2x2>
    ] {
  fly.gemm %a, %b into %d
      : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}
