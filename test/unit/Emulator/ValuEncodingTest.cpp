//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// SDWA, DPP, compares and moves between lanes.

#include "ValuMachine.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace fly;
using namespace fly::test;

using u32 = uint32_t;
using u64 = uint64_t;

namespace {

/// v1 holds 100 + lane, v0 holds 1000 + lane.
void fillLanes(ValuMachine &machine) {
  for (unsigned l = 0; l < 64; ++l) {
    machine.vgpr(0)[l] = 1000 + l;
    machine.vgpr(1)[l] = 100 + l;
    machine.vgpr(2)[l] = 0;
  }
}

/// Expects v0 after a DPP move: from \p source(lane), kept for -1, zero for -2.
void expectMove(ValuMachine &machine, const std::string &control,
                const std::function<int(int)> &source) {
  fillLanes(machine);
  machine.run("v_mov_b32_dpp v0, v1 " + control);
  for (int l = 0; l < 64; ++l) {
    int from = source(l);
    u32 expected = from == -1 ? 1000 + l : from == -2 ? 0 : 100 + from;
    EXPECT_EQ(machine.vgpr(0)[l], expected) << control << " lane " << l;
  }
}

const char *const all = " row_mask:0xf bank_mask:0xf";

} // namespace

TEST(ValuDpp, Controls) {
  ValuMachine machine;
  expectMove(machine, std::string("quad_perm:[3,0,2,1]") + all, [](int l) {
    const int from[4] = {3, 0, 2, 1};
    return l / 4 * 4 + from[l % 4];
  });
  for (int n = 1; n < 16; ++n) {
    std::string count = std::to_string(n);
    expectMove(machine, "row_shl:" + count + all,
               [n](int l) { return l % 16 + n < 16 ? l + n : -1; });
    expectMove(machine, "row_shr:" + count + all,
               [n](int l) { return l % 16 >= n ? l - n : -1; });
    expectMove(machine, "row_ror:" + count + all,
               [n](int l) { return l / 16 * 16 + (l % 16 + 16 - n) % 16; });
  }
  for (int n = 0; n < 16; ++n)
    expectMove(machine, "row_newbcast:" + std::to_string(n) + all,
               [n](int l) { return l / 16 * 16 + n; });
  expectMove(machine, std::string("wave_shl:1") + all,
             [](int l) { return l < 63 ? l + 1 : -1; });
  expectMove(machine, std::string("wave_rol:1") + all,
             [](int l) { return (l + 1) % 64; });
  expectMove(machine, std::string("wave_shr:1") + all,
             [](int l) { return l > 0 ? l - 1 : -1; });
  expectMove(machine, std::string("wave_ror:1") + all,
             [](int l) { return (l + 63) % 64; });
  expectMove(machine, std::string("row_mirror") + all,
             [](int l) { return l / 16 * 16 + 15 - l % 16; });
  expectMove(machine, std::string("row_half_mirror") + all,
             [](int l) { return l / 8 * 8 + 7 - l % 8; });
  expectMove(machine, std::string("row_bcast:15") + all,
             [](int l) { return l < 16 ? -1 : l / 16 * 16 - 1; });
  expectMove(machine, std::string("row_bcast:31") + all,
             [](int l) { return l < 32 ? -1 : 31; });
}

TEST(ValuDpp, MasksAndBounds) {
  ValuMachine machine;
  expectMove(machine, "row_shl:1 row_mask:0x5 bank_mask:0xf", [](int l) {
    return l / 16 % 2 == 1 || l % 16 == 15 ? -1 : l + 1;
  });
  expectMove(machine, "row_shl:1 row_mask:0xf bank_mask:0xa",
             [](int l) { return l / 4 % 2 == 0 || l % 16 == 15 ? -1 : l + 1; });
  expectMove(machine, "row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:0",
             [](int l) { return l % 16 == 15 ? -2 : l + 1; });
  // Inactive lanes are no source, and are not written.
  machine.setExec(0xfffffffffffffff0);
  expectMove(machine, std::string("row_newbcast:3") + all,
             [](int l) { return l < 16 ? -1 : l / 16 * 16 + 3; });
  expectMove(machine, "row_newbcast:3 row_mask:0xf bank_mask:0xf bound_ctrl:0",
             [](int l) { return l < 4    ? -1
                                : l < 16 ? -2
                                         : l / 16 * 16 + 3; });
}

