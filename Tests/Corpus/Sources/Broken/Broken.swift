// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Not compiled unless the manifest includes it.
let seats: Int = "none"
