//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Every scalar arithmetic instruction, result and SCC, over all combinations
/// of sample values. The rules are those of the CDNA ISA manuals, written bit
/// by bit or in wider integers.

#include "ValuMachine.h"

#include "fly/CodeObject/InstructionSpace.h"
#include "fly/Emulator/Wave.h"

#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>

using namespace fly;
using namespace fly::test;

namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i64 = int64_t;
using wide = __int128;

/// What an instruction makes; SCC keeps its value if it is not given.
struct Outcome {
  u64 value = 0;
  std::optional<bool> scc;
};
/// From the sources, SCC, and the old value of the destination.
struct Inputs {
  u64 a = 0, b = 0;
  bool scc = false;
  u64 old = 0;
};
using Rule = std::function<Outcome(const Inputs &)>;

i64 s32(u64 x) { return int32_t(u32(x)); }
Outcome withScc(u64 value) { return {value, value != 0}; }

/// Registers of an instruction: bits of the destination (0: none) and of the
/// sources.
struct Form {
  unsigned result, a, b;
};
struct Entry {
  Form form;
  Rule rule;
};
using Table = std::map<std::string, Entry>;

std::string scalar(unsigned first, unsigned bits) {
  return bits == 64 ? "s[" + std::to_string(first) + ":" +
                          std::to_string(first + 1) + "]"
                    : "s" + std::to_string(first);
}

class Machine {
public:
  void set(unsigned first, u64 value) {
    machine.sgpr(first) = u32(value);
    machine.sgpr(first + 1) = u32(value >> 32);
  }
  /// The destination is s[20:21], the sources s[22:23] and s[24:25].
  void check(const std::string &key, const Entry &entry, Inputs in) {
    auto cut = [](u64 x, unsigned bits) { return bits == 32 ? u32(x) : x; };
    Form f = entry.form;
    std::string text = key;
    if (f.result)
      text += " " + scalar(20, f.result) + (f.a ? "," : "");
    if (f.a)
      text += " " + scalar(22, f.a);
    if (f.b)
      text += ", " + scalar(24, f.b);
    set(20, in.old);
    set(22, in.a);
    set(24, in.b);
    machine.wave->scc = in.scc;
    machine.run(text);
    in.a = cut(in.a, f.a);
    in.b = cut(in.b, f.b);
    Outcome expected = entry.rule(in);
    u64 whole = f.result == 64   ? expected.value
                : f.result == 32 ? (in.old >> 32 << 32) | u32(expected.value)
                                 : in.old;
    if (machine.pair(20) == whole &&
        machine.wave->scc == expected.scc.value_or(in.scc))
      return;
    if (++wrong[key] <= 3)
      ADD_FAILURE() << text << std::hex << " of " << in.a << ", " << in.b
                    << " scc " << in.scc << " gives " << machine.pair(20)
                    << " scc " << machine.wave->scc << ", expected " << whole
                    << " scc " << expected.scc.value_or(in.scc);
  }

  ValuMachine machine;
  std::map<std::string, unsigned> wrong;
};

std::vector<u64> samples() {
  std::vector<u64> values = {
      0,          1,          2,          3,          31,         32,
      33,         63,         64,         0x7f,       0x80,       0x7fff,
      0x8000,     0xffff,     0x10000,    0x7fffffff, 0x80000000, 0xfffffffe,
      0xffffffff, 0x00040003, 0x00200000, 0x0010001c, 0x00ff0005};
  for (u64 high : {u64(1), u64(0x7fffffff), u64(0x80000000), u64(0xffffffff),
                   u64(0x00f00a00)})
    for (u64 low : {u64(0), u64(1), u64(0xffffffff), u64(0x5a0f0080)})
      values.push_back(high << 32 | low);
  return values;
}

u64 ones(unsigned n) { return n >= 64 ? ~u64(0) : (u64(1) << n) - 1; }
bool bit(u64 x, unsigned n) { return x >> n & 1; }

