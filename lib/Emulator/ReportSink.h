//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Collects the findings of one launch from all threads, one for each pair of
/// instructions and kind. Internal to Emulator.

#ifndef FLY_LIB_EMULATOR_REPORTSINK_H
#define FLY_LIB_EMULATOR_REPORTSINK_H

#include "fly/Emulator/Emulator.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <mutex>
#include <tuple>

namespace fly {
namespace emu {

class ReportSink {
public:
  explicit ReportSink(unsigned maxReports) : maxReports(maxReports) {}

  /// \p first and \p second are instruction indices (the same for a finding
  /// about one). \p message is asked for when the pair is new.
  void add(Report::Severity severity, llvm::StringRef kind, uint32_t first,
           uint32_t second, llvm::function_ref<std::string()> message);

  /// Moves what was found into \p result, by place in the program.
  void take(LaunchResult &result);

private:
  using Key = std::tuple<uint32_t, uint32_t, std::string>;
  std::mutex mutex;
  unsigned maxReports; ///< of each severity
  unsigned keptOf[2] = {0, 0};
  std::map<Key, Report> reports;
  uint64_t suppressed = 0;
};

} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_REPORTSINK_H
