//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Numerics/SmallFloat.h"

#include <cmath>
#include <limits>

namespace fly {

static constexpr FloatFormat formats[numFloatKinds] = {
    // name, bits, exponent, mantissa, bias, max, NaN, infinity, unsigned zero
    {"e4m3fn", 8, 4, 3, 7, 0x7e, 0x7f, 0, false},
    {"e5m2", 8, 5, 2, 15, 0x7b, 0x7f, 0x7c, false},
    {"e4m3fnuz", 8, 4, 3, 8, 0x7f, 0x80, 0, true},
    {"e5m2fnuz", 8, 5, 2, 16, 0x7f, 0x80, 0, true},
    {"e2m3", 6, 2, 3, 1, 0x1f, 0, 0, false},
    {"e3m2", 6, 3, 2, 3, 0x1f, 0, 0, false},
    {"e2m1", 4, 2, 1, 1, 0x07, 0, 0, false},
};

const FloatFormat &getFormat(FloatKind kind) {
  return formats[static_cast<unsigned>(kind)];
}

static float computeValue(const FloatFormat &format, uint8_t code) {
  code &= uint8_t((1u << format.bits) - 1);
  uint8_t magnitude = code & uint8_t(format.signBit() - 1);
  bool negative = code & format.signBit();
  if (format.unsignedZero
          ? code == format.nanCode
          : magnitude > format.maxCode && magnitude != format.infinityCode)
    return std::copysign(std::numeric_limits<float>::quiet_NaN(),
                         negative && !format.unsignedZero ? -1.0f : 1.0f);
  float value;
  if (magnitude > format.maxCode) {
    value = std::numeric_limits<float>::infinity();
  } else {
    int exponent = magnitude >> format.mantissaBits;
    int mantissa = magnitude & ((1 << format.mantissaBits) - 1);
    if (exponent > 0)
      mantissa |= 1 << format.mantissaBits;
    else
      exponent = 1;
    value = std::ldexp(float(mantissa),
                       exponent - format.bias - int(format.mantissaBits));
  }
  return negative ? -value : value;
}

using DecodeTables = std::array<std::array<float, 256>, numFloatKinds>;

static const DecodeTables &allTables() {
  static const DecodeTables tables = [] {
    DecodeTables result;
    for (unsigned kind = 0; kind < numFloatKinds; ++kind)
      for (unsigned code = 0; code < 256; ++code)
        result[kind][code] = computeValue(formats[kind], uint8_t(code));
    return result;
  }();
  return tables;
}

const std::array<float, 256> &decodeTable(FloatKind kind) {
  return allTables()[static_cast<unsigned>(kind)];
}

float decode(FloatKind kind, uint8_t code) { return decodeTable(kind)[code]; }

namespace {
/// What to add below the last kept bit before truncating.
struct Nearest {
  uint64_t increment(uint64_t significand, unsigned dropped) const {
    // Half of the last kept bit, less one unit if that bit is even.
    return (uint64_t(1) << (dropped - 1)) - 1 + ((significand >> dropped) & 1);
  }
};
struct Stochastic {
  uint32_t random;
  uint64_t increment(uint64_t, unsigned dropped) const {
    return dropped <= 32 ? random >> (32 - dropped)
                         : uint64_t(random) << (dropped - 32);
  }
};
} // namespace

template <typename Rounding>
static uint8_t encodeWith(const FloatFormat &format, float value,
                          Rounding rounding, Overflow overflow) {
  uint32_t bits = floatBits(value);
  uint8_t sign = bits >> 31 ? format.signBit() : 0;
  uint32_t magnitude = bits & 0x7fffffff;
  uint8_t largest = sign | format.maxCode;
  if (magnitude > 0x7f800000) {
    if (!format.nanCode)
      return largest;
    return format.unsignedZero ? format.nanCode : sign | format.nanCode;
  }
  uint8_t beyond = largest;
  if (overflow == Overflow::Special && format.infinityCode)
    beyond = sign | format.infinityCode;
  else if (overflow == Overflow::Special && format.nanCode)
    beyond = format.unsignedZero ? format.nanCode : sign | format.nanCode;
  if (magnitude == 0x7f800000)
    return beyond;

  // value = significand * 2^(field - 150), the significand below 2^24.
  int field = int(magnitude >> 23);
  uint64_t significand = magnitude & 0x7fffff;
  if (field > 0)
    significand |= 0x800000;
  else
    field = 1;
  // The exponent field in the format, 1 for its denormals.
  int target = field - 127 + format.bias;
  if (target < 1)
    target = 1;
  int dropped = target - format.bias - int(format.mantissaBits) - (field - 150);
  uint64_t kept = 0;
  if (dropped < 60)
    kept = (significand + rounding.increment(significand, unsigned(dropped))) >>
           dropped;
  // The hidden bit adds one to the exponent field, and so does a carry.
  uint64_t code = (uint64_t(target - 1) << format.mantissaBits) + kept;
  if (code > format.maxCode)
    return beyond;
  if (code == 0 && format.unsignedZero)
    return 0;
  return sign | uint8_t(code);
}

uint8_t encode(FloatKind kind, float value, Overflow overflow) {
  return encodeWith(getFormat(kind), value, Nearest{}, overflow);
}

uint8_t encodeStochastic(FloatKind kind, float value, uint32_t random,
                         Overflow overflow) {
  return encodeWith(getFormat(kind), value, Stochastic{random}, overflow);
}

float decodeE8M0(uint8_t code) {
  if (code == 255)
    return std::numeric_limits<float>::quiet_NaN();
  return std::ldexp(1.0f, int(code) - 127);
}

float f16ToFloat(uint16_t code) {
  uint32_t sign = uint32_t(code & 0x8000) << 16;
  uint32_t exponent = (code >> 10) & 31, mantissa = code & 0x3ff;
  if (exponent == 31)
    return floatFromBits(sign | 0x7f800000 | (mantissa << 13));
  if (exponent == 0) {
    float value = std::ldexp(float(mantissa), -24);
    return sign ? -value : value;
  }
  return floatFromBits(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

uint16_t floatToF16(float value) {
  uint32_t bits = floatBits(value);
  uint16_t sign = uint16_t((bits >> 16) & 0x8000);
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return sign | 0x7e00 | uint16_t((magnitude >> 13) & 0x3ff);
  if (magnitude >= 0x47800000) // 65536
    return sign | 0x7c00;
  int field = int(magnitude >> 23);
  if (field < 102) // below half of the least denormal
    return sign;
  int target = field < 113 ? 1 : field - 112;
  unsigned dropped = unsigned(13 + (field < 113 ? 113 - field : 0));
  uint64_t significand = (magnitude & 0x7fffff) | 0x800000;
  uint64_t kept =
      (significand + Nearest{}.increment(significand, dropped)) >> dropped;
  return sign | uint16_t((uint64_t(target - 1) << 10) + kept);
}

} // namespace fly