TEST(ValuDpp, OnlyTheFirstSourceMovesAndModifiersFollow) {
  ValuMachine machine;
  for (unsigned l = 0; l < 64; ++l) {
    machine.vgpr(1)[l] = bitsOf(float(l));
    machine.vgpr(2)[l] = bitsOf(-100.0f * float(l));
  }
  machine.run("v_add_f32_dpp v0, -v1, |v2| row_ror:1 row_mask:0xf "
              "bank_mask:0xf");
  EXPECT_EQ(floatOf(machine.vgpr(0)[20]), 100.0f * 20 - 19);
  machine.vgpr(3)[5] = bitsOf(1000.0f);
  machine.run("v_fmac_f32_dpp v3, v1, v1 row_newbcast:2 row_mask:0xf "
              "bank_mask:0xf");
  EXPECT_EQ(floatOf(machine.vgpr(3)[5]), 1000.0f + 2 * 5);
  machine.vgpr(6)[17] = 0x12345678;
  machine.vgpr(7)[17] = 0x9abcdef0;
  machine.run("v_mov_b64_dpp v[4:5], v[6:7] row_newbcast:1 row_mask:0xf "
              "bank_mask:0xf");
  EXPECT_EQ(machine.vgpr(4)[30], 0x12345678u);
  EXPECT_EQ(machine.vgpr(5)[30], 0x9abcdef0u);
}

TEST(ValuSdwa, SourceSelections) {
  ValuMachine machine;
  const u32 value = 0x84a37f06;
  const struct {
    const char *select;
    u32 plain;
    u32 extended;
  } cases[] = {{"BYTE_0", 0x06, 0x06},       {"BYTE_1", 0x7f, 0x7f},
               {"BYTE_2", 0xa3, 0xffffffa3}, {"BYTE_3", 0x84, 0xffffff84},
               {"WORD_0", 0x7f06, 0x7f06},   {"WORD_1", 0x84a3, 0xffff84a3},
               {"DWORD", value, value}};
  machine.vgpr(1)[0] = value;
  machine.vgpr(2)[0] = value;
  for (const auto &c : cases) {
    std::string select = c.select;
    std::string tail = " dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:";
    machine.run("v_add_u32_sdwa v0, v1, v3" + tail + select +
                " src1_sel:DWORD");
    EXPECT_EQ(machine.vgpr(0)[0], c.plain) << select;
    machine.run("v_add_u32_sdwa v0, v3, sext(v2)" + tail +
                "DWORD src1_sel:" + select);
    EXPECT_EQ(machine.vgpr(0)[0], c.extended) << select;
    machine.run("v_mov_b32_sdwa v0, v1" + tail + select);
    EXPECT_EQ(machine.vgpr(0)[0], c.plain) << select;
  }
}

TEST(ValuSdwa, DestinationSelections) {
  ValuMachine machine;
  const struct {
    const char *select;
    u32 pad, extended, preserved;
  } cases[] = {{"BYTE_0", 0x000000f2, 0xfffffff2, 0x112233f2},
               {"BYTE_1", 0x0000f200, 0xfffff200, 0x1122f244},
               {"BYTE_2", 0x00f20000, 0xfff20000, 0x11f23344},
               {"BYTE_3", 0xf2000000, 0xf2000000, 0xf2223344},
               {"WORD_0", 0x0000e1f2, 0xffffe1f2, 0x1122e1f2},
               {"WORD_1", 0xe1f20000, 0xe1f20000, 0xe1f23344},
               {"DWORD", 0xc0d0e1f2, 0xc0d0e1f2, 0xc0d0e1f2}};
  machine.vgpr(1)[0] = 0xc0d0e1f2;
  for (const auto &c : cases)
    for (auto [unused, expected] :
         {std::pair("UNUSED_PAD", c.pad), std::pair("UNUSED_SEXT", c.extended),
          std::pair("UNUSED_PRESERVE", c.preserved)}) {
      machine.vgpr(0)[0] = 0x11223344;
      machine.run(std::string("v_mov_b32_sdwa v0, v1 dst_sel:") + c.select +
                  " dst_unused:" + unused + " src0_sel:DWORD");
      EXPECT_EQ(machine.vgpr(0)[0], expected) << c.select << " " << unused;
    }
}

TEST(ValuSdwa, FloatsAndCompares) {
  ValuMachine machine;
  machine.vgpr(0)[0] = 0x12345678;
  machine.vgpr(1)[0] = 0x44000000; // f16: 4, 0
  machine.vgpr(2)[0] = 0x0000bc00; // 0, -1
  machine.run("v_add_f16_sdwa v0, -v1, |v2| dst_sel:WORD_1 "
              "dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0");
  EXPECT_EQ(machine.vgpr(0)[0], 0xc2005678u); // -3
  machine.run("v_cvt_f32_f16_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD "
              "src0_sel:WORD_1");
  EXPECT_EQ(machine.vgpr(0)[0], bitsOf(4.0f));
  machine.setExec(1);
  machine.run("v_cmp_lt_u32_sdwa vcc, v1, v2 src0_sel:BYTE_3 src1_sel:BYTE_1");
  EXPECT_EQ(machine.pair(ScalarVcc), 1u); // 0x44 < 0xbc
  machine.run("v_cmp_lt_i32_sdwa s[4:5], v1, sext(v2) src0_sel:BYTE_3 "
              "src1_sel:BYTE_1");
  EXPECT_EQ(machine.pair(4), 0u); // 0x44 < -0x44
  machine.wave->setPair(ScalarVcc, 1);
  machine.run("v_cndmask_b32_sdwa v0, v1, v2, vcc dst_sel:DWORD "
              "dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_1");
  EXPECT_EQ(machine.vgpr(0)[0], 0xbcu);
}

