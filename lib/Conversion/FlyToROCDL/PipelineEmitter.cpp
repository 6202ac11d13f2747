//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelEmitter.h"

#include "fly/Dialect/Fly/IR/PhaseRuns.h"

using namespace mlir;

namespace fly {

static LLVM::LoopAnnotationAttr noUnroll(MLIRContext *context) {
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), {}, {}, {}, {}, {},
      {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {});
}

// Zeros that the optimiser does not know: a constant would be split into single
// registers on its way into the loop. AGPRs each get a zero of their own:
// copies of one would be made in the loop as well.
void KernelEmitter::emitAccumulators() {
  for (auto op : kernel.getOps<AccumulatorOp>()) {
    Type type = b.vec(op.getTileRegisters(), b.getF32Type());
    bool inAgprs = op.getFile() == RegisterFile::Agpr;
    Registers &values = registers[{op.getResult(), 0}];
    int64_t tiles = op.getType().getTilesM() * op.getType().getTilesN();
    for (int64_t i = 0; i < tiles; ++i)
      values.push_back(b.tie(LLVM::ZeroOp::create(b, type),
                             inAgprs ? "=a" : "=v", /*isUnique=*/inAgprs));
  }
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

// Fragments and scales that an MFMA uses, staging registers that a write does.
SmallVector<KernelEmitter::RegisterKey>
KernelEmitter::getRegisters(Operation *step) {
  if (auto write = dyn_cast<WriteOp>(step))
    return {{write.getStaging(), write.getFromStage()}};
  auto mma = dyn_cast<MmaOp>(step);
  if (!mma)
    return {};
  SmallVector<RegisterKey> used{{mma.getA(), 0}, {mma.getB(), 0}};
  for (Value scale : {mma.getScaleA(), mma.getScaleB()})
    if (scale)
      used.push_back({scale, *mma.getStage()});
  return used;
}

// Registers that an iteration takes over from the one before.
SmallVector<KernelEmitter::RegisterKey>
KernelEmitter::findCarried(LoopOp loop) {
  SmallVector<RegisterKey> written, carried;
  auto use = [&](RegisterKey key) {
    if (!llvm::is_contained(written, key) && !llvm::is_contained(carried, key))
      carried.push_back(key);
  };
  loop.walk([&](Operation *op) {
    if (auto read = dyn_cast<ReadOp>(op))
      written.push_back({read.getFragment(), 0});
    else if (auto load = dyn_cast<LoadScalesOp>(op))
      written.push_back({load.getScales(), *load.getStage()});
    else if (auto load = dyn_cast<LoadOp>(op))
      written.push_back({load.getStaging(), *load.getStage()});
    for (const RegisterKey &key : getRegisters(op))
      use(key);
    if (auto mma = dyn_cast<MmaOp>(op))
      use({mma.getAccumulator(), 0});
  });
  return carried;
}

// A bottom-tested loop of one block: other forms cost copies of accumulators. A
// peeled one may not run at all; what it leaves goes on to the drain.
LogicalResult KernelEmitter::emitLoop(LoopOp loop) {
  SmallVector<RegisterKey> carried = findCarried(loop);
  SmallVector<Value> initial{b.constant(0)};
  for (RegisterKey key : carried) {
    auto found = registers.find(key);
    if (found == registers.end())
      return loop.emitOpError("uses registers that nothing before it fills");
    llvm::append_range(initial, found->second);
  }
  Block *body = function.addBlock(), *after = function.addBlock();
  auto addArguments = [&](Block *block) {
    for (Value value : initial)
      block->addArgument(value.getType(), loop.getLoc());
  };
  auto takeArguments = [&](Block *block) {
    position = block->getArgument(0);
    unsigned next = 1;
    for (RegisterKey key : carried)
      for (Value &value : registers[key])
        value = block->getArgument(next++);
  };
  addArguments(body);
  Value end = kTiles;
  if (loop.getPeeled()) {
    int64_t unroll = loop.getUnroll();
    end = b.mul(b.div(b.add(kTiles, -1), unroll), unroll);
    addArguments(after);
    LLVM::CondBrOp::create(b, b.less(initial[0], end), body, initial, after,
                           initial);
  } else {
    LLVM::BrOp::create(b, initial, body);
  }

  b.setInsertionPointToStart(body);
  takeArguments(body);
  if (failed(emitSteps(loop.getBody().front())))
    return failure();
  Value nextPosition = b.add(position, loop.getUnroll());
  SmallVector<Value> results{nextPosition};
  for (RegisterKey key : carried)
    llvm::append_range(results, registers[key]);
  LLVM::CondBrOp::create(b, b.less(nextPosition, end), results,
                         loop.getPeeled() ? ValueRange(results) : ValueRange(),
                         /*branch_weights=*/DenseI32ArrayAttr(),
                         noUnroll(b.getContext()), body, after);
  b.setInsertionPointToStart(after);
  if (loop.getPeeled())
    takeArguments(after);
  return success();
}

LogicalResult KernelEmitter::emitSteps(Block &block) {
  for (Operation &op : block)
    if (failed(emitStep(&op)))
      return failure();
  return success();
}

LogicalResult KernelEmitter::emitStep(Operation *op) {
  if (auto phase = dyn_cast<PhaseOp>(op))
    return emitPhase(phase);
  LogicalResult result = emitInOrder(op);
  b.schedulingBarrier();
  return result;
}

LogicalResult KernelEmitter::emitInOrder(ArrayRef<Operation *> steps) {
  Instructions instructions;
  for (Operation *step : steps)
    if (failed(collect(step, instructions)))
      return failure();
  for (auto &instruction : instructions)
    instruction();
  return success();
}

// The instructions of one step, to be emitted one by one.
LogicalResult KernelEmitter::collect(Operation *op, Instructions &into) {
  if (auto copy = dyn_cast<CopyOp>(op))
    return collectCopy(copy, into);
  if (auto load = dyn_cast<LoadOp>(op))
    return collectLoad(load, into);
  if (auto write = dyn_cast<WriteOp>(op))
    return collectWrite(write, into);
  if (auto load = dyn_cast<LoadScalesOp>(op))
    return collectLoadScales(load, into);
  if (auto mma = dyn_cast<MmaOp>(op))
    return collectMma(mma, into);
  if (auto read = dyn_cast<ReadOp>(op))
    collectRead(read, into);
  else if (auto wait = dyn_cast<WaitOp>(op))
    emitWait(wait);
  else if (auto barrier = dyn_cast<BarrierOp>(op))
    emitBarrier(barrier);
  return success();
}

LogicalResult KernelEmitter::emitPhase(PhaseOp phase) {
  b.schedulingBarrier();
  if (phase.getPriority()) {
    ROCDL::SetPrioOp::create(b, static_cast<uint16_t>(*phase.getPriority()));
    b.schedulingBarrier();
  }
  Operation *previous = nullptr;
  for (const Steps &run : runsOf(phase)) {
    // Waits and barriers are fenced by themselves.
    if (previous && !isa<WaitOp, BarrierOp>(previous) &&
        !isa<WaitOp>(run.front()))
      b.schedulingBarrier();
    previous = run.back();
    if (failed(phase.getInterleave() ? emitInterleaved(run) : emitRun(run)))
      return failure();
  }
  if (phase.getKind() == PhaseKind::Compute)
    pinAccumulators();
  b.schedulingBarrier();
  return success();
}

LogicalResult KernelEmitter::emitRun(ArrayRef<Operation *> run) {
  for (auto [i, step] : llvm::enumerate(run)) {
    if (i > 0)
      b.schedulingBarrier();
    if (failed(emitInOrder(step)))
      return failure();
  }
  return success();
}

// In groups that the scheduler does not mix: the LDS address of a copy (M0) is
// set while something else issues, and what is counted is issued in the order
// that the counts assume.
LogicalResult KernelEmitter::emitInterleaved(ArrayRef<Operation *> run) {
  Interleaving steps(run);
  if (steps.dealt.empty())
    return emitInOrder(run);
  Instructions carriers, dealt;
  for (Operation *step : run)
    if (failed(collect(step, llvm::is_contained(steps.carriers, step) ? carriers
                                                                      : dealt)))
      return failure();
  size_t done = 0;
  for (size_t i = 0; i < dealt.size(); ++i) {
    size_t before =
        Interleaving::carriersBefore(i, carriers.size(), dealt.size());
    for (; done < before; ++done)
      carriers[done]();
    dealt[i]();
    b.schedulingBarrier();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Copies and loads
//===----------------------------------------------------------------------===//

// Index of the K tile at position `ahead` of the region: those of the last
// block of K first, then from 0 on.
FailureOr<Value> KernelEmitter::kTileIndex(Operation *op, int64_t ahead) {
  if (!position)
    return ahead < tilesPerBlock ? b.add(kTiles, ahead - tilesPerBlock)
                                 : b.constant(ahead - tilesPerBlock);
  if (ahead < tilesPerBlock)
    return op->emitOpError("in a loop must be ")
           << tilesPerBlock
           << " or more K tiles ahead: the first iteration begins with the "
              "last block of K";
  return b.add(position, ahead - tilesPerBlock);
}

// The descriptor's range: nothing where the position is past the last K tile.
Value KernelEmitter::guardBytes(int64_t ahead, bool guarded, Value bytes) {
  if (!guarded)
    return bytes;
  Value at = position ? b.add(position, ahead) : b.constant(ahead);
  return b.select(b.less(at, kTiles), bytes, b.constant(0));
}

// K goes through the scalar offset; the lane offsets are those of any K tile
// but for the last block.
template <typename CopyT>
FailureOr<KernelEmitter::Source> KernelEmitter::emitSource(CopyT copy) {
  SlotOp op = copy.getSlotOp();
  Slot &slot = slots[op.getResult()];
  Operand &operand = operands[static_cast<int>(op.getSide())];
  FailureOr<Value> index = kTileIndex(copy, copy.getAhead());
  if (failed(index))
    return failure();
  Value k = b.mul(*index, op.getRowBytes());
  Value descriptor =
      b.descriptor(operand.base, guardBytes(copy.getAhead(), copy.getGuarded(),
                                            operand.bytes));
  bool tail = !position && copy.getAhead() < tilesPerBlock;
  return Source{descriptor, k,
                tail ? slot.tailOffsets[copy.getAhead()] : slot.offsets};
}

// Bytes from where one copy of a wave goes to where its next one does.
static int64_t getCopyStep(SlotOp slot) {
  return slot.getStageBytes() / slot.getCopiesPerWave();
}

LogicalResult KernelEmitter::collectCopy(CopyOp copy, Instructions &into) {
  SlotOp op = copy.getSlotOp();
  FailureOr<Source> source = emitSource(copy);
  if (failed(source))
    return failure();
  Value base = slots[op.getResult()].lds;
  int64_t stage = *copy.getStage() * op.getStageBytes();
  for (auto [j, offset] : llvm::enumerate(source->offsets)) {
    int64_t lds = stage + j * getCopyStep(op);
    into.push_back([this, source = *source, base, lds, offset = offset] {
      ROCDL::RawPtrBufferLoadLdsOp::create(
          b, source.descriptor, b.offsetPtr(base, lds), /*size=*/b.constant(16),
          offset, source.soffset, /*offset=*/b.constant(0),
          /*aux=*/b.constant(0), copyScope, ArrayAttr(), ArrayAttr());
    });
  }
  return success();
}

LogicalResult KernelEmitter::collectLoad(LoadOp load, Instructions &into) {
  FailureOr<Source> source = emitSource(load);
  if (failed(source))
    return failure();
  RegisterKey key(load.getStaging(), *load.getStage());
  registers[key].resize(source->offsets.size());
  for (auto [j, offset] : llvm::enumerate(source->offsets))
    into.push_back([this, source = *source, key, j = j, offset = offset] {
      registers[key][j] = b.bufferLoad(b.vec(4, b.i32()), source.descriptor,
                                       offset, source.soffset);
    });
  return success();
}

// What the registers hold now is written, whatever is loaded into them later.
LogicalResult KernelEmitter::collectWrite(WriteOp write, Instructions &into) {
  SlotOp slot = write.getSlotOp();
  Operand &operand = operands[static_cast<int>(slot.getSide())];
  RegisterKey key(write.getStaging(), write.getFromStage());
  auto found = registers.find(key);
  if (found == registers.end())
    return write.emitOpError("uses registers that nothing before it fills");
  int64_t stage = slot.getOffset() - operand.ldsOffset +
                  *write.getStage() * slot.getStageBytes();
  for (auto [j, chunk] : llvm::enumerate(found->second)) {
    int64_t lds = stage + j * getCopyStep(slot);
    into.push_back([this, &operand, lds, chunk = chunk] {
      Value to = b.offsetPtr(b.offsetPtr(ldsBase, operand.write), lds);
      auto store = LLVM::StoreOp::create(b, chunk, to, /*alignment=*/16);
      store.setNoaliasScopesAttr(copyScope);
    });
  }
  return success();
}

LogicalResult KernelEmitter::collectLoadScales(LoadScalesOp load,
                                               Instructions &into) {
  ScaleFragmentOp op = load.getScaleFragmentOp();
  Scales &from = scales[op.getResult()];
  FailureOr<Value> index = kTileIndex(load, load.getAhead());
  if (failed(index))
    return failure();
  Value descriptor = b.descriptor(
      from.base, guardBytes(load.getAhead(), load.getGuarded(), from.bytes));
  Value soffset = b.mul(*index, from.stride);
  RegisterKey key(op.getResult(), *load.getStage());
  registers.insert({key, {}});
  int64_t count = op.getType().getCount();
  into.push_back([this, key, count, descriptor, &from, soffset] {
    emitLoadScales(count, descriptor, from.offset, soffset, registers[key]);
  });
  return success();
}

void KernelEmitter::emitLoadScales(int64_t count, Value descriptor,
                                   Value voffset, Value soffset,
                                   Registers &values) {
  values.clear();
  if (count == 1) {
    Value byte = b.bufferLoad(b.getI8Type(), descriptor, voffset, soffset);
    // Only the low byte counts. Were both extended alike, the optimiser would
    // carry a byte through the loop and extend it at the head, behind a wait.
    values.push_back(position
                         ? LLVM::SExtOp::create(b, b.i32(), byte).getResult()
                         : LLVM::ZExtOp::create(b, b.i32(), byte).getResult());
    return;
  }
  if (count == 4) {
    values.push_back(b.bufferLoad(b.i32(), descriptor, voffset, soffset));
    return;
  }
  Value all =
      b.bufferLoad(b.vec(count / 4, b.i32()), descriptor, voffset, soffset);
  for (int64_t i = 0; i < count / 4; ++i)
    values.push_back(LLVM::ExtractElementOp::create(b, all, b.constant(i)));
}

//===----------------------------------------------------------------------===//
// Reads and MFMA
//===----------------------------------------------------------------------===//

void KernelEmitter::collectRead(ReadOp read, Instructions &into) {
  SlotOp slot = read.getSlotOp();
  Operand &operand = operands[static_cast<int>(slot.getSide())];
  int64_t stage = slot.getOffset() - operand.ldsOffset +
                  *read.getStage() * slot.getStageBytes();
  int64_t tiles = slot.getTilesPerWave(), steps = slot.getChunksPerLane();
  int64_t tileBytes = tile.getMfmaRows() * slot.getRowBytes();
  RegisterKey key(read.getFragment(), 0);
  registers.insert({key, {}});
  for (int64_t i = 0; i < steps * tiles; ++i)
    into.push_back([this, &operand, key, stage, tiles, tileBytes, steps, i] {
      Registers &values = registers[key];
      values.resize(steps * tiles);
      Value at = b.offsetPtr(b.offsetPtr(ldsBase, operand.fragment[i / tiles]),
                             stage + i % tiles * tileBytes);
      auto chunk =
          LLVM::LoadOp::create(b, b.vec(4, b.i32()), at, /*alignment=*/16);
      chunk.setAliasScopesAttr(readScope);
      chunk.setNoaliasScopesAttr(copyScope);
      values[steps * (i % tiles) + i / tiles] = chunk;
    });
}

// Accumulators are kept by M tile, then N tile. B goes in as the first operand:
// a lane then holds consecutive columns of one row of D.
LogicalResult KernelEmitter::collectMma(MmaOp mma, Instructions &into) {
  for (const RegisterKey &key : getRegisters(mma))
    if (!registers.count(key))
      return mma.emitOpError("uses registers that nothing before it fills");
  AccumulatorType type = mma.getAccumulator().getType();
  int64_t tilesM = type.getTilesM(), tilesN = type.getTilesN();
  int64_t steps = mma.getMfmaCount() / (tilesM * tilesN);
  for (int64_t step = 0; step < steps; ++step)
    for (int64_t i = 0; i < tilesM; ++i)
      for (int64_t j = 0; j < tilesN; ++j)
        into.push_back([this, mma, step, i, j, tilesN]() mutable {
          Value &accumulator =
              registers[{mma.getAccumulator(), 0}][i * tilesN + j];
          accumulator = emitMfma(mma, step, i, j, accumulator);
        });
  return success();
}

// The format code of f8f6f4 MFMA for an 8-bit type (CDNA4 ISA, cbsz and blgp).
static int64_t formatCode(Type type) {
  return isa<Float8E5M2Type>(type) ? 1 : 0;
}

// One MFMA takes the whole K tile.
Value KernelEmitter::emitScaledMfma(MmaOp mma, int64_t tileA, ArrayRef<Value> a,
                                    ArrayRef<Value> bRegs, Value accumulator) {
  auto join = [&](ArrayRef<Value> chunks) -> Value {
    return LLVM::ShuffleVectorOp::create(
        b, chunks[0], chunks[1], ArrayRef<int32_t>{0, 1, 2, 3, 4, 5, 6, 7});
  };
  SlotOp slot = mma.getFragmentOp(Side::A).getSlotOp();
  int64_t byte = slot.getPart() * slot.getTilesPerWave() + tileA;
  Value scaleA = registers[{mma.getScaleA(), *mma.getStage()}][byte / 4];
  Value scaleB = registers[{mma.getScaleB(), *mma.getStage()}][0];
  Value format = b.constant(formatCode(mma.getA().getType().getElementType()));
  return ROCDL::mfma_scale_f32_16x16x128_f8f6f4::create(
      b, accumulator.getType(),
      ValueRange{join(bRegs), join(a), accumulator, format, format,
                 b.constant(0), scaleB, b.constant(byte % 4), scaleA});
}

Value KernelEmitter::emitMfma(MmaOp mma, int64_t step, int64_t tileA,
                              int64_t tileB, Value accumulator) {
  int64_t chunks = mma.getFragmentOp(Side::A).getSlotOp().getChunksPerLane();
  auto registersOf = [&](Value fragment, int64_t tile) {
    return ArrayRef(registers[{fragment, 0}]).slice(chunks * tile, chunks);
  };
  ArrayRef<Value> a = registersOf(mma.getA(), tileA);
  ArrayRef<Value> bRegs = registersOf(mma.getB(), tileB);
  if (mma.getScaleA())
    return emitScaledMfma(mma, tileA, a, bRegs, accumulator);
  Type element = mma.getA().getType().getElementType();
  Type result = accumulator.getType();
  Value zero = b.constant(0);
  // Chunk by chunk; half of each lane's chunk where the chip's MFMA take half
  // the K. Of bf16 those have integer operands.
  constexpr int64_t chunkElements = chunkBytes / 2;
  int64_t perChunk = lanesPerRow() * chunkElements / mma.getMfmaK();
  bool isHalf = perChunk > 1, isBf16 = element.isBF16();
  Type type = isHalf && isBf16 ? b.getI16Type() : element;
  auto take = [&](Value chunk) -> Value {
    chunk = b.bitcast(chunk, b.vec(chunkElements, type));
    if (!isHalf)
      return chunk;
    int32_t first = step % perChunk * chunkElements / 2;
    return LLVM::ShuffleVectorOp::create(
        b, chunk, chunk,
        ArrayRef<int32_t>{first, first + 1, first + 2, first + 3});
  };
  SmallVector<Value> operands{take(bRegs[step / perChunk]),
                              take(a[step / perChunk]),
                              accumulator,
                              zero,
                              zero,
                              zero};
  bool isWide = tile.getMfmaRows() == 32;
  if (isHalf && isWide && isBf16)
    return ROCDL::mfma_f32_32x32x8bf16_1k::create(b, result, operands);
  if (isHalf && isWide)
    return ROCDL::mfma_f32_32x32x8f16::create(b, result, operands);
  if (isHalf && isBf16)
    return ROCDL::mfma_f32_16x16x16bf16_1k::create(b, result, operands);
  if (isHalf)
    return ROCDL::mfma_f32_16x16x16f16::create(b, result, operands);
  if (isWide && isBf16)
    return ROCDL::mfma_f32_32x32x16_bf16::create(b, result, operands);
  if (isWide)
    return ROCDL::mfma_f32_32x32x16_f16::create(b, result, operands);
  if (isBf16)
    return ROCDL::mfma_f32_16x16x32_bf16::create(b, result, operands);
  return ROCDL::mfma_f32_16x16x32_f16::create(b, result, operands);
}

// With a group, only its half of the waves goes through the barrier.
void KernelEmitter::emitBarrier(BarrierOp barrier) {
  if (!barrier.getGroup()) {
    ROCDL::SBarrierOp::create(b);
    b.schedulingBarrier();
    return;
  }
  Value isFirst = b.below(wave, b.constant(tile.getNumWaves() / 2));
  Block *meet = function.addBlock(), *after = function.addBlock();
  bool first = *barrier.getGroup() == 0;
  LLVM::CondBrOp::create(b, isFirst, first ? meet : after,
                         first ? after : meet);
  b.setInsertionPointToStart(meet);
  ROCDL::SBarrierOp::create(b);
  LLVM::BrOp::create(b, ValueRange(), after);
  b.setInsertionPointToStart(after);
}

// Registers for the accumulators that stay the same through the loop, as hints.
// LLVM has 32x32 MFMA accumulate in place without them.
void KernelEmitter::pinAccumulators() {
  if (tile.getMfmaRows() != defaultMfmaRows)
    return;
  int64_t next = 0;
  for (auto op : kernel.getOps<AccumulatorOp>())
    for (Value &value : registers[{op.getResult(), 0}]) {
      value = b.tie(
          value, ("={v[" + Twine(next) + ":" + Twine(next + 3) + "]}").str());
      next += 4;
    }
}

// s_waitcnt of gfx9: vmcnt in bits 3:0 and 15:14, expcnt 6:4, lgkmcnt 11:8; all
// ones waits for nothing (LLVM AMDGPUUsage).
void KernelEmitter::emitWait(WaitOp wait) {
  int64_t vmcnt = wait.getVmcnt().value_or(63);
  int64_t lgkmcnt = wait.getLgkmcnt().value_or(15);
  b.schedulingBarrier();
  ROCDL::SWaitcntOp::create(b, static_cast<uint32_t>((vmcnt & 15) |
                                                     (vmcnt >> 4) << 14 |
                                                     7 << 4 | lgkmcnt << 8));
  b.schedulingBarrier();
}

} // namespace fly
