// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import UnderstudyTool
import UnderstudyWiringTool

Tool.runProgram(library: Library())
