//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Emits the machine-level function of one fly.kernel. The parts: ids, tile and
/// descriptors (KernelEmitter.cpp), prologue, loop and drain
/// (PipelineEmitter.cpp), stores (StoreEmitter.cpp).

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_KERNELEMITTER_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_KERNELEMITTER_H

#include "CodeBuilder.h"
#include "fly/Arch/TargetInfo.h"
#include "fly/Dialect/Fly/IR/Fly.h"
#include "fly/Dialect/Fly/IR/Geometry.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <vector>

namespace fly {

class KernelEmitter {
public:
  KernelEmitter(KernelOp kernel, mlir::OpBuilder &builder);

  /// Adds the function after the kernel; diagnostics at the ops.
  mlir::LogicalResult emit();

private:
  using Value = mlir::Value;
  using Block = mlir::Block;

  /// A's or B's part of the workgroup: its rows from the tile's first one on.
  struct Operand {
    Value base;     ///< pointer to the tile's first row
    Value bytes;    ///< up to the end of the last row that exists
    Value rowBytes; ///< pitch
    /// LDS byte offset of each chunk of a row that the lane reads, from the
    /// operand's first slot on.
    llvm::SmallVector<Value> fragment;
    Value write;       ///< LDS byte offset of the lane's part of a staged copy,
                       ///< likewise; null if there is none
    int64_t ldsOffset; ///< of that slot
  };
  struct Slot {
    Value lds; ///< where the wave's copies go in stage 0
    /// One a copy or load; \c tail by position, for those of the last block of
    /// K.
    llvm::SmallVector<Value> offsets, tailOffsets[2];
  };
  /// What a copy or load of one K tile of a slot reads, instruction by
  /// instruction.
  struct Source {
    Value descriptor, soffset;
    llvm::ArrayRef<Value> offsets;
  };
  struct Scales {
    Value base, bytes, offset;
    Value stride; ///< bytes from one K block to the next
  };
  /// Registers of a fragment, of staging or scales in one stage, or of an
  /// accumulator.
  using RegisterKey = std::pair<Value, int64_t>;
  using Registers = llvm::SmallVector<Value>;

  /// Each emits one instruction.
  using Instructions = std::vector<std::function<void()>>;

  // KernelEmitter.cpp
  mlir::LogicalResult findOps();
  mlir::LogicalResult checkRegisters();
  void createFunction();
  void createLds();
  void emitIds();
  void emitTile();
  std::pair<Value, Value> emitTileIndex();
  void emitGroup();
  void emitOperand(Side side, Value matrix);
  void emitSlot(SlotOp slot);
  Value pin(Value address);
  void emitScalesOfA(ScaleFragmentOp op);
  void emitScalesOfB(ScaleFragmentOp op);
  Value getArgument(llvm::Twine name) { return arguments.lookup(name.str()); }
  llvm::StringRef nameOf(Value kernelArgument) {
    return kernel.getArgName(kernelArgument);
  }
  Value tileRowOf(SlotOp slot, Value ldsRow);
  Value waveOf(Side side) { return side == Side::A ? waveM : waveN; }
  void emitFragmentBases(SlotOp slot);
  /// Lanes that hold a part of one row of an MFMA's result or operand.
  int64_t lanesPerRow() { return target->waveSize / tile.getMfmaRows(); }
  int64_t numRegisters(RegisterFile file);

  // PipelineEmitter.cpp
  void emitAccumulators();
  mlir::LogicalResult emitLoop(LoopOp loop);
  mlir::LogicalResult emitSteps(Block &block);
  mlir::LogicalResult emitStep(mlir::Operation *op);
  mlir::LogicalResult emitPhase(PhaseOp phase);
  mlir::LogicalResult emitInOrder(llvm::ArrayRef<mlir::Operation *> steps);
  mlir::LogicalResult emitRun(llvm::ArrayRef<mlir::Operation *> run);
  mlir::LogicalResult emitInterleaved(llvm::ArrayRef<mlir::Operation *> run);
  /// What an MFMA or a write uses.
  llvm::SmallVector<RegisterKey> getRegisters(mlir::Operation *step);
  mlir::LogicalResult collect(mlir::Operation *op, Instructions &into);
  mlir::LogicalResult collectCopy(CopyOp copy, Instructions &into);
  mlir::LogicalResult collectLoad(LoadOp load, Instructions &into);
  mlir::LogicalResult collectWrite(WriteOp write, Instructions &into);
  mlir::LogicalResult collectLoadScales(LoadScalesOp load, Instructions &into);
  template <typename CopyT> mlir::FailureOr<Source> emitSource(CopyT copy);
  void collectRead(ReadOp read, Instructions &into);
  mlir::LogicalResult collectMma(MmaOp mma, Instructions &into);
  void emitLoadScales(int64_t count, Value descriptor, Value voffset,
                      Value soffset, Registers &values);
  /// MFMA number \p step of one tile of A and one of B.
  Value emitMfma(MmaOp mma, int64_t step, int64_t tileA, int64_t tileB,
                 Value accumulator);
  Value emitScaledMfma(MmaOp mma, int64_t tileA, llvm::ArrayRef<Value> a,
                       llvm::ArrayRef<Value> b, Value accumulator);
  void pinAccumulators();
  void emitWait(WaitOp wait);
  void emitBarrier(BarrierOp barrier);
  mlir::FailureOr<Value> kTileIndex(mlir::Operation *op, int64_t ahead);
  Value guardBytes(int64_t ahead, bool guarded, Value bytes);
  llvm::SmallVector<RegisterKey> findCarried(LoopOp loop);

  // StoreEmitter.cpp
  void emitStore();
  void emitZeroStore();
  void storeRows(llvm::function_ref<Value(int64_t row, int64_t piece)> piece);
  Value packPiece(int64_t row, int64_t piece);
  Registers emitRowIsPadding();

  KernelOp kernel;
  CodeBuilder b;
  const TargetInfo *target = nullptr;

  // The kernel's ops.
  WorkgroupTileOp tile;
  PrologueOp prologue;
  LoopOp loop;
  DrainOp drain;
  StoreOp store;
  int64_t ldsBytes = 0;
  int64_t tilesPerBlock = 1; ///< of K, see SlotOp::getTilesPerBlock

  mlir::LLVM::LLVMFuncOp function;
  mlir::LLVM::GlobalOp ldsGlobal;
  llvm::StringMap<Value> arguments;
  mlir::ArrayAttr copyScope, readScope;

  Value lane, wave, waveM, waveN;
  Value row0, col0;         ///< the tile's first row and column
  Value rowsLeft, colsLeft; ///< of the tile, that exist
  Value group;              ///< null when not grouped
  Value kTiles;             ///< T
  Value lastBlockBytes;     ///< of a row of the last block of K, that exist
  Value ldsBase;
  Block *zeroBlock = nullptr;
  /// VGPR for the next address that is pinned; 0: right behind the
  /// accumulators.
  int64_t nextPinned = 0;

  Operand operands[2];
  llvm::DenseMap<Value, Slot> slots;
  llvm::DenseMap<Value, Scales> scales;
  llvm::MapVector<RegisterKey, Registers> registers;
  Value position; ///< base of the region being emitted; null in the prologue
};

} // namespace fly

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_KERNELEMITTER_H
