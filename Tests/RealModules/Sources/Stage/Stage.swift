// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The modules whose protocols get doubles. A plugin needs them as dependencies of a target.
import Configuration
import Logging
import NIOCore
