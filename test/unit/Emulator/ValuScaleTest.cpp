//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Every v_cvt_scalef32 conversion, against formats stated by their fields
/// (OCP 8-bit FP and Microscaling specifications): a code's value follows from
/// the fields, rounding from a search among the values. All codes, all scales,
/// all places that op_sel can name.

#include "ValuMachine.h"

#include "fly/CodeObject/InstructionSpace.h"
#include "fly/Emulator/Wave.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>

using namespace fly;
using namespace fly::test;

namespace {

using u32 = uint32_t;

/// A float format; the top exponent is infinity and NaN (Ieee), a NaN where
/// all bits are set (OneNaN), or like any other.
enum class Top { Ieee, OneNaN, Finite };
struct Format {
  const char *name;
  unsigned bits, mantissa;
  int bias;
  Top top;
};
const Format f32 = {"f32", 32, 23, 127, Top::Ieee},
             f16 = {"f16", 16, 10, 15, Top::Ieee},
             bf16 = {"bf16", 16, 7, 127, Top::Ieee},
             fp8 = {"fp8", 8, 3, 7, Top::OneNaN},
             bf8 = {"bf8", 8, 2, 15, Top::Ieee},
             fp6 = {"fp6", 6, 3, 1, Top::Finite},
             bf6 = {"bf6", 6, 2, 3, Top::Finite},
             fp4 = {"fp4", 4, 1, 1, Top::Finite};
const Format *const wide[] = {&f32, &f16, &bf16};

u32 magnitudeMask(const Format &f) { return (u32(1) << (f.bits - 1)) - 1; }

double valueOf(const Format &f, u32 code) {
  u32 magnitude = code & magnitudeMask(f), fraction = u32(1) << f.mantissa;
  u32 field = magnitude >> f.mantissa, last = magnitudeMask(f) >> f.mantissa;
  double value;
  if (f.top == Top::Ieee && field == last)
    value = magnitude % fraction ? NAN : INFINITY;
  else if (f.top == Top::OneNaN && magnitude == magnitudeMask(f))
    value = NAN;
  else
    value = std::ldexp(double(magnitude % fraction) + (field ? fraction : 0),
                       int(field ? field : 1) - f.bias - int(f.mantissa));
  return code >> (f.bits - 1) & 1 ? -value : value;
}

u32 maxCode(const Format &f) {
  u32 all = magnitudeMask(f);
  return f.top == Top::Ieee ? (all >> f.mantissa << f.mantissa) - 1
                            : all - (f.top == Top::OneNaN);
}

constexpr uint64_t nearestEven = ~uint64_t(0);

/// The code of \p x. \p random: nearestEven, or added to the fraction in units
/// of 2^-32. NaNs have no sign here.
u32 codeOf(const Format &f, double x, bool saturate,
           uint64_t random = nearestEven) {
  u32 most = maxCode(f), sign = std::signbit(x) ? magnitudeMask(f) + 1 : 0;
  u32 special = f.top == Top::Finite ? most : most + 1;
  if (std::isnan(x))
    return f.top == Top::Ieee ? special | 1u << (f.mantissa - 1) : special;
  double a = std::fabs(x);
  u32 low = 0, high = most; // the last code that is not above a
  while (low != high) {
    u32 middle = (low + high + 1) / 2;
    (valueOf(f, middle) <= a ? low : high) = middle - (valueOf(f, middle) > a);
  }
  double below = valueOf(f, low);
  double step =
      low == most ? below - valueOf(f, most - 1) : valueOf(f, low + 1) - below;
  double fraction = (a - below) / step;
  bool up = random == nearestEven
                ? fraction > 0.5 || (fraction == 0.5 && low % 2)
                : fraction * 0x1p32 + double(random) >= 0x1p32;
  if (low == most && (up || fraction >= 1))
    return sign | (saturate ? most : special);
  return sign | (low + up);
}
/// Of a wide type: f32 rounds as the CPU does, f16 saturates under FP16_OVFL.
u32 wideCode(const Format &f, double x, bool saturate = false) {
  if (f.bits == 32)
    return bitsOf(float(x));
  return codeOf(f, x, saturate && &f == &f16 && std::isfinite(x));
}
double wideValue(const Format &f, u32 code) {
  return f.bits == 32 ? floatOf(code) : valueOf(f, code);
}
/// Equal, or NaNs (or what stands for them) of any payload and sign.
bool isSame(const Format &f, u32 code, u32 expected, bool isNaN) {
  u32 mask = magnitudeMask(f);
  if (!isNaN)
    return code == expected;
  if (f.top == Top::Ieee)
    return (code & mask) > maxCode(f) + 1;
  return (code & mask) == (expected & mask);
}

double scaleOf(u32 field) {
  return field == 255 ? NAN : std::ldexp(1.0, int(field) - 127);
}

u32 bitsAt(const u32 *words, unsigned at, unsigned bits) {
  u32 result = 0;
  for (unsigned i = 0; i < bits; ++i)
    result |= (words[(at + i) / 32] >> (at + i) % 32 & 1) << i;
  return result;
}
void putBits(u32 *words, unsigned at, unsigned bits, u32 value) {
  for (unsigned i = 0; i < bits; ++i) {
    u32 bit = u32(1) << (at + i) % 32;
    u32 &word = words[(at + i) / 32];
    word = value >> i & 1 ? word | bit : word & ~bit;
  }
}

/// One conversion: the machine's registers are v0.. result, v40.. source,
/// v80.. second source, v120 random number, v121 scale.
struct Conversion {
  std::string name;
  const Format *from, *to;
  unsigned elements;     ///< one, two or 32
  bool random = false;   ///< stochastic
  bool twoParts = false; ///< f32 sources in two operands, element by element
  bool alternate = false;

