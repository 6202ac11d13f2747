// What the staged schedules can be built as, beside the shipped variants.

fly.kernel @staged_gemm(
    %d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [
      #fly.variant<"128x128x64_rotated", schedule "rotate_staged", tile 128x128x64, waves 2x4>,
      #fly.variant<"256x128x32_2x2", schedule "rotate_staged", tile 256x128x32, waves 2x2>,
      #fly.variant<"256x256x32_peeled", schedule "rotate_staged_peeled", tile 256x256x32, waves 2x4>,
      #fly.variant<"128x128x32", schedule "double_buffer_staged", tile 128x128x32, waves 2x2>,
      #fly.variant<"128x128x64", schedule "double_buffer_staged", tile 128x128x64, waves 2x2>,
      #fly.variant<"f16_256x256x32_mfma32", schedule "rotate_staged", tile 256x256x32, waves 2x4,
                   mfma 32x32x8, types (f16, f16) -> f16>,
      #fly.variant<"bf16_128x128x64_mfma32", schedule "double_buffer_staged", tile 128x128x64,
                   waves 2x2, mfma 32x32x8>
    ] {
  fly.gemm %a, %b into %d
      : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}
