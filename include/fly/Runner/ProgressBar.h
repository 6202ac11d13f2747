//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// A bar on one line of a terminal; nothing where there is none.

#ifndef FLY_RUNNER_PROGRESSBAR_H
#define FLY_RUNNER_PROGRESSBAR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace fly {

class ProgressBar {
public:
  /// Draws on \p os if it is a terminal.
  explicit ProgressBar(llvm::raw_ostream &os)
      : os(os), enabled(os.is_displayed()) {}
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar &) = delete;
  ProgressBar &operator=(const ProgressBar &) = delete;

  /// \p done is 0 to 1.
  void update(llvm::StringRef step, double done);
  /// Removes the line, so that other output can follow.
  void clear();

private:
  llvm::raw_ostream &os;
  bool enabled;
  bool drawn = false;
};

} // namespace fly

#endif // FLY_RUNNER_PROGRESSBAR_H
