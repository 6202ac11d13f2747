//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Memory instructions: addresses, widths, range checks, direct-to-LDS copies.

#include "MemoryCase.h"

#include <cstring>

using namespace fly;
using namespace fly::test;

namespace {

uint32_t bytesAt(const std::vector<uint32_t> &buffer, unsigned offset,
                 unsigned size) {
  uint32_t value = 0;
  std::memcpy(&value, reinterpret_cast<const char *>(buffer.data()) + offset,
              size);
  return value;
}

} // namespace

TEST(Mubuf, NarrowLoadsExtend) {
  struct {
    const char *load;
    unsigned size;
    bool isSigned;
  } const forms[] = {{"buffer_load_ubyte", 1, false},
                     {"buffer_load_sbyte", 1, true},
                     {"buffer_load_ushort", 2, false},
                     {"buffer_load_sshort", 2, true},
                     {"buffer_load_dword", 4, false}};
  for (const auto &form : forms) {
    Machine machine = numbered();
    for (size_t i = 0; i != 256; ++i)
      machine.buffer[i] = uint32_t(i * 0x9e3779b9u);
    std::vector<uint32_t> source = machine.buffer;
    runBoth(machine, std::string(form.load) +
                         " v1, v31, s[12:15], 0 offen offset:3" + storeV1);
    for (unsigned l = 0; l != 64; ++l) {
      uint32_t value = bytesAt(source, l + 3, form.size);
      if (form.isSigned)
        value = uint32_t(int32_t(value << (32 - 8 * form.size)) >>
                         (32 - 8 * form.size));
      EXPECT_EQ(machine.buffer[256 + l], value) << form.load << " lane " << l;
    }
  }
}

TEST(Mubuf, WideLoadsAndStores) {
  for (unsigned dwords : {2u, 3u, 4u}) {
    Machine machine = numbered(1024);
    std::string range = "v[4:" + std::to_string(3 + dwords) + "]";
    std::string width = "dwordx" + std::to_string(dwords);
    runBoth(machine, "buffer_load_" + width + " " + range +
                         ", v29, s[12:15], 0 offen\ns_waitcnt vmcnt(0)\n"
                         "s_movk_i32 s20, 0x400\nbuffer_store_" +
                         width + " " + range + ", v29, s[12:15], s20 offen");
    for (unsigned l = 0; l != 64; ++l)
      for (unsigned d = 0; d != 4; ++d)
        EXPECT_EQ(machine.buffer[256 + 4 * l + d],
                  d < dwords ? 0x1000 + 4 * l + d : 0x1100 + 4 * l + d);
  }
}

TEST(Mubuf, AccumulatorRegistersLoadAndStore) {
  Machine machine = numbered();
  runBoth(machine, R"(
    buffer_load_dwordx4 a[4:7], v29, s[12:15], 0 offen
    s_waitcnt vmcnt(0)
    v_accvgpr_read_b32 v1, a6)" +
                       storeV1);
  EXPECT_EQ(machine.buffer[256 + 9], 0x1000u + 4 * 9 + 2);
}

TEST(Mubuf, HalfRegisterForms) {
  Machine machine = numbered();
  runBoth(machine, R"(
    v_mov_b32 v1, 0x55667788
    buffer_load_short_d16 v1, v30, s[12:15], 0 offen
    buffer_load_ubyte_d16_hi v1, v30, s[12:15], 0 offen offset:1
    s_waitcnt vmcnt(0)
    v_mov_b32 v2, v1
    buffer_store_byte_d16_hi v2, v30, s[12:15], 0 offen offset:1280
    buffer_store_short_d16_hi v2, v30, s[12:15], 0 offen offset:1538)" +
                       storeV1);
  for (unsigned l = 0; l != 64; ++l) {
    uint32_t value = 0x1000 + l;
    EXPECT_EQ(machine.buffer[256 + l], (value & 0xffff) | (value >> 8 & 255)
                                                              << 16);
    EXPECT_EQ(bytesAt(machine.buffer, 1280 + 4 * l, 1), 0x10u);
    EXPECT_EQ(bytesAt(machine.buffer, 1538 + 4 * l, 2), 0x10u);
  }
}

