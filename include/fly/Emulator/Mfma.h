//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The matrix instructions (v_mfma_*) of gfx942 and gfx950, every dense one.
///
/// An instruction is described once, when it is decoded, and then executed over
/// a wave's register file:
/// \code
///   auto mfma = cantFail(Mfma::create("v_mfma_f32_16x16x32_bf16", {}, target,
///                                     MfmaRounding::SequentialFused));
///   MfmaOperands operands;
///   operands.a = 4; operands.b = 8; operands.d = 256; // a[0:3]
///   operands.c = MfmaSource::registers(256);
///   mfma.execute(registers, operands);
/// \endcode
///
/// Layouts (AMD matrix instruction calculator; CDNA3 and CDNA4 ISA manuals,
/// chapter 7). With M x N x K, B blocks, lane groups G = 64 / (M B) and E = K/G
/// elements a lane, block b keeps
///   A[i][k] in lane b M + (k / E) M B + i, element k % E (B[k][j] likewise);
///   D[i][j] in lane ((i / 4) % R) N + j, register b M N / 64 + i / (4 R) 4 +
///   i % 4, where R = 64 / N; for 4x4: lane 4 b + j, register i; for f64: lane
///   16 (i % 4) + 4 b + j, register pair i / 4.
/// 8-bit operands of the f8f6f4 forms hold chunks of 16 k dealt over the lane
/// groups; their 6 and 4-bit operands follow the rule above.
///
/// Rounding. SequentialFused: acc = C, then for k ascending acc =
/// fma(A[i][k], B[k][j], acc), each rounded to nearest even in the type of D.
/// A scaled form multiplies each product by its two scales, exactly: the fma
/// takes A[i][k] 2^(sa - 127) B[k][j] 2^(sb - 127) unrounded, for every pair of
/// scales; a scale of 255 makes the product NaN; 0 is as ScaleZero says.
/// ExactThenRound: the exact sum of C and all products, rounded once.
/// Cdna3Grouped: the scheme published for gfx942 by MMA-Sim (Microsoft), see
/// MfmaGrouped.cpp; f32 and f64 are sequential there. It is not known for the
/// forms that only gfx950 has; they take the scheme of fp8.
/// Integer sums wrap. Denormals of every type are kept in all policies, except
/// that f32 inputs follow flushInputs. A NaN result is 0x7fc00000 (f64:
/// 0x7ff8000000000000), whatever NaN went in. A zero result has the sign that
/// the additions give it; the grouped scheme makes +0.

#ifndef FLY_EMULATOR_MFMA_H
#define FLY_EMULATOR_MFMA_H

#include "fly/Arch/TargetInfo.h"
#include "fly/Emulator/Emulator.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>

namespace fly {

/// A wave's registers: VGPR n is row n, AGPR n row 256 + n, the lane the
/// column. 64-byte aligned.
using MfmaRegisters = uint32_t (*)[64];

enum class MfmaType : uint8_t {
  F64,
  F32,
  XF32, ///< f32 of which the low 13 bits are ignored
  F16,
  BF16,
  I8,
  FP8, ///< E4M3 as the chip has it
  BF8, ///< E5M2 as the chip has it
  FP6, ///< E2M3
  BF6, ///< E3M2
  FP4  ///< E2M1
};

/// Bits of one element.
unsigned mfmaTypeBits(MfmaType type);

enum class MfmaResult : uint8_t { F32, F64, I32 };

/// What one instruction multiplies: `blocks` products of m x k by k x n.
struct MfmaShape {
  unsigned m = 0, n = 0, k = 0, blocks = 1;
  MfmaType a = MfmaType::F32, b = MfmaType::F32;
  MfmaResult result = MfmaResult::F32;
  bool f8f6f4 = false; ///< types were given by cbsz and blgp
  bool scaled = false; ///< takes E8M0 scales
  bool sparse = false; ///< v_smfmac: A holds 2 of every 4 elements along k

