//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The code objects of Inputs/kernels.c and their manifest.

#ifndef FLY_TEST_UNIT_RUNTIME_DEVICETESTOBJECTS_H
#define FLY_TEST_UNIT_RUNTIME_DEVICETESTOBJECTS_H

#include "fly/CodeObject/Manifest.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fly {

inline llvm::SmallVector<char> readObject(llvm::StringRef arch) {
  auto buffer = llvm::MemoryBuffer::getFile(FLY_TEST_OBJECTS "/kernels-" +
                                            arch + ".hsaco");
  if (!buffer)
    llvm::report_fatal_error("the build has not made the code objects");
  llvm::StringRef bytes = (*buffer)->getBuffer();
  return llvm::SmallVector<char>(bytes.begin(), bytes.end());
}

/// The manifest of kernel "add" in \p object.
inline Manifest makeAddManifest(llvm::StringRef arch,
                                llvm::ArrayRef<char> object) {
  Manifest manifest;
  manifest.kernel = "add";
  manifest.arch = arch.str();
  manifest.arguments = {{"out", "ptr", 0, 8, "out"},
                        {"in", "ptr", 8, 8, "in"},
                        {"add", "i32", 16, 4, "value"},
                        {"n", "i32", 20, 4, "value"}};
  manifest.kernargBytes = 24;
  manifest.constraints = {{"out", "align_bytes", 16}};
  manifest.grid = {{"n", 64}};
  manifest.workgroupSize = 64;
  manifest.contentHash = Manifest::hashOf(object);
  return manifest;
}

} // namespace fly

#endif // FLY_TEST_UNIT_RUNTIME_DEVICETESTOBJECTS_H
