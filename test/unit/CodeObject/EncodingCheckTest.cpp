//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Any bytes are decoded and printed, to instructions whose operands exist or
/// to '.long'. What LLVM does not survive shows best under AddressSanitizer.

#include "fly/CodeObject/Disassembly.h"

#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <random>

using namespace fly;

namespace {

constexpr uint32_t nop = 0xbf800000, literalSource = 255;
const char *const chips[] = {"gfx950", "gfx942"};

Disassembly decodeWords(llvm::ArrayRef<uint32_t> words, const char *chip) {
  llvm::ArrayRef bytes(reinterpret_cast<const uint8_t *>(words.data()),
                       words.size() * 4);
  return llvm::cantFail(
      Disassembly::decode(llvm::cantFail(lookupTarget(chip)), bytes, 0x1000));
}

/// Prints every instruction; what is wrong with its operands.
std::string findFault(const Disassembly &code) {
  for (const Instruction &inst : code.instructions()) {
    std::string text = code.text(inst);
    bool isLong = llvm::StringRef(text).starts_with(".long 0x");
    if (text.empty() || isLong == inst.valid || inst.size == 0 ||
        inst.size > code.endAddress() - inst.address)
      return text;
    for (const Operand &op : inst.operands())
      if ((op.isDef && op.isImm()) ||
          (op.isVector() && op.row() % 256 + op.dwords > 256) ||
          (op.isReg() && op.dwords == 0))
        return text;
  }
  return "";
}

/// Values at which the meaning of a field changes.
struct RandomWords {
  std::mt19937 random{1};

  uint32_t source() {
    static const uint16_t edges[] = {
        0,   1,   100, 101, 102, 103, 104, 106, 107, 108, 120, 123, 124, 125,
        126, 127, 128, 129, 192, 193, 208, 209, 234, 235, 238, 239, 240, 247,
        248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 384, 480, 481, 496,
        497, 500, 503, 504, 505, 506, 507, 508, 509, 510, 511};
    return random() % 4 ? edges[random() % std::size(edges)] : random() & 511;
  }
  /// The low half of an encoding whose opcode is in the high one, or of VOP1,
  /// VOP2, VOPC (a source and two registers) or SOP1 (opcode and source).
  uint32_t lowHalf() {
    switch (random() % 4) {
    case 0:
      return random() & 0xffff;
    case 1:
      return source() | (random() & 0xfe00);
    case 2:
      return (random() & 0xff00) | (source() & 0xff);
    default:
      return random() % 2 ? 0 : 0xffff;
    }
  }
  /// Three sources of 9 bits and modifiers, or four fields of 8 bits.
  uint32_t second() {
    switch (random() % 4) {
    case 0:
      return source() | source() << 9 | source() << 18 | random() << 27;
    case 1:
      return source() | source() << 9 | source() << 18;
    case 2:
      return (source() & 255) | (source() & 255) << 8 | (source() & 255) << 16 |
             source() << 24;
    default:
      return uint32_t(random());
    }
  }
};

/// The registers that a source of format \p format (cbsz, blgp) has.
unsigned registersOf(unsigned format) {
  return format == 4 ? 4 : format == 2 || format == 3 ? 6 : 8;
}

} // namespace

// The high half holds the encoding, and of most encodings the opcode as well.
TEST(EncodingCheck, AnyHighHalfDecodesToOperandsThatExist) {
  for (const char *chip : chips) {
    RandomWords random;
    std::vector<uint32_t> words;
    for (unsigned round = 0; round != 4; ++round)
      for (uint32_t high = 0; high != 0x10000; ++high) {
        words.push_back(high << 16 | random.lowHalf());
        words.push_back(random.second());
      }
    words.insert(words.end(), 4, nop);
    Disassembly code = decodeWords(words, chip);
    EXPECT_EQ(findFault(code), "") << chip;
    // Some are hidden behind others that are longer.
    unsigned seen = 0;
    for (size_t at = 0; at != words.size(); at += 2)
      seen += code.indexAt(0x1000 + 4 * at) >= 0;
    EXPECT_GT(seen, words.size() / 2 * 3 / 4) << chip;
  }
}