TEST(Mubuf, EachDwordIsRangeCheckedByItself) {
  for (unsigned records : {0u, 15u, 16u, 20u, 28u, 31u, 32u, 1024u}) {
    Machine machine = numbered(1024);
    machine.extraArgs = {records};
    runBoth(machine, R"(
      s_load_dword s14, s[0:1], 0x10
      s_waitcnt lgkmcnt(0)
      s_mov_b32 s16, s12
      s_mov_b32 s17, s13
      s_movk_i32 s18, 0x1000
      s_mov_b32 s19, s15
      v_mov_b32 v4, -1
      v_mov_b32 v5, -1
      v_mov_b32 v6, -1
      v_mov_b32 v7, -1
      buffer_load_dwordx4 v[4:7], v29, s[12:15], 0 offen
      s_waitcnt vmcnt(0)
      s_movk_i32 s20, 0x400
      buffer_store_dwordx4 v[4:7], v29, s[16:19], s20 offen)");
    for (unsigned i = 0; i != 256; ++i)
      EXPECT_EQ(machine.buffer[256 + i],
                4 * (i + 1) <= records ? 0x1000 + i : 0)
          << records << " dword " << i;
  }
}

TEST(Mubuf, StoresOutOfRangeAreDropped) {
  Machine machine = numbered(256);
  runBoth(machine, R"(
    s_movk_i32 s14, 0x18
    v_mov_b32 v4, 1
    v_mov_b32 v5, 2
    v_mov_b32 v6, 3
    v_mov_b32 v7, 4
    buffer_store_dwordx4 v[4:7], v29, s[12:15], 0 offen)");
  for (unsigned i = 0; i != 256; ++i)
    EXPECT_EQ(machine.buffer[i], i < 6 ? i % 4 + 1 : 0x1000 + i);
}

TEST(Mubuf, SoffsetCountsInTheRangeCheckByOption) {
  for (bool included : {true, false}) {
    Machine machine = numbered();
    machine.options.rangeCheckIncludesSoffset = included;
    runBoth(machine, R"(
      s_movk_i32 s14, 0x100
      s_movk_i32 s20, 0x80
      buffer_load_dword v1, v30, s[12:15], s20 offen
      buffer_load_dword v2, v30, s[12:15], 64 offen
      s_waitcnt vmcnt(0)
      s_movk_i32 s14, 0x800
      buffer_store_dword v2, v30, s[12:15], 0 offen offset:1280)" +
                         storeV1);
    for (unsigned l = 0; l != 64; ++l) {
      EXPECT_EQ(machine.buffer[256 + l],
                included && l >= 32 ? 0 : 0x1000 + 32 + l);
      EXPECT_EQ(machine.buffer[320 + l],
                included && l >= 48 ? 0 : 0x1000 + 16 + l)
          << "soffset as a constant";
    }
  }
}

// The offset by which compilers mask lanes off and SOFFSET add up to less than
// the range, modulo 2^32: seen on gfx942.
TEST(Mubuf, TheRangeCheckWrapsTheAddressDoesNot) {
  for (uint32_t soffset : {0x80u, 0u}) {
    Machine machine = numbered();
    machine.runWithBuffer("s_movk_i32 s14, 0x100\nv_mov_b32 v1, -4\n"
                          "s_movk_i32 s20, " +
                          std::to_string(soffset) +
                          "\nbuffer_load_dword v2, v1, s[12:15], s20 offen\n"
                          "s_waitcnt vmcnt(0)");
    EXPECT_EQ(machine.reported("global-out-of-bounds", ""), soffset != 0)
        << machine.reports();
  }
}

TEST(Mubuf, StrideWithoutIndexIsCheckedByByte) {
  Machine machine = numbered();
  runBoth(machine, R"(
    s_or_b32 s13, s13, 0x40000
    s_movk_i32 s14, 0x80
    buffer_load_dword v1, v30, s[12:15], 0 offen
    s_waitcnt vmcnt(0)
    s_and_b32 s13, s13, 0xffff
    s_movk_i32 s14, 0x800)" +
                       storeV1);
  for (unsigned l = 0; l != 64; ++l)
    EXPECT_EQ(machine.buffer[256 + l], l < 32 ? 0x1000 + l : 0);
}

