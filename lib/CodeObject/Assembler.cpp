//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "McTarget.h"

#include "fly/CodeObject/Disassembly.h"

#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace fly {

static void collectDiagnostic(const SMDiagnostic &diagnostic, void *context) {
  raw_string_ostream os(*static_cast<std::string *>(context));
  os << "line " << diagnostic.getLineNo() << ": " << diagnostic.getMessage()
     << ": " << diagnostic.getLineContents() << "\n";
}

Expected<std::vector<uint8_t>> assembleObject(const TargetInfo &target,
                                              StringRef source) {
  Expected<std::unique_ptr<McTarget>> created = McTarget::create(target);
  if (!created)
    return created.takeError();
  McTarget &mc = **created;
  SourceMgr sources;
  std::string messages;
  sources.setDiagHandler(collectDiagnostic, &messages);
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(source), SMLoc());

  MCContext context(mc.triple, mc.asmInfo.get(), mc.registers.get(),
                    mc.subtarget.get(), &sources, &mc.options);
  std::unique_ptr<MCObjectFileInfo> fileInfo(
      mc.llvmTarget->createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(fileInfo.get());

  SmallVector<char, 0> object;
  raw_svector_ostream os(object);
  std::unique_ptr<MCAsmBackend> backend(mc.llvmTarget->createMCAsmBackend(
      *mc.subtarget, *mc.registers, mc.options));
  std::unique_ptr<MCObjectWriter> writer = backend->createObjectWriter(os);
  std::unique_ptr<MCCodeEmitter> emitter(
      mc.llvmTarget->createMCCodeEmitter(*mc.instructions, context));
  std::unique_ptr<MCStreamer> streamer(mc.llvmTarget->createMCObjectStreamer(
      mc.triple, context, std::move(backend), std::move(writer),
      std::move(emitter), *mc.subtarget));
  std::unique_ptr<MCAsmParser> parser(
      createMCAsmParser(sources, context, *streamer, *mc.asmInfo));
  std::unique_ptr<MCTargetAsmParser> targetParser(
      mc.llvmTarget->createMCAsmParser(*mc.subtarget, *parser, *mc.instructions,
                                       mc.options));
  parser->setTargetParser(*targetParser);
  if (parser->Run(/*NoInitialTextSection=*/false) || !messages.empty())
    return createStringError("assembly failed: " + messages);
  return std::vector<uint8_t>(object.begin(), object.end());
}

Expected<std::vector<uint8_t>> assembleText(const TargetInfo &target,
                                            StringRef source) {
  Expected<std::vector<uint8_t>> object = assembleObject(target, source);
  if (!object)
    return object.takeError();
  StringRef bytes(reinterpret_cast<const char *>(object->data()),
                  object->size());
  Expected<std::unique_ptr<object::ObjectFile>> file =
      object::ObjectFile::createELFObjectFile(MemoryBufferRef(bytes, "asm"));
  if (!file)
    return file.takeError();
  for (const object::SectionRef &section : (*file)->sections()) {
    Expected<StringRef> name = section.getName();
    if (!name)
      return name.takeError();
    if (*name != ".text")
      continue;
    Expected<StringRef> contents = section.getContents();
    if (!contents)
      return contents.takeError();
    return std::vector<uint8_t>(contents->bytes_begin(), contents->bytes_end());
  }
  return createStringError("the assembled object has no .text");
}

} // namespace fly
