//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// v_cmp, v_cmpx and v_cmp_class of every type. The result is a mask of lanes
/// with zeros for inactive ones, in VCC or a named pair; v_cmpx writes EXEC
/// too.

#include "ValuFloat.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

void writeMask(Wave &w, const ExecInst &inst, u64 mask, bool execToo) {
  mask &= writtenLanes(w, inst);
  if (inst.numDefs)
    writeScalar64(w, inst.ops[0], mask);
  else
    w.setPair(ScalarVcc, mask);
  if (execToo)
    w.setPair(ScalarExec, mask);
}

template <typename Relation, typename A, typename B, bool execToo>
void compare(Wave &w, const ExecInst &inst) {
  Source<A> a(w, inst, 0);
  Source<B> b(w, inst, 1);
  u64 mask = 0;
  for (unsigned half = 0; half != 2; ++half) {
    u32 bits = 0;
    for (unsigned l = 0; l != 32; ++l)
      bits |= u32(Relation::of(a[32 * half + l], b[32 * half + l])) << l;
    mask |= u64(bits) << (32 * half);
  }
  writeMask(w, inst, mask, execToo);
}

template <Handler handler>
void resolveCompare(const TargetInfo &, ExecInst &inst) {
  if (describeValu(inst, 2))
    inst.handler = handler;
}

void append(char *&to, const char *text) {
  while (*text)
    *to++ = *text++;
}

template <typename Relation, typename A, typename B = A>
void addRelation(HandlerTable &t, const char *relation, const char *type) {
  for (bool execToo : {false, true}) {
    char key[32], *end = key;
    append(end, execToo ? "v_cmpx_" : "v_cmp_");
    append(end, relation);
    append(end, "_");
    append(end, type);
    t.addResolver(llvm::StringRef(key, size_t(end - key)),
                  execToo ? resolveCompare<compare<Relation, A, B, true>>
                          : resolveCompare<compare<Relation, A, B, false>>);
  }
}

#define FLY_RELATION(name, expression)                                         \
  struct name {                                                                \
    template <typename T>                                                      \
    [[gnu::always_inline]] static bool of([[maybe_unused]] T a,                \
                                          [[maybe_unused]] T b) {              \
      return expression;                                                       \
    }                                                                          \
  }

FLY_RELATION(Never, false);
FLY_RELATION(Always, true);
FLY_RELATION(Less, a < b);
FLY_RELATION(Equal, a == b);
FLY_RELATION(LessEqual, a <= b);
FLY_RELATION(Greater, a > b);
FLY_RELATION(NotEqual, a != b);
FLY_RELATION(LessOrGreater, a<b || a> b);
FLY_RELATION(GreaterEqual, a >= b);
FLY_RELATION(Ordered, a == a && b == b);
FLY_RELATION(Unordered, a != a || b != b);
FLY_RELATION(NotGreaterEqual, !(a >= b));
FLY_RELATION(NotLessOrGreater, !(a < b || a > b));
FLY_RELATION(NotGreater, !(a > b));
FLY_RELATION(NotLessEqual, !(a <= b));
FLY_RELATION(NotLess, !(a < b));

template <typename T> void addIntegers(HandlerTable &t, const char *type) {
  addRelation<Never, T>(t, "f", type);
  addRelation<Less, T>(t, "lt", type);
  addRelation<Equal, T>(t, "eq", type);
  addRelation<LessEqual, T>(t, "le", type);
  addRelation<Greater, T>(t, "gt", type);
  addRelation<NotEqual, T>(t, "ne", type);
  addRelation<GreaterEqual, T>(t, "ge", type);
  addRelation<Always, T>(t, "t", type);
}

/// The class bits of v_cmp_class: signalling NaN, quiet NaN, -inf, -normal,
/// -denormal, -0, +0, +denormal, +normal, +inf.
template <typename T> struct ClassOf {
  // From the code of a float of `bits` with `mantissa` bits.
  static u32 of(u64 code, unsigned bits, unsigned mantissa) {
    u64 magnitude = code & ((u64(1) << (bits - 1)) - 1);
    bool negative = code >> (bits - 1) & 1;
    u64 infinity = ((u64(1) << (bits - 1 - mantissa)) - 1) << mantissa;
    u32 nan = magnitude & u64(1) << (mantissa - 1) ? 2 : 1;
    u32 kind = magnitude == 0               ? 0
               : magnitude >> mantissa == 0 ? 1
               : magnitude < infinity       ? 2
                                            : 3;
    u32 number = u32(1) << (negative ? 5 - kind : 6 + kind);
    return magnitude > infinity ? nan : number;
  }
};
struct Class32 {
  static bool of(float a, u32 b) {
    return ClassOf<float>::of(bitsAs<u32>(a), 32, 23) & b;
  }
};
struct Class64 {
  static bool of(double a, u32 b) {
    return ClassOf<double>::of(bitsAs<u64>(a), 64, 52) & b;
  }
};
struct Class16 {
  static bool of(u32 a, u32 b) { return ClassOf<u32>::of(a, 16, 10) & b; }
};

template <typename T> void addFloats(HandlerTable &t, const char *type) {
  addRelation<Never, T>(t, "f", type);
  addRelation<Less, T>(t, "lt", type);
  addRelation<Equal, T>(t, "eq", type);
  addRelation<LessEqual, T>(t, "le", type);
  addRelation<Greater, T>(t, "gt", type);
  addRelation<LessOrGreater, T>(t, "lg", type);
  addRelation<GreaterEqual, T>(t, "ge", type);
  addRelation<Ordered, T>(t, "o", type);
  addRelation<Unordered, T>(t, "u", type);
  addRelation<NotGreaterEqual, T>(t, "nge", type);
  addRelation<NotLessOrGreater, T>(t, "nlg", type);
  addRelation<NotGreater, T>(t, "ngt", type);
  addRelation<NotLessEqual, T>(t, "nle", type);
  addRelation<NotEqual, T>(t, "neq", type);
  addRelation<NotLess, T>(t, "nlt", type);
  addRelation<Always, T>(t, "tru", type);
}

} // namespace

void addValuCompareOps(HandlerTable &t) {
  addIntegers<I16>(t, "i16");
  addIntegers<U16>(t, "u16");
  addIntegers<I32>(t, "i32");
  addIntegers<B32>(t, "u32");
  addIntegers<I64>(t, "i64");
  addIntegers<B64>(t, "u64");
  addFloats<F16>(t, "f16");
  addFloats<F32>(t, "f32");
  addFloats<F64>(t, "f64");
  addRelation<Class32, F32, B32>(t, "class", "f32");
  addRelation<Class64, F64, B32>(t, "class", "f64");
  addRelation<Class16, H16, B32>(t, "class", "f16");
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
