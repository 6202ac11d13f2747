//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Every load and store of every unit, by what its name says: the bytes, how
/// they are extended, which half of the register; and every width of a buffer
/// access at every edge of its range.

#include "Machine.h"

#include "fly/CodeObject/InstructionSpace.h"

#include "llvm/ADT/StringSwitch.h"

#include <cstring>
#include <gtest/gtest.h>
#include <map>

using namespace fly;
using namespace fly::test;
using llvm::StringRef;

namespace {

using Bytes = std::vector<uint8_t>;

/// What the part of a name behind "load_", "store_", "read_" or "write_" says.
struct Width {
  unsigned bytes = 0;
  bool isSigned = false, d16 = false, high = false;

  explicit Width(StringRef name) {
    high = name.consume_back("_hi");
    d16 = name.consume_back("_d16");
    high &= d16;
    isSigned = name.starts_with("s") && name != "short";
    isSigned |= name.starts_with("i");
    bytes = llvm::StringSwitch<unsigned>(name)
                .Cases({"ubyte", "sbyte", "byte", "u8", "i8", "b8"}, 1)
                .Cases({"ushort", "sshort", "short", "u16", "i16", "b16"}, 2)
                .Cases({"dword", "b32"}, 4)
                .Cases({"dwordx2", "b64"}, 8)
                .Cases({"dwordx3", "b96"}, 12)
                .Cases({"dwordx4", "b128"}, 16)
                .Default(0);
  }
  unsigned dwords() const { return (bytes + 3) / 4; }
};

enum class Where { Buffer, Global, Flat, Scratch, Lds };
constexpr unsigned laneBytes = 16;

/// A lane's memory is 16 bytes at laneBytes * lane. v[2:5] is data, v29 the
/// lane's offset, v[10:11] its address, v[20:23] the memory before and after.
std::string operands(Where where, const std::string &data, bool isLoad,
                     unsigned offset) {
  std::string at = " offset:" + std::to_string(offset), a, d = data;
  switch (where) {
  case Where::Buffer:
    return d + ", v29, s[12:15], 0 offen" + at;
  case Where::Global:
    return (isLoad ? d + ", v29" : "v29, " + d) + ", s[8:9]" + at;
  case Where::Flat:
    a = "v[10:11]";
    break;
  case Where::Scratch:
    return (isLoad ? d + ", off" : "off, " + d) + ", off" + at;
  case Where::Lds:
    a = "v29";
    break;
  }
  return (isLoad ? d + ", " + a : a + ", " + d) + at;
}

std::string registers(unsigned first, unsigned dwords) {
  return dwords == 1 ? "v" + std::to_string(first)
                     : "v[" + std::to_string(first) + ":" +
                           std::to_string(first + dwords - 1) + "]";
}

const char *const addresses = R"(
  v_mov_b32 v11, s9
  v_add_co_u32 v10, vcc, s8, v29
  v_addc_co_u32 v11, vcc, 0, v11, vcc
  buffer_load_dwordx4 v[20:23], v29, s[12:15], 0 offen
  buffer_load_dwordx4 v[2:5], v29, s[12:15], 0 offen offset:1024
  s_waitcnt vmcnt(0)
)";
/// Memory of the unit from v[20:23], and back.
std::string fillUnit(Where where) {
  if (where == Where::Lds)
    return "ds_write_b128 v29, v[20:23]\ns_waitcnt lgkmcnt(0)\n";
  return where == Where::Scratch
             ? "scratch_store_dwordx4 off, v[20:23], off\ns_waitcnt vmcnt(0)\n"
             : "";
}
std::string readUnit(Where where) {
  std::string wait = "s_waitcnt vmcnt(0) lgkmcnt(0)\n";
  if (where == Where::Lds)
    return wait + "ds_read_b128 v[20:23], v29\n" + wait;
  if (where == Where::Scratch)
    return wait + "scratch_load_dwordx4 v[20:23], off, off\n" + wait;
  return wait + "buffer_load_dwordx4 v[20:23], v29, s[12:15], 0 offen\n" + wait;
}
const char *const results = R"(
  buffer_store_dwordx4 v[20:23], v29, s[12:15], 0 offen
  buffer_store_dwordx4 v[2:5], v29, s[12:15], 0 offen offset:1024
)";

