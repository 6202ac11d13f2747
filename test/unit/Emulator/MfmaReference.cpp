//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MfmaReference.h"

#include "fly/CodeObject/Disassembly.h"
#include "fly/CodeObject/InstructionSpace.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;

namespace fly::test {

static double ieeeLike(uint64_t code, int exponentBits, int mantissaBits,
                       int bias, bool specials) {
  uint64_t exponent = code >> mantissaBits & ((1u << exponentBits) - 1);
  double fraction =
      std::ldexp(double(code & ((1u << mantissaBits) - 1)), -mantissaBits);
  double value;
  if (specials && exponent == (1u << exponentBits) - 1)
    value = fraction == 0 ? HUGE_VAL : NAN;
  else if (exponent == 0)
    value = std::ldexp(fraction, 1 - bias);
  else
    value = std::ldexp(1 + fraction, int(exponent) - bias);
  return code >> (exponentBits + mantissaBits) & 1 ? -value : value;
}

std::set<std::string> matrixInstructions(llvm::StringRef prefix,
                                         llvm::StringRef arch) {
  const TargetInfo &chip = llvm::cantFail(lookupTarget(arch));
  std::vector<uint8_t> bytes = llvm::cantFail(instructionSpace(chip));
  Disassembly code = llvm::cantFail(Disassembly::decode(chip, bytes, 0));
  std::set<std::string> names;
  for (const Instruction &inst : code.instructions())
    if (inst.unit == Unit::Mfma && inst.key.starts_with(prefix))
      names.insert(inst.key.str());
  return names;
}

double elementValue(MfmaType type, Fp8Format fp8, uint64_t code) {
  bool fnuz = fp8 == Fp8Format::FNUZ;
  switch (type) {
  case MfmaType::F64: {
    double value;
    std::memcpy(&value, &code, 8);
    return value;
  }
  case MfmaType::XF32:
    code &= ~uint64_t(0x1fff);
    [[fallthrough]];
  case MfmaType::F32:
    return ieeeLike(code, 8, 23, 127, true);
  case MfmaType::F16:
    return ieeeLike(code, 5, 10, 15, true);
  case MfmaType::BF16:
    return ieeeLike(code, 8, 7, 127, true);
  case MfmaType::I8:
    return double(int8_t(code));
  case MfmaType::FP8:
    if (fnuz ? code == 0x80 : (code & 0x7f) == 0x7f)
      return NAN;
    return ieeeLike(code, 4, 3, fnuz ? 8 : 7, false);
  case MfmaType::BF8:
    if (fnuz && code == 0x80)
      return NAN;
    return ieeeLike(code, 5, 2, fnuz ? 16 : 15, !fnuz);
  case MfmaType::FP6:
    return ieeeLike(code, 2, 3, 1, false);
  case MfmaType::BF6:
    return ieeeLike(code, 3, 2, 3, false);
  case MfmaType::FP4:
    return ieeeLike(code, 2, 1, 1, false);
  }
  return 0;
}

void BigSum::add(double value) {
  int exponent;
  int64_t integer = int64_t(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  uint32_t addend[limbs] = {};
  uint64_t magnitude = uint64_t(std::llabs(integer));
  for (int bit = 0; bit < 53; ++bit)
    if (magnitude >> bit & 1) {
      int position = exponent + bit - lowest;
      addend[position / 32] |= 1u << position % 32;
    }
  uint64_t carry = integer < 0;
  for (int i = 0; i < limbs; ++i) {
    carry += uint64_t(digits[i]) + (integer < 0 ? ~addend[i] : addend[i]);
    digits[i] = uint32_t(carry);
    carry >>= 32;
  }
}

int BigSum::compareWith(double value) const {
  BigSum difference = *this;
  difference.add(-value);
  if (difference.digits[limbs - 1] >> 31)
    return -1;
  for (uint32_t digit : difference.digits)
    if (digit)
      return 1;
  return 0;
}

static float fromOrdered(int32_t ordered) {
  uint32_t bits =
      ordered < 0 ? 0x80000000u | uint32_t(-ordered) : uint32_t(ordered);
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

float BigSum::nearestFloat() const {
  // The greatest float that is not above the sum.
  int32_t low = -0x7f7fffff, high = 0x7f7fffff;
  if (compareWith(fromOrdered(low)) < 0 || compareWith(fromOrdered(high)) > 0) {
    double limit = std::ldexp(2.0 - std::ldexp(1.0, -24), 127);
    bool negative = compareWith(0) < 0;
    int side = compareWith(negative ? -limit : limit);
    bool beyond = negative ? side <= 0 : side >= 0;
    return beyond ? (negative ? -HUGE_VALF : HUGE_VALF)
                  : fromOrdered(negative ? low : high);
  }
  while (low < high) {
    int32_t middle = int32_t((int64_t(low) + high + 1) >> 1);
    if (compareWith(fromOrdered(middle)) >= 0)
      low = middle;
    else
      high = middle - 1;
  }
  if (low == 0x7f7fffff)
    return fromOrdered(low);
  double below = fromOrdered(low), above = fromOrdered(low + 1);
  int side = compareWith((below + above) / 2);
  if (side == 0)
    return fromOrdered(low % 2 == 0 ? low : low + 1);
  return fromOrdered(side < 0 ? low : low + 1);
}

MfmaFixture::MfmaFixture(StringRef name, StringRef arch,
                         MfmaModifiers modifiers)
    : name(name.str()), target(&cantFail(lookupTarget(arch))),
      modifiers(modifiers),
      description(cantFail(parseMfmaName(name, modifiers))),
      storage(new uint8_t[512 * 256 + 64]) {
  auto address = reinterpret_cast<uintptr_t>(storage.get());
  regs = reinterpret_cast<uint32_t (*)[64]>((address + 63) & ~uintptr_t(63));
  uint32_t noise = 1;
  for (unsigned r = 0; r < 512; ++r)
    for (unsigned l = 0; l < 64; ++l)
      regs[r][l] = noise = noise * 1664525 + 1013904223;
  operands.a = 0;
  operands.b = 16;
  operands.c = MfmaSource::registers(32);
  operands.d = 256;
  operands.scaleA = MfmaSource::registers(80);
  operands.scaleB = MfmaSource::registers(81);
}

MfmaFixture::Place MfmaFixture::inputPlace(MfmaType type, unsigned block,
                                           unsigned i, unsigned k) const {
  const MfmaShape &s = description;
  unsigned bits = mfmaTypeBits(type);
  unsigned groups = 64 / (s.m * s.blocks), perLane = s.k / groups;
  unsigned group, element;
  if (s.f8f6f4 && bits == 8) {
    // Two halves of K; in each, sixteen consecutive k a lane group.
    unsigned half = k / (s.k / 2), rest = k % (s.k / 2);
    group = rest / 16;
    element = 16 * half + rest % 16;
  } else {
    group = k / perLane;
    element = k % perLane;
  }
  unsigned lane = block * s.m + group * s.m * s.blocks + i;
  return {element * bits / 32, lane, element * bits % 32, bits};
}

MfmaFixture::Place MfmaFixture::resultPlace(unsigned block, unsigned i,
                                            unsigned j) const {
  const MfmaShape &s = description;
  if (s.result == MfmaResult::F64)
    return {2 * (i / 4), 16 * (i % 4) + 4 * block + j, 0, 64};
  switch (s.m) {
  case 4:
    return {i, 4 * block + j, 0, 32};
  case 16:
    return {4 * block + i % 4, 16 * (i / 4) + j, 0, 32};
  default:
    return {16 * block + 4 * (i / 8) + i % 4, 32 * (i / 4 % 2) + j, 0, 32};
  }
}

void MfmaFixture::write(unsigned row, Place p, uint64_t value) {
  for (unsigned bit = 0; bit < p.bits; ++bit) {
    uint32_t &word = regs[row + p.reg + (p.bit + bit) / 32][p.lane];
    uint32_t mask = 1u << (p.bit + bit) % 32;
    word = value >> bit & 1 ? word | mask : word & ~mask;
  }
}

uint64_t MfmaFixture::read(unsigned row, Place p) const {
  uint64_t value = 0;
  for (unsigned bit = 0; bit < p.bits; ++bit)
    value |= uint64_t(regs[row + p.reg + (p.bit + bit) / 32][p.lane] >>
                          (p.bit + bit) % 32 &
                      1)
             << bit;
  return value;
}

void MfmaFixture::setA(unsigned block, unsigned i, unsigned k, uint64_t code) {
  write(operands.a, inputPlace(description.a, block, i, k), code);
}
void MfmaFixture::setB(unsigned block, unsigned j, unsigned k, uint64_t code) {
  write(operands.b, inputPlace(description.b, block, j, k), code);
}
void MfmaFixture::setC(unsigned block, unsigned i, unsigned j, uint64_t bits) {
  write(operands.c.row, resultPlace(block, i, j), bits);
}
uint64_t MfmaFixture::getA(unsigned block, unsigned i, unsigned k) const {
  return read(operands.a, inputPlace(description.a, block, i, k));
}
uint64_t MfmaFixture::getB(unsigned block, unsigned j, unsigned k) const {
  return read(operands.b, inputPlace(description.b, block, j, k));
}
uint64_t MfmaFixture::getC(unsigned block, unsigned i, unsigned j) const {
  if (operands.c.isConstant)
    return operands.c.constant;
  return read(operands.c.row, resultPlace(block, i, j));
}
uint64_t MfmaFixture::getD(unsigned block, unsigned i, unsigned j) const {
  return read(operands.d, resultPlace(block, i, j));
}
void MfmaFixture::setScaleA(unsigned i, unsigned kb, uint8_t code) {
  write(operands.scaleA.row,
        {0, kb * description.m + i, 8u * operands.scaleByteA, 8}, code);
}
void MfmaFixture::setScaleB(unsigned j, unsigned kb, uint8_t code) {
  write(operands.scaleB.row,
        {0, kb * description.m + j, 8u * operands.scaleByteB, 8}, code);
}
uint8_t MfmaFixture::getScaleA(unsigned i, unsigned kb) const {
  return uint8_t(read(operands.scaleA.row, {0, kb * description.m + i,
                                            8u * operands.scaleByteA, 8}));
}
uint8_t MfmaFixture::getScaleB(unsigned j, unsigned kb) const {
  return uint8_t(read(operands.scaleB.row, {0, kb * description.m + j,
                                            8u * operands.scaleByteB, 8}));
}

void MfmaFixture::run(MfmaRounding rounding, MfmaCache *cache,
                      bool flushInputs) {
  readOperands();
  Mfma mfma = cantFail(Mfma::create(name, modifiers, *target, rounding));
  mfma.execute(regs, operands, cache, flushInputs);
}

static double scaleValue(uint8_t code) {
  return code == 255 ? NAN : std::ldexp(1.0, code - 127);
}

size_t MfmaFixture::position(unsigned block, unsigned i, unsigned k) const {
  return (size_t(block) * description.m + i) * description.k + k;
}

void MfmaFixture::readOperands() {
  const MfmaShape &s = description;
  if (s.result == MfmaResult::F64)
    return;
  for (auto *values : {&aValues, &bValues, &aScaled, &bScaled})
    values->resize(position(s.blocks, 0, 0));
  for (unsigned block = 0; block < s.blocks; ++block)
    for (unsigned i = 0; i < s.m; ++i)
      for (unsigned k = 0; k < s.k; ++k) {
        size_t at = position(block, i, k);
        aValues[at] = elementValue(s.a, fp8(), getA(block, i, k));
        bValues[at] = elementValue(s.b, fp8(), getB(block, i, k));
        aScaled[at] = aValues[at];
        bScaled[at] = bValues[at];
        if (s.scaled) {
          aScaled[at] *= scaleValue(getScaleA(i, k / 32));
          bScaled[at] *= scaleValue(getScaleB(i, k / 32));
        }
      }
}

double MfmaFixture::scaledA(unsigned block, unsigned i, unsigned k) const {
  return aScaled[position(block, i, k)];
}
double MfmaFixture::scaledB(unsigned block, unsigned j, unsigned k) const {
  return bScaled[position(block, j, k)];
}

float MfmaFixture::expected(MfmaRounding rounding, unsigned block, unsigned i,
                            unsigned j) const {
  const MfmaShape &s = description;
  float c = float(elementValue(MfmaType::F32, fp8(), getC(block, i, j)));
  if (operands.absC)
    c = std::fabs(c);
  if (operands.negC)
    c = -c;
  if (rounding == MfmaRounding::Cdna3Grouped && s.a != MfmaType::F32)
    return grouped(block, i, j);
  if (rounding != MfmaRounding::ExactThenRound) {
    for (unsigned k = 0; k < s.k; ++k) {
      double a = scaledA(block, i, k), b = scaledB(block, j, k);
      if (a == double(float(a)) && b == double(float(b))) {
        c = std::fma(float(a), float(b), c);
        continue;
      }
      double product = a * b;
      if (!std::isfinite(product) || !std::isfinite(c)) {
        c = float(product + c);
        continue;
      }
      BigSum sum;
      sum.add(c);
      sum.add(product);
      c = sum.nearestFloat();
    }
    return c;
  }
  BigSum sum;
  double special = std::isfinite(c) ? 0.0 : double(c);
  if (std::isfinite(c))
    sum.add(c);
  for (unsigned k = 0; k < s.k; ++k) {
    double product = scaledA(block, i, k) * scaledB(block, j, k);
    if (std::isfinite(product))
      sum.add(product);
    else
      special += product;
  }
  return special != 0 ? float(special) : sum.nearestFloat();
}

//===----------------------------------------------------------------------===//
// The grouped scheme, in integers
//===----------------------------------------------------------------------===//

namespace {
/// mantissa 2^(exponent - 23): |mantissa| < 2^24 but for denormals' leading
/// zeros.
struct Parts {
  int64_t mantissa;
  int exponent;
};
} // namespace

static Parts takeApart(double value, int minExponent) {
  if (value == 0)
    return {0, -126};
  int exponent = std::max(std::ilogb(value), minExponent);
  return {int64_t(std::ldexp(value, 23 - exponent)), exponent};
}

static int denormalExponent(MfmaType type, Fp8Format fp8) {
  bool fnuz = fp8 == Fp8Format::FNUZ;
  switch (type) {
  case MfmaType::F16:
    return -14;
  case MfmaType::FP8:
    return fnuz ? -7 : -6;
  case MfmaType::BF8:
    return fnuz ? -15 : -14;
  case MfmaType::FP6:
  case MfmaType::FP4:
    return 0;
  case MfmaType::BF6:
    return -2;
  default:
    return -126;
  }
}

/// Moves a number to a coarser unit, toward zero or toward minus infinity; to a
/// finer one exactly.
static __int128 toUnit(__int128 value, int bitsRight, bool floors) {
  if (bitsRight <= 0)
    return value * (__int128(1) << -bitsRight);
  if (bitsRight > 120)
    return floors && value < 0 ? -1 : 0;
  if (floors || value >= 0)
    return value >> bitsRight;
  return -(-value >> bitsRight);
}

float MfmaFixture::grouped(unsigned block, unsigned i, unsigned j) const {
  const MfmaShape &s = description;
  unsigned size = s.a == MfmaType::XF32     ? 4
                  : mfmaTypeBits(s.a) == 16 ? std::min(8u, s.k)
                                            : 16;
  float c = float(elementValue(MfmaType::F32, fp8(), getC(block, i, j)));
  for (unsigned first = 0; first < s.k; first += size) {
    double special = std::isfinite(c) ? 0 : double(c);
    // Products in units of 2^(exponent - 46).
    std::vector<Parts> products;
    for (unsigned k = first; k < first + size; ++k) {
      double product = scaledA(block, i, k) * scaledB(block, j, k);
      if (!(std::fabs(product) < std::ldexp(1.0, 128))) {
        special += std::isnan(product) ? NAN
                   : product > 0       ? HUGE_VAL
                                       : -HUGE_VAL;
        continue;
      }
      Parts a = takeApart(aValues[position(block, i, k)],
                          denormalExponent(s.a, fp8()));
      Parts b = takeApart(bValues[position(block, j, k)],
                          denormalExponent(s.b, fp8()));
      int scale = s.scaled ? int(getScaleA(i, k / 32)) - 127 +
                                 int(getScaleB(j, k / 32)) - 127
                           : 0;
      products.push_back(
          {a.mantissa * b.mantissa, a.exponent + b.exponent + scale});
    }
    if (special != 0) {
      c = float(special);
      continue;
    }
    // Sums in units of 2^(exponent - 24).
    auto reduce = [&](unsigned from, unsigned step) {
      Parts sum = {0, std::numeric_limits<int>::min()};
      for (unsigned p = from; p < size; p += step)
        sum.exponent = std::max(sum.exponent, products[p].exponent);
      for (unsigned p = from; p < size; p += step)
        sum.mantissa += int64_t(
            toUnit(products[p].mantissa,
                   46 - 24 + sum.exponent - products[p].exponent, false));
      return sum;
    };
    Parts sum;
    if (size == 16) {
      Parts even = reduce(0, 2), odd = reduce(1, 2);
      sum.exponent = std::max(even.exponent, odd.exponent);
      sum.mantissa =
          int64_t(toUnit(even.mantissa, sum.exponent - even.exponent, true) +
                  toUnit(odd.mantissa, sum.exponent - odd.exponent, true));
    } else {
      sum = reduce(0, 1);
    }
    Parts addend = takeApart(c, -126);
    int exponent = std::max(sum.exponent, addend.exponent);
    __int128 total = toUnit(sum.mantissa, exponent - sum.exponent - 7, true);
    if (size != 16 || addend.exponent >= exponent - 25)
      total +=
          toUnit(addend.mantissa, exponent - addend.exponent - 1, true) * 128;
    BigSum rounded;
    rounded.add(std::ldexp(double(int64_t(total)), exponent - 31));
    c = rounded.nearestFloat();
  }
  return c;
}

} // namespace fly::test
