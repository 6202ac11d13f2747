//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The sparse matrix instructions (v_smfmac): D += A B, where A has two values
/// in every four along k and holds only those.
///
/// With M x N x K, lane groups G = 64 / M, a lane of group g holds E = K / G
/// elements of column j = lane % N of B, and E / 2 of row i = lane % M of A.
/// Element e of A stands for the one at place 4 (e / 2) + index of the four
/// places that elements 2 (e / 2) and 2 (e / 2) + 1 share, and is multiplied by
/// the element of B at that place of the same lane group. Its index is bits
/// 2 e + 1 : 2 e of the lane's index set. A set has E bits; a register holds
/// 32 / E of them, of which abid chooses one if cbsz is 0, else the first is
/// used (CDNA3 ISA manual 7.4; AMD matrix instruction calculator, K matrix).
/// D is as with the dense forms. Elements that the indices leave out do not
/// take part, whatever they are. Rounding is as in Mfma.h, over the products in
/// the order of g and e; no scheme is published for them, Cdna3Grouped makes
/// the groups that the dense form with as many products has.

#ifndef FLY_EMULATOR_SMFMAC_H
#define FLY_EMULATOR_SMFMAC_H

#include "fly/Emulator/Mfma.h"

namespace fly {

/// Rows of first registers. D is read as well.
struct SmfmacOperands {
  uint16_t a = 0, b = 0, d = 0, indices = 0;
};

/// One decoded instruction.
class Smfmac {
public:
  /// \p name as LLVM prints it, "v_smfmac_f32_16x16x32_f16".
  static llvm::Expected<Smfmac> create(llvm::StringRef name, uint8_t cbsz,
                                       uint8_t abid, const TargetInfo &target,
                                       MfmaRounding rounding);
  const MfmaShape &shape() const { return shapeOf; }

  /// EXEC plays no part.
  void execute(MfmaRegisters registers, const SmfmacOperands &operands) const;

private:
  MfmaShape shapeOf;
  Fp8Format fp8 = Fp8Format::OCP;
  MfmaRounding rounding = MfmaRounding::SequentialFused;
  uint8_t indexShift = 0; ///< of the chosen set in its register
};

} // namespace fly

#endif // FLY_EMULATOR_SMFMAC_H
