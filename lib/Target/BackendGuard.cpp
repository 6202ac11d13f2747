//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BackendGuard.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace llvm;

namespace fly {
namespace {

/// Keeps the errors; warnings and remarks of the backend are not shown.
class ErrorCollector : public DiagnosticHandler {
public:
  explicit ErrorCollector(std::string &messages) : messages(messages) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    // A frame or LDS too large arrives as a warning or error of this kind;
    // no code object that exceeds a limit is of use.
    bool limit = info.getKind() == DK_ResourceLimit;
    if (info.getSeverity() != DS_Error && !limit)
      return true;
    if (!messages.empty())
      messages += "; ";
    raw_string_ostream os(messages);
    DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    return true;
  }

private:
  std::string &messages;
};

/// What a fatal error on this thread writes to; null outside of a guard.
thread_local std::string *fatalMessage = nullptr;

void handleFatalError(void *, const char *reason, bool) {
  CrashRecoveryContext *recovery = CrashRecoveryContext::GetCurrent();
  if (fatalMessage && recovery) {
    *fatalMessage = reason;
    recovery->HandleExit(1);
  }
  // Another thread's error, outside of any guard: as LLVM does by default.
  errs() << "LLVM ERROR: " << reason << "\n";
}

/// LLVM's handlers are global to the process: the first guard installs them,
/// the last removes them.
class GlobalHandlers {
public:
  GlobalHandlers() {
    std::lock_guard<std::mutex> lock(mutex);
    if (users++ != 0)
      return;
    CrashRecoveryContext::Enable();
    install_fatal_error_handler(handleFatalError);
  }
  ~GlobalHandlers() {
    std::lock_guard<std::mutex> lock(mutex);
    if (--users != 0)
      return;
    remove_fatal_error_handler();
    CrashRecoveryContext::Disable();
  }

private:
  static inline std::mutex mutex;
  static inline unsigned users = 0;
};

} // namespace

std::shared_mutex &optionsLock() {
  static std::shared_mutex lock;
  return lock;
}

GuardedResult runGuarded(StringRef step, LLVMContext &context,
                         function_ref<Error()> body) {
  std::string messages, fatal;
  std::unique_ptr<DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<ErrorCollector>(messages));
  Error error = Error::success();
  bool finished;
  {
    std::shared_lock<std::shared_mutex> lock(optionsLock());
    GlobalHandlers handlers;
    fatalMessage = &fatal;
    CrashRecoveryContext recovery;
    finished = recovery.RunSafely([&] { error = body(); });
    fatalMessage = nullptr;
  }
  context.setDiagnosticHandler(std::move(previous));
  if (!finished) {
    consumeError(std::move(error));
    if (fatal.empty())
      fatal = "LLVM crashed";
    if (!messages.empty())
      fatal = messages + "; " + fatal;
    return {createStringError(step + " failed: " + fatal), true};
  }
  if (!messages.empty())
    error = joinErrors(createStringError(step + " failed: " + messages),
                       std::move(error));
  return {std::move(error), false};
}

} // namespace fly
