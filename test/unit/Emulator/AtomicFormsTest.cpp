//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Every atomic of every unit (buffer, global, flat, LDS, scalar), with and
/// without a returned value: what is left in memory, and what comes back.

#include "Machine.h"

#include "fly/CodeObject/InstructionSpace.h"
#include "fly/Numerics/SmallFloat.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <map>

using namespace fly;
using namespace fly::test;

namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i64 = int64_t;

/// What is left of \p old, given the data and, for compare-and-swap and the
/// like, a second operand. All are of the operation's width, zero-extended.
using Rule = std::function<u64(u64 old, u64 data, u64 second)>;

struct Operation {
  std::string vector; ///< after "buffer_atomic_"; empty if there is none
  std::string lds;    ///< after "ds_", without "_rtn"
  std::string scalar; ///< after "s_atomic_"
  unsigned bits;
  Rule rule;
  bool isFloat = false;
  bool isPair() const { return lds.find("cmpst") == 0; }
  bool hasMask() const { return lds.find("mskor") == 0; }
};

template <typename T> T as(u64 bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}
template <typename T> u64 bitsOf(T value) {
  u64 bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

void addIntegers(std::vector<Operation> &list, unsigned bits) {
  u64 mask = bits == 32 ? 0xffffffff : ~u64(0);
  std::string x2 = bits == 32 ? "" : "_x2", type = std::to_string(bits);
  auto sign = [bits](u64 x) { return bits == 32 ? i64(int32_t(x)) : i64(x); };
  auto add = [&](std::string name, std::string lds, const char *kind,
                 Rule rule) {
    bool onlyLds = name.empty();
    list.push_back({onlyLds ? "" : name + x2, lds + "_" + kind + type,
                    onlyLds ? "" : name + x2, bits,
                    [rule, mask](u64 old, u64 data, u64 second) {
                      return rule(old, data, second) & mask;
                    }});
  };
  add("swap", "wrxchg", "b", [](u64, u64 d, u64) { return d; });
  add("add", "add", "u", [](u64 m, u64 d, u64) { return m + d; });
  add("sub", "sub", "u", [](u64 m, u64 d, u64) { return m - d; });
  add("", "rsub", "u", [](u64 m, u64 d, u64) { return d - m; });
  add("smin", "min", "i",
      [=](u64 m, u64 d, u64) { return sign(d) < sign(m) ? d : m; });
  add("umin", "min", "u", [](u64 m, u64 d, u64) { return d < m ? d : m; });
  add("smax", "max", "i",
      [=](u64 m, u64 d, u64) { return sign(d) > sign(m) ? d : m; });
  add("umax", "max", "u", [](u64 m, u64 d, u64) { return d > m ? d : m; });
  add("and", "and", "b", [](u64 m, u64 d, u64) { return m & d; });
  add("or", "or", "b", [](u64 m, u64 d, u64) { return m | d; });
  add("xor", "xor", "b", [](u64 m, u64 d, u64) { return m ^ d; });
  add("inc", "inc", "u", [](u64 m, u64 d, u64) { return m >= d ? 0 : m + 1; });
  add("dec", "dec", "u",
      [](u64 m, u64 d, u64) { return m == 0 || m > d ? d : m - 1; });
  add("cmpswap", "cmpst", "b",
      [](u64 m, u64 d, u64 second) { return m == second ? d : m; });
  add("", "mskor", "b",
      [](u64 m, u64 d, u64 second) { return (m & ~d) | second; });
}

/// Each half by itself.
Rule halves(u32 (*add)(u32, u32)) {
  return [add](u64 m, u64 d, u64) {
    return u64(add(m & 0xffff, d & 0xffff)) |
           u64(add(m >> 16 & 0xffff, d >> 16 & 0xffff)) << 16;
  };
}
u32 addHalves(u32 a, u32 b) {
  return floatToF16(f16ToFloat(uint16_t(a)) + f16ToFloat(uint16_t(b)));
}
u32 addBrains(u32 a, u32 b) { // the sum of f32 is exact for the samples
  u64 sum = bitsOf(as<float>(u64(a) << 16) + as<float>(u64(b) << 16));
  u64 low = sum & 0xffff, kept = sum >> 16;
  return u32(kept + (low > 0x8000 || (low == 0x8000 && kept & 1)));
}

void addFloats(std::vector<Operation> &list) {
  auto add = [&](const char *vector, const char *lds, unsigned bits,
                 Rule rule) {
    list.push_back({vector, lds, "", bits, std::move(rule), true});
  };
  auto f32 = [](auto f) -> Rule {
    return [f](u64 m, u64 d, u64) {
      return bitsOf(float(f(as<float>(m), as<float>(d))));
    };
  };
  auto f64 = [](auto f) -> Rule {
    return [f](u64 m, u64 d, u64) {
      return bitsOf(double(f(as<double>(m), as<double>(d))));
    };
  };
  auto sum = [](auto a, auto b) { return a + b; };
  auto least = [](auto a, auto b) { return std::fmin(a, b); };
  auto most = [](auto a, auto b) { return std::fmax(a, b); };
  add("add_f32", "add_f32", 32, f32(sum));
  add("", "min_f32", 32, f32(least));
  add("", "max_f32", 32, f32(most));
  add("add_f64", "add_f64", 64, f64(sum));
  add("min_f64", "min_f64", 64, f64(least));
  add("max_f64", "max_f64", 64, f64(most));
  add("pk_add_f16", "pk_add_f16", 32, halves(addHalves));
  add("pk_add_bf16", "pk_add_bf16", 32, halves(addBrains));
}

std::vector<Operation> operations() {
  std::vector<Operation> list;
  addIntegers(list, 32);
  addIntegers(list, 64);
  addFloats(list);
  return list;
}

/// 64 values a lane: what memory holds, the data, the second operand.
struct Samples {
  u64 memory[64], data[64], second[64];

  explicit Samples(const Operation &op) {
    const u64 integers[] = {0,          1,          5,          0x7fffffff,
                            0x80000000, 0xffffffff, 0xf0f0f0f0, 0x00ff00ff};
    for (unsigned l = 0; l < 64; ++l) {
      u64 a = integers[l / 8], b = integers[l % 8];
      if (op.isFloat) {
        a = floatSample(op, l / 8);
        b = floatSample(op, 7 - l % 8);
      } else if (op.bits == 64) {
        a |= a << 33;
        b = b << 32 | integers[(l + 3) % 8];
      }
      memory[l] = a;
      data[l] = b;
      second[l] = l % 3 ? a : b; // often equal to memory
    }
  }
  static u64 floatSample(const Operation &op, unsigned i) {
    const double values[] = {0, 1, -1, 1.5, -2.75, 96, 100.25, -0.125};
    double x = values[i];
    if (op.bits == 64)
      return bitsOf(x + 1e-9);
    if (op.vector == "pk_add_f16") {
      u64 other = floatToF16(float(values[(i + 3) % 8]));
      return floatToF16(float(x)) | other << 16;
    }
    if (op.vector == "pk_add_bf16") {
      u64 other = bitsOf(float(values[(i + 3) % 8])) >> 16;
      return bitsOf(float(x)) >> 16 | other << 16;
    }
    return bitsOf(float(x) + 1e-3f);
  }
};

constexpr unsigned dataAt = 512, secondAt = 1024, oldAt = 1536;

/// v28: lane * 8; v[2:3] data, v[4:5] second operand, v[10:11] address.
const char *const prologue = R"(
  v_lshlrev_b32 v28, 3, v31
  v_mov_b32 v11, s9
  v_add_co_u32 v10, vcc, s8, v28
  v_addc_co_u32 v11, vcc, 0, v11, vcc
  buffer_load_dwordx2 v[2:3], v28, s[12:15], 0 offen offset:512
  buffer_load_dwordx2 v[4:5], v28, s[12:15], 0 offen offset:1024
  buffer_load_dwordx2 v[6:7], v28, s[12:15], 0 offen
  s_waitcnt vmcnt(0)
)";
const char *const epilogue = R"(
  s_waitcnt vmcnt(0) lgkmcnt(0)
  buffer_store_dwordx2 v[6:7], v28, s[12:15], 0 offen offset:1536
)";

