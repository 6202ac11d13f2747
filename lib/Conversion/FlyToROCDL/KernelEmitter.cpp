//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelEmitter.h"
#include "MapLowering.h"

#include "fly/Dialect/Fly/IR/KernelABI.h"

using namespace mlir;

namespace fly {

KernelEmitter::KernelEmitter(KernelOp kernel, OpBuilder &builder)
    : kernel(kernel), b(kernel.getLoc(), builder) {}

LogicalResult KernelEmitter::emit() {
  if (failed(findOps()))
    return failure();
  createLds();
  createFunction();
  emitIds();
  emitTile();
  if (tile.getGroups())
    emitGroup();
  for (auto slot : kernel.getOps<SlotOp>()) {
    Operand &operand = operands[static_cast<int>(slot.getSide())];
    if (!operand.base) {
      emitOperand(slot.getSide(), slot.getOperand());
      operand.ldsOffset = slot.getOffset();
    }
    emitSlot(slot);
  }
  for (auto op : kernel.getOps<ScaleFragmentOp>())
    op.getSide() == Side::A ? emitScalesOfA(op) : emitScalesOfB(op);
  emitAccumulators();
  b.schedulingBarrier();
  if (failed(emitSteps(prologue.getBody().front())) || failed(emitLoop(loop)) ||
      failed(emitSteps(drain.getBody().front())))
    return failure();
  emitStore();
  LLVM::ReturnOp::create(b, ValueRange());
  if (zeroBlock) {
    b.setInsertionPointToEnd(zeroBlock);
    emitZeroStore();
    LLVM::ReturnOp::create(b, ValueRange());
  }
  return success();
}

LogicalResult KernelEmitter::findOps() {
  auto found = lookupTarget(kernel.getArch().value_or(""));
  if (!found)
    return kernel.emitOpError("cannot be lowered: ")
           << toString(found.takeError());
  target = &*found;
  for (Operation &op : kernel.getEntryBlock()) {
    if (isa<PipelineOp, GemmOp, GroupedGemmOp>(op))
      return op.emitOpError("must be expanded before the kernel is lowered");
    if (auto slot = dyn_cast<SlotOp>(op)) {
      ldsBytes = std::max(
          ldsBytes, slot.getOffset() + slot.getStages() * slot.getStageBytes());
      tilesPerBlock = slot.getTilesPerBlock();
    }
  }
  tile = kernel.findOp<WorkgroupTileOp>();
  prologue = kernel.findOp<PrologueOp>();
  loop = kernel.findOp<LoopOp>();
  drain = kernel.findOp<DrainOp>();
  store = kernel.findOp<StoreOp>();
  if (!tile || !prologue || !loop || !drain || !store)
    return kernel.emitOpError("cannot be lowered: it needs a workgroup tile, a "
                              "prologue, a loop, a drain and a store");
  return checkRegisters();
}

// What a wave holds at a time in any case must fit its registers: the backend
// would spill, or give up.
LogicalResult KernelEmitter::checkRegisters() {
  int64_t chunk = chunkBytes / 4, fragments = 0;
  int64_t needed = numRegisters(RegisterFile::Vgpr);
  for (auto op : kernel.getOps<StagingOp>())
    needed += op.getStages() * op.getType().getCount() * chunk;
  kernel.walk([&](MmaOp mma) {
    int64_t used = 0;
    for (Side side : {Side::A, Side::B}) {
      SlotOp slot = mma.getFragmentOp(side).getSlotOp();
      used += slot.getTilesPerWave() * slot.getChunksPerLane() * chunk;
    }
    fragments = std::max(fragments, used);
  });
  needed += fragments;
  int64_t waves =
      llvm::divideCeil(uint64_t(tile.getNumWaves()), target->simdsPerCu);
  int64_t limit = std::min<int64_t>(target->registersPerSimd / waves -
                                        numRegisters(RegisterFile::Agpr),
                                    target->maxVgprs);
  if (needed > limit)
    return kernel.emitOpError("cannot be lowered: accumulators, fragments and "
                              "staging take ")
           << needed << " VGPRs, and with " << tile.getNumWaves()
           << " waves a workgroup a wave of " << target->name << " has "
           << limit;
  return success();
}

//===----------------------------------------------------------------------===//
// Function, LDS
//===----------------------------------------------------------------------===//

// Registers of the accumulators that lie in \p file.
int64_t KernelEmitter::numRegisters(RegisterFile file) {
  int64_t count = 0;
  for (auto op : kernel.getOps<AccumulatorOp>())
    if (op.getFile() == file)
      count += op.getNumRegisters();
  return count;
}

// Waves of one SIMD that LDS lets be resident: the register budget is theirs.
static int64_t wavesPerSimd(const TargetInfo &target, int64_t ldsBytes,
                            int64_t waves) {
  int64_t granules = llvm::divideCeil(ldsBytes, target.ldsGranuleBytes);
  int64_t workgroups = target.ldsBytes / (granules * target.ldsGranuleBytes);
  // Never below 2 waves' worth of registers a wave: 256 VGPRs each.
  return std::clamp<int64_t>(workgroups * waves / target.simdsPerCu, 1, 2);
}

void KernelEmitter::createFunction() {
  SmallVector<Type> types;
  std::vector<KernelArgument> abi = getKernelArguments(kernel);
  for (const KernelArgument &argument : abi)
    types.push_back(
        argument.type == KernelArgument::Type::Pointer ? b.ptr(GlobalSpace)
        : argument.type == KernelArgument::Type::I64   ? Type(b.getI64Type())
                                                       : b.i32());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), types);
  function = LLVM::LLVMFuncOp::create(b, kernel.getSymName(), type);

  int64_t waves = tile.getNumWaves(), threads = waves * target->waveSize;
  std::string size = std::to_string(threads);
  std::string perSimd = std::to_string(wavesPerSimd(*target, ldsBytes, waves));
  function->setAttr("rocdl.kernel", b.getUnitAttr());
  function->setAttr("rocdl.flat_work_group_size",
                    b.getStringAttr(size + "," + size));
  function->setAttr(
      "rocdl.reqd_work_group_size",
      b.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
  // As many AGPRs as accumulators are to lie there. With 0, MFMA is in its VGPR
  // form, and accumulators are not copied in and out of AGPRs each iteration
  // (docs/code-object.md).
  std::string agprs = std::to_string(numRegisters(RegisterFile::Agpr));
  auto pair = [&](StringRef name, StringRef value) -> Attribute {
    return b.getStrArrayAttr({name, value});
  };
  function.setPassthroughAttr(
      b.getArrayAttr({pair("amdgpu-agpr-alloc", agprs),
                      pair("amdgpu-waves-per-eu", perSimd + "," + perSimd),
                      pair("uniform-work-group-size", "true")}));

  Block *entry = function.addEntryBlock(b);
  for (auto [argument, value] : llvm::zip(abi, entry->getArguments()))
    arguments[argument.name] = value;
  b.setInsertionPointToStart(entry);
}

