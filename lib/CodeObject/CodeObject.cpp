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
  for (const Kernel &kernel : kernelList)
    if (kernel.name == name)
      return kernel;
  return createStringError("no kernel '" + name + "' in the code object, " +
                           (kernelList.empty()
                                ? std::string("it has none")
                                : "expected one of " + kernelNames()));
}

Expected<const Kernel &> CodeObject::onlyKernel() const {
  if (kernelList.size() == 1)
    return kernelList.front();
  if (kernelList.empty())
    return createStringError("the code object has no kernel");
  return createStringError(
      "the code object has " + Twine(kernelList.size()) +
      " kernels, expected the name of one (--kernel): " + kernelNames());
}

std::string CodeObject::kernelNames() const {
  return join(map_range(kernelList, [](const Kernel &k) { return k.name; }),
              ", ");
}

Expected<Disassembly> CodeObject::disassemble() const {
  return Disassembly::decode(*targetInfo, textBytes, textStart);
}

} // namespace fly