TEST(ValuCompare, EveryRelation) {
  ValuMachine machine;
  struct Relation {
    const char *name;
    bool less, equal, greater, unordered;
  };
  const Relation relations[] = {
      {"f", false, false, false, false}, {"lt", true, false, false, false},
      {"eq", false, true, false, false}, {"le", true, true, false, false},
      {"gt", false, false, true, false}, {"lg", true, false, true, false},
      {"ge", false, true, true, false},  {"o", true, true, true, false},
      {"u", false, false, false, true},  {"nge", true, false, false, true},
      {"nlg", false, true, false, true}, {"ngt", true, true, false, true},
      {"nle", false, false, true, true}, {"neq", true, false, true, true},
      {"nlt", false, true, true, true},  {"tru", true, true, true, true},
      {"ne", true, false, true, false},  {"t", true, true, true, false}};
  // Lanes: less, equal, greater, unordered.
  for (unsigned l = 0; l < 4; ++l) {
    const float left[4] = {1, 2, 3, NAN};
    machine.vgpr(1)[l] = bitsOf(left[l]);
    machine.vgpr(2)[l] = bitsOf(2);
    const u32 half[4] = {0x3c00, 0x4000, 0x4200, 0x7e00};
    machine.vgpr(3)[l] = half[l];
    machine.vgpr(4)[l] = 0x4000;
    u64 wide = bits64(left[l]), two = bits64(2);
    machine.vgpr(6)[l] = u32(wide);
    machine.vgpr(7)[l] = u32(wide >> 32);
    machine.vgpr(8)[l] = u32(two);
    machine.vgpr(9)[l] = u32(two >> 32);
  }
  for (const Relation &r : relations) {
    u64 expected = r.less | r.equal << 1 | r.greater << 2 | r.unordered << 3;
    bool integer = r.name == std::string("ne") || r.name == std::string("t");
    const std::pair<std::string, std::string> floats[] = {
        {"_f32", " s[4:5], v1, v2"},
        {"_f16", " s[4:5], v3, v4"},
        {"_f64", " s[4:5], v[6:7], v[8:9]"}};
    const std::pair<std::string, std::string> integers[] = {
        {"_u32", " s[4:5], v3, v4"},
        {"_i32", " s[4:5], v3, v4"},
        {"_u16", " s[4:5], v3, v4"},
        {"_i16", " s[4:5], v3, v4"},
        {"_u64", " s[4:5], v[6:7], v[8:9]"},
        {"_i64", " s[4:5], v[6:7], v[8:9]"}};
    bool common = r.name == std::string("f") || r.name == std::string("lt") ||
                  r.name == std::string("eq") || r.name == std::string("le") ||
                  r.name == std::string("gt") || r.name == std::string("ge");
    for (const char *prefix : {"v_cmp_", "v_cmpx_"}) {
      if (!integer)
        for (auto &[type, operands] : floats) {
          machine.setExec(15);
          machine.run(prefix + std::string(r.name) + type + "_e64" + operands);
          EXPECT_EQ(machine.pair(4), expected) << prefix << r.name << type;
          EXPECT_EQ(machine.pair(ScalarExec),
                    prefix[5] == 'x' ? expected : 15u);
        }
      if (integer || common)
        for (auto &[type, operands] : integers) {
          machine.setExec(7);
          machine.run(prefix + std::string(r.name) + type + "_e64" + operands);
          EXPECT_EQ(machine.pair(4), expected & 7) << prefix << r.name << type;
        }
    }
  }
}

TEST(ValuCompare, SignsAndScalars) {
  ValuMachine machine;
  machine.vgpr(1)[0] = 0xffffffff;
  machine.vgpr(1)[1] = 1;
  machine.sgpr(7) = 0;
  machine.setExec(3);
  machine.run("v_cmp_gt_u32 vcc, s7, v1");
  EXPECT_EQ(machine.pair(ScalarVcc), 0u);
  machine.run("v_cmp_gt_i32 vcc, s7, v1");
  EXPECT_EQ(machine.pair(ScalarVcc), 1u);
  machine.run("v_cmp_eq_u32 vcc, -1, v1");
  EXPECT_EQ(machine.pair(ScalarVcc), 1u);
}

