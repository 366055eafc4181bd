// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Never compiled, unless it is asked for in the manifest.
let seats: Int = "none"
