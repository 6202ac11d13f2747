//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelFacts.h"

#include "fly/CodeObject/CodeObject.h"
#include "fly/Dialect/Fly/IR/Geometry.h"
#include "fly/Dialect/Fly/IR/KernelABI.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace llvm;

namespace fly {
namespace {

constexpr int64_t maxI32 = std::numeric_limits<int32_t>::max();

std::string textOf(mlir::Type type) {
  std::string text;
  raw_string_ostream(text) << type;
  return text;
}

int64_t bytesOf(mlir::Type elementType) {
  return std::max<int64_t>(1, elementType.getIntOrFloatBitWidth() / 8);
}

void addArguments(KernelOp kernel, Manifest &manifest) {
  using Type = KernelArgument::Type;
  for (const KernelArgument &argument : getKernelArguments(kernel)) {
    uint32_t size = argument.sizeBytes();
    uint32_t offset = uint32_t(alignTo(manifest.kernargBytes, size));
    bool pointer = argument.type == Type::Pointer;
    manifest.arguments.push_back({argument.name,
                                  pointer                      ? "ptr"
                                  : argument.type == Type::I32 ? "i32"
                                                               : "i64",
                                  offset, size,
                                  !pointer           ? "value"
                                  : argument.written ? "out"
                                                     : "in"});
    manifest.kernargBytes = offset + size;
  }
}

/// What the lowering takes for granted about the values of the arguments.
class Constraints {
public:
  Constraints(KernelOp kernel, WorkgroupTileOp tile, StoreOp store,
              Manifest &manifest)
      : kernel(kernel), tile(tile), store(store), manifest(manifest) {}

  void build() {
    addSizes();
    for (mlir::Value value : kernel.getEntryBlock().getArguments())
      addOperand(value);
  }

private:
  /// Fails to apply where the kernel has no such argument.
  void require(const Twine &name, StringRef rule, int64_t value,
               StringRef plus = "") {
    if (manifest.findArgument(name.str()))
      manifest.constraints.push_back(
          {name.str(), rule.str(), value, plus.str()});
  }

  /// Bytes to which a pointer, a pitch or a stride is aligned: whole chunks of
  /// a copy or a store; dwords where scalar or narrow loads read.
  static int64_t alignmentOf(mlir::Type type) {
    if (auto scales = dyn_cast<ScalesType>(type))
      return scales.getRows() == 1 ? chunkBytes : 4;
    return isa<MatrixType>(type) ? chunkBytes : 4;
  }
  /// The same in the unit of pitch and stride: elements, or bytes of scales.
  static int64_t granuleOf(mlir::Type type) {
    auto matrix = dyn_cast<MatrixType>(type);
    return matrix ? chunkBytes / bytesOf(matrix.getElementType())
                  : alignmentOf(type);
  }

  void addSizes() {
    int64_t granuleK = 1;
    kernel.walk([&](SlotOp slot) {
      granuleK = std::max(granuleK, granuleOf(slot.getOperand().getType()));
    });
    addSize("m", 1, 0, tile.getTileM());
    addSize("n", granuleOf(store.getD().getType()), 0, tile.getTileN());
    addSize("k", granuleK, granuleK, tile.getTileK());
    require("num_groups", "min", 1);
  }

  /// Rounding up to a whole tile must not pass 2^31.
  void addSize(StringRef name, int64_t granule, int64_t least, int64_t tile) {
    require(name, "min", least);
    require(name, "max", maxI32 - tile + 1);
    if (granule > 1)
      require(name, "multiple_of", granule);
  }

  void addOperand(mlir::Value value) {
    mlir::Type type = value.getType();
    std::string name = kernel.getArgName(value).str();
    require(name, "align_bytes", alignmentOf(type));
    require("pitch_" + name, "min", granuleOf(type));
    // Offsets inside a tile are 32 bits, of which the top one says "outside".
    if (auto matrix = dyn_cast<MatrixType>(type)) {
      require("pitch_" + name, "max",
              maxI32 / (std::max(tile.getTileM(), tile.getTileN()) *
                        bytesOf(matrix.getElementType())));
      // Rows do not overlap.
      require("pitch_" + name, "min", 0, value == store.getD() ? "n" : "k");
    }
    require("pitch_" + name, "multiple_of", granuleOf(type));
    require("stride_" + name, "min", 0);
    require("stride_" + name, "multiple_of", granuleOf(type));
  }

