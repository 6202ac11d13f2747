//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The encodings that no gfx9 instruction has and that LLVM 22 takes for one:
/// its disassembler or its printer then reads outside its tables.

#ifndef FLY_LIB_CODEOBJECT_ENCODINGCHECK_H
#define FLY_LIB_CODEOBJECT_ENCODINGCHECK_H

#include <cstdint>

namespace fly {

/// LLVM looks at as many bytes as the longest instruction of any chip has.
constexpr unsigned maxInstructionBytes = 20;

/// The size in bytes of such an encoding, 0 of any other. \p code has at least
/// maxInstructionBytes.
unsigned impossibleEncodingSize(const uint8_t *code);

} // namespace fly

#endif // FLY_LIB_CODEOBJECT_ENCODINGCHECK_H
