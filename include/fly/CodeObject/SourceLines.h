//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// From a virtual address of a code object to the source line that made the
/// instruction there, by the object's DWARF.

#ifndef FLY_CODEOBJECT_SOURCELINES_H
#define FLY_CODEOBJECT_SOURCELINES_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <memory>
#include <string>

namespace fly {

class SourceLines {
public:
  /// For the ELF file \p bytes, which must outlive this. An object without
  /// debug information, or with a broken one, has no lines. The information is
  /// read when the first line is asked for.
  explicit SourceLines(llvm::ArrayRef<uint8_t> bytes);
  ~SourceLines();

  /// "gemm.cl:12" of the instruction at \p address; of one that was inlined
  /// "tile.h:40 in load_tile, from gemm.cl:12", which leaves out what lies
  /// between the innermost function and the outermost one. Empty if it is not
  /// known. Files are named as from the directory of the compilation.
  /// Thread-safe.
  std::string at(uint64_t address);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace fly

#endif // FLY_CODEOBJECT_SOURCELINES_H
