//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Atomics of every kind of memory, and DS instructions that cross lanes.

#include "Machine.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace fly;
using namespace fly::test;

namespace {

void runBoth(Machine &machine, llvm::StringRef body) {
  machine.kernel.ldsBytes = 4096;
  std::vector<uint32_t> start = machine.buffer, first;
  for (bool check : {true, false}) {
    machine.buffer = start;
    machine.options.check = check;
    machine.runWithBuffer(body);
    ASSERT_EQ(machine.reports(), "") << body.str();
    if (check)
      first = machine.buffer;
  }
  EXPECT_EQ(first, machine.buffer) << "the modes differ";
}

uint32_t bits(float value) {
  uint32_t result;
  std::memcpy(&result, &value, 4);
  return result;
}

struct Operation {
  const char *global, *ds; ///< names after "_atomic_" and "ds_"
  uint32_t memory, data, expected;
};

const Operation operations[] = {
    {"swap", "wrxchg_rtn_b32", 5, 7, 7},
    {"add", "add_rtn_u32", 0xffffffff, 3, 2},
    {"sub", "sub_rtn_u32", 2, 3, 0xffffffff},
    {"smin", "min_rtn_i32", 1, 0xffffffff, 0xffffffff},
    {"umin", "min_rtn_u32", 1, 0xffffffff, 1},
    {"smax", "max_rtn_i32", 1, 0xffffffff, 1},
    {"umax", "max_rtn_u32", 1, 0xffffffff, 0xffffffff},
    {"and", "and_rtn_b32", 0xf0f0, 0xff00, 0xf000},
    {"or", "or_rtn_b32", 0xf0f0, 0xff00, 0xfff0},
    {"xor", "xor_rtn_b32", 0xf0f0, 0xff00, 0x0ff0},
    {"inc", "inc_rtn_u32", 4, 5, 5},
    {"inc", "inc_rtn_u32", 5, 5, 0},
    {"dec", "dec_rtn_u32", 0, 5, 5},
    {"dec", "dec_rtn_u32", 6, 5, 5},
    {"dec", "dec_rtn_u32", 3, 5, 2},
};

} // namespace

TEST(Atomics, EveryIntegerOperationReturnsTheOldValue) {
  for (const Operation &op : operations) {
    Machine machine;
    machine.buffer[0] = machine.buffer[1] = machine.buffer[2] = op.memory;
    std::string data = "v_mov_b32 v1, " + std::to_string(op.data) + "\n";
    runBoth(machine, "s_mov_b64 exec, 1\n" + data + R"(
      v_mov_b32 v5, 0
      v_mov_b32 v6, s8
      v_mov_b32 v7, s9
      v_mov_b32 v8, v1
      v_mov_b32 v12, )" + std::to_string(op.memory) +
                         "\nds_write_b32 v5, v12\n"
                         "global_atomic_" +
                         op.global +
                         " v2, v[6:7], v1, off sc0\n"
                         "flat_atomic_" +
                         op.global +
                         " v3, v[6:7], v1 offset:4 sc0\n"
                         "buffer_atomic_" +
                         op.global +
                         " v8, off, s[12:15], 0 offset:8 sc0\n"
                         "ds_" +
                         op.ds + " v4, v5, v1\n" + R"(
      ds_read_b32 v9, v5
      s_waitcnt vmcnt(0) lgkmcnt(0)
      buffer_store_dword v2, off, s[12:15], 0 offset:64
      buffer_store_dword v3, off, s[12:15], 0 offset:68
      buffer_store_dword v8, off, s[12:15], 0 offset:72
      buffer_store_dword v4, off, s[12:15], 0 offset:76
      buffer_store_dword v9, off, s[12:15], 0 offset:12)");
    for (unsigned i = 0; i != 4; ++i) {
      EXPECT_EQ(machine.buffer[i], op.expected) << op.global << i;
      EXPECT_EQ(machine.buffer[16 + i], op.memory) << op.global << i;
    }
  }
}

