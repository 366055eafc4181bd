// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The package manager wants a source file. All of it is in the header, to be inlined.

#include "UnderstudyAtomics.h"
