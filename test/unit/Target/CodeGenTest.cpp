//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ParsedModule.h"

#include "fly/Target/CodeGen.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <thread>

using namespace fly;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

const TargetInfo &target(StringRef arch) {
  return llvm::cantFail(lookupTarget(arch));
}

std::string objectError(StringRef source, StringRef arch = "gfx950") {
  ParsedModule parsed(source);
  if (!parsed.module)
    return "does not parse";
  auto object = generateObject(*parsed.module, target(arch));
  return object ? "" : llvm::toString(object.takeError());
}

std::string kernel(StringRef body, StringRef prefix = "",
                   StringRef attributes = "") {
  return llvm::formatv("{0}\nllvm.func @k(%p: !llvm.ptr<1>) attributes "
                       "{{rocdl.kernel{2}} {{\n{1}\nllvm.return\n}",
                       prefix, body, attributes);
}

bool contains(StringRef text, StringRef part) { return text.contains(part); }

TEST(CodeGen, LLVMIRCarriesTheTarget) {
  ParsedModule parsed("double-buffered.mlir", ParsedModule::InputFile);
  ASSERT_TRUE(parsed.module);
  auto text = generateLLVMIR(*parsed.module, target("gfx950"));
  ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
  EXPECT_PRED2(contains, *text, "target triple = \"amdgcn-amd-amdhsa\"");
  EXPECT_PRED2(contains, *text, "target datalayout = \"e-m:e-p:64:64");
  EXPECT_PRED2(contains, *text, "\"target-cpu\"=\"gfx950\"");
  EXPECT_PRED2(contains, *text, "!\"amdhsa_code_object_version\", i32 500");
  EXPECT_PRED2(contains, *text, "amdgpu_kernel void @gemm_64x64x64");
}

TEST(CodeGen, ISAIsAssembly) {
  ParsedModule parsed("double-buffered.mlir", ParsedModule::InputFile);
  auto text = generateISA(*parsed.module, target("gfx950"));
  ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
  EXPECT_PRED2(contains, *text, "v_mfma_f32_16x16x32_bf16");
  EXPECT_PRED2(contains, *text, "offen lds");
  EXPECT_PRED2(contains, *text, ".amdhsa_kernel gemm_64x64x64");
}

TEST(CodeGen, ObjectIsALinkedCodeObject) {
  ParsedModule parsed("double-buffered.mlir", ParsedModule::InputFile);
  auto object = generateObject(*parsed.module, target("gfx950"));
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  auto file = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(StringRef(object->data(), object->size()), "k"));
  ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
  auto *elf = llvm::cast<llvm::object::ELFObjectFileBase>(file->get());
  EXPECT_EQ(elf->getEType(), llvm::ELF::ET_DYN);
  EXPECT_EQ(elf->tryGetCPUName().value_or(""), "gfx950");
  // Code object version 5.
  EXPECT_EQ((*object)[llvm::ELF::EI_ABIVERSION],
            llvm::ELF::ELFABIVERSION_AMDGPU_HSA_V5);
  bool descriptor = false;
  for (auto symbol : elf->getDynamicSymbolIterators())
    descriptor |= llvm::cantFail(symbol.getName()) == "gemm_64x64x64.kd";
  EXPECT_TRUE(descriptor);
}

