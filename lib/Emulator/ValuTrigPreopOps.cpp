//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// v_trig_preop_f64: 53 bits of 2/pi for the reduction of an argument
/// (CDNA3 ISA manual, VOP3 instructions; LLVM's constant folding agrees).

#include "Valu.h"

#include "fly/Emulator/Handlers.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

/// The first 1216 bits of 2/pi after the point; the last 15 are 0: the hardware
/// has 1201.
constexpr u64 twoByPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
    0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
    0x56033046fc7b0000,
};

/// 53 bits from bit \p first on, counted from the point.
u64 bitsFrom(unsigned first) {
  constexpr unsigned known = 1201;
  unsigned word = first / 64, shift = first % 64;
  if (first >= known)
    return 0;
  u64 bits = twoByPi[word] << shift;
  if (shift && word + 1 != sizeof(twoByPi) / sizeof(u64))
    bits |= twoByPi[word + 1] >> (64 - shift);
  return bits >> 11;
}

/// Segment \p segment of 2/pi, skipping the bits that give whole turns of an
/// argument as large as \p x. Arguments from 2^945 on are meant to be scaled
/// by 2^-128, so the result is 2^128 times as large.
double segmentFor(double x, u32 segment) {
  unsigned exponent = unsigned(bitsAs<u64>(x) >> 52 & 0x7ff);
  unsigned first = (segment & 31) * 53;
  if (exponent > 1077)
    first += exponent - 1077;
  int scale = -53 - int(first) + (exponent >= 1968 ? 128 : 0);
  // In two steps: 53 whole bits times a power that is no denormal, and the
  // rest, which rounds once.
  double value = double(bitsFrom(first));
  double half = bitsAs<double>(u64(scale / 2 + 1023) << 52);
  double rest = bitsAs<double>(u64(scale - scale / 2 + 1023) << 52);
  return value * half * rest;
}

} // namespace

void addValuTrigPreopOps(HandlerTable &t) {
  VALU2(t, "v_trig_preop_f64", F64, F64, B32, segmentFor(a, b));
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
