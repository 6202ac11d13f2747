//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Finds the handler of a decoded instruction. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_HANDLERREGISTRY_H
#define FLY_LIB_EMULATOR_HANDLERREGISTRY_H

#include "fly/Emulator/Handlers.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace fly {
namespace emu {

class HandlerRegistry : public HandlerTable {
public:
  /// The handlers for the best x86-64 level this machine has; an error if it
  /// has none (AVX2 and FMA are needed).
  static llvm::Expected<const HandlerRegistry &> get();

  void add(llvm::StringRef key, Handler handler) override;
  void addResolver(llvm::StringRef key, Resolver resolver) override;

  /// Fills the handler of \p inst; it stays null for an unknown instruction.
  void resolve(const TargetInfo &target, ExecInst &inst) const;

private:
  struct Entry {
    Handler handler = nullptr;
    Resolver resolver = nullptr;
  };
  llvm::StringMap<Entry> entries;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_HANDLERREGISTRY_H
