//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "llvm/Support/Error.h"

#include <cstring>

using namespace llvm;

namespace fly {
namespace test {

static const char *const prologue = R"(
  s_load_dwordx4 s[8:11], s[0:1], 0x0
  v_mbcnt_lo_u32_b32 v31, -1, 0
  v_mbcnt_hi_u32_b32 v31, -1, v31
  v_lshlrev_b32 v30, 2, v31
  v_lshlrev_b32 v29, 4, v31
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s12, s8
  s_mov_b32 s13, s9
  s_mov_b32 s14, s10
  s_mov_b32 s15, 0x27000
)";

void Machine::runWithBuffer(StringRef body) { run(prologue + body.str()); }

void Machine::run(StringRef body) {
  std::unique_ptr<Emulator> emulator =
      cantFail(Emulator::create(arch, options));
  auto module = emulator->load(linkSource(arch, kernelSource(kernel, body)));
  if (!module)
    report_fatal_error(module.takeError());
  uint64_t bytes = buffer.size() * 4 - missingBytes;
  uint64_t address = cantFail(emulator->memory().allocate(bytes));
  auto data = MutableArrayRef(reinterpret_cast<uint8_t *>(buffer.data()),
                              size_t(bytes));
  cantFail(emulator->memory().copyToDevice(address, data));
  std::vector<uint32_t> args = {uint32_t(address), uint32_t(address >> 32),
                                uint32_t(bytes), 0};
  args.insert(args.end(), extraArgs.begin(), extraArgs.end());
  if (kernel.arguments.empty()) // else some are for the emulator to fill
    args.resize(kernel.kernargBytes / 4);
  LaunchParams params;
  params.kernel = kernel.name;
  params.grid = grid;
  params.block = block;
  params.dynamicLdsBytes = dynamicLds;
  params.kernargs =
      ArrayRef(reinterpret_cast<const uint8_t *>(args.data()), args.size() * 4);
  error.clear();
  result = LaunchResult();
  Expected<LaunchResult> launched = emulator->launch(**module, params);
  if (!launched) {
    error = toString(launched.takeError());
    return;
  }
  result = std::move(*launched);
  cantFail(emulator->memory().copyToHost(data, address));
}

bool Machine::reported(StringRef kind, StringRef text) const {
  for (const Report &report : result.reports)
    if (report.kind == kind && StringRef(report.message).contains(text))
      return true;
  return false;
}

std::string Machine::reports() const {
  std::string all = error;
  for (const Report &report : result.reports)
    all += "\n" + report.kind + ": " + report.message;
  return all;
}

std::string Machine::errors() const {
  std::string all = error;
  for (const Report &report : result.reports)
    if (report.severity == Report::Severity::Error)
      all += "\n" + report.kind + ": " + report.message;
  return all;
}

} // namespace test
} // namespace fly
