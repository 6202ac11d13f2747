//===----------------------------------------------------------------------===//
// Part of fly, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

/// \file
/// Options with named values, whose errors say what was expected.

#ifndef FLY_CLI_CHOICE_H
#define FLY_CLI_CHOICE_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

namespace fly {

template <typename T> class ChoiceParser : public llvm::cl::parser<T> {
public:
  using llvm::cl::parser<T>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef value, T &result) {
    llvm::SmallVector<llvm::StringRef> known;
    for (unsigned i = 0; i != this->getNumOptions(); ++i)
      known.push_back(this->getOption(i));
    if (llvm::is_contained(known, value))
      return llvm::cl::parser<T>::parse(option, name, value, result);
    return option.error("expected one of " + llvm::join(known, ", ") +
                        ", got '" + value + "'");
  }
};

template <typename T> using Choice = llvm::cl::opt<T, false, ChoiceParser<T>>;

} // namespace fly

#endif // FLY_CLI_CHOICE_H
