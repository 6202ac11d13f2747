//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The slow paths of VALU operands, compiled for each x86-64 level.

#include "ValuOperands.h"

#include <array>
#include <cmath>

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {

namespace {

using u32 = uint32_t;
constexpr uint8_t noLane = 255;

/// The source lane of \p lane under a DPP control (CDNA3 ISA manual, table of
/// DPP_CTRL), or noLane. Rows have 16 lanes, banks 4.
uint8_t dppSource(unsigned control, unsigned lane) {
  unsigned row = lane & ~15u, column = lane & 15, n = control & 15;
  if (control < 0x100)
    return uint8_t((lane & ~3u) + (control >> (2 * (lane & 3)) & 3));
  switch (control & ~15u) {
  case 0x100: // row_shl
    return uint8_t(column + n < 16 ? lane + n : noLane);
  case 0x110: // row_shr
    return uint8_t(column >= n ? lane - n : noLane);
  case 0x120: // row_ror
    return uint8_t(row + ((column - n) & 15));
  case 0x150: // row_newbcast
    return uint8_t(row + n);
  }
  switch (control) {
  case 0x130: // wave_shl
    return uint8_t(lane < 63 ? lane + 1 : noLane);
  case 0x134: // wave_rol
    return uint8_t((lane + 1) & 63);
  case 0x138: // wave_shr
    return uint8_t(lane > 0 ? lane - 1 : noLane);
  case 0x13c: // wave_ror
    return uint8_t((lane - 1) & 63);
  case 0x140: // row_mirror
    return uint8_t(row + 15 - column);
  case 0x141: // row_half_mirror
    return uint8_t((lane & ~7u) + 7 - (lane & 7));
  case 0x142: // row_bcast:15, the last lane of the row before
    return uint8_t(row > 0 ? row - 1 : noLane);
  case 0x143: // row_bcast:31, to rows 2 and 3
    return uint8_t(row >= 32 ? 31 : noLane);
  default:
    return noLane;
  }
}

/// Source lanes of all 512 controls.
const std::array<std::array<uint8_t, waveLanes>, 512> &dppTable() {
  static const auto table = [] {
    std::array<std::array<uint8_t, waveLanes>, 512> result;
    for (unsigned control = 0; control != 512; ++control)
      for (unsigned lane = 0; lane != waveLanes; ++lane)
        result[control][lane] = dppSource(control, lane);
    return result;
  }();
  return table;
}

/// Whether the source lane exists and is active.
bool hasSource(const Wave &w, uint8_t source) {
  return source != noLane && (w.exec() >> source & 1);
}

void permuteDpp(const Wave &w, ValuForm form, const u32 *from, Row &to) {
  const auto &sources = dppTable()[form.dppControl];
  for (unsigned l = 0; l != waveLanes; ++l)
    to.lane[l] = hasSource(w, sources[l]) ? from[sources[l]] : 0;
}

/// An SDWA selection: byte 0..3, word 4..5, or all.
void selectSdwa(unsigned select, bool sign, const u32 *from, Row &to) {
  unsigned bits = select < 4 ? 8 : select < 6 ? 16 : 32;
  unsigned shift = select < 4 ? 8 * select : select == 5 ? 16 : 0;
  for (unsigned l = 0; l != waveLanes; ++l) {
    u32 up = from[l] << (32 - bits - shift);
    to.lane[l] = sign ? u32(int32_t(up) >> (32 - bits)) : up >> (32 - bits);
  }
}

void applyFloatMods(unsigned mods, u32 sign, Row &row) {
  u32 keep = mods & ModAbs ? ~sign : ~u32(0), flip = mods & ModNeg ? sign : 0;
  for (unsigned l = 0; l != waveLanes; ++l)
    row.lane[l] = (row.lane[l] & keep) ^ flip;
}

/// Denormals and zeros become zeros of their sign.
void flushDenormals(u32 exponent, u32 sign, Row &row) {
  for (unsigned l = 0; l != waveLanes; ++l)
    row.lane[l] = row.lane[l] & exponent ? row.lane[l] : row.lane[l] & sign;
}

bool flushesInput(const Wave &w, ValuKind kind) {
  return kind == ValuKind::Float ? !(w.mode & ModeDenormF32In)
         : kind == ValuKind::Half || kind == ValuKind::Double
             ? !(w.mode & ModeDenormF64F16In)
             : false;
}

/// One dword of a source after DPP or SDWA.
const u32 *selectLanes(const Wave &w, const ExecInst &inst, unsigned i,
                       unsigned dword, Row &storage) {
  if (i == destinationAsSource)
    return w.regs[inst.ops[0].row() + dword];
  ValuForm form = ValuForm::of(inst);
  const u32 *row = readRow(w, inst.src(i), dword, storage);
  if (form.isDpp && i == 0) {
    Row from;
    std::memcpy(from.lane, row, sizeof(from.lane));
    permuteDpp(w, form, from.lane, storage);
    return storage.lane;
  }
  if (form.isSdwa && i < 2) {
    selectSdwa(i == 0 ? form.src0Sel : form.src1Sel, inst.src(i).mods & ModSext,
               row, storage);
    return storage.lane;
  }
  return row;
}

} // namespace

const uint32_t *fetchSource(const Wave &w, const ExecInst &inst, unsigned i,
                            ValuKind kind, unsigned dword, Row &storage) {
  const u32 *row = selectLanes(w, inst, i, dword, storage);
  if (row != storage.lane)
    std::memcpy(storage.lane, row, sizeof(storage.lane));
  unsigned mods = i == destinationAsSource ? 0 : inst.src(i).mods;
  if (mods & ModSext)
    mods = 0;
  switch (kind) {
  case ValuKind::Bits:
    // Only v_cndmask and moves, which treat bits as f32 without flushing.
    applyFloatMods(mods, 0x80000000, storage);
    break;
  case ValuKind::U16:
  case ValuKind::Half:
    if (mods & ModOpSel0)
      for (u32 &value : storage.lane)
        value >>= 16;
    if (kind == ValuKind::Half && flushesInput(w, kind))
      flushDenormals(0x7c00, 0x8000, storage);
    if (kind == ValuKind::Half)
      applyFloatMods(mods, 0x8000, storage);
    break;
  case ValuKind::Float:
    if (flushesInput(w, kind))
      flushDenormals(0x7f800000, 0x80000000, storage);
    applyFloatMods(mods, 0x80000000, storage);
    break;
  case ValuKind::Double: {
    if (flushesInput(w, kind)) {
      Row highStorage;
      const u32 *high = selectLanes(w, inst, i, 1, highStorage);
      for (unsigned l = 0; l != waveLanes; ++l)
        if (!(high[l] & 0x7ff00000))
          storage.lane[l] &= dword ? 0x80000000 : 0;
    }
    if (dword == 1)
      applyFloatMods(mods, 0x80000000, storage);
    break;
  }
  }
  return storage.lane;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

namespace {

float bitsToFloat(u32 bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
u32 floatToBits(float value) {
  u32 bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

/// See Valu.h.
float holdHalf(u32 mode, float value) {
  bool hold = (mode & ModeFp16Overflow) && __builtin_fabsf(value) > 65504.0f &&
              __builtin_fabsf(value) < __builtin_inff();
  return hold ? __builtin_copysignf(65504.0f, value) : value;
}

float omodFactor(unsigned omod) {
  return omod == 1 ? 2.0f : omod == 2 ? 4.0f : omod == 3 ? 0.5f : 1.0f;
}

/// clamp to [0, 1]; a NaN becomes 0 under DX10_CLAMP.
template <typename T> T clampValue(T value, bool dx10) {
  if (value != value)
    return dx10 ? T(0) : value;
  return value > 0 ? (value < 1 ? value : T(1)) : T(0);
}

/// omod counts only where output denormals are flushed and IEEE is off; it
/// makes -0 a +0 (CDNA3 ISA manual, output modifiers).
template <typename T> T modify(T value, unsigned omod, bool clamp, bool dx10) {
  if (omod)
    value = value * T(omodFactor(omod)) + T(0);
  return clamp ? clampValue(value, dx10) : value;
}

void finishFloat(const Wave &w, ValuForm form, Row &row) {
  bool flush = !(w.mode & ModeDenormF32Out), dx10 = w.mode & ModeDx10Clamp;
  unsigned omod = flush && !(w.mode & ModeIeee) ? form.omod : 0;
  if (omod || form.clamp)
    for (u32 &value : row.lane)
      value = floatToBits(modify(bitsToFloat(value), omod, form.clamp, dx10));
  if (flush)
    flushDenormals(0x7f800000, 0x80000000, row);
}

void finishHalf(const Wave &w, ValuForm form, Row &row) {
  bool flush = !(w.mode & ModeDenormF64F16Out), dx10 = w.mode & ModeDx10Clamp;
  unsigned omod = flush && !(w.mode & ModeIeee) ? form.omod : 0;
  if (omod || form.clamp)
    for (u32 &value : row.lane) {
      uint16_t code = uint16_t(value);
      _Float16 half;
      std::memcpy(&half, &code, 2);
      half = _Float16(
          holdHalf(w.mode, modify(float(half), omod, form.clamp, dx10)));
      std::memcpy(&code, &half, 2);
      value = code;
    }
  if (flush)
    flushDenormals(0x7c00, 0x8000, row);
}

void finishDouble(const Wave &w, ValuForm form, Row &low, Row &high) {
  bool flush = !(w.mode & ModeDenormF64F16Out), dx10 = w.mode & ModeDx10Clamp;
  unsigned omod = flush && !(w.mode & ModeIeee) ? form.omod : 0;
  for (unsigned l = 0; l != waveLanes; ++l) {
    uint64_t bits = uint64_t(high.lane[l]) << 32 | low.lane[l];
    double value;
    std::memcpy(&value, &bits, 8);
    value = modify(value, omod, form.clamp, dx10);
    std::memcpy(&bits, &value, 8);
    if (flush && !(bits >> 52 & 0x7ff))
      bits &= uint64_t(1) << 63;
    low.lane[l] = u32(bits);
    high.lane[l] = u32(bits >> 32);
  }
}

/// Moves the result to the selected bytes and fills or keeps the others.
void placeSdwa(const Wave &w, const ExecInst &inst, ValuForm form, Row &row) {
  unsigned select = form.dstSel;
  if (select >= 6)
    return;
  unsigned bits = select < 4 ? 8 : 16;
  unsigned shift = select < 4 ? 8 * select : 16 * (select - 4);
  u32 mask = ((u32(1) << bits) - 1) << shift;
  const u32 *old = w.regs[inst.ops[0].row()];
  for (unsigned l = 0; l != waveLanes; ++l) {
    u32 placed = row.lane[l] << shift & mask;
    if (form.dstUnused == 1) // sign extension upwards, zeros below
      placed =
          u32(int32_t(placed << (32 - bits - shift)) >> (32 - bits - shift));
    else if (form.dstUnused == 2)
      placed |= old[l] & ~mask;
    row.lane[l] = placed;
  }
}

void mergeHalf(const Wave &w, const ExecInst &inst, ValuForm form, Row &row) {
  const u32 *old = w.regs[inst.ops[0].row()];
  for (unsigned l = 0; l != waveLanes; ++l)
    row.lane[l] = form.highHalf
                      ? (old[l] & 0xffff) | row.lane[l] << 16
                      : (old[l] & 0xffff0000) | (row.lane[l] & 0xffff);
}

} // namespace

uint64_t writtenLanes(const Wave &w, const ExecInst &inst) {
  ValuForm form = ValuForm::of(inst);
  uint64_t mask = w.exec();
  if (!form.isDpp)
    return mask;
  const auto &sources = dppTable()[form.dppControl];
  for (unsigned l = 0; l != waveLanes; ++l) {
    bool enabled = form.rowMask >> (l / 16) & 1 &&
                   form.bankMask >> (l / 4 % 4) & 1 &&
                   (form.boundZero || hasSource(w, sources[l]));
    if (!enabled)
      mask &= ~(uint64_t(1) << l);
  }
  return mask;
}

void storeResult(Wave &w, const ExecInst &inst, ValuKind kind, Row &low,
                 Row *high) {
  ValuForm form = ValuForm::of(inst);
  if (kind == ValuKind::Float)
    finishFloat(w, form, low);
  else if (kind == ValuKind::Half)
    finishHalf(w, form, low);
  else if (kind == ValuKind::Double)
    finishDouble(w, form, low, *high);
  if (form.isSdwa)
    placeSdwa(w, inst, form, low);
  else if (form.mergesHalf)
    mergeHalf(w, inst, form, low);
  uint64_t lanes = writtenLanes(w, inst);
  writeRowMasked(w, inst.ops[0].row(), low.lane, lanes);
  if (high)
    writeRowMasked(w, inst.ops[0].row() + 1, high->lane, lanes);
}

void runRounded(Wave &w, const ExecInst &inst, unsigned mode, Handler handler) {
#if defined(__x86_64__)
  // MODE: nearest, +inf, -inf, zero; MXCSR: nearest, -inf, +inf, zero.
  static constexpr unsigned bits[4] = {0x0000, 0x4000, 0x2000, 0x6000};
  unsigned old = _mm_getcsr();
  _mm_setcsr((old & ~0x6000u) | bits[mode & 3]);
  handler(w, inst);
  _mm_setcsr(old);
#else
  static constexpr int modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD,
                                   FE_TOWARDZERO};
  int old = std::fegetround();
  std::fesetround(modes[mode & 3]);
  handler(w, inst);
  std::fesetround(old);
#endif
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
