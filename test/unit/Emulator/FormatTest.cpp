//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Typed buffer accesses: every format against its definition, DST_SEL, d16,
/// ranges, and the way back.

#include "Machine.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace fly;
using namespace fly::test;

namespace {

enum { Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, Float = 7 };

/// The fields of a data format, X first, as LLVM's names list them from the
/// top; and the bytes of an element.
struct DataFormat {
  unsigned code;
  std::vector<unsigned> bits;
  unsigned bytes() const {
    unsigned sum = 0;
    for (unsigned b : bits)
      sum += b;
    return sum / 8;
  }
};
const DataFormat dataFormats[] = {
    {1, {8}},
    {2, {16}},
    {3, {8, 8}},
    {4, {32}},
    {5, {16, 16}},
    {6, {11, 11, 10}},
    {7, {10, 11, 11}},
    {8, {2, 10, 10, 10}},
    {9, {10, 10, 10, 2}},
    {10, {8, 8, 8, 8}},
    {11, {32, 32}},
    {12, {16, 16, 16, 16}},
    {13, {32, 32, 32}},
    {14, {32, 32, 32, 32}},
};

bool isPair(const DataFormat &f, unsigned number) {
  if (number == Float)
    return f.bits[0] >= 16 || f.code == 6 || f.code == 7;
  return number != 6 && (f.bits[0] != 32 || number >= Uint);
}

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

/// A float of \p exponentBits and \p mantissaBits by its definition.
float smallFloat(uint32_t code, unsigned mantissaBits, bool isSigned) {
  uint32_t mantissa = code & ((1u << mantissaBits) - 1);
  uint32_t exponent = code >> mantissaBits & 31;
  float sign = isSigned && code >> (mantissaBits + 5) ? -1.0f : 1.0f;
  if (exponent == 31)
    return mantissa ? NAN : sign * INFINITY;
  float fraction = std::ldexp(float(mantissa), -int(mantissaBits));
  return sign * (exponent ? std::ldexp(1 + fraction, int(exponent) - 15)
                          : std::ldexp(fraction, -14));
}

uint32_t decoded(uint64_t code, unsigned bits, unsigned number) {
  int64_t asSigned = code >> (bits - 1) & 1
                         ? int64_t(code) - (int64_t(1) << bits)
                         : int64_t(code);
  switch (number) {
  case Unorm:
    return bitsOf(float(double(code) / double((uint64_t(1) << bits) - 1)));
  case Snorm:
    return bitsOf(float(std::max(
        double(asSigned) / double((uint64_t(1) << (bits - 1)) - 1), -1.0)));
  case Uscaled:
    return bitsOf(float(code));
  case Sscaled:
    return bitsOf(float(asSigned));
  case Uint:
    return uint32_t(code);
  case Sint:
    return uint32_t(asSigned);
  default:
    return bits == 32   ? uint32_t(code)
           : bits == 16 ? bitsOf(smallFloat(uint32_t(code), 10, true))
                        : bitsOf(smallFloat(uint32_t(code), bits - 5, false));
  }
}

/// Bits [at, at + count) of the element at \p bytes.
uint64_t bitsAt(const uint8_t *bytes, unsigned at, unsigned count) {
  uint64_t value = 0;
  for (unsigned i = 0; i != count; ++i)
    value |= uint64_t(bytes[(at + i) / 8] >> (at + i) % 8 & 1) << i;
  return value;
}

/// The four values that a load of lane \p l's element gives.
std::vector<uint32_t> expectedValues(const uint8_t *element,
                                     const DataFormat &f, unsigned number) {
  bool isInteger = number == Uint || number == Sint;
  std::vector<uint32_t> values = {0, 0, 0, isInteger ? 1 : bitsOf(1.0f)};
  unsigned at = 0;
  for (unsigned i = 0; i != f.bits.size(); ++i) {
    values[i] = decoded(bitsAt(element, at, f.bits[i]), f.bits[i], number);
    at += f.bits[i];
  }
  return values;
}

bool sameFloat(uint32_t a, uint32_t b) {
  return a == b || (std::isnan(floatOf(a)) && std::isnan(floatOf(b)));
}

Machine randomMachine(unsigned seed) {
  Machine machine;
  machine.buffer.resize(1024);
  for (uint32_t &word : machine.buffer) {
    seed = seed * 1664525 + 1013904223;
    word = seed ^ seed >> 13;
  }
  return machine;
}

std::string formatText(unsigned data, unsigned number) {
  return "dfmt:" + std::to_string(data) + ", nfmt:" + std::to_string(number);
}

/// v28 = lane times the size of an element.
std::string strideText(unsigned bytes) {
  return "v_mul_u32_u24 v28, " + std::to_string(bytes) + ", v31\n";
}

const std::string storeFour = "s_waitcnt vmcnt(0)\n"
                              "v_lshlrev_b32 v27, 4, v31\n"
                              "v_add_u32 v27, 0x400, v27\n"
                              "global_store_dwordx4 v27, v[4:7], s[8:9]\n";

} // namespace