// One LDS array. Copies and reads get alias scopes of their own: the compiler
// must not put waits of its own between them (docs/code-object.md).
void KernelEmitter::createLds() {
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), ldsBytes);
  ldsGlobal = LLVM::GlobalOp::create(
      b, type, /*isConstant=*/false, LLVM::Linkage::Internal,
      (kernel.getSymName() + "_lds").str(), /*value=*/Attribute(),
      /*alignment=*/1024, LdsSpace);
  auto domain =
      LLVM::AliasScopeDomainAttr::get(b.getContext(), b.getStringAttr("lds"));
  auto scope = [&](StringRef name) {
    return b.getArrayAttr(
        {LLVM::AliasScopeAttr::get(domain, b.getStringAttr(name))});
  };
  copyScope = scope("copy");
  readScope = scope("read");
}

//===----------------------------------------------------------------------===//
// Ids, tile, group
//===----------------------------------------------------------------------===//

void KernelEmitter::emitIds() {
  Value thread = ROCDL::ThreadIdXOp::create(b, b.i32());
  lane = b.rem(thread, target->waveSize);
  wave = b.uniform(b.div(thread, target->waveSize));
  waveM = b.div(wave, tile.getWaves()[1]);
  waveN = b.rem(wave, tile.getWaves()[1]);
  ldsBase = LLVM::AddressOfOp::create(b, ldsGlobal);
}

