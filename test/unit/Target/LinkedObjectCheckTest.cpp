//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ParsedModule.h"

#include "fly/CodeObject/CodeObject.h"
#include "fly/CodeObject/CodePatch.h"
#include "fly/Target/SchedulePlan.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

#include "gtest/gtest.h"

#include <functional>
#include <random>

using namespace fly;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

using Kind = PlanEventKind;
using Bytes = SmallVector<char, 0>;

const TargetInfo &gfx950() { return llvm::cantFail(lookupTarget("gfx950")); }

constexpr char kernelName[] = "gemm_64x64x64";

/// The schedule that double-buffered.mlir states.
SchedulePlan plan() {
  std::vector<PlanEvent> tile = {
      PlanEvent::barrier(), PlanEvent::counted(Kind::FragmentRead, 8),
      PlanEvent::wait({}, 0), PlanEvent::counted(Kind::Mfma, 8)};
  PlanEvent copies = PlanEvent::counted(Kind::DirectCopy, 4);
  SchedulePlan plan;
  plan.prologue = {copies};
  plan.loop = {copies, PlanEvent::wait(4, {})};
  plan.loop.insert(plan.loop.end(), tile.begin(), tile.end());
  plan.loop.push_back(PlanEvent::barrier());
  plan.drain = {PlanEvent::wait(0, {})};
  plan.drain.insert(plan.drain.end(), tile.begin(), tile.end());
  return plan;
}

const Bytes &intact() {
  static const Bytes object = [] {
    ParsedModule parsed("double-buffered.mlir", ParsedModule::InputFile);
    return llvm::cantFail(generateObject(*parsed.module, gfx950()));
  }();
  return object;
}

std::string check(ArrayRef<char> object, const SchedulePlan &schedule = plan(),
                  StringRef kernel = kernelName) {
  return llvm::toString(checkLinkedObject(object, kernel, schedule));
}

/// The decoded pipeline, from the first copy to the last MFMA.
class LinkedObjectCheck : public testing::Test {
protected:
  void SetUp() override {
    auto bytes = reinterpret_cast<const uint8_t *>(intact().data());
    object = std::make_unique<CodeObject>(
        llvm::cantFail(CodeObject::parse({bytes, intact().size()})));
    code = std::make_unique<Disassembly>(llvm::cantFail(object->disassemble()));
    size_t first = 0, last = 0;
    ArrayRef<Instruction> all = code->instructions();
    for (size_t i = 0; i != all.size(); ++i) {
      if (all[i].toLds && first == 0)
        first = i;
      if (all[i].unit == Unit::Mfma)
        last = i;
    }
    ASSERT_GT(last, first);
    pipeline = all.slice(first, last - first + 1);
  }

  static bool isSync(const Instruction &inst) {
    return inst.key == "s_waitcnt" || inst.key == "s_barrier";
  }
  static bool isCounted(const Instruction &inst) {
    return inst.toLds || inst.unit == Unit::Lds || inst.unit == Unit::Mfma;
  }
  std::string text(const Instruction &inst) const {
    return llvm::utohexstr(inst.address, true) + ": " + code->text(inst);
  }

  /// The check's verdict on the object with \p source, assembled, over \p inst.
  std::string withPatch(const Instruction &inst, StringRef source) {
    Bytes mutant = intact();
    auto bytes = llvm::cantFail(assembleText(gfx950(), source));
    EXPECT_EQ(bytes.size(), inst.size) << source.str();
    llvm::cantFail(patchCode(mutant, inst.address, bytes));
    return check(mutant);
  }
  const Instruction &find(std::function<bool(const Instruction &)> matches) {
    for (const Instruction &inst : pipeline)
      if (matches(inst))
        return inst;
    ADD_FAILURE() << "no such instruction";
    return pipeline.front();
  }
  /// The first instruction called \p key in the loop.
  const Instruction &inLoop(StringRef key) {
    uint64_t header = 0;
    for (const Instruction &inst : pipeline)
      if (inst.isBranch)
        header = inst.target;
    return find([&](const Instruction &inst) {
      return inst.address >= header && inst.key == key;
    });
  }

