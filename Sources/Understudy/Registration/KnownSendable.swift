// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A value whose type is not known to be `Sendable` here, and is.
///
/// Safety of `@unchecked Sendable`: blocks that run elsewhere than on the calling thread are registered
/// by forms that ask for a `Sendable` value, and only what such blocks make is carried in one.
package struct KnownSendable<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }
}