TEST(TypedBuffer, EveryFormatLoads) {
  for (const DataFormat &f : dataFormats)
    for (unsigned number : {0, 1, 2, 3, 4, 5, 7}) {
      if (!isPair(f, number))
        continue;
      // All codes of the smaller fields come up in some lane.
      for (unsigned round = 0; round != (f.bytes() == 1 ? 4u : 2u); ++round) {
        Machine machine = randomMachine(f.code * 8 + number + round * 999);
        if (f.bytes() == 1)
          for (unsigned i = 0; i != 64; ++i)
            reinterpret_cast<uint8_t *>(machine.buffer.data())[i] =
                uint8_t(round * 64 + i);
        std::vector<uint32_t> before = machine.buffer;
        machine.runWithBuffer(
            strideText(f.bytes()) +
            "tbuffer_load_format_xyzw v[4:7], v28, s[12:15], " +
            formatText(f.code, number) + ", 0 offen\n" + storeFour);
        ASSERT_EQ(machine.errors(), "");
        ASSERT_EQ(machine.error, "") << f.code << " " << number;
        for (unsigned l = 0; l != 64; ++l) {
          auto expected = expectedValues(
              reinterpret_cast<const uint8_t *>(before.data()) + l * f.bytes(),
              f, number);
          for (unsigned i = 0; i != 4; ++i)
            EXPECT_TRUE(sameFloat(machine.buffer[256 + 4 * l + i], expected[i]))
                << "format " << f.code << " number " << number << " lane " << l
                << " value " << i << ": " << machine.buffer[256 + 4 * l + i]
                << " expected " << expected[i];
        }
      }
    }
}

TEST(TypedBuffer, ImpossiblePairsStop) {
  for (const char *format :
       {"dfmt:0, nfmt:4", "dfmt:15, nfmt:4", "dfmt:1, nfmt:7", "dfmt:4, nfmt:0",
        "dfmt:10, nfmt:6", "dfmt:8, nfmt:7"}) {
    Machine machine;
    machine.runWithBuffer("tbuffer_load_format_x v4, off, s[12:15], " +
                          std::string(format) + ", 0");
    EXPECT_NE(machine.error.find("not a pair that buffers have"),
              std::string::npos)
        << format << ": " << machine.error;
  }
}

TEST(TypedBuffer, CodesSurviveAStore) {
  // Loads and stores of the same format: every code comes back, except that
  // the two codes of -1 become one, and NaNs may change.
  for (const DataFormat &f : dataFormats)
    for (unsigned number : {0, 1, 2, 3, 4, 5, 7}) {
      if (!isPair(f, number))
        continue;
      Machine machine = randomMachine(f.code * 8 + number + 7);
      std::vector<uint32_t> before = machine.buffer;
      std::string format = formatText(f.code, number);
      machine.runWithBuffer(
          strideText(f.bytes()) +
          "tbuffer_load_format_xyzw v[4:7], v28, s[12:15], " + format +
          ", 0 offen\ns_waitcnt vmcnt(0)\n" +
          "v_add_u32 v28, 0x800, v28\n"
          "tbuffer_store_format_xyzw v[4:7], v28, s[12:15], " +
          format + ", 0 offen\n");
      ASSERT_EQ(machine.errors(), "");
      ASSERT_EQ(machine.error, "");
      const auto *from = reinterpret_cast<const uint8_t *>(before.data());
      const auto *to =
          reinterpret_cast<const uint8_t *>(machine.buffer.data()) + 0x800;
      for (unsigned l = 0; l != 64; ++l) {
        auto first = expectedValues(from + l * f.bytes(), f, number);
        auto second = expectedValues(to + l * f.bytes(), f, number);
        for (unsigned i = 0; i != 4; ++i)
          EXPECT_TRUE(sameFloat(first[i], second[i]))
              << "format " << f.code << " number " << number << " lane " << l;
      }
    }
}

