//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// A register file for MFMA tests that is addressed by matrix element, with the
/// layouts as AMD's matrix instruction calculator prints them, and references
/// for the rounding policies. Shares no code with the implementation.

#ifndef FLY_TEST_UNIT_EMULATOR_MFMAREFERENCE_H
#define FLY_TEST_UNIT_EMULATOR_MFMAREFERENCE_H

#include "fly/Emulator/Mfma.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace fly::test {

/// The value of an element's bits, by the definition of its type.
double elementValue(MfmaType type, Fp8Format fp8, uint64_t code);

/// Names of the matrix instructions that begin with \p prefix, on \p arch.
std::set<std::string> matrixInstructions(llvm::StringRef prefix,
                                         llvm::StringRef arch);

/// A sum of doubles without any rounding, as a big binary number.
class BigSum {
public:
  void add(double value);
  /// The f32 nearest to the sum, ties to even, found by bisection.
  float nearestFloat() const;

private:
  static constexpr int lowest = -1100, limbs = 80;
  int compareWith(double value) const;
  /// Two's complement, 32 bits a limb, least first.
  uint32_t digits[limbs] = {};
};

/// One instruction with its registers: A at v0, B at v16, C at v32, D at a0,
/// scales at v80 and v81.
class MfmaFixture {
public:
  MfmaFixture(llvm::StringRef name, llvm::StringRef arch,
              MfmaModifiers modifiers = {});

  const MfmaShape &shape() const { return description; }
  Fp8Format fp8() const { return target->fp8; }

  /// Bits of elements by position.
  void setA(unsigned block, unsigned i, unsigned k, uint64_t code);
  void setB(unsigned block, unsigned j, unsigned k, uint64_t code);
  void setC(unsigned block, unsigned i, unsigned j, uint64_t bits);
  uint64_t getA(unsigned block, unsigned i, unsigned k) const;
  uint64_t getB(unsigned block, unsigned j, unsigned k) const;
  uint64_t getC(unsigned block, unsigned i, unsigned j) const;
  uint64_t getD(unsigned block, unsigned i, unsigned j) const;
  /// Scale of row i (of B: column) and k block kb, with random other bytes.
  void setScaleA(unsigned i, unsigned kb, uint8_t code);
  void setScaleB(unsigned j, unsigned kb, uint8_t code);
  uint8_t getScaleA(unsigned i, unsigned kb) const;
  uint8_t getScaleB(unsigned j, unsigned kb) const;

  void run(MfmaRounding rounding, MfmaCache *cache = nullptr,
           bool flushInputs = false);

  /// What D[i][j] of a block must be after the last run(), f32 results.
  float expected(MfmaRounding rounding, unsigned block, unsigned i,
                 unsigned j) const;

  MfmaOperands operands;
  uint32_t (*regs)[64];

private:
  struct Place {
    unsigned reg, lane, bit, bits;
  };
  Place inputPlace(MfmaType type, unsigned block, unsigned i, unsigned k) const;
  Place resultPlace(unsigned block, unsigned i, unsigned j) const;
  void write(unsigned row, Place place, uint64_t value);
  uint64_t read(unsigned row, Place place) const;
  /// The operands as they are now, for expected().
  void readOperands();
  size_t position(unsigned block, unsigned i, unsigned k) const;
  double scaledA(unsigned block, unsigned i, unsigned k) const;
  double scaledB(unsigned block, unsigned j, unsigned k) const;
  float grouped(unsigned block, unsigned i, unsigned j) const;

  std::string name;
  const TargetInfo *target;
  MfmaModifiers modifiers;
  MfmaShape description;
  std::unique_ptr<uint8_t[]> storage;
  /// [blocks][m][k], without and with scales, of the last run().
  std::vector<double> aValues, bValues, aScaled, bScaled;
};

} // namespace fly::test

#endif // FLY_TEST_UNIT_EMULATOR_MFMAREFERENCE_H