void addLogic(Table &t) {
  const std::map<std::string, std::function<bool(bool, bool)>> tables = {
      {"and", [](bool a, bool b) { return a && b; }},
      {"or", [](bool a, bool b) { return a || b; }},
      {"xor", [](bool a, bool b) { return a != b; }},
      {"andn2", [](bool a, bool b) { return a && !b; }},
      {"orn2", [](bool a, bool b) { return a || !b; }},
      {"nand", [](bool a, bool b) { return !(a && b); }},
      {"nor", [](bool a, bool b) { return !(a || b); }},
      {"xnor", [](bool a, bool b) { return a == b; }}};
  for (const auto &[name, f] : tables)
    for (unsigned bits : {32, 64})
      t["s_" + name + "_b" + std::to_string(bits)] = {
          {bits, bits, bits}, [f = f, bits = bits](const Inputs &in) {
            u64 d = 0;
            for (unsigned i = 0; i < bits; ++i)
              d |= u64(f(bit(in.a, i), bit(in.b, i))) << i;
            return withScc(d);
          }};
}

void addArithmetic(Table &t) {
  auto add = [&](const char *key, Rule rule) {
    t[key] = {{32, 32, 32}, std::move(rule)};
  };
  // Sums in 128 bits; SCC says that they leave the type.
  auto sum = [](wide d, bool isSigned) -> Outcome {
    bool leaves = isSigned ? d != int32_t(u32(d)) : d != u32(d);
    return {u32(d), leaves};
  };
  add("s_add_u32", [=](auto &in) { return sum(wide(in.a) + in.b, false); });
  add("s_sub_u32",
      [=](auto &in) { return sum(wide(in.a) - wide(in.b), false); });
  add("s_addc_u32",
      [=](auto &in) { return sum(wide(in.a) + in.b + in.scc, false); });
  add("s_subb_u32",
      [=](auto &in) { return sum(wide(in.a) - wide(in.b) - in.scc, false); });
  add("s_add_i32",
      [=](auto &in) { return sum(wide(s32(in.a)) + s32(in.b), true); });
  add("s_sub_i32",
      [=](auto &in) { return sum(wide(s32(in.a)) - s32(in.b), true); });
  for (unsigned n = 1; n <= 4; ++n)
    add(("s_lshl" + std::to_string(n) + "_add_u32").c_str(),
        [=](auto &in) { return sum(wide(in.a) * (1 << n) + in.b, false); });
  add("s_min_i32", [](auto &in) {
    return Outcome{s32(in.a) < s32(in.b) ? in.a : in.b, s32(in.a) < s32(in.b)};
  });
  add("s_min_u32",
      [](auto &in) { return Outcome{std::min(in.a, in.b), in.a < in.b}; });
  add("s_max_i32", [](auto &in) {
    return Outcome{s32(in.a) > s32(in.b) ? in.a : in.b, s32(in.a) >= s32(in.b)};
  });
  add("s_max_u32",
      [](auto &in) { return Outcome{std::max(in.a, in.b), in.a >= in.b}; });
  add("s_absdiff_i32", [](auto &in) {
    u32 d = u32(s32(in.a) - s32(in.b)); // the difference wraps first
    return withScc(int32_t(d) < 0 ? u32(-i64(int32_t(d))) : d);
  });
  add("s_mul_i32", [](auto &in) { return Outcome{u32(in.a * in.b), {}}; });
  add("s_mul_hi_u32", [](auto &in) { return Outcome{in.a * in.b >> 32, {}}; });
  add("s_mul_hi_i32", [](auto &in) {
    return Outcome{u32(u64(s32(in.a) * s32(in.b)) >> 32), {}};
  });
  auto half = [](u64 x, unsigned i) { return x >> 16 * i & 0xffff; };
  for (auto [name, first, second] :
       {std::tuple("ll", 0u, 0u), std::tuple("lh", 0u, 1u),
        std::tuple("hh", 1u, 1u)})
    add((std::string("s_pack_") + name + "_b32_b16").c_str(),
        [=, first = first, second = second](auto &in) {
          return Outcome{half(in.a, first) | half(in.b, second) << 16, {}};
        });
  for (unsigned bits : {32, 64})
    t["s_cselect_b" + std::to_string(bits)] = {
        {bits, bits, bits},
        [](const Inputs &in) { return Outcome{in.scc ? in.a : in.b, {}}; }};
}

