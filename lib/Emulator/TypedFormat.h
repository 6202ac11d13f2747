//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The element formats of typed buffer accesses: how the bytes of an element
/// become up to four values and back. For family files only.
///
/// Sources: CDNA3 and CDNA4 ISA manuals, "Buffer Resource Descriptor" and the
/// table of memory buffer instructions; LLVM's names of the formats. Of a
/// format like 10_11_11 the last field is in the lowest bits and is X.

#ifndef FLY_LIB_EMULATOR_TYPEDFORMAT_H
#define FLY_LIB_EMULATOR_TYPEDFORMAT_H

#include <cstdint>

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

enum NumberFormat : uint32_t {
  Unorm,   ///< [0, 1]
  Snorm,   ///< [-1, 1]; the lowest code is -1 as well
  Uscaled, ///< the integer as a float
  Sscaled,
  Uint,
  Sint,
  ReservedNumber,
  Float
};

struct TypedFormat {
  uint8_t numFields = 0; ///< 0: no such format
  uint8_t bits[4] = {};  ///< of X, Y, Z, W; X lowest
  NumberFormat number = Unorm;
  uint8_t select[4] = {4, 5, 6, 7}; ///< DST_SEL: 0, 1, or 4 + field

  unsigned bytes() const {
    return unsigned(bits[0] + bits[1] + bits[2] + bits[3]) / 8;
  }
  bool isInteger() const { return number == Uint || number == Sint; }

  /// \p packed: data format | number format << 4 | DST_SEL << 8.
  static TypedFormat of(uint32_t packed) {
    static constexpr uint8_t fields[16][5] = {{0},                // invalid
                                              {1, 8},             // 8
                                              {1, 16},            // 16
                                              {2, 8, 8},          // 8_8
                                              {1, 32},            // 32
                                              {2, 16, 16},        // 16_16
                                              {3, 11, 11, 10},    // 10_11_11
                                              {3, 10, 11, 11},    // 11_11_10
                                              {4, 2, 10, 10, 10}, // 10_10_10_2
                                              {4, 10, 10, 10, 2}, // 2_10_10_10
                                              {4, 8, 8, 8, 8},    // 8_8_8_8
                                              {2, 32, 32},        // 32_32
                                              {4, 16, 16, 16, 16},
                                              {3, 32, 32, 32},
                                              {4, 32, 32, 32, 32},
                                              {0}};
    const uint8_t *row = fields[packed & 15];
    TypedFormat f;
    f.number = NumberFormat(packed >> 4 & 7);
    f.numFields = row[0];
    bool isSmallFloat = row[1] == 10 || row[1] == 11;
    for (unsigned i = 0; i != 4; ++i) {
      f.bits[i] = row[1 + i];
      f.select[i] = uint8_t(packed >> (8 + 3 * i) & 7);
      // Floats have 32, 16, 11 or 10 bits; fields of 32 bits are integers or
      // floats.
      bool fits = f.number != Float || i >= f.numFields || row[1 + i] >= 16 ||
                  (isSmallFloat && f.numFields == 3);
      bool wide = row[1 + i] == 32 && f.number < Uint;
      if (!fits || wide)
        f.numFields = 0;
    }
    if (f.number == ReservedNumber)
      f.numFields = 0;
    return f;
  }
};
constexpr uint32_t identitySelect = (4 | 5 << 3 | 6 << 6 | 7 << 9) << 8;

inline uint32_t bitsOfFloat(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, 4);
  return bits;
}
inline float floatOfBits(uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, 4);
  return value;
}
inline float floatOfHalf(uint32_t code) {
  uint16_t narrow = uint16_t(code);
  _Float16 half;
  __builtin_memcpy(&half, &narrow, 2);
  return float(half);
}
inline uint32_t halfOfFloat(float value) {
  _Float16 half = _Float16(value);
  uint16_t code;
  __builtin_memcpy(&code, &half, 2);
  return code;
}

