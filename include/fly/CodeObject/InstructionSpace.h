//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Every instruction that a chip has, as far as LLVM's disassembler knows it.
/// Found by decoding, not from a list: the opcode fields of all encodings are
/// run through, with operands that are legal for most, so a later LLVM that
/// knows more shows more.

#ifndef FLY_CODEOBJECT_INSTRUCTIONSPACE_H
#define FLY_CODEOBJECT_INSTRUCTIONSPACE_H

#include "fly/Arch/TargetInfo.h"

#include "llvm/Support/Error.h"

#include <cstdint>
#include <vector>

namespace fly {

/// The bytes of one example of each LLVM opcode that decodes for \p target, one
/// after another, in the order of the encodings. An opcode is a form: e32, e64,
/// SDWA and DPP of one mnemonic, or its address modes, are apart.
/// Disassembly::decode reads it.
llvm::Expected<std::vector<uint8_t>> instructionSpace(const TargetInfo &target);

} // namespace fly

#endif // FLY_CODEOBJECT_INSTRUCTIONSPACE_H
