//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Target/Compile.h"

#include "KernelFacts.h"
#include "Translation.h"

#include "fly/Conversion/Passes.h"
#include "fly/Dialect/Fly/IR/Fly.h"
#include "fly/Target/CodeGen.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace llvm;

namespace fly {

void registerCompilerDialects(mlir::DialectRegistry &registry) {
  registry.insert<FlyDialect>();
  registerMachineDialects(registry);
}

namespace {

/// A kernel at the machine level, with what the levels above said about it.
struct LoweredKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Manifest manifest;
  SchedulePlan plan;
};

Error runPasses(mlir::ModuleOp module, StringRef what,
                function_ref<void(mlir::PassManager &)> add) {
  mlir::PassManager passes(module.getContext());
  add(passes);
  DiagnosticCollector diagnostics(module.getContext());
  if (mlir::failed(passes.run(module)))
    return diagnostics.takeError(what);
  return Error::success();
}

/// From the expanded level to the machine level.
Expected<LoweredKernel> lowerExpanded(mlir::OwningOpRef<mlir::ModuleOp> module,
                                      const TargetInfo &target) {
  KernelOp kernel = cantFail(findKernel(*module));
  auto manifest = manifestOf(kernel, target);
  if (!manifest)
    return manifest.takeError();
  SchedulePlan plan = planOf(kernel);
  if (Error error = runPasses(*module, "lowering failed", [](auto &passes) {
        buildMachinePipeline(passes);
      }))
    return error;
  return LoweredKernel{std::move(module), std::move(*manifest),
                       std::move(plan)};
}

Expected<LoweredKernel> lower(mlir::ModuleOp source, const TargetInfo &target,
                              const CompileOptions &options) {
  auto selected = selectVariant(
      source, {options.variant, /*tile=*/"", /*dtype=*/"", target.name.str()});
  if (!selected)
    return selected.takeError();
  mlir::OwningOpRef<mlir::ModuleOp> module = source.clone();
  if (Error error = runPasses(*module, "scheduling failed", [&](auto &passes) {
        buildFlyPipeline(passes, {target.name.str(), *selected, options.numXcds,
                                  options.groupSizeM});
      }))
    return error;
  return lowerExpanded(std::move(module), target);
}

/// The linked object, and what only it can tell.
Expected<CompiledKernel> link(LoweredKernel &lowered,
                              const TargetInfo &target) {
  auto object = generateObject(*lowered.module, target);
  if (!object)
    return object.takeError();
  if (Error error = readBack(lowered.manifest, *object))
    return error;
  return CompiledKernel{std::move(*object), std::move(lowered.manifest),
                        std::move(lowered.plan)};
}

/// No schedule uses scratch: what is there was spilled.
Error checkScratch(const Manifest &manifest) {
  if (manifest.scratchBytes == 0)
    return Error::success();
  return createStringError(
      "kernel '" + manifest.kernel + "', variant '" + manifest.variant +
      "', does not fit the registers of " + manifest.arch + ": " +
      Twine(manifest.scratchBytes) +
      " bytes a lane were spilled to scratch; take a smaller tile, more waves "
      "or fewer stages of registers");
}

/// Looks the arch up and lowers, then hands both to \p generate.
template <typename Generate>
auto lowerAnd(mlir::ModuleOp module, const CompileOptions &options,
              Generate generate)
    -> decltype(generate(std::declval<LoweredKernel &>(),
                         std::declval<const TargetInfo &>())) {
  auto target = lookupTarget(options.arch);
  if (!target)
    return target.takeError();
  auto lowered = lower(module, *target, options);
  if (!lowered)
    return lowered.takeError();
  return generate(*lowered, *target);
}

} // namespace

Expected<CompiledKernel> compileKernel(mlir::ModuleOp module,
                                       const CompileOptions &options) {
  return lowerAnd(
      module, options,
      [](LoweredKernel &lowered,
         const TargetInfo &target) -> Expected<CompiledKernel> {
        auto compiled = link(lowered, target);
        if (!compiled)
          return compiled.takeError();
        if (Error error = checkScratch(compiled->manifest))
          return error;
        if (Error error = checkLinkedObject(
                compiled->object, compiled->manifest.kernel, compiled->plan))
          return error;
        return compiled;
      });
}

Expected<CompiledKernel> compileUnproved(mlir::ModuleOp module,
                                         StringRef arch) {
  auto target = lookupTarget(arch);
  if (!target)
    return target.takeError();
  auto lowered = lowerExpanded(module.clone(), *target);
  if (!lowered)
    return lowered.takeError();
  return link(*lowered, *target);
}

Expected<std::string> compileToLLVMIR(mlir::ModuleOp module,
                                      const CompileOptions &options) {
  return lowerAnd(module, options,
                  [](LoweredKernel &lowered, const TargetInfo &target) {
                    return generateLLVMIR(*lowered.module, target);
                  });
}

Expected<std::string> compileToISA(mlir::ModuleOp module,
                                   const CompileOptions &options) {
  return lowerAnd(module, options,
                  [](LoweredKernel &lowered, const TargetInfo &target) {
                    return generateISA(*lowered.module, target);
                  });
}

Expected<mlir::OwningOpRef<mlir::ModuleOp>>
parseKernelFile(StringRef path, mlir::MLIRContext &context) {
  DiagnosticCollector diagnostics(&context);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(path, &context);
  if (!module)
    return diagnostics.takeError("cannot read " + path);
  return module;
}

Expected<CompiledKernel> compileKernelFile(StringRef path,
                                           const CompileOptions &options) {
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = parseKernelFile(path, context);
  if (!module)
    return module.takeError();
  return compileKernel(**module, options);
}

} // namespace fly
