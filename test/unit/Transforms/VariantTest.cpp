//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// What the assembly of a variant cannot say, and so lit cannot test.

#include "fly/Dialect/Fly/IR/Fly.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

#include "gtest/gtest.h"

using namespace fly;

namespace {

std::string errorOf(llvm::ArrayRef<int64_t> tile, llvm::ArrayRef<int64_t> waves,
                    unsigned types, llvm::ArrayRef<int64_t> mfma = {},
                    llvm::StringRef arch = "") {
  mlir::DialectRegistry registry;
  registry.insert<FlyDialect>();
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  std::string error;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          error += diagnostic.str();
                                          return mlir::success();
                                        });
  mlir::Builder builder(&context);
  llvm::SmallVector<mlir::Type> elements(types, builder.getBF16Type());
  auto emitError = [&] { return mlir::emitError(builder.getUnknownLoc()); };
  mlir::LogicalResult result = VariantAttr::verify(
      emitError, builder.getStringAttr("v"), builder.getStringAttr("s"), tile,
      waves, mfma,
      arch.empty() ? mlir::StringAttr() : builder.getStringAttr(arch),
      elements);
  EXPECT_EQ(succeeded(result), error.empty());
  return error;
}

TEST(Variant, HasThreeTileSizesTwoWaveCountsAndAllOrNoneOfTheRest) {
  EXPECT_EQ(errorOf({128, 128, 64}, {2, 2}, 0), "");
  EXPECT_EQ(errorOf({128, 128, 64}, {2, 2}, 3), "");
  const char *sizes = "variant 'v' needs a tile of 3 sizes and a wave grid of "
                      "2, got ";
  EXPECT_EQ(errorOf({128, 128}, {2, 2}, 0), sizes + std::string("2 and 2"));
  EXPECT_EQ(errorOf({128, 128, 64}, {4}, 0), sizes + std::string("3 and 1"));
  EXPECT_EQ(errorOf({128, 128, 64}, {2, 2}, 1),
            "variant 'v' must give the types of A, B and D or none, got 1");
  EXPECT_EQ(errorOf({128, 128, 64}, {2, 2}, 0, {32, 32, 16}), "");
  EXPECT_EQ(errorOf({128, 128, 64}, {2, 2}, 0, {32, 32}),
            "variant 'v' must give M, N and K of its MFMA or none, got 2 "
            "sizes");
  EXPECT_EQ(errorOf({128, 128, 64}, {2, 2}, 0, {}, "gfx942"), "");
  EXPECT_EQ(
      errorOf({128, 128, 64}, {2, 2}, 0, {}, "gfx90a"),
      "variant 'v': unknown arch 'gfx90a', expected one of gfx942, gfx950");
}

} // namespace
