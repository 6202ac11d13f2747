//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Arch/TargetInfo.h"

#include "fly/Arch/MatrixRates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {

static constexpr unsigned gfx942DirectBytes[] = {4};
static constexpr unsigned gfx950DirectBytes[] = {4, 12, 16};

static const TargetInfo targets[] = {
    {/*name=*/"gfx942",
     /*elfMach=*/ELF::EF_AMDGPU_MACH_AMDGCN_GFX942,
     /*fp8=*/Fp8Format::FNUZ,
     /*hasScaledMfma=*/false,
     /*hasWideMfma16Bit=*/false,
     /*hasTransposingRead=*/false,
     /*directCopyBytes=*/gfx942DirectBytes,
     /*ldsBytes=*/64 * 1024,
     /*ldsGranuleBytes=*/512,
     /*ldsBanks=*/32,
     /*registersPerSimd=*/512,
     /*maxVgprs=*/256,
     /*maxAgprs=*/256,
     /*maxSgprs=*/102,
     /*waveSize=*/64,
     /*simdsPerCu=*/4,
     /*maxWavesPerSimd=*/8,
     /*maxWorkgroupSize=*/1024,
     /*computeUnits=*/304,
     /*xcds=*/8},
    {/*name=*/"gfx950",
     /*elfMach=*/ELF::EF_AMDGPU_MACH_AMDGCN_GFX950,
     /*fp8=*/Fp8Format::OCP,
     /*hasScaledMfma=*/true,
     /*hasWideMfma16Bit=*/true,
     /*hasTransposingRead=*/true,
     /*directCopyBytes=*/gfx950DirectBytes,
     /*ldsBytes=*/160 * 1024,
     /*ldsGranuleBytes=*/1280,
     /*ldsBanks=*/64,
     /*registersPerSimd=*/512,
     /*maxVgprs=*/256,
     /*maxAgprs=*/256,
     /*maxSgprs=*/102,
     /*waveSize=*/64,
     /*simdsPerCu=*/4,
     /*maxWavesPerSimd=*/8,
     /*maxWorkgroupSize=*/1024,
     /*computeUnits=*/256,
     /*xcds=*/8},
};

/// In the order of the chips above.
static constexpr MatrixRates matrixRates[] = {
    {/*f64=*/64, /*f32=*/64, /*xf32=*/256, /*float16=*/512, /*float8=*/1024,
     /*int8=*/1024, /*float6and4=*/0},
    {/*f64=*/32, /*f32=*/64, /*xf32=*/0, /*float16=*/1024, /*float8=*/2048,
     /*int8=*/2048, /*float6and4=*/4096},
};
static_assert(std::size(matrixRates) == std::size(targets));

ArrayRef<TargetInfo> getTargets() { return targets; }

const MatrixRates &matrixRatesOf(const TargetInfo &target) {
  return matrixRates[&target - targets];
}

static std::string knownArches() {
  std::string names;
  for (const TargetInfo &target : targets)
    names += (names.empty() ? "" : ", ") + target.name.str();
  return names;
}

Expected<const TargetInfo &> lookupTarget(StringRef arch) {
  for (const TargetInfo &target : targets)
    if (target.name == arch)
      return target;
  return createStringError("unknown arch '" + arch + "', expected one of " +
                           knownArches());
}

/// The chips whose code objects are met most often beside those of this file.
static StringRef nameOfOther(uint32_t elfMach) {
  switch (elfMach) {
  case ELF::EF_AMDGPU_MACH_AMDGCN_GFX906:
    return "gfx906";
  case ELF::EF_AMDGPU_MACH_AMDGCN_GFX908:
    return "gfx908";
  case ELF::EF_AMDGPU_MACH_AMDGCN_GFX90A:
    return "gfx90a";
  case ELF::EF_AMDGPU_MACH_AMDGCN_GFX9_4_GENERIC:
    return "gfx9-4-generic";
  case ELF::EF_AMDGPU_MACH_AMDGCN_GFX1030:
    return "gfx1030";
  case ELF::EF_AMDGPU_MACH_AMDGCN_GFX1100:
    return "gfx1100";
  case ELF::EF_AMDGPU_MACH_AMDGCN_GFX1151:
    return "gfx1151";
  case ELF::EF_AMDGPU_MACH_AMDGCN_GFX1200:
    return "gfx1200";
  case ELF::EF_AMDGPU_MACH_AMDGCN_GFX1201:
    return "gfx1201";
  case ELF::EF_AMDGPU_MACH_AMDGCN_GFX1250:
    return "gfx1250";
  default:
    return "";
  }
}

Expected<const TargetInfo &> lookupTargetByElfMach(uint32_t elfMach) {
  for (const TargetInfo &target : targets)
    if (target.elfMach == elfMach)
      return target;
  StringRef name = nameOfOther(elfMach);
  return createStringError(formatv(
      "code object is for ELF machine {0:x}{1}, expected that of one of {2}",
      elfMach, name.empty() ? "" : (" (" + name + ")").str(), knownArches()));
}

} // namespace fly