TEST(Atomics, LanesAddUp) {
  Machine machine;
  machine.block = {256, 1, 1};
  machine.grid = {8, 1, 1};
  machine.buffer[2] = bits(0.5f);
  runBoth(machine, R"(
    v_mov_b32 v5, 0
    v_mov_b32 v1, 1
    v_mov_b32 v2, 1.0
    v_mov_b32 v6, 2
    v_mov_b32 v7, 0
    v_mov_b32 v4, 0x3f803f80
    global_atomic_add v5, v1, s[8:9]
    global_atomic_add_f32 v5, v2, s[8:9] offset:8
    global_atomic_add_x2 v5, v[6:7], s[8:9] offset:16
    s_mov_b64 exec, 1
    buffer_atomic_pk_add_bf16 v4, off, s[12:15], 0 offset:24)");
  EXPECT_EQ(machine.buffer[0], 2048u);
  EXPECT_EQ(machine.buffer[2], bits(2048.5f));
  EXPECT_EQ(machine.buffer[4], 4096u);
  EXPECT_EQ(machine.buffer[6], 0x42004200u) << "32 in both halves";
}

TEST(Atomics, CompareAndSwap) {
  Machine machine;
  machine.buffer[0] = 5;
  machine.buffer[1] = 6;
  runBoth(machine, R"(
    s_mov_b64 exec, 1
    v_mov_b32 v5, 0
    v_mov_b32 v6, 50
    v_mov_b32 v7, 5
    v_mov_b32 v10, 5
    ds_write_b32 v5, v10
    global_atomic_cmpswap v5, v[6:7], s[8:9]
    global_atomic_cmpswap v5, v[6:7], s[8:9] offset:4
    ds_cmpst_b32 v5, v7, v6
    ds_read_b32 v8, v5
    s_waitcnt vmcnt(0) lgkmcnt(0)
    buffer_store_dword v8, off, s[12:15], 0 offset:8)");
  EXPECT_EQ(machine.buffer[0], 50u);
  EXPECT_EQ(machine.buffer[1], 6u);
  EXPECT_EQ(machine.buffer[2], 50u);
}

TEST(Atomics, ScalarForms) {
  Machine machine;
  machine.buffer[0] = 5;
  machine.buffer[1] = 7;
  runBoth(machine, R"(
    s_mov_b32 s20, 3
    s_atomic_add s20, s[8:9], 0x0 glc
    s_mov_b32 s22, 9
    s_buffer_atomic_dec s22, s[12:15], 0x4
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v1, s20
    buffer_store_dword v1, off, s[12:15], 0 offset:8)");
  EXPECT_EQ(machine.buffer[0], 8u);
  EXPECT_EQ(machine.buffer[1], 6u);
  EXPECT_EQ(machine.buffer[2], 5u);
}

TEST(Atomics, OutOfRangeBufferAtomicsAreErrors) {
  Machine machine;
  machine.runWithBuffer("v_mov_b32 v1, 1\ns_movk_i32 s14, 0x40\n"
                        "buffer_atomic_add v1, v30, s[12:15], 0 offen");
  EXPECT_TRUE(machine.reported("buffer-atomic-out-of-range", "lane 16"))
      << machine.reports();
  // Partly out of range is out of range.
  machine.buffer.assign(256, 0);
  machine.runWithBuffer("v_mov_b32 v2, 1\nv_mov_b32 v3, 1\n"
                        "s_movk_i32 s14, 0x4\ns_mov_b64 exec, 1\n"
                        "buffer_atomic_add_x2 v[2:3], v30, s[12:15], 0 offen");
  EXPECT_TRUE(machine.reported("buffer-atomic-out-of-range", "lane 0"))
      << machine.reports();
  EXPECT_EQ(machine.buffer, std::vector<uint32_t>(256));
}

// Triton masks lanes off by an offset of 2 GiB or more, and gives buffers a
// range of less: in larger ones, such an atomic faults.
TEST(Atomics, OffsetsOfTwoGibibytesMaskLanesOff) {
  struct {
    const char *records, *offset;
    bool isError;
  } cases[] = {
      {"0x7fffffff", "0x80000000", false}, {"0x40", "0x80000000", false},
      {"0x40", "0xfffffffc", false},       {"0x40", "0x7ffffffc", true},
      {"0x80000000", "0x80000000", true},  {"0x80000000", "0xfffffffc", true}};
  for (const auto &c : cases) {
    Machine machine;
    machine.buffer[0] = 7;
    // Lane 0 is in range.
    machine.runWithBuffer(std::string("v_mov_b32 v1, 1\nv_mov_b32 v2, ") +
                          c.offset + "\nv_mov_b32 v3, 0\ns_mov_b32 s14, " +
                          c.records +
                          "\ns_mov_b64 vcc, 1\n"
                          "v_cndmask_b32 v2, v2, v3, vcc\n"
                          "buffer_atomic_add v1, v2, s[12:15], 0 offen");
    EXPECT_EQ(machine.reported("buffer-atomic-out-of-range", "lane 1"),
              c.isError)
        << c.records << ' ' << c.offset << machine.reports();
    EXPECT_EQ(machine.buffer[0], 8u);
  }
}

