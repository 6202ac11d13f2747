//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Handles that a program gives back: only those that live are followed.
/// Internal to the HIP library.

#ifndef FLY_LIB_EMULATOR_HIP_HANDLES_H
#define FLY_LIB_EMULATOR_HIP_HANDLES_H

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace fly {
namespace hip {

template <typename T> class Handles {
public:
  void *add(std::shared_ptr<T> object) {
    std::lock_guard<std::mutex> lock(mutex);
    void *handle = object.get();
    objects[handle] = std::move(object);
    return handle;
  }
  /// Null if \p handle is none.
  std::shared_ptr<T> find(const void *handle) const {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = objects.find(handle);
    return it == objects.end() ? nullptr : it->second;
  }
  /// The same, and the handle is none from now on.
  std::shared_ptr<T> remove(const void *handle) {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = objects.find(handle);
    if (it == objects.end())
      return nullptr;
    std::shared_ptr<T> object = std::move(it->second);
    objects.erase(it);
    return object;
  }

private:
  mutable std::mutex mutex;
  std::map<const void *, std::shared_ptr<T>> objects;
};

} // namespace hip
} // namespace fly

#endif // FLY_LIB_EMULATOR_HIP_HANDLES_H
