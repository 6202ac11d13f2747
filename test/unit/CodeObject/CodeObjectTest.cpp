//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LinkedObject.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"

#include "gtest/gtest.h"

#include <cstring>
#include <random>

using namespace fly;
using namespace fly::test;

namespace {

const std::vector<uint8_t> &goodObject() {
  static const std::vector<uint8_t> bytes = [] {
    KernelOptions options;
    options.ldsBytes = 1024;
    options.scratchBytes = 32;
    options.kernargBytes = 40;
    options.preloadDwords = 0;
    options.workitemDims = 2;
    return linkSource("gfx950", kernelSource(options, "s_nop 0"));
  }();
  return bytes;
}

std::string parseError(llvm::ArrayRef<uint8_t> bytes) {
  auto object = CodeObject::parse(bytes);
  if (object)
    return "";
  return llvm::toString(object.takeError());
}

using Ehdr = llvm::object::ELF64LE::Ehdr;
using Phdr = llvm::object::ELF64LE::Phdr;

Ehdr &header(std::vector<uint8_t> &bytes) {
  return *reinterpret_cast<Ehdr *>(bytes.data());
}
Phdr &programHeader(std::vector<uint8_t> &bytes, unsigned type) {
  Ehdr &h = header(bytes);
  auto *p = reinterpret_cast<Phdr *>(bytes.data() + h.e_phoff);
  for (unsigned i = 0; i != h.e_phnum; ++i)
    if (p[i].p_type == type)
      return p[i];
  llvm::report_fatal_error("no such program header");
}

/// Replaces every occurrence of \p from, of the same length.
void replaceAll(std::vector<uint8_t> &bytes, llvm::StringRef from,
                llvm::StringRef to) {
  ASSERT_EQ(from.size(), to.size());
  unsigned found = 0;
  for (size_t i = 0; i + from.size() <= bytes.size(); ++i)
    if (!std::memcmp(bytes.data() + i, from.data(), from.size())) {
      std::memcpy(bytes.data() + i, to.data(), to.size());
      ++found;
    }
  ASSERT_NE(found, 0u) << from.str();
}

} // namespace

TEST(CodeObject, DescriptorAndMetadataAreRead) {
  auto object = CodeObject::parse(goodObject());
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  EXPECT_EQ(object->target().name, "gfx950");
  ASSERT_EQ(object->kernels().size(), 1u);
  const Kernel &kernel = llvm::cantFail(object->findKernel("k"));
  const KernelDescriptor &d = kernel.descriptor;
  EXPECT_EQ(d.groupSegmentBytes, 1024u);
  EXPECT_EQ(d.privateSegmentBytes, 32u);
  EXPECT_EQ(d.kernargBytes, 40u);
  EXPECT_EQ(d.vgprs, 128u);
  EXPECT_EQ(d.accumOffset, 64u);
  EXPECT_EQ(d.userSgprs, 2u);
  EXPECT_TRUE(d.sgprKernargPtr);
  EXPECT_FALSE(d.sgprDispatchPtr);
  EXPECT_TRUE(d.workgroupIdX && d.workgroupIdY && d.workgroupIdZ);
  EXPECT_EQ(d.workitemIdDims, 2u);
  EXPECT_EQ(d.floatMode, 0xc0u) << "the assembler's default flushes f32";
  EXPECT_TRUE(d.dx10Clamp && d.ieeeMode);
  EXPECT_TRUE(kernel.hasMetadata);
  EXPECT_EQ(kernel.kernargBytes(), 40u);
  EXPECT_EQ(kernel.maxFlatWorkgroupSize, 1024u);
  ASSERT_EQ(kernel.arguments.size(), 1u);
  EXPECT_EQ(kernel.arguments[0].valueKind, "global_buffer");
  EXPECT_EQ(kernel.endAddress - kernel.entryAddress, 8u);
  auto code = object->disassemble();
  ASSERT_TRUE(bool(code));
  int64_t index = code->indexAt(kernel.entryAddress);
  ASSERT_GE(index, 0);
  EXPECT_EQ(code->instructions()[index].key, "s_nop");
}

TEST(CodeObject, PreloadIsRead) {
  KernelOptions options;
  options.preloadDwords = 5;
  auto object = llvm::cantFail(
      CodeObject::parse(linkSource("gfx942", kernelSource(options, ""))));
  EXPECT_EQ(object.target().name, "gfx942");
  EXPECT_EQ(object.kernels()[0].descriptor.preloadDwords, 5u);
  EXPECT_EQ(object.kernels()[0].descriptor.userSgprs, 7u);
}

TEST(CodeObject, UnknownKernelListsTheKnownOnes) {
  auto object = llvm::cantFail(CodeObject::parse(goodObject()));
  auto kernel = object.findKernel("other");
  ASSERT_FALSE(bool(kernel));
  EXPECT_EQ(llvm::toString(kernel.takeError()),
            "no kernel 'other' in the code object, expected one of k");
}

TEST(CodeObject, MissingFileIsNamed) {
  auto object = CodeObject::readFile("/nonexistent/file.hsaco");
  ASSERT_FALSE(bool(object));
  EXPECT_EQ(llvm::toString(object.takeError()),
            "cannot read '/nonexistent/file.hsaco': No such file or directory");
}

