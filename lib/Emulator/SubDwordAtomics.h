//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Atomics of bytes and halves, which the chips do not have: compilers make
/// them of the aligned dword around, of which the allocation may lack a part.
/// Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_SUBDWORDATOMICS_H
#define FLY_LIB_EMULATOR_SUBDWORDATOMICS_H

#include "fly/Emulator/Wave.h"

#include "llvm/ADT/ArrayRef.h"

namespace fly {
namespace emu {

/// Sets isSubDwordAtomic of the atomics that can leave a part of their dword
/// as it is (and, or, xor, compare-and-swap), and of the load from the same
/// address before a compare-and-swap.
void markSubDwordAtomics(llvm::MutableArrayRef<ExecInst> insts);

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_SUBDWORDATOMICS_H