std::string pair(unsigned first, unsigned dwords) {
  return dwords == 1 ? "v" + std::to_string(first)
                     : "v[" + std::to_string(first) + ":" +
                           std::to_string(first + dwords - 1) + "]";
}

class AtomicForms : public testing::Test {
protected:
  void run(const Operation &op, const std::string &body, bool returns,
           unsigned lanes = 64) {
    Samples samples(op);
    Machine machine;
    machine.kernel.ldsBytes = 1024;
    machine.buffer.assign(512, 0);
    auto put = [&](unsigned byte, const u64 *values) {
      std::memcpy(machine.buffer.data() + byte / 4, values, 512);
    };
    put(0, samples.memory);
    put(dataAt, samples.data);
    put(secondAt, samples.second);
    machine.runWithBuffer(body);
    ASSERT_EQ(machine.reports(), "") << body;
    u64 left[64], old[64];
    std::memcpy(left, machine.buffer.data(), 512);
    std::memcpy(old, machine.buffer.data() + oldAt / 4, 512);
    u64 mask = op.bits == 32 ? 0xffffffff : ~u64(0);
    unsigned wrong = 0;
    for (unsigned l = 0; l < lanes; ++l) {
      u64 m = samples.memory[l] & mask;
      u64 expected =
          op.rule(m, samples.data[l] & mask, samples.second[l] & mask) |
          (samples.memory[l] & ~mask);
      bool good = left[l] == expected && (!returns || (old[l] & mask) == m);
      if (good || ++wrong > 2)
        continue;
      ADD_FAILURE() << body << std::hex << " lane " << l << ": memory "
                    << samples.memory[l] << " data " << samples.data[l]
                    << " leaves " << left[l] << " (expected " << expected
                    << "), returned " << old[l];
    }
  }

