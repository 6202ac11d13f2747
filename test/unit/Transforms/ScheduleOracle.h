//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// An oracle for schedules that shares nothing with the planner or the proof:
/// it unrolls an expanded kernel for a given number of K tiles and walks every
/// interleaving of two waves, of every pair of wave groups.
///
/// The model. A wave executes its ops in order. A copy (or load, or read)
/// begins when it is executed and ends when a wait says so, never before: the
/// longest time it can take, in which every conflict that can happen does. A
/// copy of a wave fills that wave's share of the stage; a read takes all
/// shares. Two waves are anywhere between the same two barriers.

#ifndef FLY_TEST_UNIT_TRANSFORMS_SCHEDULEORACLE_H
#define FLY_TEST_UNIT_TRANSFORMS_SCHEDULEORACLE_H

#include "fly/Dialect/Fly/IR/Fly.h"

#include <string>

/// The first hazard of \p kernel, which is laid out and has its waits, when it
/// runs over \p kTiles K tiles; empty if there is none.
std::string findHazard(fly::KernelOp kernel, int64_t kTiles);

#endif // FLY_TEST_UNIT_TRANSFORMS_SCHEDULEORACLE_H
