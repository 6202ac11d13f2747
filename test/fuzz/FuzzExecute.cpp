//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The decoder and the executor: the input is machine code, run behind a
/// prologue that leaves the address of a buffer in s[8:9], a descriptor of it
/// in s[12:15] and the lane, times 1, 4 and 16, in v31, v30 and v29.
///
/// Input: five bytes, then little-endian instruction words, at most 64.
///   0  bit 0: gfx942 instead of gfx950; bits 1, 2: rounding of MFMA;
///      bit 3: range checks without SOFFSET; bit 4: drop low address bits
///   1  threads of a workgroup - 1
///   2  static LDS in units of 64 bytes
///   3  scratch of a lane in dwords
///   4  workgroups - 1, modulo 3

#include "Launching.h"
#include "LinkedObject.h"

#include "llvm/Support/Endian.h"

#include <algorithm>
#include <cstring>

using namespace fly;

namespace {

constexpr unsigned headerBytes = 5, codeWords = 64;
constexpr uint32_t fillWord = 0xbf80000f; // s_nop 15

constexpr char prologue[] = R"(
  s_load_dwordx4 s[8:11], s[0:1], 0x0
  v_mov_b32 v31, v0
  v_lshlrev_b32 v30, 2, v31
  v_lshlrev_b32 v29, 4, v31
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s12, s8
  s_mov_b32 s13, s9
  s_mov_b32 s14, s10
  s_mov_b32 s15, 0x27000
  .fill 64, 4, 0xbf80000f
)";

/// An object of one kernel, and where its code and its descriptor are in it.
struct Template {
  std::vector<uint8_t> bytes;
  size_t code = 0, descriptor = 0;

  explicit Template(const char *arch) {
    test::KernelOptions options;
    options.kernargBytes = 128;
    // So that the descriptor enables scratch.
    options.scratchBytes = 4;
    bytes = test::linkSource(arch, test::kernelSource(options, prologue));
    auto object = llvm::cantFail(CodeObject::parse(bytes));
    uint64_t address = object.kernels()[0].descriptorAddress;
    for (const Segment &segment : object.segments())
      if (address - segment.address < segment.contents.size())
        descriptor = size_t(segment.contents.data() - object.bytes().data()) +
                     address - segment.address;
    std::vector<uint8_t> fill(codeWords * 4);
    for (unsigned i = 0; i != codeWords; ++i)
      llvm::support::endian::write32le(fill.data() + 4 * i, fillWord);
    code = size_t(
        std::search(bytes.begin(), bytes.end(), fill.begin(), fill.end()) -
        bytes.begin());
    if (descriptor == 0 || code == bytes.size())
      __builtin_trap();
  }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Template templates[] = {Template("gfx950"), Template("gfx942")};
  if (size < headerBytes)
    return 0;
  fuzz::Launch launch;
  launch.kernel = "k";
  unsigned flags = data[0];
  launch.options.mfmaRounding = MfmaRounding((flags >> 1 & 3) % 3);
  launch.options.rangeCheckIncludesSoffset = !(flags >> 3 & 1);
  launch.options.dropLowAddressBits = flags >> 4 & 1;
  launch.block = {data[1] + 1u, 1, 1};
  launch.grid = {data[4] % 3 + 1u, 1, 1};
  const Template &from = templates[flags & 1];
  std::vector<uint8_t> bytes = from.bytes;
  std::memcpy(bytes.data() + from.code, data + headerBytes,
              std::min<size_t>(size - headerBytes, codeWords * 4));
  // group_segment_fixed_size and private_segment_fixed_size.
  uint8_t *descriptor = bytes.data() + from.descriptor;
  llvm::support::endian::write32le(descriptor, data[2] * 64u);
  llvm::support::endian::write32le(descriptor + 4, data[3] * 4u);
  fuzz::run(bytes, flags & 1 ? "gfx942" : "gfx950", launch);
  return 0;
}