  std::unique_ptr<CodeObject> object;
  std::unique_ptr<Disassembly> code;
  ArrayRef<Instruction> pipeline;
};

bool contains(StringRef text, StringRef part) { return text.contains(part); }

TEST_F(LinkedObjectCheck, AcceptsTheIntactObject) {
  EXPECT_EQ(check(intact()), "");
}

TEST_F(LinkedObjectCheck, EveryMissingWaitOrBarrierIsFound) {
  unsigned mutants = 0;
  for (const Instruction &inst : pipeline) {
    if (!isSync(inst))
      continue;
    Bytes mutant = intact();
    llvm::cantFail(replaceWithNops(mutant, inst.address, inst.size));
    EXPECT_PRED2(contains, check(mutant), "is missing") << text(inst);
    ++mutants;
  }
  EXPECT_EQ(mutants, 7u); // 4 in the loop, 3 in the drain
}

TEST_F(LinkedObjectCheck, EveryChangedCountIsFound) {
  unsigned mutants = 0;
  for (const Instruction &inst : pipeline) {
    if (inst.key != "s_waitcnt")
      continue;
    WaitCount count = WaitCount::decode(uint16_t(inst.operand(0).imm));
    for (int step : {-1, 1})
      for (unsigned WaitCount::*counter :
           {&WaitCount::vm, &WaitCount::lgkm, &WaitCount::exp}) {
        WaitCount changed = count;
        unsigned most = WaitCount().*counter;
        if ((step < 0 && count.*counter == 0) ||
            (step > 0 && count.*counter == most))
          continue;
        changed.*counter += step;
        uint32_t word = 0xbf8c0000u | changed.encode();
        uint8_t bytes[4];
        llvm::support::endian::write32le(bytes, word);
        Bytes mutant = intact();
        llvm::cantFail(patchCode(mutant, inst.address, bytes));
        std::string error = check(mutant);
        EXPECT_PRED2(contains, error, llvm::utohexstr(inst.address, true));
        EXPECT_TRUE(contains(error, "planned wait") ||
                    contains(error, "waits for exports"))
            << error;
        ++mutants;
      }
  }
  EXPECT_GE(mutants, 12u);
}

/// Each wait or barrier goes behind the next instruction that it orders, and
/// each such instruction behind the next wait or barrier.
TEST_F(LinkedObjectCheck, EveryMoveAcrossAWaitOrBarrierIsFound) {
  unsigned mutants = 0;
  for (size_t i = 0; i + 1 < pipeline.size(); ++i) {
    bool sync = isSync(pipeline[i]);
    if (!sync && !isCounted(pipeline[i]))
      continue;
    size_t next = i + 1;
    while (next < pipeline.size() && !pipeline[next].isBranch &&
           !(sync ? isCounted(pipeline[next]) : isSync(pipeline[next])))
      ++next;
    if (next == pipeline.size() || pipeline[next].isBranch)
      continue;
    Bytes mutant = intact();
    unsigned behind = unsigned(pipeline[next].address + pipeline[next].size -
                               pipeline[i].address - pipeline[i].size);
    llvm::cantFail(swapInstructions(mutant, pipeline[i].address,
                                    pipeline[i].size, behind));
    EXPECT_NE(check(mutant), "") << text(pipeline[i]);
    ++mutants;
  }
  EXPECT_GE(mutants, 30u);
}

TEST_F(LinkedObjectCheck, SwapsThatOrderNothingAreAccepted) {
  unsigned swaps = 0;
  for (size_t i = 0; i + 1 < pipeline.size(); ++i) {
    const Instruction &a = pipeline[i], &b = pipeline[i + 1];
    if (a.isBranch || b.isBranch || (isSync(a) && isSync(b)) ||
        (isSync(a) && isCounted(b)) || (isCounted(a) && isSync(b)))
      continue;
    Bytes mutant = intact();
    llvm::cantFail(swapInstructions(mutant, a.address, a.size, b.size));
    EXPECT_EQ(check(mutant), "") << text(a);
    ++swaps;
  }
  EXPECT_GE(swaps, 40u);
}