// Row and column of the workgroup's tile, by the maps that the kernel names.
std::pair<Value, Value> KernelEmitter::emitTileIndex() {
  llvm::DenseMap<Value, Value> values;
  auto tiles = [&](Side side, int64_t size) {
    Value extent = getArgument(side == Side::A ? "m" : "n");
    return b.div(b.add(extent, size - 1), size);
  };
  for (Operation &op : kernel.getEntryBlock()) {
    if (auto id = dyn_cast<WorkgroupIdOp>(op)) {
      values[id] = ROCDL::BlockIdXOp::create(b, b.i32());
    } else if (auto count = dyn_cast<TileCountOp>(op)) {
      values[count] = tiles(count.getSide(), count.getSize());
    } else if (auto xcd = dyn_cast<MapXcdOp>(op)) {
      Value total = b.mul(values[xcd.getRows()], values[xcd.getColumns()]);
      values[xcd] = lowerMapXcd(b, values[xcd.getId()], total, xcd.getXcds());
    } else if (auto grouped = dyn_cast<MapGroupedMOp>(op)) {
      std::tie(values[grouped.getRow()], values[grouped.getColumn()]) =
          lowerMapGroupedM(b, values[grouped.getId()],
                           values[grouped.getRows()],
                           values[grouped.getColumns()], grouped.getSize());
    }
  }
  if (tile.getRow())
    return {values[tile.getRow()], values[tile.getColumn()]};
  Value workgroup = ROCDL::BlockIdXOp::create(b, b.i32());
  Value rows = tiles(Side::A, tile.getTileM());
  Value column = b.udiv(workgroup, rows);
  return {b.sub(workgroup, b.mul(column, rows)), column};
}

void KernelEmitter::emitTile() {
  Value m = getArgument("m"), n = getArgument("n"), k = getArgument("k");
  int64_t tileM = tile.getTileM();
  auto [tileRow, tileColumn] = emitTileIndex();
  row0 = b.mul(tileRow, tileM);
  col0 = b.mul(tileColumn, tile.getTileN());
  // The smaller of two first, then differences: a clamp would be matched to a
  // vector instruction, and descriptors must stay scalar.
  rowsLeft = b.smin(b.sub(m, row0), b.constant(tileM));
  colsLeft = b.smin(b.sub(n, col0), b.constant(tile.getTileN()));
  // Whole blocks of K, of which the last may be partial.
  int64_t blockElements = tile.getTileK() * tilesPerBlock;
  Value blocks = b.div(b.add(k, blockElements - 1), blockElements);
  kTiles = b.mul(blocks, tilesPerBlock);
  Value lastElements = b.sub(k, b.mul(b.add(blocks, -1), blockElements));
  lastBlockBytes = b.mul(lastElements, kBlockBytes / blockElements);
}

// The tile's group is that of its block's first row. A block of no group goes
// to a block of its own, which stores zeros.
void KernelEmitter::emitGroup() {
  int64_t alignment = *tile.getAlignment();
  Value first = b.mul(b.div(row0, alignment), alignment);
  Value layout = LLVM::AddrSpaceCastOp::create(
      b, b.ptr(ConstantSpace), getArgument(nameOf(tile.getGroups())));
  Value entry = b.offsetPtr(layout, b.mul(b.zext64(first), b.constant64(4)));
  group = LLVM::LoadOp::create(b, b.i32(), entry, /*alignment=*/4);
  Value exists = b.below(group, getArgument("num_groups"));
  Block *body = function.addBlock();
  zeroBlock = function.addBlock();
  LLVM::CondBrOp::create(b, exists, body, zeroBlock);
  b.setInsertionPointToStart(body);
}

