//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Code objects that are wrong in one place: each is an error that names it.

#include "CodeObjectParser.h"
#include "LinkedObject.h"

#include "fly/CodeObject/SourceLines.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <cstring>
#include <set>

using namespace fly;
using namespace fly::test;

namespace {

using ELFT = llvm::object::ELF64LE;
using Document = llvm::msgpack::Document;
using MapNode = llvm::msgpack::MapDocNode;

/// A note of one kernel that \p change may change: its map, and that of its
/// first argument. What addMetadata says of it.
std::string metadataError(
    llvm::function_ref<void(Document &, MapNode &, MapNode &)> change) {
  Document document;
  MapNode root = document.getRoot().getMap(/*Convert=*/true);
  auto list = root["amdhsa.kernels"].getArray(true);
  MapNode kernel = list[0].getMap(true);
  kernel[".name"] = "k";
  kernel[".symbol"] = "k.kd";
  kernel[".kernarg_segment_size"] = 24;
  MapNode argument = kernel[".args"].getArray(true)[0].getMap(true);
  argument[".offset"] = 0;
  argument[".size"] = 8;
  argument[".value_kind"] = "global_buffer";
  change(document, kernel, argument);
  std::string blob;
  document.writeToBlob(blob);
  std::vector<Kernel> kernels(1);
  kernels[0].name = "k";
  return llvm::toString(addMetadata(blob, kernels));
}

std::vector<uint8_t> goodObject(llvm::StringRef body = "s_nop 0") {
  return linkSource("gfx950", kernelSource(KernelOptions(), body));
}

std::string parseError(llvm::ArrayRef<uint8_t> bytes) {
  auto object = CodeObject::parse(bytes);
  return object ? "" : llvm::toString(object.takeError());
}

/// The bytes of the first kernel's descriptor.
uint8_t *descriptorOf(std::vector<uint8_t> &bytes) {
  auto object = llvm::cantFail(CodeObject::parse(bytes));
  uint64_t address = object.kernels()[0].descriptorAddress;
  for (const Segment &segment : object.segments())
    if (address - segment.address < segment.contents.size())
      return bytes.data() + (segment.contents.data() - object.bytes().data()) +
             (address - segment.address);
  llvm::report_fatal_error("no segment holds the descriptor");
}

ELFT::Shdr *sectionHeaders(std::vector<uint8_t> &bytes, unsigned &count) {
  auto *header = reinterpret_cast<ELFT::Ehdr *>(bytes.data());
  count = header->e_shnum;
  return reinterpret_cast<ELFT::Shdr *>(bytes.data() + header->e_shoff);
}

} // namespace

TEST(Malformed, GoodMetadataIsTaken) {
  EXPECT_EQ(metadataError([](auto &, auto &, auto &) {}), "");
}

TEST(Malformed, NumbersOfAKernelOfAnotherTypeOrRange) {
  for (const char *field :
       {".kernarg_segment_size", ".kernarg_segment_align",
        ".max_flat_workgroup_size", ".vgpr_count", ".agpr_count", ".sgpr_count",
        ".vgpr_spill_count", ".sgpr_spill_count", ".wavefront_size"}) {
    std::string start =
        std::string("metadata: ") + field + " of kernel 'k' is not a number ";
    auto with = [&](auto value) {
      return metadataError([&](Document &document, MapNode &kernel, MapNode &) {
        kernel[field] = document.getNode(value);
      });
    };
    EXPECT_EQ(with("text"), start + "that is not negative") << field;
    EXPECT_EQ(with(true), start + "that is not negative") << field;
    EXPECT_EQ(with(1.5), start + "that is not negative") << field;
    EXPECT_EQ(with(int64_t(-1)), start + "that is not negative") << field;
    EXPECT_EQ(with(uint64_t(1) << 32), start + "below 2^32") << field;
  }
}

TEST(Malformed, SizesOfAKernel) {
  auto with = [](const char *field, uint64_t value) {
    return metadataError(
        [&](Document &, MapNode &kernel, MapNode &) { kernel[field] = value; });
  };
  EXPECT_EQ(with(".wavefront_size", 32),
            "metadata: .wavefront_size of kernel 'k' is not 64");
  EXPECT_EQ(with(".kernarg_segment_size", (1 << 20) + 1),
            "metadata: .kernarg_segment_size of kernel 'k' is not a number up "
            "to 2^20");
  EXPECT_EQ(with(".kernarg_segment_size", 4),
            "metadata: argument 0 of kernel 'k' ends at byte 8 of a kernarg "
            "segment of 4 bytes");
}

