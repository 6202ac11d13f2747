//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EncodingCheck.h"

#include "llvm/Support/Endian.h"

namespace fly {

namespace {

/// The two dwords of an encoding of 64 bits.
struct Encoding64 {
  uint32_t first, second;

  explicit Encoding64(const uint8_t *code)
      : first(llvm::support::endian::read32le(code)),
        second(llvm::support::endian::read32le(code + 4)) {}

  // CDNA3 ISA manual, "Microcode Formats".
  bool isVop3() const { return first >> 26 == 0x34; }
  bool isBuffer() const { return first >> 26 == 0x38 || first >> 26 == 0x3a; }
  bool isVop1() const { return first >> 25 == 0x3f; }
  bool isVopc() const { return first >> 25 == 0x3e; }
  bool isSdwa() const { return first >> 31 == 0 && (first & 0x1ff) == 0xf9; }
  /// The VOP3 whose destination is a scalar register of 8 bits: compares and
  /// v_readlane_b32.
  bool writesScalar() const {
    return first >> 24 == 0xd0 || opcode() == 0xd289;
  }
  /// The VOP1 that has one.
  bool isReadFirstLane() const { return isVop1() && (first >> 9 & 0xff) == 2; }
  /// v_mfma_f32_16x16x128_f8f6f4 and v_mfma_f32_32x32x64_f8f6f4.
  bool isF8f6f4() const { return opcode() == 0xd3ad || opcode() == 0xd3ae; }
  /// The first half of the scaled ones.
  bool isScale() const { return opcode() == 0xd3ac; }
  /// All but v_accvgpr_read_b32 and v_accvgpr_write_b32.
  bool isMatrix() const {
    return isF8f6f4() || (opcode() >= 0xd3b4 && opcode() <= 0xd3ff &&
                          opcode() != 0xd3d8 && opcode() != 0xd3d9);
  }
  /// v_cvt_scalef32_2xpk16_*, v_cvt_scalef32_pk32_* and
  /// v_cvt_scalef32_sr_pk32_*; the first of these read two sources of many
  /// registers.
  bool isConversionOf32() const {
    return opcode() >= 0xd252 && opcode() <= 0xd263;
  }
  bool isConversionOfTwo() const { return opcode() <= 0xd253; }

  unsigned opcode() const { return first >> 16; }
  /// A source of VOP3.
  unsigned source(unsigned i) const { return second >> (9 * i) & 0x1ff; }
  bool isVector(unsigned i) const { return source(i) >= 256; }
  bool isInlineConstant(unsigned i) const {
    unsigned code = source(i);
    return (code >= 128 && code <= 208) || (code >= 240 && code <= 248);
  }
};

constexpr unsigned literalSource = 255, firstConstant = 128;

} // namespace

static bool isImpossibleVop3(Encoding64 code) {
  // None of them has a literal, and LLVM may have no bytes left for it.
  for (unsigned i : {0, 1, 2})
    if (code.source(i) == literalSource)
      return true;
  // LLVM takes a constant, and even a literal, for a destination.
  if (code.writesScalar())
    return (code.first & 0xff) >= firstConstant;
  // LLVM takes the wrong number of scalar registers, or of f8f6f4 a part of
  // what is none.
  if (code.isMatrix())
    return !code.isVector(0) || !code.isVector(1) ||
           !(code.isVector(2) || code.isInlineConstant(2));
  if (code.isConversionOf32())
    return !code.isVector(0) || (code.isConversionOfTwo() && !code.isVector(1));
  return false;
}

/// Whether byte or word 7 is selected or dst_unused is 3, which are reserved
/// (CDNA3 ISA manual, "SDWA"). LLVM's printer jumps out of its tables.
static bool hasReservedSelect(Encoding64 code) {
  auto allOnes = [&](unsigned shift, uint32_t mask) {
    return (code.second >> shift & mask) == mask;
  };
  bool destination = !code.isVopc() && (allOnes(8, 7) || allOnes(11, 3));
  return destination || allOnes(16, 7) || (!code.isVop1() && allOnes(24, 7));
}

unsigned impossibleEncodingSize(const uint8_t *bytes) {
  Encoding64 code(bytes);
  if (code.isReadFirstLane() && (code.first >> 17 & 0xff) >= firstConstant)
    return 4;
  bool impossible = false;
  if (code.isSdwa())
    impossible = hasReservedSelect(code);
  else if (code.isBuffer())
    impossible = code.second >> 24 == literalSource;
  else if (code.isVop3())
    impossible = isImpossibleVop3(code);
  Encoding64 next(bytes + 8);
  if (code.isScale() && next.isF8f6f4())
    return impossible || isImpossibleVop3(next) ? 16 : 0;
  return impossible ? 8 : 0;
}

} // namespace fly