/// Shifts, fields: the second source has 32 bits.
void addShifts(Table &t) {
  for (unsigned bits : {32u, 64u}) {
    std::string type = std::to_string(bits);
    auto add = [&](std::string key, Rule rule) {
      t[key + type] = {{bits, bits, 32}, std::move(rule)};
    };
    auto extend = [bits](u64 x, unsigned width) { // sign bit is width - 1
      u64 sign = u64(1) << (width - 1);
      return ((x ^ sign) - sign) & ones(bits);
    };
    add("s_lshl_b",
        [=](auto &in) { return withScc(in.a << in.b % bits & ones(bits)); });
    add("s_lshr_b", [=](auto &in) { return withScc(in.a >> in.b % bits); });
    add("s_ashr_i", [=](auto &in) {
      u64 n = in.b % bits;
      return withScc(
          in.a >> n |
          (bit(in.a, bits - 1) ? ones(bits) & ~(ones(bits) >> n) : 0));
    });
    auto field = [=](const Inputs &in, unsigned &width) {
      unsigned offset = in.b % bits;
      width = std::min<unsigned>(in.b >> 16 & 0x7f, bits - offset);
      return in.a >> offset & ones(width);
    };
    add("s_bfe_u", [=](auto &in) {
      unsigned width;
      return withScc(field(in, width));
    });
    add("s_bfe_i", [=](auto &in) {
      unsigned width;
      u64 value = field(in, width);
      return withScc(width ? extend(value, width) : 0);
    });
    t["s_bfm_b" + type] = {{bits, 32, 32}, [=](const Inputs &in) {
                             u64 mask = ones(unsigned(in.a % bits));
                             return Outcome{mask << in.b % bits & ones(bits),
                                            {}};
                           }};
    t["s_bitcmp0_b" + type] = {{0, bits, 32}, [=](const Inputs &in) {
                                 return Outcome{0, !bit(in.a, in.b % bits)};
                               }};
    t["s_bitcmp1_b" + type] = {{0, bits, 32}, [=](const Inputs &in) {
                                 return Outcome{0, bit(in.a, in.b % bits)};
                               }};
    t["s_bitset0_b" + type] = {{bits, 32, 0}, [=](const Inputs &in) {
                                 return Outcome{
                                     in.old & ~(u64(1) << in.a % bits), {}};
                               }};
    t["s_bitset1_b" + type] = {{bits, 32, 0}, [=](const Inputs &in) {
                                 return Outcome{in.old | u64(1) << in.a % bits,
                                                {}};
                               }};
    t["s_cmov_b" + type] = {{bits, bits, 0}, [](const Inputs &in) {
                              return Outcome{in.scc ? in.a : in.old, {}};
                            }};
  }
}

/// Position of the first bit that is \p value, from the bottom or the top.
u64 findBit(u64 x, unsigned bits, bool value, bool fromTop) {
  for (unsigned i = 0; i < bits; ++i)
    if (bit(x, fromTop ? bits - 1 - i : i) == value)
      return i;
  return u32(-1);
}

