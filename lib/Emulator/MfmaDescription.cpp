//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Names of the MFMA instructions and what they mean.

#include "fly/Emulator/Mfma.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <optional>

using namespace llvm;

namespace fly {

unsigned mfmaTypeBits(MfmaType type) {
  switch (type) {
  case MfmaType::F64:
    return 64;
  case MfmaType::F32:
  case MfmaType::XF32:
    return 32;
  case MfmaType::F16:
  case MfmaType::BF16:
    return 16;
  case MfmaType::I8:
  case MfmaType::FP8:
  case MfmaType::BF8:
    return 8;
  case MfmaType::FP6:
  case MfmaType::BF6:
    return 6;
  case MfmaType::FP4:
    return 4;
  }
  return 0;
}

namespace {
/// The shapes of one family: result and input types and m, k, blocks (m = n).
struct Family {
  const char *result;
  const char *inputs;
  MfmaType a, b;
  struct Dimensions {
    unsigned m, k, blocks;
  };
  // At most eight; the rest is zero.
  Dimensions shapes[8];
};
} // namespace

// CDNA3 and CDNA4 ISA manuals, table of VOP3P-MAI instructions.
static constexpr Family families[] = {
    {"f32",
     "f32",
     MfmaType::F32,
     MfmaType::F32,
     {{32, 1, 2}, {16, 1, 4}, {4, 1, 16}, {32, 2, 1}, {16, 4, 1}}},
    {"f32", "xf32", MfmaType::XF32, MfmaType::XF32, {{16, 8, 1}, {32, 4, 1}}},
    {"f32",
     "f16",
     MfmaType::F16,
     MfmaType::F16,
     {{32, 4, 2},
      {16, 4, 4},
      {4, 4, 16},
      {32, 8, 1},
      {16, 16, 1},
      {32, 16, 1},
      {16, 32, 1}}},
    {"f32",
     "bf16",
     MfmaType::BF16,
     MfmaType::BF16,
     {{32, 4, 2},
      {16, 4, 4},
      {4, 4, 16},
      {32, 8, 1},
      {16, 16, 1},
      {32, 16, 1},
      {16, 32, 1}}},
    {"f32",
     "fp8_fp8",
     MfmaType::FP8,
     MfmaType::FP8,
     {{16, 32, 1}, {32, 16, 1}}},
    {"f32",
     "fp8_bf8",
     MfmaType::FP8,
     MfmaType::BF8,
     {{16, 32, 1}, {32, 16, 1}}},
    {"f32",
     "bf8_fp8",
     MfmaType::BF8,
     MfmaType::FP8,
     {{16, 32, 1}, {32, 16, 1}}},
    {"f32",
     "bf8_bf8",
     MfmaType::BF8,
     MfmaType::BF8,
     {{16, 32, 1}, {32, 16, 1}}},
    {"i32",
     "i8",
     MfmaType::I8,
     MfmaType::I8,
     {{32, 4, 2},
      {16, 4, 4},
      {4, 4, 16},
      {32, 16, 1},
      {16, 32, 1},
      {32, 32, 1},
      {16, 64, 1}}},
    {"f64", "f64", MfmaType::F64, MfmaType::F64, {{16, 4, 1}, {4, 4, 4}}},
    {"f32",
     "f8f6f4",
     MfmaType::FP8,
     MfmaType::FP8,
     {{16, 128, 1}, {32, 64, 1}}},
};

// The same of the sparse forms: k is that of B.
static constexpr Family sparseFamilies[] = {
    {"f32",
     "f16",
     MfmaType::F16,
     MfmaType::F16,
     {{16, 32, 1}, {32, 16, 1}, {16, 64, 1}, {32, 32, 1}}},
    {"f32",
     "bf16",
     MfmaType::BF16,
     MfmaType::BF16,
     {{16, 32, 1}, {32, 16, 1}, {16, 64, 1}, {32, 32, 1}}},
    {"i32",
     "i8",
     MfmaType::I8,
     MfmaType::I8,
     {{16, 64, 1}, {32, 32, 1}, {16, 128, 1}, {32, 64, 1}}},
    {"f32",
     "fp8_fp8",
     MfmaType::FP8,
     MfmaType::FP8,
     {{16, 64, 1}, {32, 32, 1}, {16, 128, 1}, {32, 64, 1}}},
    {"f32",
     "fp8_bf8",
     MfmaType::FP8,
     MfmaType::BF8,
     {{16, 64, 1}, {32, 32, 1}, {16, 128, 1}, {32, 64, 1}}},
    {"f32",
     "bf8_fp8",
     MfmaType::BF8,
     MfmaType::FP8,
     {{16, 64, 1}, {32, 32, 1}, {16, 128, 1}, {32, 64, 1}}},
    {"f32",
     "bf8_bf8",
     MfmaType::BF8,
     MfmaType::BF8,
     {{16, 64, 1}, {32, 32, 1}, {16, 128, 1}, {32, 64, 1}}},
};

static Error unknownName(StringRef name) {
  return createStringError("unknown matrix instruction '" + name +
                           "', expected v_mfma_[scale_]RESULT_MxNxK"
                           "[_BLOCKSb]_INPUTS or v_smfmac_RESULT_MxNxK_INPUTS "
                           "with a shape of gfx942 or "
                           "gfx950");
}

/// Takes "16x16x4_4b_" off \p text; blocks is 1 if not named.
static std::optional<Family::Dimensions> takeDimensions(StringRef &text) {
  unsigned m, n, k, blocks = 1;
  if (text.consumeInteger(10, m) || !text.consume_front("x") ||
      text.consumeInteger(10, n) || !text.consume_front("x") ||
      text.consumeInteger(10, k) || !text.consume_front("_") || m != n)
    return std::nullopt;
  if (!text.empty() && isDigit(text.front()) &&
      (text.consumeInteger(10, blocks) || !text.consume_front("b_")))
    return std::nullopt;
  return Family::Dimensions{m, k, blocks};
}

static Expected<MfmaType> f8f6f4Type(StringRef name, StringRef field,
                                     unsigned value) {
  static constexpr MfmaType types[] = {MfmaType::FP8, MfmaType::BF8,
                                       MfmaType::FP6, MfmaType::BF6,
                                       MfmaType::FP4};
  if (value >= std::size(types))
    return createStringError(
        formatv("{0}: {1} is {2}, expected a type 0 to 4", name, field, value));
  return types[value];
}

/// Fills the types of an f8f6f4 form, or checks the broadcast fields.
static Error applyModifiers(StringRef name, const MfmaModifiers &modifiers,
                            MfmaShape &shape) {
  if (shape.f8f6f4) {
    Expected<MfmaType> a = f8f6f4Type(name, "cbsz", modifiers.cbsz);
    if (!a)
      return a.takeError();
    Expected<MfmaType> b = f8f6f4Type(name, "blgp", modifiers.blgp);
    if (!b)
      return b.takeError();
    shape.a = *a;
    shape.b = *b;
    return Error::success();
  }
  if (modifiers.blgp > 7)
    return createStringError(
        formatv("{0}: blgp is {1}, expected 0 to 7", name, modifiers.blgp));
  if (modifiers.cbsz > 4 || (1u << modifiers.cbsz) > shape.blocks)
    return createStringError(formatv(
        "{0}: cbsz {1} asks for groups of {2} blocks, but there are "
        "{3}",
        name, modifiers.cbsz, uint64_t(1) << modifiers.cbsz, shape.blocks));
  if (modifiers.abid >= (1u << modifiers.cbsz))
    return createStringError(formatv("{0}: abid is {1}, expected less than {2} "
                                     "with cbsz {3}",
                                     name, modifiers.abid, 1u << modifiers.cbsz,
                                     modifiers.cbsz));
  return Error::success();
}

Expected<MfmaShape> parseMfmaName(StringRef name,
                                  const MfmaModifiers &modifiers) {
  StringRef text = name;
  MfmaShape shape;
  shape.sparse = text.consume_front("v_smfmac_");
  if (!shape.sparse && !text.consume_front("v_mfma_"))
    return unknownName(name);
  shape.scaled = !shape.sparse && text.consume_front("scale_");
  StringRef result = text.take_until([](char c) { return c == '_'; });
  text = text.drop_front(std::min(result.size() + 1, text.size()));
  std::optional<Family::Dimensions> given = takeDimensions(text);
  if (!given)
    return unknownName(name);
  for (const Family &family : shape.sparse ? ArrayRef<Family>(sparseFamilies)
                                           : ArrayRef<Family>(families)) {
    if (result != family.result || text != family.inputs)
      continue;
    shape.f8f6f4 = text == "f8f6f4";
    if (shape.scaled && !shape.f8f6f4)
      continue;
    for (const Family::Dimensions &dimensions : family.shapes) {
      if (dimensions.m != given->m || dimensions.k != given->k ||
          dimensions.blocks != given->blocks)
        continue;
      shape.m = shape.n = dimensions.m;
      shape.k = dimensions.k;
      shape.blocks = dimensions.blocks;
      shape.a = family.a;
      shape.b = family.b;
      shape.result = result == "i32"   ? MfmaResult::I32
                     : result == "f64" ? MfmaResult::F64
                                       : MfmaResult::F32;
      if (shape.sparse)
        return shape; // cbsz and abid choose indices: Smfmac.h
      if (Error error = applyModifiers(name, modifiers, shape))
        return std::move(error);
      return shape;
    }
  }
  return unknownName(name);
}

} // namespace fly