TEST_F(LinkedObjectCheck, EveryMissingCopyReadAndMfmaIsFound) {
  unsigned mutants = 0;
  for (const Instruction &inst : pipeline) {
    // The first copy is where the pipeline begins.
    if (!isCounted(inst))
      continue;
    Bytes mutant = intact();
    llvm::cantFail(replaceWithNops(mutant, inst.address, inst.size));
    EXPECT_PRED2(contains, check(mutant), "planned ") << text(inst);
    ++mutants;
  }
  EXPECT_EQ(mutants, 4u + 4 + 2 * (8 + 8));
}

TEST_F(LinkedObjectCheck, EveryChangeOfThePlanIsFound) {
  for (auto part :
       {&SchedulePlan::prologue, &SchedulePlan::loop, &SchedulePlan::drain})
    for (size_t i = 0; i != (plan().*part).size(); ++i) {
      SchedulePlan dropped = plan();
      (dropped.*part).erase((dropped.*part).begin() + i);
      EXPECT_NE(check(intact(), dropped), "");
      SchedulePlan changed = plan();
      PlanEvent &event = (changed.*part)[i];
      if (event.kind == Kind::Wait)
        (event.vmcnt ? event.vmcnt : event.lgkmcnt) = 7;
      else if (event.kind != Kind::Barrier)
        ++event.count;
      else
        continue;
      EXPECT_NE(check(intact(), changed), "");
    }
}

TEST_F(LinkedObjectCheck, WaitsOfThePlanWithNothingBetweenAreOne) {
  SchedulePlan split = plan();
  split.loop.insert(split.loop.begin() + 1, PlanEvent::wait(9, {}));
  EXPECT_EQ(check(intact(), split), "");
  split.loop[1].lgkmcnt = 3;
  EXPECT_PRED2(contains, check(intact(), split),
               "planned wait vmcnt(4) lgkmcnt(3)");
}

TEST_F(LinkedObjectCheck, AnAddedFullDrainIsFound) {
  std::string error = withPatch(inLoop("v_add_u32"), "s_waitcnt vmcnt(0)");
  EXPECT_PRED2(contains, error, "s_waitcnt vmcnt(0) is not planned");
  EXPECT_PRED2(contains, error, "s_waitcnt vmcnt(0) is a full drain");
}

TEST_F(LinkedObjectCheck, MovedAccumulatorsAreFound) {
  const Instruction &valu = inLoop("v_add_u32");
  EXPECT_PRED2(contains, withPatch(valu, "v_mov_b32 v60, v3"),
               "v_mov_b32_e32 v60, v3 moves an accumulator");
  EXPECT_PRED2(contains, withPatch(valu, "v_mov_b32 v3, v60"),
               "moves an accumulator");
  EXPECT_EQ(withPatch(valu, "v_mov_b32 v60, v61"), "");
  const Instruction &mfma = inLoop("v_mfma_f32_16x16x32_bf16");
  EXPECT_PRED2(contains, withPatch(mfma, "v_accvgpr_read_b32 v60, a0"),
               "v_accvgpr_read_b32 v60, a0 moves an accumulator");
  EXPECT_PRED2(contains,
               withPatch(mfma, "v_mfma_f32_16x16x32_bf16 v[60:63], v[22:25], "
                               "v[38:41], v[0:3]"),
               "does not add to its own registers");
  EXPECT_PRED2(contains,
               withPatch(mfma, "v_mfma_f32_16x16x32_bf16 v[0:3], v[22:25], "
                               "v[38:41], 0"),
               "does not add to its own registers");
  EXPECT_EQ(withPatch(mfma, "v_mfma_f32_16x16x32_bf16 a[0:3], v[22:25], "
                            "v[38:41], a[0:3]"),
            "");
}

