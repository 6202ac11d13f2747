//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Fills a table with the handlers of all families, of one x86-64 level.

#include "fly/Emulator/Handlers.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {

void addAllFamilies(HandlerTable &table);

void addAllFamilies(HandlerTable &table) {
#define FLY_EMU_FAMILY(name) add##name(table);
#include "fly/Emulator/Families.def"
#undef FLY_EMU_FAMILY
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
