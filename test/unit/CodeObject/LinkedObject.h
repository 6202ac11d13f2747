//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Linked code objects from assembly, for tests.

#ifndef FLY_TEST_UNIT_CODEOBJECT_LINKEDOBJECT_H
#define FLY_TEST_UNIT_CODEOBJECT_LINKEDOBJECT_H

#include "fly/CodeObject/CodeObject.h"

#include <string>
#include <vector>

namespace fly {
namespace test {

struct KernelOptions {
  std::string name = "k";
  unsigned vgprs = 128;      ///< next_free_vgpr: AGPRs included
  unsigned accumOffset = 64; ///< VGPRs before the first AGPR
  unsigned sgprs = 64;
  unsigned ldsBytes = 0;
  unsigned scratchBytes = 0;
  unsigned kernargBytes = 64;
  unsigned preloadDwords = 0;
  unsigned workitemDims = 0;
  bool workgroupIds = true; ///< x, y and z
  bool flushF32Denormals = false;
  std::string extra; ///< further .amdhsa_ directives
  /// Further arguments in the metadata, "kind offset size" each.
  std::vector<std::string> arguments;
};

/// Assembly of one kernel with its descriptor and metadata. The kernarg pointer
/// is in s[0:1]; without preload s2, s3, s4 are the workgroup ids.
std::string kernelSource(const KernelOptions &options, llvm::StringRef body);

/// Assembles and links \p source; aborts the test on an error.
std::vector<uint8_t> linkSource(llvm::StringRef arch, llvm::StringRef source);

} // namespace test
} // namespace fly

#endif // FLY_TEST_UNIT_CODEOBJECT_LINKEDOBJECT_H
