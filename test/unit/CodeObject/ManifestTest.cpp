//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/CodeObject/Manifest.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace fly;
namespace json = llvm::json;

static Manifest makeManifest() {
  Manifest manifest;
  manifest.kernel = "gemm";
  manifest.variant = "128x128x64";
  manifest.arch = "gfx950";
  manifest.problem = "gemm";
  manifest.schedule = "double-buffered";
  manifest.arguments = {{"a", "ptr", 0, 8, "in"},
                        {"d", "ptr", 8, 8, "out"},
                        {"m", "i32", 16, 4, "value"},
                        {"n", "i64", 24, 8, "value"}};
  manifest.kernargBytes = 32;
  manifest.constraints = {
      {"n", "multiple_of", 16}, {"a", "align_bytes", 16}, {"n", "min", 0, "m"}};
  manifest.grid = {{"m", 128}, {"n", 128}};
  manifest.workgroupSize = 256;
  manifest.tileM = manifest.tileN = 128;
  manifest.tileK = 64;
  manifest.mfmaM = manifest.mfmaN = 16;
  manifest.mfmaK = 32;
  manifest.typeA = manifest.typeB = manifest.typeD = "bf16";
  manifest.fp8Format = "ocp";
  manifest.ldsSlots = {{"a0", 0, 16384}, {"b0", 16384, 16384}};
  manifest.ldsBytes = 65536;
  manifest.vgprs = 128;
  manifest.sgprs = 40;
  manifest.contentHash = std::string(64, 'a');
  return manifest;
}

static std::string errorOf(json::Value value) {
  auto manifest = Manifest::fromJSON(value);
  return manifest ? "" : llvm::toString(manifest.takeError());
}

/// The error after \p change was made to a valid manifest's JSON.
template <typename F> static std::string errorAfter(F change) {
  json::Value value = makeManifest().toJSON();
  change(*value.getAsObject());
  return errorOf(value);
}

static json::Object &element(json::Object &object, llvm::StringRef list,
                             size_t i) {
  return *(*object.getArray(list))[i].getAsObject();
}

TEST(Manifest, RoundTripKeepsEveryField) {
  Manifest manifest = makeManifest();
  manifest.scaleKind = "e8m0";
  manifest.scaleM = 1;
  manifest.scaleN = manifest.scaleK = 128;
  manifest.groupAlignment = 128;
  auto again = Manifest::fromJSON(manifest.toJSON());
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->toJSON(), manifest.toJSON());
  EXPECT_EQ(again->arguments[2].name, "m");
  EXPECT_EQ(again->grid[1].divisor, 128);
  EXPECT_EQ(again->groupAlignment, 128);
  EXPECT_EQ(again->ldsSlots[1].offsetBytes, 16384u);
}

TEST(Manifest, FindsArguments) {
  Manifest manifest = makeManifest();
  ASSERT_NE(manifest.findArgument("n"), nullptr);
  EXPECT_EQ(manifest.findArgument("n")->offsetBytes, 24u);
  EXPECT_EQ(manifest.findArgument("x"), nullptr);
}

TEST(Manifest, EveryFieldIsRequired) {
  json::Value whole = makeManifest().toJSON();
  for (const auto &entry : *whole.getAsObject()) {
    std::string name = entry.first.str();
    EXPECT_EQ(errorAfter([&](json::Object &o) { o.erase(name); }),
              "manifest field '" + name + "' is missing");
  }
}

TEST(Manifest, TypesAndChoicesAreStrict) {
  EXPECT_EQ(errorOf(json::Array{1}), "manifest: expected an object, got [1]");
  EXPECT_EQ(errorAfter([](json::Object &o) { o["colour"] = 1; }),
            "manifest field 'colour' is unknown");
  EXPECT_EQ(errorAfter([](json::Object &o) { o["version"] = 2; }),
            "manifest field 'version': expected 1, got 2");
  EXPECT_EQ(errorAfter([](json::Object &o) { o["version"] = "1"; }),
            "manifest field 'version': expected an integer, got \"1\"");
  EXPECT_EQ(errorAfter([](json::Object &o) { o["kernel"] = 1; }),
            "manifest field 'kernel': expected a string, got 1");
  EXPECT_EQ(errorAfter([](json::Object &o) { o["lds_bytes"] = -1; }),
            "manifest field 'lds_bytes': expected an integer of 0 to 2^32 - 1, "
            "got -1");
  EXPECT_EQ(errorAfter([](json::Object &o) { o["grid"] = 1; }),
            "manifest field 'grid': expected an array, got 1");
  EXPECT_EQ(errorAfter([](json::Object &o) { o["fp8_format"] = "ieee"; }),
            "manifest field 'fp8_format': expected one of ocp, fnuz, got "
            "\"ieee\"");
  EXPECT_EQ(errorAfter([](json::Object &o) {
              element(o, "arguments", 1)["type"] = "i8";
            }),
            "manifest field 'arguments[1].type': expected one of ptr, i32, "
            "i64, f32, got \"i8\"");
  EXPECT_EQ(
      errorAfter([](json::Object &o) { element(o, "grid", 0)["extra"] = 1; }),
      "manifest field 'grid[0].extra' is unknown");
  EXPECT_EQ(
      errorAfter([](json::Object &o) { (*o.getArray("arguments"))[0] = 5; }),
      "manifest field 'arguments[0]': expected an object, got 5");
}

template <typename F> static std::string verifyAfter(F change) {
  Manifest manifest = makeManifest();
  change(manifest);
  return llvm::toString(manifest.verify());
}

