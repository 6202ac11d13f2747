//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Finds the code object for a chip in what a program gives: an ELF file, or
/// clang's bundle of several (clang-offload-bundler's format, compressed or
/// not). Of an image in memory no size is known; it is read from the headers,
/// and memory that cannot be read is an error. Internal to the HIP library.

#ifndef FLY_LIB_EMULATOR_HIP_IMAGE_H
#define FLY_LIB_EMULATOR_HIP_IMAGE_H

#include "fly/Arch/TargetInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace fly {
namespace hip {

/// hipErrorInvalidImage for what is no code object, hipErrorNoBinaryForGpu if
/// none is for \p target, naming what is there.
llvm::Expected<std::vector<uint8_t>> readImage(const void *image,
                                               const TargetInfo &target);
/// The same from the bytes of a file.
llvm::Expected<std::vector<uint8_t>> readImage(llvm::ArrayRef<uint8_t> file,
                                               const TargetInfo &target);

} // namespace hip
} // namespace fly

#endif // FLY_LIB_EMULATOR_HIP_IMAGE_H
