//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Turns a function of one lane into a handler for every encoding.
///
/// \code
///   VALU2(t, "v_add_f32", F32, F32, F32, a + b);
///   VALU3(t, "v_bfi_b32", B32, B32, B32, B32, (a & b) | (~a & c));
/// \endcode
/// The types are those of the result and of the sources; the expression sees
/// the sources as a, b and c and the wave's MODE as `mode`. F16 sources arrive
/// as float, and a result is rounded to f16. Floating-point results are
/// computed under MODE's rounding mode of their type. For family files only.

#ifndef FLY_LIB_EMULATOR_VALU_H
#define FLY_LIB_EMULATOR_VALU_H

#include "ValuOperands.h"

#include <type_traits>

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

template <typename To, typename From>
[[gnu::always_inline]] inline To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}
[[gnu::always_inline]] inline float halfToFloat(u32 bits) {
  return float(bitsAs<_Float16>(uint16_t(bits)));
}
[[gnu::always_inline]] inline u32 floatToHalf(float value) {
  return bitsAs<uint16_t>(_Float16(value));
}

/// \p value, which is to become an f16: with MODE.FP16_OVFL a finite value
/// beyond the largest f16 becomes that one, whatever the rounding; infinities
/// stay (CDNA3 ISA manual, "MODE").
[[gnu::always_inline]] inline float holdHalf(u32 mode, float value) {
  float magnitude = bitsAs<float>(bitsAs<u32>(value) & 0x7fffffff);
  bool hold = (mode & ModeFp16Overflow) && magnitude > 65504.0f &&
              magnitude < __builtin_inff();
  return !hold ? value : value > 0 ? 65504.0f : -65504.0f;
}

// Operand types: the C++ type, the number of dwords, how to read and write one.
template <typename T, ValuKind kindOf> struct OneDword {
  using Type = T;
  static constexpr ValuKind kind = kindOf;
  static constexpr unsigned dwords = 1;
};
struct B32 : OneDword<u32, ValuKind::Bits> {
  static Type get(u32 bits) { return bits; }
  static u32 put(Type value) { return value; }
};
struct I32 : OneDword<int32_t, ValuKind::Bits> {
  static Type get(u32 bits) { return int32_t(bits); }
  static u32 put(Type value) { return u32(value); }
};
struct F32 : OneDword<float, ValuKind::Float> {
  static Type get(u32 bits) { return bitsAs<float>(bits); }
  static u32 put(Type value) { return bitsAs<u32>(value); }
};
struct U16 : OneDword<u32, ValuKind::U16> {
  static Type get(u32 bits) { return bits & 0xffff; }
  static u32 put(Type value) { return value & 0xffff; }
};
struct I16 : OneDword<int32_t, ValuKind::U16> {
  static Type get(u32 bits) { return int16_t(bits); }
  static u32 put(Type value) { return u32(value) & 0xffff; }
};
struct F16 : OneDword<float, ValuKind::Half> {
  static Type get(u32 bits) { return halfToFloat(bits); }
  static u32 put(Type value) { return floatToHalf(value); }
};
/// The code of an f16, with its modifiers.
struct H16 : OneDword<u32, ValuKind::Half> {
  static Type get(u32 bits) { return bits & 0xffff; }
  static u32 put(Type value) { return value & 0xffff; }
};
template <typename T, ValuKind kindOf> struct TwoDwords {
  using Type = T;
  static constexpr ValuKind kind = kindOf;
  static constexpr unsigned dwords = 2;
  static Type get(u64 bits) { return bitsAs<T>(bits); }
  static u64 put(Type value) { return bitsAs<u64>(value); }
};
struct B64 : TwoDwords<u64, ValuKind::Bits> {};
struct I64 : TwoDwords<int64_t, ValuKind::Bits> {};
struct F64 : TwoDwords<double, ValuKind::Double> {};

constexpr bool isFloatKind(ValuKind kind) {
  return kind == ValuKind::Float || kind == ValuKind::Half ||
         kind == ValuKind::Double;
}
/// Whether MODE asks for something of a type's denormals.
template <ValuKind kind> bool flushesIn(u32 mode) {
  return isFloatKind(kind) &&
         !(mode &
           (kind == ValuKind::Float ? ModeDenormF32In : ModeDenormF64F16In));
}
template <ValuKind kind> bool flushesOut(u32 mode) {
  return isFloatKind(kind) &&
         !(mode &
           (kind == ValuKind::Float ? ModeDenormF32Out : ModeDenormF64F16Out));
}

/// A result as MODE.FP16_OVFL has it.
template <typename T>
[[gnu::always_inline]] inline typename T::Type hold(u32 mode,
                                                    typename T::Type value) {
  if constexpr (std::is_same_v<T, F16>)
    return holdHalf(mode, value);
  else
    return value;
}