TEST(Mubuf, IndexIsCheckedByRecord) {
  Machine machine = numbered();
  runBoth(machine, R"(
    s_or_b32 s13, s13, 0x80000
    s_mov_b32 s14, 20
    v_mov_b32 v2, v31
    v_mov_b32 v3, 4
    buffer_load_dword v1, v[2:3], s[12:15], 0 idxen offen
    s_waitcnt vmcnt(0)
    s_and_b32 s13, s13, 0xffff
    s_movk_i32 s14, 0x800)" +
                       storeV1);
  for (unsigned l = 0; l != 64; ++l)
    EXPECT_EQ(machine.buffer[256 + l], l < 20 ? 0x1000 + 2 * l + 1 : 0);
}

TEST(Mubuf, OffsetsWrapAt32Bits) {
  Machine machine = numbered();
  runBoth(machine, R"(
    v_mov_b32 v2, -8
    buffer_load_dword v1, v2, s[12:15], 0 offen offset:20
    s_waitcnt vmcnt(0))" +
                       storeV1);
  EXPECT_EQ(machine.buffer[256], 0x1003u);
}

TEST(Mubuf, UnalignedWorksUnlessTheBitsAreDropped) {
  for (bool drop : {false, true}) {
    Machine machine = numbered();
    machine.options.dropLowAddressBits = drop;
    runBoth(machine, R"(
      v_mov_b32 v2, 5
      buffer_load_dword v1, v2, s[12:15], 0 offen
      v_mov_b32 v4, s8
      v_mov_b32 v5, s9
      global_load_dword v6, v[4:5], off offset:6
      s_waitcnt vmcnt(0)
      buffer_store_dword v6, off, s[12:15], 0 offset:1280)" +
                         storeV1);
    EXPECT_EQ(machine.buffer[256], drop ? 0x1001u : 0x02000010u);
    EXPECT_EQ(machine.buffer[320], drop ? 0x1001u : 0x10020000u);
  }
}

TEST(Global, AddressForms) {
  Machine machine = numbered();
  runBoth(machine, R"(
    v_mov_b32 v2, s8
    v_mov_b32 v3, s9
    v_add_co_u32 v2, vcc, v2, v30
    v_addc_co_u32 v3, vcc, 0, v3, vcc
    global_load_dword v4, v[2:3], off offset:64
    global_load_dword v5, v30, s[8:9] offset:128
    flat_load_dword v6, v[2:3] offset:192
    s_waitcnt vmcnt(0) lgkmcnt(0)
    v_add3_u32 v1, v4, v5, v6
    global_store_dword v[2:3], v6, off offset:1280
    flat_store_dword v[2:3], v4 offset:1536
    global_load_dword v7, v[2:3], off offset:-0
    s_add_u32 s20, s8, 64
    s_addc_u32 s21, s9, 0
    global_load_dword v7, v30, s[20:21] offset:-64
    s_waitcnt vmcnt(0)
    global_store_dword v30, v7, s[8:9] offset:1792)" +
                       storeV1);
  for (unsigned l = 0; l != 64; ++l) {
    EXPECT_EQ(machine.buffer[256 + l], 3 * (0x1000 + l) + 16 + 32 + 48);
    EXPECT_EQ(machine.buffer[320 + l], 0x1000 + l + 48);
    EXPECT_EQ(machine.buffer[384 + l], 0x1000 + l + 16);
    EXPECT_EQ(machine.buffer[448 + l], 0x1000 + l);
  }
}

TEST(Flat, AperturesReachLdsAndScratch) {
  Machine machine = numbered();
  machine.kernel.scratchBytes = 64;
  runBoth(machine, R"(
    s_mov_b64 s[20:21], src_shared_base
    v_mov_b32 v2, v30
    v_mov_b32 v3, s21
    v_mov_b32 v4, 17
    flat_store_dword v[2:3], v4 offset:256
    s_mov_b64 s[20:21], src_private_base
    v_mov_b32 v6, 8
    v_mov_b32 v7, s21
    flat_store_dword v[6:7], v31
    s_waitcnt vmcnt(0) lgkmcnt(0)
    ds_read_b32 v5, v30 offset:256
    scratch_load_dword v8, v6, off
    s_waitcnt vmcnt(0) lgkmcnt(0)
    v_lshl_add_u32 v1, v8, 8, v5)" +
                       storeV1);
  for (unsigned l = 0; l != 64; ++l)
    EXPECT_EQ(machine.buffer[256 + l], l << 8 | 17);
}

