// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The modules whose protocols get doubles; a plugin sees them as dependencies of a target.
import Configuration
import Logging
import NIOCore
