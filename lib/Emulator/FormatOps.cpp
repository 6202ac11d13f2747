//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Typed buffer accesses: buffer_load_format, whose element format and DST_SEL
/// are the descriptor's, and tbuffer_load_format, whose format is the
/// instruction's. An element is in range as a whole or not at all.

#include "BufferAddress.h"
#include "LaneMemory.h"
#include "TypedFormat.h"

#include "fly/Emulator/Handlers.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

enum class Width {
  Dword,  ///< a register for each value
  Packed, ///< d16: two values in a register
  High    ///< d16_hi: one value, in the high half
};

/// The values of one lane's element, selected by DST_SEL; zeros of an element
/// that is out of range (\p element null). What the format lacks is 0, W is 1.
void decodeElement(const uint8_t *element, const TypedFormat &f,
                   uint32_t *values) {
  uint32_t one = f.isInteger() ? 1 : bitsOfFloat(1.0f);
  uint32_t fields[4] = {0, 0, 0, one};
  for (unsigned i = 0; i != f.numFields; ++i)
    fields[i] = element
                    ? decodeField(readField(element, f, i), f.bits[i], f.number)
                    : 0;
  for (unsigned i = 0; i != 4; ++i)
    values[i] = f.select[i] >= 4   ? fields[f.select[i] - 4]
                : f.select[i] == 1 ? one
                                   : 0;
}

template <unsigned count, Width width>
void performFormatLoad(Wave &w, MemoryAccess &a) {
  TypedFormat f = TypedFormat::of(a.format);
  Row values[4];
  for (unsigned l = 0; l != waveLanes; ++l) {
    const uint8_t *element = nullptr;
    if ((a.mask & a.valid[0]) >> l & 1)
      element = resolveLane<Space::Global>(w, a, l, a.address[l], f.bytes());
    uint32_t lane[4];
    decodeElement(element, f, lane);
    for (unsigned i = 0; i != count; ++i)
      values[i].lane[l] = width == Width::Dword || f.isInteger()
                              ? lane[i]
                              : halfOfFloat(floatOfBits(lane[i]));
  }
  if (width == Width::Dword) {
    for (unsigned i = 0; i != count; ++i)
      writeRowMasked(w, a.firstRow + i, values[i].lane, a.mask);
    return;
  }
  for (unsigned i = 0; i < count; i += 2) {
    Row packed;
    const uint32_t *old = w.regs[(a.firstRow + i / 2) & (numRegisterRows - 1)];
    for (unsigned l = 0; l != waveLanes; ++l) {
      uint32_t low = values[i].lane[l] & 0xffff;
      uint32_t high = i + 1 < count ? values[i + 1].lane[l] << 16 : 0;
      packed.lane[l] =
          width == Width::High ? (old[l] & 0xffff) | low << 16 : low | high;
    }
    writeRowMasked(w, a.firstRow + i / 2, packed.lane, a.mask);
  }
}

/// One value a lane to LDS; zeros where the element is out of range.
void performFormatToLds(Wave &w, MemoryAccess &a) {
  TypedFormat f = TypedFormat::of(a.format);
  for (uint64_t rest = a.mask; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctzll(rest));
    const uint8_t *element = nullptr;
    if (a.valid[0] >> l & 1)
      element = resolveLane<Space::Global>(w, a, l, a.address[l], f.bytes());
    uint32_t values[4];
    decodeElement(element, f, values);
    if (uint8_t *to = copyTarget(w, a, l, 4))
      __builtin_memcpy(to, values, 4);
  }
}

/// Fields that no value goes to become 0.
template <unsigned count, Width width>
void performFormatStore(Wave &w, MemoryAccess &a) {
  TypedFormat f = TypedFormat::of(a.format);
  for (uint64_t rest = a.mask & a.valid[0]; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctzll(rest));
    uint8_t element[16] = {};
    bool written[4] = {};
    for (unsigned i = 0; i != count; ++i) {
      unsigned field = f.select[i] - 4u;
      if (f.select[i] < 4 || field >= f.numFields || written[field])
        continue;
      written[field] = true;
      uint32_t value = a.data[width == Width::Dword ? i : i / 2].lane[l];
      if (width != Width::Dword) {
        value = value >> (width == Width::High || i % 2 ? 16 : 0) & 0xffff;
        if (f.number == Sint)
          value = uint32_t(int32_t(int16_t(value)));
        else if (f.number != Uint)
          value = bitsOfFloat(floatOfHalf(value));
      }
      writeField(element, f, field,
                 encodeField(value, f.bits[field], f.number));
    }
    if (uint8_t *to =
            resolveLane<Space::Global>(w, a, l, a.address[l], f.bytes()))
      __builtin_memcpy(to, element, f.bytes());
  }
}

