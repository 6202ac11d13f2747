//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Fills a CodeObject from the bytes of an ELF file. Internal to CodeObject.

#ifndef FLY_LIB_CODEOBJECT_CODEOBJECTPARSER_H
#define FLY_LIB_CODEOBJECT_CODEOBJECTPARSER_H

#include "fly/CodeObject/CodeObject.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELF.h"

#include <optional>

namespace fly {

class CodeObjectParser {
public:
  explicit CodeObjectParser(CodeObject &object) : object(object) {}
  llvm::Error run();

private:
  using ELFT = llvm::object::ELF64LE;
  struct Symbol {
    uint64_t address = 0, size = 0;
  };

  llvm::Error checkHeader();
  llvm::Error readSegments();
  llvm::Error readText();
  llvm::Error readSymbols();
  llvm::Error readRelocations();
  llvm::Error readRelocation(const ELFT::Rela &rela, ELFT::SymRange symbols);
  llvm::Error readKernels();
  llvm::Error readNotes();
  /// \p size bytes of file contents mapped at virtual address \p address.
  llvm::Expected<llvm::ArrayRef<uint8_t>>
  bytesAt(uint64_t address, uint64_t size, llvm::StringRef what) const;

  CodeObject &object;
  std::optional<llvm::object::ELFFile<ELFT>> elf;
  llvm::StringMap<Symbol> symbols;
};

/// Decodes the 64 bytes of a kernel descriptor. What AMDGPUUsage reserves must
/// be 0: it may ask for something that this version does not know.
llvm::Expected<KernelDescriptor>
decodeDescriptor(llvm::ArrayRef<uint8_t> bytes);

/// Adds to \p kernels what the msgpack document in \p blob says of them.
llvm::Error addMetadata(llvm::StringRef blob,
                        llvm::MutableArrayRef<Kernel> kernels);

} // namespace fly

#endif // FLY_LIB_CODEOBJECT_CODEOBJECTPARSER_H
