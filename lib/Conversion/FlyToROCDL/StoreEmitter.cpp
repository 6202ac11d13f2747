//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelEmitter.h"

using namespace mlir;

namespace fly {

static constexpr int64_t pieceElements = 8; // of 16 bits: 16 bytes

// Calls `piece` for each row that a lane holds and each 16-byte piece of it,
// and stores what it returns. A lane's rows are consecutive, and so are its
// columns.
void KernelEmitter::storeRows(
    llvm::function_ref<Value(int64_t row, int64_t piece)> piece) {
  StringRef name = nameOf(store.getD());
  Value rowBytes = b.mul(getArgument("pitch_" + name), 2);
  Value bytes = b.mul(b.zext64(row0), b.zext64(rowBytes));
  bytes = b.add(bytes, b.zext64(b.mul(col0, 2)));
  Value base = b.offsetPtr(getArgument(name), bytes);
  Value range = b.add(b.mul(b.add(rowsLeft, -1), rowBytes), b.mul(colsLeft, 2));
  Value descriptor = b.descriptor(base, range);

  int64_t waveRows = tile.getTileM() / tile.getWaves()[0];
  int64_t waveColumns = tile.getTileN() / tile.getWaves()[1];
  int64_t mfmaRows = tile.getMfmaRows();
  int64_t rows = waveRows / mfmaRows, columns = waveColumns / lanesPerRow();
  Value firstRow =
      b.add(b.mul(waveM, waveRows), b.mul(b.rem(lane, mfmaRows), rows));
  Value firstColumn =
      b.add(b.mul(waveN, waveColumns), b.mul(b.div(lane, mfmaRows), columns));
  Value rowOffset = b.mul(firstRow, rowBytes);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t p = 0; p < columns / pieceElements; ++p) {
      // The next row's bytes follow column N: the range does not drop them.
      Value column = b.add(firstColumn, p * pieceElements);
      Value offset =
          b.select(b.less(column, colsLeft), b.add(rowOffset, b.mul(column, 2)),
                   b.constant(CodeBuilder::outOfRange));
      b.bufferStore(piece(row, p), descriptor, offset);
    }
    rowOffset = b.add(rowOffset, rowBytes);
  }
}

// Eight consecutive columns of a lane's row, rounded, as four dwords. The
// lane's columns go by part of B, tile of the part, register of the tile; its
// rows by part of A and tile of the part.
Value KernelEmitter::packPiece(int64_t row, int64_t piece) {
  Type element = cast<MatrixType>(store.getD().getType()).getElementType();
  Value values =
      LLVM::PoisonOp::create(b, b.vec(pieceElements, b.getF32Type()));
  for (auto accumulator : store.getAccumulators()) {
    auto op = accumulator.getDefiningOp<AccumulatorOp>();
    auto part = [](Value fragment) {
      return fragment.getDefiningOp<FragmentOp>().getSlotOp().getPart();
    };
    int64_t tilesM = op.getType().getTilesM(),
            tilesN = op.getType().getTilesN();
    int64_t firstRow = part(op.getA()) * tilesM;
    int64_t firstTile = part(op.getB()) * tilesN;
    if (row < firstRow || row >= firstRow + tilesM)
      continue;
    for (int64_t i = 0; i < pieceElements; ++i) {
      int64_t column = piece * pieceElements + i, held = op.getTileRegisters();
      int64_t tileN = column / held - firstTile;
      if (tileN < 0 || tileN >= tilesN)
        continue;
      Value result =
          registers[{accumulator, 0}][(row - firstRow) * tilesN + tileN];
      Value element =
          LLVM::ExtractElementOp::create(b, result, b.constant(column % held));
      values = LLVM::InsertElementOp::create(b, values, element, b.constant(i));
    }
  }
  Value rounded =
      LLVM::FPTruncOp::create(b, b.vec(pieceElements, element), values);
  return b.bitcast(rounded, b.vec(4, b.i32()));
}

// For each row that the lane holds: is its group -1?
KernelEmitter::Registers KernelEmitter::emitRowIsPadding() {
  int64_t waveRows = tile.getTileM() / tile.getWaves()[0],
          mfmaRows = tile.getMfmaRows();
  int64_t rows = waveRows / mfmaRows;
  Value bytes = b.mul(b.zext64(row0), b.constant64(4));
  Value base = b.offsetPtr(getArgument(nameOf(tile.getGroups())), bytes);
  Value descriptor = b.descriptor(base, b.mul(rowsLeft, 4));
  Value first =
      b.add(b.mul(waveM, waveRows), b.mul(b.rem(lane, mfmaRows), rows));
  Registers result;
  // Four rows a load; the alignment of rows to an MFMA's makes it whole.
  for (int64_t row = 0; row < rows; row += 4) {
    Value entries = b.bufferLoad(b.vec(4, b.i32()), descriptor,
                                 b.mul(b.add(first, row), 4), b.constant(0));
    for (int64_t i = 0; i < std::min<int64_t>(4, rows - row); ++i) {
      Value entry = LLVM::ExtractElementOp::create(b, entries, b.constant(i));
      result.push_back(b.less(entry, b.constant(0)));
    }
  }
  return result;
}

void KernelEmitter::emitStore() {
  Registers padding;
  if (tile.getGroups())
    padding = emitRowIsPadding();
  storeRows([&](int64_t row, int64_t piece) {
    Value value = packPiece(row, piece);
    if (!padding.empty())
      value = b.select(padding[row], LLVM::ZeroOp::create(b, value.getType()),
                       value);
    return value;
  });
}

void KernelEmitter::emitZeroStore() {
  Value zero = LLVM::ZeroOp::create(b, b.vec(4, b.i32()));
  storeRows([&](int64_t, int64_t) { return zero; });
}

} // namespace fly
