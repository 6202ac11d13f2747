//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ValuMachine.h"

#include "HandlerRegistry.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace llvm;

namespace fly::test {

ValuMachine::ValuMachine(StringRef arch) : wave(std::make_unique<emu::Wave>()) {
  std::memset(wave->regs, 0, sizeof(wave->regs));
  std::memset(wave->scalars, 0, sizeof(wave->scalars));
  wave->target = &cantFail(lookupTarget(arch));
  wave->mode = 0xf0;
  setExec(~uint64_t(0));
}

struct ValuMachine::Decoded {
  explicit Decoded(Disassembly decoded) : code(std::move(decoded)) {}
  Disassembly code;
  emu::ExecInst inst;
};

const ValuMachine::Decoded *ValuMachine::decode(const std::string &text) {
  auto [it, isNew] = known.try_emplace(text);
  if (!isNew)
    return it->second.get();
  Expected<std::vector<uint8_t>> bytes =
      assembleText(*wave->target, text + "\n");
  if (!bytes) {
    consumeError(bytes.takeError());
    return nullptr;
  }
  auto decoded = std::make_shared<Decoded>(
      cantFail(Disassembly::decode(*wave->target, *bytes, 0)));
  const Instruction &instruction = decoded->code.instructions()[0];
  emu::ExecInst &inst = decoded->inst;
  inst.inst = &instruction;
  inst.ops = instruction.firstOperand;
  inst.numOps = instruction.numOperands;
  inst.numDefs = instruction.numDefs;
  inst.encoding = instruction.encoding;
  inst.unit = instruction.unit;
  cantFail(emu::HandlerRegistry::get()).resolve(*wave->target, inst);
  it->second = decoded;
  return decoded.get();
}

void ValuMachine::run(StringRef text) {
  const Decoded *decoded = decode(text.str());
  ASSERT_TRUE(decoded) << "does not assemble: " << text.str();
  ASSERT_TRUE(decoded->inst.handler) << "no handler for " << text.str();
  decoded->inst.handler(*wave, decoded->inst);
}

bool ValuMachine::canRun(StringRef text) {
  const Decoded *decoded = decode(text.str());
  return decoded && decoded->inst.handler;
}

/// Calls \p run with lanes filled from all combinations of values.
template <typename T>
static void overCombinations(
    unsigned numSources, const std::vector<T> &values,
    function_ref<void(const std::vector<std::array<T, 3>> &)> run) {
  size_t total = 1;
  for (unsigned i = 0; i < numSources; ++i)
    total *= values.size();
  for (size_t first = 0; first < total; first += 64) {
    std::vector<std::array<T, 3>> lanes;
    for (size_t n = first; n < std::min(total, first + 64); ++n) {
      size_t rest = n;
      std::array<T, 3> sources = {};
      for (unsigned i = 0; i < numSources; ++i) {
        sources[i] = values[rest % values.size()];
        rest /= values.size();
      }
      lanes.push_back(sources);
    }
    run(lanes);
  }
}

void ValuMachine::check32(
    StringRef op, unsigned numSources, const std::vector<uint32_t> &values,
    const std::function<uint32_t(const uint32_t *)> &expected,
    StringRef modifiers) {
  std::string text = op.str() + " v0";
  for (unsigned i = 1; i <= numSources; ++i)
    text += ", v" + std::to_string(i);
  text += modifiers.str();
  unsigned wrong = 0;
  overCombinations<uint32_t>(numSources, values, [&](const auto &lanes) {
    for (size_t l = 0; l < lanes.size(); ++l)
      for (unsigned i = 0; i < numSources; ++i)
        vgpr(1 + i)[l] = lanes[l][i];
    run(text);
    for (size_t l = 0; l < lanes.size(); ++l) {
      uint32_t value = expected(lanes[l].data());
      if (vgpr(0)[l] == value || ++wrong > 3)
        continue;
      ADD_FAILURE() << text << std::hex << " of " << lanes[l][0] << " "
                    << lanes[l][1] << " " << lanes[l][2] << " is " << vgpr(0)[l]
                    << ", expected " << value;
    }
  });
  EXPECT_EQ(wrong, 0u) << text;
}

void ValuMachine::check64(
    StringRef op, unsigned numSources, const std::vector<uint64_t> &values,
    const std::function<uint64_t(const uint64_t *)> &expected) {
  std::string text = op.str() + " v[0:1]";
  for (unsigned i = 1; i <= numSources; ++i)
    text +=
        ", v[" + std::to_string(2 * i) + ":" + std::to_string(2 * i + 1) + "]";
  unsigned wrong = 0;
  overCombinations<uint64_t>(numSources, values, [&](const auto &lanes) {
    for (size_t l = 0; l < lanes.size(); ++l)
      for (unsigned i = 0; i < numSources; ++i) {
        vgpr(2 + 2 * i)[l] = uint32_t(lanes[l][i]);
        vgpr(3 + 2 * i)[l] = uint32_t(lanes[l][i] >> 32);
      }
    run(text);
    for (size_t l = 0; l < lanes.size(); ++l) {
      uint64_t value = expected(lanes[l].data());
      uint64_t actual = vgpr(0)[l] | uint64_t(vgpr(1)[l]) << 32;
      if (actual == value || ++wrong > 3)
        continue;
      ADD_FAILURE() << text << std::hex << " of " << lanes[l][0] << " "
                    << lanes[l][1] << " " << lanes[l][2] << " is " << actual
                    << ", expected " << value;
    }
  });
  EXPECT_EQ(wrong, 0u) << text;
}

static std::mt19937_64 &engine() {
  static std::mt19937_64 generator(99);
  return generator;
}

std::vector<uint32_t> floatSamples(unsigned random) {
  std::vector<uint32_t> values = {
      0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000,
      0x3f800000, 0xbf800000, 0x3f000000, 0x40490fdb, 0x7f7fffff, 0xff7fffff,
      0x7f800000, 0xff800000, 0x7fc00000, 0x7fa00001, 0x4b000001, 0xcb7fffff};
  for (unsigned i = 0; i < random; ++i)
    values.push_back(uint32_t(engine()()));
  for (unsigned i = 0; i < random; ++i)
    values.push_back(uint32_t(engine()()) >> 9 | 0x3e800000);
  return values;
}

std::vector<uint32_t> halfSamples(unsigned random) {
  std::vector<uint32_t> values = {0,      0x8000, 1,      0x8001, 0x03ff,
                                  0x0400, 0x3c00, 0xbc00, 0x3800, 0x7bff,
                                  0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7d01};
  for (unsigned i = 0; i < random; ++i)
    values.push_back(uint32_t(engine()()) & 0xffff);
  return values;
}

std::vector<uint64_t> doubleSamples(unsigned random) {
  std::vector<uint64_t> values = {0,
                                  uint64_t(1) << 63,
                                  1,
                                  0x000fffffffffffff,
                                  0x0010000000000000,
                                  bits64(1),
                                  bits64(-1),
                                  bits64(0.5),
                                  bits64(3.141592653589793),
                                  0x7fefffffffffffff,
                                  0x7ff0000000000000,
                                  0xfff0000000000000,
                                  0x7ff8000000000000};
  for (unsigned i = 0; i < random; ++i)
    values.push_back(engine()());
  for (unsigned i = 0; i < random; ++i)
    values.push_back(engine()() >> 12 | 0x3fe0000000000000);
  return values;
}

std::vector<uint32_t> intSamples(unsigned random) {
  std::vector<uint32_t> values = {
      0,          1,   2,          31,         32,         33,     0x7fffffff,
      0x80000000, ~0u, 0xfffffffe, 0x00ffffff, 0x00800000, 0xffff, 0x8000};
  for (unsigned i = 0; i < random; ++i)
    values.push_back(uint32_t(engine()()));
  return values;
}

} // namespace fly::test
