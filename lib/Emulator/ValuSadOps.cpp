//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Sums of absolute differences: of bytes, masked bytes, words, dwords, and of
/// four bytes at four places of eight (v_qsad, v_mqsad).

#include "Valu.h"

#include "fly/Emulator/Handlers.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// Absolute differences of bytes, summed. \p masked: bytes of b that are 0 do
/// not count.
template <bool masked> u32 sadBytes(u32 a, u32 b) {
  u32 sum = 0;
  for (unsigned i = 0; i != 32; i += 8) {
    u32 x = a >> i & 255, y = b >> i & 255;
    sum += masked && y == 0 ? 0 : x > y ? x - y : y - x;
  }
  return sum;
}
u32 sadWords(u32 a, u32 b) {
  u32 sum = 0;
  for (unsigned i = 0; i != 32; i += 16) {
    u32 x = a >> i & 0xffff, y = b >> i & 0xffff;
    sum += x > y ? x - y : y - x;
  }
  return sum;
}
u32 accumulate(u32 mode, u64 sum, u32 c) {
  sum += c;
  return mode & clampFlag && sum > 0xffffffff ? 0xffffffff : u32(sum);
}

/// Four sums of 16 bits, of the four bytes of b with those of a from byte i on.
template <bool masked> u64 quadBytes(u32 mode, u64 a, u32 b, u64 c) {
  u64 result = 0;
  for (unsigned i = 0; i != 4; ++i) {
    u32 sum =
        sadBytes<masked>(u32(a >> (8 * i)), b) + u32(c >> (16 * i) & 0xffff);
    sum = mode & clampFlag && sum > 0xffff ? 0xffff : sum & 0xffff;
    result |= u64(sum) << (16 * i);
  }
  return result;
}

/// The same with sums of 32 bits, in four registers.
void quadDwords(Wave &w, const ExecInst &inst) {
  Source<B64> a(w, inst, 0);
  Source<B32> b(w, inst, 1);
  u32 mode = modeOf(w, inst);
  Row results[4];
  for (unsigned i = 0; i != 4; ++i) {
    Row storage;
    const Operand &op = inst.src(2);
    const u32 *c = readRow(w, op, op.isImm() ? 0 : i, storage);
    for (unsigned l = 0; l != waveLanes; ++l)
      results[i].lane[l] =
          accumulate(mode, sadBytes<true>(u32(a[l] >> (8 * i)), b[l]), c[l]);
  }
  for (unsigned i = 0; i != 4; ++i)
    writeRow(w, inst.ops[0], i, results[i]);
}

} // namespace

void addValuSadOps(HandlerTable &t) {
  VALU3_TRAIT(t, "v_sad_u8", TakesClamp, B32, B32, B32, B32,
              accumulate(mode, sadBytes<false>(a, b), c));
  VALU3_TRAIT(t, "v_sad_hi_u8", TakesClamp, B32, B32, B32, B32,
              accumulate(mode, u64(sadBytes<false>(a, b)) << 16, c));
  VALU3_TRAIT(t, "v_sad_u16", TakesClamp, B32, B32, B32, B32,
              accumulate(mode, sadWords(a, b), c));
  VALU3_TRAIT(t, "v_sad_u32", TakesClamp, B32, B32, B32, B32,
              accumulate(mode, a > b ? a - b : b - a, c));
  VALU3_TRAIT(t, "v_msad_u8", TakesClamp, B32, B32, B32, B32,
              accumulate(mode, sadBytes<true>(a, b), c));
  VALU3_TRAIT(t, "v_qsad_pk_u16_u8", TakesClamp, B64, B64, B32, B64,
              quadBytes<false>(mode, a, b, c));
  VALU3_TRAIT(t, "v_mqsad_pk_u16_u8", TakesClamp, B64, B64, B32, B64,
              quadBytes<true>(mode, a, b, c));
  t.addResolver("v_mqsad_u32_u8",
                resolveValu<3, ValuKind::Bits, ValuTrait::TakesClamp,
                            valuHandler<ValuKind::Bits, quadDwords>>);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
