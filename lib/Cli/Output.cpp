//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Cli/Output.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace fly {

Error checkOutput(StringRef path) {
  if (path.empty() || path == "-" || path == "/dev/null")
    return Error::success();
  auto cannot = [&](const Twine &why) {
    return createStringError("cannot write '" + path + "': " + why);
  };
  if (sys::fs::is_directory(path))
    return cannot("it is a directory");
  if (sys::fs::exists(path) && !sys::fs::can_write(path))
    return cannot("the file is not writable");
  StringRef parent = sys::path::parent_path(path);
  if (!parent.empty() && !sys::fs::is_directory(parent))
    return cannot("there is no directory '" + parent + "'");
  // It will be written under another name and then renamed.
  auto file = sys::fs::TempFile::create(path + ".temp-%%%%%%");
  if (!file)
    return cannot(toString(file.takeError()));
  return file->discard();
}

} // namespace fly
