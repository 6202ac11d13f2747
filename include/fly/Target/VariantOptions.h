//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The options of the tools that compile a kernel file: --arch, and which
/// variant.

#ifndef FLY_TARGET_VARIANTOPTIONS_H
#define FLY_TARGET_VARIANTOPTIONS_H

#include "fly/Target/Compile.h"

#include "llvm/Support/CommandLine.h"

namespace fly {

/// Registers the options with the command line when it is made, so it is made
/// once and static. Linking resets them: copy what they say first.
class VariantOptions {
public:
  explicit VariantOptions(llvm::cl::OptionCategory &category);

  std::string arch() const { return archName; }
  VariantQuery query() const { return {variant, tile, dtype, archName}; }

private:
  llvm::cl::opt<std::string> archName, variant, tile, dtype;
};

/// The error of a missing --arch.
llvm::Error checkArchGiven(llvm::StringRef arch);

} // namespace fly

#endif // FLY_TARGET_VARIANTOPTIONS_H