  bool isUp() const { return to->bits >= 16; }
  unsigned bitsOfResult() const { return to->bits * elements; }
  /// Places that op_sel can name for the source, and for the result.
  unsigned sourcePlaces() const {
    if (elements == 32)
      return 1;
    if (isUp())
      return 32 / (from->bits * elements);
    return random && from->bits == 16 && elements == 1 ? 2 : 1;
  }
  unsigned resultPlaces() const {
    return bitsOfResult() < 32 ? 32 / bitsOfResult() : 1;
  }
  /// op_sel has an entry a source and one for the result.
  std::string opSel(unsigned source, unsigned result) const {
    unsigned sources = 2 + random + twoParts;
    std::vector<unsigned> bits(4, 0);
    if (isUp()) {
      bool words = sourcePlaces() == 2;
      bits[0] = source & 1;
      bits[1] = words ? 0 : source >> 1;
      bits[2] = result;
    } else if (resultPlaces() == 2) {
      bits[sources] = result;
    } else {
      bits[0] = source;
      bits[2] = result & 1;
      bits[3] = result >> 1;
    }
    unsigned used = !isUp() && resultPlaces() == 4 ? 4 : sources + 1;
    std::string text = " op_sel:[";
    for (unsigned i = 0; i < used; ++i)
      text += (i ? "," : "") + std::to_string(bits[i]);
    return text + "]";
  }
  std::string registers(unsigned first, unsigned dwords) const {
    return dwords == 1 ? "v" + std::to_string(first)
                       : "v[" + std::to_string(first) + ":" +
                             std::to_string(first + dwords - 1) + "]";
  }
  unsigned sourceDwords() const {
    return std::max(1u, from->bits * elements / 32 / (twoParts ? 2 : 1));
  }
  std::string text(unsigned source, unsigned result) const {
    std::string line = name + " " +
                       registers(0, std::max(1u, bitsOfResult() / 32)) + ", " +
                       registers(40, sourceDwords());
    if (twoParts)
      line += ", " + registers(80, sourceDwords());
    if (random)
      line += ", v120";
    line += ", v121";
    return elements == 32 ? line : line + opSel(source, result);
  }
};

std::vector<Conversion> conversions() {
  std::vector<Conversion> list;
  auto add = [&](std::string middle, const Format &to, const Format &from,
                 unsigned elements) -> Conversion & {
    list.push_back({"v_cvt_scalef32_" + middle + to.name + "_" + from.name,
                    &from, &to, elements});
    list.back().random = middle.find("sr_") == 0;
    list.back().twoParts =
        !list.back().random && from.bits == 32 && to.bits < 16;
    return list.back();
  };
  for (const Format *w : wide)
    for (const Format *s : {&fp8, &bf8}) {
      if (w != &bf16)
        add("", *w, *s, 1);
      add("pk_", *w, *s, 2);
      add("pk_", *s, *w, 2);
      add("sr_", *s, *w, 1);
    }
  for (const Format *w : wide) {
    add("pk_", *w, fp4, 2);
    add("pk_", fp4, *w, 2);
    add("sr_pk_", fp4, *w, 2);
    for (const Format *s : {&fp6, &bf6}) {
      add("pk32_", *w, *s, 32);
      add("sr_pk32_", *s, *w, 32);
      if (w == &f32)
        add("2xpk16_", *s, *w, 32).alternate = true;
      else
        add("pk32_", *s, *w, 32);
    }
  }
  return list;
}

/// Runs a conversion on lanes full of elements.
class Bench {
public:
  Bench(const Conversion &c, bool saturate) : c(c), saturate(saturate) {
    machine.wave->mode = 0xf0 | (saturate ? u32(emu::ModeFp16Overflow) : 0);
  }