TEST(Malformed, RequiredWorkgroupSize) {
  auto with = [](std::vector<int64_t> sizes) {
    return metadataError([&](Document &, MapNode &kernel, MapNode &) {
      auto list = kernel[".reqd_workgroup_size"].getArray(true);
      for (auto [i, size] : llvm::enumerate(sizes))
        if (size < 0)
          list[i] = size;
        else
          list[i] = uint64_t(size);
    });
  };
  EXPECT_EQ(with({64, 1, 1}), "");
  for (std::vector<int64_t> sizes :
       std::vector<std::vector<int64_t>>{{64, 1},
                                         {64, 1, 1, 1},
                                         {0, 1, 1},
                                         {-1, 1, 1},
                                         {1, 1, int64_t(1) << 32}})
    EXPECT_EQ(with(sizes),
              "metadata: .reqd_workgroup_size of kernel 'k' is not a list of "
              "three positive numbers below 2^32");
  EXPECT_EQ(metadataError([](Document &, MapNode &kernel, MapNode &) {
              kernel[".reqd_workgroup_size"] = 64;
            }),
            "metadata: .reqd_workgroup_size of kernel 'k' is not a list");
}

TEST(Malformed, Arguments) {
  auto with = [](const char *field, auto value) {
    return metadataError([&](Document &document, MapNode &, MapNode &argument) {
      argument[field] = document.getNode(value);
    });
  };
  for (const char *field : {".offset", ".size"}) {
    EXPECT_EQ(with(field, "text"),
              std::string("metadata: ") + field +
                  " of argument 0 of kernel 'k' is not a number that is not "
                  "negative");
    EXPECT_EQ(with(field, uint64_t(25)),
              "metadata: argument 0 of kernel 'k' ends at byte " +
                  std::to_string(field[1] == 'o' ? 33 : 25) +
                  " of a kernarg segment of 24 bytes");
    EXPECT_NE(with(field, uint64_t(UINT32_MAX)), "");
  }
  for (const char *field : {".name", ".value_kind"})
    EXPECT_EQ(with(field, 5), std::string("metadata: ") + field +
                                  " of argument 0 of kernel 'k' is not a "
                                  "string");
  EXPECT_EQ(metadataError([](Document &, MapNode &kernel, MapNode &) {
              kernel[".args"] = "none";
            }),
            "metadata: .args of kernel 'k' is not a list");
  EXPECT_EQ(metadataError([](Document &, MapNode &kernel, MapNode &) {
              kernel[".args"].getArray()[0] = 7;
            }),
            "metadata: argument 0 of kernel 'k' is not a map");
}

TEST(Malformed, Names) {
  for (const char *field : {".name", ".symbol"})
    EXPECT_EQ(metadataError([&](Document &, MapNode &kernel, MapNode &) {
                kernel[field] = 1;
              }),
              std::string("metadata: ") + field +
                  " of a kernel is not a string");
}

TEST(Malformed, ReservedPartsOfTheDescriptor) {
  auto with = [](unsigned offset, uint8_t bits) {
    std::vector<uint8_t> bytes = goodObject();
    descriptorOf(bytes)[offset] |= bits;
    return parseError(bytes);
  };
  std::string start = "the descriptor of kernel 'k': ";
  EXPECT_EQ(with(12, 1), start + "reserved bytes 12 to 15 are not zero");
  EXPECT_EQ(with(15, 0x80), start + "reserved bytes 12 to 15 are not zero");
  EXPECT_EQ(with(24, 1), start + "reserved bytes 24 to 43 are not zero");
  EXPECT_EQ(with(43, 1), start + "reserved bytes 24 to 43 are not zero");
  EXPECT_EQ(with(63, 1), start + "reserved bytes 60 to 63 are not zero");
  EXPECT_EQ(with(57, 0x80),
            start + "reserved bits of the kernel code properties are not zero");
  EXPECT_EQ(with(57, 0x04),
            start + "it asks for waves of 32 lanes, expected 64");
}

TEST(Malformed, DescriptorsOutsideTheFileAndEntriesOutsideTheText) {
  std::vector<uint8_t> bytes = goodObject();
  uint64_t far = 1 << 20;
  std::memcpy(descriptorOf(bytes) + 16, &far, 8);
  EXPECT_NE(parseError(bytes).find("kernel 'k' starts at"), std::string::npos);
  bytes = goodObject();
  descriptorOf(bytes)[16] += 2;
  EXPECT_NE(parseError(bytes).find("expected a multiple of 4 in .text"),
            std::string::npos);
}

TEST(Malformed, ObjectWithoutKernels) {
  auto bytes = linkSource("gfx950", ".text\n.globl f\n.type f,@function\n"
                                    "f: s_endpgm\n");
  auto object = llvm::cantFail(CodeObject::parse(bytes));
  EXPECT_TRUE(object.kernels().empty());
  auto kernel = object.findKernel("f");
  ASSERT_FALSE(bool(kernel));
  EXPECT_EQ(llvm::toString(kernel.takeError()),
            "no kernel 'f' in the code object, it has none");
}

