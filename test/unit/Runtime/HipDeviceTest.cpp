//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceTestObjects.h"

#include "Support/Unwrap.h"
#include "fly/Runtime/Device.h"
#include "fly/Runtime/LaunchPlan.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <cstdlib>

using namespace fly;
using namespace llvm;

namespace {

/// Points the device at the recording library, with a gfx942 and a gfx950.
class HipDeviceTest : public testing::Test {
protected:
  void SetUp() override {
    unwrap(errorCodeToError(
        sys::fs::createTemporaryFile("fly-hip", "log", logPath)));
    setenv("FLY_HIP_LIBRARY", FLY_RECORDING_HIP, 1);
    setenv("FLY_RECORDING_HIP_LOG", logPath.c_str(), 1);
    setenv("FLY_RECORDING_HIP_ARCH", "gfx942,gfx950", 1);
    unsetenv("FLY_RECORDING_HIP_FAIL");
  }
  void TearDown() override { sys::fs::remove(logPath); }

  static void failOn(const char *what) {
    setenv("FLY_RECORDING_HIP_FAIL", what, 1);
  }
  std::string log() const {
    return (*MemoryBuffer::getFile(logPath))->getBuffer().str();
  }
  /// Calls since the last time, one a line.
  std::string takeLog() {
    std::string text = log();
    std::string rest = text.substr(seen);
    seen = text.size();
    return rest;
  }
  static std::unique_ptr<Device> makeDevice() {
    return unwrap(createHipDevice("gfx950"));
  }

