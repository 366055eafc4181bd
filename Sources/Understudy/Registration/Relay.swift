// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Where the value of a resolution comes from.
package enum ValueOrigin: Sendable {
  /// It was there before.
  case kept
  /// It was made, and is kept by the layer of this level, 0 for production; `nil` if nobody keeps it.
  case made(keptAt: Int?)
}

/// What is known of the question that a relay asks, besides the value.
package struct RelayedQuestion: Sendable {
  var origin = ValueOrigin.kept
  /// True if it failed because nothing answers, or an object that is gone.
  var isVacant = false
}

/// What asks for the value of another registration: at once, or waiting for it if the caller can.
///
/// A class, so that the blocks of all registrations stay small.
package final class Relay<Value>: Sendable {
  typealias Ask = @Sendable (Invocation, inout RelayedQuestion) throws -> Value
  typealias Wait = @Sendable (Invocation, inout RelayedQuestion) async throws -> Value

  /// What is asked for.
  let key: AnyKey
  let ask: Ask
  let wait: Wait
  /// Looks at what is kept, and asks for nothing.
  let look: @Sendable (Invocation) -> Value?

  init(
    to key: AnyKey, _ ask: @escaping Ask, waiting wait: @escaping Wait,
    looking look: @escaping @Sendable (Invocation) -> Value?
  ) {
    self.key = key
    self.ask = ask
    self.wait = wait
    self.look = look
  }

  func then(_ transform: @escaping @Sendable (Value) throws -> Value) -> Relay {
    @Sendable func wrapped(_ value: Value, _ question: inout RelayedQuestion) throws -> Value {
      let wrapper = try transform(value)
      if !isOneObject(value, wrapper) { question.origin = .made(keptAt: nil) }
      return wrapper
    }
    // A closure would leave the actor of whoever waits.
    @Sendable func waited(
      _ invocation: Invocation, _ question: inout RelayedQuestion
    ) async throws -> Value {
      try wrapped(try await wait(invocation, &question), &question)
    }
    // No wrapper is kept.
    return Relay(to: key, { [ask] in try wrapped(ask($0, &$1), &$1) }, waiting: waited) { _ in nil }
  }
}

/// True if two values are one object.
func isOneObject<Value>(_ left: Value, _ right: Value) -> Bool {
  type(of: left as Any) is AnyClass && left as AnyObject === right as AnyObject
}
