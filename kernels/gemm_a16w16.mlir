// Dense GEMM of 16-bit floats: D = A * B^T, accumulated in f32.

fly.kernel @gemm_a16w16(
    %d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [
      #fly.variant<"bf16_128x128", schedule "double_buffer", tile 128x128x64, waves 2x2,
                   arch "gfx950">,
      #fly.variant<"f16_128x128", schedule "double_buffer", tile 128x128x64, waves 2x2,
                   arch "gfx950", types (f16, f16) -> f16>,
      #fly.variant<"bf16_256x256", schedule "rotate", tile 256x256x64, waves 2x4,
                   arch "gfx950">,
      #fly.variant<"bf16_192x256", schedule "rotate_merged", tile 192x256x64, waves 2x4,
                   arch "gfx950">,
      #fly.variant<"bf16_256x128", schedule "rotate", tile 256x128x64, waves 4x2,
                   arch "gfx950">,
      #fly.variant<"bf16_256x256_4w", schedule "interleave", tile 256x256x64, waves 2x2,
                   mfma 32x32x16, arch "gfx950">,
      #fly.variant<"f16_256x256", schedule "rotate", tile 256x256x64, waves 2x4,
                   arch "gfx950", types (f16, f16) -> f16>,
      #fly.variant<"f16_192x256", schedule "rotate_merged", tile 192x256x64, waves 2x4,
                   arch "gfx950", types (f16, f16) -> f16>,
      #fly.variant<"f16_256x128", schedule "rotate", tile 256x128x64, waves 4x2,
                   arch "gfx950", types (f16, f16) -> f16>,
      #fly.variant<"f16_256x256_4w", schedule "interleave", tile 256x256x64, waves 2x2,
                   mfma 32x32x16, arch "gfx950", types (f16, f16) -> f16>,
      #fly.variant<"bf16_128x128_staged", schedule "double_buffer_staged",
                   tile 128x128x64, waves 2x2, arch "gfx942">,
      #fly.variant<"bf16_256x256_staged", schedule "rotate_staged",
                   tile 256x256x32, waves 2x4, arch "gfx942">,
      #fly.variant<"f16_128x128_staged", schedule "double_buffer_staged",
                   tile 128x128x64, waves 2x2, arch "gfx942", types (f16, f16) -> f16>,
      #fly.variant<"f16_256x256_staged", schedule "rotate_staged",
                   tile 256x256x32, waves 2x4, arch "gfx942", types (f16, f16) -> f16>
    ] {
  fly.gemm %a, %b into %d
      : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}
