//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/CodeObject/Manifest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace fly {

const ManifestArgument *Manifest::findArgument(StringRef name) const {
  auto it = find_if(arguments, [&](const ManifestArgument &argument) {
    return argument.name == name;
  });
  return it == arguments.end() ? nullptr : &*it;
}

template <typename... Ts>
static Error fieldError(const Twine &field, const char *format,
                        Ts &&...values) {
  return createStringError("manifest field '" + field +
                           "': " + formatv(format, values...).str());
}

static uint32_t sizeOfType(StringRef type) {
  return type == "ptr" || type == "i64" ? 8 : 4;
}

/// Arguments stand in rising order of offset, aligned to their size, apart.
static Error verifyArguments(const Manifest &manifest) {
  uint64_t end = 0;
  for (auto [i, argument] : enumerate(manifest.arguments)) {
    std::string field = formatv("arguments[{0}]", i);
    if (argument.name.empty())
      return fieldError(field + ".name", "expected a name, got an empty one");
    if (manifest.findArgument(argument.name) != &argument)
      return fieldError(field + ".name", "'{0}' is there twice", argument.name);
    uint32_t size = sizeOfType(argument.type);
    if (argument.sizeBytes != size)
      return fieldError(field + ".size_bytes",
                        "expected {0} for type {1}, "
                        "got {2}",
                        size, argument.type, argument.sizeBytes);
    if (argument.offsetBytes % size != 0 || argument.offsetBytes < end)
      return fieldError(field + ".offset_bytes",
                        "expected a multiple of {0} "
                        "from {1} on, got {2}",
                        size, end, argument.offsetBytes);
    if (argument.access != "value" && argument.type != "ptr")
      return fieldError(field + ".access",
                        "expected \"value\" for type {0}, "
                        "got \"{1}\"",
                        argument.type, argument.access);
    end = uint64_t(argument.offsetBytes) + size;
  }
  if (end > manifest.kernargBytes)
    return fieldError("kernarg_bytes",
                      "expected at least {0}, the end of the "
                      "last argument, got {1}",
                      end, manifest.kernargBytes);
  return Error::success();
}

static bool isInteger(const ManifestArgument &argument) {
  return argument.type == "i32" || argument.type == "i64";
}

static Error verifyPlus(const Manifest &manifest,
                        const ManifestConstraint &constraint,
                        const std::string &field) {
  if (constraint.plus.empty())
    return Error::success();
  if (constraint.rule != "min" && constraint.rule != "max")
    return fieldError(field + ".plus", "expected none with '{0}', got '{1}'",
                      constraint.rule, constraint.plus);
  const auto *other = manifest.findArgument(constraint.plus);
  if (!other || !isInteger(*other))
    return fieldError(field + ".plus", "there is no integer argument '{0}'",
                      constraint.plus);
  return Error::success();
}

static Error verifyConstraints(const Manifest &manifest) {
  for (auto [i, constraint] : enumerate(manifest.constraints)) {
    std::string field = formatv("constraints[{0}]", i);
    const auto *argument = manifest.findArgument(constraint.argument);
    if (!argument)
      return fieldError(field + ".argument", "there is no argument '{0}'",
                        constraint.argument);
    bool ofPointer = constraint.rule == "align_bytes";
    if (ofPointer != (argument->type == "ptr"))
      return fieldError(field + ".rule",
                        "'{0}' does not apply to argument "
                        "'{1}' of type {2}",
                        constraint.rule, argument->name, argument->type);
    if (ofPointer && !isPowerOf2_64(constraint.value))
      return fieldError(field + ".value", "expected a power of two, got {0}",
                        constraint.value);
    if (constraint.rule == "multiple_of" && constraint.value < 1)
      return fieldError(field + ".value", "expected at least 1, got {0}",
                        constraint.value);
    if (Error error = verifyPlus(manifest, constraint, field))
      return error;
  }
  return Error::success();
}

static Error verifyGrid(const Manifest &manifest) {
  if (manifest.grid.empty())
    return fieldError("grid", "expected at least one factor, got none");
  for (auto [i, factor] : enumerate(manifest.grid)) {
    std::string field = formatv("grid[{0}]", i);
    const auto *argument = manifest.findArgument(factor.argument);
    if (!argument)
      return fieldError(field + ".argument", "there is no argument '{0}'",
                        factor.argument);
    if (!isInteger(*argument))
      return fieldError(field + ".argument",
                        "expected an integer, got '{0}' "
                        "of type {1}",
                        argument->name, argument->type);
    if (factor.divisor < 1)
      return fieldError(field + ".divisor", "expected at least 1, got {0}",
                        factor.divisor);
  }
  return Error::success();
}