  /// The data operand of a vector atomic, in v2 and after.
  static std::string dataOf(const Operation &op, std::string &setup) {
    unsigned dwords = op.bits / 32;
    if (!op.isPair())
      return pair(2, dwords);
    if (op.bits == 32)
      setup += "v_mov_b32 v3, v4\n";
    return pair(2, 2 * dwords);
  }
};

} // namespace

TEST_F(AtomicForms, Vector) {
  for (const Operation &op : operations()) {
    if (op.vector.empty())
      continue;
    unsigned dwords = op.bits / 32;
    for (bool returns : {false, true}) {
      std::string setup = prologue, sc0 = returns ? " sc0" : "";
      std::string data = dataOf(op, setup),
                  to = returns ? pair(6, dwords) + ", " : "";
      run(op,
          setup + "global_atomic_" + op.vector + " " + to + "v28, " + data +
              ", s[8:9]" + sc0 + epilogue,
          returns);
      run(op,
          setup + "flat_atomic_" + op.vector + " " + to + "v[10:11], " + data +
              sc0 + epilogue,
          returns);
      std::string move;
      for (unsigned i = 0; i < dwords && returns; ++i)
        move += "v_mov_b32 v" + std::to_string(6 + i) + ", v" +
                std::to_string(2 + i) + "\n";
      run(op,
          setup + "buffer_atomic_" + op.vector + " " + data +
              ", v28, s[12:15], 0 offen" + sc0 + "\ns_waitcnt vmcnt(0)\n" +
              move + epilogue,
          returns);
    }
  }
}

