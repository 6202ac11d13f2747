//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Target/VariantOptions.h"

using namespace llvm;

namespace fly {

VariantOptions::VariantOptions(cl::OptionCategory &category)
    : archName("arch", cl::desc("The chip to compile for: gfx950 or gfx942"),
               cl::value_desc("ARCH"), cl::cat(category)),
      variant("variant",
              cl::desc("The variant of the kernel; if not given the arch's "
                       "first, or what suits the problem if one is given"),
              cl::value_desc("NAME"), cl::cat(category)),
      tile("tile",
           cl::desc("The variant with this tile, 128x128x64 for example"),
           cl::value_desc("MxNxK"), cl::cat(category)),
      dtype("dtype",
            cl::desc("The variant with this element type of A, bf16 for "
                     "example"),
            cl::value_desc("TYPE"), cl::cat(category)) {}

Error checkArchGiven(StringRef arch) {
  if (!arch.empty())
    return Error::success();
  return createStringError("--arch is missing: give --arch=gfx950 or "
                           "--arch=gfx942");
}

} // namespace fly
