// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#include "UnderstudyAtomics.h"

long understudy_words[14 + 256];