TEST(Scratch, AddressForms) {
  Machine machine = numbered();
  machine.kernel.scratchBytes = 64;
  runBoth(machine, R"(
    s_mov_b32 s20, 8
    v_mov_b32 v2, 4
    v_add_u32 v3, 1, v31
    scratch_store_dword off, v31, off offset:4
    scratch_store_dword off, v3, s20
    scratch_store_dword v2, v30, s20
    scratch_load_dword v4, off, off offset:4
    scratch_load_dword v5, off, s20
    scratch_load_dword v6, v2, off offset:8
    s_waitcnt vmcnt(0)
    v_add3_u32 v1, v4, v5, v6)" +
                       storeV1);
  for (unsigned l = 0; l != 64; ++l)
    EXPECT_EQ(machine.buffer[256 + l], l + (l + 1) + 4 * l);
}

TEST(Scratch, OutOfBoundsIsReported) {
  Machine machine = numbered();
  machine.kernel.scratchBytes = 64;
  machine.runWithBuffer("scratch_store_dword off, v31, off offset:64");
  EXPECT_TRUE(machine.reported("scratch-out-of-bounds", "64 bytes of scratch"))
      << machine.reports();
}

TEST(Ds, EveryWidth) {
  Machine machine = numbered(2048);
  machine.kernel.ldsBytes = 16384;
  runBoth(machine, R"(
    buffer_load_dwordx4 v[4:7], v29, s[12:15], 0 offen
    s_waitcnt vmcnt(0)
    ds_write_b128 v29, v[4:7]
    ds_write_b96 v29, v[4:6] offset:1024
    v_lshlrev_b32 v2, 3, v31
    ds_write_b64 v2, v[6:7] offset:2048
    ds_write_b16 v30, v4 offset:4096
    ds_write_b16_d16_hi v30, v4 offset:4098
    ds_write_b8 v30, v5 offset:4352
    ds_write_b8_d16_hi v30, v5 offset:4353
    ds_write_b8 v30, v6 offset:4354
    ds_write_b8 v30, v7 offset:4355
    ds_read_b96 v[8:10], v29 offset:1024
    ds_read_b64 v[12:13], v2 offset:2048
    ds_read_u16 v14, v30 offset:4096
    ds_read_i8 v15, v30 offset:4355
    ds_read_u8 v16, v30 offset:4352
    ds_read_b128 v[20:23], v29
    s_waitcnt lgkmcnt(0)
    v_add3_u32 v1, v8, v9, v10
    v_add3_u32 v1, v1, v12, v13
    v_add3_u32 v1, v1, v14, v15
    v_add_u32 v1, v1, v16
    buffer_store_dwordx4 v[20:23], v29, s[12:15], 0 offen offset:2048)" +
                       storeV1);
  for (unsigned l = 0; l != 64; ++l) {
    uint32_t d = 0x1000 + 4 * l;
    uint32_t sum = (3 * d + 3) + (2 * d + 5) + d +
                   uint32_t(int32_t(int8_t(d + 3))) + (d + 1 & 255);
    EXPECT_EQ(machine.buffer[256 + l], sum) << l;
    for (unsigned i = 0; i != 4; ++i)
      EXPECT_EQ(machine.buffer[512 + 4 * l + i], d + i);
  }
}

TEST(Ds, AddressesWrapAt32Bits) {
  Machine machine = numbered();
  runBoth(machine, R"(
    v_sub_u32 v2, 0, v30
    ds_write_b32 v2, v31 offset:252
    v_add_u32 v2, 0x80, v2
    ds_read_b32 v1, v2 offset:124
    s_waitcnt lgkmcnt(0))" +
                       storeV1);
  for (unsigned l = 0; l != 64; ++l)
    EXPECT_EQ(machine.buffer[256 + l], l);
}