TEST_F(LinkedObjectCheck, ScratchIsFound) {
  EXPECT_PRED2(
      contains,
      withPatch(inLoop("ds_read_b128"), "scratch_load_dword v60, off, off"),
      "scratch_load_dword v60, off, off accesses scratch");
}

TEST_F(LinkedObjectCheck, BranchesAreFound) {
  const Instruction &valu = inLoop("v_add_u32");
  EXPECT_PRED2(contains, withPatch(valu, "s_cbranch_vccz 2"),
               "leads around planned instructions");
  EXPECT_PRED2(contains, withPatch(valu, "s_cbranch_vccz 65500"),
               "leads around planned instructions");
  EXPECT_EQ(withPatch(valu, "s_branch 0"), "");
  // What cannot be reached is not there.
  EXPECT_PRED2(contains, withPatch(valu, "s_branch 2"), "7 LDS reads stand");
  EXPECT_PRED2(contains, withPatch(valu, "s_endpgm"), "has no loop");
  EXPECT_PRED2(contains, withPatch(valu, "s_setpc_b64 s[2:3]"), "has no loop");
}

TEST_F(LinkedObjectCheck, RandomBytesAreErrorsOrHarmless) {
  std::minstd_rand random(1);
  unsigned rejected = 0;
  constexpr unsigned mutants = 500;
  for (unsigned i = 0; i != mutants; ++i) {
    const Instruction &inst = pipeline[random() % pipeline.size()];
    uint8_t bytes[4];
    llvm::support::endian::write32le(bytes, uint32_t(random() * 2654435761u));
    Bytes mutant = intact();
    llvm::cantFail(patchCode(mutant, inst.address, bytes));
    rejected += !check(mutant).empty();
  }
  // What is not an event may become anything that is not one.
  EXPECT_GT(rejected, mutants / 2);
  for (unsigned i = 0; i != mutants; ++i) {
    Bytes mutant = intact();
    mutant[random() % mutant.size()] = char(random());
    mutant.truncate(mutant.size() - random() % 8);
    check(mutant); // must return
  }
}

TEST_F(LinkedObjectCheck, ForeignInstructionsAreFound) {
  Bytes mutant = intact();
  const uint8_t bytes[] = {0xff, 0xff, 0xff, 0xff};
  llvm::cantFail(patchCode(mutant, inLoop("v_add_u32").address, bytes));
  EXPECT_PRED2(contains, check(mutant), "is no instruction of this chip");
}

/// A linked kernel "k" of the assembly \p body.
Bytes assembleKernel(StringRef body) {
  std::string source =
      (".amdgcn_target \"amdgcn-amd-amdhsa--gfx950\"\n.text\n.globl k\n"
       ".p2align 8\n.type k,@function\nk:\n" +
       body +
       "\ns_endpgm\n.size k, .-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n"
       ".amdhsa_next_free_vgpr 128\n.amdhsa_next_free_sgpr 32\n"
       ".amdhsa_accum_offset 64\n.end_amdhsa_kernel\n")
          .str();
  auto object = llvm::cantFail(assembleObject(gfx950(), source));
  return llvm::cantFail(linkCodeObject(
      ArrayRef(reinterpret_cast<const char *>(object.data()), object.size())));
}

std::string loopKernel(StringRef body) {
  return ("buffer_load_dwordx4 v0, s[0:3], 0 offen lds\nL:\n" + body +
          "\ns_cbranch_scc1 L")
      .str();
}

SchedulePlan loopPlan(std::vector<PlanEvent> loop) {
  SchedulePlan plan;
  plan.prologue = {PlanEvent::counted(Kind::DirectCopy, 1)};
  plan.loop = std::move(loop);
  return plan;
}