  /// Element \p n of the next lane, with \p scale and \p random of that lane.
  struct Lane {
    std::vector<u32> codes;
    u32 scale = 127, random = 0;
  };
  void add(Lane lane) {
    lanes.push_back(std::move(lane));
    if (lanes.size() == 64)
      flush();
  }
  /// One place after the other, so that all codes meet all of them.
  void flush() {
    unsigned place = turn + turn / 4;
    ++turn;
    runAt(place % c.sourcePlaces(),
          place / c.sourcePlaces() % c.resultPlaces());
    lanes.clear();
  }

private:
  static constexpr u32 old = 0xa5c35a3c;

  void fill(unsigned l, unsigned source) {
    u32 words[64] = {};
    u32 rest = 0x13579bdf * (l + 1); // what is not selected
    for (u32 &word : words)
      word = rest;
    const Lane &lane = lanes[l];
    for (unsigned n = 0; n < c.elements; ++n) {
      unsigned place = n;
      if (c.twoParts) // halves of words: in the second source
        place = c.alternate ? n / 2 + n % 2 * 40 : n * 40;
      putBits(words, (place + source * c.elements) * c.from->bits, c.from->bits,
              lane.codes[n]);
    }
    for (unsigned i = 0; i < 64; ++i)
      machine.vgpr(40 + i)[l] = words[i];
    machine.vgpr(120)[l] = lane.random;
    // The exponent field counts; sign and mantissa do not.
    machine.vgpr(121)[l] = lane.scale << 23 | (0x80000001u * (l & 1)) | l << 9;
    for (unsigned i = 0; i < 32; ++i)
      machine.vgpr(i)[l] = old;
  }
  void runAt(unsigned source, unsigned result) {
    for (unsigned l = 0; l < lanes.size(); ++l)
      fill(l, source);
    std::string text = c.text(source, result);
    machine.run(text);
    for (unsigned l = 0; l < lanes.size(); ++l)
      check(l, result, text);
  }
  void check(unsigned l, unsigned result, const std::string &text) {
    u32 words[32];
    for (unsigned i = 0; i < 32; ++i)
      words[i] = machine.vgpr(i)[l];
    const Lane &lane = lanes[l];
    unsigned at = result * c.bitsOfResult();
    for (unsigned n = 0; n < c.elements; ++n) {
      double x = wideValue(*c.from, lane.codes[n]);
      double factor = scaleOf(lane.scale);
      double scaled = c.isUp() ? x * factor : x / factor;
      u32 expected = c.isUp() ? wideCode(*c.to, scaled, saturate)
                              : codeOf(*c.to, scaled, saturate,
                                       c.random ? lane.random : nearestEven);
      u32 code = bitsAt(words, at + n * c.to->bits, c.to->bits);
      if (!isSame(*c.to, code, expected, std::isnan(scaled)) && ++wrong <= 3)
        ADD_FAILURE() << text << std::hex << " lane " << l << " element " << n
                      << ": " << lane.codes[n] << " scale " << lane.scale
                      << " random " << lane.random << " gives " << code
                      << ", expected " << expected;
      putBits(words, at + n * c.to->bits, c.to->bits, 0);
    }
    for (unsigned i = 0; i < 32; ++i) { // what is not written stays
      u32 kept[1] = {old};
      for (unsigned b = 0; b < 32; ++b)
        if (32 * i + b >= at && 32 * i + b < at + c.bitsOfResult())
          putBits(kept, b, 1, 0);
      if (words[i] != kept[0] && ++wrong <= 3)
        ADD_FAILURE() << text << ": dword " << i << " of the rest is "
                      << std::hex << words[i] << ", expected " << kept[0];
    }
  }

