//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Hazards.h"

#include "ValuOperands.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace fly {
namespace emu {

/// 4x4 forms take 2 passes, 16x16 4, 32x32 8; f32, f64 and forms of several
/// blocks take more, and so do 8-bit operands of f8f6f4.
unsigned mfmaPasses(StringRef key, bool has8Bit, bool isGfx950) {
  bool is32 = key.contains("_32x32x"), is16 = key.contains("_16x16x");
  if (!is32 && !is16)
    return key.contains("f64") ? 4 : 2;
  if (key.contains("f64"))
    return isGfx950 ? 16 : 8;
  if (key.contains("f8f6f4"))
    return (is32 ? 8u : 4u) * (has8Bit ? 2 : 1);
  bool slow = key.contains("b_") || // 32x32x4_2b_f16 and its like
              (key.starts_with("v_mfma_f32") && key.ends_with("_f32") &&
               !key.ends_with("_xf32"));
  return (is32 ? 8u : 4u) * (slow ? 2 : 1);
}

MfmaWaits mfmaWaits(const HazardInfo &from, const HazardInfo &to,
                    bool isGfx950) {
  unsigned p = from.passes;
  MfmaWaits waits;
  waits.sourceC = from.isXdl ? p - 1 : 0;
  waits.sameC = p == 2 ? 2 : 0;
  if (from.isDgemm) {
    bool is4x4 = p == 4;
    waits.operand = waits.read = is4x4 ? 6 : p + 3;
    waits.overwrite = is4x4 ? 6 : 11;
    waits.memory = is4x4 ? 9 : 18;
    waits.partC = is4x4 ? 4 : p + 1;
    waits.sameC = is4x4 && to.isDgemm && to.passes == 4 ? 4 : 0;
  } else {
    unsigned more = !from.isXdl ? 2 : !isGfx950 || p == 2 ? 3 : 4;
    waits.operand = waits.read = waits.memory = waits.overwrite = p + more;
    bool isLonger = isGfx950 && (p != 2 || to.isXdl);
    waits.partC = !from.isXdl ? p : isLonger ? p + 2 : p + 1;
  }
  if (to.isXdl && !from.isXdl)
    waits.partC = 0;
  return waits;
}

static RowRange rangeOf(const Operand &op) {
  if (!op.isVector() || op.row() + op.dwords > 512)
    return {};
  return {uint16_t(op.row()), op.dwords};
}

static void addMfma(const ExecInst &inst, HazardInfo &info) {
  StringRef key = inst.inst->key;
  info.isMfma = true;
  info.isDgemm = key.contains("f64");
  // The f32 and f64 forms run elsewhere than the matrix core proper.
  info.isXdl =
      !(info.isDgemm || (key.starts_with("v_mfma_f32") &&
                         key.ends_with("_f32") && !key.ends_with("_xf32")));
  if (inst.numOps < 4)
    return;
  info.dst = rangeOf(inst.ops[0]);
  info.srcA = rangeOf(inst.ops[1]);
  info.srcB = rangeOf(inst.ops[2]);
  info.srcC = rangeOf(inst.ops[3]);
  if (key.starts_with("v_smfmac")) {
    info.srcC = info.dst;
    info.indices = rangeOf(inst.ops[3]);
  }
}

static bool isTransKey(StringRef key) {
  for (StringRef prefix :
       {"v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_"})
    if (key.starts_with(prefix))
      return true;
  return false;
}

static void addValu(const ExecInst &inst, HazardInfo &info) {
  StringRef key = inst.inst->key;
  info.isValu = true;
  info.isTrans = isTransKey(key);
  info.isDpp = inst.encoding == Encoding::Dpp;
  info.isPermlaneSwap = key.starts_with("v_permlane") && key.contains("swap");
  info.isDivFmas = key.starts_with("v_div_fmas");
  info.isDot = key.starts_with("v_dot");
  info.isFmaF64 = key == "v_fma_f64" || key == "v_fmac_f64";
  info.readsLane = key == "v_readlane_b32" || key == "v_readfirstlane_b32";
  info.isLaneMove = info.readsLane || key == "v_writelane_b32";
  // The lane is the last source; what v_writelane writes may be an SGPR, too.
  if (info.isLaneMove && key != "v_readfirstlane_b32" && inst.numSrcs() > 1 &&
      inst.src(1).isScalar())
    info.laneSelect = int16_t(inst.src(1).index);
  info.valuWritesExec = inst.inst->writesExec;
  bool highHalf = inst.numSrcs() && (inst.src(0).mods & ModOpSel1) &&
                  !key.starts_with("v_pk_") && !key.starts_with("v_dot");
  bool byteForm = key.starts_with("v_cvt_") &&
                  (key.contains("fp8_f") || key.contains("bf8_f") ||
                   key.contains("fp4_f") || key.contains("fp8_bf") ||
                   key.contains("bf8_bf") || key.contains("fp4_bf"));
  bool selects = inst.numSrcs() && (inst.src(0).mods & (ModOpSel0 | ModOpSel1));
  info.writesPart = highHalf || (byteForm && selects);
  ValuForm form = ValuForm::of(inst);
  if (inst.encoding == Encoding::Sdwa && form.isSdwa)
    info.writesPart = form.dstSel != 6;
}

static void addMemory(const ExecInst &inst, const CheckInfo &check,
                      HazardInfo &info) {
  info.isMemory = true;
  info.isVmem = inst.unit != Unit::Lds;
  info.isDirectToLds = inst.inst->toLds;
  bool isStore = inst.inst->mayStore && !inst.inst->mayLoad;
  for (unsigned i = 0; info.isVmem && isStore && i != inst.numOps; ++i)
    if (inst.ops[i].isVector() && inst.ops[i].dwords > 2) {
      info.storeWaits = 2;
      info.storeData = rangeOf(inst.ops[i]);
    }
  // An SGPR as the offset takes a cycle of its own.
  if (inst.unit == Unit::Mubuf)
    for (unsigned i = 0; i != inst.numOps; ++i)
      if (inst.ops[i].isScalar() && inst.ops[i].dwords == 1)
        info.storeWaits = std::min<uint8_t>(info.storeWaits, 1);
}

HazardInfo makeHazardInfo(const ExecInst &inst) {
  HazardInfo info;
  if (!inst.inst->valid)
    return info;
  StringRef key = inst.inst->key;
  if (key == "s_nop")
    info.waitStates = uint8_t((inst.ops[0].imm & 15) + 1);
  if (inst.unit == Unit::Mfma)
    addMfma(inst, info);
  else if (inst.unit == Unit::Valu)
    addValu(inst, info);
  else if (inst.unit == Unit::Mubuf || inst.unit == Unit::Flat ||
           inst.unit == Unit::Lds)
    addMemory(inst, makeCheckInfo(inst), info);
  info.needsM0 = key.starts_with("s_movrel") || key.starts_with("s_sendmsg") ||
                 key.contains("_addtid_");
  info.isSetReg = key.starts_with("s_setreg");
  info.isGetReg = key.starts_with("s_getreg");
  if (info.isSetReg || info.isGetReg)
    info.hwRegister = uint8_t(inst.ops[inst.numOps - 1].imm & 63);
  return info;
}

} // namespace emu
} // namespace fly