//===----------------------------------------------------------------------===//
// Operands and slots
//===----------------------------------------------------------------------===//

void KernelEmitter::emitOperand(Side side, Value matrix) {
  Operand &operand = operands[static_cast<int>(side)];
  StringRef name = nameOf(matrix);
  auto type = cast<MatrixType>(matrix.getType());
  int64_t elementBytes = type.getElementType().getIntOrFloatBitWidth() / 8;
  Value k = getArgument("k");
  operand.rowBytes = b.mul(getArgument("pitch_" + name), elementBytes);

  // A 64-bit base a tile; offsets inside the tile stay below 2 GiB.
  Value first = side == Side::A ? row0 : col0;
  Value bytes = b.mul(b.zext64(first), b.zext64(operand.rowBytes));
  if (type.getGrouped()) {
    Value stride =
        b.mul(getArgument("stride_" + name), b.constant64(elementBytes));
    bytes = b.add(bytes, b.mul(b.zext64(group), stride));
  }
  operand.base = b.offsetPtr(getArgument(name), bytes);
  Value rows = side == Side::A ? rowsLeft : colsLeft;
  operand.bytes =
      b.add(b.mul(b.add(rows, -1), operand.rowBytes), b.mul(k, elementBytes));
}

Value KernelEmitter::tileRowOf(SlotOp slot, Value ldsRow) {
  Side side = slot.getSide();
  int64_t t = slot.getTilesPerWave(), parts = slot.getParts();
  int64_t waveRows = tile.getTileRows(side) / tile.getSideWaves(side);
  int64_t mfmaRows = tile.getMfmaRows();
  Value r = b.rem(ldsRow, mfmaRows), tileIndex = b.div(ldsRow, mfmaRows);
  Value i = b.rem(tileIndex, t);
  Value row = b.mul(b.div(tileIndex, t), waveRows);
  if (side == Side::A) {
    row = b.add(row, b.mul(r, parts * t));
    return b.add(row, b.add(i, slot.getPart() * t));
  }
  // Rows of an MFMA go to the groups of lanes by fours.
  int64_t lanes = lanesPerRow(), held = mfmaRows / lanes;
  Value fours = b.div(r, 4);
  row = b.add(row, b.mul(b.rem(fours, lanes), held * parts * t));
  row = b.add(row, b.add(b.mul(i, held), slot.getPart() * held * t));
  row = b.add(row, b.mul(b.div(fours, lanes), 4));
  return b.add(row, b.rem(r, 4));
}

// A register for an address that lives through the loop, right behind those of
// the accumulators: as a hint, it keeps the gaps between fragments small.
Value KernelEmitter::pin(Value address) {
  if (nextPinned == 0)
    nextPinned = numRegisters(RegisterFile::Vgpr);
  return b.tie(address, ("={v" + Twine(nextPinned++) + "}").str());
}

