//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The options of the tools that launch a kernel of any code object: --grid,
/// --block, --arg and --lds.

#ifndef FLY_CLI_LAUNCHOPTIONS_H
#define FLY_CLI_LAUNCHOPTIONS_H

#include "fly/CodeObject/CodeObject.h"
#include "fly/Emulator/Arguments.h"
#include "fly/Emulator/Emulator.h"

#include "llvm/Support/CommandLine.h"

namespace fly {

/// A launch that is ready to run; its buffers are in the emulator's memory.
struct PreparedLaunch {
  LaunchParams params; ///< kernargs point into args
  KernelArguments args;
};

/// Registers the options with the command line when it is made, so it is made
/// once and static.
class LaunchOptions {
public:
  explicit LaunchOptions(llvm::cl::OptionCategory &category);

  /// Whether one of the options was given.
  bool given() const;
  uint32_t ldsBytes() const { return dynamicLds; }
  /// Errors name the option, what was expected and what was given.
  llvm::Expected<PreparedLaunch> prepare(const Kernel &kernel,
                                         DeviceMemory &memory) const;

private:
  llvm::cl::opt<std::string> grid, block;
  llvm::cl::list<std::string> arguments;
  llvm::cl::opt<uint32_t> dynamicLds;
};

} // namespace fly

#endif // FLY_CLI_LAUNCHOPTIONS_H