  SmallString<128> logPath;
  size_t seen = 0;
  SmallVector<char> object = readObject("gfx950");
  Manifest manifest = makeAddManifest("gfx950", object);
};

template <typename T> std::string errorOf(Expected<T> value) {
  return value ? "no error" : toString(value.takeError());
}
std::string errorOf(Error error) {
  return error ? toString(std::move(error)) : "no error";
}

TEST_F(HipDeviceTest, TakesTheFirstGpuOfTheArch) {
  std::unique_ptr<Device> device = makeDevice();
  EXPECT_EQ(device->kind(), "hip");
  EXPECT_EQ(device->arch(), "gfx950");
  EXPECT_EQ(device->description(),
            std::string("Recorder (gfx950, device 1) through ") +
                FLY_RECORDING_HIP);
  EXPECT_EQ(log(), "hipInit 0\nhipGetDeviceCount\nhipGetDeviceProperties 0\n"
                   "hipGetDeviceProperties 1\n");
}

TEST_F(HipDeviceTest, CopiesLoadsAndLaunches) {
  std::unique_ptr<Device> device = makeDevice();
  uint64_t address = unwrap(device->allocate(64));
  std::vector<uint8_t> data(64, 7), back(64, 0);
  unwrap(device->copyToDevice(address, data));
  unwrap(device->copyToHost(back, address));
  EXPECT_EQ(back, data);
  takeLog();
  auto kernel = unwrap(device->load(object, manifest));
  EXPECT_EQ(
      takeLog(),
      "hipSetDevice 1\nhipModuleLoadData ELF\nhipModuleGetFunction add\n");
  LaunchPlan plan = unwrap(
      LaunchPlan::create(manifest, {{"out", DeviceAddress{0x1020304050607080}},
                                    {"in", DeviceAddress{1}},
                                    {"add", int64_t(-2)},
                                    {"n", int64_t(130)}}));
  unwrap(device->launch(*kernel, plan.workgroups, plan.kernargs));
  unwrap(device->synchronize());
  EXPECT_EQ(takeLog(),
            "hipSetDevice 1\n"
            "hipModuleLaunchKernel grid 3 1 1 block 64 1 1 lds 0 buffer "
            "80706050403020100100000000000000feffffff82000000\n"
            "hipSetDevice 1\nhipDeviceSynchronize\n");
  // Nothing to do is nothing launched: HIP refuses empty grids.
  unwrap(device->launch(*kernel, 0, plan.kernargs));
  EXPECT_EQ(takeLog(), "");
  unwrap(device->free(address));
  takeLog();
  kernel.reset();
  EXPECT_EQ(takeLog(), "hipModuleUnload\n");
}

TEST_F(HipDeviceTest, EveryHipErrorReachesTheCallerWithItsName) {
  const std::string hip = "hipErrorIllegalAddress (700): as the test asked";
  failOn("hipInit:100");
  EXPECT_EQ(errorOf(createHipDevice("gfx950")),
            "hipInit: hipErrorNoDevice (100): as the test asked");
  failOn("hipGetDeviceCount:100");
  EXPECT_EQ(errorOf(createHipDevice("gfx950")),
            "hipGetDeviceCount: hipErrorNoDevice (100): as the test asked");
  failOn("hipGetDeviceProperties:700");
  EXPECT_EQ(errorOf(createHipDevice("gfx950")),
            "hipGetDeviceProperties of device 0: " + hip);
  failOn("");
  std::unique_ptr<Device> device = makeDevice();
  auto kernel = unwrap(device->load(object, manifest));
  std::vector<uint8_t> bytes(8), kernargs(manifest.kernargBytes);
  failOn("hipSetDevice:700");
  for (auto operation : {0, 1, 2, 3, 4, 5, 6}) {
    Error error = operation == 0   ? device->allocate(8).takeError()
                  : operation == 1 ? device->free(0x10)
                  : operation == 2 ? device->copyToDevice(0x10, bytes)
                  : operation == 3 ? device->copyToHost(bytes, 0x10)
                  : operation == 4 ? device->load(object, manifest).takeError()
                  : operation == 5 ? device->launch(*kernel, 1, kernargs)
                                   : device->synchronize();
    EXPECT_EQ(errorOf(std::move(error)), "hipSetDevice(1): " + hip);
  }
  failOn("hipMalloc:700");
  EXPECT_EQ(errorOf(device->allocate(8)), "hipMalloc of 8 bytes: " + hip);
  failOn("hipFree:700");
  EXPECT_EQ(errorOf(device->free(0x10)), "hipFree of 0x10: " + hip);
  failOn("hipMemcpy:700");
  EXPECT_EQ(errorOf(device->copyToDevice(0x10, bytes)),
            "hipMemcpy of 8 bytes to the device at 0x10: " + hip);
  EXPECT_EQ(errorOf(device->copyToHost(bytes, 0x10)),
            "hipMemcpy of 8 bytes from the device at 0x10: " + hip);
  failOn("hipModuleLoadData:700");
  EXPECT_EQ(errorOf(device->load(object, manifest)),
            "hipModuleLoadData of kernel 'add': " + hip);
  failOn("hipModuleGetFunction:500");
  EXPECT_EQ(errorOf(device->load(object, manifest)),
            "hipModuleGetFunction of kernel 'add': hipErrorNotFound (500): as "
            "the test asked");
  failOn("hipModuleLaunchKernel:700");
  EXPECT_EQ(errorOf(device->launch(*kernel, 2, kernargs)),
            "hipModuleLaunchKernel of 'add' with 2 workgroups of 64 threads: " +
                hip);
  failOn("hipDeviceSynchronize:700");
  EXPECT_EQ(errorOf(device->synchronize()),
            "hipDeviceSynchronize after kernel 'add': " + hip);
}

TEST_F(HipDeviceTest, OutOfMemorySaysHowMuchThereIs) {
  failOn("hipMalloc:2");
  EXPECT_EQ(errorOf(makeDevice()->allocate(6000)),
            "hipMalloc of 6000 bytes with 1000 of 5000 bytes free: "
            "hipErrorOutOfMemory (2): as the test asked");
}

TEST_F(HipDeviceTest, RejectsWhatItIsNotToLoad) {
  std::unique_ptr<Device> device = makeDevice();
  takeLog();
  EXPECT_EQ(errorOf(device->load(readObject("gfx942"), manifest)),
            "the device is a gfx950, but the code object is for gfx942");
  Manifest other = manifest;
  other.arch = "gfx942";
  EXPECT_EQ(errorOf(device->load(object, other)),
            "the manifest of kernel 'add' is for gfx942, but the code object "
            "is for gfx950");
  other = manifest;
  other.kernel = "subtract";
  std::string missing = errorOf(device->load(object, other));
  EXPECT_NE(missing.find("subtract"), std::string::npos) << missing;
  EXPECT_NE(missing.find("add"), std::string::npos) << missing;
  other = manifest;
  other.contentHash = std::string(64, '0');
  EXPECT_EQ(errorOf(device->load(object, other)),
            "the code object is not the one the manifest of kernel 'add' was "
            "written for: expected SHA-256 " +
                other.contentHash + ", got " + manifest.contentHash);
  other = manifest;
  other.kernargBytes = 16;
  EXPECT_EQ(errorOf(device->load(object, other)),
            "kernel 'add' takes 24 bytes of arguments, but its manifest states "
            "16");
  other = manifest;
  other.workgroupSize = 128;
  EXPECT_EQ(errorOf(device->load(object, other)),
            "kernel 'add' takes at most 64 threads in a workgroup, but its "
            "manifest states 128");
  SmallVector<char> broken(object.begin(), object.begin() + 100);
  EXPECT_NE(errorOf(device->load(broken, manifest)), "no error");
  // HIP never saw any of them.
  EXPECT_EQ(takeLog(), "");
}

TEST_F(HipDeviceTest, RejectsWrongLaunches) {
  std::unique_ptr<Device> device = makeDevice();
  std::unique_ptr<Device> another = makeDevice();
  auto kernel = unwrap(device->load(object, manifest));
  std::vector<uint8_t> kernargs(manifest.kernargBytes);
  EXPECT_EQ(errorOf(another->launch(*kernel, 1, kernargs)),
            "kernel 'add' is loaded on another device");
  kernargs[0] = 8;
  EXPECT_EQ(errorOf(device->launch(*kernel, 1, kernargs)),
            "kernel 'add': argument 'out': expected an address aligned to 16 "
            "bytes, got 0x8");
  kernargs.pop_back();
  EXPECT_EQ(errorOf(device->launch(*kernel, 1, kernargs)),
            "kernel 'add': expected 24 bytes of kernel arguments, got 23");
}

TEST_F(HipDeviceTest, SaysWhatGpusThereAre) {
  std::string library = FLY_RECORDING_HIP;
  setenv("FLY_RECORDING_HIP_ARCH", "gfx942,gfx1100", 1);
  EXPECT_EQ(errorOf(createHipDevice("gfx950")),
            library + " finds no gfx950 GPU, only: gfx942, gfx1100");
  setenv("FLY_RECORDING_HIP_ARCH", "", 1);
  EXPECT_EQ(errorOf(createHipDevice("gfx950")),
            library + " finds no gfx950 GPU, only: none");
}

TEST_F(HipDeviceTest, SaysWhatLibrariesWereTried) {
  setenv("FLY_HIP_LIBRARY", "/nowhere/libamdhip64.so", 1);
  EXPECT_EQ(errorOf(createHipDevice("gfx950")),
            "no HIP library found: tried /nowhere/libamdhip64.so");
  setenv("FLY_HIP_LIBRARY", "libm.so.6", 1);
  EXPECT_EQ(errorOf(createHipDevice("gfx950")),
            "libm.so.6: expected a HIP library, but it has no hipInit");
}

} // namespace
