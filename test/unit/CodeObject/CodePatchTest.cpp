//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/CodeObject/CodePatch.h"
#include "fly/CodeObject/Disassembly.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"

#include "gtest/gtest.h"

using namespace fly;
using llvm::ArrayRef;
using llvm::ELF::Elf64_Ehdr;
using llvm::ELF::Elf64_Phdr;

namespace {

/// An ELF with one segment: 16 bytes at 0x1000, in the file from 128 on.
std::vector<char> makeObject() {
  std::vector<char> bytes(144);
  Elf64_Ehdr header = {};
  memcpy(header.e_ident, llvm::ELF::ElfMagic, 4);
  header.e_ident[llvm::ELF::EI_CLASS] = llvm::ELF::ELFCLASS64;
  header.e_ident[llvm::ELF::EI_DATA] = llvm::ELF::ELFDATA2LSB;
  header.e_phoff = sizeof(header);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  memcpy(bytes.data(), &header, sizeof(header));
  Elf64_Phdr segment = {};
  segment.p_type = llvm::ELF::PT_LOAD;
  segment.p_offset = 128;
  segment.p_vaddr = 0x1000;
  segment.p_filesz = 16;
  segment.p_memsz = 32;
  memcpy(&bytes[sizeof(header)], &segment, sizeof(segment));
  for (char i = 0; i < 16; ++i)
    bytes[128 + i] = i;
  return bytes;
}

std::vector<char> contents(const std::vector<char> &object) {
  return std::vector<char>(object.begin() + 128, object.end());
}

TEST(CodePatch, WritesThroughTheSegment) {
  auto object = makeObject();
  const uint8_t bytes[] = {90, 91};
  ASSERT_FALSE(bool(patchCode(object, 0x100e, bytes)));
  EXPECT_EQ(contents(object), (std::vector<char>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                                 10, 11, 12, 13, 90, 91}));
}

TEST(CodePatch, NopsAreNops) {
  auto object = makeObject();
  ASSERT_FALSE(bool(replaceWithNops(object, 0x1004, 8)));
  auto nop = llvm::cantFail(
      assembleText(llvm::cantFail(lookupTarget("gfx950")), "s_nop 0"));
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(uint8_t(object[132 + i]), nop[i % 4]);
  EXPECT_EQ(object[131], 3);
  EXPECT_EQ(object[140], 12);
}

TEST(CodePatch, SwapsInstructionsOfDifferentSizes) {
  auto object = makeObject();
  ASSERT_FALSE(bool(swapInstructions(object, 0x1000, 4, 8)));
  EXPECT_EQ(contents(object), (std::vector<char>{4, 5, 6, 7, 8, 9, 10, 11, 0, 1,
                                                 2, 3, 12, 13, 14, 15}));
}

TEST(CodePatch, WhatIsNotInTheFileIsAnError) {
  auto object = makeObject();
  auto original = object;
  for (uint64_t address : {uint64_t(0xffc), uint64_t(0x1010), ~uint64_t(3)})
    EXPECT_EQ(llvm::toString(replaceWithNops(object, address, 4)),
              "no loaded part of the code object holds 4 bytes at address 0x" +
                  llvm::utohexstr(address, true));
  EXPECT_TRUE(
      llvm::StringRef(llvm::toString(swapInstructions(object, 0x100c, 4, 4)))
          .contains("8 bytes at address 0x100c"));
  EXPECT_EQ(llvm::toString(replaceWithNops(object, 0x1002, 4)),
            "expected whole dwords to replace by s_nop, got 4 bytes at 0x1002");
  EXPECT_EQ(llvm::toString(replaceWithNops(object, 0x1000, 6)),
            "expected whole dwords to replace by s_nop, got 6 bytes at 0x1000");
  std::vector<char> garbage(100);
  EXPECT_NE(llvm::toString(replaceWithNops(garbage, 0, 4)), "");
  EXPECT_EQ(object, original);
}

} // namespace
