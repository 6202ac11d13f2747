//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The sparse matrix instructions against products of whole matrices, in which
// two of every four elements of A's rows are zero.

#include "fly/Emulator/Smfmac.h"

#include "MfmaReference.h"

#include "../Support/Unwrap.h"
#include "gtest/gtest.h"

#include <cmath>
#include <map>
#include <memory>
#include <random>

using namespace fly;
using namespace fly::test;

namespace {

struct Form {
  const char *name, *arch;
};
const Form forms[] = {
    {"v_smfmac_f32_16x16x32_f16", "gfx942"},
    {"v_smfmac_f32_16x16x32_f16", "gfx950"},
    {"v_smfmac_f32_32x32x16_f16", "gfx942"},
    {"v_smfmac_f32_32x32x16_f16", "gfx950"},
    {"v_smfmac_f32_16x16x32_bf16", "gfx942"},
    {"v_smfmac_f32_16x16x32_bf16", "gfx950"},
    {"v_smfmac_f32_32x32x16_bf16", "gfx942"},
    {"v_smfmac_f32_32x32x16_bf16", "gfx950"},
    {"v_smfmac_i32_16x16x64_i8", "gfx942"},
    {"v_smfmac_i32_16x16x64_i8", "gfx950"},
    {"v_smfmac_i32_32x32x32_i8", "gfx942"},
    {"v_smfmac_i32_32x32x32_i8", "gfx950"},
    {"v_smfmac_f32_16x16x64_bf8_bf8", "gfx942"},
    {"v_smfmac_f32_16x16x64_bf8_bf8", "gfx950"},
    {"v_smfmac_f32_16x16x64_bf8_fp8", "gfx942"},
    {"v_smfmac_f32_16x16x64_bf8_fp8", "gfx950"},
    {"v_smfmac_f32_16x16x64_fp8_bf8", "gfx942"},
    {"v_smfmac_f32_16x16x64_fp8_bf8", "gfx950"},
    {"v_smfmac_f32_16x16x64_fp8_fp8", "gfx942"},
    {"v_smfmac_f32_16x16x64_fp8_fp8", "gfx950"},
    {"v_smfmac_f32_32x32x32_bf8_bf8", "gfx942"},
    {"v_smfmac_f32_32x32x32_bf8_bf8", "gfx950"},
    {"v_smfmac_f32_32x32x32_bf8_fp8", "gfx942"},
    {"v_smfmac_f32_32x32x32_bf8_fp8", "gfx950"},
    {"v_smfmac_f32_32x32x32_fp8_bf8", "gfx942"},
    {"v_smfmac_f32_32x32x32_fp8_bf8", "gfx950"},
    {"v_smfmac_f32_32x32x32_fp8_fp8", "gfx942"},
    {"v_smfmac_f32_32x32x32_fp8_fp8", "gfx950"},
    {"v_smfmac_f32_16x16x64_f16", "gfx950"},
    {"v_smfmac_f32_32x32x32_f16", "gfx950"},
    {"v_smfmac_f32_16x16x64_bf16", "gfx950"},
    {"v_smfmac_f32_32x32x32_bf16", "gfx950"},
    {"v_smfmac_i32_16x16x128_i8", "gfx950"},
    {"v_smfmac_i32_32x32x64_i8", "gfx950"},
    {"v_smfmac_f32_16x16x128_bf8_bf8", "gfx950"},
    {"v_smfmac_f32_16x16x128_bf8_fp8", "gfx950"},
    {"v_smfmac_f32_16x16x128_fp8_bf8", "gfx950"},
    {"v_smfmac_f32_16x16x128_fp8_fp8", "gfx950"},
    {"v_smfmac_f32_32x32x64_bf8_bf8", "gfx950"},
    {"v_smfmac_f32_32x32x64_bf8_fp8", "gfx950"},
    {"v_smfmac_f32_32x32x64_fp8_bf8", "gfx950"},
    {"v_smfmac_f32_32x32x64_fp8_fp8", "gfx950"},
};

/// A at v0, B at v16, indices at v32, D at a0; the matrices in whole.
struct Problem {
  Problem(const Form &form, unsigned seed, uint8_t cbsz, uint8_t abid)
      : target(unwrap(lookupTarget(form.arch))), random(seed),
        storage(512 * 64 + 16) {
    shape = unwrap(parseMfmaName(form.name, MfmaModifiers()));
    for (MfmaRounding rounding :
         {MfmaRounding::SequentialFused, MfmaRounding::ExactThenRound,
          MfmaRounding::Cdna3Grouped})
      smfmac.push_back(
          unwrap(Smfmac::create(form.name, cbsz, abid, target, rounding)));
    void *start = storage.data();
    size_t space = storage.size() * 4;
    std::align(64, 512 * 256, start, space);
    regs = static_cast<uint32_t (*)[64]>(start);
    for (unsigned r = 0; r != 512; ++r)
      for (unsigned l = 0; l != 64; ++l)
        regs[r][l] = uint32_t(random());
    unsigned setBits = shape.k * shape.m / 64;
    shift = cbsz == 0 ? abid % (32 / setBits) * setBits : 0;
    fill();
  }

