//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The msgpack document of the NT_AMDGPU_METADATA note (LLVM AMDGPUUsage, "Code
/// Object V3 Metadata"): `amdhsa.kernels` is a list of maps.

#include "CodeObjectParser.h"

#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/BinaryFormat/MsgPackReader.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {

namespace {

/// Reads typed fields of one map and remembers the first that is wrong.
class FieldReader {
public:
  FieldReader(msgpack::MapDocNode &map, std::string where)
      : map(map), where(std::move(where)) {}

  msgpack::DocNode *find(StringRef key) {
    auto it = map.find(key);
    return it == map.end() ? nullptr : &it->second;
  }
  void readUnsigned(StringRef key, uint32_t &value) {
    msgpack::DocNode *node = find(key);
    if (!node)
      return;
    uint64_t wide = 0;
    if (node->getKind() == msgpack::Type::UInt)
      wide = node->getUInt();
    else if (node->getKind() == msgpack::Type::Int && node->getInt() >= 0)
      wide = uint64_t(node->getInt());
    else
      return fail(key, "a number that is not negative");
    if (wide > UINT32_MAX)
      return fail(key, "a number below 2^32");
    value = uint32_t(wide);
  }
  void readString(StringRef key, std::string &value) {
    msgpack::DocNode *node = find(key);
    if (!node)
      return;
    if (node->getKind() != msgpack::Type::String)
      return fail(key, "a string");
    value = node->getString().str();
  }
  msgpack::ArrayDocNode *readArray(StringRef key) {
    msgpack::DocNode *node = find(key);
    if (!node)
      return nullptr;
    if (!node->isArray()) {
      fail(key, "a list");
      return nullptr;
    }
    return &node->getArray();
  }
  void fail(StringRef key, StringRef expected) {
    if (message.empty())
      message =
          formatv("metadata: {0} of {1} is not {2}", key, where, expected);
  }
  Error takeError() const {
    return message.empty() ? Error::success() : createStringError(message);
  }

private:
  msgpack::MapDocNode &map;
  std::string where, message;
};

} // namespace

static Expected<ArgumentMetadata> readArgument(msgpack::DocNode &node,
                                               const std::string &where) {
  if (!node.isMap())
    return createStringError("metadata: " + where + " is not a map");
  ArgumentMetadata argument;
  FieldReader reader(node.getMap(), where);
  reader.readString(".name", argument.name);
  reader.readString(".value_kind", argument.valueKind);
  reader.readUnsigned(".offset", argument.offset);
  reader.readUnsigned(".size", argument.size);
  if (Error error = reader.takeError())
    return std::move(error);
  return argument;
}

static Error readKernelArguments(FieldReader &reader, Kernel &kernel) {
  msgpack::ArrayDocNode *arguments = reader.readArray(".args");
  if (!arguments)
    return Error::success();
  for (msgpack::DocNode &node : *arguments) {
    std::string where = formatv("argument {0} of kernel '{1}'",
                                kernel.arguments.size(), kernel.name);
    Expected<ArgumentMetadata> argument = readArgument(node, where);
    if (!argument)
      return argument.takeError();
    uint64_t end = uint64_t(argument->offset) + argument->size;
    if (end > kernel.metadataKernargBytes)
      return createStringError(formatv(
          "metadata: {0} ends at byte {1} of a kernarg segment of {2} bytes",
          where, end, kernel.metadataKernargBytes));
    kernel.arguments.push_back(std::move(*argument));
  }
  return Error::success();
}

static void readWorkgroupSize(FieldReader &reader, Kernel &kernel) {
  constexpr const char *key = ".reqd_workgroup_size";
  msgpack::ArrayDocNode *sizes = reader.readArray(key);
  if (!sizes)
    return;
  bool isGood = sizes->size() == 3;
  for (unsigned i = 0; isGood && i != 3; ++i) {
    msgpack::DocNode &node = (*sizes)[i];
    isGood = node.getKind() == msgpack::Type::UInt && node.getUInt() != 0 &&
             node.getUInt() <= UINT32_MAX;
    if (isGood)
      kernel.requiredWorkgroupSize[i] = uint32_t(node.getUInt());
  }
  if (!isGood)
    reader.fail(key, "a list of three positive numbers below 2^32");
}