  const Conversion &c;
  bool saturate;
  ValuMachine machine;
  std::vector<Lane> lanes;
  unsigned turn = 0, wrong = 0;
};

/// All values of \p small, the middles between neighbours, these plus and minus
/// a little, and what is beyond; of both signs.
std::vector<double> interesting(const Format &small) {
  std::vector<double> values = {0, INFINITY, NAN, 1e30, 1e-30};
  double before = 0;
  for (u32 code = 1; code <= maxCode(small); ++code) {
    double value = valueOf(small, code), middle = (before + value) / 2;
    for (double x : {value, middle, middle * (1 + 0x1p-20),
                     middle * (1 - 0x1p-20), middle * (1 + 0x1p-6)})
      values.push_back(x);
    before = value;
  }
  double ulp = before - valueOf(small, maxCode(small) - 1);
  for (double x : {before + ulp / 2, before + ulp / 2 * (1 - 0x1p-10),
                   before + ulp / 2 * (1 + 0x1p-10), before + ulp, 4 * before})
    values.push_back(x);
  for (size_t i = 0, n = values.size(); i < n; ++i)
    values.push_back(-values[i]);
  return values;
}

/// Gives lanes of \p c the codes in turn.
void feed(Bench &bench, const Conversion &c, const std::vector<u32> &codes,
          u32 scale) {
  u32 seed = 1;
  for (size_t first = 0; first < codes.size(); first += c.elements) {
    Bench::Lane lane;
    for (unsigned n = 0; n < c.elements; ++n)
      lane.codes.push_back(codes[(first + n) % codes.size()]);
    lane.scale = scale;
    for (u32 random : {0u, ~0u, 0x80000000u, 0x7fffffffu, seed *= 0x9e3779b1}) {
      lane.random = random;
      bench.add(lane);
      if (!c.random)
        break;
    }
  }
}

} // namespace

// All codes with all scales.
TEST(ValuScale, UpConversions) {
  for (const Conversion &c : conversions()) {
    if (!c.isUp())
      continue;
    std::vector<u32> codes;
    for (u32 code = 0; code < u32(1) << c.from->bits; ++code)
      codes.push_back(code * 37 % (u32(1) << c.from->bits));
    for (bool saturate : {false, true}) {
      Bench bench(c, saturate);
      for (u32 scale = 0; scale < 256; ++scale)
        feed(bench, c, codes, scale);
      bench.flush();
    }
  }
}

// All values of the format, ties, and what is beyond, at some scales; and some
// values at all scales.
TEST(ValuScale, DownConversions) {
  for (const Conversion &c : conversions()) {
    if (c.isUp())
      continue;
    std::vector<double> values = interesting(*c.to);
    for (bool saturate : {false, true}) {
      Bench bench(c, saturate);
      for (u32 scale = 0; scale < 256; ++scale) {
        bool isFull = scale == 126 || scale == 127 || scale == 131;
        std::vector<u32> codes;
        for (size_t i = 0; i < values.size(); i += isFull ? 1 : 17) {
          double factor = scale == 255 ? 1 : scaleOf(scale);
          codes.push_back(wideCode(*c.from, values[i] * factor));
        }
        feed(bench, c, codes, scale);
      }
      bench.flush();
    }
  }
}

TEST(ValuScale, TheListIsWhole) {
  ValuMachine machine;
  std::map<std::string, bool> known;
  for (const Conversion &c : conversions())
    known[c.name] = false;
  const TargetInfo &target = *machine.wave->target;
  std::vector<uint8_t> bytes = llvm::cantFail(instructionSpace(target));
  Disassembly code = llvm::cantFail(Disassembly::decode(target, bytes, 0));
  for (const Instruction &inst : code.instructions()) {
    if (!inst.key.starts_with("v_cvt_scalef32_"))
      continue;
    auto it = known.find(inst.key.str());
    ASSERT_NE(it, known.end()) << inst.key.str();
    it->second = true;
  }
  for (const auto &[name, found] : known)
    EXPECT_TRUE(found) << name;
  ValuMachine other("gfx942");
  EXPECT_FALSE(other.canRun("v_cvt_scalef32_f32_fp8 v0, v1, v2"));
  EXPECT_TRUE(other.canRun("v_cvt_pk_fp8_f32 v0, v1, v2"));
}