/// Bytes [0, 1024) are the memory, [1024, 2048) the register v[2:5].
Machine filled() {
  Machine machine;
  machine.kernel.ldsBytes = 1024;
  machine.kernel.scratchBytes = 16;
  machine.buffer.resize(512);
  for (unsigned i = 0; i != 512; ++i)
    machine.buffer[i] = i * 0x9e3779b1u + 0x85ebca6bu;
  return machine;
}
Bytes bytesOf(const Machine &machine) {
  const auto *start = reinterpret_cast<const uint8_t *>(machine.buffer.data());
  return Bytes(start, start + machine.buffer.size() * 4);
}

/// Memory and registers after a load or a store at \p offset.
Bytes expectedAfter(Bytes bytes, const Width &width, bool isLoad,
                    unsigned offset) {
  for (unsigned l = 0; l != 64; ++l) {
    uint8_t *memory = bytes.data() + laneBytes * l + offset;
    uint8_t *data = bytes.data() + 1024 + laneBytes * l;
    if (!isLoad) {
      std::memcpy(memory, data + (width.high ? 2 : 0), width.bytes);
      continue;
    }
    uint8_t extended[16] = {};
    std::memcpy(extended, memory, width.bytes);
    if (width.isSigned && memory[width.bytes - 1] & 0x80)
      std::memset(extended + width.bytes, 0xff, 4 - width.bytes);
    unsigned written = width.d16 ? 2 : 4 * width.dwords();
    std::memcpy(data + (width.high ? 2 : 0), extended, written);
  }
  return bytes;
}

void check(Where where, const std::string &key, const Width &width,
           bool isLoad) {
  for (unsigned offset : {0u, width.bytes < 4 ? width.bytes : 4u})
    for (bool mode : {true, false}) {
      if (offset + width.bytes > laneBytes)
        continue;
      Machine machine = filled();
      machine.options.check = mode;
      Bytes expected = expectedAfter(bytesOf(machine), width, isLoad, offset);
      std::string body =
          addresses + fillUnit(where) + key + " " +
          operands(where, registers(2, width.dwords()), isLoad, offset) + "\n" +
          readUnit(where) + results;
      machine.runWithBuffer(body);
      EXPECT_EQ(machine.errors(), "") << body;
      EXPECT_EQ(bytesOf(machine), expected) << body;
    }
}

/// The unit and the width of \p key, if it is a plain load or store.
bool isPlain(StringRef key, Where &where, StringRef &width, bool &isLoad) {
  static const std::pair<const char *, Where> units[] = {
      {"buffer_", Where::Buffer},
      {"global_", Where::Global},
      {"flat_", Where::Flat},
      {"scratch_", Where::Scratch}};
  StringRef rest = key;
  bool isDs = rest.consume_front("ds_");
  where = Where::Lds;
  for (auto [prefix, unit] : units)
    if (!isDs && rest.consume_front(prefix)) {
      where = unit;
      break;
    }
  isLoad = rest.consume_front(isDs ? "read_" : "load_");
  if (!isLoad && !rest.consume_front(isDs ? "write_" : "store_"))
    return false;
  width = rest;
  for (const char *other : {"format", "lds", "_tr_", "addtid"})
    if (rest.contains(other))
      return false;
  return true;
}

} // namespace

TEST(MemoryForms, EveryLoadAndStore) {
  const TargetInfo &target = llvm::cantFail(lookupTarget("gfx950"));
  std::vector<uint8_t> bytes = llvm::cantFail(instructionSpace(target));
  Disassembly code = llvm::cantFail(Disassembly::decode(target, bytes, 0));
  std::map<std::string, bool> seen;
  for (const Instruction &inst : code.instructions()) {
    Where where;
    StringRef name;
    bool isLoad;
    if ((inst.unit != Unit::Mubuf && inst.unit != Unit::Flat &&
         inst.unit != Unit::Lds) ||
        !isPlain(inst.key, where, name, isLoad) ||
        !seen.emplace(inst.key.str(), true).second)
      continue;
    Width width(name);
    ASSERT_NE(width.bytes, 0u) << inst.key.str();
    check(where, inst.key.str(), width, isLoad);
  }
  EXPECT_EQ(seen.size(), 110u);
}