/// A source of type \p T, all lanes.
template <typename T> struct Source {
  [[gnu::always_inline]] Source(const Wave &w, const ExecInst &inst,
                                unsigned i) {
    bool slow = ValuForm::of(inst).slowSources >> i & 1;
    for (unsigned dword = 0; dword != T::dwords; ++dword)
      rows[dword] =
          slow || flushesIn<T::kind>(w.mode)
              ? fetchSource(w, inst, i, T::kind, dword, storage[dword])
              : readRow(w, inst.src(i), dword, storage[dword]);
  }
  /// The destination as a further source (v_fmac).
  [[gnu::always_inline]] Source(const Wave &w, const ExecInst &inst) {
    for (unsigned dword = 0; dword != T::dwords; ++dword)
      rows[dword] = flushesIn<T::kind>(w.mode)
                        ? fetchSource(w, inst, destinationAsSource, T::kind,
                                      dword, storage[dword])
                        : w.regs[inst.ops[0].row() + dword];
  }
  [[gnu::always_inline]] typename T::Type operator[](unsigned l) const {
    if constexpr (T::dwords == 1)
      return T::get(rows[0][l]);
    else
      return T::get(rows[0][l] | u64(rows[1][l]) << 32);
  }
  const u32 *rows[T::dwords];
  Row storage[T::dwords];
};

/// A result of type \p T, all lanes.
template <typename T> struct Result {
  [[gnu::always_inline]] void set(unsigned l, typename T::Type value) {
    if constexpr (T::dwords == 1) {
      rows[0].lane[l] = T::put(value);
    } else {
      u64 bits = T::put(value);
      rows[0].lane[l] = u32(bits);
      rows[1].lane[l] = u32(bits >> 32);
    }
  }
  [[gnu::always_inline]] void store(Wave &w, const ExecInst &inst) {
    if (ValuForm::of(inst).slowResult || flushesOut<T::kind>(w.mode)) {
      storeResult(w, inst, T::kind, rows[0],
                  T::dwords == 2 ? &rows[T::dwords - 1] : nullptr);
      return;
    }
    for (unsigned dword = 0; dword != T::dwords; ++dword)
      writeRow(w, inst.ops[0], dword, rows[dword]);
  }
  Row rows[T::dwords];
};

/// Set in the `mode` that expressions see if the integer clamp is on.
constexpr u32 clampFlag = u32(1) << 31;

[[gnu::always_inline]] inline u32 modeOf(const Wave &w, const ExecInst &inst) {
  return w.mode | (ValuForm::of(inst).clamp ? clampFlag : 0);
}

template <typename Op, typename D, typename A>
void valuBody1(Wave &w, const ExecInst &inst) {
  Source<A> a(w, inst, 0);
  Result<D> d;
  u32 mode = modeOf(w, inst);
  for (unsigned l = 0; l != waveLanes; ++l)
    d.set(l, hold<D>(mode, Op::f(mode, a[l])));
  d.store(w, inst);
}
template <typename Op, typename D, typename A, typename B>
void valuBody2(Wave &w, const ExecInst &inst) {
  Source<A> a(w, inst, 0);
  Source<B> b(w, inst, 1);
  Result<D> d;
  u32 mode = modeOf(w, inst);
  for (unsigned l = 0; l != waveLanes; ++l)
    d.set(l, hold<D>(mode, Op::f(mode, a[l], b[l])));
  d.store(w, inst);
}
template <typename Op, typename D, typename A, typename B, typename C>
void valuBody3(Wave &w, const ExecInst &inst) {
  Source<A> a(w, inst, 0);
  Source<B> b(w, inst, 1);
  Source<C> c(w, inst, 2);
  Result<D> d;
  u32 mode = modeOf(w, inst);
  for (unsigned l = 0; l != waveLanes; ++l)
    d.set(l, hold<D>(mode, Op::f(mode, a[l], b[l], c[l])));
  d.store(w, inst);
}
/// The destination is the third source.
template <typename Op, typename D, typename A, typename B>
void valuBodyAccumulate(Wave &w, const ExecInst &inst) {
  Source<A> a(w, inst, 0);
  Source<B> b(w, inst, 1);
  Source<D> c(w, inst);
  Result<D> d;
  u32 mode = modeOf(w, inst);
  for (unsigned l = 0; l != waveLanes; ++l)
    d.set(l, hold<D>(mode, Op::f(mode, a[l], b[l], c[l])));
  d.store(w, inst);
}

/// \p body under the rounding mode of results of kind \p kind.
template <ValuKind kind, Handler body>
void valuHandler(Wave &w, const ExecInst &inst) {
  unsigned shift =
      kind == ValuKind::Float ? ModeRoundF32Shift : ModeRoundF64F16Shift;
  unsigned rounding = w.mode >> shift & 3;
  if (isFloatKind(kind) && rounding)
    runRounded(w, inst, rounding, body);
  else
    body(w, inst);
}