  /// Elements of B a lane holds; of A as many, or half of them if sparse.
  unsigned elements() const { return m * k * blocks / 64; }
  /// 32-bit registers a lane holds of each operand.
  unsigned aRegisters() const {
    return elements() * mfmaTypeBits(a) / 32 / (sparse ? 2 : 1);
  }
  unsigned bRegisters() const { return elements() * mfmaTypeBits(b) / 32; }
  /// Of C and of D.
  unsigned dRegisters() const {
    return m * n * blocks / 64 * (result == MfmaResult::F64 ? 2 : 1);
  }
};

/// The instruction's modifier fields.
struct MfmaModifiers {
  /// f8f6f4: type of A (0 fp8, 1 bf8, 2 fp6, 3 bf6, 4 fp4). Else: each group of
  /// 2^cbsz blocks of A uses block abid of the group.
  uint8_t cbsz = 0;
  uint8_t abid = 0;
  /// f8f6f4: type of B. f64: negate A (bit 0), B (bit 1), C (bit 2). Else which
  /// lane feeds lane l of B: 1: l % 32; 2: 32 + l % 32; 3: (l + 16) % 64;
  /// 4..7: 16 (blgp - 4) + l % 16.
  uint8_t blgp = 0;
};

/// Reads "v_mfma_f32_16x16x32_bf16", "v_mfma_scale_f32_32x32x64_f8f6f4",
/// "v_smfmac_i32_16x16x64_i8", ... as LLVM prints them for these chips. Fails
/// on other names and on values of cbsz and blgp that the form does not have.
llvm::Expected<MfmaShape> parseMfmaName(llvm::StringRef name,
                                        const MfmaModifiers &modifiers);

/// A source that may be registers or an inline constant.
struct MfmaSource {
  bool isConstant = false;
  uint16_t row = 0;      ///< the first register's row
  uint64_t constant = 0; ///< its bits: 32 for f32 and i32, 64 for f64

  static MfmaSource registers(unsigned row) {
    MfmaSource source;
    source.row = uint16_t(row);
    return source;
  }
  static MfmaSource bits(uint64_t constant) {
    MfmaSource source;
    source.isConstant = true;
    source.constant = constant;
    return source;
  }
};

/// The operands of one instruction. D may overlap every source.
struct MfmaOperands {
  uint16_t a = 0, b = 0, d = 0; ///< rows of the first registers
  MfmaSource c;
  bool absC = false, negC = false; ///< f8f6f4 only; abs comes first
  /// Scales: lane 32-wide block times m plus row holds it in byte
  /// scaleByteA (op_sel[0] + 2 op_sel_hi[0]), for B of op_sel[1].
  MfmaSource scaleA, scaleB;
  uint8_t scaleByteA = 0, scaleByteB = 0;
};

/// Unpacked operands of a wave's recent MFMAs, so that a fragment that several
/// of them use is unpacked once. An entry holds a copy of the registers that it
/// came from and is used only while they still hold the same, so nothing has to
/// be invalidated. Owned by one wave, or by one thread: any register file may
/// come. About 14 KiB for each fragment in use.
class MfmaCache {
public:
  MfmaCache();
  ~MfmaCache();
  MfmaCache(const MfmaCache &) = delete;
  MfmaCache &operator=(const MfmaCache &) = delete;

  struct Storage; ///< internal to the MFMA engine

private:
  friend class Mfma;
  std::unique_ptr<Storage> storage;
};

/// One decoded instruction.
class Mfma {
public:
  /// \p target gives the meaning of the 8-bit floats.
  static llvm::Expected<Mfma> create(llvm::StringRef name,
                                     const MfmaModifiers &modifiers,
                                     const TargetInfo &target,
                                     MfmaRounding rounding,
                                     ScaleZero = ScaleZero::Minus127);

  const MfmaShape &shape() const { return shapeOf; }

  /// Computes D; EXEC plays no part (CDNA3 ISA manual 7.1). \p flushInputs
  /// treats denormals of f32 inputs as zeros (MODE's f32 denormal bits).
  void execute(MfmaRegisters registers, const MfmaOperands &operands,
               MfmaCache *cache = nullptr, bool flushInputs = false) const;

private:
  bool accumulates16(const MfmaOperands &operands) const;
  LLVM_ATTRIBUTE_NOINLINE
  void executeAny(MfmaRegisters registers, const MfmaOperands &operands,
                  MfmaCache *cache, bool flushInputs) const;

  MfmaShape shapeOf;
  MfmaModifiers modifiers;
  Fp8Format fp8 = Fp8Format::OCP;
  MfmaRounding rounding = MfmaRounding::SequentialFused;
  ScaleZero scaleZero = ScaleZero::Minus127;
  /// Sequential bf16 or f16 of one block without broadcasts.
  bool isPlain16 = false;
};

} // namespace fly

#endif // FLY_EMULATOR_MFMA_H