/// Loads and stores at any byte; the option drops the low bits of dwords.
TEST(MemoryForms, MisalignedByOption) {
  const std::pair<Where, const char *> units[] = {{Where::Buffer, "buffer_"},
                                                  {Where::Global, "global_"},
                                                  {Where::Flat, "flat_"},
                                                  {Where::Scratch, "scratch_"},
                                                  {Where::Lds, "ds_"}};
  for (auto [where, unit] : units)
    for (const char *name : {"dword", "dwordx2", "dwordx3"})
      for (bool isLoad : {true, false})
        for (unsigned offset : {1u, 2u, 3u})
          for (bool drop : {false, true}) {
            Width width(name);
            std::string key = unit;
            if (where == Where::Lds)
              key += (isLoad ? "read_b" : "write_b") +
                     std::to_string(8 * width.bytes);
            else
              key += (isLoad ? "load_" : "store_") + std::string(name);
            Machine machine = filled();
            machine.options.dropLowAddressBits = drop;
            Bytes expected = expectedAfter(bytesOf(machine), width, isLoad,
                                           drop ? 0 : offset);
            machine.runWithBuffer(
                addresses + fillUnit(where) + key + " " +
                operands(where, registers(2, width.dwords()), isLoad, offset) +
                "\n" + readUnit(where) + results);
            EXPECT_EQ(machine.errors(), "") << key;
            EXPECT_EQ(bytesOf(machine), expected)
                << key << " offset " << offset << " drop " << drop;
            EXPECT_EQ(machine.reported("misaligned"), !drop) << key;
          }
}

/// Two elements at offsets of their size, or of 64 times it.
TEST(MemoryForms, PairsInLds) {
  for (bool wide : {false, true})
    for (bool st64 : {false, true}) {
      unsigned element = wide ? 8 : 4, step = element * (st64 ? 64 : 1);
      std::string type =
          std::string(st64 ? "st64" : "") + (wide ? "_b64" : "_b32");
      unsigned dwords = wide ? 2 : 1;
      Machine machine = filled();
      machine.kernel.ldsBytes = 65536;
      std::string at = " offset0:2 offset1:17";
      std::string low = std::to_string(2 * step),
                  high = std::to_string(17 * step);
      // Written as a pair and read one by one, and the other way round.
      machine.runWithBuffer(
          addresses + std::string("ds_write2") + type + " v29, " +
          registers(2, dwords) + ", " + registers(4, dwords) + at +
          "\nds_read" + type.substr(type.size() - 4) + " " +
          registers(20, dwords) + ", v29 offset:" + low + "\nds_read" +
          type.substr(type.size() - 4) + " " + registers(22, dwords) +
          ", v29 offset:" + high + "\nds_read2" + type + " " +
          registers(24, 2 * dwords) + ", v29" + at + R"(
        s_waitcnt lgkmcnt(0)
        buffer_store_dwordx4 v[20:23], v29, s[12:15], 0 offen
)" + (wide ? "" : "\nv_mov_b32 v26, v25") +
          R"(
        buffer_store_dwordx2 v[24:25], v29, s[12:15], 0 offen offset:1024
        buffer_store_dwordx2 v[26:27], v29, s[12:15], 0 offen offset:1032)");
      Bytes before = bytesOf(filled()), after = bytesOf(machine);
      for (unsigned l = 0; l != 64; ++l)
        for (unsigned part : {0u, 8u})
          for (unsigned area : {0u, 1024u})
            EXPECT_EQ(std::memcmp(&after[area + 16 * l + part],
                                  &before[1024 + 16 * l + part], element),
                      0)
                << type << " lane " << l << " part " << part << " of " << area;
    }
}

namespace {

constexpr unsigned firstByte = 20; ///< of lane 0

/// 16 lanes load at firstByte + 4 * lane into v[2:5], which are ones, and store
/// zeros there; the buffer has as many bytes as the third argument says.
std::string loadAndStore(const char *name, const Width &width,
                         const std::string &at) {
  std::string store = width.bytes == 1   ? "byte"
                      : width.bytes == 2 ? "short"
                                         : name;
  std::string access = " " + registers(2, width.dwords()) + ", " + at;
  return R"(
    s_load_dword s18, s[0:1], 0x10
    s_mov_b64 s[16:17], s[12:13]
    s_mov_b32 s19, s15
    s_movk_i32 s20, 20
    s_movk_i32 s21, 13
    v_mov_b32 v2, -1
    v_mov_b32 v3, -1
    v_mov_b32 v4, -1
    v_mov_b32 v5, -1
    s_mov_b32 exec_hi, 0
    s_mov_b32 exec_lo, 0xffff
    s_waitcnt lgkmcnt(0)
    buffer_load_)" +
         std::string(name) + access + R"(
    s_waitcnt vmcnt(0)
    buffer_store_dwordx4 v[2:5], v29, s[12:15], 0 offen offset:1024
    s_nop 0
    v_mov_b32 v2, 0
    v_mov_b32 v3, 0
    v_mov_b32 v4, 0
    v_mov_b32 v5, 0
    buffer_store_)" +
         store + access;
}

