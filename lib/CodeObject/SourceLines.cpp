//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/CodeObject/SourceLines.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/Decompressor.h"
#include "llvm/Object/ObjectFile.h"

#include <mutex>

using namespace llvm;

namespace fly {

struct SourceLines::Impl {
  explicit Impl(ArrayRef<uint8_t> bytes) : bytes(bytes) {}
  void open();
  std::string find(uint64_t address);

  ArrayRef<uint8_t> bytes;
  std::mutex mutex;
  bool isOpen = false;
  std::unique_ptr<object::ObjectFile> object;
  std::unique_ptr<DWARFContext> dwarf; ///< null without debug information
  DenseMap<uint64_t, std::string> known;
};

SourceLines::SourceLines(ArrayRef<uint8_t> bytes)
    : impl(std::make_unique<Impl>(bytes)) {}
SourceLines::~SourceLines() = default;

/// Whether a section says that it is compressed from more than zlib can pack
/// into it: LLVM would allocate that.
static bool hasImpossibleSize(const object::SectionRef &section) {
  if (!section.isCompressed())
    return false;
  Expected<StringRef> contents = section.getContents();
  if (!contents)
    return consumeError(contents.takeError()), true;
  auto unpacked = object::Decompressor::create("", *contents, true, true);
  if (!unpacked)
    return consumeError(unpacked.takeError()), true;
  constexpr uint64_t maxRatio = 1032;
  return unpacked->getDecompressedSize() / maxRatio > contents->size();
}

void SourceLines::Impl::open() {
  isOpen = true;
  MemoryBufferRef buffer(toStringRef(bytes), "code object");
  auto file = object::ObjectFile::createELFObjectFile(buffer);
  if (!file)
    return consumeError(file.takeError());
  object = std::move(*file);
  // What is broken is left out: a finding matters more than its line.
  if (any_of(object->sections(), hasImpossibleSize))
    return;
  auto ignore = [](Error error) { consumeError(std::move(error)); };
  dwarf = DWARFContext::create(*object,
                               DWARFContext::ProcessDebugRelocations::Ignore,
                               nullptr, "", ignore, ignore);
}

static std::string fileAndLine(const DILineInfo &frame) {
  return frame.FileName + ":" + std::to_string(frame.Line);
}

std::string SourceLines::Impl::find(uint64_t address) {
  using Kind = DILineInfoSpecifier::FileLineInfoKind;
  DIInliningInfo info = dwarf->getInliningInfoForAddress(
      {address, object::SectionedAddress::UndefSection},
      {Kind::RelativeFilePath, DINameKind::ShortName});
  // A frame without a line is code that the compiler made up.
  SmallVector<const DILineInfo *, 4> frames;
  for (unsigned i = 0; i != info.getNumberOfFrames(); ++i)
    if (info.getFrame(i).Line != 0 && info.getFrame(i))
      frames.push_back(&info.getFrame(i));
  if (frames.empty())
    return "";
  // clang's OpenCL kernels are stubs around a function of the same name.
  while (frames.size() > 1 &&
         frames.back()->FunctionName == frames[frames.size() - 2]->FunctionName)
    frames.pop_back();
  std::string text = fileAndLine(*frames.front());
  if (frames.size() == 1)
    return text;
  if (frames.front()->FunctionName != DILineInfo::BadString)
    text += " in " + frames.front()->FunctionName;
  return text + ", from " + fileAndLine(*frames.back());
}

std::string SourceLines::at(uint64_t address) {
  std::lock_guard<std::mutex> lock(impl->mutex);
  if (!impl->isOpen)
    impl->open();
  if (!impl->dwarf)
    return "";
  auto [place, isNew] = impl->known.try_emplace(address);
  if (isNew)
    place->second = impl->find(address);
  return place->second;
}

} // namespace fly