void addUnary(Table &t) {
  for (unsigned bits : {32u, 64u}) {
    std::string type = "_b" + std::to_string(bits);
    auto add = [&](std::string key, unsigned result, Rule rule) {
      t[key] = {{result, bits, 0}, std::move(rule)};
    };
    add("s_mov" + type, bits, [](auto &in) { return Outcome{in.a, {}}; });
    add("s_not" + type, bits,
        [=](auto &in) { return withScc(in.a ^ ones(bits)); });
    add("s_brev" + type, bits, [=](auto &in) {
      u64 d = 0;
      for (unsigned i = 0; i < bits; ++i)
        d = d << 1 | bit(in.a, i);
      return Outcome{d, {}};
    });
    auto quads = [=](u64 a, bool whole) {
      u64 d = 0;
      for (unsigned q = 0; q < bits / 4; ++q)
        if (a >> 4 * q & 15)
          d |= whole ? u64(15) << 4 * q : u64(1) << q;
      return withScc(d);
    };
    add("s_wqm" + type, bits, [=](auto &in) { return quads(in.a, true); });
    add("s_quadmask" + type, bits,
        [=](auto &in) { return quads(in.a, false); });
    for (bool value : {false, true}) {
      std::string digit = value ? "1" : "0";
      add("s_bcnt" + digit + "_i32" + type, 32, [=](auto &in) {
        u64 n = 0;
        for (unsigned i = 0; i < bits; ++i)
          n += bit(in.a, i) == value;
        return withScc(n);
      });
      add("s_ff" + digit + "_i32" + type, 32, [=](auto &in) {
        return Outcome{findBit(in.a, bits, value, false), {}};
      });
    }
    add("s_flbit_i32" + type, 32,
        [=](auto &in) { return Outcome{findBit(in.a, bits, true, true), {}}; });
    add(bits == 32 ? "s_flbit_i32" : "s_flbit_i32_i64", 32, [=](auto &in) {
      return Outcome{findBit(in.a, bits, !bit(in.a, bits - 1), true), {}};
    });
  }
}

void addUnaryOfDwords(Table &t) {
  auto add = [&](const char *key, unsigned result, Rule rule) {
    t[key] = {{result, 32, 0}, std::move(rule)};
  };
  add("s_abs_i32", 32, [](auto &in) {
    return withScc(u32(s32(in.a) < 0 ? -s32(in.a) : s32(in.a)));
  });
  add("s_sext_i32_i8", 32, [](auto &in) {
    return Outcome{(in.a & 0xff) | (bit(in.a, 7) ? 0xffffff00 : 0), {}};
  });
  add("s_sext_i32_i16", 32, [](auto &in) {
    return Outcome{(in.a & 0xffff) | (bit(in.a, 15) ? 0xffff0000 : 0), {}};
  });
  add("s_bitreplicate_b64_b32", 64, [](auto &in) {
    u64 d = 0;
    for (unsigned i = 0; i < 64; ++i)
      d |= u64(bit(in.a, i / 2)) << i;
    return Outcome{d, {}};
  });
}

using Compare = std::function<bool(i64, i64)>;
const std::map<std::string, Compare> &compares() {
  static const std::map<std::string, Compare> list = {
      {"eq", [](i64 a, i64 b) { return a == b; }},
      {"lg", [](i64 a, i64 b) { return a != b; }},
      {"gt", [](i64 a, i64 b) { return a > b; }},
      {"ge", [](i64 a, i64 b) { return a >= b; }},
      {"lt", [](i64 a, i64 b) { return a < b; }},
      {"le", [](i64 a, i64 b) { return a <= b; }}};
  return list;
}

void addCompares(Table &t) {
  for (const auto &[name, f] : compares()) {
    t["s_cmp_" + name + "_i32"] = {{0, 32, 32}, [f = f](const Inputs &in) {
                                     return Outcome{0, f(s32(in.a), s32(in.b))};
                                   }};
    t["s_cmp_" + name + "_u32"] = {{0, 32, 32}, [f = f](const Inputs &in) {
                                     return Outcome{0, f(i64(in.a), i64(in.b))};
                                   }};
  }
  for (const char *name : {"eq", "lg"}) {
    Compare f = compares().at(name);
    t[std::string("s_cmp_") + name + "_u64"] = {
        {0, 64, 64},
        [f](const Inputs &in) { return Outcome{0, f(i64(in.a), i64(in.b))}; }};
  }
}

Table makeTable() {
  Table t;
  addLogic(t);
  addArithmetic(t);
  addShifts(t);
  addUnary(t);
  addUnaryOfDwords(t);
  addCompares(t);
  return t;
}

const int constants[] = {0, 1, 2, 0x7fff, -1, -2, -0x8000};

} // namespace

TEST(Salu, EveryCombination) {
  Machine machine;
  for (const auto &[key, entry] : makeTable())
    for (u64 a : samples())
      for (u64 b : samples()) {
        for (bool scc : {false, true})
          machine.check(key, entry, {a, b, scc, 0x0123456789abcdef ^ a});
        if (!entry.form.b)
          break;
      }
}