TEST(LinkedObjectForms, EveryMfmaFormAccumulatesInPlace) {
  const char *forms[][2] = {
      {"v_mfma_f32_32x32x16_bf16 a[0:15], v[0:3], v[4:7], a[0:15]",
       "v_mfma_f32_32x32x16_bf16 a[0:15], v[0:3], v[4:7], a[16:31]"},
      {"v_mfma_f32_32x32x16_bf16 v[32:47], v[0:3], v[4:7], v[32:47]",
       "v_mfma_f32_32x32x16_bf16 v[32:47], v[0:3], v[4:7], v[48:63]"},
      {"v_mfma_scale_f32_16x16x128_f8f6f4 v[32:35], v[0:7], v[8:15], "
       "v[32:35], v16, v17 op_sel_hi:[0,0,0]",
       "v_mfma_scale_f32_16x16x128_f8f6f4 v[32:35], v[0:7], v[8:15], "
       "v[36:39], v16, v17 op_sel_hi:[0,0,0]"},
      {"v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[0:7], v[8:15], "
       "v[32:47], v16, v17 op_sel_hi:[0,0,0]",
       "v_mfma_scale_f32_32x32x64_f8f6f4 v[32:47], v[0:7], v[8:15], "
       "v[48:63], v16, v17 op_sel_hi:[0,0,0]"}};
  SchedulePlan plan = loopPlan({PlanEvent::counted(Kind::Mfma, 1)});
  for (auto [right, wrong] : forms) {
    EXPECT_EQ(check(assembleKernel(loopKernel(right)), plan, "k"), "");
    EXPECT_PRED2(contains, check(assembleKernel(loopKernel(wrong)), plan, "k"),
                 "does not add to its own registers");
  }
}

TEST(LinkedObjectForms, EveryKindIsCounted) {
  const std::pair<const char *, Kind> forms[] = {
      {"buffer_load_dwordx2 v[0:1], v2, s[0:3], 0 offen", Kind::RegisterLoad},
      {"global_load_dword v0, v[2:3], off", Kind::RegisterLoad},
      {"buffer_store_dword v0, v2, s[0:3], 0 offen", Kind::GlobalStore},
      {"global_atomic_add_f32 v[2:3], v0, off", Kind::GlobalStore},
      {"global_load_lds_dwordx4 v[0:1], off", Kind::DirectCopy},
      {"ds_read_b64_tr_b16 v[0:1], v2", Kind::FragmentRead},
      {"ds_bpermute_b32 v0, v1, v2", Kind::FragmentRead},
      {"ds_write_b128 v0, v[4:7]", Kind::LdsWrite},
      {"s_load_dword s0, s[2:3], 0x0", Kind::ScalarLoad},
      {"s_buffer_load_dword s0, s[4:7], 0x0", Kind::ScalarLoad}};
  std::string mfma = "v_mfma_f32_16x16x32_bf16 v[32:35], v[0:3], v[4:7], "
                     "v[32:35]\n";
  PlanEvent one = PlanEvent::counted(Kind::Mfma, 1);
  for (auto [form, kind] : forms) {
    Bytes object = assembleKernel(loopKernel(mfma + form));
    EXPECT_EQ(check(object, loopPlan({one, PlanEvent::counted(kind, 1)}), "k"),
              "");
    std::string error = check(object, loopPlan({one}), "k");
    EXPECT_PRED2(contains, error, ("1 " + describe(kind) + " stand").str());
  }
}

TEST(LinkedObjectForms, PlannedLoadsMayStandBeforeTheFirstCopy) {
  std::string mfma = "v_mfma_f32_16x16x32_bf16 v[32:35], v[0:3], v[4:7], "
                     "v[32:35]\n";
  std::string load = "buffer_load_dword v9, v2, s[0:3], 0 offen\n";
  Bytes object =
      assembleKernel(load + "s_waitcnt vmcnt(0)\n" + load + loopKernel(mfma));
  SchedulePlan plan = loopPlan({PlanEvent::counted(Kind::Mfma, 1)});
  EXPECT_EQ(check(object, plan, "k"), "");
  SchedulePlan after = plan;
  after.prologue.push_back(PlanEvent::counted(Kind::RegisterLoad, 1));
  EXPECT_PRED2(contains, check(object, after, "k"),
               "prologue: copies and loads stand in another order");
  plan.prologue.insert(plan.prologue.begin(),
                       PlanEvent::counted(Kind::RegisterLoad, 1));
  EXPECT_EQ(check(object, plan, "k"), "");
  plan.prologue.front().count = 2;
  EXPECT_PRED2(contains, check(object, plan, "k"),
               "prologue: 1 register loads stand at the end of the part, "
               "planned 2 register loads");
}