// Copy instruction j of a wave fills 1 KiB, that of number j * waves + wave,
// its lanes in order; the swizzle is on the global side.
void KernelEmitter::emitSlot(SlotOp op) {
  Slot &slot = slots[op.getResult()];
  Operand &operand = operands[static_cast<int>(op.getSide())];
  SwizzleAttr swizzle = op.getSwizzle();
  int64_t waves = tile.getNumWaves();
  int64_t waveBytes = target->waveSize * chunkBytes;
  int64_t chunksPerRow = op.getRowBytes() / chunkBytes;
  slot.lds =
      b.offsetPtr(ldsBase, b.add(b.mul(wave, waveBytes), op.getOffset()));
  bool staged = llvm::any_of(op->getUsers(), llvm::IsaPred<StagingOp>);
  if (staged && !operand.write)
    operand.write =
        pin(b.add(b.add(b.mul(wave, waveBytes), b.mul(lane, chunkBytes)),
                  operand.ldsOffset));

  for (int64_t j = 0; j < op.getCopiesPerWave(); ++j) {
    Value ldsRow =
        b.add(b.mul(b.add(wave, j * waves), target->waveSize / chunksPerRow),
              b.div(lane, chunksPerRow));
    Value moved = b.div(b.rem(ldsRow, swizzle.getRows()),
                        int64_t(1) << swizzle.getShift());
    Value chunk = b.bitXor(b.rem(lane, chunksPerRow), moved);
    Value byte = b.mul(chunk, chunkBytes);
    Value offset = b.add(b.mul(tileRowOf(op, ldsRow), operand.rowBytes), byte);
    offset = pin(offset);
    slot.offsets.push_back(offset);
    // A chunk past K is out of range and arrives as zeros.
    for (int64_t position = 0; position < tilesPerBlock; ++position) {
      Value inBlock = b.add(byte, position * op.getRowBytes());
      slot.tailOffsets[position].push_back(
          b.select(b.below(inBlock, lastBlockBytes), offset,
                   b.constant(CodeBuilder::outOfRange)));
    }
  }

  if (operand.fragment.empty())
    emitFragmentBases(op);
}

// Of each tile a lane reads one row: in step s over K, its s-th chunk of those
// that the row's lanes take in turn.
void KernelEmitter::emitFragmentBases(SlotOp op) {
  Operand &operand = operands[static_cast<int>(op.getSide())];
  SwizzleAttr swizzle = op.getSwizzle();
  int64_t mfmaRows = tile.getMfmaRows();
  Value row = b.rem(lane, mfmaRows);
  Value moved =
      b.div(b.rem(row, swizzle.getRows()), int64_t(1) << swizzle.getShift());
  Value first = b.mul(waveOf(op.getSide()), op.getTilesPerWave() * mfmaRows);
  // The base takes in where the operand's slots start: what is left fits the
  // 16-bit offset of a read.
  Value base = b.add(
      b.add(b.mul(b.add(first, row), op.getRowBytes()), operand.ldsOffset),
      b.mul(b.bitXor(b.div(lane, mfmaRows), moved), chunkBytes));
  operand.fragment.push_back(pin(base));
  for (int64_t step = 1; step < op.getChunksPerLane(); ++step)
    operand.fragment.push_back(
        pin(b.bitXor(base, b.constant(step * lanesPerRow() * chunkBytes))));
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

// Bytes [K block][row]: a lane's rows are contiguous.
void KernelEmitter::emitScalesOfA(ScaleFragmentOp op) {
  Scales &result = scales[op.getResult()];
  StringRef name = nameOf(op.getScales());
  result.stride = getArgument("pitch_" + name);
  result.base = b.offsetPtr(getArgument(name), b.zext64(row0));
  result.bytes = b.sub(b.mul(kTiles, result.stride), row0);
  Value row =
      b.add(b.mul(waveM, tile.getTileM() / tile.getWaves()[0]),
            b.mul(b.rem(lane, tile.getMfmaRows()), op.getType().getCount()));
  result.offset =
      b.select(b.less(row, rowsLeft), row, b.constant(CodeBuilder::outOfRange));
}

// Bytes [group][block of N][K block]: one for all of a wave's columns.
void KernelEmitter::emitScalesOfB(ScaleFragmentOp op) {
  Scales &result = scales[op.getResult()];
  StringRef name = nameOf(op.getScales());
  ScalesType type = op.getScales().getType();
  Value column = b.mul(waveN, tile.getTileN() / tile.getWaves()[1]);
  Value block = b.div(b.add(col0, column), type.getRows());
  Value bytes = b.mul(b.zext64(block), b.zext64(getArgument("pitch_" + name)));
  if (type.getGrouped())
    bytes = b.add(bytes, b.mul(b.zext64(group), getArgument("stride_" + name)));
  result.stride = b.constant(1);
  result.base = b.offsetPtr(getArgument(name), bytes);
  result.bytes = b.select(b.less(column, colsLeft), kTiles, b.constant(0));
  result.offset = b.constant(0);
}

} // namespace fly
