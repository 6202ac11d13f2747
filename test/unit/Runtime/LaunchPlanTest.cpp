//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Runtime/LaunchPlan.h"

#include "llvm/Support/Endian.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace llvm;

namespace {

Manifest makeManifest() {
  Manifest manifest;
  manifest.kernel = "k";
  manifest.arguments = {{"d", "ptr", 0, 8, "out"},
                        {"m", "i32", 8, 4, "value"},
                        {"n", "i32", 12, 4, "value"},
                        {"stride", "i64", 16, 8, "value"},
                        {"alpha", "f32", 24, 4, "value"}};
  manifest.kernargBytes = 32;
  manifest.constraints = {{"n", "multiple_of", 16},
                          {"m", "min", 0},
                          {"m", "max", 1000},
                          {"d", "align_bytes", 16}};
  manifest.grid = {{"m", 128}, {"n", 64}};
  manifest.workgroupSize = 256;
  return manifest;
}

SmallVector<ArgumentValue> makeValues() {
  return {{"d", DeviceAddress{0x123456789a0}},
          {"m", int64_t(129)},
          {"n", int64_t(80)},
          {"stride", int64_t(1) << 40},
          {"alpha", 1.5f}};
}

std::string errorOf(const Manifest &manifest, ArrayRef<ArgumentValue> values) {
  Expected<LaunchPlan> plan = LaunchPlan::create(manifest, values);
  return plan ? "no error" : toString(plan.takeError());
}

/// The error when the value of \p name is \p value.
std::string errorWith(StringRef name, decltype(ArgumentValue::value) value) {
  SmallVector<ArgumentValue> values = makeValues();
  for (ArgumentValue &each : values)
    if (each.name == name)
      each.value = value;
  return errorOf(makeManifest(), values);
}

TEST(LaunchPlan, PacksByNameAndCountsWorkgroups) {
  // The order of the values does not matter.
  SmallVector<ArgumentValue> values = makeValues();
  std::reverse(values.begin(), values.end());
  Expected<LaunchPlan> plan = LaunchPlan::create(makeManifest(), values);
  ASSERT_TRUE(bool(plan)) << toString(plan.takeError());
  ASSERT_EQ(plan->kernargs.size(), 32u);
  const uint8_t *bytes = plan->kernargs.data();
  EXPECT_EQ(support::endian::read64le(bytes), 0x123456789a0u);
  EXPECT_EQ(support::endian::read32le(bytes + 8), 129u);
  EXPECT_EQ(support::endian::read32le(bytes + 12), 80u);
  EXPECT_EQ(support::endian::read64le(bytes + 16), uint64_t(1) << 40);
  EXPECT_EQ(support::endian::read32le(bytes + 24), 0x3fc00000u);
  EXPECT_EQ(support::endian::read32le(bytes + 28), 0u);
  EXPECT_EQ(plan->workgroups, 4u);
}

TEST(LaunchPlan, AnEmptyProblemHasNoWorkgroups) {
  SmallVector<ArgumentValue> values = makeValues();
  values[1].value = int64_t(0);
  Expected<LaunchPlan> plan = LaunchPlan::create(makeManifest(), values);
  ASSERT_TRUE(bool(plan)) << toString(plan.takeError());
  EXPECT_EQ(plan->workgroups, 0u);
}

TEST(LaunchPlan, RejectsWrongNames) {
  SmallVector<ArgumentValue> values = makeValues();
  values.push_back({"beta", 1.0f});
  EXPECT_EQ(
      errorOf(makeManifest(), values),
      "kernel 'k': there is no argument 'beta'; expected d, m, n, stride, "
      "alpha");
  values.back() = values.front();
  EXPECT_EQ(errorOf(makeManifest(), values),
            "kernel 'k': argument 'd' is given twice");
  values = makeValues();
  values.pop_back();
  EXPECT_EQ(errorOf(makeManifest(), values),
            "kernel 'k': argument 'alpha' of type f32 is missing");
}

TEST(LaunchPlan, RejectsWrongTypesAndRanges) {
  EXPECT_EQ(errorWith("d", int64_t(0)),
            "kernel 'k': argument 'd': expected ptr, got an integer");
  EXPECT_EQ(errorWith("m", DeviceAddress{0}),
            "kernel 'k': argument 'm': expected i32, got an address");
  EXPECT_EQ(errorWith("stride", 1.0f),
            "kernel 'k': argument 'stride': expected i64, got a float");
  EXPECT_EQ(errorWith("alpha", int64_t(1)),
            "kernel 'k': argument 'alpha': expected f32, got an integer");
  EXPECT_EQ(errorWith("n", int64_t(1) << 31),
            "kernel 'k': argument 'n': expected a value of 32 bits with sign, "
            "got 2147483648");
}

TEST(LaunchPlan, RejectsBrokenConstraints) {
  EXPECT_EQ(errorWith("n", int64_t(20)),
            "kernel 'k': argument 'n': expected a multiple of 16, got 20");
  EXPECT_EQ(errorWith("m", int64_t(-1)),
            "kernel 'k': argument 'm': expected at least 0, got -1");
  EXPECT_EQ(errorWith("m", int64_t(1001)),
            "kernel 'k': argument 'm': expected at most 1000, got 1001");
  EXPECT_EQ(errorWith("d", DeviceAddress{0x18}),
            "kernel 'k': argument 'd': expected an address aligned to 16 "
            "bytes, got 0x18");
}

TEST(LaunchPlan, RejectsImpossibleGrids) {
  EXPECT_EQ(errorWith("n", int64_t(-16)),
            "kernel 'k': argument 'n': expected at least 0, got -16");
  Manifest manifest = makeManifest();
  manifest.grid = {{"stride", 1}, {"stride", 1}};
  EXPECT_EQ(errorOf(manifest, makeValues()),
            "kernel 'k': expected at most 16777215 workgroups of 256 threads, "
            "got 18446744073709551615");
}

TEST(LaunchPlan, BoundsMayDependOnAnotherArgument) {
  Manifest manifest = makeManifest();
  auto withM = [&](int64_t m) {
    SmallVector<ArgumentValue> values = makeValues();
    values[1].value = m;
    return errorOf(manifest, values);
  };
  manifest.constraints = {{"m", "min", 4, "n"}}; // n is 80
  EXPECT_EQ(withM(84), "no error");
  EXPECT_EQ(withM(83), "kernel 'k': argument 'm': expected at least 84 (from "
                       "'n'), got 83");
  manifest.constraints = {{"m", "max", -1, "n"}};
  EXPECT_EQ(withM(79), "no error");
  EXPECT_EQ(withM(80),
            "kernel 'k': argument 'm': expected at most 79 (from 'n'), got 80");
  manifest.constraints = {
      {"m", "min", std::numeric_limits<int64_t>::max(), "n"}};
  EXPECT_EQ(withM(80), "kernel 'k': argument 'n': its value is out of range");
  manifest.constraints = {{"m", "min", 0, "nobody"}};
  EXPECT_EQ(withM(80),
            "kernel 'k': constraint with 'nobody', which is no argument");
}

TEST(LaunchPlan, RejectsNamesThatTheManifestLacks) {
  Manifest manifest = makeManifest();
  manifest.grid = {{"nobody", 1}};
  EXPECT_EQ(errorOf(manifest, makeValues()),
            "kernel 'k': grid over 'nobody', which is no argument");
  manifest.constraints = {{"nobody", "min", 1}};
  EXPECT_EQ(errorOf(manifest, makeValues()),
            "kernel 'k': constraint on 'nobody', which is no argument");
}

TEST(LaunchPlan, ChecksTheSizeOfPackedArguments) {
  SmallVector<uint8_t> bytes(31, 0);
  EXPECT_EQ(toString(checkKernargs(makeManifest(), bytes)),
            "kernel 'k': expected 32 bytes of kernel arguments, got 31");
  bytes.push_back(0);
  EXPECT_EQ(toString(checkKernargs(makeManifest(), bytes)), "");
}

} // namespace
