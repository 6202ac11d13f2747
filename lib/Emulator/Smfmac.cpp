//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Emulator/Smfmac.h"

#include "MfmaInternal.h"
#include "fly/Numerics/SmallFloat.h"

#include <cstring>

using namespace llvm;

namespace fly {

using namespace mfma;

Expected<Smfmac> Smfmac::create(StringRef name, uint8_t cbsz, uint8_t abid,
                                const TargetInfo &target,
                                MfmaRounding rounding) {
  Expected<MfmaShape> shape = parseMfmaName(name, MfmaModifiers());
  if (!shape)
    return shape.takeError();
  if (!shape->sparse)
    return createStringError(name + " is no sparse matrix instruction");
  Smfmac result;
  result.shapeOf = *shape;
  result.fp8 = target.fp8;
  result.rounding = rounding;
  unsigned setBits = shape->elements();
  if (cbsz == 0)
    result.indexShift = uint8_t(abid % (32 / setBits) * setBits);
  return result;
}

namespace {
/// Element \p n of a lane's operand of 8 or 16-bit elements.
class Elements {
public:
  Elements(MfmaType type, Fp8Format fp8, MfmaRegisters registers, unsigned row)
      : type(type), rows(registers + row), bits(mfmaTypeBits(type)) {
    if (type == MfmaType::FP8 || type == MfmaType::BF8)
      table = decodeTable(kindOf(type, fp8)).data();
  }
  uint32_t code(unsigned lane, unsigned n) const {
    uint32_t word = rows[n * bits / 32][lane];
    return word >> (n * bits % 32) & ((1u << bits) - 1);
  }
  float value(unsigned lane, unsigned n) const {
    uint32_t c = code(lane, n);
    if (table)
      return table[c];
    if (type == MfmaType::BF16)
      return bf16ToFloat(uint16_t(c));
    if (type == MfmaType::I8)
      return float(int8_t(c));
    uint16_t half = uint16_t(c);
    _Float16 f;
    std::memcpy(&f, &half, 2);
    return float(f);
  }

private:
  static FloatKind kindOf(MfmaType type, Fp8Format fp8);
  MfmaType type;
  MfmaRegisters rows;
  unsigned bits;
  const float *table = nullptr;
};
} // namespace

FloatKind Elements::kindOf(MfmaType type, Fp8Format fp8) {
  bool fnuz = fp8 == Fp8Format::FNUZ;
  if (type == MfmaType::FP8)
    return fnuz ? FloatKind::E4M3FNUZ : FloatKind::E4M3FN;
  return fnuz ? FloatKind::E5M2FNUZ : FloatKind::E5M2;
}

void Smfmac::execute(MfmaRegisters registers,
                     const SmfmacOperands &operands) const {
  const MfmaShape &shape = shapeOf;
  const unsigned groups = 64 / shape.m, kept = shape.elements() / 2;
  Elements a(shape.a, fp8, registers, operands.a);
  Elements b(shape.b, fp8, registers, operands.b);
  const int aMin = minExponent(shape.a, fp8), bMin = minExponent(shape.b, fp8);
  // D may be the registers of an operand.
  uint32_t result[maxResultRegisters][64];
  for (unsigned i = 0; i != shape.m; ++i) {
    RowPlace place = placeOfRow(shape, 0, i);
    for (unsigned j = 0; j != shape.n; ++j) {
      uint32_t c = registers[operands.d + place.reg][place.lane + j];
      Line row, column;
      uint32_t sum = c;
      for (unsigned g = 0; g != groups; ++g) {
        unsigned aLane = g * shape.m + i, bLane = g * shape.n + j;
        uint32_t indices = registers[operands.indices][aLane] >> indexShift;
        for (unsigned e = 0; e != kept; ++e) {
          unsigned n = e / 2 * 4 + (indices >> (2 * e) & 3);
          float x = a.value(aLane, e), y = b.value(bLane, n);
          if (shape.result == MfmaResult::I32) {
            sum += uint32_t(int32_t(x) * int32_t(y));
            continue;
          }
          row.append(x, aMin, 0);
          column.append(y, bMin, 0);
        }
      }
      if (shape.result == MfmaResult::F32)
        sum = floatBits(dot(shape, row, column, floatFromBits(c), rounding));
      result[place.reg][place.lane + j] = sum;
    }
  }
  std::memcpy(registers[operands.d], result,
              shape.dRegisters() * sizeof(result[0]));
}

} // namespace fly