TEST(CodeGen, ThreadsGiveTheSameBytes) {
  SmallVector<char, 0> objects[4];
  std::vector<std::thread> threads;
  for (auto &object : objects)
    threads.emplace_back([&object] {
      ParsedModule parsed("double-buffered.mlir", ParsedModule::InputFile);
      object = llvm::cantFail(generateObject(*parsed.module, target("gfx950")));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(objects[0].empty());
  for (auto &object : objects)
    EXPECT_EQ(object, objects[0]);
}

TEST(CodeGen, WhatTheChipCannotDoIsAnError) {
  ParsedModule parsed("double-buffered.mlir", ParsedModule::InputFile);
  for (int round = 0; round < 2; ++round) {
    auto object = generateObject(*parsed.module, target("gfx942"));
    ASSERT_FALSE(bool(object));
    std::string error = llvm::toString(object.takeError());
    EXPECT_PRED2(contains, error, "code generation for gfx942 failed: ");
    EXPECT_PRED2(contains, error, "operand"); // LLVM's own words
  }
  // The backend is still usable.
  auto object = generateObject(*parsed.module, target("gfx950"));
  EXPECT_TRUE(bool(object)) << llvm::toString(object.takeError());
}

TEST(CodeGen, CodeOfAnotherChipIsAnError) {
  // LLVM encodes v_cvt_scalef32_pk_fp4_f32 for gfx942, which has no such
  // instruction.
  std::string source =
      kernel("%f = llvm.mlir.constant(1.0 : f32) : f32\n"
             "%old = llvm.load %p : !llvm.ptr<1> -> i32\n"
             "%r = rocdl.cvt.scalef32.pk.fp4.f32 %f, %f, %f -> %old[0] : i32\n"
             "llvm.store %r, %p : i32, !llvm.ptr<1>");
  EXPECT_EQ(objectError(source, "gfx950"), "");
  EXPECT_PRED2(contains, objectError(source, "gfx942"),
               "LLVM generated code for kernel 'k' that gfx942 has not: 0x");
}

TEST(CodeGen, LimitsAreErrors) {
  std::string error = objectError(
      kernel("%l = llvm.mlir.addressof @big : !llvm.ptr<3>\n"
             "%c = llvm.mlir.constant(1 : i32) : i32\n"
             "llvm.store volatile %c, %l : i32, !llvm.ptr<3>",
             "llvm.mlir.global internal @big() {addr_space = 3 : i32} : "
             "!llvm.array<200000 x i8>"));
  EXPECT_PRED2(contains, error, "code generation for gfx950 failed: ");
  EXPECT_PRED2(contains, error, "local memory (200000) exceeds limit (163840)");
}

TEST(CodeGen, BadInlineAssemblyIsAnError) {
  std::string error = objectError(kernel(
      "llvm.inline_asm has_side_effects \"v_nonsense\", \"\" : () -> ()"));
  EXPECT_PRED2(contains, error, "code generation for gfx950 failed: ");
  EXPECT_PRED2(contains, error, "invalid instruction");
}

TEST(CodeGen, UndefinedFunctionsAreErrors) {
  std::string error = objectError(kernel(
      "llvm.call @__ocml_exp_f32() : () -> ()", "llvm.func @__ocml_exp_f32()"));
  EXPECT_PRED2(contains, error, "cannot link the code object: ");
  EXPECT_PRED2(contains, error, "undefined symbol: __ocml_exp_f32");
}

TEST(CodeGen, AForeignCpuIsAnError) {
  EXPECT_EQ(objectError(kernel("", "", ", target_cpu = \"gfx90a\"")),
            "function 'k' is for gfx90a, expected gfx950");
}

TEST(CodeGen, WhatCannotBeTranslatedIsAnError) {
  std::string error = objectError(kernel(
      "%0 = builtin.unrealized_conversion_cast %p : !llvm.ptr<1> to i64\n"
      "llvm.inline_asm has_side_effects \"\", \"v\" %0 : (i64) -> ()"));
  EXPECT_PRED2(contains, error, "translation to LLVM IR failed: ");
  EXPECT_PRED2(contains, error, "unrealized_conversion_cast");
}

TEST(CodeGen, NoTemporaryDirectoryIsAnError) {
  const char *value = getenv("TMPDIR");
  std::string before = value ? value : "";
  setenv("TMPDIR", "/nonexistent", 1);
  auto object = linkCodeObject({"x", 1});
  value ? setenv("TMPDIR", before.c_str(), 1) : unsetenv("TMPDIR");
  ASSERT_FALSE(bool(object));
  EXPECT_EQ(llvm::toString(object.takeError()),
            "cannot link the code object: temporary file: No such file or "
            "directory");
}

TEST(CodeGen, LinkingGarbageIsAnError) {
  auto object = linkCodeObject({"not an object", 13});
  ASSERT_FALSE(bool(object));
  EXPECT_PRED2(contains, llvm::toString(object.takeError()),
               "cannot link the code object: ");
}

} // namespace
