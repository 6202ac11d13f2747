//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The JSON form of the manifest. One list of fields a struct (describe) serves
// both directions, so that reader and writer cannot drift apart.

#include "fly/CodeObject/Manifest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <initializer_list>
#include <limits>

using namespace llvm;

namespace fly {
namespace {

using Choices = std::initializer_list<StringRef>;

/// Collects the fields of a struct into a JSON object.
class Writer {
public:
  template <typename T> void field(StringRef name, const T &value) {
    object[name] = toValue(value);
  }
  void choice(StringRef name, const std::string &value, Choices) {
    object[name] = value;
  }
  json::Object object;

private:
  static json::Value toValue(const std::string &value) { return value; }
  static json::Value toValue(int64_t value) { return value; }
  static json::Value toValue(uint32_t value) { return value; }
  template <typename T> static json::Value toValue(const std::vector<T> &list);
};

/// Fills a struct from a JSON object. The first error ends the reading; it
/// names the field by its path from the root.
class Reader {
public:
  Reader(const json::Value &value, std::string path)
      : object(value.getAsObject()), path(std::move(path)) {
    if (!object)
      fail("", "an object", value);
  }

  template <typename T> void field(StringRef name, T &value) {
    if (const json::Value *given = take(name))
      read(name, *given, value);
  }
  void choice(StringRef name, std::string &value, Choices choices) {
    const json::Value *given = take(name);
    if (!given)
      return;
    std::optional<StringRef> text = given->getAsString();
    if (!text || !is_contained(choices, *text))
      return fail(name, "one of " + join(choices, ", "), *given);
    value = text->str();
  }

  /// Also refuses what describe did not ask for.
  Error finish() {
    if (error.empty())
      for (const auto &entry : *object)
        if (!known.contains(entry.first)) {
          error = formatv("manifest field '{0}' is unknown",
                          fieldPath(entry.first));
          break;
        }
    return error.empty() ? Error::success() : createStringError(error);
  }

private:
  std::string fieldPath(StringRef name) const {
    return path.empty() || name.empty() ? path + name.str()
                                        : path + "." + name.str();
  }

  void fail(StringRef name, const Twine &expected, const json::Value &given) {
    std::string where = fieldPath(name);
    error = (where.empty() ? "manifest: expected "
                           : "manifest field '" + where + "': expected ") +
            (expected + ", got " + formatv("{0}", given).str()).str();
  }

  const json::Value *take(StringRef name) {
    if (!error.empty())
      return nullptr;
    known.insert(name);
    const json::Value *value = object->get(name);
    if (!value)
      error = formatv("manifest field '{0}' is missing", fieldPath(name));
    return value;
  }

  void read(StringRef name, const json::Value &given, std::string &value) {
    if (std::optional<StringRef> text = given.getAsString())
      value = text->str();
    else
      fail(name, "a string", given);
  }
  void read(StringRef name, const json::Value &given, int64_t &value) {
    if (std::optional<int64_t> number = given.getAsInteger())
      value = *number;
    else
      fail(name, "an integer", given);
  }
  void read(StringRef name, const json::Value &given, uint32_t &value) {
    std::optional<int64_t> number = given.getAsInteger();
    if (number && *number >= 0 &&
        *number <= std::numeric_limits<uint32_t>::max())
      value = uint32_t(*number);
    else
      fail(name, "an integer of 0 to 2^32 - 1", given);
  }
  template <typename T>
  void read(StringRef name, const json::Value &given, std::vector<T> &list);

