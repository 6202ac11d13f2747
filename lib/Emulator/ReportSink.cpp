//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ReportSink.h"

using namespace llvm;

namespace fly {
namespace emu {

void ReportSink::add(Report::Severity severity, StringRef kind, uint32_t first,
                     uint32_t second, function_ref<std::string()> message) {
  std::lock_guard<std::mutex> lock(mutex);
  Key key(second, first, kind.str());
  auto it = reports.find(key);
  if (it != reports.end()) {
    ++it->second.count;
    return;
  }
  // Lints never displace errors.
  unsigned &kept = keptOf[severity == Report::Severity::Lint];
  if (kept >= maxReports) {
    ++suppressed;
    return;
  }
  ++kept;
  Report report;
  report.severity = severity;
  report.kind = kind.str();
  report.message = message();
  reports.emplace(std::move(key), std::move(report));
}

void ReportSink::take(LaunchResult &result) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &entry : reports)
    result.reports.push_back(std::move(entry.second));
  result.suppressedReports += suppressed;
  reports.clear();
  keptOf[0] = keptOf[1] = 0;
  suppressed = 0;
}

} // namespace emu

bool LaunchResult::passed() const {
  if (hung)
    return false;
  for (const Report &report : reports)
    if (report.severity == Report::Severity::Error)
      return false;
  return true;
}

} // namespace fly
