//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Image.h"

#include "Failure.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/OffloadBundle.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace fly {
namespace hip {
namespace {

using Bytes = std::vector<uint8_t>;

/// Larger than any code object, and no size that a broken header may claim.
constexpr uint64_t maxImageBytes = uint64_t(1) << 32;

/// Bytes that may not be there.
class Source {
public:
  virtual ~Source() = default;
  virtual Expected<Bytes> read(uint64_t offset, uint64_t bytes) const = 0;

  template <typename T> Expected<T> get(uint64_t offset) const {
    Expected<Bytes> bytes = read(offset, sizeof(T));
    if (!bytes)
      return bytes.takeError();
    T value;
    std::memcpy(&value, bytes->data(), sizeof(T));
    return value;
  }
};

class FileSource : public Source {
public:
  explicit FileSource(ArrayRef<uint8_t> file) : file(file) {}
  Expected<Bytes> read(uint64_t offset, uint64_t bytes) const override {
    if (offset > file.size() || bytes > file.size() - offset)
      return fail(hipErrorInvalidImage,
                  formatv("the image has {0} bytes, its headers say that there "
                          "are {1} at {2}",
                          file.size(), bytes, offset));
    ArrayRef<uint8_t> part = file.slice(offset, bytes);
    return Bytes(part.begin(), part.end());
  }

private:
  ArrayRef<uint8_t> file;
};

/// Reads memory through the kernel, for which unmapped memory is an error.
class MemorySource : public Source {
public:
  explicit MemorySource(const void *image)
      : base(reinterpret_cast<uint64_t>(image)),
        file(open("/proc/self/mem", O_RDONLY | O_CLOEXEC)) {}
  ~MemorySource() override {
    if (file >= 0)
      close(file);
  }
  Expected<Bytes> read(uint64_t offset, uint64_t bytes) const override {
    if (bytes > maxImageBytes || offset > maxImageBytes)
      return fail(hipErrorInvalidImage,
                  formatv("the headers of the image say that there are {0} "
                          "bytes at {1}",
                          bytes, offset));
    // Step by step: a size that is wrong shall not take memory first.
    constexpr uint64_t step = uint64_t(1) << 20;
    Bytes result;
    while (result.size() != bytes) {
      uint64_t done = result.size();
      result.resize(std::min(bytes, done + step));
      ssize_t part = pread(file, result.data() + done, result.size() - done,
                           off_t(base + offset + done));
      if (part <= 0)
        return fail(hipErrorInvalidImage,
                    formatv("cannot read byte {0} of the image at {1:x}",
                            offset + done, base));
      result.resize(done + uint64_t(part));
    }
    return result;
  }

private:
  uint64_t base;
  int file;
};

constexpr StringLiteral bundleMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr StringLiteral compressedMagic = "CCOB";

} // namespace

/// The size of the ELF file: as far as its segments and section table reach.
static Expected<uint64_t> elfBytes(const Source &source) {
  auto header = source.get<ELF::Elf64_Ehdr>(0);
  if (!header)
    return header.takeError();
  uint64_t end =
      header->e_shoff + uint64_t(header->e_shnum) * header->e_shentsize;
  if (header->e_phnum && header->e_phentsize != sizeof(ELF::Elf64_Phdr))
    return fail(hipErrorInvalidImage,
                formatv("the ELF file has program headers of {0} bytes, "
                        "expected {1}",
                        header->e_phentsize, sizeof(ELF::Elf64_Phdr)));
  for (unsigned i = 0; i != header->e_phnum; ++i) {
    auto segment = source.get<ELF::Elf64_Phdr>(header->e_phoff +
                                               i * sizeof(ELF::Elf64_Phdr));
    if (!segment)
      return segment.takeError();
    end = std::max<uint64_t>(end, segment->p_offset + segment->p_filesz);
  }
  return end;
}

static Expected<Bytes> readElf(const Source &source, const TargetInfo &target) {
  auto header = source.get<ELF::Elf64_Ehdr>(0);
  if (!header)
    return header.takeError();
  if (header->e_ident[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      header->e_ident[ELF::EI_DATA] != ELF::ELFDATA2LSB ||
      header->e_machine != ELF::EM_AMDGPU)
    return fail(hipErrorInvalidImage,
                "expected a 64-bit little-endian ELF file for AMDGPU");
  uint32_t machine = header->e_flags & ELF::EF_AMDGPU_MACH;
  if (machine != target.elfMach) {
    std::string given = formatv("ELF machine {0:x}", machine);
    if (Expected<const TargetInfo &> known = lookupTargetByElfMach(machine))
      given = known->name.str();
    else
      consumeError(known.takeError());
    return fail(hipErrorNoBinaryForGpu, "the code object is for " + given +
                                            ", the device is a " + target.name);
  }
  Expected<uint64_t> size = elfBytes(source);
  return size ? source.read(0, *size) : size.takeError();
}

/// Whether \p id, "hipv4-amdgcn-amd-amdhsa--gfx950:xnack-", is of \p arch.
static bool isFor(StringRef id, StringRef arch) {
  StringRef triple = id.take_until([](char c) { return c == ':'; });
  return triple.contains("amdgcn") && triple.ends_with(("-" + arch).str());
}

static Expected<Bytes> readBundle(const Source &source,
                                  const TargetInfo &target) {
  uint64_t at = bundleMagic.size();
  auto count = source.get<uint64_t>(at);
  if (!count)
    return count.takeError();
  at += 8;
  std::vector<std::string> ids;
  for (uint64_t i = 0; i != *count; ++i) {
    auto entry = source.get<std::array<uint64_t, 3>>(at);
    if (!entry)
      return entry.takeError();
    auto [offset, size, idBytes] = *entry;
    auto id = source.read(at + 24, idBytes);
    if (!id)
      return id.takeError();
    at += 24 + idBytes;
    ids.push_back(std::string(id->begin(), id->end()));
    if (!isFor(ids.back(), target.name))
      continue;
    auto object = source.read(offset, size);
    return object ? readElf(FileSource(*object), target) : object.takeError();
  }
  return fail(hipErrorNoBinaryForGpu,
              "the bundle has nothing for " + target.name + ", only: " +
                  (ids.empty() ? std::string("nothing") : join(ids, ", ")));
}

static Expected<Bytes> readCompressed(const Source &source,
                                      const TargetInfo &target) {
  // Magic, version and method of 2 bytes each, then the size of the whole, in 4
  // bytes since version 2 and in 8 since version 3.
  auto version = source.get<uint16_t>(4);
  if (!version)
    return version.takeError();
  if (*version < 2)
    return fail(
        hipErrorInvalidImage,
        "a compressed bundle of version 1, which does not say its size");
  uint64_t size = 0;
  if (*version == 2) {
    auto field = source.get<uint32_t>(8);
    if (!field)
      return field.takeError();
    size = *field;
  } else {
    auto field = source.get<uint64_t>(8);
    if (!field)
      return field.takeError();
    size = *field;
  }
  auto packed = source.read(0, size);
  if (!packed)
    return packed.takeError();
  auto buffer =
      MemoryBuffer::getMemBufferCopy(toStringRef(ArrayRef(*packed)), "bundle");
  auto unpacked = object::CompressedOffloadBundle::decompress(*buffer);
  if (!unpacked)
    return failAs(hipErrorInvalidImage, unpacked.takeError());
  StringRef text = (*unpacked)->getBuffer();
  if (!text.starts_with(bundleMagic))
    return fail(hipErrorInvalidImage, "the compressed bundle holds no bundle");
  return readBundle(FileSource(arrayRefFromStringRef(text)), target);
}

static Expected<Bytes> readAny(const Source &source, const TargetInfo &target) {
  auto startsWith = [&](StringRef magic) {
    auto bytes = source.read(0, magic.size());
    if (bytes)
      return toStringRef(ArrayRef(*bytes)) == magic;
    consumeError(bytes.takeError());
    return false;
  };
  if (startsWith("\177ELF"))
    return readElf(source, target);
  if (startsWith(bundleMagic))
    return readBundle(source, target);
  if (startsWith(compressedMagic))
    return readCompressed(source, target);
  return fail(hipErrorInvalidImage,
              "neither an ELF file nor a bundle of clang's");
}

Expected<Bytes> readImage(const void *image, const TargetInfo &target) {
  return readAny(MemorySource(image), target);
}

Expected<Bytes> readImage(ArrayRef<uint8_t> file, const TargetInfo &target) {
  return readAny(FileSource(file), target);
}

} // namespace hip
} // namespace fly
