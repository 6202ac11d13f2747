//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Target/CodeGen.h"

#include "BackendGuard.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "lld/Common/Driver.h"

#include <mutex>
#include <shared_mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace fly {

static Error tempFileError(std::error_code code) {
  return createStringError(code, "cannot link the code object: temporary "
                                 "file: " +
                                     code.message());
}

/// lld reads and writes named files only, so both sides go through the
/// temporary directory.
static Error runLld(StringRef input, StringRef output) {
  std::unique_lock<std::shared_mutex> lock(optionsLock());
  static bool usable = true;
  if (!usable)
    return createStringError("cannot link the code object: lld crashed in an "
                             "earlier link of this process");
  std::string in = input.str(), out = output.str(), messages;
  const char *args[] = {"ld.lld",   "--threads=1", "-shared",  "--no-undefined",
                        in.c_str(), "-o",          out.c_str()};
  raw_string_ostream os(messages);
  lld::Result result =
      lld::lldMain(args, os, os, {{lld::Gnu, &lld::elf::link}});
  usable = result.canRunAgain;
  if (result.retCode != 0)
    return createStringError("cannot link the code object: " +
                             StringRef(messages).trim());
  return Error::success();
}

Expected<SmallVector<char, 0>> linkCodeObject(ArrayRef<char> relocatable) {
  SmallString<128> input, output;
  int descriptor = -1;
  if (std::error_code code =
          sys::fs::createTemporaryFile("fly", "o", descriptor, input))
    return tempFileError(code);
  FileRemover removeInput(input);
  raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os.write(relocatable.data(), relocatable.size());
  os.close();
  if (os.has_error()) {
    std::error_code code = os.error();
    os.clear_error();
    return tempFileError(code);
  }
  if (std::error_code code =
          sys::fs::createTemporaryFile("fly", "hsaco", output))
    return tempFileError(code);
  FileRemover removeOutput(output);
  if (Error error = runLld(input, output))
    return error;
  auto buffer = MemoryBuffer::getFile(output, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (std::error_code code = buffer.getError())
    return tempFileError(code);
  StringRef bytes = (*buffer)->getBuffer();
  return SmallVector<char, 0>(bytes.begin(), bytes.end());
}

} // namespace fly
