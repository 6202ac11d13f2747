//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Runner/Execute.h"

#include "llvm/Support/Endian.h"

#include <chrono>

using namespace llvm;

namespace fly {
namespace {

/// A buffer on a device, freed with this object.
class Buffer {
public:
  explicit Buffer(Device &device) : device(device) {}
  ~Buffer() {
    if (address)
      consumeError(device.free(address));
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  /// Leaves the address 0 where there are no bytes.
  Error upload(ArrayRef<uint8_t> bytes) {
    if (bytes.empty())
      return Error::success();
    Expected<uint64_t> allocated = device.allocate(bytes.size());
    if (!allocated)
      return allocated.takeError();
    address = *allocated;
    return device.copyToDevice(address, bytes);
  }

  uint64_t address = 0;

private:
  Device &device;
};

} // namespace

static std::vector<uint8_t> layoutBytes(ArrayRef<int32_t> layout) {
  std::vector<uint8_t> bytes(layout.size() * 4);
  for (auto [i, group] : enumerate(layout))
    support::endian::write32le(bytes.data() + 4 * i, group);
  return bytes;
}

static Expected<LaunchPlan> makePlan(const Problem &problem,
                                     const OperandAddresses &addresses) {
  auto values = makeArguments(problem, addresses);
  if (!values)
    return values.takeError();
  return LaunchPlan::create(problem.manifest, *values);
}

Expected<Execution> execute(Device &device, const LoadedKernel &kernel,
                            const Problem &problem, Operands &operands) {
  const Manifest &manifest = kernel.manifest();
  if (manifest.contentHash != problem.manifest.contentHash)
    return createStringError(
        "the problem is for variant '" + problem.manifest.variant +
        "', but the kernel is variant '" + manifest.variant + "'");
  Buffer a(device), b(device), scaleA(device), scaleB(device), d(device),
      layout(device);
  std::vector<uint8_t> groups = layoutBytes(problem.shape.layout);
  const std::pair<Buffer *, ArrayRef<uint8_t>> buffers[] = {
      {&a, operands.a},           {&b, operands.b}, {&scaleA, operands.scaleA},
      {&scaleB, operands.scaleB}, {&d, operands.d}, {&layout, groups}};
  for (auto [buffer, bytes] : buffers)
    if (Error error = buffer->upload(bytes))
      return error;
  Expected<LaunchPlan> plan = makePlan(
      problem, {d.address + Operands::marginBytes, a.address, b.address,
                scaleA.address, scaleB.address, layout.address});
  if (!plan)
    return plan.takeError();

  device.takeReports();
  auto start = std::chrono::steady_clock::now();
  if (Error error = device.launch(kernel, plan->workgroups, plan->kernargs))
    return error;
  if (Error error = device.synchronize())
    return error;
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  if (Error error = device.copyToHost(operands.d, d.address))
    return error;
  return Execution{elapsed.count(), device.takeReports()};
}

} // namespace fly
