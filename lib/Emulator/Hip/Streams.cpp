//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Streams.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace fly {
namespace hip {

Streams::Streams() { legacy = create(/*flags=*/0, /*priority=*/0); }

std::shared_ptr<Stream> Streams::create(unsigned flags, int priority) {
  auto stream = std::make_shared<Stream>(flags, priority);
  std::lock_guard<std::mutex> lock(mutex);
  all.push_back(stream);
  return stream;
}

hipError_t Streams::destroy(const std::shared_ptr<Stream> &stream) {
  Lock lock(mutex);
  stream->closing = true;
  changed.notify_all();
  std::thread thread = std::move(stream->thread);
  lock.unlock();
  if (thread.joinable())
    thread.join();
  lock.lock();
  llvm::erase(all, stream);
  return takeErrorLocked(*stream);
}

CompletionPtr Streams::submit(const std::shared_ptr<Stream> &stream,
                              std::function<hipError_t()> run,
                              ArrayRef<CompletionPtr> waits) {
  auto completion = std::make_shared<Completion>();
  completion->stream = stream;
  Lock lock(mutex);
  if (stopping || stream->closing) {
    completion->done = true;
    return completion;
  }
  Stream::Operation operation{std::move(run), waits.vec(), completion};
  auto waitFor = [&](const Stream &other) {
    if (other.last && !other.last->done)
      operation.waits.push_back(other.last);
  };
  if (stream == legacy) {
    for (const auto &other : all)
      if (other != legacy && other->isBlocking())
        waitFor(*other);
  } else if (stream->isBlocking()) {
    waitFor(*legacy);
  }
  stream->last = completion;
  stream->queue.push_back(std::move(operation));
  if (!stream->thread.joinable())
    stream->thread = std::thread([this, stream] { work(stream); });
  changed.notify_all();
  return completion;
}

void Streams::work(const std::shared_ptr<Stream> &stream) {
  Lock lock(mutex);
  while (true) {
    changed.wait(lock, [&] {
      return stopping || stream->closing || !stream->queue.empty();
    });
    if (stopping || stream->queue.empty())
      return;
    Stream::Operation operation = std::move(stream->queue.front());
    stream->queue.pop_front();
    // What is waited for was submitted before: this ends.
    changed.wait(lock, [&] {
      return stopping ||
             all_of(operation.waits,
                    [](const CompletionPtr &other) { return other->done; });
    });
    if (stopping)
      return;
    lock.unlock();
    hipError_t code = operation.run();
    auto time = std::chrono::steady_clock::now();
    operation.run = nullptr; // what it holds may be freed from now on
    lock.lock();
    if (code != hipSuccess && stream->error == hipSuccess)
      stream->error = code;
    operation.completion->time = time;
    operation.completion->done = true;
    changed.notify_all();
  }
}

void Streams::waitLocked(Lock &lock, const CompletionPtr &completion) {
  if (completion)
    changed.wait(lock, [&] { return stopping || completion->done; });
}

void Streams::wait(const CompletionPtr &completion) {
  Lock lock(mutex);
  waitLocked(lock, completion);
}

bool Streams::isDone(const CompletionPtr &completion) {
  Lock lock(mutex);
  return completion->done;
}

std::chrono::steady_clock::time_point
Streams::timeOf(const CompletionPtr &completion) {
  Lock lock(mutex);
  return completion->time;
}

hipError_t Streams::takeErrorLocked(Stream &stream) {
  return std::exchange(stream.error, hipSuccess);
}

hipError_t Streams::takeError(const CompletionPtr &completion) {
  Lock lock(mutex);
  std::shared_ptr<Stream> stream = completion->stream.lock();
  return stream ? takeErrorLocked(*stream) : hipSuccess;
}

hipError_t Streams::synchronize(const std::shared_ptr<Stream> &stream) {
  Lock lock(mutex);
  std::vector<std::shared_ptr<Stream>> waited = {stream};
  if (stream == legacy)
    for (const auto &other : all)
      if (other != legacy && other->isBlocking())
        waited.push_back(other);
  std::vector<CompletionPtr> ends;
  for (const auto &each : waited)
    ends.push_back(each->last);
  for (const CompletionPtr &end : ends)
    waitLocked(lock, end);
  hipError_t result = hipSuccess;
  for (const auto &each : waited)
    if (hipError_t error = takeErrorLocked(*each); result == hipSuccess)
      result = error;
  return result;
}

hipError_t Streams::query(const std::shared_ptr<Stream> &stream) {
  Lock lock(mutex);
  auto isBusy = [](const std::shared_ptr<Stream> &each) {
    return each->last && !each->last->done;
  };
  if (isBusy(stream))
    return hipErrorNotReady;
  if (stream == legacy)
    for (const auto &other : all)
      if (other->isBlocking() && isBusy(other))
        return hipErrorNotReady;
  return takeErrorLocked(*stream);
}

void Streams::drain() {
  Lock lock(mutex);
  std::vector<CompletionPtr> ends;
  for (const auto &stream : all)
    ends.push_back(stream->last);
  for (const CompletionPtr &end : ends)
    waitLocked(lock, end);
}

hipError_t Streams::synchronizeAll() {
  drain();
  Lock lock(mutex);
  hipError_t result = hipSuccess;
  for (const auto &stream : all)
    if (hipError_t error = takeErrorLocked(*stream); result == hipSuccess)
      result = error;
  return result;
}

void Streams::shutdown() {
  std::vector<std::thread> threads;
  {
    Lock lock(mutex);
    stopping = true;
    for (const auto &stream : all)
      threads.push_back(std::move(stream->thread));
  }
  changed.notify_all();
  for (std::thread &thread : threads)
    if (thread.joinable())
      thread.join();
}

} // namespace hip
} // namespace fly
