//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceTestObjects.h"

#include "Support/Unwrap.h"
#include "fly/Runtime/Device.h"
#include "fly/Runtime/LaunchPlan.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>

using namespace fly;
using namespace llvm;

namespace {

template <typename T> std::string errorOf(Expected<T> value) {
  return value ? "no error" : toString(value.takeError());
}

TEST(Device, AutoTakesHipWhereThereIsAGpuOfTheArch) {
  setenv("FLY_HIP_LIBRARY", FLY_RECORDING_HIP, 1);
  setenv("FLY_RECORDING_HIP_ARCH", "gfx950", 1);
  std::string whyNot;
  auto device =
      unwrap(createDevice("auto", "gfx950", EmulatorOptions(), &whyNot));
  EXPECT_EQ(device->kind(), "hip");
  EXPECT_EQ(whyNot, "");
  // A GPU of another arch does not do.
  device = unwrap(createDevice("auto", "gfx942", EmulatorOptions(), &whyNot));
  EXPECT_EQ(device->kind(), "emulator");
  EXPECT_EQ(device->arch(), "gfx942");
  EXPECT_EQ(whyNot, std::string(FLY_RECORDING_HIP) +
                        " finds no gfx942 GPU, only: gfx950");
  // Who asks for one of the two gets it, or an error.
  device = unwrap(createDevice("emulator", "gfx950", EmulatorOptions()));
  EXPECT_EQ(device->kind(), "emulator");
  EXPECT_EQ(errorOf(createDevice("hip", "gfx942", EmulatorOptions())), whyNot);
}

TEST(Device, RejectsUnknownKindsAndArches) {
  EXPECT_EQ(errorOf(createDevice("cuda", "gfx950", EmulatorOptions())),
            "device: expected 'auto', 'hip' or 'emulator', got 'cuda'");
  EXPECT_EQ(errorOf(createDevice("auto", "gfx90a", EmulatorOptions())),
            "unknown arch 'gfx90a', expected one of gfx942, gfx950");
}

class EmulatorDeviceTest : public testing::TestWithParam<const char *> {
protected:
  std::string arch = GetParam();
  std::unique_ptr<Device> device =
      unwrap(createEmulatorDevice(arch, EmulatorOptions()));
  SmallVector<char> object = readObject(arch);
  Manifest manifest = makeAddManifest(arch, object);
};

TEST_P(EmulatorDeviceTest, RunsAKernel) {
  EXPECT_EQ(device->kind(), "emulator");
  EXPECT_EQ(device->description(), "emulated " + arch + ", checking mode");
  auto kernel = unwrap(device->load(object, manifest));
  std::vector<int32_t> in(192), out(192, -1);
  for (int i = 0; i < 192; ++i)
    in[i] = i * i;
  auto bytesOf = [](std::vector<int32_t> &v) {
    return MutableArrayRef(reinterpret_cast<uint8_t *>(v.data()), v.size() * 4);
  };
  uint64_t inAddress = unwrap(device->allocate(in.size() * 4));
  uint64_t outAddress = unwrap(device->allocate(out.size() * 4));
  unwrap(device->copyToDevice(inAddress, bytesOf(in)));
  unwrap(device->copyToDevice(outAddress, bytesOf(out)));
  LaunchPlan plan =
      unwrap(LaunchPlan::create(manifest, {{"out", DeviceAddress{outAddress}},
                                           {"in", DeviceAddress{inAddress}},
                                           {"add", int64_t(5)},
                                           {"n", int64_t(130)}}));
  EXPECT_EQ(plan.workgroups, 3u);
  unwrap(device->launch(*kernel, plan.workgroups, plan.kernargs));
  unwrap(device->synchronize());
  unwrap(device->copyToHost(bytesOf(out), outAddress));
  for (int i = 0; i < 192; ++i)
    EXPECT_EQ(out[i], i * i + 5);
  EXPECT_TRUE(device->takeReports().empty());
  unwrap(device->free(inAddress));

  // The freed buffer is no place to read from; the finding comes once.
  unwrap(device->launch(*kernel, 1, plan.kernargs));
  EXPECT_FALSE(device->takeReports().empty());
  EXPECT_TRUE(device->takeReports().empty());
  // Nothing to do is nothing done.
  unwrap(device->launch(*kernel, 0, plan.kernargs));
  EXPECT_TRUE(device->takeReports().empty());
}

TEST_P(EmulatorDeviceTest, RejectsWhatItIsNotToLoad) {
  std::string other = arch == "gfx950" ? "gfx942" : "gfx950";
  EXPECT_EQ(errorOf(device->load(readObject(other), manifest)),
            "the device is a " + arch + ", but the code object is for " +
                other);
  Manifest wrong = manifest;
  wrong.kernel = "subtract";
  EXPECT_NE(errorOf(device->load(object, wrong)).find("add"),
            std::string::npos);
  EXPECT_NE(errorOf(device->load(ArrayRef(object).take_front(200), manifest)),
            "no error");
  auto kernel = unwrap(device->load(object, manifest));
  EXPECT_EQ(toString(device->launch(*kernel, 1, std::vector<uint8_t>(4))),
            "kernel 'add': expected 24 bytes of kernel arguments, got 4");
}

INSTANTIATE_TEST_SUITE_P(, EmulatorDeviceTest,
                         testing::Values("gfx942", "gfx950"),
                         [](const testing::TestParamInfo<const char *> &info) {
                           return std::string(info.param);
                         });

} // namespace
