//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LaunchControl.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {

char LaunchCancelled::ID = 0;

void LaunchCancelled::log(raw_ostream &os) const {
  os << formatv("cancelled: {0} of {1} workgroups had ended, after {2} "
                "instructions",
                progress.endedWorkgroups, progress.workgroups,
                progress.instructions);
}

std::error_code LaunchCancelled::convertToErrorCode() const {
  return std::make_error_code(std::errc::operation_canceled);
}

namespace emu {

/// Time between two calls of the progress function.
static constexpr std::chrono::milliseconds progressPeriod(100);

LaunchControl::LaunchControl(const EmulatorOptions &options,
                             uint64_t numWorkgroups)
    : options(options), numWorkgroups(numWorkgroups),
      start(std::chrono::steady_clock::now()), lastShown(start) {}

LaunchProgress LaunchControl::progress() const {
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  return {ended, numWorkgroups, instructions, elapsed.count()};
}

void LaunchControl::executed(uint64_t count) {
  instructions += count;
  if (options.cancellation && options.cancellation->isCancelled())
    stopped = true;
  if (!options.progress)
    return;
  // One thread shows it; the others go on.
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  if (!lock)
    return;
  auto now = std::chrono::steady_clock::now();
  if (now - lastShown < progressPeriod)
    return;
  lastShown = now;
  options.progress(progress());
}

void LaunchControl::addCounts(MutableArrayRef<uint64_t> more) {
  if (more.empty())
    return;
  std::lock_guard<std::mutex> lock(mutex);
  counts.resize(more.size());
  for (auto [sum, count] : zip_equal(counts, more))
    sum += std::exchange(count, 0);
}

void LaunchControl::fail(std::string message) {
  std::lock_guard<std::mutex> lock(mutex);
  if (failure.empty())
    failure = std::move(message);
  stopped = true;
}

Expected<LaunchResult> LaunchControl::finish(LaunchResult result) {
  if (!failure.empty())
    return createStringError(failure);
  result.instructions = instructions;
  result.hung = hung;
  if (!hung && ended != numWorkgroups)
    return make_error<LaunchCancelled>(progress(), std::move(result));
  return result;
}

} // namespace emu
} // namespace fly
