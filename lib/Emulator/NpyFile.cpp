//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Emulator/Arguments.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace fly {

/// The value after 'KEY': in the header's dictionary, up to what ends it.
static StringRef valueOf(StringRef dictionary, StringRef key, StringRef ends) {
  size_t at = dictionary.find(("'" + key + "'").str());
  if (at == StringRef::npos)
    return "";
  StringRef rest = dictionary.substr(at + key.size() + 2).ltrim();
  if (!rest.consume_front(":"))
    return "";
  rest = rest.ltrim();
  return rest.take_front(rest.find_first_of(ends));
}

/// Bytes that the header promises: the product of the shape times the item size
/// at the end of descr ("<f4").
static Expected<uint64_t> promisedBytes(StringRef dictionary, StringRef path) {
  StringRef descr = valueOf(dictionary, "descr", ",").trim("'\"");
  uint64_t bytes = 0;
  if (descr.size() < 3 || descr.substr(2).getAsInteger(10, bytes) ||
      StringRef("<|>=").find(descr[0]) == StringRef::npos || descr[0] == '>')
    return createStringError("'" + path + "': element type '" + descr +
                             "' is not one of fixed size, little-endian");
  StringRef shape = valueOf(dictionary, "shape", ")").ltrim("(");
  while (!shape.trim().empty()) {
    auto [extent, rest] = shape.split(',');
    uint64_t n;
    if (extent.trim().getAsInteger(10, n))
      return createStringError("'" + path +
                               "': the shape of the array is not "
                               "a list of numbers");
    if (n != 0 && bytes > (uint64_t(1) << 48) / n)
      return createStringError("'" + path +
                               "': the array has more than 2^48 "
                               "bytes");
    bytes *= n;
    shape = rest;
  }
  return bytes;
}

Expected<NpyFile> NpyFile::read(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError("cannot read '" + path +
                             "': " + buffer.getError().message());
  StringRef bytes = (*buffer)->getBuffer();
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < 12)
    return createStringError("'" + path + "' is not a .npy file");
  unsigned major = uint8_t(bytes[6]);
  uint64_t prefix = major == 1 ? 10 : 12;
  uint64_t length = major == 1 ? support::endian::read16le(bytes.data() + 8)
                               : support::endian::read32le(bytes.data() + 8);
  if (major < 1 || major > 3 || length > bytes.size() - prefix)
    return createStringError("'" + path + "': the .npy header is broken");
  NpyFile file;
  file.header = bytes.take_front(prefix + length).str();
  StringRef dictionary = bytes.substr(prefix, length);
  if (valueOf(dictionary, "fortran_order", ",") != "False")
    return createStringError("'" + path +
                             "': the array is in Fortran order, "
                             "expected C order");
  Expected<uint64_t> promised = promisedBytes(dictionary, path);
  if (!promised)
    return promised.takeError();
  StringRef data = bytes.drop_front(prefix + length);
  if (data.size() != *promised)
    return createStringError(formatv("'{0}': the array has {1} bytes, its "
                                     "header says {2}",
                                     path, data.size(), *promised));
  file.data.assign(data.bytes_begin(), data.bytes_end());
  return file;
}

Error NpyFile::write(StringRef path) const {
  Error error = writeToOutput(path, [&](raw_ostream &os) {
    os << header;
    os.write(reinterpret_cast<const char *>(data.data()), data.size());
    return Error::success();
  });
  if (error)
    return createStringError("cannot write " + toString(std::move(error)));
  return Error::success();
}

} // namespace fly
