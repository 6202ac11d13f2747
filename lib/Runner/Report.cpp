//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Runner/Run.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {

bool RunReport::passed() const {
  return comparison.failures.empty() &&
         none_of(reports, [](const Report &report) {
           return report.severity == Report::Severity::Error;
         });
}

static StringRef severityName(const Report &report) {
  return report.severity == Report::Severity::Error ? "error" : "lint";
}

/// JSON has no NaN and no infinity.
static json::Value finite(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

json::Value RunReport::toJSON() const {
  json::Array findings;
  for (const Report &report : reports)
    findings.push_back(json::Object{{"severity", severityName(report)},
                                    {"kind", report.kind},
                                    {"message", report.message},
                                    {"count", int64_t(report.count)}});
  json::Object shape{
      {"rows", rows}, {"valid_rows", validRows}, {"n", n}, {"k", k}};
  if (groups)
    shape["groups"] = groups;
  json::Object result{{"kernel", kernel},
                      {"variant", variant},
                      {"arch", arch},
                      {"device", device},
                      {"device_description", deviceDescription},
                      {"problem", problem},
                      {"shape", std::move(shape)},
                      {"exact", exact},
                      {"passed", passed()},
                      {"failures", json::Array(comparison.failures)},
                      {"checked", checked},
                      {"reports", std::move(findings)},
                      {"compile_seconds", compileSeconds},
                      {"run_seconds", runSeconds},
                      {"effective_gflops", gflops}};
  // An exact comparison is one of bits: it has no errors to measure.
  result["calc_diff"] = exact ? nullptr : finite(comparison.calcDiff);
  result["max_tile_error"] = exact ? nullptr : finite(comparison.maxTileError);
  return result;
}

static void printFindings(raw_ostream &os, ArrayRef<Report> reports) {
  for (const Report &report : reports)
    os << formatv("{0}: {1} (seen {2} times)\n{3}\n", severityName(report),
                  report.kind, report.count, report.message);
}

void RunReport::print(raw_ostream &os) const {
  auto row = [&](StringRef name) -> raw_ostream & {
    return os << left_justify(name, 13);
  };
  row("kernel") << kernel << ", variant " << variant << "\n";
  row("device") << deviceDescription << "\n";
  row("problem");
  if (groups)
    os << groups << " groups, ";
  os << rows << " rows";
  if (validRows != rows)
    os << " (" << validRows << " valid)";
  os << ", N " << n << ", K " << k << "\n";
  row("compile") << format("%.3f s\n", compileSeconds);
  row("run") << format("%.3f s, %.1f GFLOP/s\n", runSeconds, gflops);
  if (exact) {
    row("exact") << (comparison.failures.empty() ? "every bit as expected\n"
                                                 : "differs\n");
  } else {
    row("calc_diff") << format("%.2e, expected below %.2e\n",
                               comparison.calcDiff, Comparison::calcDiffLimit);
    row("tile error") << format("%.2e, expected at most %.2e\n",
                                comparison.maxTileError,
                                comparison.tileErrorLimit);
  }
  row("reports") << (!reports.empty() ? std::to_string(reports.size())
                     : checked        ? "none"
                                      : "not looked for")
                 << "\n";
  for (const std::string &failure : comparison.failures)
    os << failure << "\n";
  printFindings(os, reports);
  os << (passed() ? "PASSED\n" : "FAILED\n");
}

} // namespace fly
