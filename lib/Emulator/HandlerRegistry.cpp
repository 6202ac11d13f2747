//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HandlerRegistry.h"

using namespace llvm;

namespace fly {
namespace emu {

#ifdef FLY_EMU_X86
namespace avx2 {
void addAllFamilies(HandlerTable &table);
}
namespace avx512 {
void addAllFamilies(HandlerTable &table);
}
#else
namespace generic {
void addAllFamilies(HandlerTable &table);
}
#endif

void HandlerRegistry::add(StringRef key, Handler handler) {
  entries[key].handler = handler;
}

void HandlerRegistry::addResolver(StringRef key, Resolver resolver) {
  entries[key].resolver = resolver;
}

void HandlerRegistry::resolve(const TargetInfo &target, ExecInst &inst) const {
  inst.handler = nullptr;
  auto it = entries.find(inst.inst->key);
  if (!inst.inst->valid || it == entries.end())
    return;
  inst.handler = it->second.handler;
  if (it->second.resolver)
    it->second.resolver(target, inst);
}

#ifdef FLY_EMU_X86
static bool hasAvx512() {
  return __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512cd");
}
#endif

static HandlerRegistry makeRegistry() {
  HandlerRegistry registry;
#ifdef FLY_EMU_X86
  if (hasAvx512())
    avx512::addAllFamilies(registry);
  else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    avx2::addAllFamilies(registry);
#else
  generic::addAllFamilies(registry);
#endif
  return registry;
}

Expected<const HandlerRegistry &> HandlerRegistry::get() {
  static const HandlerRegistry registry = makeRegistry();
  if (registry.entries.empty())
    return createStringError(
        "the emulator needs a CPU with AVX2 and FMA, this one has not");
  return registry;
}

} // namespace emu
} // namespace fly
