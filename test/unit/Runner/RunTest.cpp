//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Manifests.h"
#include "ReferenceDevice.h"

#include "Support/Unwrap.h"
#include "fly/Runner/Execute.h"
#include "fly/Runner/Run.h"

#include "gtest/gtest.h"

using namespace fly;
using namespace llvm;

namespace {

/// A right device that reports findings.
class ReportingDevice : public ReferenceDevice {
public:
  bool findsFaults() const override { return true; }
  std::vector<Report> takeReports() override { return reports; }
  std::vector<Report> reports;
};

RunRequest groupedRequest() {
  RunRequest request;
  request.groupRows = {3, 0, 129};
  request.n = 64;
  request.k = 256;
  request.padding = 16;
  return request;
}

std::string printed(const RunReport &report) {
  std::string text;
  raw_string_ostream os(text);
  report.print(os);
  return text;
}

TEST(Run, ReportsARightKernel) {
  ReferenceDevice device;
  std::vector<std::string> steps;
  double last = 0;
  RunReport report =
      unwrap(runAndCheck(device, {}, makeGroupedManifest(), groupedRequest(),
                         [&](RunStep step, double done) {
                           std::string name = describe(step).str();
                           if (steps.empty() || steps.back() != name) {
                             steps.push_back(name);
                             last = 0;
                           }
                           EXPECT_GE(done, last);
                           EXPECT_LE(done, 1);
                           last = done;
                         }));
  EXPECT_TRUE(report.passed());
  EXPECT_EQ(steps, (std::vector<std::string>{"making the operands",
                                             "running on the device",
                                             "computing the reference"}));
  report.compileSeconds = 0.25;
  json::Value value = report.toJSON();
  const json::Object &object = *value.getAsObject();
  EXPECT_EQ(object.getString("kernel"), "grouped");
  EXPECT_EQ(object.getString("variant"), "v");
  EXPECT_EQ(object.getString("arch"), "gfx950");
  EXPECT_EQ(object.getString("device"), "reference");
  EXPECT_EQ(object.getBoolean("passed"), true);
  EXPECT_LT(*object.getNumber("calc_diff"), 1e-3);
  EXPECT_LT(*object.getNumber("max_tile_error"), 4e-3);
  EXPECT_EQ(object.getNumber("compile_seconds"), 0.25);
  EXPECT_GT(*object.getNumber("run_seconds"), 0);
  EXPECT_GT(*object.getNumber("effective_gflops"), 0);
  EXPECT_TRUE(object.getArray("reports")->empty());
  EXPECT_TRUE(object.getArray("failures")->empty());
  const json::Object &shape = *object.getObject("shape");
  EXPECT_EQ(shape.getInteger("groups"), 3);
  EXPECT_EQ(shape.getInteger("rows"), 384);
  EXPECT_EQ(shape.getInteger("valid_rows"), 132);
  EXPECT_EQ(shape.getInteger("n"), 64);
  EXPECT_EQ(shape.getInteger("k"), 256);
  EXPECT_EQ(object.getBoolean("checked"), false);
  std::string text = printed(report);
  EXPECT_NE(text.find("reports      not looked for\n"), std::string::npos);
  EXPECT_NE(text.find("3 groups, 384 rows (132 valid), N 64, K 256\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.substr(text.size() - 7), "PASSED\n");
}

TEST(Run, ReportsAWrongKernel) {
  ReferenceDevice device(Fault::LoseLastTile);
  RunRequest request = groupedRequest();
  RunReport report =
      unwrap(runAndCheck(device, {}, makeGroupedManifest(), request));
  EXPECT_FALSE(report.passed());
  json::Value value = report.toJSON();
  EXPECT_EQ(value.getAsObject()->getBoolean("passed"), false);
  // What stayed in D is NaN, which JSON cannot say.
  EXPECT_TRUE(value.getAsObject()->getNull("calc_diff"));
  EXPECT_FALSE(value.getAsObject()->getArray("failures")->empty());
  std::string text = printed(report);
  EXPECT_NE(text.find("tile at row 0, column 48: error"), std::string::npos)
      << text;
  EXPECT_EQ(text.substr(text.size() - 7), "FAILED\n");

  request.exact = true;
  report = unwrap(runAndCheck(device, {}, makeGroupedManifest(), request));
  EXPECT_FALSE(report.passed());
  EXPECT_NE(printed(report).find("exact        differs\n"), std::string::npos);
}

TEST(Run, AFindingFailsTheRunALintDoesNot) {
  ReportingDevice device;
  Report report;
  report.kind = "lds-race";
  report.message = "two waves";
  report.count = 5;
  report.severity = Report::Severity::Lint;
  device.reports = {report};
  RunRequest request = groupedRequest();
  request.exact = true;
  RunReport lint =
      unwrap(runAndCheck(device, {}, makeGroupedManifest(), request));
  EXPECT_TRUE(lint.passed());
  EXPECT_EQ(lint.toJSON().getAsObject()->getBoolean("checked"), true);
  device.reports[0].severity = Report::Severity::Error;
  RunReport error =
      unwrap(runAndCheck(device, {}, makeGroupedManifest(), request));
  EXPECT_FALSE(error.passed());
  EXPECT_NE(printed(error).find("error: lds-race (seen 5 times)\ntwo waves\n"),
            std::string::npos);
  json::Value value = error.toJSON();
  const json::Object &finding =
      *(*value.getAsObject()->getArray("reports"))[0].getAsObject();
  EXPECT_EQ(finding.getString("severity"), "error");
  EXPECT_EQ(finding.getString("kind"), "lds-race");
  EXPECT_EQ(finding.getString("message"), "two waves");
  EXPECT_EQ(finding.getInteger("count"), 5);
}

TEST(Run, ADenseProblemHasNoGroups) {
  ReferenceDevice device;
  RunRequest request;
  request.m = 33;
  request.n = 24;
  request.k = 40;
  RunReport report =
      unwrap(runAndCheck(device, {}, makeDenseManifest(), request));
  EXPECT_TRUE(report.passed());
  EXPECT_FALSE(
      report.toJSON().getAsObject()->getObject("shape")->get("groups"));
  EXPECT_NE(printed(report).find("problem      33 rows, N 24, K 40\n"),
            std::string::npos)
      << printed(report);
}

TEST(Run, RejectsImpossibleRequests) {
  ReferenceDevice device;
  RunRequest request = groupedRequest();
  request.groupRows = {3, -1};
  auto report = runAndCheck(device, {}, makeGroupedManifest(), request);
  ASSERT_FALSE(bool(report));
  EXPECT_EQ(toString(report.takeError()),
            "rows of a group: expected 0 to 2147483647, got -1");
  request.groupRows = {};
  report = runAndCheck(device, {}, makeGroupedManifest(), request);
  ASSERT_FALSE(bool(report));
  EXPECT_EQ(toString(report.takeError()),
            "kernel 'grouped' is grouped, but 0 groups are given");
}

TEST(Run, RejectsAProblemOfAnotherVariant) {
  ReferenceDevice device;
  Manifest manifest = makeDenseManifest();
  Shape shape;
  shape.m = shape.n = shape.k = 16;
  Problem problem = unwrap(Problem::create(manifest, shape));
  Operands operands = unwrap(makeExactOperands(problem, 1));
  manifest.variant = "w";
  manifest.contentHash = std::string(64, '1');
  auto kernel = unwrap(device.load({}, manifest));
  auto execution = execute(device, *kernel, problem, operands);
  ASSERT_FALSE(bool(execution));
  EXPECT_EQ(toString(execution.takeError()),
            "the problem is for variant 'v', but the kernel is variant 'w'");
}

} // namespace