  KernelOp kernel;
  WorkgroupTileOp tile;
  StoreOp store;
  Manifest &manifest;
};

void addSlots(KernelOp kernel, Manifest &manifest) {
  kernel.walk([&](SlotOp slot) {
    for (int64_t stage = 0; stage < slot.getStages(); ++stage)
      manifest.ldsSlots.push_back(
          {formatv("{0}.{1}", slot.getName(), stage),
           uint32_t(slot.getOffset() + stage * slot.getStageBytes()),
           uint32_t(slot.getStageBytes())});
  });
}

void addTypes(KernelOp kernel, StoreOp store, Manifest &manifest) {
  manifest.typeD = textOf(store.getD().getType().getElementType());
  kernel.walk([&](SlotOp slot) {
    (slot.getSide() == Side::A ? manifest.typeA : manifest.typeB) =
        textOf(slot.getOperand().getType().getElementType());
  });
  kernel.walk([&](ScaleFragmentOp fragment) {
    ScalesType type = fragment.getScales().getType();
    manifest.scaleKind = "e8m0";
    manifest.scaleK = type.getK();
    (fragment.getSide() == Side::A ? manifest.scaleM : manifest.scaleN) =
        type.getRows();
  });
}

/// A schedule that forgot the variant's types would give wrong numbers.
Error checkTypes(VariantAttr variant, const Manifest &manifest) {
  if (variant.getTypes().empty())
    return Error::success();
  std::string given =
      manifest.typeA + ", " + manifest.typeB + ", " + manifest.typeD;
  std::string expected = textOf(variant.getTypes()[0]) + ", " +
                         textOf(variant.getTypes()[1]) + ", " +
                         textOf(variant.getTypes()[2]);
  if (given != expected)
    return createStringError("variant '" + manifest.variant + "' of kernel '" +
                             manifest.kernel + "' is for types " + expected +
                             ", its schedule has " + given);
  return Error::success();
}

/// The only op of its kind in \p kernel, or null.
template <typename Op> Op onlyOne(KernelOp kernel) {
  Op found;
  for (Op op : kernel.getEntryBlock().getOps<Op>()) {
    if (found)
      return {};
    found = op;
  }
  return found;
}

} // namespace

Expected<Manifest> manifestOf(KernelOp kernel, const TargetInfo &target) {
  auto tile = onlyOne<WorkgroupTileOp>(kernel);
  auto store = onlyOne<StoreOp>(kernel);
  VariantAttr variant = kernel.getVariantAttr();
  if (!tile || !store || !variant)
    return createStringError("kernel '" + kernel.getSymName() +
                             "' is not at the expanded level: expected one "
                             "variant, one fly.workgroup_tile and one "
                             "fly.store");
  Manifest manifest;
  manifest.kernel = kernel.getSymName().str();
  manifest.variant = variant.getName().str();
  manifest.schedule = variant.getSchedule().str();
  manifest.arch = target.name.str();
  manifest.problem = tile.getGroups() ? "grouped_gemm_contiguous" : "gemm";
  manifest.groupAlignment = tile.getAlignment().value_or(0);
  manifest.tileM = tile.getTileM();
  manifest.tileN = tile.getTileN();
  manifest.tileK = tile.getTileK();
  manifest.mfmaM = manifest.mfmaN = tile.getMfmaRows();
  kernel.walk([&](MmaOp mma) { manifest.mfmaK = mma.getMfmaK(); });
  manifest.workgroupSize = uint32_t(tile.getNumWaves()) * target.waveSize;
  manifest.fp8Format = target.fp8 == Fp8Format::OCP ? "ocp" : "fnuz";
  addArguments(kernel, manifest);
  Constraints(kernel, tile, store, manifest).build();
  manifest.grid = {{"m", manifest.tileM}, {"n", manifest.tileN}};
  addTypes(kernel, store, manifest);
  addSlots(kernel, manifest);
  if (Error error = checkTypes(variant, manifest))
    return error;
  return manifest;
}

/// The metadata note and the manifest must agree on every argument.
static Error checkArguments(const Manifest &manifest, const Kernel &kernel) {
  std::string where = "linked kernel '" + kernel.name + "': ";
  if (kernel.arguments.size() != manifest.arguments.size())
    return createStringError(
        where + formatv("expected {0} arguments, the object has {1}",
                        manifest.arguments.size(), kernel.arguments.size())
                    .str());
  for (auto [i, argument] : enumerate(manifest.arguments)) {
    const ArgumentMetadata &linked = kernel.arguments[i];
    bool isPointer = linked.valueKind == "global_buffer";
    if (linked.offset == argument.offsetBytes &&
        linked.size == argument.sizeBytes &&
        isPointer == (argument.type == "ptr"))
      continue;
    return createStringError(
        where + formatv("argument '{0}': expected {1} of {2} bytes at {3}, the "
                        "object has {4} of {5} bytes at {6}",
                        argument.name, argument.type, argument.sizeBytes,
                        argument.offsetBytes, linked.valueKind, linked.size,
                        linked.offset)
                    .str());
  }
  return Error::success();
}

Error readBack(Manifest &manifest, ArrayRef<char> object) {
  auto parsed = CodeObject::parse(ArrayRef(
      reinterpret_cast<const uint8_t *>(object.data()), object.size()));
  if (!parsed)
    return parsed.takeError();
  auto kernel = parsed->findKernel(manifest.kernel);
  if (!kernel)
    return kernel.takeError();
  if (Error error = checkArguments(manifest, *kernel))
    return error;
  manifest.kernargBytes = kernel->kernargBytes();
  manifest.ldsBytes = kernel->descriptor.groupSegmentBytes;
  manifest.scratchBytes = kernel->descriptor.privateSegmentBytes;
  manifest.agprs = kernel->agprCount;
  // The note counts both register files together.
  manifest.vgprs = kernel->vgprCount - kernel->agprCount;
  manifest.sgprs = kernel->sgprCount;
  manifest.contentHash = Manifest::hashOf(object);
  return manifest.verify();
}

} // namespace fly