TEST(Ds, PairsOfAddresses) {
  Machine machine = numbered();
  runBoth(machine, R"(
    v_mov_b32 v2, 1
    v_mov_b32 v3, v31
    v_lshlrev_b32 v6, 3, v31
    ds_write2_b32 v6, v2, v3 offset1:1
    ds_read2_b32 v[4:5], v6 offset0:1
    s_waitcnt lgkmcnt(0)
    ds_write2st64_b64 v6, v[2:3], v[4:5] offset0:2 offset1:4
    ds_read2st64_b64 v[8:11], v6 offset0:2 offset1:4
    ds_read2_b64 v[12:15], v6 offset0:128 offset1:128
    s_waitcnt lgkmcnt(0)
    v_lshl_add_u32 v1, v4, 8, v5
    v_add3_u32 v1, v1, v9, v10
    v_add3_u32 v1, v1, v11, v13)" +
                       storeV1);
  for (unsigned l = 0; l != 64; ++l)
    // v4 = l, v5 = 1; v[8:9] = (1, l), v[10:11] = (l, 1); v13 is the high half
    // of what offset 1024 holds.
    EXPECT_EQ(machine.buffer[256 + l], (l << 8 | 1) + l + l + 1 + l);
}

TEST(Ds, HalfRegisterLoads) {
  Machine machine = numbered();
  runBoth(machine, R"(
    v_mov_b32 v2, 0x8899aabb
    ds_write_b32 v30, v2
    v_mov_b32 v1, 0x11223344
    ds_read_u16_d16_hi v1, v30
    ds_read_i8_d16 v1, v30 offset:3)" +
                       storeV1);
  EXPECT_EQ(machine.buffer[256], 0xaabbff88u);
}

TEST(Smem, LoadsOfEveryWidth) {
  Machine machine = numbered();
  runBoth(machine, R"(
    s_mov_b32 s19, 0x40
    s_load_dword s20, s[8:9], 0x4
    s_load_dwordx2 s[22:23], s[8:9], s19
    s_load_dwordx4 s[24:27], s[8:9], s19 offset:0x10
    s_load_dwordx8 s[28:35], s[8:9], 0x100
    s_load_dwordx16 s[36:51], s[8:9], 0x200
    s_add_u32 s10, s8, 64
    s_addc_u32 s11, s9, 0
    s_load_dword s21, s[10:11], -0x20
    s_waitcnt lgkmcnt(0)
    s_add_u32 s20, s20, s21
    s_add_u32 s20, s20, s23
    s_add_u32 s20, s20, s27
    s_add_u32 s20, s20, s35
    s_add_u32 s20, s20, s51
    v_mov_b32 v1, s20)" +
                       storeV1);
  EXPECT_EQ(machine.buffer[256], 6 * 0x1000u + 1 + 8 + 17 + 23 + 71 + 143);
}

TEST(Smem, BufferLoadsAreRangeChecked) {
  Machine machine = numbered();
  runBoth(machine, R"(
    s_movk_i32 s14, 0x14
    s_mov_b32 s19, 16
    s_buffer_load_dwordx4 s[20:23], s[12:15], 0x8
    s_buffer_load_dword s24, s[12:15], s19
    s_buffer_load_dword s25, s[12:15], 0x20
    s_waitcnt lgkmcnt(0)
    s_movk_i32 s14, 0x800
    v_mov_b32 v2, s20
    v_mov_b32 v3, s22
    v_mov_b32 v4, s23
    v_mov_b32 v5, s25
    v_mov_b32 v1, s24
    buffer_store_dwordx4 v[2:5], off, s[12:15], 0 offset:1280)" +
                       storeV1);
  EXPECT_EQ(machine.buffer[320], 0x1002u);
  EXPECT_EQ(machine.buffer[321], 0x1004u);
  EXPECT_EQ(machine.buffer[322], 0u);
  EXPECT_EQ(machine.buffer[323], 0u);
  EXPECT_EQ(machine.buffer[256], 0x1004u);
}

TEST(Smem, ScalarStores) {
  Machine machine = numbered();
  runBoth(machine, R"(
    s_mov_b32 s20, 5
    s_mov_b32 s21, 6
    s_store_dwordx2 s[20:21], s[8:9], 0x20
    s_dcache_wb
    s_waitcnt lgkmcnt(0))");
  EXPECT_EQ(machine.buffer[8], 5u);
  EXPECT_EQ(machine.buffer[9], 6u);
}
