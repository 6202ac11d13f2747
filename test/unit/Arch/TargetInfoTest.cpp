//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fly/Arch/TargetInfo.h"

#include "gtest/gtest.h"

using namespace fly;

TEST(TargetInfo, LookupByNameAndMachineAgree) {
  for (const TargetInfo &target : getTargets()) {
    auto byName = lookupTarget(target.name);
    ASSERT_TRUE(bool(byName));
    EXPECT_EQ(&*byName, &target);
    auto byMach = lookupTargetByElfMach(target.elfMach);
    ASSERT_TRUE(bool(byMach));
    EXPECT_EQ(&*byMach, &target);
  }
}

TEST(TargetInfo, UnknownArchNamesTheKnownOnes) {
  auto target = lookupTarget("gfx90a");
  ASSERT_FALSE(bool(target));
  EXPECT_EQ(llvm::toString(target.takeError()),
            "unknown arch 'gfx90a', expected one of gfx942, gfx950");
}