/// An unsigned float of 5 exponent bits: the top bits of an f16 without sign.
inline float decodeSmallFloat(uint32_t code, unsigned bits) {
  return floatOfHalf(code << (15 - bits));
}
/// Rounded to nearest even; negative numbers become 0, NaN stays.
inline uint32_t encodeSmallFloat(float value, unsigned bits) {
  unsigned drop = 15 - bits, infinity = 31u << (bits - 5);
  if (value != value)
    return infinity | 1;
  if (!(value > 0))
    return 0;
  // In double, one step of rounding from the value itself.
  double least = bits == 11 ? 0x1p-20 : 0x1p-19; // of denormals
  double step = least;
  for (double power = 0x1p-13; power <= value && step < 0x1p40; power *= 2)
    step *= 2;
  double rounded = __builtin_roundeven(double(value) / step) * step;
  if (rounded >= 65536.0)
    return infinity;
  return halfOfFloat(float(rounded)) >> drop;
}

/// One field as a float's bits or an integer.
inline uint32_t decodeField(uint32_t code, unsigned bits, NumberFormat number) {
  int32_t asSigned = int32_t(code << (32 - bits)) >> (32 - bits);
  double top = double((uint64_t(1) << bits) - 1);
  double signedTop = double((uint64_t(1) << (bits - 1)) - 1);
  switch (number) {
  case Unorm:
    return bitsOfFloat(float(code / top));
  case Snorm: {
    double value = asSigned / signedTop;
    return bitsOfFloat(float(value < -1 ? -1 : value));
  }
  case Uscaled:
    return bitsOfFloat(float(code));
  case Sscaled:
    return bitsOfFloat(float(asSigned));
  case Sint:
    return uint32_t(asSigned);
  case Float:
    return bits == 32   ? code
           : bits == 16 ? bitsOfFloat(floatOfHalf(code))
                        : bitsOfFloat(decodeSmallFloat(code, bits));
  default:
    return code;
  }
}

/// The way back. Normalised and scaled numbers are held to their range, NaN
/// becomes 0; of integers the low bits are kept.
inline uint32_t encodeField(uint32_t value, unsigned bits,
                            NumberFormat number) {
  uint32_t mask = uint32_t((uint64_t(1) << bits) - 1);
  double x = floatOfBits(value);
  double top = mask, signedTop = mask >> 1;
  auto held = [](double v, double low, double high) {
    return v != v ? 0 : v < low ? low : v > high ? high : v;
  };
  switch (number) {
  case Unorm:
    return uint32_t(__builtin_roundeven(held(x, 0, 1) * top));
  case Snorm:
    return uint32_t(int32_t(__builtin_roundeven(held(x, -1, 1) * signedTop))) &
           mask;
  case Uscaled:
    return uint32_t(held(x, 0, top));
  case Sscaled:
    return uint32_t(int32_t(held(x, -signedTop - 1, signedTop))) & mask;
  case Float:
    return bits == 32   ? value
           : bits == 16 ? halfOfFloat(float(x))
                        : encodeSmallFloat(float(x), bits);
  default:
    return value & mask;
  }
}

/// Field \p i of an element, taken from and put into its bytes.
inline uint32_t readField(const uint8_t *element, const TypedFormat &f,
                          unsigned i) {
  unsigned at = 0;
  for (unsigned j = 0; j != i; ++j)
    at += f.bits[j];
  uint64_t word = 0;
  unsigned first = at / 32 * 4;
  unsigned size = f.bytes() - first < 4 ? f.bytes() - first : 4;
  __builtin_memcpy(&word, element + first, size);
  return uint32_t(word >> (at % 32) & ((uint64_t(1) << f.bits[i]) - 1));
}
inline void writeField(uint8_t *element, const TypedFormat &f, unsigned i,
                       uint32_t code) {
  unsigned at = 0;
  for (unsigned j = 0; j != i; ++j)
    at += f.bits[j];
  uint32_t word = 0;
  unsigned first = at / 32 * 4;
  unsigned size = f.bytes() - first < 4 ? f.bytes() - first : 4;
  __builtin_memcpy(&word, element + first, size);
  word |= code << (at % 32);
  __builtin_memcpy(element + first, &word, size);
}

} // namespace
} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_TYPEDFORMAT_H
