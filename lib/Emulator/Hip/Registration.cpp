//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Registration.h"

#include "Image.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace fly {
namespace hip {
namespace {

/// What clang's constructor hands over (clang, CGCUDANV.cpp).
struct FatBinaryWrapper {
  uint32_t magic;
  uint32_t version;
  const void *binary;
  void *unused;
};
constexpr uint32_t fatBinaryMagic = 0x48495046; // "HIPF"

struct FatBinary {
  const void *image = nullptr;
  std::shared_ptr<Module> module; ///< null before the first use
};

struct Named {
  FatBinary *binary = nullptr;
  std::string name;
};

struct Tables {
  std::mutex mutex;
  std::map<FatBinary *, std::unique_ptr<FatBinary>> binaries;
  std::map<const void *, Named> functions, variables;
};

struct CallConfiguration {
  dim3 grid, block;
  size_t ldsBytes;
  void *stream;
};

} // namespace

/// Constructors of other files may register before this file's statics exist.
static Tables &tables() {
  static auto *instance = new Tables();
  return *instance;
}

/// Under the lock of the tables.
static Error loadBinary(Runtime &runtime, FatBinary &binary) {
  if (binary.module)
    return Error::success();
  auto object = readImage(binary.image, runtime.target());
  if (!object)
    return object.takeError();
  auto module = Module::load(*runtime.emulator, std::move(*object));
  if (!module)
    return module.takeError();
  binary.module = std::move(*module);
  return Error::success();
}

Expected<Function> findRegisteredFunction(Runtime &runtime, const void *stub,
                                          hipError_t code) {
  Tables &all = tables();
  std::lock_guard<std::mutex> lock(all.mutex);
  auto it = all.functions.find(stub);
  if (it == all.functions.end())
    return fail(code, formatv("{0} is no kernel", const_cast<void *>(stub)));
  if (Error error = loadBinary(runtime, *it->second.binary))
    return std::move(error);
  std::shared_ptr<Module> module = it->second.binary->module;
  auto kernel = module->object().findKernel(it->second.name);
  if (!kernel)
    return failAs(hipErrorInvalidDeviceFunction, kernel.takeError());
  return Function{std::move(module), &*kernel};
}

Expected<Module::Variable> findRegisteredVariable(Runtime &runtime,
                                                  const void *symbol) {
  Tables &all = tables();
  std::lock_guard<std::mutex> lock(all.mutex);
  auto it = all.variables.find(symbol);
  if (it == all.variables.end())
    return fail(hipErrorInvalidSymbol, formatv("{0} is no device variable",
                                               const_cast<void *>(symbol)));
  FatBinary &binary = *it->second.binary;
  if (Error error = loadBinary(runtime, binary))
    return std::move(error);
  auto variable = binary.module->variable(it->second.name);
  if (!variable)
    return failAs(hipErrorInvalidSymbol, variable.takeError());
  if (Error error =
          runtime.memory.addGlobal(variable->address, variable->bytes))
    return std::move(error);
  return *variable;
}

} // namespace hip
} // namespace fly

using namespace fly::hip;

static thread_local SmallVector<CallConfiguration, 1> callConfigurations;

FLY_HIP_EXPORT void **__hipRegisterFatBinary(const void *data) {
  const auto *wrapper = static_cast<const FatBinaryWrapper *>(data);
  if (!wrapper || wrapper->magic != fatBinaryMagic || wrapper->version != 1) {
    report("fly-hip: __hipRegisterFatBinary: expected a wrapper of version 1");
    return nullptr;
  }
  auto binary = std::make_unique<FatBinary>();
  binary->image = wrapper->binary;
  FatBinary *handle = binary.get();
  Tables &all = tables();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.binaries[handle] = std::move(binary);
  return reinterpret_cast<void **>(handle);
}

FLY_HIP_EXPORT void __hipUnregisterFatBinary(void **handle) {
  auto *binary = reinterpret_cast<FatBinary *>(handle);
  Tables &all = tables();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (auto *table : {&all.functions, &all.variables})
    for (auto it = table->begin(); it != table->end();)
      it = it->second.binary == binary ? table->erase(it) : std::next(it);
  all.binaries.erase(binary);
}

FLY_HIP_EXPORT void __hipRegisterFunction(void **handle, const void *stub,
                                          char *, const char *name, unsigned,
                                          void *, void *, void *, void *,
                                          int *) {
  Tables &all = tables();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (handle)
    all.functions[stub] = {reinterpret_cast<FatBinary *>(handle), name};
}

FLY_HIP_EXPORT void __hipRegisterVar(void **handle, void *symbol, char *,
                                     const char *name, int, size_t, int, int) {
  Tables &all = tables();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (handle)
    all.variables[symbol] = {reinterpret_cast<FatBinary *>(handle), name};
}

FLY_HIP_EXPORT hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block,
                                                     size_t ldsBytes,
                                                     void *stream) {
  callConfigurations.push_back({grid, block, ldsBytes, stream});
  return hipSuccess;
}

FLY_HIP_EXPORT hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block,
                                                    size_t *ldsBytes,
                                                    void **stream) {
  if (callConfigurations.empty())
    return finish("__hipPopCallConfiguration",
                  fail(hipErrorMissingConfiguration));
  CallConfiguration call = callConfigurations.pop_back_val();
  *grid = call.grid;
  *block = call.block;
  *ldsBytes = call.ldsBytes;
  *stream = call.stream;
  return hipSuccess;
}
