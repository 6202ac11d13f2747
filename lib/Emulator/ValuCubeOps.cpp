//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// The coordinates of a point on the face of a cube (v_cube*): the face whose
/// axis is the longest, z before y before x (CDNA3 ISA manual, VOP3
/// instructions).

#include "Valu.h"

#include "fly/Emulator/Handlers.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

enum Axis { AxisX, AxisY, AxisZ };

Axis longest(float x, float y, float z) {
  float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y);
  float az = __builtin_fabsf(z);
  if (az >= ax && az >= ay)
    return AxisZ;
  return ay >= ax ? AxisY : AxisX;
}

/// 0 and 1: +x and -x; 2 and 3: y; 4 and 5: z.
float faceOf(float x, float y, float z) {
  switch (longest(x, y, z)) {
  case AxisZ:
    return z < 0 ? 5.0f : 4.0f;
  case AxisY:
    return y < 0 ? 3.0f : 2.0f;
  case AxisX:
    break;
  }
  return x < 0 ? 1.0f : 0.0f;
}
float sOf(float x, float y, float z) {
  switch (longest(x, y, z)) {
  case AxisZ:
    return z < 0 ? -x : x;
  case AxisY:
    return x;
  case AxisX:
    break;
  }
  return x < 0 ? z : -z;
}
float tOf(float x, float y, float z) {
  if (longest(x, y, z) == AxisY)
    return y < 0 ? -z : z;
  return -y;
}
float majorOf(float x, float y, float z) {
  switch (longest(x, y, z)) {
  case AxisZ:
    return 2.0f * z;
  case AxisY:
    return 2.0f * y;
  case AxisX:
    break;
  }
  return 2.0f * x;
}

} // namespace

void addValuCubeOps(HandlerTable &t) {
  VALU3(t, "v_cubeid_f32", F32, F32, F32, F32, faceOf(a, b, c));
  VALU3(t, "v_cubesc_f32", F32, F32, F32, F32, sOf(a, b, c));
  VALU3(t, "v_cubetc_f32", F32, F32, F32, F32, tOf(a, b, c));
  VALU3(t, "v_cubema_f32", F32, F32, F32, F32, majorOf(a, b, c));
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
