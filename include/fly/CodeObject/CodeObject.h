//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// A gfx9 code object as the ROCm loader takes it: an ELF of OS ABI HSA whose
/// kernels each have a descriptor symbol `NAME.kd` in .rodata and an entry in
/// the NT_AMDGPU_METADATA note (LLVM AMDGPUUsage, "Code Object Metadata" and
/// "Kernel Descriptor"). Nothing in the file is trusted: every offset and size
/// is checked and every failure is an error that names what was expected.

#ifndef FLY_CODEOBJECT_CODEOBJECT_H
#define FLY_CODEOBJECT_CODEOBJECT_H

#include "fly/Arch/TargetInfo.h"
#include "fly/CodeObject/Disassembly.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fly {

/// One argument from the metadata note.
struct ArgumentMetadata {
  std::string name;      ///< ".name", may be empty
  std::string valueKind; ///< ".value_kind": "global_buffer", "by_value",
                         ///< "hidden_block_count_x", ...
  uint32_t offset = 0;   ///< in the kernarg segment, bytes
  uint32_t size = 0;
  bool isHidden() const {
    return llvm::StringRef(valueKind).starts_with("hidden_");
  }
};

/// The fields of the 64-byte kernel descriptor, decoded for gfx90a and later.
struct KernelDescriptor {
  uint32_t groupSegmentBytes = 0;   ///< static LDS
  uint32_t privateSegmentBytes = 0; ///< scratch a lane
  uint32_t kernargBytes = 0;        ///< 0 in some hand-written kernels
  int64_t entryOffset = 0;          ///< from the descriptor to the entry
  unsigned vgprs = 0;               ///< allocated, VGPR and AGPR together
  unsigned accumOffset = 0;         ///< VGPRs before the first AGPR
  unsigned userSgprs = 0;
  bool enablePrivateSegment = false;
  bool workgroupIdX = false, workgroupIdY = false, workgroupIdZ = false;
  bool workgroupInfo = false;
  unsigned workitemIdDims = 0; ///< 0: x, 1: x and y, 2: x, y and z
  uint8_t floatMode = 0;       ///< initial MODE[7:0]: round and denormals
  bool dx10Clamp = false, ieeeMode = false, fp16Overflow = false;
  bool tgSplit = false;
  bool sgprPrivateSegmentBuffer = false, sgprDispatchPtr = false;
  bool sgprQueuePtr = false, sgprKernargPtr = false, sgprDispatchId = false;
  bool sgprFlatScratchInit = false, sgprPrivateSegmentSize = false;
  bool dynamicStack = false;
  unsigned preloadDwords = 0;       ///< kernarg dwords in SGPRs at the start
  unsigned preloadOffsetDwords = 0; ///< the first one
};

/// A kernel: its descriptor and what the metadata note adds.
struct Kernel {
  std::string name;
  uint64_t descriptorAddress = 0; ///< virtual address of NAME.kd
  uint64_t entryAddress = 0;      ///< virtual address of the first instruction
  uint64_t endAddress = 0;        ///< end of the symbol, or of .text
  KernelDescriptor descriptor;

  /// From the note; present is false if the note does not name the kernel.
  bool hasMetadata = false;
  std::vector<ArgumentMetadata> arguments;
  uint32_t metadataKernargBytes = 0;
  uint32_t kernargAlign = 0;
  uint32_t maxFlatWorkgroupSize = 0;                         ///< 0: not stated
  std::array<uint32_t, 3> requiredWorkgroupSize = {0, 0, 0}; ///< 0: any
  unsigned vgprCount = 0, agprCount = 0, sgprCount = 0;
  unsigned vgprSpills = 0, sgprSpills = 0;

  /// Size of the kernarg segment: the note's if it has one.
  uint32_t kernargBytes() const {
    return metadataKernargBytes ? metadataKernargBytes
                                : descriptor.kernargBytes;
  }
};

/// A part of the file that is mapped when the object is loaded (PT_LOAD).
struct Segment {
  uint64_t address = 0; ///< virtual
  uint64_t memoryBytes = 0;
  llvm::ArrayRef<uint8_t> contents; ///< the rest of memoryBytes is zero
};

/// A dynamic relocation that the loader applies: writes loadBase + addend
/// (plus the symbol's address, resolved here) as 64 bits at \c address.
struct Relocation {
  uint64_t address = 0;
  uint64_t value = 0; ///< before the load base is added
};

class CodeObject {
public:
  CodeObject(CodeObject &&) = default;
  CodeObject &operator=(CodeObject &&) = default;
  /// Parses a copy of \p bytes.
  static llvm::Expected<CodeObject> parse(llvm::ArrayRef<uint8_t> bytes);
  /// Reads and parses a file; errors name it.
  static llvm::Expected<CodeObject> readFile(llvm::StringRef path);

  const TargetInfo &target() const { return *targetInfo; }
  llvm::ArrayRef<Kernel> kernels() const { return kernelList; }
  /// The kernel \p name, or an error that lists the kernels there are.
  llvm::Expected<const Kernel &> findKernel(llvm::StringRef name) const;
  /// The one kernel that there is, or an error that says how many there are.
  llvm::Expected<const Kernel &> onlyKernel() const;

  llvm::ArrayRef<Segment> segments() const { return segmentList; }
  llvm::ArrayRef<Relocation> relocations() const { return relocationList; }
  llvm::ArrayRef<uint8_t> bytes() const { return data; }

  /// Contents and virtual address of .text.
  llvm::ArrayRef<uint8_t> text() const { return textBytes; }
  uint64_t textAddress() const { return textStart; }
  /// Decodes the whole of .text.
  llvm::Expected<Disassembly> disassemble() const;

private:
  friend class CodeObjectParser;
  CodeObject() = default;
  std::string kernelNames() const;

  const TargetInfo *targetInfo = nullptr;
  /// On the heap, so that the slices below survive a move.
  std::vector<uint8_t> data;
  std::vector<Kernel> kernelList;
  std::vector<Segment> segmentList;
  std::vector<Relocation> relocationList;
  llvm::ArrayRef<uint8_t> textBytes;
  uint64_t textStart = 0;
};

} // namespace fly

#endif // FLY_CODEOBJECT_CODEOBJECT_H
