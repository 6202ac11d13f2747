// The interleaved schedule with other tiles than the shipped one, and the other
// schedules with MFMA of 32x32.

fly.kernel @interleaved_gemm(
    %d: !fly.matrix<bf16>, %a: !fly.matrix<bf16>, %b: !fly.matrix<bf16>)
    variants [
      #fly.variant<"128x128", schedule "interleave", tile 128x128x64, waves 2x2, mfma 32x32x16>,
      #fly.variant<"256x128", schedule "interleave", tile 256x128x64, waves 2x2, mfma 32x32x16>,
      #fly.variant<"256x256_rotate", schedule "rotate", tile 256x256x64, waves 2x4, mfma 32x32x16>,
      #fly.variant<"256x256_peeled", schedule "rotate_peeled", tile 256x256x64, waves 2x4, mfma 32x32x16>,
      #fly.variant<"192x256_merged", schedule "rotate_merged", tile 192x256x64, waves 2x4, mfma 32x32x16>,
      #fly.variant<"256x128_rotate", schedule "rotate", tile 256x128x64, waves 4x2, mfma 32x32x16>,
      #fly.variant<"128x128_double_buffer", schedule "double_buffer", tile 128x128x64, waves 2x2, mfma 32x32x16>
    ] {
  fly.gemm %a, %b into %d
      : !fly.matrix<bf16>, !fly.matrix<bf16>, !fly.matrix<bf16>
}
