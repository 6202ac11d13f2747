//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// A small HIP library for tests. It logs each call to a file and returns what
/// it is told to; device memory is the host's, kernels do not run. Controlled
/// by environment variables, read at each call:
///   FLY_RECORDING_HIP_LOG   file to which a line is added for each call
///   FLY_RECORDING_HIP_FAIL  FUNCTION:CODE, which returns CODE instead of 0
///   FLY_RECORDING_HIP_ARCH  archs of the GPUs, with commas; none by default

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static void log(const char *format, ...) {
  const char *path = std::getenv("FLY_RECORDING_HIP_LOG");
  if (!path)
    return;
  if (FILE *file = std::fopen(path, "a")) {
    va_list arguments;
    va_start(arguments, format);
    std::vfprintf(file, format, arguments);
    va_end(arguments);
    std::fputc('\n', file);
    std::fclose(file);
  }
}

/// The code that \p function shall return.
static int resultOf(const char *function) {
  const char *fail = std::getenv("FLY_RECORDING_HIP_FAIL");
  size_t length = std::strlen(function);
  if (fail && !std::strncmp(fail, function, length) && fail[length] == ':')
    return std::atoi(fail + length + 1);
  return 0;
}

static std::vector<std::string> archs() {
  std::vector<std::string> result;
  const char *list = std::getenv("FLY_RECORDING_HIP_ARCH");
  std::string rest = list ? list : "";
  while (!rest.empty()) {
    size_t comma = rest.find(',');
    result.push_back(rest.substr(0, comma));
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
  }
  return result;
}

extern "C" {

int hipInit(unsigned flags) {
  log("hipInit %u", flags);
  return resultOf("hipInit");
}

int hipGetDeviceCount(int *count) {
  log("hipGetDeviceCount");
  *count = int(archs().size());
  return resultOf("hipGetDeviceCount");
}

int hipSetDevice(int device) {
  log("hipSetDevice %d", device);
  return resultOf("hipSetDevice");
}

int hipDeviceGetName(char *name, int length, int device) {
  std::snprintf(name, size_t(length), "Recorder");
  return resultOf("hipDeviceGetName");
}

int hipGetDevicePropertiesR0600(void *properties, int device) {
  log("hipGetDeviceProperties %d", device);
  // A name first, numbers between, the arch with its features far behind.
  char *bytes = static_cast<char *>(properties);
  std::strcpy(bytes, "Recorder of gfx1 kind");
  std::string arch = archs()[size_t(device)] + ":sramecc+:xnack-";
  std::memcpy(bytes + 1160, arch.c_str(), arch.size() + 1);
  return resultOf("hipGetDeviceProperties");
}

int hipMemGetInfo(size_t *freeBytes, size_t *totalBytes) {
  *freeBytes = 1000;
  *totalBytes = 5000;
  return resultOf("hipMemGetInfo");
}

int hipMalloc(void **address, size_t bytes) {
  log("hipMalloc %zu", bytes);
  int result = resultOf("hipMalloc");
  if (!result)
    *address = std::malloc(bytes ? bytes : 1);
  return result;
}

int hipFree(void *address) {
  log("hipFree");
  int result = resultOf("hipFree");
  if (!result)
    std::free(address);
  return result;
}

int hipMemcpy(void *to, const void *from, size_t bytes, int kind) {
  log("hipMemcpy %zu kind %d", bytes, kind);
  int result = resultOf("hipMemcpy");
  if (!result)
    std::memcpy(to, from, bytes);
  return result;
}

int hipModuleLoadData(void **module, const void *image) {
  log("hipModuleLoadData %.3s", static_cast<const char *>(image) + 1);
  *module = std::malloc(1);
  return resultOf("hipModuleLoadData");
}

int hipModuleUnload(void *module) {
  log("hipModuleUnload");
  std::free(module);
  return resultOf("hipModuleUnload");
}

int hipModuleGetFunction(void **function, void *module, const char *name) {
  log("hipModuleGetFunction %s", name);
  *function = module;
  return resultOf("hipModuleGetFunction");
}

int hipModuleLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                          unsigned gridZ, unsigned blockX, unsigned blockY,
                          unsigned blockZ, unsigned ldsBytes, void *stream,
                          void **parameters, void **extra) {
  std::string bytes;
  size_t marks[5];
  for (int i = 0; i < 5; ++i)
    marks[i] = reinterpret_cast<size_t>(extra[i]);
  if (!parameters && marks[0] == 1 && marks[2] == 2 && marks[4] == 3) {
    const auto *buffer = static_cast<const unsigned char *>(extra[1]);
    for (size_t i = 0; i < *static_cast<size_t *>(extra[3]); ++i) {
      char hex[3];
      std::snprintf(hex, sizeof(hex), "%02x", buffer[i]);
      bytes += hex;
    }
  }
  log("hipModuleLaunchKernel grid %u %u %u block %u %u %u lds %u buffer %s",
      gridX, gridY, gridZ, blockX, blockY, blockZ, ldsBytes, bytes.c_str());
  return resultOf("hipModuleLaunchKernel");
}

int hipDeviceSynchronize() {
  log("hipDeviceSynchronize");
  return resultOf("hipDeviceSynchronize");
}

const char *hipGetErrorName(int code) {
  switch (code) {
  case 2:
    return "hipErrorOutOfMemory";
  case 100:
    return "hipErrorNoDevice";
  case 209:
    return "hipErrorNoBinaryForGpu";
  case 500:
    return "hipErrorNotFound";
  case 700:
    return "hipErrorIllegalAddress";
  default:
    return "hipErrorUnknown";
  }
}

const char *hipGetErrorString(int code) { return "as the test asked"; }

} // extern "C"