// The constant is sign-extended, except in unsigned comparisons.
TEST(Salu, SixteenBitConstants) {
  Machine machine;
  auto check = [&](const std::string &text, u32 value, u32 expected,
                   bool before, bool scc) {
    machine.set(20, value);
    machine.machine.wave->scc = before;
    machine.machine.run(text);
    EXPECT_EQ(machine.machine.sgpr(20), expected) << text << " " << value;
    EXPECT_EQ(machine.machine.wave->scc, scc) << text << " " << value;
  };
  for (u64 sample : samples())
    for (int k : constants) {
      u32 a = u32(sample);
      std::string tail = " s20, " + std::to_string(u32(k) & 0xffff);
      for (bool scc : {false, true}) {
        for (const auto &[name, f] : compares()) {
          check("s_cmpk_" + name + "_i32" + tail, a, a, scc, f(s32(a), k));
          check("s_cmpk_" + name + "_u32" + tail, a, a, scc, f(a, k & 0xffff));
        }
        i64 sum = s32(a) + k;
        check("s_addk_i32" + tail, a, u32(sum), scc, sum != s32(u64(sum)));
        check("s_mulk_i32" + tail, a, u32(s32(a) * k), scc, scc);
        check("s_movk_i32" + tail, a, u32(k), scc, scc);
        check("s_cmovk_i32" + tail, a, scc ? u32(k) : a, scc, scc);
      }
    }
}

TEST(Salu, ExecForms) {
  Machine machine;
  ValuMachine &m = machine.machine;
  const std::map<std::string, std::function<u64(u64, u64)>> rules = {
      {"and", [](u64 a, u64 e) { return a & e; }},
      {"or", [](u64 a, u64 e) { return a | e; }},
      {"xor", [](u64 a, u64 e) { return a ^ e; }},
      {"andn1", [](u64 a, u64 e) { return ~a & e; }},
      {"andn2", [](u64 a, u64 e) { return a & ~e; }},
      {"orn1", [](u64 a, u64 e) { return ~a | e; }},
      {"orn2", [](u64 a, u64 e) { return a | ~e; }},
      {"nand", [](u64 a, u64 e) { return ~(a & e); }},
      {"nor", [](u64 a, u64 e) { return ~(a | e); }},
      {"xnor", [](u64 a, u64 e) { return ~(a ^ e); }}};
  for (const auto &[name, f] : rules)
    for (u64 a : samples())
      for (u64 exec : samples()) {
        u64 result = f(a, exec);
        machine.set(22, a);
        m.setExec(exec);
        m.run("s_" + name + "_saveexec_b64 s[20:21], s[22:23]");
        EXPECT_EQ(m.pair(20), exec) << name;
        EXPECT_EQ(m.wave->exec(), result) << name;
        EXPECT_EQ(m.wave->scc, result != 0) << name;
        if (name != "andn1" && name != "andn2")
          continue;
        m.setExec(exec);
        m.run("s_" + name + "_wrexec_b64 s[20:21], s[22:23]");
        EXPECT_EQ(m.pair(20), result) << name;
        EXPECT_EQ(m.wave->exec(), result) << name;
        EXPECT_EQ(m.wave->scc, result != 0) << name;
      }
}

TEST(Salu, RelativeMoves) {
  Machine machine;
  ValuMachine &m = machine.machine;
  for (unsigned i = 0; i < 20; ++i)
    m.sgpr(40 + i) = 0x1000 + i;
  m.sgpr(124) = 6; // M0
  m.run("s_movrels_b32 s20, s41");
  EXPECT_EQ(m.sgpr(20), 0x1007u);
  m.run("s_movrels_b64 s[22:23], s[40:41]");
  EXPECT_EQ(m.pair(22), 0x0000100700001006u);
  m.run("s_movreld_b32 s44, s41");
  EXPECT_EQ(m.sgpr(50), 0x1001u);
  m.run("s_movreld_b64 s[46:47], s[42:43]");
  EXPECT_EQ(m.pair(52), 0x0000100300001002u);
  EXPECT_EQ(m.sgpr(44), 0x1004u) << "only the register M0 away is written";
  m.sgpr(124) = 61;
  m.run("s_movrels_b32 s20, s41");
  EXPECT_TRUE(m.wave->failure) << "there is no s102";
}