TEST(Malformed, AbiVersions) {
  for (unsigned version = 0; version != 8; ++version) {
    std::vector<uint8_t> bytes = goodObject();
    bytes[llvm::ELF::EI_ABIVERSION] = uint8_t(version);
    std::string expected =
        version >= 1 && version <= 4
            ? ""
            : "ELF ABI version is " + std::to_string(version) +
                  ", expected 1 to 4 (code object version 3 to 6)";
    EXPECT_EQ(parseError(bytes), expected);
  }
}

TEST(Malformed, Relocations) {
  // A pointer in .data.rel.ro makes one.
  const std::vector<uint8_t> good =
      goodObject("s_endpgm\n.section .data.rel.ro,\"aw\",@progbits\n"
                 ".p2align 3\n.quad k\n.text");
  ASSERT_EQ(parseError(good), "");
  ASSERT_EQ(llvm::cantFail(CodeObject::parse(good)).relocations().size(), 1u);
  auto with = [&](auto change) {
    std::vector<uint8_t> bytes = good;
    unsigned count;
    ELFT::Shdr *sections = sectionHeaders(bytes, count);
    for (unsigned i = 0; i != count; ++i)
      if (sections[i].sh_type == llvm::ELF::SHT_RELA)
        change(sections[i], *reinterpret_cast<ELFT::Rela *>(
                                bytes.data() + sections[i].sh_offset));
    return parseError(bytes);
  };
  EXPECT_NE(with([](auto &, ELFT::Rela &rela) {
              rela.r_offset = 1 << 24;
            }).find("lies outside every segment"),
            std::string::npos);
  EXPECT_NE(with([](auto &, ELFT::Rela &rela) {
              rela.setSymbolAndType(0, llvm::ELF::R_AMDGPU_REL32, false);
            }).find("expected R_AMDGPU_RELATIVE64 or R_AMDGPU_ABS64"),
            std::string::npos);
  EXPECT_NE(with([](auto &, ELFT::Rela &rela) {
              rela.setSymbolAndType(9999, llvm::ELF::R_AMDGPU_ABS64, false);
            }).find("needs symbol 9999, which is not defined"),
            std::string::npos);
  EXPECT_NE(with([](ELFT::Shdr &section, auto &) { section.sh_link = 9999; }),
            "");
  EXPECT_NE(with([](ELFT::Shdr &section, auto &) { section.sh_entsize = 5; }),
            "");
  EXPECT_NE(
      with([](ELFT::Shdr &section, auto &) { section.sh_size = 1 << 30; }), "");
}

TEST(Malformed, FilesThatEndAtTheBoundaryOfAPart) {
  std::vector<uint8_t> good = goodObject();
  std::set<size_t> ends = {0, 1, 15, 16, sizeof(ELFT::Ehdr)};
  unsigned count;
  ELFT::Shdr *sections = sectionHeaders(good, count);
  auto *header = reinterpret_cast<ELFT::Ehdr *>(good.data());
  auto *segments =
      reinterpret_cast<ELFT::Phdr *>(good.data() + header->e_phoff);
  ends.insert(header->e_shoff);
  for (unsigned i = 0; i != count; ++i)
    if (sections[i].sh_type != llvm::ELF::SHT_NOBITS) {
      ends.insert(sections[i].sh_offset);
      ends.insert(sections[i].sh_offset + sections[i].sh_size);
    }
  for (unsigned i = 0; i != header->e_phnum; ++i)
    ends.insert(segments[i].p_offset + segments[i].p_filesz);
  for (size_t end : ends)
    for (size_t size : {end - 1, end, end + 1})
      if (size < good.size())
        EXPECT_NE(parseError(llvm::ArrayRef(good).take_front(size)), "")
            << size << " of " << good.size() << " bytes";
}

// A section that claims to unpack to more than it can is not unpacked.
TEST(Malformed, CompressedSectionsOfImpossibleSize) {
  for (unsigned type : {0, 1, 2, 3})
    for (const char *size : {"0", "1 << 20", "1 << 33", "1 << 62", "-1"})
      for (const char *name : {".debug_info", ".debug_line", ".debug_abbrev"}) {
        std::vector<uint8_t> bytes = linkSource(
            "gfx950",
            kernelSource(KernelOptions(), "s_nop 0") +
                llvm::formatv("\n.section {0},\"\",@progbits\n.long {1}, 0\n"
                              ".quad {2}, 1\n.byte 120, 156, 3, 0\n",
                              name, type, size)
                    .str());
        unsigned count = 0;
        ELFT::Shdr *headers = sectionHeaders(bytes, count);
        unsigned numChanged = 0;
        for (unsigned i = 0; i != count; ++i)
          if (headers[i].sh_type == llvm::ELF::SHT_PROGBITS &&
              headers[i].sh_size == 28) {
            headers[i].sh_flags = llvm::ELF::SHF_COMPRESSED;
            ++numChanged;
          }
        ASSERT_EQ(numChanged, 1u);
        auto object = llvm::cantFail(CodeObject::parse(bytes));
        EXPECT_EQ(SourceLines(bytes).at(object.kernels()[0].entryAddress), "");
      }
}