/// What lies behind \p records bytes is not there: each dword by itself, parts
/// of a dword as a whole.
Bytes afterLoadAndStore(const Width &width, unsigned records) {
  Bytes before = bytesOf(filled()), expected = before;
  for (unsigned l = 0; l != 16; ++l) {
    unsigned start = firstByte + 4 * l;
    for (unsigned i = 0; i != 16; ++i) {
      unsigned end = std::min(i / 4 * 4 + 4, width.bytes);
      bool isPart = i < width.bytes, there = isPart && start + end <= records;
      expected[1024 + 16 * l + i] = there             ? before[start + i]
                                    : isPart || i < 4 ? 0
                                                      : 0xff;
      if (there)
        expected[start + i] = 0;
    }
  }
  return expected;
}

} // namespace

TEST(MemoryForms, BufferRangesAtEveryEdge) {
  // 20 bytes by soffset, by the instruction's offset, or by both.
  const char *const places[] = {"v30, s[16:19], s20 offen",
                                "v30, s[16:19], 0 offen offset:20",
                                "v30, s[16:19], s21 offen offset:7"};
  for (const char *name :
       {"ubyte", "ushort", "dword", "dwordx2", "dwordx3", "dwordx4"})
    for (const char *at : places)
      for (unsigned records = 0; records <= firstByte + 40;
           records += at == places[0] ? 1 : 3) {
        Width width(name);
        Machine machine = filled();
        machine.extraArgs = {records};
        machine.options.check = records % 2;
        machine.runWithBuffer(loadAndStore(name, width, at));
        ASSERT_EQ(machine.errors(), "") << name << " " << records;
        ASSERT_EQ(bytesOf(machine), afterLoadAndStore(width, records))
            << name << " records " << records << " " << at;
      }
}

/// With ADD_TID and no index nothing is checked: the lane is the index.
TEST(MemoryForms, AddTidWithoutIndexIsNotChecked) {
  for (unsigned stride : {4u, 8u}) {
    Machine machine = filled();
    machine.runWithBuffer("s_mov_b64 s[16:17], s[12:13]\n"
                          "s_or_b32 s17, s17, " +
                          std::to_string(stride << 16) + R"(
      s_mov_b32 s18, 0
      s_mov_b32 s19, 0x800000
      buffer_load_dword v1, off, s[16:19], 0 offset:4
      s_waitcnt vmcnt(0)
      buffer_store_dword v1, v30, s[12:15], 0 offen offset:1024)");
    EXPECT_EQ(machine.errors(), "");
    Machine before = filled();
    for (unsigned l = 0; l != 64; ++l)
      EXPECT_EQ(machine.buffer[256 + l], before.buffer[1 + l * stride / 4]);
  }
}

// The lane's bytes, extended to whole dwords, go to M0 + offset + lane * step.
TEST(MemoryForms, EveryCopyToLds) {
  const TargetInfo &target = llvm::cantFail(lookupTarget("gfx950"));
  std::vector<uint8_t> bytes = llvm::cantFail(instructionSpace(target));
  Disassembly code = llvm::cantFail(Disassembly::decode(target, bytes, 0));
  std::map<std::string, bool> seen;
  constexpr unsigned m0 = 0x10, offset = 4;
  for (const Instruction &inst : code.instructions()) {
    if (!inst.toLds || inst.key.contains("format") ||
        !seen.emplace(inst.key.str(), true).second)
      continue;
    StringRef unit = inst.key.split('_').first;
    std::string mnemonic = inst.key.str();
    StringRef name = inst.key;
    if (name.consume_back("_lds"))
      mnemonic = name.str(); // of buffers: an operand says so
    Width width(name.rsplit('_').second);
    ASSERT_NE(width.bytes, 0u) << inst.key.str();
    std::string text =
        mnemonic + (unit == "buffer"   ? " v29, s[12:15], 0 offen offset:4 lds"
                    : unit == "global" ? " v29, s[8:9] offset:4"
                                       : " v6, off offset:4");
    for (bool mode : {true, false}) {
      Machine machine = filled();
      machine.options.check = mode;
      machine.kernel.ldsBytes = 2048;
      machine.runWithBuffer(std::string(addresses) + R"(
        ds_write_b128 v29, v[2:5]
        scratch_store_dwordx4 off, v[20:23], off
        v_mov_b32 v6, 0
        s_mov_b32 m0, 0x10
        s_waitcnt vmcnt(0) lgkmcnt(0)
        )" + text + R"(
        s_waitcnt vmcnt(0)
        ds_read_b128 v[20:23], v29
        s_waitcnt lgkmcnt(0)
        buffer_store_dwordx4 v[20:23], v29, s[12:15], 0 offen offset:1024)");
      EXPECT_EQ(machine.errors(), "") << text;
      Bytes expected = bytesOf(filled()), lds(2048);
      std::copy_n(expected.begin() + 1024, 1024, lds.begin());
      unsigned step = width.bytes > 4 ? 16 : 4;
      for (unsigned l = 0; l != 64; ++l) {
        const uint8_t *from = expected.data() + laneBytes * l + offset;
        uint8_t *to = lds.data() + m0 + offset + step * l;
        if (width.bytes > 4) {
          std::copy_n(from, width.bytes, to);
          continue;
        }
        uint8_t sign = width.isSigned && from[width.bytes - 1] & 0x80 ? 255 : 0;
        std::fill_n(to, 4, sign);
        std::copy_n(from, width.bytes, to);
      }
      std::copy_n(lds.begin(), 1024, expected.begin() + 1024);
      EXPECT_EQ(bytesOf(machine), expected) << text;
    }
  }
  EXPECT_EQ(seen.size(), 7u + 7 + 5);
}

