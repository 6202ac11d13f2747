//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Trace.h"

#include "Workgroup.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace emu {

static void printLine(const Wave &w, const std::string &line) {
  const LaunchContext &context = w.group->context;
  std::lock_guard<std::mutex> lock(context.traceMutex);
  *context.options.trace << w.group->linearId << ',' << w.waveInGroup << ": "
                         << line << '\n';
}

void traceInstruction(const Wave &w, uint32_t index) {
  printLine(w, formatv("{0,-60} exec={1:x16} scc={2}",
                       w.group->context.program.describe(index), w.exec(),
                       unsigned(w.scc)));
}

/// "=" and the bytes that a lane of a store writes, as they lie in LDS.
static void traceStored(raw_ostream &os, const MemoryAccess &access,
                        unsigned part, unsigned lane) {
  os << '=';
  unsigned high = access.inst->inst->key.ends_with("_d16_hi") ? 2 : 0;
  for (unsigned i = 0; i != access.bytes; ++i) {
    unsigned at = i + high;
    const Row &row = access.data[part * (access.bytes / 4) + at / 4];
    os << format_hex_no_prefix(uint8_t(row.lane[lane] >> 8 * (at % 4)), 2);
  }
}

void traceAccess(const Wave &w, const MemoryAccess &access) {
  bool isCopy = access.kind == AccessKind::LoadToLds;
  if (access.space != Space::Lds && access.space != Space::Flat && !isCopy)
    return;
  const char *what = access.kind == AccessKind::Load     ? "reads"
                     : access.kind == AccessKind::Atomic ? "updates"
                                                         : "writes";
  // Parts of a dword are extended to one on their way to LDS.
  unsigned bytes = isCopy && access.bytes < 4 ? 4 : access.bytes;
  bool isStore = access.kind == AccessKind::Store && access.space == Space::Lds;
  std::string line;
  raw_string_ostream os(line);
  os << formatv("  {0} LDS, {1} bytes at", what, bytes);
  for (uint64_t rest = access.mask; rest; rest &= rest - 1) {
    unsigned lane = unsigned(__builtin_ctzll(rest));
    if (access.space != Space::Flat || isCopy) {
      os << ' ' << (isCopy ? access.ldsAddress[lane] : access.address[lane]);
      if (isStore)
        traceStored(os, access, 0, lane);
      if (access.parts == 2) {
        os << ' ' << access.ldsAddress[lane];
        if (isStore)
          traceStored(os, access, 1, lane);
      }
    } else if (access.address[lane] >> 32 == sharedApertureHigh) {
      os << ' ' << uint32_t(access.address[lane]);
    }
  }
  printLine(w, line);
}

} // namespace emu
} // namespace fly
