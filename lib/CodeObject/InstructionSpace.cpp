//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/CodeObject/InstructionSpace.h"

#include "EncodingCheck.h"
#include "McTarget.h"
#include "OpcodeTable.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/MC/MCInst.h"
#include "llvm/Support/Endian.h"

#include <array>

using namespace llvm;

namespace fly {

namespace {
/// One encoding: the fixed bits of its first dword, where its opcode field is,
/// what else of the first dword to try, and second dwords to try with each.
struct EncodingSpace {
  uint32_t fixed;
  unsigned opcodeShift, opcodeBits;
  std::vector<uint32_t> firsts;
  std::vector<uint32_t> seconds;
};
} // namespace

// Layouts: CDNA4 ISA manual, chapter "Microcode Formats". VGPR operands are at
// multiples of 8, so tuples are aligned and those of most instructions apart.
static std::vector<EncodingSpace> encodings() {
  // Second dwords of SDWA (VOP1 has one source, VOPC a scalar destination) and
  // DPP (64-bit instructions take row_newbcast only).
  const std::vector<uint32_t> sdwa = {0x06060608, 0x00060608, 0x06060008, 0};
  const std::vector<uint32_t> dpp = {0xff00e408, 0xff015008};
  // Sources v8, v16, v24; then scalars in the places that want them.
  const std::vector<uint32_t> vop3 = {0x04622108, 0x0c622108, 0x00622108,
                                      0x04602108, 0x00002108, 0x00402008,
                                      0x04402008, 0x00002008, 0};
  const std::vector<uint32_t> flat = {
      0x207f1008, 0x20081008, 0x20001008, 0x207f0008, 0x20080008, 0x20000008,
      0x007f1008, 0x00081008, 0x00001008, 0x20ff1008, 0x20881008};
  // Fields that an instruction does not use have to be zero.
  const std::vector<uint32_t> ds = {0x20181008, 0x20001008, 0x20000008,
                                    0x20000000, 0x00181008, 0x00001008,
                                    0x00000008, 0};
  std::vector<uint32_t> flatForms;
  for (uint32_t segment : {0u, 1u, 2u})
    for (uint32_t vectorAddress : {0u, 1u})
      for (uint32_t glc : {0u, 1u})
        flatForms.push_back(segment << 14 | vectorAddress << 13 | glc << 16);
  std::vector<uint32_t> bufferForms;
  for (uint32_t address : {0u, 1u, 2u, 3u})
    for (uint32_t toLds : {0u, 1u})
      for (uint32_t glc : {0u, 1u})
        bufferForms.push_back(address << 12 | toLds << 16 | glc << 14);
  std::vector<uint32_t> typedForms; // of the format 32_32_32_32 float
  for (uint32_t address : {0u, 1u, 2u, 3u})
    typedForms.push_back(address << 12 | 14u << 19 | 7u << 23);
  return {
      {0x80000000, 23, 7, {0x00080408, 0x00100808}, {0}}, // SOP2
      {0xb0000000, 23, 5, {0x00080004}, {0x0000ffc1, 0}}, // SOPK
      {0xbe800000, 8, 8, {0x00080008}, {0}},              // SOP1
      {0xbf000000, 16, 7, {0x00000408, 0x00000808}, {0}}, // SOPC
      {0xbf800000, 16, 7, {0}, {0}},                      // SOPP
      {0x00000000, 25, 6, {0x00102108}, {0x00000008}},    // VOP2
      {0x00000000, 25, 6, {0x001020f9}, sdwa},            //
      {0x00000000, 25, 6, {0x001020fa}, dpp},             //
      {0x7e000000, 9, 8, {0x00100108, 0}, {0}},           // VOP1
      {0x7e000000, 9, 8, {0x001000f9}, sdwa},             //
      {0x7e000000, 9, 8, {0x001000fa}, dpp},              //
      {0x7c000000, 17, 8, {0x00002108}, {0}},             // VOPC
      {0x7c000000, 17, 8, {0x000020f9}, sdwa},            //
      {0x7c000000, 17, 8, {0x000020fa}, dpp},             //
      {0xd0000000, 16, 10, {0x20, 0x2020, 0x8020}, vop3}, // VOP3, VOP3P, MAI
      {0xd4000000, 16, 10, {0x20}, {0x00002008}},         // VINTRP
      {0xc0000000,
       18,
       8,
       {0x00020404, 0x00000404, 0x00024404, 0x00030404, 0x00010404, 0x00034404},
       {0x10, 0x10000010}},                              // SMEM
      {0xc4000000, 4, 6, {0}, {0x20181008}},             // EXP
      {0xd8000000, 17, 8, {0, 0x10000, 0x2000000}, ds},  // DS
      {0xdc000000, 18, 7, flatForms, flat},              // FLAT
      {0xe0000000, 18, 7, bufferForms, {0x80021008, 0}}, // MUBUF
      {0xe8000000, 15, 4, typedForms, {0x80021008}},     // MTBUF
      {0xf0000000, 18, 7, {0x0f00}, {0x00021008}},       // MIMG
  };
}

Expected<std::vector<uint8_t>> instructionSpace(const TargetInfo &target) {
  Expected<std::unique_ptr<McTarget>> mc = McTarget::create(target);
  if (!mc)
    return mc.takeError();
  std::vector<uint8_t> result;
  OpcodeTable opcodes(**mc);
  DenseSet<unsigned> seen;
  auto tryWords = [&](std::array<uint32_t, 4> words) {
    uint8_t bytes[maxInstructionBytes] = {};
    for (unsigned i = 0; i != 4; ++i)
      support::endian::write32le(bytes + 4 * i, words[i]);
    if (impossibleEncodingSize(bytes))
      return;
    MCInst inst;
    uint64_t size = 0;
    if ((*mc)->disassembler->getInstruction(inst, size, bytes, 0, nulls()) !=
            MCDisassembler::Success ||
        !opcodes.admitsOperands(inst))
      return;
    if (seen.insert(inst.getOpcode()).second)
      result.insert(result.end(), bytes, bytes + size);
  };
  for (const EncodingSpace &encoding : encodings())
    for (uint32_t op = 0; op != uint32_t(1) << encoding.opcodeBits; ++op)
      for (uint32_t first : encoding.firsts)
        for (uint32_t second : encoding.seconds)
          tryWords({encoding.fixed | op << encoding.opcodeShift | first, second,
                    0, 0});
  // The scaled matrix instructions: a prefix and a matrix instruction, whose
  // operands have a width for each format.
  for (uint32_t op : {0xd3ad0000u, 0xd3ae0000u})
    for (uint32_t acc : {0u, 0x8000u})
      for (uint32_t a = 0; a != 5; ++a)
        for (uint32_t b = 0; b != 5; ++b) {
          uint32_t first = op | acc | 0x20 | a << 8;
          uint32_t second = 0x04622108 | b << 29;
          tryWords({first, second, 0, 0});
          tryWords({0xd3ac0000, 0x00010308, first | 0x800, second});
        }
  return result;
}

} // namespace fly