/// Groups of a few MFMA and one read or copy, as an interleaved phase plans.
TEST(LinkedObjectForms, EveryInstructionStandsInItsGroup) {
  std::string mfma = "v_mfma_f32_16x16x32_bf16 v[32:35], v[0:3], v[4:7], "
                     "v[32:35]\n";
  std::string read = "ds_read_b128 v[40:43], v9\n";
  std::string copy = "buffer_load_dwordx4 v0, s[0:3], 0 offen lds\n";
  std::string sync = "s_waitcnt vmcnt(3)\n";
  SchedulePlan plan =
      loopPlan({PlanEvent::wait(3, {}), PlanEvent::counted(Kind::Mfma, 1),
                PlanEvent::counted(Kind::FragmentRead, 1),
                PlanEvent::boundary(), PlanEvent::counted(Kind::Mfma, 2),
                PlanEvent::counted(Kind::DirectCopy, 1), PlanEvent::boundary(),
                PlanEvent::counted(Kind::Mfma, 1)});
  auto checkLoop = [&](const std::string &body) {
    return check(assembleKernel(loopKernel(sync + body)), plan, "k");
  };
  EXPECT_EQ(checkLoop(mfma + read + mfma + mfma + copy + mfma), "");
  // Within a group the order is free.
  EXPECT_EQ(checkLoop(read + mfma + mfma + copy + mfma + mfma), "");
  EXPECT_PRED2(contains, checkLoop(mfma + mfma + read + mfma + copy + mfma),
               "stands in another group than planned");
  EXPECT_PRED2(contains, checkLoop(mfma + copy + mfma + mfma + read + mfma),
               "offen lds stands in another group than planned");
  EXPECT_PRED2(contains, checkLoop(mfma + read + mfma + mfma + mfma + copy),
               "stands in another group than planned");
  // A missing wait does not shift the groups of what follows.
  SchedulePlan longer = plan;
  longer.loop.insert(longer.loop.begin() + 4, PlanEvent::wait(2, {}));
  std::string error =
      check(assembleKernel(
                loopKernel(sync + mfma + read + mfma + mfma + copy + mfma)),
            longer, "k");
  EXPECT_PRED2(contains, error, "planned wait vmcnt(2) is missing");
  EXPECT_FALSE(contains(error, "another group")) << error;
}

/// A staged copy begins with its load, behind which a wait stands.
TEST(LinkedObjectForms, StagedCopiesAreFoundFromTheirFirstLoad) {
  std::string begin = "buffer_load_dwordx4 v[8:11], v2, s[0:3], 0 offen\n";
  std::string write = "s_waitcnt vmcnt(0)\nds_write_b128 v3, v[8:11]\n"
                      "s_waitcnt lgkmcnt(0)\n";
  std::string loop = "L:\nv_mfma_f32_16x16x32_bf16 v[32:35], v[0:3], v[4:7], "
                     "v[32:35]\nds_read_b128 v[0:3], v4\n"
                     "ds_write_b128 v3, v[8:11]\ns_cbranch_scc1 L";
  SchedulePlan plan;
  PlanEvent load = PlanEvent::counted(Kind::RegisterLoad, 1);
  PlanEvent store = PlanEvent::counted(Kind::LdsWrite, 1);
  PlanEvent read = PlanEvent::counted(Kind::FragmentRead, 1);
  plan.prologue = {load, PlanEvent::wait(0, {}), store, PlanEvent::wait({}, 0)};
  plan.loop = {PlanEvent::counted(Kind::Mfma, 1), read, store};
  EXPECT_EQ(check(assembleKernel(begin + write + loop), plan, "k"), "");
  // What stands before the pipeline is not part of it.
  EXPECT_EQ(check(assembleKernel(begin + "s_waitcnt vmcnt(0)\n" + begin +
                                 write + loop),
                  plan, "k"),
            "");
  EXPECT_PRED2(contains, check(assembleKernel(write + loop), plan, "k"),
               "prologue: planned wait vmcnt(0) is missing");
  EXPECT_PRED2(contains,
               check(assembleKernel(begin + "ds_write_b128 v3, v[8:11]\n" +
                                    "s_waitcnt lgkmcnt(0)\n" + loop),
                     plan, "k"),
               "prologue: planned wait vmcnt(0) is missing");
  // lgkmcnt counts reads and writes in their order.
  std::swap(plan.loop[1], plan.loop[2]);
  EXPECT_PRED2(contains, check(assembleKernel(begin + write + loop), plan, "k"),
               "loop: LDS reads and writes stand in another order than planned "
               "at the end of the part");
}