namespace {
/// Four waves: one clears LDS bytes 0..63; after a barrier all run \p atomic,
/// a wait, and \p other.
void runAtomicsAnd(Machine &machine, const std::string &atomic,
                   const std::string &between, const std::string &other) {
  machine.kernel.ldsBytes = 1024;
  machine.block = {256, 1, 1};
  machine.runWithBuffer(R"(
    v_mov_b32 v5, 0
    v_mov_b32 v1, 1
    v_mov_b32 v6, 0
    v_mov_b32 v7, 0
    v_mov_b32 v8, 0
    v_mov_b32 v9, 0
    v_cmp_gt_u32 vcc, 64, v0
    s_and_saveexec_b64 s[20:21], vcc
    ds_write_b32 v30, v5
    s_mov_b64 exec, s[20:21]
    s_waitcnt lgkmcnt(0)
    s_barrier
  )" + atomic + "\ns_waitcnt lgkmcnt(0)\n" +
                        between + other + "\ns_waitcnt lgkmcnt(0)\n");
}
} // namespace

TEST(Atomics, LdsAtomicsOfSeveralWavesAreNoRace) {
  Machine machine;
  runAtomicsAnd(machine, "ds_add_u32 v5, v1", "s_barrier\n",
                "ds_read_b32 v2, v5\ns_waitcnt lgkmcnt(0)\n"
                "buffer_store_dword v2, v30, s[12:15], 0 offen");
  EXPECT_EQ(machine.reports(), "");
  EXPECT_EQ(machine.buffer[5], 256u);
}

TEST(Atomics, OneElementMayRaceWithThem) {
  struct {
    const char *other;
    bool isElement;
  } cases[] = {
      {"ds_read_b32 v2, v5", true},
      {"ds_read_b64 v[2:3], v5", true},
      {"ds_read2_b32 v[2:3], v5 offset1:1", true},
      {"ds_read_u16 v2, v5 offset:2", true},
      {"ds_write_b32 v5, v5", true},
      {"ds_read_b128 v[20:23], v5", false},
      {"ds_read_b96 v[20:22], v5", false},
      {"ds_read_b32 v2, v5 offset:2", false},
      {"ds_write_b128 v5, v[6:9]", false},
      {"ds_write_b32 v5, v5 offset:1", false},
  };
  for (const auto &c : cases)
    for (bool ordered : {false, true})
      for (bool first : {false, true}) {
        Machine machine;
        machine.options.orderLdsAtomics = ordered;
        const char *atomic = "ds_add_u32 v5, v1";
        runAtomicsAnd(machine, first ? c.other : atomic, "",
                      first ? atomic : c.other);
        if (c.isElement && !ordered)
          EXPECT_EQ(machine.reports(), "") << c.other << " first " << first;
        else
          EXPECT_TRUE(machine.reported("lds-race", "an s_barrier"))
              << c.other << " ordered " << ordered << " first " << first << "\n"
              << machine.reports();
      }
}

TEST(Atomics, PlainAccessesStillRaceWithEachOther) {
  Machine machine;
  runAtomicsAnd(machine, "ds_write_b32 v5, v0", "", "ds_read_b32 v2, v5");
  EXPECT_TRUE(machine.reported("lds-race")) << machine.reports();
}

TEST(CrossLane, PermutesAndSwizzles) {
  Machine machine;
  machine.buffer.resize(512);
  runBoth(machine, R"(
    v_sub_u32 v2, 63, v31
    v_lshlrev_b32 v2, 2, v2
    v_add_u32 v3, 100, v31
    v_add_u32 v9, 1, v31
    v_lshlrev_b32 v9, 2, v9
    ds_bpermute_b32 v4, v2, v3
    ds_permute_b32 v5, v9, v3
    ds_swizzle_b32 v6, v3 offset:swizzle(SWAP,16)
    ds_swizzle_b32 v7, v3 offset:swizzle(QUAD_PERM,3,0,1,2)
    ds_swizzle_b32 v8, v3 offset:swizzle(BROADCAST,8,5)
    s_waitcnt lgkmcnt(0)
    buffer_store_dword v4, v30, s[12:15], 0 offen
    buffer_store_dword v5, v30, s[12:15], 0 offen offset:256
    buffer_store_dword v6, v30, s[12:15], 0 offen offset:512
    buffer_store_dword v7, v30, s[12:15], 0 offen offset:768
    buffer_store_dword v8, v30, s[12:15], 0 offen offset:1024)");
  for (unsigned l = 0; l != 64; ++l) {
    EXPECT_EQ(machine.buffer[l], 100 + 63 - l);
    EXPECT_EQ(machine.buffer[64 + l], 100 + (l + 63) % 64);
    EXPECT_EQ(machine.buffer[128 + l], 100 + (l ^ 16));
    EXPECT_EQ(machine.buffer[192 + l], 100 + (l & ~3u) + (l + 3) % 4);
    EXPECT_EQ(machine.buffer[256 + l], 100 + (l & ~7u) + 5);
  }
}