  uint64_t smallCode(MfmaType type, int &value) {
    value = int(random() % 9) - 4;
    if (type == MfmaType::I8)
      return uint8_t(value);
    return codes(type)[value + 4];
  }
  /// Of -4 to 4; zero is +0.
  const std::vector<uint64_t> &codes(MfmaType type) {
    static std::map<std::pair<MfmaType, Fp8Format>, std::vector<uint64_t>>
        known;
    std::vector<uint64_t> &list = known[{type, target.fp8}];
    if (!list.empty())
      return list;
    list.resize(9);
    for (uint64_t code = 65535; code--;) {
      double value = elementValue(type, target.fp8, code);
      if (std::fabs(value) <= 4 && value == std::floor(value))
        list[size_t(value + 4)] = code;
    }
    return list;
  }
  void put(unsigned row, unsigned lane, unsigned n, unsigned bits,
           uint64_t code) {
    uint32_t &word = regs[row + n * bits / 32][lane];
    unsigned at = n * bits % 32;
    uint32_t mask = ((uint64_t(1) << bits) - 1) << at;
    word = (word & ~mask) | (uint32_t(code << at) & mask);
  }
  void fill() {
    unsigned k = shape.k, perLane = k * shape.m / 64,
             bits = mfmaTypeBits(shape.a);
    a.assign(shape.m * k, 0);
    b.assign(shape.n * k, 0);
    for (unsigned i = 0; i != shape.m; ++i)
      for (unsigned four = 0; four != k; four += 4) {
        unsigned first = random() % 3,
                 second = first + 1 + random() % (3 - first);
        for (unsigned which : {0u, 1u}) {
          unsigned place = which ? second : first;
          unsigned kept = four / 2 + which;
          unsigned lane = kept / (perLane / 2) * shape.m + i;
          unsigned e = kept % (perLane / 2);
          put(0, lane, e, bits, smallCode(shape.a, a[i * k + four + place]));
          put(32, lane, shift / 2 + e, 2, place);
        }
      }
    for (unsigned j = 0; j != shape.n; ++j)
      for (unsigned at = 0; at != k; ++at)
        put(16, at / perLane * shape.n + j, at % perLane, bits,
            smallCode(shape.b, b[j * k + at]));
    for (unsigned r = 0; r != shape.dRegisters(); ++r)
      for (unsigned l = 0; l != 64; ++l) {
        int c = int(random() % 200) - 100;
        float f = float(c);
        uint32_t word = uint32_t(c);
        if (shape.result == MfmaResult::F32)
          std::memcpy(&word, &f, 4);
        regs[256 + r][l] = word;
      }
  }
  unsigned laneOf(unsigned i, unsigned j) const {
    return i / 4 % (64 / shape.n) * shape.n + j;
  }
  unsigned registerOf(unsigned i) const {
    return i / (256 / shape.n) * 4 + i % 4;
  }
  double at(unsigned i, unsigned j) const {
    uint32_t word = regs[256 + registerOf(i)][laneOf(i, j)];
    float f;
    std::memcpy(&f, &word, 4);
    return shape.result == MfmaResult::F32 ? double(f) : double(int32_t(word));
  }
  std::vector<double> result() const {
    std::vector<double> values;
    for (unsigned i = 0; i != shape.m; ++i)
      for (unsigned j = 0; j != shape.n; ++j)
        values.push_back(at(i, j));
    return values;
  }
  std::vector<double> expected() const {
    std::vector<double> values = result();
    for (unsigned i = 0; i != shape.m; ++i)
      for (unsigned j = 0; j != shape.n; ++j)
        for (unsigned k = 0; k != shape.k; ++k)
          values[i * shape.n + j] += a[i * shape.k + k] * b[j * shape.k + k];
    return values;
  }
  SmfmacOperands operands() const {
    SmfmacOperands o;
    o.b = 16;
    o.indices = 32;
    o.d = 256;
    return o;
  }

  const TargetInfo &target;
  std::mt19937 random;
  std::vector<uint32_t> storage;
  std::vector<Smfmac> smfmac; ///< one a policy
  MfmaShape shape;
  uint32_t (*regs)[64];
  unsigned shift = 0;
  std::vector<int> a, b;
};

} // namespace

