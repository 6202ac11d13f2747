//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// A device for tests that "runs" any GEMM kernel by the rules of its
/// arguments, written without the code under test: it reads the packed
/// arguments by the manifest and the operands by the documented layouts. Its
/// faults stand for kernels that are wrong in one way.

#ifndef FLY_TEST_UNIT_RUNNER_REFERENCEDEVICE_H
#define FLY_TEST_UNIT_RUNNER_REFERENCEDEVICE_H

#include "fly/Numerics/SmallFloat.h"
#include "fly/Runtime/Device.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Endian.h"

#include <map>
#include <numeric>

namespace fly {

enum class Fault {
  None,
  TruncateOutput,   ///< bf16 by cutting bits off
  SwapScalesOfA,    ///< the scales of rows 2 i and 2 i + 1
  SwapScalesOfB,    ///< the scales of K blocks 0 and 1
  SkipPaddingZeros, ///< leaves padding rows as they are
  WriteGap,         ///< one element past a row
  WriteBefore,      ///< one element before D
  LoseLastTile,     ///< the last 16 columns stay as they are
  LoseLastK,        ///< the last element of K
  WrongGroup,       ///< B of group 0 for all rows
  ReadPastK         ///< one element past a row of A and B
};

class ReferenceDevice : public Device {
public:
  explicit ReferenceDevice(Fault fault = Fault::None) : fault(fault) {}

  llvm::StringRef kind() const override { return "reference"; }
  llvm::StringRef arch() const override { return "gfx950"; }
  std::string description() const override { return "reference"; }

  llvm::Expected<uint64_t> allocate(uint64_t bytes) override {
    auto memory = std::make_unique<uint8_t[]>(bytes);
    uint64_t address = reinterpret_cast<uint64_t>(memory.get());
    buffers[address] = std::move(memory);
    return address;
  }
  llvm::Error free(uint64_t address) override {
    return buffers.erase(address) ? llvm::Error::success()
                                  : llvm::createStringError("free twice");
  }
  llvm::Error copyToDevice(uint64_t address,
                           llvm::ArrayRef<uint8_t> data) override {
    std::copy(data.begin(), data.end(), reinterpret_cast<uint8_t *>(address));
    return llvm::Error::success();
  }
  llvm::Error copyToHost(llvm::MutableArrayRef<uint8_t> data,
                         uint64_t address) override {
    std::copy_n(reinterpret_cast<uint8_t *>(address), data.size(),
                data.begin());
    return llvm::Error::success();
  }
  llvm::Expected<std::unique_ptr<LoadedKernel>>
  load(llvm::ArrayRef<char> object, const Manifest &manifest) override {
    return std::make_unique<LoadedKernel>(*this, manifest);
  }
  llvm::Error launch(const LoadedKernel &kernel, uint32_t workgroups,
                     llvm::ArrayRef<uint8_t> kernargs) override {
    arguments.clear();
    for (const ManifestArgument &argument : kernel.manifest().arguments) {
      const uint8_t *at = kernargs.data() + argument.offsetBytes;
      arguments[argument.name] = argument.sizeBytes == 8
                                     ? llvm::support::endian::read64le(at)
                                     : llvm::support::endian::read32le(at);
    }
    run();
    return llvm::Error::success();
  }
  llvm::Error synchronize() override { return llvm::Error::success(); }

  size_t liveBuffers() const { return buffers.size(); }

private:
  template <typename T> T *pointer(const char *name) {
    return reinterpret_cast<T *>(arguments[name]);
  }
  int64_t value(const char *name) { return int64_t(arguments[name]); }
  /// Row \p row of a matrix, decoded, with its scales.
  std::vector<double> readRow(const char *matrix, int64_t offset,
                              llvm::function_ref<uint8_t(int64_t)> scaleOf);
  std::vector<double> rowOfA(int64_t row);
  std::vector<double> rowOfB(int64_t group, int64_t column);
  void store(int64_t row, int64_t column, double value) {
    uint32_t bits = floatBits(float(value));
    pointer<uint16_t>("d")[row * int64_t(arguments["pitch_d"]) + column] =
        fault == Fault::TruncateOutput ? uint16_t(bits >> 16)
                                       : floatToBf16(float(value));
  }
  void run();

  Fault fault;
  std::map<uint64_t, std::unique_ptr<uint8_t[]>> buffers;
  std::map<std::string, uint64_t> arguments;
};

inline std::vector<double>
ReferenceDevice::readRow(const char *matrix, int64_t offset,
                         llvm::function_ref<uint8_t(int64_t)> scaleOf) {
  bool scaled = arguments.count("scale_a");
  int64_t k =
      value("k") + (fault == Fault::ReadPastK) - (fault == Fault::LoseLastK);
  std::vector<double> row(k);
  for (int64_t i = 0; i < k; ++i)
    row[i] = scaled ? decode(FloatKind::E4M3FN,
                             pointer<uint8_t>(matrix)[offset + i]) *
                          double(decodeE8M0(scaleOf(i / 128)))
                    : bf16ToFloat(pointer<uint16_t>(matrix)[offset + i]);
  return row;
}

inline std::vector<double> ReferenceDevice::rowOfA(int64_t row) {
  return readRow("a", row * value("pitch_a"), [&](int64_t block) {
    int64_t scaleRow = fault == Fault::SwapScalesOfA ? row ^ 1 : row;
    return pointer<uint8_t>(
        "scale_a")[block * value("pitch_scale_a") + scaleRow];
  });
}

inline std::vector<double> ReferenceDevice::rowOfB(int64_t group,
                                                   int64_t column) {
  // A dense problem has no strides between groups.
  int64_t offset = group ? group * value("stride_b") : 0;
  return readRow("b", offset + column * value("pitch_b"), [&](int64_t block) {
    if (fault == Fault::SwapScalesOfB && block < 2)
      block ^= 1;
    return pointer<uint8_t>(
        "scale_b")[group * value("stride_scale_b") +
                   column / 128 * value("pitch_scale_b") + block];
  });
}

inline void ReferenceDevice::run() {
  int64_t m = value("m"), n = value("n");
  const int32_t *layout = arguments.count("grouped_layout")
                              ? pointer<int32_t>("grouped_layout")
                              : nullptr;
  int64_t groups = layout ? value("num_groups") : 1;
  std::vector<std::vector<double>> b(groups * n);
  for (int64_t i = 0; i < groups * n; ++i)
    b[i] = rowOfB(i / n, i % n);
  for (int64_t row = 0; row < m; ++row) {
    int64_t group = layout ? layout[row / 128 * 128] : 0;
    bool padding = layout && layout[row] < 0;
    if (padding && fault == Fault::SkipPaddingZeros)
      continue;
    if (fault == Fault::WrongGroup)
      group = 0;
    std::vector<double> a = padding ? std::vector<double>() : rowOfA(row);
    for (int64_t column = 0; column < n; ++column)
      if (fault != Fault::LoseLastTile || column < n - 16)
        store(row, column,
              padding ? 0
                      : std::inner_product(a.begin(), a.end(),
                                           b[group * n + column].begin(), 0.0));
  }
  if (fault == Fault::WriteGap)
    store(m / 2, n, 1);
  if (fault == Fault::WriteBefore)
    store(0, -1, 1);
}

} // namespace fly

#endif // FLY_TEST_UNIT_RUNNER_REFERENCEDEVICE_H
