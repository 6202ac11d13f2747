//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/CodeObject/CodePatch.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace llvm;

namespace fly {

/// The bytes of the file that are loaded at [address, address + size).
static Expected<MutableArrayRef<char>>
bytesAt(MutableArrayRef<char> object, uint64_t address, uint64_t size) {
  auto file =
      object::ELF64LEFile::create(StringRef(object.data(), object.size()));
  if (!file)
    return file.takeError();
  auto headers = file->program_headers();
  if (!headers)
    return headers.takeError();
  for (const auto &header : *headers) {
    if (header.p_type != ELF::PT_LOAD || address < header.p_vaddr)
      continue;
    uint64_t begin = address - header.p_vaddr;
    if (begin > header.p_filesz || size > header.p_filesz - begin)
      continue;
    uint64_t offset = header.p_offset + begin;
    if (offset > object.size() || size > object.size() - offset)
      continue;
    return object.slice(offset, size);
  }
  return createStringError(formatv("no loaded part of the code object holds "
                                   "{0} bytes at address {1:x}",
                                   size, address));
}

Error patchCode(MutableArrayRef<char> object, uint64_t address,
                ArrayRef<uint8_t> bytes) {
  auto target = bytesAt(object, address, bytes.size());
  if (!target)
    return target.takeError();
  std::copy(bytes.begin(), bytes.end(), target->begin());
  return Error::success();
}

Error replaceWithNops(MutableArrayRef<char> object, uint64_t address,
                      unsigned size) {
  constexpr uint32_t nop = 0xbf800000; // s_nop 0, CDNA4 ISA manual, SOPP
  if (address % 4 != 0 || size % 4 != 0)
    return createStringError(formatv("expected whole dwords to replace by "
                                     "s_nop, got {0} bytes at {1:x}",
                                     size, address));
  SmallVector<uint8_t, 16> bytes(size);
  for (unsigned i = 0; i != size; i += 4)
    support::endian::write32le(&bytes[i], nop);
  return patchCode(object, address, bytes);
}

Error swapInstructions(MutableArrayRef<char> object, uint64_t address,
                       unsigned firstSize, unsigned secondSize) {
  auto target = bytesAt(object, address, firstSize + secondSize);
  if (!target)
    return target.takeError();
  std::rotate(target->begin(), target->begin() + firstSize, target->end());
  return Error::success();
}

} // namespace fly
