//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Inspect/MfmaTiming.h"

#include "fly/Arch/MatrixRates.h"

using namespace llvm;

namespace fly {

/// The field cbsz or blgp of an f8f6f4 form: operands 4 and 5, after D, A, B
/// and C.
static MfmaModifiers modifiersOf(const Instruction &inst) {
  MfmaModifiers modifiers;
  if (inst.key.contains("f8f6f4") && inst.numOperands > 5) {
    modifiers.cbsz = uint8_t(inst.operand(4).imm);
    modifiers.blgp = uint8_t(inst.operand(5).imm);
  }
  return modifiers;
}

std::optional<MfmaShape> mfmaShapeOf(const Instruction &inst) {
  Expected<MfmaShape> shape = parseMfmaName(inst.key, modifiersOf(inst));
  if (shape)
    return *shape;
  consumeError(shape.takeError());
  return std::nullopt;
}

static StringRef nameOfType(MfmaType type) {
  switch (type) {
  case MfmaType::FP8:
    return "fp8";
  case MfmaType::BF8:
    return "bf8";
  case MfmaType::FP6:
    return "fp6";
  case MfmaType::BF6:
    return "bf6";
  default:
    return "fp4";
  }
}

std::string mfmaNameOf(const Instruction &inst) {
  std::string name = inst.key.str();
  std::optional<MfmaShape> shape = mfmaShapeOf(inst);
  if (shape && shape->f8f6f4)
    name += (" " + nameOfType(shape->a) + " " + nameOfType(shape->b)).str();
  return name;
}

uint64_t mfmaFlops(const MfmaShape &shape) {
  return uint64_t(2) * shape.m * shape.n * shape.k * shape.blocks;
}

static bool hasEightBits(const MfmaShape &shape) {
  return mfmaTypeBits(shape.a) == 8 || mfmaTypeBits(shape.b) == 8;
}

unsigned mfmaCycles(const MfmaShape &shape, const TargetInfo &target) {
  constexpr unsigned cyclesPerPass = 4;
  bool small = shape.m == 16;
  unsigned passes;
  if (shape.result == MfmaResult::F64)
    passes = shape.m == 4 ? 4
                          : unsigned(mfmaFlops(shape)) /
                                matrixRatesOf(target).f64 / cyclesPerPass;
  else if (shape.m == 4)
    passes = 2;
  else if (shape.f8f6f4)
    passes = (small ? 4 : 8) * (hasEightBits(shape) ? 2 : 1);
  else if (shape.blocks > 1 || shape.a == MfmaType::F32)
    passes = small ? 8 : 16;
  else
    passes = small ? 4 : 8;
  return passes * cyclesPerPass;
}

/// Of the wider one of the two operands' types.
static unsigned bestRate(const MfmaShape &shape, const MatrixRates &rates) {
  switch (shape.a) {
  case MfmaType::F64:
    return rates.f64;
  case MfmaType::F32:
    return rates.f32;
  case MfmaType::XF32:
    return rates.xf32;
  case MfmaType::F16:
  case MfmaType::BF16:
    return rates.float16;
  case MfmaType::I8:
    return rates.int8;
  default:
    return hasEightBits(shape) ? rates.float8 : rates.float6and4;
  }
}

double mfmaRate(const MfmaShape &shape, const TargetInfo &target) {
  unsigned best = bestRate(shape, matrixRatesOf(target));
  if (best == 0)
    return 1;
  return double(mfmaFlops(shape)) / mfmaCycles(shape, target) / best;
}

} // namespace fly
