//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Loaded code objects and their kernels. Internal to the HIP library.

#ifndef FLY_LIB_EMULATOR_HIP_MODULE_H
#define FLY_LIB_EMULATOR_HIP_MODULE_H

#include "HipTypes.h"

#include "fly/CodeObject/CodeObject.h"
#include "fly/Emulator/Emulator.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace fly {
namespace hip {

class Module {
public:
  struct Variable {
    uint64_t address = 0, bytes = 0; ///< in device memory
  };

  /// hipErrorInvalidImage for an object that is broken.
  static llvm::Expected<std::shared_ptr<Module>>
  load(Emulator &emulator, std::vector<uint8_t> object);

  const EmulatorModule &loaded() const { return *module; }
  const CodeObject &object() const { return code; }
  /// The variable \p name, or hipErrorNotFound.
  llvm::Expected<Variable> variable(llvm::StringRef name) const;

  /// Handles of kernels and addresses of variables that the program was given,
  /// for hipModuleUnload.
  std::mutex mutex;
  std::map<std::string, void *> functionHandles;
  std::vector<uint64_t> globals;

private:
  Module(CodeObject code, std::unique_ptr<EmulatorModule> module)
      : code(std::move(code)), module(std::move(module)) {}
  llvm::Error readVariables();

  CodeObject code;
  std::unique_ptr<EmulatorModule> module;
  llvm::StringMap<Variable> variables;
};

/// A kernel of a module that lives at least as long.
struct Function {
  std::shared_ptr<Module> module;
  const Kernel *kernel = nullptr;
};

/// What a launch asks for.
struct LaunchRequest {
  std::array<uint64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint64_t dynamicLdsBytes = 0;
  void **parameters = nullptr, **extra = nullptr;
  /// All workgroups at a time, so that they may wait for each other.
  bool cooperative = false;
  /// Errors of grids and blocks that cannot be, and of a function that is none:
  /// HIP's launch functions differ in them.
  hipError_t badShape = hipErrorInvalidValue;
  hipError_t badFunction = hipErrorInvalidHandle;
};

/// Checks grid, block and LDS against kernel and chip.
llvm::Error checkShape(const Kernel &kernel, const TargetInfo &target,
                       const LaunchRequest &request);

/// The kernel's explicit arguments in their layout, from one pointer each or
/// from the packed buffer. hipErrorInvalidValue if they do not fit.
llvm::Expected<std::vector<uint8_t>>
packArguments(const Kernel &kernel, const LaunchRequest &request);

/// Workgroups of \p threads that one compute unit holds at a time.
unsigned workgroupsPerCu(const Kernel &kernel, const TargetInfo &target,
                         unsigned threads, uint64_t dynamicLdsBytes);

} // namespace hip
} // namespace fly

#endif // FLY_LIB_EMULATOR_HIP_MODULE_H
