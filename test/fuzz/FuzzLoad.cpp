//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Everything that reads a file which somebody else made: code objects, their
/// metadata and debug information, and manifests. Input that starts with '{' is
/// a manifest, all other input an ELF file; its first kernel is launched.

#include "Launching.h"

#include "fly/CodeObject/CodeObject.h"
#include "fly/CodeObject/ControlFlow.h"
#include "fly/CodeObject/Manifest.h"
#include "fly/CodeObject/SourceLines.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace fly;

static void readManifest(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return llvm::consumeError(value.takeError());
  llvm::Expected<Manifest> manifest = Manifest::fromJSON(*value);
  if (!manifest)
    return llvm::consumeError(manifest.takeError());
  // What is taken is written as it was.
  llvm::Expected<Manifest> again = Manifest::fromJSON(manifest->toJSON());
  if (!again || again->toJSON() != manifest->toJSON())
    __builtin_trap();
}

static void readObject(llvm::ArrayRef<uint8_t> bytes) {
  llvm::Expected<CodeObject> object = CodeObject::parse(bytes);
  if (!object)
    return llvm::consumeError(object.takeError());
  llvm::Expected<Disassembly> code = object->disassemble();
  if (!code)
    return llvm::consumeError(code.takeError());
  SourceLines lines(object->bytes());
  for (const Instruction &inst : code->instructions().take_front(64)) {
    code->text(inst);
    lines.at(inst.address);
  }
  for (const Kernel &kernel : object->kernels())
    ControlFlowGraph(*code, kernel.entryAddress).hotLoop();
  if (object->kernels().empty())
    return;
  fuzz::Launch launch;
  launch.kernel = object->kernels()[0].name;
  fuzz::run(bytes, object->target().name, launch);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size != 0 && data[0] == '{')
    readManifest(llvm::toStringRef(llvm::ArrayRef(data, size)));
  else
    readObject(llvm::ArrayRef(data, size));
  return 0;
}
