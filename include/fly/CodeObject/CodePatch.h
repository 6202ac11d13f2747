//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Changes instructions of a linked code object in place. Made for mutation
/// tests: remove one wait from working code, and see who notices.

#ifndef FLY_CODEOBJECT_CODEPATCH_H
#define FLY_CODEOBJECT_CODEPATCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace fly {

/// Overwrites the bytes that are loaded at virtual address \p address of the
/// 64-bit little-endian ELF \p object. Fails unless all of them are in the file
/// part of one PT_LOAD segment.
llvm::Error patchCode(llvm::MutableArrayRef<char> object, uint64_t address,
                      llvm::ArrayRef<uint8_t> bytes);

/// Overwrites \p size bytes at \p address, a multiple of 4, with `s_nop 0`.
llvm::Error replaceWithNops(llvm::MutableArrayRef<char> object,
                            uint64_t address, unsigned size);

/// Exchanges two neighbouring instructions: the one of \p firstSize bytes at
/// \p address and the one of \p secondSize bytes behind it. Branches among them
/// are not adjusted.
llvm::Error swapInstructions(llvm::MutableArrayRef<char> object,
                             uint64_t address, unsigned firstSize,
                             unsigned secondSize);

} // namespace fly

#endif // FLY_CODEOBJECT_CODEPATCH_H
