//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Unpacking of MFMA operands to f32, compiled for several vector instruction
// sets.

#include "MfmaInternal.h"

#include <type_traits>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "MfmaUnpack.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fly::mfma {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using F32 = hn::CappedTag<float, 16>;
using U32 = hn::RebindToUnsigned<F32>;
using I32 = hn::RebindToSigned<F32>;
using VecU = hn::Vec<U32>;
using VecF = hn::Vec<F32>;

/// Codes beyond the finite ones.
enum class Special { None, Ieee, Nan7f, Nan80 };

static constexpr float powerOfTwo(int exponent) {
  float result = 1;
  for (; exponent > 0; --exponent)
    result *= 2;
  for (; exponent < 0; ++exponent)
    result /= 2;
  return result;
}

/// Float formats of sign, `Exponent` and `Mantissa` bits, of which a register
/// holds whole ones. The code, moved to the top of 32 bits and then right until
/// its mantissa ends where that of f32 does, is the value times 2^(bias - 127).
template <unsigned Exponent, unsigned Mantissa, int Bias, Special Specials>
struct FloatDecoder {
  static constexpr unsigned bits = 1 + Exponent + Mantissa;
  /// What fast() has to be multiplied with.
  static constexpr float factor = powerOfTwo(127 - Bias);
  /// Most codes are right under fast(); mayNeedExact() tells.
  static constexpr bool hasFast = Bias != 127 && bits >= 8;
  static constexpr uint32_t magnitudeMask = ((1u << (Exponent + Mantissa)) - 1)
                                            << (23 - Mantissa);

  /// \p top: the code in the top bits, anything below.
  static HWY_INLINE VecU moveCode(VecU top) {
    VecU moved = hn::BitCast(
        U32(), hn::ShiftRight<8 - Exponent>(hn::BitCast(I32(), top)));
    return hn::And(moved, hn::Set(U32(), 0x80000000u | magnitudeMask));
  }

  /// For normal numbers and zeros: CPUs are slow with denormal factors.
  static HWY_INLINE VecF fast(VecU top) {
    return hn::BitCast(F32(), moveCode(top));
  }

  /// For every code, and without the factor.
  static HWY_INLINE VecF exact(VecU top) {
    VecU code = moveCode(top);
    if constexpr (Bias == 127)
      return hn::BitCast(F32(), code);
    const VecU one = hn::Set(U32(), 1u << 23);
    VecU sign = hn::And(code, hn::Set(U32(), 0x80000000u));
    VecU magnitude = hn::AndNot(hn::Set(U32(), 0x80000000u), code);
    auto denormal = hn::RebindMask(
        F32(), hn::Lt(hn::BitCast(I32(), magnitude), hn::BitCast(I32(), one)));
    VecU normal = hn::Add(code, hn::Set(U32(), uint32_t(127 - Bias) << 23));
    // With a leading one too many, which is then subtracted.
    VecF bare = hn::Sub(
        hn::BitCast(F32(), hn::Add(normal, one)),
        hn::BitCast(F32(),
                    hn::Or(sign, hn::Set(U32(), uint32_t(128 - Bias) << 23))));
    VecF value =
        hn::IfThenElse(denormal, hn::Or(bare, hn::BitCast(F32(), sign)),
                       hn::BitCast(F32(), normal));
    return replaceSpecial(code, magnitude, value);
  }

