//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The emulator's instructions against LLVM's tables.

#include "fly/Emulator/Coverage.h"

#include "Support/Unwrap.h"
#include "gtest/gtest.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace fly;

static std::map<std::string, InstructionCoverage> coverage(const char *arch) {
  std::map<std::string, InstructionCoverage> result;
  for (InstructionCoverage &entry : unwrap(instructionCoverage(arch)))
    result[entry.key] = std::move(entry);
  return result;
}

TEST(Coverage, EveryInstructionIsExecutedOrSaysWhyNot) {
  for (const char *arch : {"gfx950", "gfx942"})
    for (const auto &[key, entry] : coverage(arch))
      EXPECT_TRUE(entry.missing.empty() || !entry.reason.empty())
          << arch << " " << key << ": " << llvm::join(entry.missing, " ");
}

TEST(Coverage, TheTablesAreWhole) {
  // One instruction of each encoding, and how many forms it has.
  struct {
    const char *key;
    unsigned forms;
    Unit unit;
  } samples[] = {
      {"s_add_u32", 1, Unit::Salu},
      {"s_movk_i32", 1, Unit::Salu},
      {"s_mov_b32", 1, Unit::Salu},
      {"s_cmp_eq_u32", 1, Unit::Salu},
      {"s_branch", 1, Unit::Branch},
      {"s_waitcnt", 1, Unit::Wait},
      {"s_load_dwordx16", 3, Unit::Smem},
      {"v_add_f32", 4, Unit::Valu},
      {"v_mov_b32", 4, Unit::Valu},
      {"v_cmp_lt_f32", 3, Unit::Valu},
      {"v_fma_f32", 1, Unit::Valu},
      {"v_pk_fma_f32", 1, Unit::Valu},
      {"v_mfma_f32_32x32x8_f16", 2, Unit::Mfma},
      {"v_smfmac_f32_16x16x32_f16", 1, Unit::Mfma},
      {"buffer_load_dwordx4", 4, Unit::Mubuf},
      {"buffer_load_dword_lds", 4, Unit::Mubuf},
      {"tbuffer_load_format_xyzw", 4, Unit::Mubuf},
      {"ds_read_b128", 1, Unit::Lds},
      {"flat_load_dword", 1, Unit::Flat},
      {"global_load_dwordx4", 2, Unit::Flat},
      {"scratch_load_dword", 4, Unit::Flat},
      {"global_load_lds_dword", 2, Unit::Flat},
  };
  for (const char *arch : {"gfx950", "gfx942"}) {
    auto all = coverage(arch);
    for (const auto &sample : samples) {
      ASSERT_TRUE(all.count(sample.key)) << arch << " " << sample.key;
      EXPECT_GE(all[sample.key].forms, sample.forms) << sample.key;
      EXPECT_EQ(all[sample.key].unit, sample.unit) << sample.key;
    }
  }
}

TEST(Coverage, ChipsDiffer) {
  auto gfx950 = coverage("gfx950"), gfx942 = coverage("gfx942");
  for (const char *key :
       {"v_mfma_scale_f32_16x16x128_f8f6f4", "ds_read_b64_tr_b16",
        "buffer_load_dwordx4_lds", "v_bitop3_b32", "v_permlane16_swap_b32"}) {
    EXPECT_TRUE(gfx950.count(key)) << key;
    EXPECT_FALSE(gfx942.count(key)) << key;
  }
  EXPECT_TRUE(gfx942.count("v_mfma_f32_16x16x8_xf32"));
  EXPECT_FALSE(gfx950.count("v_mfma_f32_16x16x8_xf32"));
  EXPECT_GT(gfx950.size(), 1200u);
  EXPECT_GT(gfx942.size(), 1100u);
}

TEST(Coverage, OtherChipsAreErrors) {
  EXPECT_TRUE(llvm::errorToBool(instructionCoverage("gfx1100").takeError()));
}
