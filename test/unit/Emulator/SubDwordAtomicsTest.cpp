//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Dwords of which an allocation has a part: what compilers make of atomics
/// and scalar loads of bytes and halves is no access outside.

#include "Machine.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace fly::test;

namespace {

/// Runs \p body in both modes on one lane and a buffer of 258 bytes, whose
/// last half is at v[6:7] and at v8 from s[8:9].
void runOnHalf(Machine &machine, const std::string &body, bool isReported) {
  machine.missingBytes = 2;
  machine.buffer.resize(65);
  for (bool check : {true, false}) {
    machine.buffer[64] = 0x5555;
    machine.options.check = check;
    machine.runWithBuffer(R"(
      s_mov_b64 exec, 1
      s_add_u32 s20, s8, 0x100
      s_addc_u32 s21, s9, 0
      s_movk_i32 s14, 0x108
      v_mov_b32 v6, s20
      v_mov_b32 v7, s21
      v_mov_b32 v8, 0x100
      v_mov_b32 v2, 1
      v_mov_b32 v3, 1
      v_mov_b32 v4, 1
)" + body + "\ns_waitcnt vmcnt(0) lgkmcnt(0)");
    EXPECT_EQ(machine.reported("global-out-of-bounds"), isReported)
        << body << machine.reports();
    if (!isReported)
      EXPECT_EQ(machine.reports(), "") << body;
  }
}

/// The memory operands around the data operand of an atomic, and after the
/// result of a load.
struct Place {
  const char *space, *before, *after, *load;
};
const Place places[] = {
    {"global_", "v[6:7], ", ", off", "v[6:7], off"},
    {"global_", "v8, ", ", s[8:9]", "v8, s[8:9]"},
    {"flat_", "v[6:7], ", "", "v[6:7]"},
    {"buffer_", "", ", v8, s[12:15], 0 offen", "v8, s[12:15], 0 offen"}};

std::string atomic(const Place &p, const char *name, const char *data) {
  return std::string("\n") + p.space + "atomic_" + name + " " + p.before +
         data + p.after;
}
std::string load(const Place &p, const char *width, const char *result) {
  return std::string("\n") + p.space + "load_" + width + " " + result + ", " +
         p.load + "\ns_waitcnt vmcnt(0) lgkmcnt(0)";
}

} // namespace

TEST(SubDwordAtomics, BitwiseOnesUseTheDwordAround) {
  struct {
    const char *name;
    uint32_t data, expected;
  } const operations[] = {
      {"and", 0xffff00ff, 0x0055}, {"or", 0xff, 0x55ff}, {"xor", 0xff, 0x55aa}};
  for (const Place &place : places)
    for (const auto &op : operations) {
      Machine machine;
      std::string data = "v_mov_b32 v2, " + std::to_string(op.data);
      runOnHalf(machine, data + atomic(place, op.name, "v2"), false);
      EXPECT_EQ(machine.buffer[64], op.expected) << place.space << op.name;
    }
}

TEST(SubDwordAtomics, CompareAndSwapMayLoadTheDwordAround) {
  for (const Place &place : places) {
    Machine machine;
    runOnHalf(machine,
              load(place, "dword", "v3") + "\nv_mov_b32 v2, 0x1234" +
                  atomic(place, "cmpswap", "v[2:3]"),
              false);
    EXPECT_EQ(machine.buffer[64], 0x1234u) << place.space;
  }
}

TEST(SubDwordAtomics, OtherAccessesAreOutside) {
  for (const Place &place : places) {
    Machine machine;
    runOnHalf(machine, load(place, "dword", "v3"), true);
    runOnHalf(machine,
              load(place, "dwordx2", "v[2:3]") + atomic(place, "or", "v4"),
              true);
    runOnHalf(machine, atomic(place, "add", "v2"), true);
    runOnHalf(machine, atomic(place, "or_x2", "v[2:3]"), true);
    // The dword behind, of which the allocation has nothing.
    runOnHalf(
        machine,
        "v_add_u32 v6, 4, v6\nv_add_u32 v8, 4, v8\ns_movk_i32 s14, 0x200" +
            atomic(place, "or", "v2"),
        true);
  }
}

TEST(SubDwordAtomics, ScalarLoadsUseTheDwordAround) {
  Machine machine;
  runOnHalf(machine, "s_load_dwordx2 s[24:25], s[20:21], -4", false);
  runOnHalf(machine, R"(
      s_load_dword s24, s[20:21], 0
      s_waitcnt lgkmcnt(0)
      s_and_b32 s24, s24, 0xffff
      v_mov_b32 v2, s24
      global_store_dword v8, v2, s[8:9] offset:-4)",
            false);
  EXPECT_EQ(machine.buffer[63], 0x5555u);
  runOnHalf(machine, "s_load_dwordx2 s[24:25], s[20:21], 0", true);
  runOnHalf(machine, "s_load_dword s24, s[20:21], 4", true);
}
