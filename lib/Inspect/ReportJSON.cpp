//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The JSON form; docs/inspect.md explains every field.

#include "fly/Inspect/Inspect.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {

template <typename T> static json::Value orNull(const std::optional<T> &value) {
  return value ? json::Value(*value) : json::Value(nullptr);
}

static json::Object toJSON(const NameCounts &counts) {
  json::Object result;
  for (const auto &[name, count] : counts)
    result[name] = count;
  return result;
}

static json::Value hex(uint64_t address) {
  return formatv("{0:x}", address).str();
}

static json::Value mfmaToJSON(const InstructionMix &mix) {
  json::Array result;
  for (const MfmaUse &use : mix.mfma)
    result.push_back(json::Object{{"name", use.name},
                                  {"count", use.count},
                                  {"cycles", orNull(use.cycles)},
                                  {"flops", use.flops},
                                  {"rate", use.rate}});
  return result;
}

static json::Value waitsToJSON(const InstructionMix &mix) {
  json::Array result;
  for (const WaitUse &use : mix.waits)
    result.push_back(json::Object{{"vmcnt", orNull(use.vmcnt)},
                                  {"lgkmcnt", orNull(use.lgkmcnt)},
                                  {"expcnt", orNull(use.expcnt)},
                                  {"count", use.count}});
  return result;
}

static json::Value toJSON(const InstructionMix &mix) {
  json::Object copies;
  for (auto [bytes, count] : mix.directCopies)
    copies[std::to_string(bytes)] = count;
  return json::Object{{"total", mix.total},
                      {"mfma", mfmaToJSON(mix)},
                      {"lds_read", toJSON(mix.ldsReads)},
                      {"lds_write", toJSON(mix.ldsWrites)},
                      {"lds_other", toJSON(mix.ldsOther)},
                      {"direct_copy", std::move(copies)},
                      {"load", toJSON(mix.loads)},
                      {"store", toJSON(mix.stores)},
                      {"atomic", toJSON(mix.atomics)},
                      {"scratch", toJSON(mix.scratch)},
                      {"scalar_memory", mix.scalarMemory},
                      {"salu", mix.salu},
                      {"valu", mix.valu},
                      {"accvgpr", mix.accumulatorMoves},
                      {"nop", mix.nops},
                      {"barrier", mix.barriers},
                      {"setprio", mix.priorities},
                      {"branch", mix.branches},
                      {"wait", waitsToJSON(mix)},
                      {"other", toJSON(mix.other)}};
}

/// Null where nothing of the kind was executed.
static json::Value factorToJSON(const BankCycles &cycles) {
  return cycles.phases ? json::Value(cycles.factor()) : json::Value(nullptr);
}

static json::Value conflictsToJSON(const Region &region) {
  if (!region.conflicts)
    return nullptr;
  json::Array conflicting;
  for (const auto &inst : region.conflicts->conflicting)
    conflicting.push_back(json::Object{{"address", hex(inst.address)},
                                       {"text", inst.text},
                                       {"executions", inst.executions},
                                       {"factor", inst.factor}});
  return json::Object{{"read_factor", factorToJSON(region.conflicts->reads)},
                      {"write_factor", factorToJSON(region.conflicts->writes)},
                      {"conflicting", std::move(conflicting)}};
}

static json::Value toJSON(const Region &region, const KernelReport &report) {
  uint64_t flops = region.mix.mfmaFlops();
  std::optional<uint64_t> cycles = region.mix.mfmaCycles();
  json::Value bytesPerFlop = nullptr, perStep = nullptr;
  if (flops)
    bytesPerFlop = double(region.mix.bytesFromMemory()) / double(flops);
  double step = report.kStep ? report.kStep : region.k.value_or(0);
  if (cycles && region.k)
    perStep = double(*cycles) * step / *region.k;
  return json::Object{{"begin", hex(region.beginAddress)},
                      {"end", hex(region.endAddress)},
                      {"bytes", region.bytes},
                      {"mix", toJSON(region.mix)},
                      {"mfma_cycles", orNull(cycles)},
                      {"mfma_flops", flops},
                      {"k", orNull(region.k)},
                      {"k_step", region.k ? json::Value(step) : nullptr},
                      {"mfma_cycles_per_k_step", std::move(perStep)},
                      {"memory_bytes", region.mix.bytesFromMemory()},
                      {"memory_bytes_per_flop", std::move(bytesPerFlop)},
                      {"vmcnt0_between_mfma", region.fullVmWaits},
                      {"lgkmcnt0_between_mfma", region.fullLgkmWaits},
                      {"moved_accumulators", region.movedAccumulators},
                      {"bank_conflicts", conflictsToJSON(region)}};
}

static json::Value toJSON(const Resources &r) {
  return json::Object{{"vgprs", r.vgprs},
                      {"agprs", r.agprs},
                      {"sgprs", r.sgprs},
                      {"accum_offset", r.accumOffset},
                      {"allocated_registers", r.allocatedRegisters},
                      {"vgpr_spills", r.vgprSpills},
                      {"sgpr_spills", r.sgprSpills},
                      {"lds_bytes", r.ldsBytes},
                      {"allocated_lds_bytes", r.allocatedLdsBytes},
                      {"scratch_bytes", r.scratchBytes},
                      {"kernarg_bytes", r.kernargBytes},
                      {"workgroup_size", r.workgroupSize},
                      {"workgroup_size_from", r.workgroupSizeFrom}};
}

static json::Value toJSON(const Occupancy &occupancy) {
  return json::Object{{"waves_per_workgroup", occupancy.wavesPerWorkgroup},
                      {"workgroups_per_cu", occupancy.workgroupsPerCu},
                      {"waves_per_simd", occupancy.wavesPerSimd},
                      {"limited_by", json::Array(occupancy.limitedBy)}};
}

json::Value toJSON(const KernelReport &report) {
  json::Array flags;
  for (const Flag &flag : report.flags)
    flags.push_back(json::Object{
        {"kind", flag.kind}, {"count", flag.count}, {"message", flag.message}});
  return json::Object{{"kernel", report.kernel},
                      {"arch", report.arch},
                      {"resources", toJSON(report.resources)},
                      {"occupancy", toJSON(report.occupancy)},
                      {"executed", report.executed},
                      {"code", toJSON(report.code, report)},
                      {"hot_loop", report.hotLoop
                                       ? toJSON(*report.hotLoop, report)
                                       : json::Value(nullptr)},
                      {"flags", std::move(flags)}};
}

} // namespace fly