TEST(TypedBuffer, StoresRoundAndHold) {
  struct {
    unsigned format, number;
    uint32_t value, code;
  } cases[] = {
      {1, Unorm, bitsOf(0.5f), 128}, // 127.5, to even
      {1, Unorm, bitsOf(2.0f), 255},
      {1, Unorm, bitsOf(-1.0f), 0},
      {1, Unorm, 0x7fc00000, 0},
      {1, Snorm, bitsOf(-2.0f), 0x81},
      {1, Snorm, bitsOf(1.6f / 127), 2},
      {1, Snorm, bitsOf(-0.0f), 0},
      {1, Uscaled, bitsOf(254.9f), 254},
      {1, Uscaled, bitsOf(1e9f), 255},
      {1, Sscaled, bitsOf(-300.0f), 0x80},
      {1, Uint, 0x1ff, 0xff},
      {1, Sint, 0xffffff80, 0x80},
      {2, Float, bitsOf(65520.0f), 0x7c00},
      {2, Float, bitsOf(1.0009765f), 0x3c01},
      {2, Float, bitsOf(0x1p-25f), 0},
      {2, Float, bitsOf(0x1.8p-25f), 1},
      {4, Float, 0x7f800001, 0x7f800001},
      {6, Float, bitsOf(1.0f), 0x3c0},
      {6, Float, bitsOf(-1.0f), 0},
      {6, Float, bitsOf(1.0f + 1.0f / 128), 0x3c0}, // a tie, to even
      {6, Float, bitsOf(1.0f + 3.0f / 128), 0x3c2},
      {6, Float, bitsOf(1e9f), 0x7c0},
      {6, Float, bitsOf(0x1p-20f), 1},
      {6, Float, bitsOf(0x1p-21f), 0},
  };
  for (const auto &c : cases) {
    Machine machine;
    machine.runWithBuffer(
        "v_mov_b32 v4, " + std::to_string(c.value) +
        "\nv_mov_b32 v5, 0\nv_mov_b32 v6, 0\nv_mov_b32 v7, 0\n"
        "tbuffer_store_format_xyzw v[4:7], off, s[12:15], " +
        formatText(c.format, c.number) + ", 0\n");
    ASSERT_EQ(machine.errors(), "");
    ASSERT_EQ(machine.error, "");
    EXPECT_EQ(machine.buffer[0], c.code)
        << "format " << c.format << " number " << c.number << " of " << c.value;
  }
}

TEST(TypedBuffer, DescriptorGivesFormatAndSelection) {
  // 8_8_8_8 UNORM as BGRA with W = 1: DST_SEL z y x 1.
  uint32_t select = 6 | 5 << 3 | 4 << 6 | 1 << 9;
  uint32_t word3 = select | 10u << 15;
  Machine machine;
  machine.buffer[0] = 0xff804020;
  std::string set = "s_mov_b32 s15, " + std::to_string(word3) + "\n";
  machine.runWithBuffer(
      set + "v_mov_b32 v28, 0\n"
            "buffer_load_format_xyzw v[4:7], v28, s[12:15], 0 offen\n"
            "s_waitcnt vmcnt(0)\n"
            "v_mov_b32 v27, 0x40\ns_mov_b64 exec, 1\n"
            "buffer_store_format_xyzw v[4:7], v27, s[12:15], 0 offen\n"
            "global_store_dwordx4 v28, v[4:7], s[8:9] offset:16\n");
  ASSERT_EQ(machine.errors(), "");
  EXPECT_EQ(machine.buffer[4], bitsOf(128 / 255.0f));
  EXPECT_EQ(machine.buffer[5], bitsOf(64 / 255.0f));
  EXPECT_EQ(machine.buffer[6], bitsOf(32 / 255.0f));
  EXPECT_EQ(machine.buffer[7], bitsOf(1.0f));
  // The way back; no value goes to the top byte.
  EXPECT_EQ(machine.buffer[16], 0x00804020u);
}

TEST(TypedBuffer, ElementsAreInRangeAsAWhole) {
  // 20 bytes of 8-byte elements: the third is cut off.
  Machine machine = randomMachine(3);
  std::vector<uint32_t> before = machine.buffer;
  machine.runWithBuffer(strideText(8) +
                        "s_movk_i32 s14, 20\n"
                        "tbuffer_load_format_xyzw v[4:7], v28, s[12:15], "
                        "dfmt:11, nfmt:4, 0 offen\n"
                        "s_waitcnt vmcnt(0)\n"
                        "tbuffer_store_format_xy v[30:31], v28, s[12:15], "
                        "dfmt:11, nfmt:4, 0 offen\n" +
                        storeFour);
  ASSERT_EQ(machine.errors(), "");
  for (unsigned l = 0; l != 64; ++l) {
    bool inRange = l < 2;
    EXPECT_EQ(machine.buffer[256 + 4 * l], inRange ? before[2 * l] : 0u);
    EXPECT_EQ(machine.buffer[256 + 4 * l + 1],
              inRange ? before[2 * l + 1] : 0u);
    EXPECT_EQ(machine.buffer[256 + 4 * l + 3], 1u);
    EXPECT_EQ(machine.buffer[2 * l], inRange ? 4 * l : before[2 * l]);
  }
}

