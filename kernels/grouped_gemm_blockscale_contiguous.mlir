// Grouped FP8 GEMM with DeepGEMM's contiguous layout and block scales:
// D[r] = (A * scale_a)[r] * (B * scale_b)[group of r]^T, bf16 out. The E8M0
// scales, (1, 128) of A and (128, 128) of B, are applied inside the MFMA.

fly.kernel @grouped_gemm_blockscale_contiguous(
    %d: !fly.matrix<bf16>,
    %a: !fly.matrix<f8E4M3FN>,
    %b: !fly.matrix<f8E4M3FN, grouped>,
    %scale_a: !fly.scales<f8E8M0FNU, 1x128>,
    %scale_b: !fly.scales<f8E8M0FNU, 128x128, grouped>,
    %grouped_layout: !fly.group_layout)
    variants [
      #fly.variant<"128x128", schedule "double_buffer", tile 128x128x128, waves 2x2>,
      #fly.variant<"128x256", schedule "double_buffer", tile 128x256x128, waves 2x2>
    ] {
  fly.grouped_gemm %a scale %scale_a, %b scale %scale_b into %d
      groups %grouped_layout align 128
      : !fly.matrix<f8E4M3FN>, !fly.scales<f8E8M0FNU, 1x128>,
        !fly.matrix<f8E4M3FN, grouped>, !fly.scales<f8E8M0FNU, 128x128, grouped>,
        !fly.matrix<bf16>
}
