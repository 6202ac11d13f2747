//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Integer VALU compares: v_cmp_* write a lane mask, v_cmpx_* EXEC as well.

#include "ValuLanes.h"

namespace fly {
namespace emu {
namespace FLY_EMU_LEVEL {
namespace {

struct Equal {
  template <typename T> static bool of(T a, T b) { return a == b; }
};
struct NotEqual {
  template <typename T> static bool of(T a, T b) { return a != b; }
};
struct Less {
  template <typename T> static bool of(T a, T b) { return a < b; }
};
struct LessEqual {
  template <typename T> static bool of(T a, T b) { return a <= b; }
};
struct Greater {
  template <typename T> static bool of(T a, T b) { return a > b; }
};
struct GreaterEqual {
  template <typename T> static bool of(T a, T b) { return a >= b; }
};
struct Never {
  template <typename T> static bool of(T, T) { return false; }
};
struct Always {
  template <typename T> static bool of(T, T) { return true; }
};

template <typename T>
void readSource(const Wave &w, const Operand &op, T (&value)[waveLanes]) {
  if constexpr (sizeof(T) == 8) {
    WideRow wide;
    readWide(w, op, wide);
    for (unsigned l = 0; l != waveLanes; ++l)
      value[l] = T(wide.lane[l]);
  } else {
    Row storage;
    const uint32_t *row = readRow(w, op, 0, storage);
    for (unsigned l = 0; l != waveLanes; ++l)
      value[l] = T(row[l]);
  }
}

template <typename T, typename Relation, bool writesExec>
void compare(Wave &w, const ExecInst &inst) {
  alignas(64) T a[waveLanes], b[waveLanes];
  readSource(w, inst.src(0), a);
  readSource(w, inst.src(1), b);
  uint64_t mask = 0;
  for (unsigned l = 0; l != waveLanes; ++l)
    mask |= uint64_t(Relation::template of<T>(a[l], b[l])) << l;
  mask &= w.exec();
  writeLaneMask(w, inst.numDefs ? &inst.ops[0] : nullptr, mask);
  if (writesExec)
    w.setPair(ScalarExec, mask);
}

template <typename T, typename Relation>
void addRelation(HandlerTable &table, const char *relation, const char *type) {
  for (bool x : {false, true}) {
    char key[32];
    unsigned n = 0;
    for (const char *part : {x ? "v_cmpx_" : "v_cmp_", relation, "_", type})
      while (*part)
        key[n++] = *part++;
    table.addResolver(llvm::StringRef(key, n),
                      x ? resolvePlain<2, compare<T, Relation, true>>
                        : resolvePlain<2, compare<T, Relation, false>>);
  }
}

template <typename T> void addType(HandlerTable &table, const char *type) {
  addRelation<T, Never>(table, "f", type);
  addRelation<T, Less>(table, "lt", type);
  addRelation<T, Equal>(table, "eq", type);
  addRelation<T, LessEqual>(table, "le", type);
  addRelation<T, Greater>(table, "gt", type);
  addRelation<T, NotEqual>(table, "ne", type);
  addRelation<T, GreaterEqual>(table, "ge", type);
  addRelation<T, Always>(table, "t", type);
}

} // namespace

void addValuCompareOps(HandlerTable &table) {
  addType<int16_t>(table, "i16");
  addType<uint16_t>(table, "u16");
  addType<int32_t>(table, "i32");
  addType<uint32_t>(table, "u32");
  addType<int64_t>(table, "i64");
  addType<uint64_t>(table, "u64");
}

} // namespace FLY_EMU_LEVEL
} // namespace emu
} // namespace fly