static Error readKernel(msgpack::MapDocNode &map, Kernel &kernel) {
  FieldReader reader(map, "kernel '" + kernel.name + "'");
  kernel.hasMetadata = true;
  reader.readUnsigned(".kernarg_segment_size", kernel.metadataKernargBytes);
  reader.readUnsigned(".kernarg_segment_align", kernel.kernargAlign);
  reader.readUnsigned(".max_flat_workgroup_size", kernel.maxFlatWorkgroupSize);
  reader.readUnsigned(".vgpr_count", kernel.vgprCount);
  reader.readUnsigned(".agpr_count", kernel.agprCount);
  reader.readUnsigned(".sgpr_count", kernel.sgprCount);
  reader.readUnsigned(".vgpr_spill_count", kernel.vgprSpills);
  reader.readUnsigned(".sgpr_spill_count", kernel.sgprSpills);
  uint32_t waveSize = 64;
  reader.readUnsigned(".wavefront_size", waveSize);
  if (waveSize != 64)
    reader.fail(".wavefront_size", "64");
  // Far more than any kernel takes, and small enough to be allocated.
  constexpr uint32_t maxKernargBytes = 1 << 20;
  if (kernel.metadataKernargBytes > maxKernargBytes)
    reader.fail(".kernarg_segment_size", "a number up to 2^20");
  readWorkgroupSize(reader, kernel);
  if (Error error = reader.takeError())
    return error;
  if (Error error = readKernelArguments(reader, kernel))
    return error;
  return reader.takeError();
}

/// Reads one object. LLVM's Document cannot order map keys that are no scalars
/// and ends the process; the note has string keys only.
static Error checkObject(msgpack::Reader &reader, bool isKey, unsigned depth) {
  constexpr unsigned maxDepth = 64;
  msgpack::Object object;
  Expected<bool> more = reader.read(object);
  if (!more) {
    consumeError(more.takeError());
    return createStringError("metadata: the note is not a msgpack map");
  }
  if (!*more)
    return createStringError("metadata: the note ends too early");
  if (isKey && object.Kind != msgpack::Type::String)
    return createStringError("metadata: a map has a key that is no string");
  bool isMap = object.Kind == msgpack::Type::Map;
  if (!isMap && object.Kind != msgpack::Type::Array)
    return Error::success();
  if (depth == maxDepth)
    return createStringError(formatv(
        "metadata: maps and lists are nested more than {0} deep", maxDepth));
  for (size_t i = 0; i != object.Length; ++i) {
    if (isMap)
      if (Error error = checkObject(reader, /*isKey=*/true, depth + 1))
        return error;
    if (Error error = checkObject(reader, /*isKey=*/false, depth + 1))
      return error;
  }
  return Error::success();
}

Error addMetadata(StringRef blob, MutableArrayRef<Kernel> kernels) {
  msgpack::Reader reader(blob);
  if (Error error = checkObject(reader, /*isKey=*/false, 0))
    return error;
  msgpack::Document document;
  if (!document.readFromBlob(blob, /*Multi=*/false) ||
      !document.getRoot().isMap())
    return createStringError("metadata: the note is not a msgpack map");
  FieldReader root(document.getRoot().getMap(), "the note");
  msgpack::ArrayDocNode *list = root.readArray("amdhsa.kernels");
  if (!list)
    return root.takeError();
  for (msgpack::DocNode &node : *list) {
    if (!node.isMap())
      return createStringError(
          "metadata: an entry of amdhsa.kernels is not a map");
    std::string symbol, name;
    FieldReader reader(node.getMap(), "a kernel");
    reader.readString(".symbol", symbol);
    reader.readString(".name", name);
    if (Error error = reader.takeError())
      return error;
    for (Kernel &kernel : kernels)
      if (symbol.empty() ? name == kernel.name : symbol == kernel.name + ".kd")
        if (Error error = readKernel(node.getMap(), kernel))
          return error;
  }
  return Error::success();
}

} // namespace fly
