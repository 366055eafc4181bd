// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Where the value of a resolution comes from.
package enum ValueOrigin: Sendable {
  /// From a cache.
  case cached
  /// It was created, and the level of this rank stores it; `nil` if none does.
  case created(storedAt: Int?)
}

/// What was claimed for a value that is not handed out yet, and is put back if it cannot be.
package protocol PendingClaim: Sendable {}

/// What is known of the question that a relay asks, besides the value.
package struct RelayedRequest: Sendable {
  var origin = ValueOrigin.cached
  var claims: [any PendingClaim] = []
  /// True if it failed because nothing answers, or an object that is gone.
  var isVacant = false
}

/// What asks for the value of another registration: at once, or waiting for it if the caller can.
///
/// A class, so that the blocks of all registrations stay small.
package final class Relay<Value>: Sendable {
  package typealias Ask = @Sendable (Invocation, inout RelayedRequest) throws -> Value
  package typealias Wait = @Sendable (Invocation, inout RelayedRequest) async throws -> Value

  /// What is asked for; `nil` if that depends on the argument.
  let key: AnyKey?
  let ask: Ask
  let wait: Wait
  /// Looks at what is kept, and asks for nothing.
  let look: @Sendable (Invocation) -> Value?

  package init(
    to key: AnyKey?, _ ask: @escaping Ask, waiting wait: @escaping Wait,
    looking look: @escaping @Sendable (Invocation) -> Value?
  ) {
    self.key = key
    self.ask = ask
    self.wait = wait
    self.look = look
  }
}

/// True if two values are one object.
func isOneObject<Value>(_ left: Value, _ right: Value) -> Bool {
  type(of: left as Any) is AnyClass && left as AnyObject === right as AnyObject
}