TEST(EncodingCheck, MatrixOperandsOfEveryFormatAreRegisters) {
  constexpr uint32_t scale[] = {0xd3ac0000, 0x00020501};
  for (bool isScaled : {false, true})
    for (uint32_t opcode : {0xd3ad0000u, 0xd3ae0000u}) {
      std::vector<uint32_t> words;
      std::vector<bool> expected;
      for (uint32_t format = 0; format != 8; ++format)
        for (uint32_t source = 0; source != 512; ++source)
          for (uint32_t acc : {0, 1})
            for (bool isB : {false, true}) {
              // LLVM looks for eight accumulators, whatever the format.
              if (acc && source + 8 > 512)
                continue;
              if (isScaled)
                words.insert(words.end(), std::begin(scale), std::end(scale));
              uint32_t other = 0x108, none = 0x80 << 18;
              words.push_back(opcode | isScaled << 11 |
                              (isB ? 0 : format << 8));
              words.push_back(none | acc << (isB ? 28 : 27) |
                              (isB ? other | source << 9 | format << 29
                                   : source | other << 9));
              expected.push_back(source >= 256 &&
                                 source + registersOf(format) <= 512);
            }
      Disassembly code = decodeWords(words, "gfx950");
      EXPECT_EQ(findFault(code), "");
      unsigned step = isScaled ? 16 : 8;
      ASSERT_EQ(code.instructions().size(), expected.size());
      for (size_t i = 0; i != expected.size(); ++i) {
        const Instruction &inst = code.instructions()[i];
        ASSERT_EQ(inst.size, step) << code.text(inst);
        ASSERT_EQ(inst.valid, expected[i]) << code.text(inst);
      }
    }
}

TEST(EncodingCheck, ImpossibleEncodingsAreNoInstruction) {
  struct Case {
    uint32_t first, second;
    bool valid;
  };
  const Case cases[] = {
      // VOP3: no source is a literal.
      {0xd1cb0001, 0x040e0501, true},
      {0xd1cb0001, 0x040e0400 | literalSource, false},
      {0xd1cb0001, 0x040c0001 | literalSource << 9, false},
      {0xd1cb0001, 0x00020501 | literalSource << 18, false},
      // Compares write a scalar register.
      {0xd0c90004, 0x00020501, true},
      {0xd0c9007e, 0x00020501, true},
      {0xd0c90080, 0x00020501, false},
      {0xd0c900c1, 0x00020501, false},
      {0xd0c900f2, 0x00020501, false},
      {0xd0c900ff, 0x00020501, false},
      // Buffers: the offset is a scalar register or an inline constant.
      {0xe0501000, 0x80010102, true},
      {0xe0501000, 0xff010102, false},
      // A carry is a scalar register.
      {0xd1000001, 0x00120501, true},
      {0xd1000001, 0x04120501, false},
      // Tuples end within the register file.
      {0xd3cd0000, 0x03ca0501, true},
      {0xd3cd00fe, 0x03ca0501, false},
  };
  for (const char *chip : chips)
    for (const Case &c : cases) {
      Disassembly code = decodeWords({c.first, c.second, nop}, chip);
      ASSERT_EQ(code.instructions().size(), 2u);
      const Instruction &inst = code.instructions()[0];
      EXPECT_EQ(inst.valid, c.valid) << code.text(inst);
      if (!c.valid)
        EXPECT_EQ(
            code.text(inst),
            llvm::formatv(".long {0:x8}, {1:x8}", c.first, c.second).str());
    }
}

// LLVM 22 takes 255 there for a literal, and may not survive what follows.
TEST(EncodingCheck, ScalarDestinationsAreRegisters) {
  for (const char *chip : chips)
    for (uint32_t opcode : {0xd2890000u, 0xd0c90000u})
      for (uint32_t destination = 0; destination != 256; ++destination)
        // The code that follows, as a literal and as an instruction.
        for (uint32_t next : {0x7e020280u, 0xd1e8160eu}) {
          Disassembly code = decodeWords(
              {opcode | destination, 0x00010b1f, next, 0x0412353d, nop}, chip);
          EXPECT_EQ(findFault(code), "");
          const Instruction &inst = code.instructions()[0];
          if (destination >= 128) {
            EXPECT_FALSE(inst.valid) << code.text(inst);
            EXPECT_EQ(inst.size, 8);
          }
          if (destination < 102)
            EXPECT_TRUE(inst.valid) << code.text(inst);
        }
  for (const char *chip : chips)
    for (uint32_t destination = 0; destination != 256; ++destination) {
      // v_readfirstlane_b32 of v1
      Disassembly code =
          decodeWords({0x7e000501 | destination << 17, 0xd1e8160e, nop}, chip);
      EXPECT_EQ(findFault(code), "");
      const Instruction &inst = code.instructions()[0];
      EXPECT_EQ(inst.size, 4);
      EXPECT_TRUE(destination >= 102 || inst.valid) << code.text(inst);
      EXPECT_FALSE(destination >= 128 && inst.valid) << code.text(inst);
    }
}

