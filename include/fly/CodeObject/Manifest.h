//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The manifest that stands beside a code object: what the runtime must know to
/// launch it, and nothing it would have to guess. Written by Target, read by
/// Runtime and the tools. The JSON form is versioned; see docs/manifest.md.

#ifndef FLY_CODEOBJECT_MANIFEST_H
#define FLY_CODEOBJECT_MANIFEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fly {

/// One kernel argument. \c type is one of "ptr", "i32", "i64", "f32".
struct ManifestArgument {
  std::string name;
  std::string type;
  uint32_t offsetBytes = 0;
  uint32_t sizeBytes = 0;
  /// "in", "out" or "value".
  std::string access;
};

/// A rule that the value of argument \c argument must keep; checked by the
/// runtime before a launch. \c rule is "multiple_of", "min", "max" (of the
/// value) or "align_bytes" (of a pointer).
struct ManifestConstraint {
  std::string argument;
  std::string rule;
  int64_t value = 0;
  /// With "min" and "max": an integer argument whose value is added to the
  /// bound. Else empty.
  std::string plus = {};
};

/// The grid is one-dimensional: the product over these factors of
/// ceil(argument / divisor), in workgroups.
struct ManifestGridFactor {
  std::string argument;
  int64_t divisor = 1;
};

/// One LDS slot: a part of one operand's tile in one stage.
struct ManifestSlot {
  std::string name;
  uint32_t offsetBytes = 0;
  uint32_t sizeBytes = 0;
};

struct Manifest {
  static constexpr int64_t currentVersion = 1;

  int64_t version = currentVersion;
  std::string kernel;   ///< symbol in the code object
  std::string variant;  ///< name in the kernel file's list
  std::string arch;     ///< "gfx950"
  std::string problem;  ///< "gemm" or "grouped_gemm_contiguous"
  std::string schedule; ///< name of the schedule

  std::vector<ManifestArgument> arguments;
  uint32_t kernargBytes = 0;
  std::vector<ManifestConstraint> constraints;
  std::vector<ManifestGridFactor> grid;
  uint32_t workgroupSize = 0; ///< threads

  int64_t tileM = 0, tileN = 0, tileK = 0; ///< elements
  int64_t mfmaM = 0, mfmaN = 0, mfmaK = 0; ///< of one MFMA, elements
  /// Element types as MLIR prints them: "f8E4M3FN", "bf16", ...
  std::string typeA, typeB, typeD;
  /// "none" or "e8m0"; granularity in elements, (scaleM x scaleK) for A and
  /// (scaleN x scaleK) for B.
  std::string scaleKind = "none";
  int64_t scaleM = 0, scaleN = 0, scaleK = 0;
  /// "ocp" or "fnuz": how 8-bit codes are read.
  std::string fp8Format;
  /// Rows a group's block is aligned to in the contiguous layout, else 0.
  int64_t groupAlignment = 0;

  std::vector<ManifestSlot> ldsSlots;
  uint32_t ldsBytes = 0;
  uint32_t vgprs = 0, agprs = 0, sgprs = 0, scratchBytes = 0;
  /// Hex SHA-256 of the code object's bytes.
  std::string contentHash;

  /// The argument called \p name, or null.
  const ManifestArgument *findArgument(llvm::StringRef name) const;

  /// Whether the fields agree with each other: arguments lie aligned and apart
  /// in the kernel argument block, rules and grid factors name arguments, slots
  /// lie in LDS, counts are possible. The error names the field.
  llvm::Error verify() const;

  llvm::json::Value toJSON() const;
  /// Strict: every field is there once, none is unknown, and verify() passes.
  static llvm::Expected<Manifest> fromJSON(const llvm::json::Value &value);
  /// Reads \p path; errors name the file and the field.
  static llvm::Expected<Manifest> readFile(llvm::StringRef path);
  /// Verifies, then writes through a temporary file beside \p path ("-" is
  /// stdout), so that no reader sees half a manifest.
  llvm::Error writeFile(llvm::StringRef path) const;

  /// Hex SHA-256 of \p object, as contentHash holds it.
  static std::string hashOf(llvm::ArrayRef<char> object);
  /// Fails unless \p object is the code object this manifest was written for.
  llvm::Error verifyHash(llvm::ArrayRef<char> object) const;
};

} // namespace fly

#endif // FLY_CODEOBJECT_MANIFEST_H