  const json::Object *object;
  std::string path;
  StringSet<> known;
  std::string error;
};

template <typename A, typename M>
std::enable_if_t<std::is_same_v<std::remove_const_t<M>, ManifestArgument>>
describe(A &archive, M &argument) {
  archive.field("name", argument.name);
  archive.choice("type", argument.type, {"ptr", "i32", "i64", "f32"});
  archive.field("offset_bytes", argument.offsetBytes);
  archive.field("size_bytes", argument.sizeBytes);
  archive.choice("access", argument.access, {"in", "out", "value"});
}

template <typename A, typename M>
std::enable_if_t<std::is_same_v<std::remove_const_t<M>, ManifestConstraint>>
describe(A &archive, M &constraint) {
  archive.field("argument", constraint.argument);
  archive.choice("rule", constraint.rule,
                 {"multiple_of", "min", "max", "align_bytes"});
  archive.field("value", constraint.value);
  archive.field("plus", constraint.plus);
}

template <typename A, typename M>
std::enable_if_t<std::is_same_v<std::remove_const_t<M>, ManifestGridFactor>>
describe(A &archive, M &factor) {
  archive.field("argument", factor.argument);
  archive.field("divisor", factor.divisor);
}

template <typename A, typename M>
std::enable_if_t<std::is_same_v<std::remove_const_t<M>, ManifestSlot>>
describe(A &archive, M &slot) {
  archive.field("name", slot.name);
  archive.field("offset_bytes", slot.offsetBytes);
  archive.field("size_bytes", slot.sizeBytes);
}

template <typename A, typename M>
std::enable_if_t<std::is_same_v<std::remove_const_t<M>, Manifest>>
describe(A &archive, M &manifest) {
  archive.field("version", manifest.version);
  archive.field("kernel", manifest.kernel);
  archive.field("variant", manifest.variant);
  archive.field("arch", manifest.arch);
  archive.choice("problem", manifest.problem,
                 {"gemm", "grouped_gemm_contiguous"});
  archive.field("schedule", manifest.schedule);
  archive.field("arguments", manifest.arguments);
  archive.field("kernarg_bytes", manifest.kernargBytes);
  archive.field("constraints", manifest.constraints);
  archive.field("grid", manifest.grid);
  archive.field("workgroup_size", manifest.workgroupSize);
  archive.field("tile_m", manifest.tileM);
  archive.field("tile_n", manifest.tileN);
  archive.field("tile_k", manifest.tileK);
  archive.field("mfma_m", manifest.mfmaM);
  archive.field("mfma_n", manifest.mfmaN);
  archive.field("mfma_k", manifest.mfmaK);
  archive.field("type_a", manifest.typeA);
  archive.field("type_b", manifest.typeB);
  archive.field("type_d", manifest.typeD);
  archive.choice("scale_kind", manifest.scaleKind, {"none", "e8m0"});
  archive.field("scale_m", manifest.scaleM);
  archive.field("scale_n", manifest.scaleN);
  archive.field("scale_k", manifest.scaleK);
  archive.choice("fp8_format", manifest.fp8Format, {"ocp", "fnuz"});
  archive.field("group_alignment", manifest.groupAlignment);
  archive.field("lds_slots", manifest.ldsSlots);
  archive.field("lds_bytes", manifest.ldsBytes);
  archive.field("vgprs", manifest.vgprs);
  archive.field("agprs", manifest.agprs);
  archive.field("sgprs", manifest.sgprs);
  archive.field("scratch_bytes", manifest.scratchBytes);
  archive.field("content_hash", manifest.contentHash);
}

template <typename T> json::Value Writer::toValue(const std::vector<T> &list) {
  json::Array array;
  for (const T &element : list) {
    Writer writer;
    describe(writer, element);
    array.push_back(std::move(writer.object));
  }
  return array;
}

template <typename T>
void Reader::read(StringRef name, const json::Value &given,
                  std::vector<T> &list) {
  const json::Array *array = given.getAsArray();
  if (!array)
    return fail(name, "an array", given);
  list.clear();
  for (auto [i, value] : enumerate(*array)) {
    Reader reader(value, formatv("{0}[{1}]", fieldPath(name), i));
    describe(reader, list.emplace_back());
    if (Error failure = reader.finish()) {
      error = toString(std::move(failure));
      return;
    }
  }
}

} // namespace

json::Value Manifest::toJSON() const {
  Writer writer;
  describe(writer, *this);
  return std::move(writer.object);
}

/// A manifest of another version is refused for its version, not for the first
/// field that differs.
static Error checkVersion(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  std::optional<int64_t> version =
      object ? object->getInteger("version") : std::nullopt;
  if (version && *version != Manifest::currentVersion)
    return createStringError(
        formatv("manifest field 'version': expected {0}, got {1}",
                Manifest::currentVersion, *version));
  return Error::success();
}

Expected<Manifest> Manifest::fromJSON(const json::Value &value) {
  if (Error error = checkVersion(value))
    return error;
  Manifest manifest;
  Reader reader(value, "");
  describe(reader, manifest);
  if (Error error = reader.finish())
    return error;
  if (Error error = manifest.verify())
    return error;
  return manifest;
}

} // namespace fly
