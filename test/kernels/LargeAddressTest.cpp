//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Operands that reach past 2 and 4 GiB: rows and groups so far apart that any
/// offset of 32 bits in the wrong place wraps. Only the rows in use are ever
/// touched, so the memory between them costs nothing on the emulator.

#include "KernelTest.h"

#include "fly/Runner/OperandImages.h"
#include "fly/Runtime/LaunchPlan.h"

using namespace fly;
using namespace llvm;

namespace {

/// Copies \p count rows of \p bytes between an image with pitch \p from and a
/// device with pitch \p to.
struct Rows {
  int64_t count, bytes, from, to;
};

class LargeAddress : public KernelTest {
protected:
  static uint64_t upload(Device &device, const uint8_t *image, Rows rows) {
    uint64_t address =
        unwrap(device.allocate((rows.count - 1) * rows.to + rows.bytes));
    for (int64_t i = 0; i < rows.count; ++i)
      unwrap(device.copyToDevice(address + i * rows.to,
                                 ArrayRef(image + i * rows.from, rows.bytes)));
    return address;
  }

  /// Runs with the pitches of \p spread what \p compact has without gaps, and
  /// expects every bit.
  static void expectExact(const CompiledKernel &compiled, const Shape &compact,
                          const Shape &spread) {
    Device &device = *testDevice();
    Problem from = unwrap(Problem::create(compiled.manifest, compact));
    Problem to = unwrap(Problem::create(compiled.manifest, spread));
    Operands operands = unwrap(makeExactOperands(from, 1));
    std::vector<double> reference = computeReference(from, operands);

    int64_t sizeAB = from.elementBytesAB(), sizeD = from.elementBytesD();
    Rows rowsA = {compact.m, compact.k * sizeAB, from.pitchA * sizeAB,
                  to.pitchA * sizeAB};
    Rows rowsD = {compact.m, compact.n * sizeD, from.pitchD * sizeD,
                  to.pitchD * sizeD};
    OperandAddresses addresses;
    addresses.a = upload(device, operands.a.data(), rowsA);
    addresses.d = upload(device, operands.dData(), rowsD);
    addresses.b = uploadB(device, operands, from, to);
    auto uploadAll = [&](ArrayRef<uint8_t> bytes) {
      int64_t size = bytes.size();
      return size ? upload(device, bytes.data(), {1, size, size, size}) : 0;
    };
    addresses.scaleA = uploadAll(operands.scaleA);
    addresses.scaleB = uploadAll(operands.scaleB);
    addresses.layout = uploadAll(
        ArrayRef(reinterpret_cast<const uint8_t *>(compact.layout.data()),
                 compact.layout.size() * 4));

    launch(device, compiled, to, addresses);
    for (int64_t i = 0; i < rowsD.count; ++i)
      unwrap(device.copyToHost(
          MutableArrayRef(operands.dData() + i * rowsD.from, rowsD.bytes),
          addresses.d + i * rowsD.to));
    for (const std::string &failure :
         compareExact(from, operands, reference).failures)
      ADD_FAILURE() << failure;
    for (uint64_t address :
         {addresses.a, addresses.b, addresses.d, addresses.scaleA,
          addresses.scaleB, addresses.layout})
      if (address)
        unwrap(device.free(address));
  }

  /// B has two strides: between rows and between groups.
  static uint64_t uploadB(Device &device, const Operands &operands,
                          const Problem &from, const Problem &to) {
    int64_t size = from.elementBytesAB(), n = from.shape.n;
    int64_t last = (to.matrices() - 1) * to.strideB + (n - 1) * to.pitchB;
    uint64_t address = unwrap(device.allocate((last + from.shape.k) * size));
    for (int64_t g = 0; g < from.matrices(); ++g)
      for (int64_t row = 0; row < n; ++row)
        unwrap(device.copyToDevice(
            address + (g * to.strideB + row * to.pitchB) * size,
            ArrayRef(rowOfB(operands, from, g, row), from.shape.k * size)));
    return address;
  }

  static void launch(Device &device, const CompiledKernel &compiled,
                     const Problem &problem,
                     const OperandAddresses &addresses) {
    auto kernel = unwrap(device.load(compiled.object, compiled.manifest));
    auto values = unwrap(makeArguments(problem, addresses));
    LaunchPlan plan = unwrap(LaunchPlan::create(compiled.manifest, values));
    unwrap(device.launch(*kernel, plan.workgroups, plan.kernargs));
    unwrap(device.synchronize());
    for (const Report &report : device.takeReports())
      ADD_FAILURE() << report.kind << ": " << report.message;
  }
};

constexpr int64_t gib = int64_t(1) << 30;

Shape groupedShape() {
  Shape shape;
  shape.layout = makeLayout({{1, 140}, {0, 100}}, 128);
  shape.m = shape.layout.size();
  shape.n = 144;
  shape.k = 272;
  shape.groups = 2;
  return shape;
}

/// A pad for rows of \p used elements such that 300 of them pass \p bytes, a
/// multiple of 16 elements.
int64_t padTo(int64_t bytes, int64_t elementBytes, int64_t used) {
  return bytes / 300 / elementBytes / 16 * 16 + 16 - used;
}

TEST_F(LargeAddress, GroupsFarApart) {
  const CompiledKernel &compiled =
      compiledKernel("grouped_gemm_blockscale_contiguous.mlir", "");
  for (int64_t stride : {2 * gib - 4096, 2 * gib + 4096, 5 * gib}) {
    Shape spread = groupedShape();
    spread.padGroups = stride - spread.n * spread.k;
    expectExact(compiled, groupedShape(), spread);
  }
}

TEST_F(LargeAddress, RowsFarApart) {
  const CompiledKernel &compiled =
      compiledKernel("grouped_gemm_blockscale_contiguous.mlir", "");
  Shape compact = groupedShape();
  for (int64_t bytes : {3 * gib / 2, 9 * gib / 2}) {
    Shape spread = compact;
    spread.padA = padTo(bytes, 1, compact.k);
    expectExact(compiled, compact, spread);
    spread = compact;
    spread.padD = padTo(bytes, 2, compact.n);
    expectExact(compiled, compact, spread);
    spread = compact;
    spread.padB = padTo(bytes, 1, compact.k);
    expectExact(compiled, compact, spread);
  }
}

TEST_F(LargeAddress, DenseRowsFarApart) {
  const CompiledKernel &compiled = compiledKernel("gemm_a16w16.mlir", "");
  Shape compact;
  compact.m = 300;
  compact.n = 264;
  compact.k = 136;
  for (int64_t bytes : {3 * gib / 2, 9 * gib / 2}) {
    Shape spread = compact;
    spread.padA = padTo(bytes, 2, compact.k);
    spread.padB = padTo(bytes, 2, compact.k);
    spread.padD = padTo(bytes, 2, compact.n);
    expectExact(compiled, compact, spread);
  }
}

} // namespace