/// False, and the wave fails, if the format is none.
template <bool typed>
bool startFormat(Wave &w, const BufferOperands &ops, MemoryAccess &a) {
  uint32_t word3 = BufferDescriptor::read(w, *ops.descriptor).word3;
  a.format = typed ? (ops.typedFormat & 127) | identitySelect
                   : (word3 >> 15 & 15) | (word3 >> 12 & 7) << 4 |
                         (word3 & 0xfff) << 8;
  TypedFormat f = TypedFormat::of(a.format);
  if (f.numFields == 0) {
    w.fail("the data and number format of this access are not a pair that "
           "buffers have");
    return false;
  }
  bufferAddresses(w, ops, a, f.bytes(), true);
  a.space = Space::Global;
  a.counter = Counter::Vm;
  a.bytes = uint8_t(f.bytes());
  a.writesRows = false;
  return true;
}

template <bool typed, unsigned count, Width width>
void formatLoad(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = w.memory->begin(w, inst);
  BufferOperands ops(inst);
  if (!startFormat<typed>(w, ops, a))
    return;
  a.perform = performFormatLoad<count, width>;
  a.kind = AccessKind::Load;
  a.writesRows = true;
  a.firstRow = uint16_t(ops.data->row());
  a.numRows = width == Width::Dword ? count : (count + 1) / 2;
  w.memory->submit(w, a);
}

template <bool typed, unsigned count, Width width>
void formatStore(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = w.memory->begin(w, inst);
  BufferOperands ops(inst);
  if (!startFormat<typed>(w, ops, a))
    return;
  captureData(w, a, *ops.data);
  a.perform = performFormatStore<count, width>;
  a.kind = AccessKind::Store;
  w.memory->submit(w, a);
}

void formatToLds(Wave &w, const ExecInst &inst) {
  MemoryAccess &a = w.memory->begin(w, inst);
  BufferOperands ops(inst);
  if (!startFormat<false>(w, ops, a))
    return;
  uint32_t base = (w.m0() & 0x3ffff) + ops.instOffset;
  for (unsigned l = 0; l != waveLanes; ++l)
    a.ldsAddress[l] = base + l * 4;
  a.perform = performFormatToLds;
  a.kind = AccessKind::LoadToLds;
  w.memory->submit(w, a);
}

/// The forms of one and of four values, and those between.
template <bool typed, Width width>
void addWidth(HandlerTable &t, const char *prefix, const char *infix) {
  auto add = [&](const char *verb, const char *values, Handler handler) {
    char key[64];
    unsigned n = 0;
    for (const char *part : {prefix, verb, infix, values})
      while (*part)
        key[n++] = *part++;
    t.add(llvm::StringRef(key, n), handler);
  };
  add("_load_format_", "x", formatLoad<typed, 1, width>);
  add("_load_format_", "xy", formatLoad<typed, 2, width>);
  add("_load_format_", "xyz", formatLoad<typed, 3, width>);
  add("_load_format_", "xyzw", formatLoad<typed, 4, width>);
  add("_store_format_", "x", formatStore<typed, 1, width>);
  add("_store_format_", "xy", formatStore<typed, 2, width>);
  add("_store_format_", "xyz", formatStore<typed, 3, width>);
  add("_store_format_", "xyzw", formatStore<typed, 4, width>);
}

} // namespace

void addFormatOps(HandlerTable &t) {
  addWidth<false, Width::Dword>(t, "buffer", "");
  addWidth<false, Width::Packed>(t, "buffer", "d16_");
  addWidth<true, Width::Dword>(t, "tbuffer", "");
  addWidth<true, Width::Packed>(t, "tbuffer", "d16_");
  t.add("buffer_load_format_d16_hi_x", formatLoad<false, 1, Width::High>);
  t.add("buffer_store_format_d16_hi_x", formatStore<false, 1, Width::High>);
  t.add("buffer_load_format_x_lds", formatToLds);
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
