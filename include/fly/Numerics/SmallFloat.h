//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Exact conversions between f32 and the small float formats of the chips and
/// of their scales: FP8 (OCP and FNUZ), FP6, FP4, E8M0, bf16 and f16.
///
/// Sources: OCP 8-bit Floating Point Specification (E4M3, E5M2), OCP
/// Microscaling Formats 1.0 (E2M3, E3M2, E2M1, E8M0), CDNA3 ISA manual (FNUZ).

#ifndef FLY_NUMERICS_SMALLFLOAT_H
#define FLY_NUMERICS_SMALLFLOAT_H

#include <array>
#include <cstdint>
#include <cstring>

namespace fly {

/// A float format of at most 8 bits.
enum class FloatKind : uint8_t {
  E4M3FN,   ///< OCP: bias 7, max 448, NaN 0x7f and 0xff, no infinity
  E5M2,     ///< OCP: bias 15, max 57344, infinity and NaN as IEEE 754
  E4M3FNUZ, ///< bias 8, max 240, the only NaN is 0x80, no -0, no infinity
  E5M2FNUZ, ///< bias 16, max 57344, the only NaN is 0x80, no -0, no infinity
  E2M3,     ///< FP6: bias 1, max 7.5, neither NaN nor infinity
  E3M2,     ///< BF6: bias 3, max 28, neither NaN nor infinity
  E2M1      ///< FP4: bias 1, max 6, neither NaN nor infinity
};
inline constexpr unsigned numFloatKinds = 7;

/// What a format consists of. A code is sign | exponent | mantissa, in the low
/// `bits` bits; exponent field 0 holds the denormals.
struct FloatFormat {
  const char *name;
  unsigned bits;
  unsigned exponentBits;
  unsigned mantissaBits;
  int bias;
  uint8_t maxCode;      ///< the largest finite positive value
  uint8_t nanCode;      ///< the NaN that conversions make; 0 if there is none
  uint8_t infinityCode; ///< +infinity; 0 if there is none
  bool unsignedZero;    ///< FNUZ: the code of -0 is the NaN

  uint8_t signBit() const { return uint8_t(1u << (bits - 1)); }
};

const FloatFormat &getFormat(FloatKind kind);

/// What becomes of a value that rounds beyond the largest finite one, and of an
/// infinity.
enum class Overflow : uint8_t {
  Saturate, ///< the largest finite value of that sign
  Special   ///< infinity if the format has one, else NaN, else as Saturate
};

/// The value of \p code; bits above the format's are ignored. Every value is
/// exact in f32.
float decode(FloatKind kind, uint8_t code);

/// The values of all 256 byte values, decode() as a table.
const std::array<float, 256> &decodeTable(FloatKind kind);

/// Rounds to nearest, ties to even; denormals are kept. A NaN becomes the
/// format's NaN (with the sign of \p value where the format has signed NaNs),
/// and in a format without NaN the largest value of that sign. A zero of FNUZ
/// formats has no sign.
uint8_t encode(FloatKind kind, float value,
               Overflow overflow = Overflow::Special);

/// Stochastic rounding: the \p random number's top bits are added below the
/// last kept bit, as many of them as bits are dropped, and the sum is
/// truncated. random = 0 truncates toward zero. Exact values stay exact.
uint8_t encodeStochastic(FloatKind kind, float value, uint32_t random,
                         Overflow overflow = Overflow::Special);

/// E8M0: 2^(code - 127); 255 is NaN. Code 0 is 2^-127, a denormal of f32.
float decodeE8M0(uint8_t code);

//===----------------------------------------------------------------------===//
// bf16 and f16
//===----------------------------------------------------------------------===//

inline uint32_t floatBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
inline float floatFromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

inline float bf16ToFloat(uint16_t code) {
  return floatFromBits(uint32_t(code) << 16);
}
/// Nearest, ties to even; overflow gives infinity, NaNs stay and become quiet.
inline uint16_t floatToBf16(float value) {
  uint32_t bits = floatBits(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return uint16_t((bits >> 16) | 0x40);
  return uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

/// Exact; the payload of a NaN moves to the top of the mantissa.
float f16ToFloat(uint16_t code);
/// Nearest, ties to even; overflow gives infinity, NaNs stay and become quiet.
uint16_t floatToF16(float value);

} // namespace fly

#endif // FLY_NUMERICS_SMALLFLOAT_H