TEST(EncodingCheck, MatricesReadVectorsAndAddConstants) {
  std::vector<uint32_t> words;
  for (uint32_t opcode = 0xd3b4; opcode != 0xd400; ++opcode)
    for (unsigned operand : {0, 1, 2})
      for (uint32_t source = 0; source != 512; ++source) {
        words.push_back(opcode << 16);
        words.push_back((0x04221108 & ~(511u << (9 * operand))) |
                        source << (9 * operand));
      }
  for (const char *chip : chips) {
    Disassembly code = decodeWords(words, chip);
    unsigned numValid = 0;
    for (size_t at = 0; at != words.size(); at += 2) {
      int64_t index = code.indexAt(0x1000 + 4 * at);
      if (index < 0)
        continue;
      const Instruction &inst = code.instructions()[index];
      if (!inst.valid || inst.unit != Unit::Mfma)
        continue;
      ++numValid;
      EXPECT_TRUE(inst.operand(1).isVector() && inst.operand(2).isVector() &&
                  !inst.operand(3).isScalar())
          << code.text(inst);
    }
    EXPECT_GT(numValid, 10000u);
  }
}

TEST(EncodingCheck, SourcesOfManyRegistersAreVectors) {
  struct Case {
    uint32_t first;
    unsigned operand, registers;
  };
  // v_cvt_scalef32_pk32_f32_fp6, v_cvt_scalef32_pk32_fp6_bf16,
  // v_cvt_scalef32_2xpk16_fp6_f32; v_mqsad_u32_u8 adds to four.
  for (Case c : {Case{0xd2560000, 0, 6}, Case{0xd2590000, 0, 16},
                 Case{0xd2520000, 0, 16}, Case{0xd2520000, 1, 16},
                 Case{0xd1e70000, 2, 4}}) {
    std::vector<uint32_t> words;
    for (uint32_t source = 0; source != 512; ++source) {
      uint32_t others = c.first == 0xd2560000 || c.first == 0xd2590000
                            ? 0x00021108
                            : 0x04221108;
      words.push_back(c.first);
      words.push_back((others & ~(511u << (9 * c.operand))) |
                      source << (9 * c.operand));
      words.insert(words.end(), 4, nop);
    }
    Disassembly code = decodeWords(words, "gfx950");
    for (uint32_t source = 0; source != 512; ++source) {
      const Instruction &inst =
          code.instructions()[code.indexAt(0x1000 + 24 * source)];
      EXPECT_EQ(inst.valid, source >= 256 && source + c.registers <= 512)
          << code.text(inst);
    }
  }
}

TEST(EncodingCheck, CodeMayEndWithinAnInstruction) {
  const uint32_t whole[][4] = {
      {0x800100ff, 7},                                   // s_add_u32, literal
      {0xbe8100ff, 7},                                   // s_mov_b32, literal
      {0xbf0001ff, 7},                                   // s_cmp_eq_i32
      {0xba010001, 7},                                   // s_setreg_imm32_b32
      {0x7e0202ff, 7},                                   // v_mov_b32, literal
      {0x020202ff, 7},                                   // v_add_f32, literal
      {0x7d8402ff, 7},                                   // v_cmp_eq_u32
      {0x2e020501, 7},                                   // v_madmk_f32
      {0x7e0202f9, 0x00060601},                          // SDWA
      {0x7e0202fa, 0xff00e401},                          // DPP
      {0xc0020001, 0x10},                                // s_load_dword
      {0xd1cb0001, 0x040e0501},                          // v_fma_f32
      {0xe0501000, 0x80010102},                          // buffer_load_dword
      {0xdc508000, 0x017f0002},                          // global_load_dword
      {0xd86c0000, 0x01000002},                          // ds_read_b32
      {0xd3ac0000, 0x00020501, 0xd3ad0800, 0x02021108}}; // scaled matrix
  for (const char *chip : chips)
    for (const auto &words : whole)
      for (unsigned size : {1, 2, 3}) {
        std::vector<uint32_t> cut(words, words + size);
        EXPECT_EQ(findFault(decodeWords(cut, chip)), "") << words[0];
      }
  for (const auto &words : whole)
    EXPECT_FALSE(decodeWords({words[0]}, "gfx950").instructions()[0].valid)
        << words[0];
}
