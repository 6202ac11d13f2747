//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Addresses and range checks of buffer instructions. For family files only.
///
/// The descriptor (V#) of gfx9, 128 bits: base [47:0], stride [61:48],
/// swizzle enable [63], num_records [95:64], word 3: stride [17:14] when
/// add_tid_en is set [118:115], index stride [118+..] 22:21, add_tid_en bit 23
/// (CDNA4 ISA manual 9.1.5, "Buffer Resource Descriptor").

#ifndef FLY_LIB_EMULATOR_BUFFERADDRESS_H
#define FLY_LIB_EMULATOR_BUFFERADDRESS_H

#include "MemoryAccess.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

struct BufferDescriptor {
  uint64_t base;
  uint32_t stride, numRecords;
  bool swizzle, addTid;
  uint32_t indexStride; ///< in records, of swizzled buffers
  uint32_t word3;       ///< with DST_SEL, the number and the data format

  static BufferDescriptor read(const Wave &w, const Operand &op) {
    uint32_t word[4];
    for (unsigned i = 0; i != 4; ++i)
      word[i] = readScalarCode(w, op.index + i);
    BufferDescriptor d;
    d.base = word[0] | uint64_t(word[1] & 0xffff) << 32;
    d.stride = word[1] >> 16 & 0x3fff;
    d.swizzle = word[1] >> 31;
    d.numRecords = word[2];
    d.addTid = word[3] >> 23 & 1;
    if (d.addTid)
      d.stride |= (word[3] >> 15 & 15) << 14;
    d.indexStride = 8u << (word[3] >> 21 & 3);
    d.word3 = word[3];
    return d;
  }
};

/// The operands of a MUBUF instruction, whatever its form.
struct BufferOperands {
  const Operand *data = nullptr; ///< null in the direct-to-LDS form
  const Operand *index = nullptr, *offset = nullptr; ///< VGPRs
  unsigned offsetDword = 0; ///< of the VGPR pair (index, offset)
  const Operand *descriptor = nullptr, *soffset = nullptr;
  uint32_t instOffset = 0;
  uint32_t typedFormat = 0; ///< of tbuffer: data format | number format << 4

  explicit BufferOperands(const ExecInst &inst) {
    unsigned i = 0;
    if (!inst.inst->toLds)
      data = &inst.ops[i++];
    if (inst.addressMode != AddressMode::Offset) {
      const Operand *address = &inst.ops[i++];
      if (inst.addressMode != AddressMode::Offen)
        index = address;
      if (inst.addressMode != AddressMode::Idxen)
        offset = address;
      offsetDword = inst.addressMode == AddressMode::Bothen;
    }
    descriptor = &inst.ops[i++];
    soffset = &inst.ops[i++];
    instOffset = uint32_t(inst.ops[i].imm);
    if (i + 1 != inst.numOps)
      typedFormat = uint32_t(inst.ops[i + 1].imm);
  }
};

/// Which lanes are in range, for the dword at byte \p bytes - 1 and before.
/// \p offset is the checked byte offset of each lane.
inline uint64_t lanesBelow(const uint64_t *offset, uint64_t bytes,
                           uint64_t limit) {
  uint64_t result = 0;
  for (unsigned l = 0; l != waveLanes; ++l)
    result |= uint64_t(offset[l] + bytes <= limit) << l;
  return result;
}

/// Fills address, mask and valid of \p a. \p wholeOrNothing: atomics and format
/// instructions.
inline void bufferAddresses(Wave &w, const BufferOperands &ops, MemoryAccess &a,
                            unsigned bytes, bool wholeOrNothing) {
  BufferDescriptor d = BufferDescriptor::read(w, *ops.descriptor);
  uint32_t soffset = readScalar32(w, *ops.soffset);
  static const uint32_t zeros[waveLanes] = {};
  const uint32_t *vindex = ops.index ? w.regs[ops.index->row()] : zeros;
  const uint32_t *voffset =
      ops.offset ? w.regs[ops.offset->row() + ops.offsetDword] : zeros;
  bool byIndex = ops.index && d.stride != 0;
  bool unchecked = d.addTid && !ops.index;
  uint32_t checkedSoffset = w.rangeCheckIncludesSoffset ? soffset : 0;
  uint32_t dropped = w.dropLowAddressBits && bytes >= 4 ? 3 : 0;
  alignas(64) uint64_t checked[waveLanes];
  uint64_t highest = 0;
  for (unsigned l = 0; l != waveLanes; ++l) {
    uint32_t offset = voffset[l] + ops.instOffset; // wraps at 32 bits
    uint32_t index = vindex[l] + (d.addTid ? l : 0);
    uint64_t relative = offset + uint64_t(d.stride) * index;
    if (d.swizzle)
      relative = uint64_t(index / d.indexStride) * d.stride * d.indexStride +
                 uint64_t(offset / 4) * 4 * d.indexStride +
                 uint64_t(index % d.indexStride) * 4 + offset % 4;
    a.address[l] = (d.base + soffset + relative) & ~uint64_t(dropped);
    // This sum wraps at 32 bits too, the address does not.
    checked[l] = byIndex ? index : offset + checkedSoffset;
    highest = checked[l] > highest ? checked[l] : highest;
  }
  bool allInRange =
      unchecked || highest + (byIndex ? 1 : bytes) <= d.numRecords;
  a.mask = w.exec();
  unsigned dwords = (bytes + 3) / 4;
  for (unsigned i = 0; i != 4; ++i) {
    unsigned end = bytes < 4 ? bytes : 4 * (i + 1);
    if (i >= dwords)
      a.valid[i] = 0;
    else if (allInRange)
      a.valid[i] = ~uint64_t(0);
    else if (byIndex)
      a.valid[i] = lanesBelow(checked, 1, d.numRecords);
    else
      a.valid[i] =
          lanesBelow(checked, wholeOrNothing ? bytes : end, d.numRecords);
  }
}

} // namespace
} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly

#endif // FLY_LIB_EMULATOR_BUFFERADDRESS_H
