//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// f64 arithmetic, modifiers and division.

#include "ValuMachine.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace fly;
using namespace fly::test;

using u32 = uint32_t;
using u64 = uint64_t;

TEST(ValuDouble, Arithmetic) {
  ValuMachine machine;
  std::vector<u64> values;
  for (u64 value : doubleSamples(10))
    if (std::isfinite(doubleOf(value)))
      values.push_back(value);
  machine.check64("v_add_f64", 2, values, [](const u64 *s) {
    return bits64(doubleOf(s[0]) + doubleOf(s[1]));
  });
  machine.check64("v_mul_f64", 2, values, [](const u64 *s) {
    return bits64(doubleOf(s[0]) * doubleOf(s[1]));
  });
  machine.check64("v_max_f64", 2, values, [](const u64 *s) {
    double a = doubleOf(s[0]), b = doubleOf(s[1]);
    return a == b ? (std::signbit(a) ? s[1] : s[0]) : bits64(std::max(a, b));
  });
  machine.check64("v_min_f64", 2, values, [](const u64 *s) {
    double a = doubleOf(s[0]), b = doubleOf(s[1]);
    return a == b ? (std::signbit(a) ? s[0] : s[1]) : bits64(std::min(a, b));
  });
  machine.check64(
      "v_fma_f64", 3, {values.begin(), values.begin() + 10}, [](const u64 *s) {
        return bits64(std::fma(doubleOf(s[0]), doubleOf(s[1]), doubleOf(s[2])));
      });
  machine.check64("v_floor_f64", 1, values, [](const u64 *s) {
    return bits64(std::floor(doubleOf(s[0])));
  });
  machine.check64("v_rndne_f64", 1, values, [](const u64 *s) {
    return bits64(std::nearbyint(doubleOf(s[0])));
  });
  machine.check64(
      "v_sqrt_f64", 1, {bits64(2), bits64(0), bits64(0x1p-1060)},
      [](const u64 *s) { return bits64(std::sqrt(doubleOf(s[0]))); });
  machine.check64("v_frexp_mant_f64", 1, values, [](const u64 *s) {
    int exponent;
    return bits64(std::frexp(doubleOf(s[0]), &exponent));
  });
  for (int n : {0, 5, -5, 1023, -1022, -1074, 2098, -2098, 100000})
    for (u64 value : values) {
      machine.vgpr(2)[0] = u32(value);
      machine.vgpr(3)[0] = u32(value >> 32);
      machine.vgpr(4)[0] = u32(n);
      machine.run("v_ldexp_f64 v[0:1], v[2:3], v4");
      EXPECT_EQ(machine.vgpr(0)[0] | u64(machine.vgpr(1)[0]) << 32,
                bits64(std::ldexp(doubleOf(value), n)))
          << n << " " << std::hex << value;
      int exponent;
      std::frexp(doubleOf(value), &exponent);
      machine.run("v_frexp_exp_i32_f64 v0, v[2:3]");
      EXPECT_EQ(int(machine.vgpr(0)[0]), exponent);
    }
}

TEST(ValuDouble, Modifiers) {
  ValuMachine machine;
  auto set = [&](unsigned row, double value) {
    machine.vgpr(row)[0] = u32(bits64(value));
    machine.vgpr(row + 1)[0] = u32(bits64(value) >> 32);
  };
  set(2, 3.0);
  set(4, -5.0);
  machine.run("v_add_f64 v[0:1], -v[2:3], |v[4:5]|");
  EXPECT_EQ(machine.vgpr(1)[0], u32(bits64(2.0) >> 32));
  machine.run("v_add_f64 v[0:1], v[2:3], |v[4:5]| clamp");
  EXPECT_EQ(machine.vgpr(1)[0], u32(bits64(1.0) >> 32));
  machine.wave->mode &= ~u32(emu::ModeDenormF64F16In);
  set(2, 0x1p-1060);
  set(4, 0x1p100);
  machine.run("v_mul_f64 v[0:1], v[2:3], v[4:5]");
  EXPECT_EQ(machine.vgpr(0)[0] | machine.vgpr(1)[0], 0u);
}

TEST(ValuDouble, DivisionSequence) {
  ValuMachine machine;
  std::vector<u64> values;
  for (u64 value : doubleSamples(20))
    if (!(value >> 52 & 2047) == false)
      values.push_back(value);
  for (u64 n : values)
    for (u64 d : values) {
      double expected = doubleOf(n) / doubleOf(d);
      machine.vgpr(2)[0] = u32(n);
      machine.vgpr(3)[0] = u32(n >> 32);
      machine.vgpr(4)[0] = u32(d);
      machine.vgpr(5)[0] = u32(d >> 32);
      for (const char *text :
           {"v_div_scale_f64 v[6:7], s[4:5], v[4:5], v[4:5], v[2:3]",
            "v_rcp_f64 v[8:9], v[6:7]",
            "v_fma_f64 v[10:11], -v[6:7], v[8:9], 1.0",
            "v_fma_f64 v[8:9], v[8:9], v[10:11], v[8:9]",
            "v_div_scale_f64 v[12:13], vcc, v[2:3], v[4:5], v[2:3]",
            "v_mul_f64 v[10:11], v[12:13], v[8:9]",
            "v_fma_f64 v[6:7], -v[6:7], v[10:11], v[12:13]",
            "v_div_fmas_f64 v[6:7], v[6:7], v[8:9], v[10:11]",
            "v_div_fixup_f64 v[0:1], v[6:7], v[4:5], v[2:3]"})
        machine.run(text);
      u64 actual = machine.vgpr(0)[0] | u64(machine.vgpr(1)[0]) << 32;
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(doubleOf(actual)));
      else
        EXPECT_EQ(actual, bits64(expected)) << std::hex << n << " / " << d;
    }
}

TEST(ValuDouble, RoundingsAndFma) {
  ValuMachine machine;
  std::vector<u64> values;
  for (u64 value : doubleSamples(100))
    if (std::isfinite(doubleOf(value)))
      values.push_back(value);
  auto check = [&](const char *op, double (*f)(double)) {
    machine.check64(op, 1, values,
                    [&](const u64 *s) { return bits64(f(doubleOf(s[0]))); });
  };
  check("v_trunc_f64", [](double x) { return std::trunc(x); });
  check("v_ceil_f64", [](double x) { return std::ceil(x); });
  check("v_fract_f64", [](double x) {
    return std::min(x - std::floor(x), std::nextafter(1.0, 0.0));
  });
  for (u64 a : values) {
    auto set = [&](unsigned row, u64 value) {
      machine.vgpr(row)[0] = u32(value);
      machine.vgpr(row + 1)[0] = u32(value >> 32);
    };
    set(0, bits64(3.5));
    set(2, a);
    set(4, bits64(-1.25));
    machine.run("v_fmac_f64 v[0:1], v[2:3], v[4:5]");
    EXPECT_EQ(machine.vgpr(0)[0] | u64(machine.vgpr(1)[0]) << 32,
              bits64(std::fma(doubleOf(a), -1.25, 3.5)))
        << std::hex << a;
  }
}