  /// Sign bits of codes are set if one of a register is denormal or not finite.
  static HWY_INLINE VecU mayNeedExact(VecU codes) {
    constexpr uint32_t repeat = bits == 8 ? 0x01010101u : 0x00010001u;
    constexpr uint32_t signs = repeat << (bits - 1);
    constexpr uint32_t exponents =
        repeat * (((1u << Exponent) - 1) << Mantissa);
    // Adding all ones to a field carries unless it is zero, adding one if it
    // is all ones.
    VecU exponent = hn::And(codes, hn::Set(U32(), exponents));
    VecU magnitude = hn::And(codes, hn::Set(U32(), signs - repeat));
    VecU normal = hn::Add(exponent, hn::Set(U32(), exponents));
    VecU nonzero = hn::Add(magnitude, hn::Set(U32(), signs - repeat));
    VecU hit = hn::AndNot(normal, nonzero);
    if constexpr (Specials == Special::Nan80) // a zero with a sign
      hit = hn::Or(hit, hn::AndNot(nonzero, codes));
    if constexpr (Specials == Special::Ieee)
      hit = hn::Or(hit, hn::Add(exponent, hn::Set(U32(), repeat << Mantissa)));
    if constexpr (Specials == Special::Nan7f)
      hit = hn::Or(hit, hn::Add(magnitude, hn::Set(U32(), repeat)));
    return hn::And(hit, hn::Set(U32(), signs));
  }

private:
  /// The value of a code that is not finite, else \p value.
  static HWY_INLINE VecF replaceSpecial(VecU code, VecU magnitude, VecF value) {
    if constexpr (Specials == Special::None)
      return value;
    auto found = hn::Eq(code, hn::Set(U32(), 0x80000000u));
    VecU replacement = hn::Set(U32(), 0x7fc00000u);
    if constexpr (Specials == Special::Nan7f)
      found = hn::Eq(magnitude, hn::Set(U32(), magnitudeMask));
    if constexpr (Specials == Special::Ieee) {
      constexpr uint32_t first = ((1u << Exponent) - 1) << 23;
      found = hn::RebindMask(U32(), hn::Gt(hn::BitCast(I32(), magnitude),
                                           hn::Set(I32(), int32_t(first - 1))));
      replacement = hn::Or(code, hn::Set(U32(), 0x7f800000u));
    }
    return hn::IfThenElse(hn::RebindMask(F32(), found),
                          hn::BitCast(F32(), replacement), value);
  }
};

struct IntDecoder {
  static constexpr unsigned bits = 8;
  static constexpr bool hasFast = false;
  static HWY_INLINE VecF exact(VecU top) {
    return hn::ConvertTo(F32(), hn::ShiftRight<24>(hn::BitCast(I32(), top)));
  }
};

/// FP4, looked up where a vector holds its eight magnitudes.
struct Fp4Decoder {
  static constexpr unsigned bits = 4;
  static constexpr bool hasFast = false;
  static HWY_INLINE VecF exact(VecU top) {
#if HWY_TARGET <= HWY_AVX2
    alignas(64) static constexpr float magnitudes[16] = {
        0, 0.5f, 1, 1.5f, 2, 3, 4, 6, 0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
    VecU index = hn::And(hn::ShiftRight<28>(top), hn::Set(U32(), 7));
    VecF magnitude = hn::TableLookupLanes(hn::Load(F32(), magnitudes),
                                          hn::IndicesFromVec(F32(), index));
    VecU sign = hn::And(top, hn::Set(U32(), 0x80000000u));
    return hn::Or(magnitude, hn::BitCast(F32(), sign));
#else
    return FloatDecoder<2, 1, 1, Special::None>::exact(top);
#endif
  }
};

using F16Decoder = FloatDecoder<5, 10, 15, Special::Ieee>;
using Bf16Decoder = FloatDecoder<8, 7, 127, Special::None>;
using E4M3FN = FloatDecoder<4, 3, 7, Special::Nan7f>;
using E5M2 = FloatDecoder<5, 2, 15, Special::Ieee>;
using E4M3FNUZ = FloatDecoder<4, 3, 8, Special::Nan80>;
using E5M2FNUZ = FloatDecoder<5, 2, 16, Special::Nan80>;
using E2M3 = FloatDecoder<2, 3, 1, Special::None>;
using E3M2 = FloatDecoder<3, 2, 3, Special::None>;

/// Where the lanes from `lane` on put their elements.
struct Placement {
  Placement(const OperandLayout &layout, unsigned lane)
      : width(layout.m == 4 ? 64 : layout.m) {
    unsigned blocks = layout.m == 4 ? 1 : layout.blocks;
    unsigned group = lane / width, groups = 64 / (width * blocks);
    elements = layout.k / groups;
    // 8-bit operands with more than 16 elements a lane: chunks of 16 are dealt
    // over the lane groups. Else a lane's elements have consecutive k.
    chunk = elements > 16 && layout.registers == elements / 4 ? 16 : elements;
    firstK = chunk * (group / blocks);
    chunkStride = chunk * groups;
    base = size_t(group % blocks) * layout.k * width + lane % width;
  }
  /// n may be any whose predecessor begins a register.
  unsigned kOf(unsigned n) const {
    return n / chunk * chunkStride + firstK + n % chunk;
  }

