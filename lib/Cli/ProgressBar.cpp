//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Cli/ProgressBar.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

#include <algorithm>

using namespace llvm;

namespace fly {

ProgressBar::ProgressBar()
    : enabled(sys::Process::StandardErrIsDisplayed()), start(Clock::now()),
      stepStart(start) {}

void ProgressBar::update(StringRef newStep, double done) {
  if (step != newStep) {
    step = newStep.str();
    stepStart = Clock::now();
  }
  std::chrono::duration<double> elapsed = Clock::now() - stepStart;
  draw(done, step, elapsed.count());
}

void ProgressBar::update(const LaunchProgress &progress) {
  double done = double(progress.endedWorkgroups) / double(progress.workgroups);
  double speed =
      double(progress.instructions) / std::max(progress.seconds, 1e-3);
  draw(done,
       formatv("{0} of {1} workgroups, {2:f1} M instructions/s",
               progress.endedWorkgroups, progress.workgroups, speed * 1e-6),
       progress.seconds);
}

/// \p seconds have passed since \p done was 0.
void ProgressBar::draw(double done, const std::string &text, double seconds) {
  if (!enabled || Clock::now() - start < std::chrono::seconds(1))
    return;
  constexpr int width = 20;
  int filled = std::clamp(int(done * width), 0, width);
  std::string line =
      formatv("[{0}{1}] {2,3}% {3}", std::string(size_t(filled), '='),
              std::string(size_t(width - filled), ' '), int(done * 100), text);
  if (done > 0)
    line += formatv(", {0:f0} s left", seconds * (1 - done) / done);
  // A line that wraps could not be removed again.
  if (unsigned columns = sys::Process::StandardErrColumns())
    line.resize(std::min<size_t>(line.size(), columns - 1));
  errs() << "\r\033[K" << line;
  errs().flush();
  drawn = true;
}

void ProgressBar::clear() {
  if (drawn)
    errs() << "\r\033[K";
  errs().flush();
  drawn = false;
}

} // namespace fly
