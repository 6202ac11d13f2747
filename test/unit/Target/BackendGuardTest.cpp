//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BackendGuard.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/ErrorHandling.h"

#include "gtest/gtest.h"

#include <csignal>
#include <thread>

using namespace fly;
using llvm::Error;

namespace {

struct Outcome {
  std::string message;
  bool abandoned;
};

Outcome guarded(llvm::function_ref<Error(llvm::LLVMContext &)> body) {
  llvm::LLVMContext context;
  GuardedResult result =
      runGuarded("the step", context, [&] { return body(context); });
  return {llvm::toString(std::move(result.error)), result.abandoned};
}

TEST(BackendGuard, PassesResultsOn) {
  Outcome success = guarded([](auto &) { return Error::success(); });
  EXPECT_EQ(success.message, "");
  EXPECT_FALSE(success.abandoned);
  Outcome failure =
      guarded([](auto &) { return llvm::createStringError("no"); });
  EXPECT_EQ(failure.message, "no");
  EXPECT_FALSE(failure.abandoned);
}

TEST(BackendGuard, CollectsDiagnostics) {
  Outcome outcome = guarded([](llvm::LLVMContext &context) {
    context.emitError("first");
    context.emitError("second");
    return Error::success();
  });
  EXPECT_EQ(outcome.message, "the step failed: first; second");
  EXPECT_FALSE(outcome.abandoned);
}

TEST(BackendGuard, CatchesFatalErrors) {
  for (int round = 0; round < 3; ++round) {
    Outcome outcome = guarded([](llvm::LLVMContext &context) -> Error {
      context.emitError("before");
      llvm::report_fatal_error("cannot go on");
    });
    EXPECT_EQ(outcome.message, "the step failed: before; cannot go on");
    EXPECT_TRUE(outcome.abandoned);
  }
}

TEST(BackendGuard, CatchesCrashes) {
  Outcome outcome = guarded([](auto &) {
    raise(SIGSEGV);
    return Error::success();
  });
  EXPECT_EQ(outcome.message, "the step failed: LLVM crashed");
  EXPECT_TRUE(outcome.abandoned);
}

TEST(BackendGuard, KeepsThreadsApart) {
  std::vector<std::thread> threads;
  std::vector<std::string> messages(8);
  for (unsigned i = 0; i != messages.size(); ++i)
    threads.emplace_back([&messages, i] {
      messages[i] =
          guarded([i](auto &) -> Error {
            if (i % 2)
              return Error::success();
            llvm::report_fatal_error(llvm::Twine("thread ") + llvm::Twine(i));
          }).message;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (unsigned i = 0; i != messages.size(); ++i)
    EXPECT_EQ(messages[i],
              i % 2 ? "" : "the step failed: thread " + std::to_string(i));
}

} // namespace
