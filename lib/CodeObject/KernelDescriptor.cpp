//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The kernel descriptor, by LLVM's public definition of its bits
/// (llvm/Support/AMDHSAKernelDescriptor.h, LLVM AMDGPUUsage).

#include "CodeObjectParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"

#include <cstring>

using namespace llvm;

namespace fly {

static void decodeRsrc(const amdhsa::kernel_descriptor_t &kd,
                       KernelDescriptor &d) {
  using namespace amdhsa;
  uint32_t r1 = kd.compute_pgm_rsrc1, r2 = kd.compute_pgm_rsrc2;
  // gfx90a and later: granules of 8 registers, AGPRs included.
  d.vgprs =
      (AMDHSA_BITS_GET(r1, COMPUTE_PGM_RSRC1_GRANULATED_WORKITEM_VGPR_COUNT) +
       1) *
      8;
  d.floatMode = uint8_t(
      AMDHSA_BITS_GET(r1, COMPUTE_PGM_RSRC1_FLOAT_ROUND_MODE_32) |
      AMDHSA_BITS_GET(r1, COMPUTE_PGM_RSRC1_FLOAT_ROUND_MODE_16_64) << 2 |
      AMDHSA_BITS_GET(r1, COMPUTE_PGM_RSRC1_FLOAT_DENORM_MODE_32) << 4 |
      AMDHSA_BITS_GET(r1, COMPUTE_PGM_RSRC1_FLOAT_DENORM_MODE_16_64) << 6);
  d.dx10Clamp =
      AMDHSA_BITS_GET(r1, COMPUTE_PGM_RSRC1_GFX6_GFX11_ENABLE_DX10_CLAMP);
  d.ieeeMode =
      AMDHSA_BITS_GET(r1, COMPUTE_PGM_RSRC1_GFX6_GFX11_ENABLE_IEEE_MODE);
  d.fp16Overflow = AMDHSA_BITS_GET(r1, COMPUTE_PGM_RSRC1_GFX9_PLUS_FP16_OVFL);
  d.accumOffset = (AMDHSA_BITS_GET(kd.compute_pgm_rsrc3,
                                   COMPUTE_PGM_RSRC3_GFX90A_ACCUM_OFFSET) +
                   1) *
                  4;
  d.tgSplit =
      AMDHSA_BITS_GET(kd.compute_pgm_rsrc3, COMPUTE_PGM_RSRC3_GFX90A_TG_SPLIT);
  d.userSgprs =
      AMDHSA_BITS_GET(r2, COMPUTE_PGM_RSRC2_GFX6_GFX120_USER_SGPR_COUNT);
  d.enablePrivateSegment =
      AMDHSA_BITS_GET(r2, COMPUTE_PGM_RSRC2_ENABLE_PRIVATE_SEGMENT);
  d.workgroupIdX =
      AMDHSA_BITS_GET(r2, COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_X);
  d.workgroupIdY =
      AMDHSA_BITS_GET(r2, COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Y);
  d.workgroupIdZ =
      AMDHSA_BITS_GET(r2, COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Z);
  d.workgroupInfo =
      AMDHSA_BITS_GET(r2, COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_INFO);
  d.workitemIdDims =
      AMDHSA_BITS_GET(r2, COMPUTE_PGM_RSRC2_ENABLE_VGPR_WORKITEM_ID);
}

static void decodeProperties(const amdhsa::kernel_descriptor_t &kd,
                             KernelDescriptor &d) {
  using namespace amdhsa;
  uint16_t p = kd.kernel_code_properties;
  d.sgprPrivateSegmentBuffer = AMDHSA_BITS_GET(
      p, KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER);
  d.sgprDispatchPtr =
      AMDHSA_BITS_GET(p, KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_PTR);
  d.sgprQueuePtr =
      AMDHSA_BITS_GET(p, KERNEL_CODE_PROPERTY_ENABLE_SGPR_QUEUE_PTR);
  d.sgprKernargPtr =
      AMDHSA_BITS_GET(p, KERNEL_CODE_PROPERTY_ENABLE_SGPR_KERNARG_SEGMENT_PTR);
  d.sgprDispatchId =
      AMDHSA_BITS_GET(p, KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_ID);
  d.sgprFlatScratchInit =
      AMDHSA_BITS_GET(p, KERNEL_CODE_PROPERTY_ENABLE_SGPR_FLAT_SCRATCH_INIT);
  d.sgprPrivateSegmentSize =
      AMDHSA_BITS_GET(p, KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_SIZE);
  d.dynamicStack = AMDHSA_BITS_GET(p, KERNEL_CODE_PROPERTY_USES_DYNAMIC_STACK);
  d.preloadDwords =
      AMDHSA_BITS_GET(kd.kernarg_preload, KERNARG_PRELOAD_SPEC_LENGTH);
  d.preloadOffsetDwords =
      AMDHSA_BITS_GET(kd.kernarg_preload, KERNARG_PRELOAD_SPEC_OFFSET);
}

static Error checkReserved(const amdhsa::kernel_descriptor_t &kd) {
  using namespace amdhsa;
  auto isZero = [](ArrayRef<uint8_t> bytes) {
    return all_of(bytes, [](uint8_t byte) { return byte == 0; });
  };
  auto mustBeZero = [](StringRef what) {
    return createStringError("reserved " + what + " are not zero");
  };
  if (!isZero(kd.reserved0))
    return mustBeZero("bytes 12 to 15");
  if (!isZero(kd.reserved1))
    return mustBeZero("bytes 24 to 43");
  if (!isZero(kd.reserved3))
    return mustBeZero("bytes 60 to 63");
  constexpr uint16_t knownProperties =
      KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER |
      KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_PTR |
      KERNEL_CODE_PROPERTY_ENABLE_SGPR_QUEUE_PTR |
      KERNEL_CODE_PROPERTY_ENABLE_SGPR_KERNARG_SEGMENT_PTR |
      KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_ID |
      KERNEL_CODE_PROPERTY_ENABLE_SGPR_FLAT_SCRATCH_INIT |
      KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_SIZE |
      KERNEL_CODE_PROPERTY_ENABLE_WAVEFRONT_SIZE32 |
      KERNEL_CODE_PROPERTY_USES_DYNAMIC_STACK;
  if (kd.kernel_code_properties & ~knownProperties)
    return mustBeZero("bits of the kernel code properties");
  if (kd.kernel_code_properties & KERNEL_CODE_PROPERTY_ENABLE_WAVEFRONT_SIZE32)
    return createStringError("it asks for waves of 32 lanes, expected 64");
  return Error::success();
}

Expected<KernelDescriptor> decodeDescriptor(ArrayRef<uint8_t> bytes) {
  amdhsa::kernel_descriptor_t kd;
  static_assert(sizeof(kd) == 64, "the descriptor has 64 bytes");
  std::memcpy(&kd, bytes.data(), sizeof(kd));
  if (Error error = checkReserved(kd))
    return std::move(error);
  KernelDescriptor d;
  d.groupSegmentBytes = kd.group_segment_fixed_size;
  d.privateSegmentBytes = kd.private_segment_fixed_size;
  d.kernargBytes = kd.kernarg_size;
  d.entryOffset = kd.kernel_code_entry_byte_offset;
  decodeRsrc(kd, d);
  decodeProperties(kd, d);
  return d;
}

} // namespace fly
