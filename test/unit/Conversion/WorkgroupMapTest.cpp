//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The workgroup maps: as functions, and as code that the emulator runs.

#include "MapLowering.h"
#include "fly/Arch/TargetInfo.h"
#include "fly/Dialect/Fly/IR/WorkgroupMap.h"
#include "fly/Emulator/Emulator.h"
#include "fly/Target/CodeGen.h"
#include "fly/Target/Compile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <cstring>
#include <set>

using namespace fly;
using namespace mlir;

static constexpr uint32_t xcdCounts[] = {1, 2, 4, 6, 8};

// Every grid up to 2000: each id once, and the ids that the hardware deals to one
// XCD become one contiguous range.
TEST(WorkgroupMap, XcdRangesAreContiguousAndCoverEveryGrid) {
  for (uint32_t xcds : xcdCounts)
    for (uint32_t total = 1; total <= 2000; ++total) {
      std::vector<bool> seen(total);
      uint32_t next = 0;
      for (uint32_t xcd = 0; xcd < xcds; ++xcd)
        for (uint32_t id = xcd; id < total; id += xcds) {
          uint32_t mapped = mapXcd(id, total, xcds);
          ASSERT_EQ(mapped, next++) << total << " on " << xcds;
          ASSERT_FALSE(seen[mapped]);
          seen[mapped] = true;
        }
      ASSERT_EQ(mapXcd(total + 3, total, xcds), total + 3);
    }
}

// Every tile once; `size` rows of one column before the next column.
TEST(WorkgroupMap, GroupedRowsCoverEveryTileAndStayTogether) {
  for (uint32_t size = 1; size <= 16; ++size)
    for (uint32_t rows = 1; rows <= 40; ++rows)
      for (uint32_t columns = 1; rows * columns <= 2000 && columns <= 50;
           ++columns) {
        std::vector<bool> seen(rows * columns);
        for (uint32_t id = 0; id < rows * columns; ++id) {
          auto [row, column] = mapGroupedM(id, rows, columns, size);
          ASSERT_LT(row, rows);
          ASSERT_LT(column, columns);
          ASSERT_FALSE(seen[row * columns + column]);
          seen[row * columns + column] = true;
          if (id == 0)
            continue;
          auto [lastRow, lastColumn] = mapGroupedM(id - 1, rows, columns, size);
          bool below = row == lastRow + 1 && column == lastColumn;
          bool nextColumn = column == lastColumn + 1 && row % size == 0;
          bool nextGroup = column == 0 && row % size == 0 &&
                           lastColumn == columns - 1;
          ASSERT_TRUE(below || nextColumn || nextGroup);
        }
      }
}

namespace {

// A kernel that stores the tile of each workgroup: (ptr, i32 rows, i32 columns).
class CompiledMap {
public:
  CompiledMap(uint32_t xcds, uint32_t size) {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    MLIRContext context(registry);
    context.loadAllAvailableDialects();
    OpBuilder builder(&context);
    OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
    CodeBuilder b(builder.getUnknownLoc(), builder);
    b.setInsertionPointToEnd(module->getBody());
    Type i32 = b.i32();
    auto function = LLVM::LLVMFuncOp::create(
        b, "map",
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&context),
                                    {b.ptr(GlobalSpace), i32, i32}));
    function->setAttr("rocdl.kernel", b.getUnitAttr());
    Block *entry = function.addEntryBlock(b);
    b.setInsertionPointToStart(entry);
    Value rows = entry->getArgument(1), columns = entry->getArgument(2);
    Value workgroup = ROCDL::BlockIdXOp::create(b, i32);
    Value id = lowerMapXcd(b, workgroup, b.mul(rows, columns), xcds);
    auto [row, column] = lowerMapGroupedM(b, id, rows, columns, size);
    Value at = b.offsetPtr(entry->getArgument(0),
                           b.mul(b.zext64(workgroup), b.constant64(8)));
    LLVM::StoreOp::create(b, row, at);
    LLVM::StoreOp::create(b, column, b.offsetPtr(at, 4));
    LLVM::ReturnOp::create(b, ValueRange());
    auto object =
        cantFail(generateObject(*module, cantFail(lookupTarget("gfx950"))));
    emulator = cantFail(Emulator::create("gfx950", EmulatorOptions()));
    code = cantFail(emulator->load(
        {reinterpret_cast<const uint8_t *>(object.data()), object.size()}));
  }

  std::vector<std::pair<uint32_t, uint32_t>> run(uint32_t rows,
                                                 uint32_t columns) {
    uint32_t total = rows * columns;
    std::vector<std::pair<uint32_t, uint32_t>> tiles(total);
    uint64_t buffer = cantFail(emulator->memory().allocate(total * 8));
    uint8_t kernargs[16];
    std::memcpy(kernargs, &buffer, 8);
    std::memcpy(kernargs + 8, &rows, 4);
    std::memcpy(kernargs + 12, &columns, 4);
    LaunchParams params;
    params.kernel = "map";
    params.grid = {total, 1, 1};
    params.block = {64, 1, 1};
    params.kernargs = kernargs;
    EXPECT_TRUE(cantFail(emulator->launch(*code, params)).passed());
    cantFail(emulator->memory().copyToHost(
        {reinterpret_cast<uint8_t *>(tiles.data()), total * 8}, buffer));
    cantFail(emulator->memory().free(buffer));
    return tiles;
  }

private:
  std::unique_ptr<Emulator> emulator;
  std::unique_ptr<EmulatorModule> code;
};

} // namespace

TEST(WorkgroupMap, CompiledCodeAgreesWithTheFunction) {
  for (uint32_t xcds : xcdCounts)
    for (uint32_t size : {1u, 3u, 4u, 16u}) {
      CompiledMap map(xcds, size);
      for (auto [rows, columns] : {std::pair(1u, 1u), std::pair(5u, 3u),
                                   std::pair(7u, 9u), std::pair(16u, 16u),
                                   std::pair(33u, 5u)}) {
        auto tiles = map.run(rows, columns);
        for (uint32_t id = 0; id < tiles.size(); ++id) {
          uint32_t mapped = mapXcd(id, rows * columns, xcds);
          ASSERT_EQ(tiles[id], mapGroupedM(mapped, rows, columns, size))
              << "workgroup " << id << " of " << rows << " x " << columns;
        }
      }
    }
}