TEST(TypedBuffer, PackedHalves) {
  Machine machine;
  machine.buffer[0] = 0x80ff7f01; // 1, 127, 255, 128
  machine.runWithBuffer(
      "v_mov_b32 v28, 0\nv_mov_b32 v8, -1\n"
      "tbuffer_load_format_d16_xyzw v[4:5], off, s[12:15], dfmt:10, nfmt:0, 0\n"
      "tbuffer_load_format_d16_xyz v[6:7], off, s[12:15], dfmt:10, nfmt:5, 0\n"
      "tbuffer_load_format_d16_x v8, off, s[12:15], dfmt:10, nfmt:4, 0\n"
      "s_waitcnt vmcnt(0)\n"
      "s_mov_b64 exec, 1\n"
      "global_store_dwordx4 v28, v[4:7], s[8:9] offset:16\n"
      "global_store_dword v28, v8, s[8:9] offset:32\n"
      "tbuffer_store_format_d16_xyzw v[4:5], off, s[12:15], dfmt:10, nfmt:0, 0 "
      "offset:64\n"
      "tbuffer_store_format_d16_xyz v[6:7], off, s[12:15], dfmt:10, nfmt:5, 0 "
      "offset:68\n");
  ASSERT_EQ(machine.errors(), "");
  ASSERT_EQ(machine.error, "");
  auto half = [](float f) {
    _Float16 h = _Float16(f);
    uint16_t code;
    std::memcpy(&code, &h, 2);
    return uint32_t(code);
  };
  EXPECT_EQ(machine.buffer[4], half(1 / 255.0f) | half(127 / 255.0f) << 16);
  EXPECT_EQ(machine.buffer[5], half(1.0f) | half(128 / 255.0f) << 16);
  EXPECT_EQ(machine.buffer[6], 0x007f0001u);
  EXPECT_EQ(machine.buffer[7], 0x0000ffffu) << "-1, and nothing above";
  EXPECT_EQ(machine.buffer[8], 1u);
  EXPECT_EQ(machine.buffer[16], 0x80ff7f01u);
  EXPECT_EQ(machine.buffer[17], 0x00ff7f01u);
}

TEST(TypedBuffer, HighHalfForms) {
  // 16 FLOAT by the descriptor, X = field 0.
  Machine machine;
  machine.buffer[0] = 0x3c00;
  machine.runWithBuffer("s_mov_b32 s15, " +
                        std::to_string(4 | 7u << 12 | 2u << 15) +
                        "\nv_mov_b32 v4, 0x1234\nv_mov_b32 v28, 0\n"
                        "s_mov_b64 exec, 1\n"
                        "buffer_load_format_d16_hi_x v4, off, s[12:15], 0\n"
                        "s_waitcnt vmcnt(0)\n"
                        "buffer_store_format_d16_hi_x v4, off, s[12:15], 0 "
                        "offset:8\n"
                        "global_store_dword v28, v4, s[8:9] offset:16\n");
  ASSERT_EQ(machine.errors(), "");
  EXPECT_EQ(machine.buffer[4], 0x3c001234u);
  EXPECT_EQ(machine.buffer[2], 0x3c00u);
}

TEST(TypedBuffer, ToLds) {
  for (bool check : {true, false}) {
    Machine machine;
    machine.options.check = check;
    machine.kernel.ldsBytes = 1024;
    for (unsigned i = 0; i != 64; ++i)
      reinterpret_cast<uint8_t *>(machine.buffer.data())[i] = uint8_t(4 * i);
    // 8 UNORM; the last 16 lanes are out of range.
    machine.runWithBuffer("s_mov_b32 s15, " + std::to_string(4 | 1u << 15) +
                          "\ns_mov_b32 s16, s14\ns_movk_i32 s14, 48\n"
                          "s_movk_i32 m0, 0x80\n"
                          "buffer_load_format_x v31, s[12:15], 0 offen lds\n"
                          "s_waitcnt vmcnt(0)\n"
                          "ds_read_b32 v1, v30 offset:0x80\n"
                          "s_mov_b32 s14, s16\ns_waitcnt lgkmcnt(0)\n"
                          "buffer_store_dword v1, v30, s[12:15], 0 offen\n");
    ASSERT_EQ(machine.errors(), "");
    ASSERT_EQ(machine.error, "");
    for (unsigned l = 0; l != 64; ++l)
      EXPECT_EQ(machine.buffer[l], l < 48 ? bitsOf(float(4 * l) / 255) : 0u);
  }
}
