//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CodeObjectParser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {

static constexpr uint64_t descriptorBytes = 64;

Error CodeObjectParser::run() {
  StringRef bytes(reinterpret_cast<const char *>(object.data.data()),
                  object.data.size());
  if (!bytes.starts_with("\177ELF"))
    return createStringError(
        formatv("not a code object: {0} bytes that do not start with the ELF "
                "magic",
                bytes.size()));
  Expected<object::ELFFile<ELFT>> file = object::ELFFile<ELFT>::create(bytes);
  if (!file)
    return file.takeError();
  elf.emplace(std::move(*file));
  if (Error error = checkHeader())
    return error;
  if (Error error = readSegments())
    return error;
  if (Error error = readText())
    return error;
  if (Error error = readSymbols())
    return error;
  if (Error error = readRelocations())
    return error;
  if (Error error = readKernels())
    return error;
  return readNotes();
}

Error CodeObjectParser::checkHeader() {
  const ELFT::Ehdr &header = elf->getHeader();
  if (header.e_ident[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      header.e_ident[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return createStringError("expected a 64-bit little-endian ELF");
  if (header.e_machine != ELF::EM_AMDGPU)
    return createStringError(
        formatv("ELF machine is {0}, expected {1} (AMDGPU)",
                unsigned(header.e_machine), unsigned(ELF::EM_AMDGPU)));
  if (header.e_ident[ELF::EI_OSABI] != ELF::ELFOSABI_AMDGPU_HSA)
    return createStringError(formatv("ELF OS ABI is {0}, expected {1} (HSA)",
                                     unsigned(header.e_ident[ELF::EI_OSABI]),
                                     unsigned(ELF::ELFOSABI_AMDGPU_HSA)));
  // Version 2 has no msgpack metadata, and other descriptors.
  unsigned version = header.e_ident[ELF::EI_ABIVERSION];
  if (version < ELF::ELFABIVERSION_AMDGPU_HSA_V3 ||
      version > ELF::ELFABIVERSION_AMDGPU_HSA_V6)
    return createStringError(
        formatv("ELF ABI version is {0}, expected {1} to {2} (code object "
                "version 3 to 6)",
                version, unsigned(ELF::ELFABIVERSION_AMDGPU_HSA_V3),
                unsigned(ELF::ELFABIVERSION_AMDGPU_HSA_V6)));
  if (header.e_type != ELF::ET_DYN)
    return createStringError(
        formatv("ELF type is {0}, expected {1} (a linked shared object)",
                unsigned(header.e_type), unsigned(ELF::ET_DYN)));
  Expected<const TargetInfo &> target =
      lookupTargetByElfMach(header.e_flags & ELF::EF_AMDGPU_MACH);
  if (!target)
    return target.takeError();
  object.targetInfo = &*target;
  return Error::success();
}

Error CodeObjectParser::readSegments() {
  Expected<ELFT::PhdrRange> headers = elf->program_headers();
  if (!headers)
    return headers.takeError();
  // Far more than any code object has, and small enough to be mapped.
  constexpr uint64_t maxImageBytes = uint64_t(1) << 32;
  for (const ELFT::Phdr &header : *headers) {
    if (header.p_type != ELF::PT_LOAD)
      continue;
    uint64_t size = object.data.size();
    if (header.p_offset > size || header.p_filesz > size - header.p_offset)
      return createStringError(
          formatv("segment at {0:x} has file bytes [{1}, +{2}), the file has "
                  "{3}",
                  uint64_t(header.p_vaddr), uint64_t(header.p_offset),
                  uint64_t(header.p_filesz), size));
    if (header.p_memsz < header.p_filesz || header.p_memsz > maxImageBytes ||
        header.p_vaddr > maxImageBytes)
      return createStringError(formatv(
          "segment at {0:x} has {1} bytes in memory for {2} in the file",
          uint64_t(header.p_vaddr), uint64_t(header.p_memsz),
          uint64_t(header.p_filesz)));
    object.segmentList.push_back(
        {header.p_vaddr, header.p_memsz,
         ArrayRef(object.data).slice(header.p_offset, header.p_filesz)});
  }
  if (object.segmentList.empty())
    return createStringError("the code object has no loadable segment");
  return Error::success();
}

Error CodeObjectParser::readText() {
  Expected<ELFT::ShdrRange> sections = elf->sections();
  if (!sections)
    return sections.takeError();
  for (const ELFT::Shdr &section : *sections) {
    Expected<StringRef> name = elf->getSectionName(section);
    if (!name)
      return name.takeError();
    if (*name != ".text" || section.sh_type != ELF::SHT_PROGBITS)
      continue;
    Expected<ArrayRef<uint8_t>> bytes =
        bytesAt(section.sh_addr, section.sh_size, ".text");
    if (!bytes)
      return bytes.takeError();
    if (section.sh_addr % 4 != 0)
      return createStringError(
          formatv(".text starts at {0:x}, expected a multiple of 4",
                  uint64_t(section.sh_addr)));
    object.textBytes = *bytes;
    object.textStart = section.sh_addr;
    return Error::success();
  }
  return createStringError("the code object has no .text section");
}

Error CodeObjectParser::readSymbols() {
  Expected<ELFT::ShdrRange> sections = elf->sections();
  if (!sections)
    return sections.takeError();
  for (const ELFT::Shdr &section : *sections) {
    if (section.sh_type != ELF::SHT_SYMTAB &&
        section.sh_type != ELF::SHT_DYNSYM)
      continue;
    Expected<ELFT::SymRange> range = elf->symbols(&section);
    if (!range)
      return range.takeError();
    Expected<StringRef> strings =
        elf->getStringTableForSymtab(section, *sections);
    if (!strings)
      return strings.takeError();
    for (const ELFT::Sym &symbol : *range) {
      if (symbol.st_shndx == ELF::SHN_UNDEF)
        continue;
      Expected<StringRef> name = symbol.getName(*strings);
      if (!name)
        return name.takeError();
      symbols[*name] = {symbol.st_value, symbol.st_size};
    }
  }
  return Error::success();
}

Error CodeObjectParser::readRelocation(const ELFT::Rela &rela,
                                       ELFT::SymRange dynamicSymbols) {
  uint32_t type = rela.getType(/*isMips64EL=*/false);
  uint64_t value = uint64_t(rela.r_addend);
  if (type == ELF::R_AMDGPU_ABS64) {
    uint32_t index = rela.getSymbol(false);
    if (index >= dynamicSymbols.size() ||
        dynamicSymbols[index].st_shndx == ELF::SHN_UNDEF)
      return createStringError(
          formatv("relocation at {0:x} needs symbol {1}, which is not defined",
                  uint64_t(rela.r_offset), index));
    value += dynamicSymbols[index].st_value;
  } else if (type != ELF::R_AMDGPU_RELATIVE64) {
    return createStringError(formatv(
        "relocation at {0:x} has type {1}, expected R_AMDGPU_RELATIVE64 or "
        "R_AMDGPU_ABS64",
        uint64_t(rela.r_offset), type));
  }
  for (const Segment &segment : object.segmentList)
    if (rela.r_offset >= segment.address && segment.memoryBytes >= 8 &&
        rela.r_offset - segment.address <= segment.memoryBytes - 8) {
      object.relocationList.push_back({rela.r_offset, value});
      return Error::success();
    }
  return createStringError(
      formatv("relocation at {0:x} lies outside every segment",
              uint64_t(rela.r_offset)));
}

Error CodeObjectParser::readRelocations() {
  Expected<ELFT::ShdrRange> sections = elf->sections();
  if (!sections)
    return sections.takeError();
  for (const ELFT::Shdr &section : *sections) {
    if (section.sh_type != ELF::SHT_RELA ||
        !(section.sh_flags & ELF::SHF_ALLOC))
      continue;
    Expected<ELFT::RelaRange> range = elf->relas(section);
    if (!range)
      return range.takeError();
    Expected<const ELFT::Shdr *> table = elf->getSection(section.sh_link);
    if (!table)
      return table.takeError();
    Expected<ELFT::SymRange> dynamicSymbols = elf->symbols(*table);
    if (!dynamicSymbols)
      return dynamicSymbols.takeError();
    for (const ELFT::Rela &rela : *range)
      if (Error error = readRelocation(rela, *dynamicSymbols))
        return error;
  }
  return Error::success();
}

Error CodeObjectParser::readKernels() {
  uint64_t textEnd = object.textStart + object.textBytes.size();
  for (const auto &entry : symbols) {
    StringRef name = entry.getKey();
    if (!name.consume_back(".kd") || name.empty())
      continue;
    Kernel kernel;
    kernel.name = name.str();
    kernel.descriptorAddress = entry.second.address;
    Expected<ArrayRef<uint8_t>> bytes =
        bytesAt(kernel.descriptorAddress, descriptorBytes,
                "the descriptor of kernel '" + kernel.name + "'");
    if (!bytes)
      return bytes.takeError();
    Expected<KernelDescriptor> descriptor = decodeDescriptor(*bytes);
    if (!descriptor)
      return createStringError("the descriptor of kernel '" + kernel.name +
                               "': " + toString(descriptor.takeError()));
    kernel.descriptor = *descriptor;
    kernel.entryAddress =
        kernel.descriptorAddress + uint64_t(kernel.descriptor.entryOffset);
    if (kernel.entryAddress < object.textStart ||
        kernel.entryAddress >= textEnd || kernel.entryAddress % 4 != 0)
      return createStringError(
          formatv("kernel '{0}' starts at {1:x}, expected a multiple of 4 in "
                  ".text [{2:x}, {3:x})",
                  name, kernel.entryAddress, object.textStart, textEnd));
    kernel.endAddress = textEnd;
    auto function = symbols.find(name);
    if (function != symbols.end() && function->second.size != 0 &&
        function->second.address == kernel.entryAddress &&
        function->second.size <= textEnd - kernel.entryAddress)
      kernel.endAddress = kernel.entryAddress + function->second.size;
    object.kernelList.push_back(std::move(kernel));
  }
  llvm::sort(object.kernelList, [](const Kernel &a, const Kernel &b) {
    return std::tie(a.entryAddress, a.name) < std::tie(b.entryAddress, b.name);
  });
  return Error::success();
}

Error CodeObjectParser::readNotes() {
  Expected<ELFT::PhdrRange> headers = elf->program_headers();
  if (!headers)
    return headers.takeError();
  for (const ELFT::Phdr &header : *headers) {
    if (header.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    std::string blob;
    for (const ELFT::Note &note : elf->notes(header, error))
      if (note.getName() == "AMDGPU" &&
          note.getType() == ELF::NT_AMDGPU_METADATA)
        blob = toStringRef(note.getDesc(std::max<size_t>(header.p_align, 4)))
                   .str();
    if (error)
      return error;
    if (blob.empty())
      continue;
    if (Error metadata = addMetadata(blob, object.kernelList))
      return metadata;
  }
  return Error::success();
}

Expected<ArrayRef<uint8_t>> CodeObjectParser::bytesAt(uint64_t address,
                                                      uint64_t size,
                                                      StringRef what) const {
  for (const Segment &segment : object.segmentList) {
    uint64_t have = segment.contents.size();
    if (address >= segment.address && size <= have &&
        address - segment.address <= have - size)
      return segment.contents.slice(address - segment.address, size);
  }
  return createStringError(
      formatv("{0} is {1} bytes at {2:x}, which no segment of the file holds",
              what, size, address));
}

} // namespace fly
