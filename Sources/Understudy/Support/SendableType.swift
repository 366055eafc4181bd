// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Says that a type is `Sendable`, to code that does not see it: only such a type has one.
package struct SendableType<Value>: Sendable {
  package init() where Value: Sendable {}
}
