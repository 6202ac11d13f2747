//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The operations of atomics, on the bits of a 32 or 64-bit word, and how one
/// is applied to memory. For family files only.

#ifndef FLY_LIB_EMULATOR_ATOMICOPERATIONS_H
#define FLY_LIB_EMULATOR_ATOMICOPERATIONS_H

#include "LaneMemory.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

template <typename To, typename From> To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}
template <typename T> struct SignedOf {
  using Type = int32_t;
};
template <> struct SignedOf<uint64_t> {
  using Type = int64_t;
};
template <typename T> struct FloatOf {
  using Type = float;
};
template <> struct FloatOf<uint64_t> {
  using Type = double;
};

/// Every operation: the new value from the old one, the data and, of the
/// compare and swap, what is expected.
struct AtomicSwap {
  template <typename T> static T of(T, T data, T) { return data; }
};
struct AtomicCompareSwap {
  template <typename T> static T of(T old, T data, T expected) {
    return old == expected ? data : old;
  }
};
/// Equal as floating-point numbers: zeros of both signs are, NaNs are not.
struct AtomicCompareSwapF {
  template <typename T> static T of(T old, T data, T expected);
};
/// ds_wrap: a counter that goes on by data, or back by the limit.
struct AtomicWrap {
  template <typename T> static T of(T old, T data, T limit) {
    return old >= limit ? old - limit : old + data;
  }
};
/// ds_condxchg32: the dwords of data whose top bit is set, without that bit.
struct AtomicConditionalSwap {
  static uint32_t half(uint32_t old, uint32_t data) {
    return data >> 31 ? data & 0x7fffffff : old;
  }
  template <typename T> static T of(T old, T data, T) {
    return half(uint32_t(old), uint32_t(data)) |
           T(half(uint32_t(old >> 32), uint32_t(data >> 32))) << 32;
  }
};
struct AtomicAdd {
  template <typename T> static T of(T old, T data, T) { return old + data; }
};
struct AtomicSub {
  template <typename T> static T of(T old, T data, T) { return old - data; }
};
struct AtomicRsub {
  template <typename T> static T of(T old, T data, T) { return data - old; }
};
struct AtomicSMin {
  template <typename T> static T of(T old, T data, T) {
    using S = typename SignedOf<T>::Type;
    return S(data) < S(old) ? data : old;
  }
};
struct AtomicUMin {
  template <typename T> static T of(T old, T data, T) {
    return data < old ? data : old;
  }
};
struct AtomicSMax {
  template <typename T> static T of(T old, T data, T) {
    using S = typename SignedOf<T>::Type;
    return S(data) > S(old) ? data : old;
  }
};
struct AtomicUMax {
  template <typename T> static T of(T old, T data, T) {
    return data > old ? data : old;
  }
};
struct AtomicAnd {
  template <typename T> static T of(T old, T data, T) { return old & data; }
};
struct AtomicOr {
  template <typename T> static T of(T old, T data, T) { return old | data; }
};
struct AtomicXor {
  template <typename T> static T of(T old, T data, T) { return old ^ data; }
};
/// ds_mskor: the bits of the mask (data) are replaced by those of the second
/// operand.
struct AtomicMaskedOr {
  template <typename T> static T of(T old, T bits, T mask) {
    return (old & ~mask) | bits;
  }
};
struct AtomicInc {
  template <typename T> static T of(T old, T data, T) {
    return old >= data ? 0 : old + 1;
  }
};
struct AtomicDec {
  template <typename T> static T of(T old, T data, T) {
    return old == 0 || old > data ? data : old - 1;
  }
};
struct AtomicFAdd {
  template <typename T> static T of(T old, T data, T) {
    using F = typename FloatOf<T>::Type;
    return bitsAs<T>(F(bitsAs<F>(old) + bitsAs<F>(data)));
  }
};
/// A NaN operand gives the other one.
struct AtomicFMin {
  template <typename T> static T of(T old, T data, T) {
    using F = typename FloatOf<T>::Type;
    F a = bitsAs<F>(old), b = bitsAs<F>(data);
    return a != a ? data : b != b ? old : b < a ? data : old;
  }
};
struct AtomicFMax {
  template <typename T> static T of(T old, T data, T) {
    using F = typename FloatOf<T>::Type;
    F a = bitsAs<F>(old), b = bitsAs<F>(data);
    return a != a ? data : b != b ? old : b > a ? data : old;
  }
};