static Error verifyMemory(const Manifest &manifest) {
  for (auto [i, slot] : enumerate(manifest.ldsSlots)) {
    uint64_t end = uint64_t(slot.offsetBytes) + slot.sizeBytes;
    if (slot.sizeBytes == 0 || end > manifest.ldsBytes)
      return fieldError(formatv("lds_slots[{0}]", i),
                        "expected a part of the "
                        "{0} bytes of LDS, got {1} bytes at {2}",
                        manifest.ldsBytes, slot.sizeBytes, slot.offsetBytes);
  }
  if (manifest.workgroupSize == 0 || manifest.workgroupSize > 1024)
    return fieldError("workgroup_size", "expected 1 to 1024 threads, got {0}",
                      manifest.workgroupSize);
  return Error::success();
}

static Error verifyIdentity(const Manifest &manifest) {
  const std::pair<const char *, const std::string *> names[] = {
      {"kernel", &manifest.kernel}, {"arch", &manifest.arch}};
  for (auto [field, value] : names)
    if (value->empty())
      return fieldError(field, "expected a name, got an empty one");
  const std::string &hash = manifest.contentHash;
  if (hash.size() != 64 || !all_of(hash, [](char c) {
        return isDigit(c) || (c >= 'a' && c <= 'f');
      }))
    return fieldError("content_hash", "expected 64 hex digits, got \"{0}\"",
                      hash);
  return Error::success();
}

static Error verifyTile(const Manifest &manifest) {
  const std::pair<const char *, int64_t> tiles[] = {
      {"tile_m", manifest.tileM}, {"tile_n", manifest.tileN},
      {"tile_k", manifest.tileK}, {"mfma_m", manifest.mfmaM},
      {"mfma_n", manifest.mfmaN}, {"mfma_k", manifest.mfmaK}};
  for (auto [field, value] : tiles)
    if (value < 1)
      return fieldError(field, "expected at least 1, got {0}", value);
  bool scaled = manifest.scaleKind != "none";
  const std::pair<const char *, int64_t> scales[] = {
      {"scale_m", manifest.scaleM},
      {"scale_n", manifest.scaleN},
      {"scale_k", manifest.scaleK}};
  for (auto [field, value] : scales)
    if (scaled ? value < 1 : value != 0)
      return fieldError(field, "expected {0} for scale_kind {1}, got {2}",
                        scaled ? "at least 1" : "0", manifest.scaleKind, value);
  if (manifest.groupAlignment < 0)
    return fieldError("group_alignment", "expected at least 0, got {0}",
                      manifest.groupAlignment);
  return Error::success();
}

Error Manifest::verify() const {
  for (Error (*check)(const Manifest &) :
       {verifyIdentity, verifyArguments, verifyConstraints, verifyGrid,
        verifyTile, verifyMemory})
    if (Error error = check(*this))
      return error;
  return Error::success();
}

static Error fileError(StringRef path, Error error) {
  return createStringError(path + ": " + toString(std::move(error)));
}

Expected<Manifest> Manifest::readFile(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (std::error_code code = buffer.getError())
    return createStringError(code, "cannot read manifest " + path + ": " +
                                       code.message());
  Expected<json::Value> value = json::parse((*buffer)->getBuffer());
  if (!value)
    return fileError(path, value.takeError());
  Expected<Manifest> manifest = fromJSON(*value);
  if (!manifest)
    return fileError(path, manifest.takeError());
  return manifest;
}

Error Manifest::writeFile(StringRef path) const {
  if (Error error = verify())
    return error;
  Error error = writeToOutput(path, [&](raw_ostream &os) {
    os << formatv("{0:2}", toJSON()) << "\n";
    return Error::success();
  });
  return error ? fileError(path, std::move(error)) : Error::success();
}

std::string Manifest::hashOf(ArrayRef<char> object) {
  auto bytes = arrayRefFromStringRef(StringRef(object.data(), object.size()));
  return toHex(SHA256::hash(bytes), /*LowerCase=*/true);
}

Error Manifest::verifyHash(ArrayRef<char> object) const {
  std::string hash = hashOf(object);
  if (hash != contentHash)
    return createStringError(
        "the code object is not the one the manifest of kernel '" + kernel +
        "' was written for: expected SHA-256 " + contentHash + ", got " + hash);
  return Error::success();
}

} // namespace fly
