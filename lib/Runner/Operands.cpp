//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// What both kinds of operands share: element codes and the bytes that must not
/// be used.

#include "fly/Runner/OperandImages.h"

#include "fly/Numerics/SmallFloat.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using support::endian::read16le;
using support::endian::read32le;
using support::endian::write16le;
using support::endian::write32le;

namespace fly {

std::optional<FloatKind> smallFloatKind(StringRef type) {
  return StringSwitch<std::optional<FloatKind>>(type)
      .Case("f8E4M3FN", FloatKind::E4M3FN)
      .Case("f8E5M2", FloatKind::E5M2)
      .Case("f8E4M3FNUZ", FloatKind::E4M3FNUZ)
      .Case("f8E5M2FNUZ", FloatKind::E5M2FNUZ)
      .Default(std::nullopt);
}

double decodeElement(StringRef type, const uint8_t *bytes) {
  if (type == "bf16")
    return bf16ToFloat(read16le(bytes));
  if (type == "f16")
    return f16ToFloat(read16le(bytes));
  if (type == "f32")
    return floatFromBits(read32le(bytes));
  return decodeTable(*smallFloatKind(type))[*bytes];
}

void encodeElement(StringRef type, float value, uint8_t *bytes) {
  if (type == "bf16")
    write16le(bytes, floatToBf16(value));
  else if (type == "f16")
    write16le(bytes, floatToF16(value));
  else if (type == "f32")
    write32le(bytes, floatBits(value));
  else
    *bytes = encode(*smallFloatKind(type), value);
}

Error checkOperandTypes(const Problem &problem) {
  StringRef type = problem.manifest.typeA;
  bool wide = type == "bf16" || type == "f16";
  bool known = problem.scaled() ? problem.manifest.scaleKind == "e8m0" &&
                                      smallFloatKind(type).has_value()
                                : wide;
  if (!known)
    return createStringError("operands: expected an f8 type with e8m0 scales, "
                             "or bf16 or f16 without scales, got " +
                             type + " with scale kind '" +
                             problem.manifest.scaleKind + "'");
  if (problem.scaled() && (problem.manifest.scaleM != 1 ||
                           problem.manifest.scaleN != problem.manifest.scaleK))
    return createStringError(
        "scales: expected granularity (1, n) for A and (n, n) for B, got (" +
        Twine(problem.manifest.scaleM) + ", " + Twine(problem.manifest.scaleK) +
        ") and (" + Twine(problem.manifest.scaleN) + ", " +
        Twine(problem.manifest.scaleK) + ")");
  return Error::success();
}

Operands makeUnusableOperands(const Problem &problem) {
  Operands operands;
  uint8_t nan[4] = {};
  encodeElement(problem.manifest.typeA, floatFromBits(0x7fc00000), nan);
  int64_t size = problem.elementBytesAB();
  auto fill = [&](std::vector<uint8_t> &bytes, int64_t count) {
    bytes.resize(count);
    for (int64_t i = 0; i < count; ++i)
      bytes[i] = nan[i % size];
  };
  fill(operands.a, problem.bytesA());
  fill(operands.b, problem.bytesB());
  // E8M0's NaN.
  operands.scaleA.assign(problem.bytesScaleA(), 0xff);
  operands.scaleB.assign(problem.bytesScaleB(), 0xff);
  operands.d.resize(problem.bytesD() + 2 * Operands::marginBytes);
  for (size_t i = 0; i < operands.d.size(); ++i)
    operands.d[i] = i % 2 ? 0x7f : 0xd1;
  return operands;
}

} // namespace fly
