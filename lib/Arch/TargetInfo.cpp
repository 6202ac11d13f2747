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

Expected<const TargetInfo &> lookupTargetByElfMach(uint32_t elfMach) {
  for (const TargetInfo &target : targets)
    if (target.elfMach == elfMach)
      return target;
  return createStringError(formatv("code object is for ELF machine {0:x}, "
                                   "expected that of one of {1}",
                                   elfMach, knownArches()));
}

} // namespace fly
