//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Cli/LaunchOptions.h"

using namespace llvm;

namespace fly {

LaunchOptions::LaunchOptions(cl::OptionCategory &category)
    : grid("grid", cl::desc("Workgroups"), cl::value_desc("X[,Y[,Z]]"),
           cl::init("1,1,1"), cl::cat(category)),
      block("block", cl::desc("Threads of a workgroup"),
            cl::value_desc("X[,Y[,Z]]"), cl::init("64,1,1"), cl::cat(category)),
      arguments("arg",
                cl::desc("One argument, in the kernel's order: @FILE.npy (a "
                         "buffer with the array's bytes), ptr:null, or "
                         "TYPE:VALUE with TYPE i8 i16 i32 i64 u8 u16 u32 u64 "
                         "f16 bf16 f32 f64. fly-emu writes @FILE.npy:rw back "
                         "after the run"),
                cl::value_desc("ARG"), cl::cat(category)),
      dynamicLds("lds",
                 cl::desc("Dynamic LDS in bytes, on top of what the kernel "
                          "declares"),
                 cl::value_desc("BYTES"), cl::init(0), cl::cat(category)) {}

bool LaunchOptions::given() const {
  return grid.getNumOccurrences() || block.getNumOccurrences() ||
         arguments.getNumOccurrences() || dynamicLds.getNumOccurrences();
}

/// Up to three positive numbers, "X[,Y[,Z]]"; those not given are 1.
static Expected<std::array<uint32_t, 3>>
parseSizes(const cl::opt<std::string> &option) {
  std::array<uint32_t, 3> sizes = {1, 1, 1};
  SmallVector<StringRef, 3> parts;
  StringRef(option).split(parts, ',');
  bool good = parts.size() <= 3;
  for (size_t i = 0; good && i != parts.size(); ++i)
    good = !parts[i].getAsInteger(10, sizes[i]) && sizes[i] != 0;
  if (good)
    return sizes;
  return createStringError("--" + option.ArgStr + "=" + option +
                           ": expected up to three positive numbers, "
                           "X[,Y[,Z]]");
}

Expected<PreparedLaunch> LaunchOptions::prepare(const Kernel &kernel,
                                                DeviceMemory &memory) const {
  PreparedLaunch launch;
  launch.params.kernel = kernel.name;
  launch.params.dynamicLdsBytes = dynamicLds;
  auto gridSizes = parseSizes(grid);
  if (!gridSizes)
    return gridSizes.takeError();
  auto blockSizes = parseSizes(block);
  if (!blockSizes)
    return blockSizes.takeError();
  launch.params.grid = *gridSizes;
  launch.params.block = *blockSizes;
  auto args = KernelArguments::create(
      std::vector<std::string>(arguments.begin(), arguments.end()), kernel,
      memory);
  if (!args)
    return args.takeError();
  launch.args = std::move(*args);
  launch.params.kernargs = launch.args.bytes();
  return std::move(launch);
}

} // namespace fly