TEST(Salu, HardwareRegistersByField) {
  Machine machine;
  ValuMachine &m = machine.machine;
  m.wave->mode = 0x2f0;
  m.run("s_getreg_b32 s20, hwreg(HW_REG_MODE, 4, 6)");
  EXPECT_EQ(m.sgpr(20), 0x2fu);
  m.sgpr(22) = 0xfffffff5;
  m.run("s_setreg_b32 hwreg(HW_REG_MODE, 2, 3), s22");
  EXPECT_EQ(m.wave->mode, 0x2f4u) << "three bits at 2";
  m.run("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0x13");
  EXPECT_EQ(m.wave->mode, 0x234u);
  m.run("s_getreg_b32 s20, hwreg(HW_REG_MODE, 0, 32)");
  EXPECT_EQ(m.sgpr(20), 0x234u);
  m.run("s_setreg_b32 hwreg(HW_REG_MODE, 28, 1), s22");
  EXPECT_TRUE(m.wave->vskip);
  m.sgpr(22) = 0x10;
  m.sgpr(23) = 36; // only five bits count
  m.run("s_setvskip s22, s23");
  EXPECT_TRUE(m.wave->vskip);
  m.run("s_setvskip s22, 5");
  EXPECT_FALSE(m.wave->vskip);
}

TEST(Salu, GprIndexFields) {
  Machine machine;
  ValuMachine &m = machine.machine;
  m.sgpr(124) = 0xabcdefff;
  m.sgpr(22) = 0x12345605;
  m.run("s_set_gpr_idx_on s22, gpr_idx(SRC0,DST)");
  EXPECT_EQ(m.sgpr(124), 0xabcd9f05u) << "index in 7:0, enables in 15:12";
  m.run("s_set_gpr_idx_mode gpr_idx(SRC1)");
  EXPECT_EQ(m.sgpr(124), 0xabcd2f05u);
  m.sgpr(22) = 0x77;
  m.run("s_set_gpr_idx_idx s22");
  EXPECT_EQ(m.sgpr(124), 0xabcd2f77u);
  m.run("s_set_gpr_idx_off");
  EXPECT_EQ(m.wave->gprIndexMode, 0);
}

/// A scalar instruction without a rule here is named with the test it has.
TEST(Salu, TheTablesAreWhole) {
  std::set<std::string> known = {
      "s_getpc_b64"}; // Execution.CallsAndIndirect...
  for (const auto &[key, entry] : makeTable())
    known.insert(key);
  for (const auto &[name, f] : compares())
    known.insert({"s_cmpk_" + name + "_i32", "s_cmpk_" + name + "_u32"});
  for (const char *name : {"and", "or", "xor", "andn1", "andn2", "orn1", "orn2",
                           "nand", "nor", "xnor"})
    known.insert(std::string("s_") + name + "_saveexec_b64");
  known.insert({"s_andn1_wrexec_b64", "s_andn2_wrexec_b64", "s_addk_i32",
                "s_mulk_i32", "s_movk_i32", "s_cmovk_i32", "s_movrels_b32",
                "s_movrels_b64", "s_movreld_b32", "s_movreld_b64",
                "s_getreg_b32", "s_setreg_b32", "s_setreg_imm32_b32",
                "s_setvskip", "s_set_gpr_idx_on", "s_set_gpr_idx_off",
                "s_set_gpr_idx_mode", "s_set_gpr_idx_idx"});
  for (const char *arch : {"gfx950", "gfx942"}) {
    const TargetInfo &target = llvm::cantFail(lookupTarget(arch));
    std::vector<uint8_t> bytes = llvm::cantFail(instructionSpace(target));
    Disassembly code = llvm::cantFail(Disassembly::decode(target, bytes, 0));
    for (const Instruction &inst : code.instructions())
      EXPECT_TRUE(inst.unit != Unit::Salu || known.count(inst.key.str()))
          << inst.key.str();
  }
}
