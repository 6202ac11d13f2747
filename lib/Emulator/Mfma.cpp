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
#include <optional>

using namespace llvm;

namespace fly {

using namespace mfma;

namespace {
/// Scales of one operand, [k / 32][m].
struct Scales {
  std::array<uint8_t, maxScales> codes;
  ScaleZero zero = ScaleZero::Minus127;
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
  /// Code 0 as f32: 2^-127, 2^-126, 0.
  static constexpr uint32_t zeroBits[] = {0x00400000u, 0x00800000u, 0};
  /// The power of two of code \p i, for multiplyScalar().
  int16_t exponent(unsigned i) const {
    static constexpr int16_t zeros[] = {-127, -126, flushedScale};
    return codes[i] ? int16_t(codes[i] - 127) : zeros[unsigned(zero)];
  }
  /// The scales as f32.
  void factors(float *values) const {
    uint32_t bits[maxScales];
    for (unsigned i = 0; i < maxScales; ++i) {
      uint32_t code = codes[i];
      uint32_t denormal = code == 0 ? zeroBits[unsigned(zero)] : 0;
      uint32_t quiet = code == nan ? 0x00400000u : 0;
      bits[i] = code << 23 | denormal | quiet;
    }
    std::memcpy(values, bits, sizeof(bits));
  }
};

/// Where the scales of an operand are: a row of registers, or one for all.
struct ScaleInput {
  uint32_t row[64];
  uint8_t byte;
  ScaleZero zero;

  ScaleInput(MfmaRegisters registers, const MfmaSource &source, uint8_t byte,
             ScaleZero zero)
      : byte(byte), zero(zero) {
    if (!source.isConstant) {
      std::memcpy(row, registers[source.row], sizeof(row));
      return;
    }
    // Of a float constant the exponent counts; integers give 0 (CDNA4 ISA
    // manual 7.2). No float constant is a NaN, but small negative integers
    // look like one.
    uint8_t exponent = uint8_t(source.constant >> 23);
    std::fill_n(row, 64, exponent == Scales::nan ? 0 : exponent << (8 * byte));
  }

  bool operator==(const ScaleInput &other) const {
    return byte == other.byte && std::memcmp(row, other.row, sizeof(row)) == 0;
  }
  Scales read() const {
    Scales scales;
    scales.zero = zero;
    for (unsigned lane = 0; lane < maxScales; ++lane)
      scales.codes[lane] = uint8_t(row[lane] >> (8 * byte));
    return scales;
  }
};

/// One operand as the instruction finds it.
struct Input {
  unsigned row; ///< of the register file
  OperandLayout layout;
  const uint32_t *rows; ///< the registers, or a permuted copy
  std::optional<ScaleInput> scale;
};

/// One unpacked operand and what it was made of.
struct alignas(64) Unpacked {
  /// One of the two is set, by the instruction's shape; none if the scales need
  /// the scalar path.
  float values[maxValues];
  uint32_t pairs[maxValues / 2];
  uint32_t rows[maxOperandRegisters][64];
  std::optional<ScaleInput> scale;
  bool needScalar = false, smallPairs = false;
  MfmaType type = MfmaType::F32;
  unsigned m = 0, k = 0;

  bool isOf(const Input &input) const {
    const OperandLayout &layout = input.layout;
    return type == layout.type && m == layout.m && k == layout.k &&
           scale == input.scale &&
           std::memcmp(rows, input.rows, layout.registers * sizeof(rows[0])) ==
               0;
  }
  /// \p floats: memory for maxValues.
  void set(const Input &input, bool wantPairs, float *floats);
};

/// Memory of one execution.
struct alignas(64) Scratch {
  Unpacked a, b;
  float floats[maxValues];
  uint32_t aRows[maxOperandRegisters][64];
  uint32_t bRows[maxOperandRegisters][64];
  uint32_t c[maxResultRegisters][64];
};
} // namespace

void Unpacked::set(const Input &input, bool wantPairs, float *floats) {
  type = input.layout.type;
  m = input.layout.m;
  k = input.layout.k;
  scale = input.scale;
  std::memcpy(rows, input.rows, input.layout.registers * sizeof(rows[0]));
  needScalar = false;
  alignas(64) float factors[maxScales];
  if (scale) {
    Scales scales = scale->read();
    needScalar = scales.needScalar();
    scales.factors(factors);
  }
  if (needScalar)
    return;
  float *to = wantPairs ? floats : values;
  unpack(input.layout, input.rows, scale ? factors : nullptr, to);
  if (wantPairs)
    smallPairs = packPairs(m, k, floats, pairs);
}

struct MfmaCache::Storage {
  /// By half of the first row: operands of more than one register are aligned.
  std::array<std::unique_ptr<Unpacked>, 256> entries;