template <typename T> T AtomicCompareSwapF::of(T old, T data, T expected) {
  using F = typename FloatOf<T>::Type;
  return bitsAs<F>(old) == bitsAs<F>(expected) ? data : old;
}

inline float bf16ToFloat(uint32_t half) { return bitsAs<float>(half << 16); }
/// Round to nearest even; NaN stays NaN.
inline uint32_t floatToBf16(float value) {
  uint32_t bits = bitsAs<uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return (bits >> 16 | 0x40) & 0xffff;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
struct AtomicPkAddBf16 {
  template <typename T> static T of(T old, T data, T) {
    T low = floatToBf16(bf16ToFloat(uint32_t(old) & 0xffff) +
                        bf16ToFloat(uint32_t(data) & 0xffff));
    T high = floatToBf16(bf16ToFloat(uint32_t(old) >> 16) +
                         bf16ToFloat(uint32_t(data) >> 16));
    return low | high << 16;
  }
};
struct AtomicPkAddF16 {
  static uint32_t add(uint32_t a, uint32_t b) {
    // The sum of two halves is exact in f32 up to its last rounding.
    _Float16 sum = _Float16(float(bitsAs<_Float16>(uint16_t(a))) +
                            float(bitsAs<_Float16>(uint16_t(b))));
    return bitsAs<uint16_t>(sum);
  }
  template <typename T> static T of(T old, T data, T) {
    return T(add(uint32_t(old) & 0xffff, uint32_t(data) & 0xffff) |
             add(uint32_t(old) >> 16, uint32_t(data) >> 16) << 16);
  }
};

/// Applies \p Op at \p p and returns the old value. Memory that other threads
/// see is changed atomically if it is aligned, as the hardware requires.
template <typename Op, typename T>
T applyAtomic(uint8_t *p, T data, T expected, bool shared) {
  T old = loadAs<T>(p);
  if (!shared || reinterpret_cast<uintptr_t>(p) % sizeof(T) != 0) {
    T value = Op::template of<T>(old, data, expected);
    __builtin_memcpy(p, &value, sizeof(T));
    return old;
  }
  T *word = reinterpret_cast<T *>(p);
  old = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  T value;
  do {
    value = Op::template of<T>(old, data, expected);
  } while (!__atomic_compare_exchange_n(word, &old, value, false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return old;
}

template <typename T>
T dataAt(const MemoryAccess &a, unsigned lane, unsigned dword) {
  T value = a.data[dword].lane[lane];
  if constexpr (sizeof(T) == 8)
    value |= T(a.data[dword + 1].lane[lane]) << 32;
  return value;
}

/// The lanes one after another. data holds the operand, then what a compare and
/// swap expects.
template <Space space, typename Op, typename T>
void performAtomic(Wave &w, MemoryAccess &a) {
  constexpr unsigned dwords = sizeof(T) / 4;
  Row old[2] = {};
  for (uint64_t rest = a.mask & a.valid[0]; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctzll(rest));
    uint8_t *p = resolveLane<space>(w, a, l, a.address[l], sizeof(T));
    if (!p)
      continue;
    T value = applyAtomic<Op, T>(p, dataAt<T>(a, l, 0), dataAt<T>(a, l, dwords),
                                 space != Space::Lds);
    old[0].lane[l] = uint32_t(value);
    old[1].lane[l] = uint32_t(uint64_t(value) >> 32);
  }
  if (a.writesRows)
    for (unsigned d = 0; d != dwords; ++d)
      writeRowMasked(w, a.firstRow + d, old[d].lane, a.mask);
}

} // namespace
} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_ATOMICOPERATIONS_H
