//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Kernel arguments written as text, as fly-emu takes them:
///   @FILE.npy      a buffer that holds the array's bytes; its address is
///   passed
///   @FILE.npy:rw   the same, written back to the file after the launch
///   TYPE:VALUE     a scalar; TYPE is i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16
///                  f32 f64
///   ptr:null, ptr:ADDRESS

#ifndef FLY_EMULATOR_ARGUMENTS_H
#define FLY_EMULATOR_ARGUMENTS_H

#include "fly/CodeObject/CodeObject.h"
#include "fly/Emulator/Emulator.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <string>
#include <vector>

namespace fly {

/// A .npy file (NumPy format, versions 1 to 3): the header is kept as it is, so
/// that new data of the same type and shape can be written under it.
struct NpyFile {
  std::string header; ///< magic, version, length and dictionary
  std::vector<uint8_t> data;

  static llvm::Expected<NpyFile> read(llvm::StringRef path);
  /// Writes the whole file or, on an error, leaves what is there.
  llvm::Error write(llvm::StringRef path) const;
};

/// The arguments of one launch and the buffers behind them.
class KernelArguments {
public:
  /// Parses \p specs, allocates and fills the buffers in \p memory, and lays
  /// the arguments out as \p kernel's metadata says, or by their natural
  /// alignment if it says nothing.
  static llvm::Expected<KernelArguments>
  create(llvm::ArrayRef<std::string> specs, const Kernel &kernel,
         DeviceMemory &memory);

  llvm::ArrayRef<uint8_t> bytes() const { return packed; }
  /// The files of the `:rw` buffers.
  std::vector<std::string> outputs() const;
  /// Writes the `:rw` buffers back to their files.
  llvm::Error writeBack(DeviceMemory &memory);

private:
  struct Buffer {
    std::string path;
    bool writeBack = false;
    uint64_t address = 0;
    NpyFile file;
  };
  llvm::Expected<std::vector<uint8_t>> makeValue(llvm::StringRef spec,
                                                 DeviceMemory &memory);
  llvm::Expected<std::vector<uint8_t>> makeBuffer(llvm::StringRef path,
                                                  DeviceMemory &memory);

  std::vector<Buffer> buffers;
  std::vector<uint8_t> packed;
};

} // namespace fly

#endif // FLY_EMULATOR_ARGUMENTS_H
