//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The v_cvt_scalef32_* conversions of gfx950 between f32, f16 or bf16 and
/// fp8, bf8, fp6, bf6, fp4 (CDNA4 ISA manual, VOP3).
///
/// The scale is 2^(e - 127), e the exponent field of an f32 source; e = 255 is
/// NaN. Conversions to a small format divide by it, the others multiply.
/// Stochastic forms of several elements use one random number for all of them.

#include "ValuSmallFloat.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

// How one element of a wide type lies in dwords.
struct WideF32 {
  static constexpr unsigned bits = 32;
  static float get(u32 bits) { return F32::get(bits); }
  static u32 put(double value, u32) { return F32::put(float(value)); }
};
struct WideF16 {
  static constexpr unsigned bits = 16;
  static float get(u32 bits) { return halfToFloat(bits); }
  static u32 put(double value, u32 mode) {
    u32 code = floatToHalf(float(value));
    bool beyond = (code & 0x7fff) == 0x7c00 && value - value == 0;
    return beyond && mode & ModeFp16Overflow ? code - 1 : code;
  }
};
struct WideBf16 {
  static constexpr unsigned bits = 16;
  static float get(u32 bits) { return F32::get(bits << 16); }
  static u32 put(double value, u32) {
    u32 bits = F32::put(float(value));
    return isNaN(float(value)) ? bits >> 16 | 0x40
                               : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
};

// The small types of gfx950.
struct Fp8 {
  static constexpr FloatKind kind = FloatKind::E4M3FN;
  static constexpr unsigned bits = 8;
};
struct Bf8 {
  static constexpr FloatKind kind = FloatKind::E5M2;
  static constexpr unsigned bits = 8;
};
struct Fp6 {
  static constexpr FloatKind kind = FloatKind::E2M3;
  static constexpr unsigned bits = 6;
};
struct Bf6 {
  static constexpr FloatKind kind = FloatKind::E3M2;
  static constexpr unsigned bits = 6;
};
struct Fp4 {
  static constexpr FloatKind kind = FloatKind::E2M1;
  static constexpr unsigned bits = 4;
};

/// The scale of a lane, or its inverse.
double scaleOf(u32 bits, bool inverse) {
  int exponent = int(bits >> 23 & 255);
  if (exponent == 255)
    return __builtin_nan("");
  return powerOfTwo(inverse ? 127 - exponent : exponent - 127);
}

/// Exact, and may be beyond f32.
template <typename S> double decodeScaled(u32 code, double scale) {
  return double(decode(S::kind, uint8_t(code))) * scale;
}
template <typename S>
u32 encodeScaled(const Wave &w, float value, double inverse) {
  return encode(S::kind, float(double(value) * inverse), overflowOf(w));
}
template <typename S>
u32 encodeRandom(const Wave &w, float value, double inverse, u32 random) {
  return encodeStochastic(S::kind, float(double(value) * inverse), random,
                          overflowOf(w));
}

//===----------------------------------------------------------------------===//
// One or two elements
//===----------------------------------------------------------------------===//

/// f32 or f16 of byte op_sel[1:0]; f16 goes to the half that op_sel[2] names.
template <typename W, typename S> void up1(Wave &w, const ExecInst &inst) {
  Source<B32> a(w, inst, 0), scale(w, inst, 1);
  unsigned byte = opSel0(inst.src(0)) + 2 * opSel0(inst.src(1));
  unsigned half = W::bits == 16 ? opSel1(inst.src(0)) : 0;
  const u32 *old = w.regs[inst.ops[0].row()];
  Row result;
  for (unsigned l = 0; l != waveLanes; ++l) {
    u32 value = W::put(
        decodeScaled<S>(a[l] >> (8 * byte), scaleOf(scale[l], false)), w.mode);
    result.lane[l] = W::bits == 16 ? insert(old[l], 16, half, value) : value;
  }
  writeRow(w, inst.ops[0], 0, result);
}

/// Two elements: of word op_sel[0], or for fp4 of byte op_sel[1:0].
template <typename W, typename S> void up2(Wave &w, const ExecInst &inst) {
  Source<B32> a(w, inst, 0), scale(w, inst, 1);
  unsigned shift = S::bits == 8
                       ? 16 * opSel0(inst.src(0))
                       : 8 * (opSel0(inst.src(0)) + 2 * opSel0(inst.src(1)));
  Row low, high;
  for (unsigned l = 0; l != waveLanes; ++l) {
    double factor = scaleOf(scale[l], false);
    u32 first = a[l] >> shift;
    low.lane[l] = W::put(decodeScaled<S>(first, factor), w.mode);
    high.lane[l] = W::put(decodeScaled<S>(first >> S::bits, factor), w.mode);
  }
  if (W::bits == 16) {
    for (unsigned l = 0; l != waveLanes; ++l)
      low.lane[l] |= high.lane[l] << 16;
    writeRow(w, inst.ops[0], 0, low);
    return;
  }
  writeRow(w, inst.ops[0], 0, low);
  writeRow(w, inst.ops[0], 1, high);
}

/// The two values that a packing conversion takes, with the sources' signs.
template <typename W> struct TwoValues {
  /// f32: sources 0 and 1, or the pair of source 0; else the halves of source
  /// 0.
  TwoValues(const Wave &w, const ExecInst &inst, bool pair) {
    if (W::bits == 32) {
      first = fetchSource(w, inst, 0, ValuKind::Bits, 0, s0);
      second = pair ? fetchSource(w, inst, 0, ValuKind::Bits, 1, s1)
                    : fetchSource(w, inst, 1, ValuKind::Bits, 0, s1);
      return;
    }
    const u32 *row = readRow(w, inst.src(0), 0, s0);
    for (unsigned l = 0; l != waveLanes; ++l) {
      s1.lane[l] = row[l] >> 16;
      s0.lane[l] = row[l] & 0xffff;
    }
    first = s0.lane;
    second = s1.lane;
  }
  const u32 *first, *second;
  Row s0, s1;
};

/// Where a packing conversion puts its two elements: a half for 8-bit ones, a
/// byte for fp4. The low bit of a byte's number is op_sel[2], with the last
/// source or, of two sources, with the destination.
template <typename S> unsigned packedPlace(const ExecInst &inst) {
  unsigned high = opSel1(inst.src(0));
  if (S::bits == 8)
    return high;
  unsigned low = inst.numSrcs() > 2 ? opSel0(inst.src(2)) : opSel0(inst.ops[0]);
  return 2 * high + low;
}

template <typename S, typename W> void down2(Wave &w, const ExecInst &inst) {
  TwoValues<W> values(w, inst, false);
  Source<B32> scale(w, inst, W::bits == 32 ? 2 : 1);
  unsigned place = packedPlace<S>(inst);
  const u32 *old = w.regs[inst.ops[0].row()];
  Row result;
  for (unsigned l = 0; l != waveLanes; ++l) {
    double inverse = scaleOf(scale[l], true);
    u32 packed = encodeScaled<S>(w, W::get(values.first[l]), inverse) |
                 encodeScaled<S>(w, W::get(values.second[l]), inverse)
                     << S::bits;
    result.lane[l] = insert(old[l], 2 * S::bits, place, packed);
  }
  writeRow(w, inst.ops[0], 0, result);
}

template <typename S, typename W>
void downRandom2(Wave &w, const ExecInst &inst) {
  TwoValues<W> values(w, inst, true);
  Source<B32> random(w, inst, 1), scale(w, inst, 2);
  unsigned place = packedPlace<S>(inst);
  const u32 *old = w.regs[inst.ops[0].row()];
  Row result;
  for (unsigned l = 0; l != waveLanes; ++l) {
    double inverse = scaleOf(scale[l], true);
    u32 packed =
        encodeRandom<S>(w, W::get(values.first[l]), inverse, random[l]) |
        encodeRandom<S>(w, W::get(values.second[l]), inverse, random[l])
            << S::bits;
    result.lane[l] = insert(old[l], 2 * S::bits, place, packed);
  }
  writeRow(w, inst.ops[0], 0, result);
}

/// One element to byte op_sel[3:2]; a 16-bit source is the half that op_sel[0]
/// names.
template <typename S, typename W>
void downRandom1(Wave &w, const ExecInst &inst) {
  Row storage;
  const u32 *value = fetchSource(w, inst, 0, ValuKind::Bits, 0, storage);
  unsigned shift = W::bits == 16 ? 16 * opSel0(inst.src(0)) : 0;
  Source<B32> random(w, inst, 1), scale(w, inst, 2);
  unsigned byte = 2 * opSel1(inst.src(0)) + opSel0(inst.src(2));
  const u32 *old = w.regs[inst.ops[0].row()];
  Row result;
  for (unsigned l = 0; l != waveLanes; ++l)
    result.lane[l] =
        insert(old[l], 8, byte,
               encodeRandom<S>(w, W::get(value[l] >> shift),
                               scaleOf(scale[l], true), random[l]));
  writeRow(w, inst.ops[0], 0, result);
}

//===----------------------------------------------------------------------===//
// 32 elements of 6 bits
//===----------------------------------------------------------------------===//

constexpr unsigned numElements = 32, packedDwords = 6;

/// Rows of a source of several dwords, copied: the destination may overlap.
struct Rows {
  Rows(const Wave &w, const Operand &op, unsigned count) {
    for (unsigned i = 0; i != count; ++i) {
      Row storage;
      std::memcpy(rows[i].lane, readRow(w, op, i, storage), sizeof(Row));
    }
  }
  Row rows[numElements];
};

template <typename W, typename S> void up32(Wave &w, const ExecInst &inst) {
  Rows packed(w, inst.src(0), packedDwords);
  Source<B32> scale(w, inst, 1);
  Row scaleCopy;
  std::memcpy(scaleCopy.lane, scale.rows[0], sizeof(Row));
  for (unsigned dword = 0; dword != numElements * W::bits / 32; ++dword) {
    Row result;
    for (unsigned l = 0; l != waveLanes; ++l) {
      result.lane[l] = 0;
      for (unsigned i = 0; i != 32 / W::bits; ++i) {
        unsigned bit = S::bits * (dword * 32 / W::bits + i);
        u64 two = packed.rows[bit / 32].lane[l];
        if (bit / 32 + 1 < packedDwords)
          two |= u64(packed.rows[bit / 32 + 1].lane[l]) << 32;
        double value = decodeScaled<S>(u32(two >> bit % 32) & 63,
                                       scaleOf(scaleCopy.lane[l], false));
        result.lane[l] |= W::put(value, w.mode) << (W::bits * i);
      }
    }
    writeRow(w, inst.ops[0], dword, result);
  }
}

/// Element n of lane l, from one source or alternately from two.
template <typename W>
float elementOf(const Rows &first, const Rows *second, unsigned n, unsigned l) {
  if (second)
    return W::get((n & 1 ? *second : first).rows[n / 2].lane[l]);
  unsigned bit = n * W::bits;
  return W::get(first.rows[bit / 32].lane[l] >> bit % 32);
}

/// \p random: null, or the random numbers.
template <typename S, typename W>
void pack32(Wave &w, const ExecInst &inst, const Rows &first,
            const Rows *second, const u32 *random, const u32 *scale) {
  Row result[packedDwords];
  std::memset(result, 0, sizeof(result));
  for (unsigned l = 0; l != waveLanes; ++l) {
    double inverse = scaleOf(scale[l], true);
    for (unsigned n = 0; n != numElements; ++n) {
      float value = elementOf<W>(first, second, n, l);
      u64 code = random ? encodeRandom<S>(w, value, inverse, random[l])
                        : encodeScaled<S>(w, value, inverse);
      unsigned bit = S::bits * n;
      u64 placed = code << bit % 32;
      result[bit / 32].lane[l] |= u32(placed);
      if (placed >> 32)
        result[bit / 32 + 1].lane[l] |= u32(placed >> 32);
    }
  }
  for (unsigned dword = 0; dword != packedDwords; ++dword)
    writeRow(w, inst.ops[0], dword, result[dword]);
}

template <typename S, typename W> void down32(Wave &w, const ExecInst &inst) {
  Rows values(w, inst.src(0), W::bits);
  Source<B32> scale(w, inst, 1);
  pack32<S, W>(w, inst, values, nullptr, nullptr, scale.rows[0]);
}
template <typename S, typename W>
void downRandom32(Wave &w, const ExecInst &inst) {
  Rows values(w, inst.src(0), W::bits);
  Source<B32> random(w, inst, 1), scale(w, inst, 2);
  pack32<S, W>(w, inst, values, nullptr, random.rows[0], scale.rows[0]);
}
/// Elements alternate between the two sources.
template <typename S> void down2x16(Wave &w, const ExecInst &inst) {
  Rows first(w, inst.src(0), 16), second(w, inst.src(1), 16);
  Source<B32> scale(w, inst, 2);
  pack32<S, WideF32>(w, inst, first, &second, nullptr, scale.rows[0]);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

template <unsigned numSources, Handler handler>
void resolve(const TargetInfo &, ExecInst &inst) {
  if (isPlainVop3(inst, numSources))
    inst.handler = handler;
}

template <typename S>
void add8Bit(HandlerTable &t, const char *const (&keys)[11]) {
  unsigned i = 0;
  t.addResolver(keys[i++], resolve<2, up1<WideF32, S>>);
  t.addResolver(keys[i++], resolve<2, up1<WideF16, S>>);
  t.addResolver(keys[i++], resolve<2, up2<WideF32, S>>);
  t.addResolver(keys[i++], resolve<2, up2<WideF16, S>>);
  t.addResolver(keys[i++], resolve<2, up2<WideBf16, S>>);
  t.addResolver(keys[i++], resolve<3, down2<S, WideF32>>);
  t.addResolver(keys[i++], resolve<2, down2<S, WideF16>>);
  t.addResolver(keys[i++], resolve<2, down2<S, WideBf16>>);
  t.addResolver(keys[i++], resolve<3, downRandom1<S, WideF32>>);
  t.addResolver(keys[i++], resolve<3, downRandom1<S, WideF16>>);
  t.addResolver(keys[i++], resolve<3, downRandom1<S, WideBf16>>);
}
#define SCALE_8_BIT(s)                                                         \
  {"v_cvt_scalef32_f32_" s,       "v_cvt_scalef32_f16_" s,                     \
   "v_cvt_scalef32_pk_f32_" s,    "v_cvt_scalef32_pk_f16_" s,                  \
   "v_cvt_scalef32_pk_bf16_" s,   "v_cvt_scalef32_pk_" s "_f32",               \
   "v_cvt_scalef32_pk_" s "_f16", "v_cvt_scalef32_pk_" s "_bf16",              \
   "v_cvt_scalef32_sr_" s "_f32", "v_cvt_scalef32_sr_" s "_f16",               \
   "v_cvt_scalef32_sr_" s "_bf16"}

template <typename S>
void add6Bit(HandlerTable &t, const char *const (&keys)[9]) {
  unsigned i = 0;
  t.addResolver(keys[i++], resolve<2, up32<WideF32, S>>);
  t.addResolver(keys[i++], resolve<2, up32<WideF16, S>>);
  t.addResolver(keys[i++], resolve<2, up32<WideBf16, S>>);
  t.addResolver(keys[i++], resolve<2, down32<S, WideF16>>);
  t.addResolver(keys[i++], resolve<2, down32<S, WideBf16>>);
  t.addResolver(keys[i++], resolve<3, downRandom32<S, WideF32>>);
  t.addResolver(keys[i++], resolve<3, downRandom32<S, WideF16>>);
  t.addResolver(keys[i++], resolve<3, downRandom32<S, WideBf16>>);
  t.addResolver(keys[i++], resolve<3, down2x16<S>>);
}
#define SCALE_6_BIT(s)                                                         \
  {"v_cvt_scalef32_pk32_f32_" s,       "v_cvt_scalef32_pk32_f16_" s,           \
   "v_cvt_scalef32_pk32_bf16_" s,      "v_cvt_scalef32_pk32_" s "_f16",        \
   "v_cvt_scalef32_pk32_" s "_bf16",   "v_cvt_scalef32_sr_pk32_" s "_f32",     \
   "v_cvt_scalef32_sr_pk32_" s "_f16", "v_cvt_scalef32_sr_pk32_" s "_bf16",    \
   "v_cvt_scalef32_2xpk16_" s "_f32"}

} // namespace

void addValuScaleOps(HandlerTable &t) {
  add8Bit<Fp8>(t, SCALE_8_BIT("fp8"));
  add8Bit<Bf8>(t, SCALE_8_BIT("bf8"));
  add6Bit<Fp6>(t, SCALE_6_BIT("fp6"));
  add6Bit<Bf6>(t, SCALE_6_BIT("bf6"));
  t.addResolver("v_cvt_scalef32_pk_f32_fp4", resolve<2, up2<WideF32, Fp4>>);
  t.addResolver("v_cvt_scalef32_pk_f16_fp4", resolve<2, up2<WideF16, Fp4>>);
  t.addResolver("v_cvt_scalef32_pk_bf16_fp4", resolve<2, up2<WideBf16, Fp4>>);
  t.addResolver("v_cvt_scalef32_pk_fp4_f32", resolve<3, down2<Fp4, WideF32>>);
  t.addResolver("v_cvt_scalef32_pk_fp4_f16", resolve<2, down2<Fp4, WideF16>>);
  t.addResolver("v_cvt_scalef32_pk_fp4_bf16", resolve<2, down2<Fp4, WideBf16>>);
  t.addResolver("v_cvt_scalef32_sr_pk_fp4_f32",
                resolve<3, downRandom2<Fp4, WideF32>>);
  t.addResolver("v_cvt_scalef32_sr_pk_fp4_f16",
                resolve<3, downRandom2<Fp4, WideF16>>);
  t.addResolver("v_cvt_scalef32_sr_pk_fp4_bf16",
                resolve<3, downRandom2<Fp4, WideBf16>>);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