  unsigned width, elements, chunk, firstK, chunkStride;
  size_t base;
};

/// The value of one code in the top bits of \p top, times \p scale, which
/// contains the factor of a fast decoding.
template <typename Decoder, bool Fast, bool Scaled>
static HWY_INLINE VecF decodeTop(VecU top, VecF scale) {
  VecF value;
  if constexpr (Fast)
    value = Decoder::fast(top);
  else
    value = Decoder::exact(top);
  return Fast || Scaled ? hn::Mul(value, scale) : value;
}

/// Code n of the registers in \p words, moved to the top.
template <unsigned Bits, unsigned n>
static HWY_INLINE VecU moveToTop(const VecU *words) {
  constexpr unsigned word = n * Bits / 32, low = n * Bits % 32;
  if constexpr (low + Bits <= 32)
    return hn::ShiftLeft<int(32 - Bits - low)>(words[word]);
  else // The code's upper bits begin the next register.
    return hn::Or(hn::ShiftLeft<int(64 - Bits - low)>(words[word + 1]),
                  hn::ShiftRight<int(low + Bits - 32)>(words[word]));
}

/// The codes of one register (6-bit: of three). \p to is where the first goes;
/// the others are \p width further each.
template <typename Decoder, bool Fast, bool Scaled, unsigned... n>
static HWY_INLINE void unpackRegister(const VecU *words, VecF scale, float *to,
                                      size_t width,
                                      std::integer_sequence<unsigned, n...>) {
  (hn::StoreU(decodeTop<Decoder, Fast, Scaled>(
                  moveToTop<Decoder::bits, n>(words), scale),
              F32(), to + n * width),
   ...);
}

/// The scale of row k, with the factor of a fast decoding.
template <typename Decoder, bool Fast, bool Scaled>
static HWY_INLINE VecF scaleOfRow(const OperandLayout &layout,
                                  const float *scales, unsigned k,
                                  unsigned lane) {
  VecF scale = hn::Set(F32(), 1.0f);
  if constexpr (Scaled)
    scale =
        hn::LoadU(F32(), scales + size_t(k / 32) * layout.m + lane % layout.m);
  if constexpr (Fast)
    scale = hn::Mul(scale, hn::Set(F32(), Decoder::factor));
  return scale;
}

/// Whether fast decoding is right for these lanes: normal numbers only, and
/// scales that leave the factor in range.
template <typename Decoder, bool Scaled>
static HWY_INLINE bool canBeFast(const OperandLayout &layout,
                                 const Placement &place, const uint32_t *rows,
                                 const float *scales, unsigned lane) {
  VecU hits = hn::Zero(U32());
  for (unsigned r = 0; r < layout.registers; ++r)
    hits = hn::Or(hits, Decoder::mayNeedExact(
                            hn::LoadU(U32(), rows + size_t(r) * 64 + lane)));
  bool fast = hn::AllTrue(U32(), hn::Eq(hits, hn::Zero(U32())));
  if constexpr (Scaled)
    for (unsigned n = 0; n < place.elements; n += place.chunk) {
      VecF scale =
          scaleOfRow<Decoder, true, true>(layout, scales, place.kOf(n), lane);
      fast &=
          hn::AllTrue(F32(), hn::Lt(scale, hn::Set(F32(), powerOfTwo(127))));
    }
  return fast;
}

template <typename Decoder, bool Fast, bool Scaled>
static HWY_INLINE void unpackLanes(const OperandLayout &layout,
                                   const Placement &place, const uint32_t *rows,
                                   const float *scales, float *values,
                                   unsigned lane) {
  constexpr unsigned numWords = 32 % Decoder::bits == 0 ? 1 : 3;
  constexpr unsigned count = numWords * 32 / Decoder::bits;
  for (unsigned n = 0; n < place.elements; n += count) {
    VecU words[numWords];
    for (unsigned word = 0; word < numWords; ++word, rows += 64)
      words[word] = hn::LoadU(U32(), rows + lane);
    unsigned k = place.kOf(n);
    VecF scale = scaleOfRow<Decoder, Fast, Scaled>(layout, scales, k, lane);
    unpackRegister<Decoder, Fast, Scaled>(
        words, scale, values + place.base + size_t(k) * place.width,
        place.width, std::make_integer_sequence<unsigned, count>());
  }
}

template <typename Decoder, bool Scaled>
static void unpackScaled(const OperandLayout &layout, const uint32_t *rows,
                         const float *scales, float *values) {
  for (unsigned lane = 0; lane < 64; lane += unsigned(hn::Lanes(F32()))) {
    Placement place(layout, lane);
    if constexpr (Decoder::hasFast)
      if (canBeFast<Decoder, Scaled>(layout, place, rows, scales, lane)) {
        unpackLanes<Decoder, true, Scaled>(layout, place, rows, scales, values,
                                           lane);
        continue;
      }
    unpackLanes<Decoder, false, Scaled>(layout, place, rows, scales, values,
                                        lane);
  }
}

template <typename Decoder>
static void unpackCodes(const OperandLayout &layout, const uint32_t *rows,
                        const float *scales, float *values) {
  if (Decoder::bits <= 8 && scales)
    return unpackScaled<Decoder, Decoder::bits <= 8>(layout, rows, scales,
                                                     values);
  unpackScaled<Decoder, false>(layout, rows, nullptr, values);
}

/// f32 and xf32: one element a register.
static void unpackF32(const OperandLayout &layout, const uint32_t *rows,
                      float *values) {
  const F32 f;
  const U32 u;
  const VecU mask =
      hn::Set(u, layout.type == MfmaType::XF32 ? 0xffffe000u : 0xffffffffu);
  const VecU exponent = hn::Set(u, 0x7f800000u);
  for (unsigned lane = 0; lane < 64; lane += hn::Lanes(f)) {
    Placement place(layout, lane);
    for (unsigned n = 0; n < place.elements; ++n) {
      VecU bits = hn::And(hn::LoadU(u, rows + size_t(n) * 64 + lane), mask);
      if (layout.flush) {
        auto denormal = hn::Eq(hn::And(bits, exponent), hn::Zero(u));
        bits = hn::IfThenElse(denormal, hn::And(bits, hn::Set(u, 0x80000000u)),
                              bits);
      }
      hn::StoreU(hn::BitCast(f, bits), f,
                 values + place.base + size_t(place.kOf(n)) * place.width);
    }
  }
}

static void unpackAny(const OperandLayout &layout, const uint32_t *rows,
                      const float *scales, float *values) {
  bool ocp = layout.fp8 == Fp8Format::OCP;
  switch (layout.type) {
  case MfmaType::F64:
    return;
  case MfmaType::F32:
  case MfmaType::XF32:
    return unpackF32(layout, rows, values);
  case MfmaType::F16:
    return unpackCodes<F16Decoder>(layout, rows, scales, values);
  case MfmaType::BF16:
    return unpackCodes<Bf16Decoder>(layout, rows, scales, values);
  case MfmaType::I8:
    return unpackCodes<IntDecoder>(layout, rows, scales, values);
  case MfmaType::FP8:
    return ocp ? unpackCodes<E4M3FN>(layout, rows, scales, values)
               : unpackCodes<E4M3FNUZ>(layout, rows, scales, values);
  case MfmaType::BF8:
    return ocp ? unpackCodes<E5M2>(layout, rows, scales, values)
               : unpackCodes<E5M2FNUZ>(layout, rows, scales, values);
  case MfmaType::FP6:
    return unpackCodes<E2M3>(layout, rows, scales, values);
  case MfmaType::BF6:
    return unpackCodes<E3M2>(layout, rows, scales, values);
  case MfmaType::FP4:
    return unpackCodes<Fp4Decoder>(layout, rows, scales, values);
  }
}

} // namespace HWY_NAMESPACE
} // namespace fly::mfma
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fly::mfma {
HWY_EXPORT(unpackAny);
void unpack(const OperandLayout &layout, const uint32_t *rows,
            const float *scales, float *values) {
  HWY_DYNAMIC_DISPATCH(unpackAny)(layout, rows, scales, values);
}
} // namespace fly::mfma
#endif
