//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Runs one MFMA: finds its operands, unpacks them, picks the policy.

#include "fly/Emulator/Mfma.h"

#include "MfmaInternal.h"

#include <algorithm>
#include <array>
#include <cstring>

using namespace llvm;

namespace fly {

using namespace mfma;

namespace {
/// Scales of one operand, [k / 32][m].
struct Scales {
  std::array<uint8_t, maxScales> codes;
  /// Beyond this 57344 times the scale leaves f32. No scale makes a value
  /// inexact at the lower end: 2^-16 2^-127 is a denormal of f32.
  static constexpr uint8_t largestDirect = 238;
  static constexpr uint8_t nan = 255;

  bool needScalar() const {
    unsigned count = 0;
    for (uint8_t code : codes)
      count += code > largestDirect && code != nan;
    return count != 0;
  }
  /// The scales as f32.
  void factors(float *values) const {
    uint32_t bits[maxScales];
    for (unsigned i = 0; i < maxScales; ++i) {
      uint32_t code = codes[i];
      uint32_t denormal = code == 0 ? 0x00400000u : 0;
      uint32_t quiet = code == nan ? 0x00400000u : 0;
      bits[i] = code << 23 | denormal | quiet;
    }
    std::memcpy(values, bits, sizeof(bits));
  }
};

/// Memory of one execution.
struct alignas(64) Scratch {
  float a[maxValues];
  float b[maxValues];
  uint32_t aRows[maxOperandRegisters][64];
  uint32_t bRows[maxOperandRegisters][64];
  uint32_t c[maxResultRegisters][64];
};
} // namespace

/// One unpacked operand and what it was made of.
struct alignas(64) CacheEntry {
  uint32_t rows[maxOperandRegisters][64];
  float values[maxValues];
  Scales scales;
  MfmaType type;
  unsigned m = 0, k = 0;
};

struct MfmaCache::Storage {
  /// By half of the first row: operands of more than one register are aligned.
  std::array<std::unique_ptr<CacheEntry>, 256> entries;
};

MfmaCache::MfmaCache() : storage(std::make_unique<Storage>()) {}
MfmaCache::~MfmaCache() = default;

Expected<Mfma> Mfma::create(StringRef name, const MfmaModifiers &modifiers,
                            const TargetInfo &target, MfmaRounding rounding) {
  Expected<MfmaShape> shape = parseMfmaName(name, modifiers);
  if (!shape)
    return shape.takeError();
  Mfma result;
  result.shapeOf = *shape;
  result.modifiers = modifiers;
  result.fp8 = target.fp8;
  result.rounding = rounding;
  return result;
}

/// The lane that feeds lane \p lane of B.
static unsigned sourceLaneOfB(unsigned blgp, unsigned lane) {
  switch (blgp) {
  case 1:
    return lane % 32;
  case 2:
    return 32 + lane % 32;
  case 3:
    return (lane + 16) % 64;
  case 0:
    return lane;
  default:
    return 16 * (blgp - 4) + lane % 16;
  }
}

/// The lane that feeds lane \p lane of A: the same row of another block.
static unsigned sourceLaneOfA(const MfmaShape &shape,
                              const MfmaModifiers &modifiers, unsigned lane) {
  unsigned block = lane / shape.m % shape.blocks;
  unsigned groupStart = block & ~((1u << modifiers.cbsz) - 1);
  return lane - block * shape.m + (groupStart + modifiers.abid) * shape.m;
}

template <typename SourceLane>
static const uint32_t *permute(const uint32_t *rows, unsigned registers,
                               uint32_t (*to)[64], SourceLane sourceLane) {
  for (unsigned r = 0; r < registers; ++r)
    for (unsigned lane = 0; lane < 64; ++lane)
      to[r][lane] = rows[r * 64 + sourceLane(lane)];
  return to[0];
}

static Scales readScales(MfmaRegisters registers, const MfmaSource &source,
                         unsigned byte) {
  Scales scales;
  if (source.isConstant) {
    // Of a float constant the exponent counts; integers give 0 (CDNA4 ISA
    // manual 7.2). No float constant is a NaN, but small negative integers
    // look like one.
    uint8_t exponent = uint8_t(source.constant >> 23);
    scales.codes.fill(exponent == Scales::nan ? 0 : exponent);
    return scales;
  }
  const uint32_t *row = registers[source.row];
  for (unsigned lane = 0; lane < maxScales; ++lane)
    scales.codes[lane] = uint8_t(row[lane] >> (8 * byte));
  return scales;
}

static void unpackScaled(const OperandLayout &layout, const uint32_t *rows,
                         const Scales *scales, float *values) {
  alignas(64) float factors[maxScales];
  if (scales)
    scales->factors(factors);
  unpack(layout, rows, scales ? factors : nullptr, values);
}

/// The unpacked values, from \p entry if it is still right.
static const float *unpackCached(const OperandLayout &layout,
                                 const uint32_t *rows, const Scales *scales,
                                 std::unique_ptr<CacheEntry> &entry) {
  size_t bytes = layout.registers * sizeof(entry->rows[0]);
  if (!entry)
    entry = std::make_unique<CacheEntry>();
  else if (entry->type == layout.type && entry->m == layout.m &&
           entry->k == layout.k &&
           (!scales || entry->scales.codes == scales->codes) &&
           std::memcmp(entry->rows, rows, bytes) == 0)
    return entry->values;
  std::memcpy(entry->rows, rows, bytes);
  entry->type = layout.type;
  entry->m = layout.m;
  entry->k = layout.k;
  if (scales)
    entry->scales = *scales;
  unpackScaled(layout, rows, scales, entry->values);
  return entry->values;
}

/// The exponent of the denormals of \p type.
static int minExponent(MfmaType type, Fp8Format fp8) {
  int fnuz = fp8 == Fp8Format::FNUZ ? 1 : 0;
  switch (type) {
  case MfmaType::F16:
    return -14;
  case MfmaType::FP8:
    return -6 - fnuz;
  case MfmaType::BF8:
    return -14 - fnuz;
  case MfmaType::FP6:
  case MfmaType::FP4:
    return 0;
  case MfmaType::BF6:
    return -2;
  default:
    return -126;
  }
}

static void runScalar(const MfmaShape &shape, const OperandLayout &aLayout,
                      const OperandLayout &bLayout, const uint32_t *aRows,
                      const uint32_t *bRows, const Scales *aScales,
                      const Scales *bScales, const Accumulator &accumulator,
                      MfmaRounding rounding, Scratch &scratch) {
  int16_t exponents[2][maxScales];
  auto operand = [&](const OperandLayout &layout, const uint32_t *rows,
                     const Scales *scales, float *values, int16_t *buffer) {
    unpack(layout, rows, nullptr, values);
    for (unsigned i = 0; scales && i < maxScales; ++i)
      buffer[i] = int16_t(scales->codes[i] - 127);
    return ScaledOperand{values, scales ? buffer : nullptr,
                         minExponent(layout.type, layout.fp8)};
  };
  multiplyScalar(shape,
                 operand(aLayout, aRows, aScales, scratch.a, exponents[0]),
                 operand(bLayout, bRows, bScales, scratch.b, exponents[1]),
                 accumulator, rounding);
}

/// Where C is read from: in place if it is D or apart from it, else a copy.
static Accumulator locateC(const MfmaShape &shape, MfmaRegisters registers,
                           const MfmaOperands &operands, Scratch &scratch) {
  unsigned count = shape.dRegisters();
  Accumulator result = {registers[operands.c.row], 64, registers[operands.d]};
  unsigned words = shape.result == MfmaResult::F64 ? 2 : 1;
  if (operands.c.isConstant) {
    for (unsigned r = 0; r < (words == 2 ? count : 1); ++r)
      std::fill_n(scratch.c[r], 64,
                  uint32_t(operands.c.constant >> (r % words * 32)));
    result.c = scratch.c[0];
    result.cStride = words == 2 ? 64 : 0;
  }
  bool apart = operands.c.isConstant || operands.c.row == operands.d ||
               operands.c.row + count <= operands.d ||
               operands.d + count <= operands.c.row;
  if (apart && !operands.absC && !operands.negC)
    return result;
  for (unsigned r = 0; r < count; ++r)
    for (unsigned lane = 0; lane < 64; ++lane) {
      uint32_t value = result.c[r * result.cStride + lane];
      value &= operands.absC ? 0x7fffffff : 0xffffffff;
      scratch.c[r][lane] = value ^ (operands.negC ? 0x80000000 : 0);
    }
  result.c = scratch.c[0];
  result.cStride = 64;
  return result;
}

void Mfma::execute(MfmaRegisters registers, const MfmaOperands &operands,
                   MfmaCache *cache, bool flushInputs) const {
  const MfmaShape &shape = shapeOf;
  Scratch scratch;
  const uint32_t *aRows = registers[operands.a];
  const uint32_t *bRows = registers[operands.b];
  bool broadcast = !shape.f8f6f4 && modifiers.cbsz != 0;
  if (broadcast)
    aRows =
        permute(aRows, shape.aRegisters(), scratch.aRows, [&](unsigned lane) {
          return sourceLaneOfA(shape, modifiers, lane);
        });
  Accumulator accumulator = locateC(shape, registers, operands, scratch);
  if (shape.result == MfmaResult::F64)
    return multiplyF64(shape, aRows, bRows, accumulator, modifiers.blgp,
                       rounding);
  if (!shape.f8f6f4 && modifiers.blgp != 0) {
    broadcast = true;
    bRows =
        permute(bRows, shape.bRegisters(), scratch.bRows, [&](unsigned lane) {
          return sourceLaneOfB(modifiers.blgp, lane);
        });
  }
  bool flush = flushInputs && shape.a == MfmaType::F32;
  OperandLayout aLayout = {
      shape.a, fp8, shape.m, shape.k, shape.blocks, shape.aRegisters(), flush};
  OperandLayout bLayout = {
      shape.b, fp8, shape.n, shape.k, shape.blocks, shape.bRegisters(), flush};
  Scales aScales, bScales;
  const Scales *aUsed = nullptr, *bUsed = nullptr;
  if (shape.scaled) {
    aScales = readScales(registers, operands.scaleA, operands.scaleByteA);
    bScales = readScales(registers, operands.scaleB, operands.scaleByteB);
    aUsed = &aScales;
    bUsed = &bScales;
  }
  bool sequential =
      rounding == MfmaRounding::SequentialFused ||
      shape.result == MfmaResult::I32 ||
      (shape.a == MfmaType::F32 && rounding == MfmaRounding::Cdna3Grouped);
  if (!sequential ||
      (shape.scaled && (aScales.needScalar() || bScales.needScalar())))
    return runScalar(shape, aLayout, bLayout, aRows, bRows, aUsed, bUsed,
                     accumulator, rounding, scratch);
  if (shape.a == MfmaType::BF16 && shape.blocks == 1 &&
      (operands.b + shape.bRegisters() <= operands.d ||
       operands.d + shape.dRegisters() <= operands.b)) {
    // Unpacking bf16 costs as much as a look into the cache.
    unpack(aLayout, aRows, nullptr, scratch.a);
    return multiplyFusedBf16(shape, scratch.a, bRows, accumulator);
  }
  const float *a = scratch.a, *b = scratch.b;
  if (cache && shape.elements() > 4 && !broadcast) {
    auto &entries = cache->storage->entries;
    a = unpackCached(aLayout, aRows, aUsed, entries[operands.a / 2]);
    if (operands.a / 2 != operands.b / 2)
      b = unpackCached(bLayout, bRows, bUsed, entries[operands.b / 2]);
    else
      unpackScaled(bLayout, bRows, bUsed, scratch.b);
  } else {
    unpackScaled(aLayout, aRows, aUsed, scratch.a);
    unpackScaled(bLayout, bRows, bUsed, scratch.b);
  }
  multiplyFused(shape, a, b, accumulator);
}

} // namespace fly
