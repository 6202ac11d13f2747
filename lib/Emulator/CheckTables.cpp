//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CheckTables.h"

#include "Hazards.h"
#include "ValuOperands.h"

using namespace llvm;

namespace fly {
namespace emu {

static void addRead(CheckInfo &info, const Operand &op, unsigned source) {
  if (op.isVector()) {
    if (info.numReads == CheckInfo::maxReads || op.row() + op.dwords > 512)
      return;
    info.readSource[info.numReads] = uint8_t(source);
    info.reads[info.numReads++] = {uint16_t(op.row()), op.dwords};
  } else if (op.isScalar()) {
    for (unsigned i = op.index; i < op.index + op.dwords && i < 128; ++i)
      info.scalarReads.set(i);
  }
}

static void addWrite(CheckInfo &info, const Operand &op, bool merged) {
  if (op.isVector()) {
    if (info.numWrites == CheckInfo::maxWrites || op.row() + op.dwords > 512)
      return;
    info.mergedWrites |= uint8_t(merged) << info.numWrites;
    info.writes[info.numWrites++] = {uint16_t(op.row()), op.dwords};
  } else if (op.isScalar()) {
    for (unsigned i = op.index; i < op.index + op.dwords && i < 128; ++i)
      info.scalarWrites.set(i);
  }
}

/// Instructions whose LLVM description ties the old value for encoding reasons:
/// what they keep of it is not a read of something undefined.
static bool mergesOldValue(const ExecInst &inst) {
  StringRef key = inst.inst->key;
  bool isLoad = inst.unit == Unit::Mubuf || inst.unit == Unit::Flat ||
                inst.unit == Unit::Lds;
  if (isLoad)
    return !inst.inst->returnsOld;
  return inst.encoding == Encoding::Dpp || inst.encoding == Encoding::Sdwa ||
         key.starts_with("v_cvt_") || key.starts_with("v_fma_mixlo") ||
         key.starts_with("v_fma_mixhi") || key == "v_writelane_b32";
}

static Undefined undefinedInScalars(const ExecInst &inst,
                                    const CheckInfo &info) {
  StringRef key = inst.inst->key;
  if (!info.scalarWrites.any() || info.scalarWrites.test(ScalarExec) ||
      info.scalarWrites.test(ScalarM0) || key.contains("saveexec") ||
      key.contains("wrexec") || key.starts_with("s_movreld"))
    return Undefined::Reported;
  static const char *const logic[] = {"s_and_",  "s_or_",  "s_xor_",
                                      "s_andn2", "s_orn2", "s_nand",
                                      "s_nor_",  "s_xnor", "s_cselect"};
  for (const char *prefix : logic)
    if (key.starts_with(prefix))
      return Undefined::Absorbed;
  if (key == "s_mov_b64" || key == "s_cmov_b64" || key == "s_not_b64")
    return Undefined::ByRow;
  return key == "s_lshl_b64" ? Undefined::SpreadsUp : Undefined::Spreads;
}

static Undefined undefinedInRows(const ExecInst &inst, const CheckInfo &info) {
  StringRef key = inst.inst->key;
  if (info.oneLane || !info.numWrites || info.mergedWrites)
    return Undefined::Reported;
  // More than one result register, or other lanes than their own.
  if (key == "v_swap_b32" || key.starts_with("v_permlane"))
    return Undefined::Reported;
  if (key == "v_cndmask_b32" && inst.encoding != Encoding::Sdwa &&
      inst.encoding != Encoding::Dpp)
    return Undefined::Selects;
  if (key == "v_pk_mov_b32")
    return Undefined::PairMove;
  if (key == "v_mov_b64")
    return Undefined::ByRow;
  if (key == "v_mad_u64_u32" || key == "v_mad_i64_i32" ||
      key == "v_lshl_add_u64" || key == "v_lshlrev_b64")
    return Undefined::SpreadsUp;
  return Undefined::Spreads;
}

/// Of a pair that is a packed f32 instruction's source, the dword that it
/// reads, or -1: both.
static int dwordOfPair(const Operand &op, const CheckInfo &info) {
  bool low = op.mods & ModOpSel0, high = op.mods & ModOpSel1;
  return info.undefined == Undefined::PairMove || low == high ? low : -1;
}

/// Packed f32 instructions read the dwords of a pair that op_sel and op_sel_hi
/// name: both may be the same one. Returns whether each goes to its own half.
static bool narrowPairs(const ExecInst &inst, CheckInfo &info) {
  bool byRow = true;
  info.scalarReads = {};
  for (unsigned i = 0; i != inst.numSrcs(); ++i) {
    const Operand &op = inst.src(i);
    if (!op.isScalar())
      continue;
    int only = op.dwords == 2 ? dwordOfPair(op, info) : -1;
    for (unsigned j = 0; j != op.dwords && op.index + j < 128; ++j)
      if (only < 0 || j == unsigned(only))
        info.scalarReads.set(op.index + j);
    byRow &= op.dwords != 2 || only >= 0 || (op.mods & ModOpSel1);
  }
  for (unsigned i = 0; i != info.numReads; ++i) {
    RowRange &range = info.reads[i];
    const Operand &op = inst.src(info.readSource[i]);
    if (range.count != 2)
      continue;
    int only = dwordOfPair(op, info);
    if (only >= 0)
      range = {uint16_t(range.first + only), 1};
    else
      byRow &= (op.mods & ModOpSel1) != 0;
  }
  return byRow;
}

/// Bytes of the result that an instruction writes, of those it could.
static uint8_t bytesWritten(const ExecInst &inst) {
  StringRef key = inst.inst->key;
  bool isLoad = inst.unit == Unit::Mubuf || inst.unit == Unit::Flat ||
                inst.unit == Unit::Lds;
  if (isLoad)
    return key.contains("_d16_hi") ? 0xc : key.ends_with("_d16") ? 0x3 : 0xf;
  if (key.starts_with("v_fma_mixlo") || key.starts_with("v_fma_mixhi"))
    return key.contains("lo") ? 0x3 : 0xc;
  if (inst.unit != Unit::Valu || !inst.data)
    return 0xf;
  ValuForm form = ValuForm::of(inst);
  constexpr unsigned preserve = 2;
  if (inst.encoding == Encoding::Sdwa)
    return form.dstUnused != preserve || form.dstSel > 5 ? 0xf
           : form.dstSel < 4                             ? 1 << form.dstSel
           : form.dstSel == 4                            ? 0x3
                                                         : 0xc;
  return !form.mergesHalf ? 0xf : form.highHalf ? 0xc : 0x3;
}

/// Registers whose bytes leave the wave or the lane's arithmetic.
static void findExactReads(const ExecInst &inst, CheckInfo &info) {
  StringRef key = inst.inst->key;
  bool isMemory = inst.unit == Unit::Mubuf || inst.unit == Unit::Flat ||
                  inst.unit == Unit::Lds;
  // Spilled registers and those of other lanes may be undefined in part.
  if (!(isMemory || inst.unit == Unit::Mfma) || key.starts_with("scratch_") ||
      key.contains("permute") || key.contains("swizzle") ||
      key.contains("_format_"))
    return;
  uint8_t data = key.contains("_d16_hi")                           ? 0xc
                 : key.contains("_short") || key.ends_with("_b16") ? 0x3
                 : key.contains("_byte") || key.ends_with("_b8")   ? 0x1
                                                                   : 0xf;
  if (key.contains("byte_d16_hi") || key.ends_with("b8_d16_hi"))
    data = 0x4;
  for (unsigned i = 0; i != info.numReads; ++i) {
    info.exactReads |= uint8_t(1 << i);
    // The address of DS and FLAT stores comes first, the data of buffers.
    bool isData = info.readSource[i] == (inst.unit == Unit::Mubuf ? 0 : 1);
    info.readBytes[i] = isData && inst.inst->mayStore ? data : 0xf;
  }
}

static void classifyUndefined(const ExecInst &inst, CheckInfo &info) {
  if (inst.unit == Unit::Salu)
    info.undefined = undefinedInScalars(inst, info);
  if (inst.unit != Unit::Valu)
    return;
  info.undefined = undefinedInRows(inst, info);
  StringRef key = inst.inst->key;
  if (info.undefined == Undefined::PairMove)
    narrowPairs(inst, info);
  else if (key == "v_pk_fma_f32" || key == "v_pk_mul_f32" ||
           key == "v_pk_add_f32")
    info.undefined =
        narrowPairs(inst, info) ? Undefined::ByRow : Undefined::Spreads;
}

/// s_movrels reads and s_movreld writes a register that M0 tells: which one is
/// not known here, so nothing is said of reads, and all may be written.
static void addRelativeMove(const ExecInst &inst, CheckInfo &info) {
  info.scalarReads = {};
  info.scalarReads.set(ScalarM0);
  if (inst.numDefs)
    return;
  addRead(info, inst.ops[1], 0);
  constexpr unsigned numSgprs = 102;
  for (unsigned i = 0; i != numSgprs; ++i)
    info.scalarWrites.set(i);
}

CheckInfo makeCheckInfo(const ExecInst &inst) {
  CheckInfo info;
  const Instruction &instruction = *inst.inst;
  if (!instruction.valid)
    return info;
  bool isVectorMemory = inst.unit == Unit::Mubuf || inst.unit == Unit::Flat ||
                        inst.unit == Unit::Lds;
  info.allLanes = inst.unit == Unit::Mfma;
  info.oneLane = instruction.key == "v_readlane_b32" ||
                 instruction.key == "v_writelane_b32";
  info.writesAtLanding = isVectorMemory;
  info.scalarAtLanding = inst.unit == Unit::Smem;
  bool merges = mergesOldValue(inst);
  for (unsigned i = 0; i != inst.numOps; ++i) {
    const Operand &op = inst.ops[i];
    if (!op.isReg())
      continue;
    if (op.isVector()) {
      uint16_t &end = op.file == RegFile::Vgpr ? info.vgprEnd : info.agprEnd;
      end = std::max<uint16_t>(end, uint16_t(op.index + op.dwords));
    }
    if (op.isDef)
      addWrite(info, op, op.isReadToo && merges);
    if (!op.isDef || (op.isReadToo && !merges))
      addRead(info, op, i - std::min<unsigned>(i, inst.numDefs));
  }
  for (unsigned half = 0; half != 2; ++half) {
    if (instruction.readsVcc)
      info.scalarReads.set(ScalarVcc + half);
    if (instruction.writesVcc)
      info.scalarWrites.set(ScalarVcc + half);
  }
  // LLVM lists M0 for all of DS, as older chips need it.
  StringRef key = instruction.key;
  if (instruction.toLds || key == "ds_append" || key == "ds_consume" ||
      key.contains("_addtid_"))
    info.scalarReads.set(ScalarM0);
  if (key.starts_with("s_movrel"))
    addRelativeMove(inst, info);
  info.savesData = instruction.key.starts_with("scratch_store");
  info.writtenBytes = bytesWritten(inst);
  findExactReads(inst, info);
  classifyUndefined(inst, info);
  return info;
}

CheckTables::CheckTables(const Program &program) {
  infos.reserve(program.code().size());
  hazards.reserve(program.code().size());
  bool isGfx950 = program.object().target().hasScaledMfma;
  for (const ExecInst &inst : program.code()) {
    infos.push_back(makeCheckInfo(inst));
    HazardInfo hazard = makeHazardInfo(inst);
    bool isDense = !inst.inst->key.starts_with("v_smfmac");
    if (inst.unit == Unit::Mfma && !isDense)
      hazard.passes = uint8_t(mfmaPasses(inst.inst->key, true, isGfx950));
    else if (inst.unit == Unit::Mfma && inst.data) {
      const MfmaShape &shape =
          static_cast<const MfmaInstruction *>(inst.data)->mfma.shape();
      bool has8Bit = mfmaTypeBits(shape.a) == 8 || mfmaTypeBits(shape.b) == 8;
      hazard.passes = uint8_t(mfmaPasses(inst.inst->key, has8Bit, isGfx950));
    }
    hazards.push_back(hazard);
  }
}

CheckTables::~CheckTables() = default;

const HazardInfo &CheckTables::hazardOf(const ExecInst &inst) const {
  return hazards[inst.index];
}

} // namespace emu
} // namespace fly
