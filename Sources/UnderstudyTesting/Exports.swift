// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

@_exported public import Understudy
@_exported public import UnderstudyCompatibility
@_exported public import UnderstudyDoubles
@_exported public import UnderstudyGraph
