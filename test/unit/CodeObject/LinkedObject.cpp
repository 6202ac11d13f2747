//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LinkedObject.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "lld/Common/Driver.h"

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace fly {
namespace test {

static std::string metadata(const KernelOptions &o) {
  std::string arguments;
  for (StringRef text : o.arguments) {
    auto [kind, place] = text.split(' ');
    auto [offset, size] = place.split(' ');
    arguments += formatv("      - {{.offset: {0}, .size: {1}, .value_kind: "
                         "{2}}\n",
                         offset, size, kind);
  }
  return formatv(R"(
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: {0}
    .symbol: {0}.kd
    .kernarg_segment_size: {1}
    .kernarg_segment_align: 8
    .group_segment_fixed_size: {2}
    .private_segment_fixed_size: {3}
    .wavefront_size: 64
    .sgpr_count: {4}
    .vgpr_count: {5}
    .max_flat_workgroup_size: 1024
    .args:
      - {{.name: p, .offset: 0, .size: 8, .value_kind: global_buffer}
{6}...
.end_amdgpu_metadata
)",
                 o.name, o.kernargBytes, o.ldsBytes, o.scratchBytes, o.sgprs,
                 o.vgprs, arguments);
}

std::string kernelSource(const KernelOptions &o, StringRef body) {
  std::string text =
      formatv(R"(
.text
.globl {0}
.p2align 8
.type {0},@function
{0}:
{1}
s_endpgm
.L{0}_end:
.size {0}, .L{0}_end-{0}
.rodata
.p2align 6
.amdhsa_kernel {0}
  .amdhsa_group_segment_fixed_size {2}
  .amdhsa_private_segment_fixed_size {3}
  .amdhsa_kernarg_size {4}
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr {5}
  .amdhsa_accum_offset {6}
  .amdhsa_next_free_sgpr {7}
  .amdhsa_system_vgpr_workitem_id {8}
)",
              o.name, body, o.ldsBytes, o.scratchBytes, o.kernargBytes, o.vgprs,
              o.accumOffset, o.sgprs, o.workitemDims);
  if (o.preloadDwords)
    text += formatv("  .amdhsa_user_sgpr_kernarg_preload_length {0}\n",
                    o.preloadDwords);
  if (o.scratchBytes)
    text += "  .amdhsa_enable_private_segment 1\n";
  for (const char *axis : {"x", "y", "z"})
    text += formatv("  .amdhsa_system_sgpr_workgroup_id_{0} {1}\n", axis,
                    unsigned(o.workgroupIds));
  if (o.flushF32Denormals)
    text += "  .amdhsa_float_denorm_mode_32 0\n";
  return text + o.extra + "\n.end_amdhsa_kernel\n" + metadata(o);
}

std::vector<uint8_t> linkSource(StringRef arch, StringRef source) {
  const TargetInfo &target = cantFail(lookupTarget(arch));
  std::string full =
      formatv(".amdgcn_target \"amdgcn-amd-amdhsa--{0}\"\n", arch).str() +
      source.str();
  Expected<std::vector<uint8_t>> object = assembleObject(target, full);
  if (!object)
    report_fatal_error(object.takeError());
  SmallString<128> input, output;
  int descriptor = -1;
  if (sys::fs::createTemporaryFile("flytest", "o", descriptor, input) ||
      sys::fs::createTemporaryFile("flytest", "hsaco", output))
    report_fatal_error("no temporary file");
  FileRemover removeInput(input), removeOutput(output);
  {
    raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os.write(reinterpret_cast<const char *>(object->data()), object->size());
  }
  std::string in = input.str().str(), out = output.str().str(), messages;
  const char *args[] = {"ld.lld",   "--threads=1", "-shared",
                        in.c_str(), "-o",          out.c_str()};
  raw_string_ostream os(messages);
  lld::Result result =
      lld::lldMain(args, os, os, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    report_fatal_error(StringRef(messages));
  auto buffer = MemoryBuffer::getFile(out);
  StringRef bytes = (*buffer)->getBuffer();
  return std::vector<uint8_t>(bytes.bytes_begin(), bytes.bytes_end());
}

} // namespace test
} // namespace fly