TEST(CrossLane, PermuteReadsZeroFromInactiveLanes) {
  Machine machine;
  runBoth(machine, R"(
    v_add_u32 v3, 100, v31
    v_mov_b32 v4, 7
    s_mov_b64 exec, 0xff
    v_xor_b32 v2, 0x24, v30
    ds_bpermute_b32 v4, v2, v3
    s_waitcnt lgkmcnt(0)
    s_mov_b64 exec, -1
    buffer_store_dword v4, v30, s[12:15], 0 offen)");
  // Lane l reads lane l ^ 9: 8..15 for the first eight, all inactive.
  for (unsigned l = 0; l != 64; ++l)
    EXPECT_EQ(machine.buffer[l], l < 8 ? 0u : 7u);
}

namespace {

/// LDS holds at byte 16 l + i (32 bytes for 6 bits) what is needed to name the
/// element: tests write (lane, element) pairs and check where they arrive.
std::vector<uint8_t> transposed(unsigned bits) {
  Machine machine;
  machine.buffer.resize(1024);
  unsigned dwords = bits == 6 ? 3 : 2;
  auto *bytes = reinterpret_cast<uint8_t *>(machine.buffer.data());
  // Element e of source lane s has the value (s * 37 + e * 11) mod 2^bits.
  for (unsigned s = 0; s != 64; ++s)
    for (unsigned e = 0; e != dwords * 32 / bits; ++e)
      for (unsigned b = 0; b != bits; ++b)
        if ((s * 37 + e * 11) >> b & 1)
          bytes[16 * s + (e * bits + b) / 8] |= 1 << (e * bits + b) % 8;
  std::string range = bits == 6 ? "v[8:10]" : "v[8:9]";
  std::string name = bits == 6 ? "ds_read_b96_tr_b6"
                               : "ds_read_b64_tr_b" + std::to_string(bits);
  runBoth(machine, "v_mov_b32 v10, 0\nv_mov_b32 v11, 0\n"
                   "buffer_load_dwordx4 v[4:7], v29, s[12:15], 0 offen\n"
                   "s_waitcnt vmcnt(0)\nds_write_b128 v29, v[4:7]\n"
                   "s_waitcnt lgkmcnt(0)\n" +
                       name + " " + range +
                       ", v29\ns_waitcnt lgkmcnt(0)\n"
                       "s_movk_i32 s20, 0x400\n"
                       "buffer_store_dwordx4 v[8:11], v29, s[12:15], s20 "
                       "offen\n");
  const auto *result = reinterpret_cast<uint8_t *>(machine.buffer.data());
  return std::vector<uint8_t>(result + 1024, result + 2048);
}

unsigned element(const std::vector<uint8_t> &data, unsigned lane, unsigned v,
                 unsigned bits) {
  unsigned value = 0;
  for (unsigned b = 0; b != bits; ++b)
    value |=
        unsigned(data[16 * lane + (v * bits + b) / 8] >> (v * bits + b) % 8 & 1)
        << b;
  return value;
}

} // namespace

TEST(CrossLane, TransposingReads) {
  for (unsigned width : {16u, 8u, 4u, 6u}) {
    std::vector<uint8_t> data = transposed(width);
    unsigned elements = width == 6 ? 16 : 64 / width;
    for (unsigned l = 0; l != 64; ++l)
      for (unsigned v = 0; v != elements; ++v) {
        // A 16-lane group holds a matrix whose row of v (and, if a row takes
        // several lanes, t) is in lane s; the read gives column t.
        unsigned t = l % 16, perLane = width >= 8 ? 64 / width : 16;
        unsigned s = t / perLane + 16 / perLane * v, e = t % perLane;
        unsigned expected =
            ((l / 16 * 16 + s) * 37 + e * 11) & ((1u << width) - 1);
        ASSERT_EQ(element(data, l, v, width), expected)
            << width << " bits, lane " << l << " element " << v;
      }
  }
}
