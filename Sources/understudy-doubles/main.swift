// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import UnderstudyTool

Tool.runProgram(library: nil)