TEST(LinkedObjectForms, WorkAfterTheDrainIsFound) {
  std::string mfma = "v_mfma_f32_16x16x32_bf16 v[32:35], v[0:3], v[4:7], "
                     "v[32:35]\n";
  SchedulePlan plan = loopPlan({PlanEvent::counted(Kind::Mfma, 1)});
  plan.drain = {PlanEvent::wait(0, {})};
  std::string drain = loopKernel(mfma) + "\ns_waitcnt vmcnt(0)\n";
  std::string epilogue = "global_store_dword v[2:3], v0, off\n"
                         "s_waitcnt vmcnt(0)\n";
  EXPECT_EQ(check(assembleKernel(drain + epilogue), plan, "k"), "");
  EXPECT_PRED2(contains,
               check(assembleKernel(drain + epilogue + mfma), plan, "k"),
               "stands after its planned end");
}

TEST(LinkedObjectForms, EndsInsideThePipelineAreFound) {
  std::string rest = loopKernel("v_mfma_f32_16x16x32_bf16 v[32:35], v[0:3], "
                                "v[4:7], v[32:35]");
  SchedulePlan plan = loopPlan({PlanEvent::counted(Kind::Mfma, 1)});
  plan.prologue[0].count = 2;
  for (const char *end : {"s_endpgm", "s_setpc_b64 s[2:3]"})
    EXPECT_PRED2(contains,
                 check(assembleKernel("buffer_load_dwordx4 v0, s[0:3], 0 offen "
                                      "lds\ns_cbranch_vccz X\n" +
                                      std::string(end) + "\nX:\n" + rest),
                       plan, "k"),
                 "leaves the pipeline");
}

TEST(LinkedObjectForms, KernelsWithoutAPipelineAreErrors) {
  SchedulePlan empty;
  EXPECT_PRED2(contains, check(assembleKernel(""), empty, "k"),
               "the kernel has no loop");
  EXPECT_PRED2(contains,
               check(assembleKernel("L:\ns_cbranch_scc1 L"), empty, "k"),
               "the kernel has no direct copy or LDS write");
  EXPECT_NE(check(intact(), plan(), "other"), "");
  EXPECT_NE(check(ArrayRef<char>("garbage", 7), plan()), "");
}

TEST(SchedulePlanText, IsReadable) {
  SchedulePlan schedule = plan();
  schedule.drain[0].lgkmcnt = 2;
  std::string text;
  llvm::raw_string_ostream(text) << schedule;
  EXPECT_EQ(StringRef(text).take_until([](char c) { return c == 'd'; }).str() +
                "|" + describe(schedule.drain[0]),
            "prologue:\n  4 |wait vmcnt(0) lgkmcnt(2)");
  EXPECT_PRED2(contains, text,
               "loop:\n  4 direct copies\n  wait vmcnt(4)\n"
               "  barrier\n  8 LDS reads\n");
}

} // namespace
