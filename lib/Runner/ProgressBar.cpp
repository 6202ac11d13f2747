//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Runner/ProgressBar.h"

#include "llvm/Support/Format.h"

#include <algorithm>
#include <string>

namespace fly {

void ProgressBar::update(llvm::StringRef step, double done) {
  if (!enabled)
    return;
  constexpr int width = 30;
  int filled = std::clamp(int(done * width), 0, width);
  os << "\r\033[K[" << std::string(filled, '=')
     << std::string(width - filled, ' ') << "] "
     << llvm::format("%3.0f%% ", done * 100) << step;
  os.flush();
  drawn = true;
}

void ProgressBar::clear() {
  if (drawn)
    os << "\r\033[K";
  os.flush();
  drawn = false;
}

} // namespace fly
