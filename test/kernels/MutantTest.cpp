//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Every wait and every barrier of the shipped kernels is needed, and the
/// emulator knows it: with any one of them removed from the linked object, or
/// with a count raised by one, it reports; the intact object raises nothing.

#include "KernelTest.h"

#include "fly/CodeObject/CodeObject.h"
#include "fly/CodeObject/CodePatch.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

#include <set>

using namespace fly;
using namespace llvm;

namespace {

struct Case {
  std::string name, file, variant, arch = "gfx950";
  /// Barriers of a rotated loop without which every byte is in order all the
  /// same: two that keep phases apart, as the proof finds too (a part is
  /// written long before it is read); and, where each wave copies one KiB of a
  /// slot, those before reads of A: a wave group reads only rows that its own
  /// waves wrote, while the proof takes a slot as a whole.
  size_t looseBarriers = 0;
};
void PrintTo(const Case &value, std::ostream *os) { *os << value.name; }

class Mutant : public KernelTest, public testing::WithParamInterface<Case> {
protected:
  Mutant() : KernelTest(GetParam().arch) {}

  const CompiledKernel &compiled() const {
    return compiledKernel(GetParam().file, GetParam().variant, arch);
  }
  /// Loops of no, one and several rounds, with and without a partial K tile,
  /// over more than one tile of M and N.
  std::vector<Problem> problems() const {
    const Manifest &manifest = compiled().manifest;
    std::vector<Problem> problems;
    for (int64_t k : {manifest.tileK, 2 * manifest.tileK,
                      5 * manifest.tileK + manifest.tileK / 2}) {
      Shape shape;
      shape.n = manifest.tileN + 16;
      shape.k = k;
      shape.m = 200;
      if (manifest.groupAlignment) {
        shape.groups = 2;
        shape.layout = makeLayout({{1, 130}, {0, 20}}, manifest.groupAlignment);
        shape.m = shape.layout.size();
      }
      problems.push_back(unwrap(Problem::create(manifest, shape)));
    }
    return problems;
  }

  /// Without a wait on the sizes a loop may take any number of rounds.
  std::unique_ptr<Device> makeDevice() const {
    EmulatorOptions options;
    options.maxInstructionsPerWave = 100000;
    return unwrap(createEmulatorDevice(arch, options));
  }

  /// Whether \p object is reported on some of the problems.
  bool isReported(ArrayRef<char> object) const {
    std::unique_ptr<Device> device = makeDevice();
    for (Problem &problem : problems()) {
      problem.manifest.contentHash = Manifest::hashOf(object);
      auto kernel = unwrap(device->load(object, problem.manifest));
      Operands operands = unwrap(makeExactOperands(problem, 1));
      auto execution = execute(*device, *kernel, problem, operands);
      // A launch that cannot go on is noticed as well.
      if (!execution) {
        consumeError(execution.takeError());
        return true;
      }
      if (any_of(execution->reports, [](const Report &report) {
            return report.severity == Report::Severity::Error;
          }))
        return true;
    }
    return false;
  }
};

/// A wait is not needed behind the last LDS access and barrier: "the hardware
/// implicitly executes S_WAITCNT 0" at S_ENDPGM (CDNA3 ISA manual, SOPP).
bool onlyEndFollows(ArrayRef<Instruction> rest) {
  return none_of(rest, [](const Instruction &inst) {
    return inst.toLds || inst.unit == Unit::Lds || inst.key == "s_barrier" ||
           inst.isIndirect || (inst.isBranch && inst.target <= inst.address);
  });
}

constexpr uint8_t sNop0[] = {0x00, 0x00, 0x80, 0xbf};

/// The encoded waits with one count of \p inst raised by one.
SmallVector<std::array<uint8_t, 4>> raisedCounts(const Instruction &inst) {
  constexpr uint32_t sWaitcnt = 0xbf8c0000;
  SmallVector<std::array<uint8_t, 4>> words;
  WaitCount wait = WaitCount::decode(uint16_t(inst.operand(0).imm));
  for (auto [count, most] :
       {std::pair(&WaitCount::vm, 63u), std::pair(&WaitCount::lgkm, 15u)}) {
    WaitCount raised = wait;
    if (raised.*count >= most)
      continue;
    ++(raised.*count);
    support::endian::write32le(words.emplace_back().data(),
                               sWaitcnt | (raised.vm & 15) |
                                   (raised.vm >> 4) << 14 | raised.exp << 4 |
                                   raised.lgkm << 8);
  }
  return words;
}

TEST_P(Mutant, EveryMissingWaitOrBarrierIsReported) {
  if (testDevice(arch)->kind() != "emulator")
    GTEST_SKIP() << "only the emulator reports";
  const SmallVector<char, 0> &object = compiled().object;
  EXPECT_FALSE(isReported(object)) << "the intact kernel";
  CodeObject parsed = unwrap(CodeObject::parse(
      arrayRefFromStringRef(StringRef(object.data(), object.size()))));
  Disassembly code = unwrap(parsed.disassemble());
  int64_t mutants = 0;
  std::set<uint64_t> notNeeded, loose;
  auto expectReported = [&](size_t i, ArrayRef<uint8_t> bytes) {
    const Instruction &inst = code.instructions()[i];
    SmallVector<char, 0> mutant = object;
    unwrap(patchCode(mutant, inst.address, bytes));
    ++mutants;
    if (isReported(mutant))
      return;
    if (onlyEndFollows(code.instructions().drop_front(i + 1)))
      notNeeded.insert(inst.address);
    else if (inst.key == "s_barrier" && GetParam().looseBarriers)
      loose.insert(inst.address);
    else
      ADD_FAILURE() << formatv("{0:x}: {1} became {2}", inst.address,
                               code.text(inst), toHex(bytes))
                           .str();
  };
  for (auto [i, inst] : enumerate(code.instructions())) {
    if (inst.key == "s_waitcnt" || inst.key == "s_barrier")
      expectReported(i, sNop0);
    if (inst.key == "s_waitcnt")
      for (const auto &bytes : raisedCounts(inst))
        expectReported(i, bytes);
  }
  // The drain's wait.
  EXPECT_LE(notNeeded.size(), 1u);
  EXPECT_EQ(loose.size(), GetParam().looseBarriers);
  EXPECT_GE(mutants, 15);
}

INSTANTIATE_TEST_SUITE_P(
    , Mutant,
    testing::Values(
        Case{"grouped_128x128", "grouped_gemm_blockscale_contiguous.mlir",
             "128x128"},
        Case{"grouped_128x256", "grouped_gemm_blockscale_contiguous.mlir",
             "128x256"},
        Case{"bf16_128x128", "gemm_a16w16.mlir", "bf16_128x128"},
        Case{"bf16_256x256", "gemm_a16w16.mlir", "bf16_256x256"},
        Case{"bf16_256x256_4w", "gemm_a16w16.mlir", "bf16_256x256_4w"},
        Case{"bf16_128x128_staged", "gemm_a16w16.mlir", "bf16_128x128_staged",
             "gfx942"},
        Case{"bf16_256x256_staged", "gemm_a16w16.mlir", "bf16_256x256_staged",
             "gfx942",
             /*looseBarriers=*/10},
        Case{"256x128x32_staged", "../test/kernels/Inputs/staged_gemm.mlir",
             "256x128x32_2x2", "gfx942", /*looseBarriers=*/2}),
    [](const testing::TestParamInfo<Case> &info) { return info.param.name; });

} // namespace
