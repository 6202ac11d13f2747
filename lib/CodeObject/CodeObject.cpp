//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/CodeObject/CodeObject.h"

#include "CodeObjectParser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace fly {

Expected<CodeObject> CodeObject::parse(ArrayRef<uint8_t> bytes) {
  CodeObject object;
  object.data.assign(bytes.begin(), bytes.end());
  if (Error error = CodeObjectParser(object).run())
    return std::move(error);
  return std::move(object);
}

Expected<CodeObject> CodeObject::readFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError("cannot read '" + path +
                             "': " + buffer.getError().message());
  Expected<CodeObject> object =
      parse(arrayRefFromStringRef((*buffer)->getBuffer()));
  if (!object)
    return createStringError("'" + path + "': " + toString(object.takeError()));
  return std::move(*object);
}

Expected<const Kernel &> CodeObject::findKernel(StringRef name) const {
  std::string known;
  for (const Kernel &kernel : kernelList) {
    if (kernel.name == name)
      return kernel;
    known += (known.empty() ? "" : ", ") + kernel.name;
  }
  return createStringError("no kernel '" + name + "' in the code object, " +
                           (known.empty() ? std::string("it has none")
                                          : "expected one of " + known));
}

Expected<Disassembly> CodeObject::disassemble() const {
  return Disassembly::decode(*targetInfo, textBytes, textStart);
}

} // namespace fly
