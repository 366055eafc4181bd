// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package enum ValueOrigin: Sendable {
  case cached
  /// It was created. The level with this rank stores it, or none if `nil`.
  case created(storedAt: Int?)
}

/// Facts about the request of a relay, besides its value.
package struct RelayedRequest: Sendable {
  var origin = ValueOrigin.cached
  var claims: [Claim] = []
  /// True if it failed because nothing answers, or because a weakly held object is gone.
  var isVacant = false
}

/// Requests the value of another registration, synchronously or asynchronously.
///
/// A class, so that the blocks of all registrations stay small.
package final class Relay<Value>: Sendable {
  package typealias Ask = @Sendable (Invocation, inout RelayedRequest) throws -> Value
  package typealias Wait = @Sendable (Invocation, inout RelayedRequest) async throws -> Value

  /// The requested key, or `nil` if it depends on the argument.
  let key: AnyKey?
  let ask: Ask
  let wait: Wait
  /// Returns the stored value, if there is one, without a request.
  let look: @Sendable (Invocation) -> Value?
  private let renew: (@Sendable () -> Relay)?

  package init(
    to key: AnyKey?, _ ask: @escaping Ask, waiting wait: @escaping Wait,
    looking look: @escaping @Sendable (Invocation) -> Value?,
    renewing renew: (@Sendable () -> Relay)? = nil
  ) {
    self.key = key
    self.ask = ask
    self.wait = wait
    self.look = look
    self.renew = renew
  }

  /// The relay of a registration that is added again: it has no instances yet.
  var renewed: Relay { renew?() ?? self }
}

func isOneObject<Value>(_ left: Value, _ right: Value) -> Bool {
  type(of: left as Any) is AnyClass && left as AnyObject === right as AnyObject
}
