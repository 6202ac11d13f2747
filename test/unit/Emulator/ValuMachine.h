//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Runs single VALU instructions on a wave's registers, for tests.

#ifndef FLY_TEST_UNIT_EMULATOR_VALUMACHINE_H
#define FLY_TEST_UNIT_EMULATOR_VALUMACHINE_H

#include "fly/Emulator/Wave.h"

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fly::test {

class ValuMachine {
public:
  /// All lanes active, denormals kept, IEEE and DX10_CLAMP off.
  explicit ValuMachine(llvm::StringRef arch = "gfx950");

  /// Assembles and runs \p text; a failed expectation if it cannot.
  void run(llvm::StringRef text);
  /// Whether \p text assembles and has a handler.
  bool canRun(llvm::StringRef text);

  uint32_t *vgpr(unsigned n) { return wave->regs[n]; }
  uint32_t &sgpr(unsigned n) { return wave->scalars[n]; }
  uint64_t pair(unsigned n) const { return wave->pair(n); }
  void setExec(uint64_t mask) { wave->setPair(ScalarExec, mask); }

  /// Runs "op v0, v1[, v2[, v3]]" (f64 and the like: pairs from v[0:1], v[2:3],
  /// v[4:5], v[6:7]) over all combinations of \p values in \p numSources
  /// sources and compares with \p expected, bit for bit. \p modifiers is
  /// appended.
  void check32(llvm::StringRef op, unsigned numSources,
               const std::vector<uint32_t> &values,
               const std::function<uint32_t(const uint32_t *)> &expected,
               llvm::StringRef modifiers = "");
  void check64(llvm::StringRef op, unsigned numSources,
               const std::vector<uint64_t> &values,
               const std::function<uint64_t(const uint64_t *)> &expected);

  std::unique_ptr<emu::Wave> wave;

private:
  struct Decoded;
  /// \p text assembled and decoded; null if it does not assemble. Kept, as
  /// tests run the same text often.
  const Decoded *decode(const std::string &text);

  std::map<std::string, std::shared_ptr<Decoded>> known;
};

inline uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
inline float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
inline uint64_t bits64(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}
inline double doubleOf(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, 8);
  return value;
}

/// Zeros, denormals, ones, large numbers, infinities and NaNs of both signs,
/// and random codes.
std::vector<uint32_t> floatSamples(unsigned random);
std::vector<uint32_t> halfSamples(unsigned random);
std::vector<uint64_t> doubleSamples(unsigned random);
std::vector<uint32_t> intSamples(unsigned random);

} // namespace fly::test

#endif // FLY_TEST_UNIT_EMULATOR_VALUMACHINE_H
