//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Unpacking of MFMA operands to f32, compiled for several vector instruction
// sets.

#include "MfmaInternal.h"

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

/// Float formats of sign, `Exponent` and `Mantissa` bits. The code, moved to
/// the top of 32 bits and then right until its mantissa ends where that of f32
/// does, is the value times 2^(bias - 127), denormals included.
template <unsigned Exponent, unsigned Mantissa, int Bias, Special Specials>
struct FloatDecoder {
  static constexpr unsigned bits = 1 + Exponent + Mantissa;

  /// \p top: the code in the top bits, anything below.
  static HWY_INLINE VecF decodeTop(VecU top) {
    const F32 f;
    const U32 u;
    const I32 s;
    constexpr uint32_t mask =
        0x80000000u | (((1u << (Exponent + Mantissa)) - 1) << (23 - Mantissa));
    VecU code =
        hn::BitCast(u, hn::ShiftRight<8 - Exponent>(hn::BitCast(s, top)));
    code = hn::And(code, hn::Set(u, mask));
    VecF value = hn::BitCast(f, code);
    if constexpr (Bias != 127)
      value = hn::Mul(value, hn::Set(f, power(127 - Bias)));
    if constexpr (Specials == Special::None)
      return value;
    const VecU infinity = hn::Set(u, 0x7f800000u);
    const VecU magnitude = hn::And(code, hn::Set(u, 0x7fffffffu));
    auto special = hn::Eq(code, hn::Set(u, 0x80000000u));
    VecU replacement = hn::Set(u, 0x7fc00000u);
    if constexpr (Specials == Special::Nan7f)
      special = hn::Eq(magnitude, hn::Set(u, mask & 0x7fffffffu));
    if constexpr (Specials == Special::Ieee) {
      constexpr uint32_t first = ((1u << Exponent) - 1) << 23;
      special = hn::RebindMask(
          u, hn::Gt(hn::BitCast(s, magnitude), hn::Set(s, int32_t(first - 1))));
      replacement = hn::Or(code, infinity);
    }
    return hn::IfThenElse(hn::RebindMask(f, special),
                          hn::BitCast(f, replacement), value);
  }

  static constexpr float power(int exponent) {
    float result = 1;
    for (; exponent > 0; --exponent)
      result *= 2;
    for (; exponent < 0; ++exponent)
      result /= 2;
    return result;
  }
};

struct IntDecoder {
  static constexpr unsigned bits = 8;
  static HWY_INLINE VecF decodeTop(VecU top) {
    return hn::ConvertTo(F32(), hn::ShiftRight<24>(hn::BitCast(I32(), top)));
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
using E2M1 = FloatDecoder<2, 1, 1, Special::None>;

/// Where the lanes from `lane` on put their element n.
struct Placement {
  explicit Placement(const OperandLayout &layout, unsigned lane)
      : k(layout.k), width(layout.m == 4 ? 64 : layout.m) {
    unsigned blocks = layout.m == 4 ? 1 : layout.blocks;
    unsigned group = lane / width, groups = 64 / (width * blocks);
    elements = k / groups;
    // 8-bit operands with more than 16 elements a lane: chunks of 16.
    chunk = elements > 16 && layout.registers == elements / 4 ? 16 : elements;
    groupOfLane = group / blocks;
    chunkStride = chunk * groups;
    base = size_t(group % blocks) * k * width + lane % width;
  }
  unsigned kOf(unsigned n) const {
    return n / chunk * chunkStride + chunk * groupOfLane + n % chunk;
  }
  size_t offset(unsigned kIndex) const { return base + size_t(kIndex) * width; }

  unsigned k, width, elements, chunk, groupOfLane, chunkStride;
  size_t base;
};

template <typename Decoder>
static void unpackCodes(const OperandLayout &layout, const uint32_t *rows,
                        const float *scales, float *values) {
  const F32 f;
  const U32 u;
  constexpr unsigned bits = Decoder::bits;
  for (unsigned lane = 0; lane < 64; lane += hn::Lanes(f)) {
    Placement place(layout, lane);
    for (unsigned n = 0; n < place.elements; ++n) {
      unsigned low = n * bits % 32;
      const uint32_t *row = rows + size_t(n * bits / 32) * 64 + lane;
      VecU top = hn::LoadU(u, row);
      int up = int(32 - bits) - int(low);
      if (up >= 0)
        top = hn::ShiftLeftSame(top, up);
      else // the code's upper bits begin the next register
        top = hn::Or(hn::ShiftLeftSame(hn::LoadU(u, row + 64), 32 + up),
                     hn::ShiftRightSame(top, -up));
      VecF value = Decoder::decodeTop(top);
      unsigned k = place.kOf(n);
      if (scales)
        value = hn::Mul(value, hn::LoadU(f, scales + size_t(k / 32) * layout.m +
                                                lane % layout.m));
      hn::StoreU(value, f, values + place.offset(k));
    }
  }
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
      hn::StoreU(hn::BitCast(f, bits), f, values + place.offset(place.kOf(n)));
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
    return unpackCodes<E2M1>(layout, rows, scales, values);
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