  const Unpacked &find(const Input &input, bool wantPairs, float *floats) {
    std::unique_ptr<Unpacked> &entry = entries[input.row / 2];
    if (!entry)
      entry = std::make_unique<Unpacked>();
    else if (entry->isOf(input))
      return *entry;
    entry->set(input, wantPairs, floats);
    return *entry;
  }
};

MfmaCache::MfmaCache() : storage(std::make_unique<Storage>()) {}
MfmaCache::~MfmaCache() = default;

Expected<Mfma> Mfma::create(StringRef name, const MfmaModifiers &modifiers,
                            const TargetInfo &target, MfmaRounding rounding,
                            ScaleZero scaleZero) {
  Expected<MfmaShape> shape = parseMfmaName(name, modifiers);
  if (!shape)
    return shape.takeError();
  Mfma result;
  result.shapeOf = *shape;
  result.modifiers = modifiers;
  result.fp8 = target.fp8;
  result.rounding = rounding;
  result.scaleZero = scaleZero;
  result.isPlain16 =
      (shape->a == MfmaType::BF16 || shape->a == MfmaType::F16) &&
      shape->blocks == 1 && modifiers.cbsz == 0 && modifiers.blgp == 0 &&
      rounding == MfmaRounding::SequentialFused;
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

int mfma::minExponent(MfmaType type, Fp8Format fp8) {
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

static void runScalar(const MfmaShape &shape, const Input &a, const Input &b,
                      const Accumulator &accumulator, MfmaRounding rounding,
                      Scratch &scratch) {
  int16_t exponents[2][maxScales];
  auto operand = [](const Input &input, float *values, int16_t *buffer) {
    unpack(input.layout, input.rows, nullptr, values);
    if (input.scale) {
      Scales scales = input.scale->read();
      for (unsigned i = 0; i < maxScales; ++i)
        buffer[i] = scales.exponent(i);
    }
    return ScaledOperand{values, input.scale ? buffer : nullptr,
                         minExponent(input.layout.type, input.layout.fp8)};
  };
  multiplyScalar(shape, operand(a, scratch.a.values, exponents[0]),
                 operand(b, scratch.b.values, exponents[1]), accumulator,
                 rounding);
}

/// Whether operands are to be unpacked to pairs of bf16.
static bool takesPairs(const MfmaShape &shape) {
  auto fits = [](MfmaType type) {
    return type == MfmaType::BF16 || mfmaTypeBits(type) <= 8;
  };
  return shape.blocks == 1 && fits(shape.a) && fits(shape.b) && hasPairs();
}

/// SequentialFused of unpacked operands, from \p cache if it is not null.
static void runFused(const MfmaShape &shape, const Input &a, const Input &b,
                     const Accumulator &accumulator, MfmaCache::Storage *cache,
                     Scratch &scratch) {
  bool wantPairs = takesPairs(shape);
  auto unpacked = [&](const Input &input, MfmaCache::Storage *cache,
                      Unpacked &local) -> const Unpacked & {
    if (cache)
      return cache->find(input, wantPairs, scratch.floats);
    local.set(input, wantPairs, scratch.floats);
    return local;
  };
  const Unpacked &unpackedA = unpacked(a, cache, scratch.a);
  // One entry cannot hold both.
  bool apart = a.row / 2 != b.row / 2;
  const Unpacked &unpackedB = unpacked(b, apart ? cache : nullptr, scratch.b);
  if (unpackedA.needScalar || unpackedB.needScalar)
    return runScalar(shape, a, b, accumulator, MfmaRounding::SequentialFused,
                     scratch);
  if (wantPairs)
    multiplyPairs(shape, {unpackedA.pairs, unpackedA.smallPairs},
                  {unpackedB.pairs, unpackedB.smallPairs}, accumulator);
  else
    multiplyFused(shape, unpackedA.values, unpackedB.values, accumulator);
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

/// Whether D is C and apart from B: the accumulation of every 16-bit GEMM.
bool Mfma::accumulates16(const MfmaOperands &operands) const {
  if (!isPlain16 || operands.c.isConstant || operands.c.row != operands.d)
    return false;
  unsigned inputs = shapeOf.m * shapeOf.k / 128;
  unsigned results = shapeOf.m * shapeOf.m / 64;
  return operands.b + inputs <= operands.d ||
         operands.d + results <= operands.b;
}

void Mfma::execute(MfmaRegisters registers, const MfmaOperands &operands,
                   MfmaCache *cache, bool flushInputs) const {
  if (!accumulates16(operands))
    return executeAny(registers, operands, cache, flushInputs);
  const uint32_t *a = registers[operands.a], *b = registers[operands.b];
  uint32_t *d = registers[operands.d];
  if (shapeOf.a == MfmaType::BF16 && hasPairs())
    multiplyBf16Pairs(shapeOf, a, b, d);
  else
    multiplyFromRegisters(shapeOf, a, b, d);
}

void Mfma::executeAny(MfmaRegisters registers, const MfmaOperands &operands,
                      MfmaCache *cache, bool flushInputs) const {
  const MfmaShape &shape = shapeOf;
  Scratch scratch;
  bool flush = flushInputs && shape.a == MfmaType::F32;
  Input a = {
      operands.a,
      {shape.a, fp8, shape.m, shape.k, shape.blocks, shape.aRegisters(), flush},
      registers[operands.a],
      std::nullopt};
  Input b = {
      operands.b,
      {shape.b, fp8, shape.n, shape.k, shape.blocks, shape.bRegisters(), flush},
      registers[operands.b],
      std::nullopt};
  bool broadcastA = !shape.f8f6f4 && modifiers.cbsz != 0;
  bool permuteB =
      !shape.f8f6f4 && modifiers.blgp != 0 && shape.result != MfmaResult::F64;
  if (broadcastA)
    a.rows =
        permute(a.rows, a.layout.registers, scratch.aRows, [&](unsigned lane) {
          return sourceLaneOfA(shape, modifiers, lane);
        });
  if (permuteB)
    b.rows =
        permute(b.rows, b.layout.registers, scratch.bRows, [&](unsigned lane) {
          return sourceLaneOfB(modifiers.blgp, lane);
        });
  if (shape.scaled) {
    a.scale.emplace(registers, operands.scaleA, operands.scaleByteA, scaleZero);
    b.scale.emplace(registers, operands.scaleB, operands.scaleByteB, scaleZero);
  }
  Accumulator accumulator = locateC(shape, registers, operands, scratch);
  if (shape.result == MfmaResult::F64)
    return multiplyF64(shape, a.rows, b.rows, accumulator, modifiers.blgp,
                       rounding);
  bool sequential =
      rounding == MfmaRounding::SequentialFused ||
      shape.result == MfmaResult::I32 ||
      (shape.a == MfmaType::F32 && rounding == MfmaRounding::Cdna3Grouped);
  if (!sequential)
    return runScalar(shape, a, b, accumulator, rounding, scratch);
  bool cacheable = cache && shape.elements() > 4 && !broadcastA && !permuteB;
  runFused(shape, a, b, accumulator, cacheable ? cache->storage.get() : nullptr,
           scratch);
}

} // namespace fly