TEST(MemoryForms, ScalarLoadsAndStoresOfEveryWidth) {
  for (const char *unit : {"s_", "s_buffer_"})
    for (unsigned dwords : {1u, 2u, 4u, 8u, 16u})
      for (const char *at : {"0x24", "s61"}) {
        std::string base = unit == std::string("s_") ? "s[8:9]" : "s[12:15]";
        std::string name =
            dwords == 1 ? "dword" : "dwordx" + std::to_string(dwords);
        std::string registers =
            dwords == 1 ? "s32" : "s[32:" + std::to_string(31 + dwords) + "]";
        std::string body = "s_mov_b32 s61, 0x24\n";
        body += std::string(unit) + "load_" + name + " " + registers + ", " +
                base + ", " + at + "\ns_waitcnt lgkmcnt(0)\n";
        for (unsigned i = 0; i != dwords; ++i)
          body += "v_mov_b32 v1, s" + std::to_string(32 + i) +
                  "\nbuffer_store_dword v1, off, s[12:15], 0 offset:" +
                  std::to_string(1024 + 4 * i) + "\n";
        if (dwords <= 4)
          body += "s_mov_b32 s61, 0x600\n" + std::string(unit) + "store_" +
                  name + " " + registers + ", " + base + ", " +
                  (at == std::string("s61") ? at : "0x600") +
                  "\ns_dcache_wb\ns_waitcnt lgkmcnt(0)\n";
        Machine machine = filled(), before = filled();
        machine.runWithBuffer(body);
        EXPECT_EQ(machine.errors(), "") << body;
        for (unsigned i = 0; i != 16; ++i) {
          uint32_t value = before.buffer[9 + i];
          EXPECT_EQ(machine.buffer[256 + i],
                    i < dwords ? value : before.buffer[256 + i])
              << body;
          EXPECT_EQ(machine.buffer[384 + i],
                    i < dwords && dwords <= 4 ? value : before.buffer[384 + i])
              << body;
        }
      }
}

// Each dword behind the range is zero in LDS; lanes keep their place.
TEST(MemoryForms, CopiesToLdsAtEveryEdge) {
  for (unsigned records = 1000; records <= 1024; ++records) {
    Machine machine = filled();
    machine.extraArgs = {records};
    machine.kernel.ldsBytes = 1024;
    machine.options.check = records % 2;
    machine.runWithBuffer(std::string(addresses) + R"(
      s_load_dword s14, s[0:1], 0x10
      ds_write_b128 v29, v[2:5]
      s_mov_b32 m0, 0
      s_waitcnt lgkmcnt(0)
      s_mov_b32 exec_lo, 0xf0f0a5a5
      s_mov_b32 exec_hi, 0xf0f0a5a5
      buffer_load_dwordx4 v29, s[12:15], 0 offen lds
      s_mov_b64 exec, -1
      s_movk_i32 s14, 0x800
      s_waitcnt vmcnt(0)
      ds_read_b128 v[20:23], v29
      s_waitcnt lgkmcnt(0)
      buffer_store_dwordx4 v[20:23], v29, s[12:15], 0 offen offset:1024)");
    ASSERT_EQ(machine.errors(), "");
    Bytes expected = bytesOf(filled());
    for (unsigned at = 0; at != 1024; ++at)
      if (0xf0f0a5a5u >> at / laneBytes % 32 & 1)
        expected[1024 + at] = at / 4 * 4 + 4 <= records ? expected[at] : 0;
    ASSERT_EQ(bytesOf(machine), expected) << records;
  }
}
