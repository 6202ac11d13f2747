//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The table from semantic key to handler, and the list of instruction
/// families that fill it.
///
/// A family file is compiled once for every x86-64 level (AVX2, AVX-512), each
/// time with FLY_EMU_LEVEL naming the namespace, so that its loops over 64
/// lanes use the widest vectors of the machine. It defines its handlers in an
/// anonymous namespace inside fly::emu::FLY_EMU_LEVEL and one add function,
/// which is declared here.

#ifndef FLY_EMULATOR_HANDLERS_H
#define FLY_EMULATOR_HANDLERS_H

#include "fly/Emulator/Wave.h"

#include "llvm/ADT/StringRef.h"

namespace fly {
namespace emu {

/// Chooses a handler by the decoded operands (encoding, modifiers, widths) and
/// may set ExecInst::data. Leaves the handler null if it has none, which makes
/// the instruction an unknown one.
using Resolver = void (*)(const TargetInfo &, ExecInst &);

class HandlerTable {
public:
  virtual ~HandlerTable() = default;
  /// One handler for every encoding of \p key.
  virtual void add(llvm::StringRef key, Handler handler) = 0;
  virtual void addResolver(llvm::StringRef key, Resolver resolver) = 0;
};

#ifdef FLY_EMU_LEVEL
namespace FLY_EMU_LEVEL {
#define FLY_EMU_FAMILY(name) void add##name(HandlerTable &table);
#include "fly/Emulator/Families.def"
#undef FLY_EMU_FAMILY
} // namespace FLY_EMU_LEVEL
#endif

} // namespace emu
} // namespace fly

#endif // FLY_EMULATOR_HANDLERS_H