TEST(ValuCompare, ClassesOfEveryKind) {
  // In the order of the mask's bits.
  const u32 single[10] = {0x7fa00000, 0xffc00000, 0xff800000, 0xbf800000,
                          0x80000001, 0x80000000, 0x00000000, 0x007fffff,
                          0x7f7fffff, 0x7f800000};
  const u32 half[10] = {0x7d00, 0xfe00, 0xfc00, 0xbc00, 0x8001,
                        0x8000, 0x0000, 0x03ff, 0x7bff, 0x7c00};
  ValuMachine machine;
  for (u32 kind = 0; kind < 10; ++kind) {
    for (u32 bit = 0; bit < 10; ++bit) {
      machine.vgpr(1)[bit] = single[kind];
      machine.vgpr(2)[bit] = 1u << bit;
      machine.vgpr(3)[bit] = half[kind];
      machine.vgpr(4)[bit] = 0;
      u64 wide = kind == 0   ? 0x7ff4000000000000
                 : kind == 7 ? 1
                 : kind == 4 ? 0x8000000000000001
                             : bits64(double(floatOf(single[kind])));
      machine.vgpr(4)[bit] = u32(wide);
      machine.vgpr(5)[bit] = u32(wide >> 32);
    }
    machine.setExec(0x3ff);
    machine.run("v_cmp_class_f32 vcc, v1, v2");
    EXPECT_EQ(machine.pair(ScalarVcc), u64(1) << kind);
    machine.run("v_cmp_class_f16 vcc, v3, v2");
    EXPECT_EQ(machine.pair(ScalarVcc), u64(1) << kind);
    machine.run("v_cmp_class_f64 vcc, v[4:5], v2");
    EXPECT_EQ(machine.pair(ScalarVcc), u64(1) << kind);
  }
}

TEST(ValuLanes, PermlaneSwaps) {
  ValuMachine machine;
  auto run = [&](const char *op, unsigned size) {
    for (unsigned l = 0; l < 64; ++l) {
      machine.vgpr(0)[l] = l;
      machine.vgpr(1)[l] = 100 + l;
    }
    machine.run(std::string(op) + " v0, v1");
    for (unsigned l = 0; l < 64; ++l) {
      bool odd = l / size % 2;
      EXPECT_EQ(machine.vgpr(0)[l], odd ? 100 + l - size : l) << op << l;
      EXPECT_EQ(machine.vgpr(1)[l], odd ? 100 + l : l + size) << op << l;
    }
  };
  run("v_permlane16_swap_b32", 16);
  run("v_permlane32_swap_b32", 32);
}

TEST(ValuLanes, PermlaneSwapsUnderExec) {
  // Lane 3 of v1 goes to lane 19 of v0 and back; lane 19 is inactive.
  struct {
    bool pairs, all;
    unsigned v0At19, v1At3, v0At20, v1At4;
  } cases[] = {{false, false, 19, 19, 104, 20},
               {true, false, 19, 103, 104, 20},
               {false, true, 103, 19, 104, 20}};
  for (const auto &c : cases) {
    ValuMachine machine;
    machine.wave->swapsPairs = c.pairs;
    machine.wave->swapsAll = c.all;
    for (unsigned l = 0; l < 64; ++l) {
      machine.vgpr(0)[l] = l;
      machine.vgpr(1)[l] = 100 + l;
    }
    machine.setExec(~(uint64_t(1) << 19));
    machine.run("v_permlane16_swap_b32 v0, v1");
    EXPECT_EQ(machine.vgpr(0)[19], c.v0At19);
    EXPECT_EQ(machine.vgpr(1)[3], c.v1At3);
    EXPECT_EQ(machine.vgpr(0)[20], c.v0At20);
    EXPECT_EQ(machine.vgpr(1)[4], c.v1At4);
  }
}

TEST(ValuLanes, ReadAndWriteLane) {
  ValuMachine machine;
  fillLanes(machine);
  machine.sgpr(3) = 64 + 7;
  machine.run("v_readlane_b32 s2, v1, s3");
  EXPECT_EQ(machine.sgpr(2), 107u);
  machine.setExec(0x30);
  machine.run("v_readfirstlane_b32 s2, v1");
  EXPECT_EQ(machine.sgpr(2), 104u);
  machine.setExec(0);
  machine.run("v_readfirstlane_b32 s2, v1");
  EXPECT_EQ(machine.sgpr(2), 100u);
  machine.run("v_writelane_b32 v0, s3, 9");
  EXPECT_EQ(machine.vgpr(0)[9], 71u) << "EXEC does not matter";
  EXPECT_EQ(machine.vgpr(0)[8], 1008u);
}
