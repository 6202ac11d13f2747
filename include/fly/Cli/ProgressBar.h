//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// A bar on one line of a terminal; nothing where there is none, nor for what
/// is over within a second.

#ifndef FLY_CLI_PROGRESSBAR_H
#define FLY_CLI_PROGRESSBAR_H

#include "fly/Emulator/Emulator.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <string>

namespace fly {

class ProgressBar {
public:
  /// Draws on stderr if it is a terminal.
  ProgressBar();
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar &) = delete;
  ProgressBar &operator=(const ProgressBar &) = delete;

  /// \p done, 0 to 1, is the part of \p step that is done; from its speed comes
  /// the time that is left.
  void update(llvm::StringRef step, double done);
  /// The same of an emulated launch: workgroups, and instructions a second.
  void update(const LaunchProgress &progress);
  /// Removes the line, so that other output can follow.
  void clear();

private:
  using Clock = std::chrono::steady_clock;
  void draw(double done, const std::string &text, double seconds);

  bool enabled;
  bool drawn = false;
  std::string step;
  Clock::time_point start, stepStart;
};

} // namespace fly

#endif // FLY_CLI_PROGRESSBAR_H