enum class ValuTrait {
  None,
  MergesHalf, ///< 16-bit results keep the other half of the destination
  TakesClamp, ///< the expression obeys the integer clamp
  MergesHalfAndTakesClamp
};

/// Takes the instruction if its operands are those of a form with \p numSources
/// sources.
template <unsigned numSources, ValuKind kind, ValuTrait trait, Handler handler>
void resolveValu(const TargetInfo &, ExecInst &inst) {
  constexpr bool merges = trait == ValuTrait::MergesHalf ||
                          trait == ValuTrait::MergesHalfAndTakesClamp;
  constexpr bool clamps = isFloatKind(kind) || trait == ValuTrait::TakesClamp ||
                          trait == ValuTrait::MergesHalfAndTakesClamp;
  if (!describeValu(inst, numSources, merges))
    return;
  if (!clamps && ValuForm::of(inst).clamp)
    return;
  inst.handler = handler;
}

template <typename Op, ValuTrait trait, typename D, typename A>
void add1(HandlerTable &t, const char *key) {
  t.addResolver(key, resolveValu<1, D::kind, trait,
                                 valuHandler<D::kind, valuBody1<Op, D, A>>>);
}
template <typename Op, ValuTrait trait, typename D, typename A, typename B>
void add2(HandlerTable &t, const char *key) {
  t.addResolver(key, resolveValu<2, D::kind, trait,
                                 valuHandler<D::kind, valuBody2<Op, D, A, B>>>);
}
template <typename Op, ValuTrait trait, typename D, typename A, typename B,
          typename C>
void add3(HandlerTable &t, const char *key) {
  t.addResolver(key,
                resolveValu<3, D::kind, trait,
                            valuHandler<D::kind, valuBody3<Op, D, A, B, C>>>);
}
template <typename Op, ValuTrait trait, typename D, typename A, typename B>
void addAccumulate(HandlerTable &t, const char *key) {
  t.addResolver(
      key, resolveValu<2, D::kind, trait,
                       valuHandler<D::kind, valuBodyAccumulate<Op, D, A, B>>>);
}

#define FLY_OP1(D, A, expression)                                              \
  struct Op {                                                                  \
    [[gnu::always_inline]] static D::Type f([[maybe_unused]] u32 mode,         \
                                            [[maybe_unused]] A::Type a) {      \
      return D::Type(expression);                                              \
    }                                                                          \
  }
#define FLY_OP2(D, A, B, expression)                                           \
  struct Op {                                                                  \
    [[gnu::always_inline]] static D::Type f([[maybe_unused]] u32 mode,         \
                                            [[maybe_unused]] A::Type a,        \
                                            [[maybe_unused]] B::Type b) {      \
      return D::Type(expression);                                              \
    }                                                                          \
  }
#define FLY_OP3(D, A, B, C, expression)                                        \
  struct Op {                                                                  \
    [[gnu::always_inline]] static D::Type f([[maybe_unused]] u32 mode,         \
                                            [[maybe_unused]] A::Type a,        \
                                            [[maybe_unused]] B::Type b,        \
                                            [[maybe_unused]] C::Type c) {      \
      return D::Type(expression);                                              \
    }                                                                          \
  }

/// One, two and three sources, with a trait.
#define VALU1_TRAIT(t, key, trait, D, A, ...)                                  \
  do {                                                                         \
    FLY_OP1(D, A, (__VA_ARGS__));                                              \
    add1<Op, ValuTrait::trait, D, A>(t, key);                                  \
  } while (false)
#define VALU2_TRAIT(t, key, trait, D, A, B, ...)                               \
  do {                                                                         \
    FLY_OP2(D, A, B, (__VA_ARGS__));                                           \
    add2<Op, ValuTrait::trait, D, A, B>(t, key);                               \
  } while (false)
#define VALU3_TRAIT(t, key, trait, D, A, B, C, ...)                            \
  do {                                                                         \
    FLY_OP3(D, A, B, C, (__VA_ARGS__));                                        \
    add3<Op, ValuTrait::trait, D, A, B, C>(t, key);                            \
  } while (false)

/// One, two and three sources.
#define VALU1(t, key, D, A, ...) VALU1_TRAIT(t, key, None, D, A, __VA_ARGS__)
#define VALU2(t, key, D, A, B, ...)                                            \
  VALU2_TRAIT(t, key, None, D, A, B, __VA_ARGS__)
#define VALU3(t, key, D, A, B, C, ...)                                         \
  VALU3_TRAIT(t, key, None, D, A, B, C, __VA_ARGS__)
/// Two sources; the destination is c.
#define VALU_ACCUMULATE(t, key, trait, D, A, B, ...)                           \
  do {                                                                         \
    FLY_OP3(D, A, B, D, (__VA_ARGS__));                                        \
    addAccumulate<Op, ValuTrait::trait, D, A, B>(t, key);                      \
  } while (false)

} // namespace
} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_VALU_H
