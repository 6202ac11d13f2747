//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The one table of chips. Every fact by which gfx942 and gfx950 differ stands
/// here; no other file compares arch names.

#ifndef FLY_ARCH_TARGETINFO_H
#define FLY_ARCH_TARGETINFO_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace fly {

/// How the chip reads an 8-bit float code: OCP (e4m3fn, e5m2) or FNUZ.
enum class Fp8Format { OCP, FNUZ };

/// Facts about one chip. Sources: AMD's CDNA3 and CDNA4 ISA manuals and LLVM's
/// AMDGPU tables.
struct TargetInfo {
  /// The arch as LLVM names it, "gfx950".
  llvm::StringRef name;
  /// EF_AMDGPU_MACH value in the ELF header's e_flags.
  uint32_t elfMach;

  Fp8Format fp8;
  /// v_mfma_scale_f32_*_f8f6f4 and the unscaled f8f6f4 forms exist.
  bool hasScaledMfma;
  /// 16x16x32 and 32x32x16 MFMA of 16-bit floats exist (else 16x16x16, 32x32x8).
  bool hasWideMfma16Bit;
  /// ds_read_b64_tr_* exist.
  bool hasTransposingRead;
  /// Widths in bytes a lane of direct-to-LDS copies, whole dwords only.
  llvm::ArrayRef<unsigned> directCopyBytes;

  /// LDS of one compute unit in bytes, its allocation granule in bytes, banks
  /// of 4 bytes.
  unsigned ldsBytes;
  unsigned ldsGranuleBytes;
  unsigned ldsBanks;

  /// 32-bit registers a lane and SIMD, VGPR and AGPR together; the most that
  /// one wave may hold of each.
  unsigned registersPerSimd;
  unsigned maxVgprs;
  unsigned maxAgprs;
  unsigned maxSgprs;

  unsigned waveSize;
  unsigned simdsPerCu;
  unsigned maxWavesPerSimd;
  unsigned maxWorkgroupSize;
  unsigned computeUnits;
  unsigned xcds;

  bool canCopyDirect(unsigned bytesPerLane) const {
    return llvm::is_contained(directCopyBytes, bytesPerLane);
  }
};

/// The chips fly knows, in the order of the table.
llvm::ArrayRef<TargetInfo> getTargets();

/// The row of \p arch, or an error that names the known arches.
llvm::Expected<const TargetInfo &> lookupTarget(llvm::StringRef arch);

/// The row whose ELF machine value is \p elfMach (e_flags & EF_AMDGPU_MACH).
llvm::Expected<const TargetInfo &> lookupTargetByElfMach(uint32_t elfMach);

} // namespace fly

#endif // FLY_ARCH_TARGETINFO_H