TEST(Manifest, ArgumentsMustFit) {
  EXPECT_EQ(verifyAfter([](Manifest &m) {}), "");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.kernel = ""; }),
            "manifest field 'kernel': expected a name, got an empty one");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.arch = ""; }),
            "manifest field 'arch': expected a name, got an empty one");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.contentHash = "AB"; }),
            "manifest field 'content_hash': expected 64 hex digits, got "
            "\"AB\"");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.arguments[1].name = "a"; }),
            "manifest field 'arguments[1].name': 'a' is there twice");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.arguments[1].name = ""; }),
            "manifest field 'arguments[1].name': expected a name, got an empty "
            "one");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.arguments[2].sizeBytes = 8; }),
            "manifest field 'arguments[2].size_bytes': expected 4 for type "
            "i32, got 8");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.arguments[2].offsetBytes = 12; }),
            "manifest field 'arguments[2].offset_bytes': expected a multiple "
            "of 4 from 16 on, got 12");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.arguments[3].offsetBytes = 28; }),
            "manifest field 'arguments[3].offset_bytes': expected a multiple "
            "of 8 from 20 on, got 28");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.arguments[2].access = "in"; }),
            "manifest field 'arguments[2].access': expected \"value\" for type "
            "i32, got \"in\"");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.kernargBytes = 24; }),
            "manifest field 'kernarg_bytes': expected at least 32, the end of "
            "the last argument, got 24");
}

TEST(Manifest, RulesMustNameArguments) {
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.constraints[0].argument = "z"; }),
            "manifest field 'constraints[0].argument': there is no argument "
            "'z'");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.constraints[1].rule = "min"; }),
            "manifest field 'constraints[1].rule': 'min' does not apply to "
            "argument 'a' of type ptr");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.constraints[1].value = 12; }),
            "manifest field 'constraints[1].value': expected a power of two, "
            "got 12");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.constraints[0].value = 0; }),
            "manifest field 'constraints[0].value': expected at least 1, got "
            "0");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.constraints[0].plus = "m"; }),
            "manifest field 'constraints[0].plus': expected none with "
            "'multiple_of', got 'm'");
  for (const char *name : {"z", "a"})
    EXPECT_EQ(verifyAfter([&](Manifest &m) { m.constraints[2].plus = name; }),
              std::string("manifest field 'constraints[2].plus': there is no "
                          "integer argument '") +
                  name + "'");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.grid.clear(); }),
            "manifest field 'grid': expected at least one factor, got none");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.grid[0].argument = "z"; }),
            "manifest field 'grid[0].argument': there is no argument 'z'");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.grid[0].argument = "a"; }),
            "manifest field 'grid[0].argument': expected an integer, got 'a' "
            "of type ptr");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.grid[1].divisor = 0; }),
            "manifest field 'grid[1].divisor': expected at least 1, got 0");
}

TEST(Manifest, SizesMustBePossible) {
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.ldsSlots[1].sizeBytes = 65536; }),
            "manifest field 'lds_slots[1]': expected a part of the 65536 bytes "
            "of LDS, got 65536 bytes at 16384");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.workgroupSize = 2048; }),
            "manifest field 'workgroup_size': expected 1 to 1024 threads, got "
            "2048");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.tileN = 0; }),
            "manifest field 'tile_n': expected at least 1, got 0");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.mfmaK = 0; }),
            "manifest field 'mfma_k': expected at least 1, got 0");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.scaleK = 128; }),
            "manifest field 'scale_k': expected 0 for scale_kind none, got "
            "128");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.scaleKind = "e8m0"; }),
            "manifest field 'scale_m': expected at least 1 for scale_kind "
            "e8m0, got 0");
  EXPECT_EQ(verifyAfter([](Manifest &m) { m.groupAlignment = -1; }),
            "manifest field 'group_alignment': expected at least 0, got -1");
}

TEST(Manifest, FilesRoundTripAndErrorsNameThem) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("manifest", "json", path));
  llvm::FileRemover remover(path);
  Manifest manifest = makeManifest();
  ASSERT_EQ(llvm::toString(manifest.writeFile(path)), "");
  auto again = Manifest::readFile(path);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->toJSON(), manifest.toJSON());

  auto write = [&](llvm::StringRef text) {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << text;
    auto broken = Manifest::readFile(path);
    return broken ? std::string() : llvm::toString(broken.takeError());
  };
  std::string name = path.str().str();
  EXPECT_EQ(write("{\"version\": 1}"),
            name + ": manifest field 'kernel' is missing");
  EXPECT_EQ(write("{").find(name + ": ["), 0u);
  EXPECT_EQ(llvm::toString(Manifest::readFile(name + ".none").takeError()),
            "cannot read manifest " + name +
                ".none: No such file or directory");
  EXPECT_NE(llvm::toString(manifest.writeFile(name + "/none")), "");
  manifest.tileM = 0;
  EXPECT_EQ(llvm::toString(manifest.writeFile(path)),
            "manifest field 'tile_m': expected at least 1, got 0");
}

TEST(Manifest, HashIsSha256AndGuardsTheObject) {
  // FIPS 180-4's example "abc".
  Manifest manifest = makeManifest();
  llvm::ArrayRef<char> abc("abc", 3);
  manifest.contentHash = Manifest::hashOf(abc);
  EXPECT_EQ(manifest.contentHash,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(llvm::toString(manifest.verifyHash(abc)), "");
  std::string error = llvm::toString(manifest.verifyHash({"abd", 3}));
  EXPECT_EQ(error.find("the code object is not the one the manifest of kernel "
                       "'gemm' was written for: expected SHA-256 ba78"),
            0u)
      << error;
}
