//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Runtime/LaunchPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace fly {

template <typename... Ts>
static Error kernelError(const Manifest &manifest, const char *format,
                         Ts &&...values) {
  return createStringError("kernel '" + manifest.kernel + "': " +
                           formatv(format, std::forward<Ts>(values)...).str());
}

static StringRef kindOf(const ArgumentValue &value) {
  static constexpr StringLiteral kinds[] = {"an address", "an integer",
                                            "a float"};
  return kinds[value.value.index()];
}

/// Every value names an argument, and every argument has one value.
static Error checkNames(const Manifest &manifest,
                        ArrayRef<ArgumentValue> values) {
  for (auto [i, value] : enumerate(values)) {
    if (!manifest.findArgument(value.name))
      return kernelError(
          manifest, "there is no argument '{0}'; expected {1}", value.name,
          join(map_range(manifest.arguments,
                         [](const auto &argument) { return argument.name; }),
               ", "));
    for (const ArgumentValue &other : values.take_front(i))
      if (other.name == value.name)
        return kernelError(manifest, "argument '{0}' is given twice",
                           value.name);
  }
  return Error::success();
}

static Error pack(const Manifest &manifest, const ManifestArgument &argument,
                  const ArgumentValue &value, uint8_t *out) {
  StringRef type = argument.type;
  const auto *address = std::get_if<DeviceAddress>(&value.value);
  const auto *integer = std::get_if<int64_t>(&value.value);
  const auto *real = std::get_if<float>(&value.value);
  if (type == "ptr" && address) {
    support::endian::write64le(out, address->value);
  } else if (type == "i64" && integer) {
    support::endian::write64le(out, *integer);
  } else if (type == "i32" && integer) {
    if (!isInt<32>(*integer))
      return kernelError(manifest,
                         "argument '{0}': expected a value of 32 bits with "
                         "sign, got {1}",
                         argument.name, *integer);
    support::endian::write32le(out, *integer);
  } else if (type == "f32" && real) {
    support::endian::write32le(out, bit_cast<uint32_t>(*real));
  } else {
    return kernelError(manifest, "argument '{0}': expected {1}, got {2}",
                       argument.name, type, kindOf(value));
  }
  return Error::success();
}

/// The bits of an integer or pointer argument, sign-extended.
static int64_t readArgument(const ManifestArgument &argument,
                            ArrayRef<uint8_t> kernargs) {
  const uint8_t *bytes = kernargs.data() + argument.offsetBytes;
  return argument.sizeBytes == 8
             ? int64_t(support::endian::read64le(bytes))
             : int64_t(int32_t(support::endian::read32le(bytes)));
}

/// The constraint's value, and what another argument adds to it.
static Expected<int64_t> boundOf(const Manifest &manifest,
                                 const ManifestConstraint &constraint,
                                 ArrayRef<uint8_t> kernargs) {
  if (constraint.plus.empty())
    return constraint.value;
  const ManifestArgument *other = manifest.findArgument(constraint.plus);
  if (!other)
    return kernelError(manifest, "constraint with '{0}', which is no argument",
                       constraint.plus);
  int64_t sum;
  if (AddOverflow(constraint.value, readArgument(*other, kernargs), sum))
    return kernelError(manifest, "argument '{0}': its value is out of range",
                       other->name);
  return sum;
}

static Error checkConstraint(const Manifest &manifest,
                             const ManifestConstraint &constraint,
                             ArrayRef<uint8_t> kernargs) {
  const ManifestArgument *argument = manifest.findArgument(constraint.argument);
  if (!argument)
    return kernelError(manifest, "constraint on '{0}', which is no argument",
                       constraint.argument);
  int64_t value = readArgument(*argument, kernargs);
  StringRef rule = constraint.rule;
  Expected<int64_t> bound = boundOf(manifest, constraint, kernargs);
  if (!bound)
    return bound.takeError();
  auto broken = [&](const char *expected, const std::string &given) {
    std::string text = formatv(expected, *bound);
    if (!constraint.plus.empty())
      text += " (from '" + constraint.plus + "')";
    return kernelError(manifest, "argument '{0}': expected {1}, got {2}",
                       argument->name, text, given);
  };
  if (rule == "multiple_of" && value % constraint.value != 0)
    return broken("a multiple of {0}", std::to_string(value));
  if (rule == "min" && value < *bound)
    return broken("at least {0}", std::to_string(value));
  if (rule == "max" && value > *bound)
    return broken("at most {0}", std::to_string(value));
  if (rule == "align_bytes" && uint64_t(value) % constraint.value != 0)
    return broken("an address aligned to {0} bytes", formatv("{0:x}", value));
  return Error::success();
}

Error checkKernargs(const Manifest &manifest, ArrayRef<uint8_t> kernargs) {
  if (kernargs.size() != manifest.kernargBytes)
    return kernelError(manifest,
                       "expected {0} bytes of kernel arguments, got {1}",
                       manifest.kernargBytes, kernargs.size());
  for (const ManifestConstraint &constraint : manifest.constraints)
    if (Error error = checkConstraint(manifest, constraint, kernargs))
      return error;
  return Error::success();
}

static Expected<uint32_t> countWorkgroups(const Manifest &manifest,
                                          ArrayRef<uint8_t> kernargs) {
  uint64_t count = 1;
  for (const ManifestGridFactor &factor : manifest.grid) {
    const ManifestArgument *argument = manifest.findArgument(factor.argument);
    if (!argument)
      return kernelError(manifest, "grid over '{0}', which is no argument",
                         factor.argument);
    int64_t value = readArgument(*argument, kernargs);
    if (value < 0)
      return kernelError(manifest,
                         "argument '{0}': expected at least 0, got "
                         "{1}",
                         factor.argument, value);
    count =
        SaturatingMultiply(count, divideCeil(uint64_t(value), factor.divisor));
  }
  // HIP's grids are counted in threads of 32 bits.
  uint64_t most = UINT32_MAX / std::max(manifest.workgroupSize, 1u);
  if (count > most)
    return kernelError(manifest,
                       "expected at most {0} workgroups of {1} threads, got "
                       "{2}",
                       most, manifest.workgroupSize, count);
  return uint32_t(count);
}

Expected<LaunchPlan> LaunchPlan::create(const Manifest &manifest,
                                        ArrayRef<ArgumentValue> values) {
  if (Error error = checkNames(manifest, values))
    return error;
  LaunchPlan plan;
  plan.kernargs.assign(manifest.kernargBytes, 0);
  for (const ManifestArgument &argument : manifest.arguments) {
    const auto *value = find_if(values, [&](const ArgumentValue &value) {
      return value.name == argument.name;
    });
    if (value == values.end())
      return kernelError(manifest, "argument '{0}' of type {1} is missing",
                         argument.name, argument.type);
    if (Error error = pack(manifest, argument, *value,
                           plan.kernargs.data() + argument.offsetBytes))
      return error;
  }
  if (Error error = checkKernargs(manifest, plan.kernargs))
    return error;
  Expected<uint32_t> workgroups = countWorkgroups(manifest, plan.kernargs);
  if (!workgroups)
    return workgroups.takeError();
  plan.workgroups = *workgroups;
  return plan;
}

} // namespace fly
