//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Runner/Problem.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace fly {

static int64_t bytesOfType(StringRef type) {
  return StringSwitch<int64_t>(type)
      .StartsWith("f8", 1)
      .Cases({"bf16", "f16"}, 2)
      .Case("f32", 4)
      .Default(0);
}

int64_t Problem::elementBytesAB() const { return bytesOfType(manifest.typeA); }
int64_t Problem::elementBytesD() const { return bytesOfType(manifest.typeD); }

int32_t Problem::groupOfRow(int64_t row) const {
  if (!grouped())
    return 0;
  if (shape.layout[row] < 0)
    return -1;
  return shape.layout[row - row % manifest.groupAlignment];
}

std::vector<int64_t> Problem::rowsOfGroup(int32_t group) const {
  std::vector<int64_t> rows;
  for (int64_t row = 0; row < shape.m; ++row)
    if (groupOfRow(row) == group)
      rows.push_back(row);
  return rows;
}

int64_t Problem::validRows() const {
  return grouped() ? count_if(shape.layout, [](int32_t g) { return g >= 0; })
                   : shape.m;
}

static Error checkLayout(const Manifest &manifest, const Shape &shape) {
  if (int64_t(shape.layout.size()) != shape.m)
    return createStringError(formatv("layout: expected {0} rows, got {1}",
                                     shape.m, shape.layout.size()));
  if (shape.groups < 1)
    return createStringError(
        formatv("groups: expected at least 1, got {0}", shape.groups));
  if (manifest.groupAlignment < 1)
    return createStringError(
        formatv("the manifest of kernel '{0}' states no group alignment",
                manifest.kernel));
  for (int64_t row = 0; row < shape.m; ++row) {
    int32_t group = shape.layout[row];
    if (group < -1 || group >= shape.groups)
      return createStringError(
          formatv("layout: row {0}: expected a group from -1 to {1}, got {2}",
                  row, shape.groups - 1, group));
    int32_t first = shape.layout[row - row % manifest.groupAlignment];
    if (group != -1 && group != first)
      return createStringError(formatv(
          "layout: row {0}: expected group {1} as in the first row of its "
          "block of {2} rows, got {3}",
          row, first, manifest.groupAlignment, group));
  }
  return Error::success();
}

static Error checkSizes(const Shape &shape) {
  struct Size {
    const char *name;
    int64_t value, least, most;
  };
  // Most are arguments of 32 bits; products of two fit in 63.
  constexpr int64_t most = INT32_MAX;
  const Size sizes[] = {{"m", shape.m, 0, most},
                        {"n", shape.n, 1, most},
                        {"k", shape.k, 1, most},
                        {"padding of A", shape.padA, 0, most},
                        {"padding of B", shape.padB, 0, most},
                        {"padding of D", shape.padD, 0, most},
                        {"padding of groups", shape.padGroups, 0, most << 20},
                        {"padding of scales", shape.padScales, 0, most}};
  for (auto [name, value, least, most] : sizes)
    if (value < least || value > most)
      return createStringError(formatv("{0}: expected {1} to {2}, got {3}",
                                       name, least, most, value));
  return Error::success();
}

static Error checkKind(const Manifest &manifest, const Shape &shape) {
  bool grouped = manifest.problem == "grouped_gemm_contiguous";
  if (!grouped && manifest.problem != "gemm")
    return createStringError("problem: expected 'gemm' or "
                             "'grouped_gemm_contiguous', got '" +
                             manifest.problem + "'");
  if (grouped != (shape.groups != 0))
    return createStringError(
        formatv("kernel '{0}' is {1}, but {2} groups are given",
                manifest.kernel, grouped ? "grouped" : "dense", shape.groups));
  for (StringRef type : {manifest.typeA, manifest.typeB, manifest.typeD})
    if (!bytesOfType(type))
      return createStringError("element type: expected an f8 type, bf16, f16 "
                               "or f32, got '" +
                               type + "'");
  if (manifest.typeA != manifest.typeB)
    return createStringError("expected A and B of one type, got " +
                             manifest.typeA + " and " + manifest.typeB);
  return grouped ? checkLayout(manifest, shape) : Error::success();
}

Expected<Problem> Problem::create(const Manifest &manifest,
                                  const Shape &shape) {
  if (Error error = checkSizes(shape))
    return error;
  if (Error error = checkKind(manifest, shape))
    return error;
  Problem problem;
  problem.manifest = manifest;
  problem.shape = shape;
  problem.pitchA = shape.k + shape.padA;
  problem.pitchB = shape.k + shape.padB;
  problem.pitchD = shape.n + shape.padD;
  problem.strideB = shape.n * problem.pitchB + shape.padGroups;
  if (problem.scaled()) {
    // Rows of scales are read in 16-byte (A) and 4-byte (B) pieces.
    problem.pitchScaleA =
        alignTo(std::max<int64_t>(shape.m, 1) + shape.padScales, 16);
    problem.pitchScaleB = alignTo(problem.blocksK() + shape.padScales, 4);
    problem.strideScaleB = problem.blocksN() * problem.pitchScaleB;
  }
  return problem;
}

std::vector<int32_t> makeLayout(ArrayRef<GroupRows> groups, int64_t alignment) {
  std::vector<int32_t> layout;
  for (const GroupRows &each : groups) {
    layout.insert(layout.end(), each.rows, each.group);
    layout.resize(alignTo(layout.size(), alignment), -1);
  }
  return layout;
}

Expected<std::vector<ArgumentValue>>
makeArguments(const Problem &problem, const OperandAddresses &addresses) {
  const Shape &shape = problem.shape;
  const ArgumentValue known[] = {
      {"d", DeviceAddress{addresses.d}},
      {"a", DeviceAddress{addresses.a}},
      {"b", DeviceAddress{addresses.b}},
      {"scale_a", DeviceAddress{addresses.scaleA}},
      {"scale_b", DeviceAddress{addresses.scaleB}},
      {"grouped_layout", DeviceAddress{addresses.layout}},
      {"m", shape.m},
      {"n", shape.n},
      {"k", shape.k},
      {"num_groups", shape.groups},
      {"pitch_a", problem.pitchA},
      {"pitch_b", problem.pitchB},
      {"pitch_d", problem.pitchD},
      {"stride_b", problem.strideB},
      {"pitch_scale_a", problem.pitchScaleA},
      {"pitch_scale_b", problem.pitchScaleB},
      {"stride_scale_b", problem.strideScaleB}};
  std::vector<ArgumentValue> values;
  for (const ManifestArgument &argument : problem.manifest.arguments) {
    const auto *value = find_if(known, [&](const ArgumentValue &value) {
      return value.name == argument.name;
    });
    if (value == std::end(known))
      return createStringError("kernel '" + problem.manifest.kernel +
                               "': there is no value for argument '" +
                               argument.name + "'");
    values.push_back(*value);
  }
  return values;
}

} // namespace fly