TEST(CodeObject, WrongHeadersAreErrors) {
  auto with = [](auto change) {
    std::vector<uint8_t> bytes = goodObject();
    change(bytes);
    return parseError(bytes);
  };
  EXPECT_EQ(parseError({1, 2, 3}),
            "not a code object: 3 bytes that do not start with the ELF magic");
  EXPECT_EQ(with([](auto &b) { b[llvm::ELF::EI_CLASS] = 1; }),
            "expected a 64-bit little-endian ELF");
  EXPECT_EQ(with([](auto &b) { header(b).e_machine = 62; }),
            "ELF machine is 62, expected 224 (AMDGPU)");
  EXPECT_EQ(with([](auto &b) { b[llvm::ELF::EI_OSABI] = 0; }),
            "ELF OS ABI is 0, expected 64 (HSA)");
  EXPECT_EQ(with([](auto &b) { header(b).e_type = 1; }),
            "ELF type is 1, expected 3 (a linked shared object)");
  EXPECT_EQ(
      with([](auto &b) { header(b).e_flags = 0x3f; }),
      "code object is for ELF machine 0x3f (gfx90a), expected that of one "
      "of gfx942, gfx950");
  EXPECT_EQ(with([](auto &b) { header(b).e_flags = 0xfe; }),
            "code object is for ELF machine 0xfe, expected that of one of "
            "gfx942, gfx950");
}

TEST(CodeObject, BrokenSegmentsAreErrors) {
  using namespace llvm::ELF;
  std::vector<uint8_t> bytes = goodObject();
  programHeader(bytes, PT_LOAD).p_filesz = 1 << 30;
  EXPECT_NE(parseError(bytes).find("segment at"), std::string::npos);
  bytes = goodObject();
  programHeader(bytes, PT_LOAD).p_memsz = 1;
  EXPECT_NE(parseError(bytes).find("1 bytes in memory"), std::string::npos);
  bytes = goodObject();
  auto *p = &programHeader(bytes, PT_PHDR);
  for (unsigned i = 0; i != header(bytes).e_phnum; ++i)
    if (p[i].p_type == PT_LOAD)
      p[i].p_type = PT_NULL;
  EXPECT_EQ(parseError(bytes), "the code object has no loadable segment");
}

TEST(CodeObject, MissingTextAndDescriptorAreErrors) {
  std::vector<uint8_t> bytes = goodObject();
  replaceAll(bytes, llvm::StringRef("\0.text\0", 7),
             llvm::StringRef("\0.tExt\0", 7));
  EXPECT_EQ(parseError(bytes), "the code object has no .text section");

  bytes = goodObject();
  auto object = llvm::cantFail(CodeObject::parse(bytes));
  uint64_t descriptor = object.kernels()[0].descriptorAddress;
  std::memset(bytes.data() + descriptor + 16, 0, 8);
  EXPECT_NE(parseError(bytes).find("kernel 'k' starts at"), std::string::npos);
}

TEST(CodeObject, WrongMetadataIsAnError) {
  std::vector<uint8_t> bytes = goodObject();
  replaceAll(bytes,
             "\xae"
             "amdhsa.kernels",
             "\xc1"
             "amdhsa.kernels");
  EXPECT_EQ(parseError(bytes), "metadata: the note is not a msgpack map");

  // The key becomes a list of one element.
  bytes = goodObject();
  replaceAll(bytes,
             "\xae"
             "amdhsa.kernels",
             "\x91"
             "amdhsa.kernels");
  EXPECT_EQ(parseError(bytes), "metadata: a map has a key that is no string");

  // The list of one kernel becomes one of fifteen, then lists in lists.
  llvm::StringRef key = "amdhsa.kernels";
  bytes = goodObject();
  auto list = std::search(bytes.begin(), bytes.end(), key.begin(), key.end()) +
              key.size();
  ASSERT_EQ(*list, 0x91);
  *list = 0x9f;
  EXPECT_EQ(parseError(bytes), "metadata: the note ends too early");
  std::fill(list, list + 70, 0x91);
  EXPECT_EQ(parseError(bytes),
            "metadata: maps and lists are nested more than 64 deep");

  // 0x28, the kernarg size, becomes nil.
  bytes = goodObject();
  replaceAll(bytes, ".kernarg_segment_size\x28", ".kernarg_segment_size\xc0");
  EXPECT_EQ(parseError(bytes), "metadata: .kernarg_segment_size of kernel 'k' "
                               "is not a number that is not negative");
  bytes = goodObject();
  replaceAll(bytes, ".kernarg_segment_size\x28", ".kernarg_segment_size\x04");
  EXPECT_EQ(parseError(bytes),
            "metadata: argument 0 of kernel 'k' ends at byte 8 of a kernarg "
            "segment of 4 bytes");
}

TEST(CodeObject, EveryTruncationIsAnErrorOrParses) {
  const std::vector<uint8_t> &good = goodObject();
  for (size_t size = 0; size < good.size(); size += 3) {
    std::vector<uint8_t> bytes(good.begin(), good.begin() + size);
    auto object = CodeObject::parse(bytes);
    if (!object)
      llvm::consumeError(object.takeError());
  }
}

TEST(CodeObject, RandomDamageNeverCrashes) {
  const std::vector<uint8_t> &good = goodObject();
  std::mt19937 random(1);
  unsigned parsed = 0;
  for (unsigned round = 0; round != 3000; ++round) {
    std::vector<uint8_t> bytes = good;
    for (unsigned n = 1 + random() % 8; n != 0; --n)
      bytes[random() % bytes.size()] = uint8_t(random());
    auto object = CodeObject::parse(bytes);
    if (!object) {
      llvm::consumeError(object.takeError());
      continue;
    }
    ++parsed;
    auto code = object->disassemble();
    if (!code)
      llvm::consumeError(code.takeError());
  }
  EXPECT_GT(parsed, 0u);
}
