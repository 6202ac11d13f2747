//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Streams: each runs its operations in order on a thread of its own. The
/// default stream is HIP's legacy one: its operations wait for all that other
/// streams were given before, and theirs wait for it, unless they were created
/// with hipStreamNonBlocking. Internal to the HIP library.

#ifndef FLY_LIB_EMULATOR_HIP_STREAMS_H
#define FLY_LIB_EMULATOR_HIP_STREAMS_H

#include "HipTypes.h"

#include "llvm/ADT/ArrayRef.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace fly {
namespace hip {

class Stream;

/// The end of one operation. Its fields belong to the lock of Streams.
struct Completion {
  bool done = false;
  std::chrono::steady_clock::time_point time;
  std::weak_ptr<Stream> stream;
};
using CompletionPtr = std::shared_ptr<Completion>;

class Stream {
public:
  Stream(unsigned flags, int priority) : flags(flags), priority(priority) {}
  bool isBlocking() const { return !(flags & hipStreamNonBlocking); }

  const unsigned flags;
  const int priority;

private:
  friend class Streams;
  struct Operation {
    std::function<hipError_t()> run;
    std::vector<CompletionPtr> waits;
    CompletionPtr completion;
  };
  // All of it belongs to the lock of Streams.
  std::deque<Operation> queue;
  CompletionPtr last;
  hipError_t error = hipSuccess; ///< of an operation, not yet returned
  bool closing = false;
  std::thread thread;
};

class Streams {
public:
  Streams();
  const std::shared_ptr<Stream> &defaultStream() const { return legacy; }
  std::shared_ptr<Stream> create(unsigned flags, int priority);
  /// Waits for \p stream, ends its thread, and returns its error.
  hipError_t destroy(const std::shared_ptr<Stream> &stream);

  /// Queues \p run, which starts after \p waits too.
  CompletionPtr submit(const std::shared_ptr<Stream> &stream,
                       std::function<hipError_t()> run,
                       llvm::ArrayRef<CompletionPtr> waits = {});

  void wait(const CompletionPtr &completion);
  bool isDone(const CompletionPtr &completion);
  /// When \p completion was done; it must be.
  std::chrono::steady_clock::time_point timeOf(const CompletionPtr &completion);

  /// Waits for all that \p stream was given, and takes its error; for the
  /// default stream, all blocking streams.
  hipError_t synchronize(const std::shared_ptr<Stream> &stream);
  /// hipErrorNotReady, or the stream's error, taken.
  hipError_t query(const std::shared_ptr<Stream> &stream);
  /// The error of the stream that \p completion is of, taken.
  hipError_t takeError(const CompletionPtr &completion);
  hipError_t synchronizeAll();
  /// Waits for every stream and leaves their errors.
  void drain();

  /// Ends every thread after its current operation and drops what is queued.
  void shutdown();

private:
  void work(const std::shared_ptr<Stream> &stream);
  hipError_t takeErrorLocked(Stream &stream);
  using Lock = std::unique_lock<std::mutex>;
  void waitLocked(Lock &lock, const CompletionPtr &completion);

  std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false;
  std::vector<std::shared_ptr<Stream>> all;
  std::shared_ptr<Stream> legacy;
};

} // namespace hip
} // namespace fly

#endif // FLY_LIB_EMULATOR_HIP_STREAMS_H
