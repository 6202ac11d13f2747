//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// A fault that checking mode finds: a kernel that has it beside the correct
/// one.

#ifndef FLY_TEST_UNIT_EMULATOR_CHECKCASE_H
#define FLY_TEST_UNIT_EMULATOR_CHECKCASE_H

#include "Machine.h"

#include "gtest/gtest.h"

namespace fly {
namespace test {

struct CheckCase {
  const char *name;
  /// Lines that start with '!' are left out in the faulty kernel, lines that
  /// start with '?' in the correct one.
  const char *body;
  const char *kind;
  const char *text; ///< part of the report
  unsigned threads = 64;
  unsigned ldsBytes = 4096;
};

inline std::string variantOf(llvm::StringRef body, char keep, char drop) {
  std::string result;
  while (!body.empty()) {
    auto [line, rest] = body.split('\n');
    body = rest;
    line = line.trim();
    if (line.starts_with(llvm::StringRef(&drop, 1)))
      continue;
    line.consume_front(llvm::StringRef(&keep, 1));
    result += line.str() + "\n";
  }
  return result;
}

/// The faulty kernel is reported, the correct one is not.
inline void expectCase(const CheckCase &c) {
  Machine machine;
  machine.block = {c.threads, 1, 1};
  machine.kernel.ldsBytes = c.ldsBytes;
  // v40..v43 hold something.
  std::string setUp = "v_mov_b32 v40, 0\nv_mov_b32 v41, 0\nv_mov_b32 v42, 0\n"
                      "v_mov_b32 v43, 0\ns_nop 1\n";
  machine.runWithBuffer(setUp + variantOf(c.body, '!', '?'));
  EXPECT_EQ(machine.reports(), "");
  machine.runWithBuffer(setUp + variantOf(c.body, '?', '!'));
  EXPECT_TRUE(machine.reported(c.kind, c.text)) << machine.reports();
}

/// For INSTANTIATE_TEST_SUITE_P.
inline std::string nameOf(const testing::TestParamInfo<CheckCase> &info) {
  return info.param.name;
}

} // namespace test
} // namespace fly

#endif // FLY_TEST_UNIT_EMULATOR_CHECKCASE_H