TEST_F(AtomicForms, Lds) {
  for (const Operation &op : operations()) {
    unsigned dwords = op.bits / 32;
    size_t cut = op.lds.rfind('_');
    for (bool returns : {false, true}) {
      if (op.lds.find("wrxchg") == 0 && !returns)
        continue; // there is none
      std::string name = "ds_" + op.lds.substr(0, cut) +
                         (returns ? "_rtn" : "") + op.lds.substr(cut);
      std::string operands = (returns ? pair(6, dwords) + ", " : "") + "v28, ";
      if (op.isPair()) // the compare value comes first
        operands += pair(4, dwords) + ", " + pair(2, dwords);
      else if (op.hasMask())
        operands += pair(2, dwords) + ", " + pair(4, dwords);
      else
        operands += pair(2, dwords);
      run(op,
          std::string(prologue) + "ds_write_b64 v28, v[6:7]\n" + name + " " +
              operands + R"(
            ds_read_b64 v[8:9], v28
            s_waitcnt lgkmcnt(0)
            buffer_store_dwordx2 v[8:9], v28, s[12:15], 0 offen)" +
              epilogue,
          returns);
    }
  }
}

TEST_F(AtomicForms, Scalar) {
  constexpr unsigned lanes = 16;
  for (const Operation &op : operations()) {
    if (op.scalar.empty())
      continue;
    unsigned dwords = op.bits / 32;
    for (const char *unit : {"s_atomic_", "s_buffer_atomic_"})
      for (bool returns : {false, true}) {
        std::string body;
        for (unsigned i = 0; i < lanes; ++i) {
          auto at = [&](unsigned base) { return std::to_string(base + 8 * i); };
          // Compare-and-swap: the new value, then what is compared.
          std::string second = op.bits == 32 && op.isPair()
                                   ? "s_load_dword s21"
                                   : "s_load_dwordx2 s[22:23]";
          body += "s_load_dwordx2 s[20:21], s[8:9], " + at(dataAt) +
                  "\ns_waitcnt lgkmcnt(0)\n" + second + ", s[8:9], " +
                  at(secondAt) + "\ns_waitcnt lgkmcnt(0)\n" + unit + op.scalar;
          unsigned last = 20 + (op.isPair() ? 2 * dwords : dwords) - 1;
          body += last == 20 ? " s20" : " s[20:" + std::to_string(last) + "]";
          body +=
              std::string(unit) == "s_atomic_" ? ", s[8:9], " : ", s[12:15], ";
          body += at(0) + (returns ? " glc" : "") +
                  "\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v2, s20\n"
                  "v_mov_b32 v3, s21\ns_nop 4\n"
                  "buffer_store_dwordx2 v[2:3], off, s[12:15], 0 offset:" +
                  at(oldAt) + "\ns_waitcnt vmcnt(0)\n";
        }
        run(op, "s_mov_b64 exec, 1\n" + body, returns, lanes);
      }
  }
}

TEST(AtomicFormsList, IsWhole) {
  // These have tests in DsSpecialTest.cpp.
  std::map<std::string, bool> known;
  for (const char *special :
       {"ds_cmpst_f32", "ds_cmpst_f64", "ds_cmpst_rtn_f32", "ds_cmpst_rtn_f64"})
    known[special] = true;
  for (const Operation &op : operations()) {
    for (const char *unit :
         {"buffer_atomic_", "global_atomic_", "flat_atomic_"})
      known[unit + op.vector] = true;
    for (const char *unit : {"s_atomic_", "s_buffer_atomic_"})
      known[unit + op.scalar] = true;
    size_t cut = op.lds.rfind('_');
    known["ds_" + op.lds] = true;
    known["ds_" + op.lds.substr(0, cut) + "_rtn" + op.lds.substr(cut)] = true;
  }
  for (const char *arch : {"gfx950", "gfx942"}) {
    const TargetInfo &target = llvm::cantFail(lookupTarget(arch));
    std::vector<uint8_t> bytes = llvm::cantFail(instructionSpace(target));
    Disassembly code = llvm::cantFail(Disassembly::decode(target, bytes, 0));
    for (const Instruction &inst : code.instructions()) {
      bool isAtomic = inst.key.contains("_atomic_");
      for (const char *ds :
           {"add_", "sub_", "rsub_", "inc_", "dec_", "min_", "max_", "and_",
            "or_", "xor_", "mskor_", "cmpst_", "wrxchg_", "pk_add_"})
        isAtomic |= inst.key.starts_with(std::string("ds_") + ds);
      EXPECT_TRUE(!isAtomic || known.count(inst.key.str())) << inst.key.str();
    }
  }
}