TEST(Smfmac, TheListIsWhole) {
  std::set<std::string> names[2];
  for (const Form &form : forms)
    names[form.arch == std::string("gfx950")].insert(form.name);
  EXPECT_EQ(names[0], matrixInstructions("v_smfmac_", "gfx942"));
  EXPECT_EQ(names[1], matrixInstructions("v_smfmac_", "gfx950"));
}

TEST(Smfmac, EveryFormIsTheProductOfTheWholeMatrices) {
  for (const Form &form : forms)
    for (unsigned policy = 0; policy != 3; ++policy) {
      Problem p(form, policy + 1, 0, 0);
      std::vector<double> expected = p.expected();
      p.smfmac[policy].execute(p.regs, p.operands());
      EXPECT_EQ(p.result(), expected)
          << form.name << " on " << form.arch << " policy " << policy;
    }
}

TEST(Smfmac, CbszAndAbidChooseTheSetOfIndices) {
  for (const Form &form : {forms[0], forms[8], forms[28], forms[32]})
    for (uint8_t abid = 0; abid != 4; ++abid)
      for (uint8_t cbsz : {uint8_t(0), uint8_t(1)}) {
        Problem p(form, 7, cbsz, abid);
        std::vector<double> expected = p.expected();
        p.smfmac[0].execute(p.regs, p.operands());
        EXPECT_EQ(p.result(), expected)
            << form.name << " cbsz " << int(cbsz) << " abid " << int(abid);
      }
}

TEST(Smfmac, WhatTheIndicesLeaveOutDoesNotTakePart) {
  Problem p({"v_smfmac_f32_16x16x32_f16", "gfx950"}, 3, 0, 0);
  // All rows keep places 0 and 1 of each four; places 2 and 3 are NaN.
  for (unsigned lane = 0; lane != 64; ++lane) {
    p.regs[32][lane] = 0x44;
    for (unsigned r = 0; r != 2; ++r)
      p.regs[0 + r][lane] = 0x3c003c00; // ones
    for (unsigned r = 0; r != 4; ++r)
      p.regs[16 + r][lane] = r % 2 ? 0x7e007e00 : 0x40003c00; // 1 and 2
    for (unsigned r = 0; r != 4; ++r)
      p.regs[256 + r][lane] = 0;
  }
  p.smfmac[0].execute(p.regs, p.operands());
  EXPECT_EQ(p.result(), std::vector<double>(256, 8 * (1 + 2)));
}

TEST(Smfmac, PoliciesDifferAsTheyShould) {
  // 1 + 2^-24 + 2^-24: sequential loses both halves, exact keeps their sum.
  Problem p({"v_smfmac_f32_16x16x32_bf16", "gfx950"}, 3, 0, 0);
  for (unsigned lane = 0; lane != 64; ++lane) {
    p.regs[32][lane] = 0x44;
    bool first = lane < 16;
    p.regs[0][lane] = first ? 0x33803380 : 0; // 2^-24
    p.regs[1][lane] = 0;
    for (unsigned r = 0; r != 4; ++r) {
      p.regs[16 + r][lane] = 0x3f803f80;
      p.regs[256 + r][lane] = 0x3f800000;
    }
  }
  p.smfmac[0].execute(p.regs, p.operands());
  EXPECT_EQ(p.at(0, 0), 1.0);
  p.regs[256][0] = 0x3f800000;
  p.smfmac[1].execute(p.regs, p.operands());
  EXPECT_EQ(p.at(0, 0), 1.0 + std::ldexp(1.0, -23));
}

TEST(Smfmac, DestinationMayBeTheRegistersOfAnOperand) {
  Problem p({"v_smfmac_i32_16x16x64_i8", "gfx942"}, 5, 0, 0);
  // D on top of B: C is what B's bits are as integers.
  for (unsigned r = 0; r != 4; ++r)
    std::memcpy(p.regs[256 + r], p.regs[16 + r], 256);
  std::vector<double> expected = p.expected();
  SmfmacOperands o = p.operands();
  o.d = 16;
  p.smfmac[0].execute(p.regs, o);
  for (unsigned r = 0; r != 4; ++r)
    std::memcpy(p.regs[256 + r], p.regs[16 + r], 256);
  EXPECT_EQ(p.result(), expected);
}

TEST(Smfmac, OtherNamesAreErrors) {
  const TargetInfo &target = unwrap(lookupTarget("gfx950"));
  for (const char *name :
       {"v_smfmac_f32_16x16x16_f16", "v_mfma_f32_16x16x32_f16",
        "v_smfmac_f32_16x16x32_i8", "v_smfmac_"})
    EXPECT_TRUE(llvm::errorToBool(
        Smfmac::create(name, 0, 0, target, MfmaRounding::SequentialFused)
            .takeError()))
        << name;
}
