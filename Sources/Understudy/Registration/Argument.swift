// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Invocation {
  package func argument<Argument>() throws(NotCallable) -> Argument {
    guard let argument = request.argument?.value else {
      throw .argument(expected: Argument.self, given: nil)
    }
    guard let typed = argument as? Argument else {
      throw .argument(expected: Argument.self, given: type(of: argument))
    }
    return typed
  }
}

/// The argument of a request. A class, so that a request without one stays small.
package final class PassedArgument: Sendable {
  private let box: KnownSendable<Any>
  package var value: Any { box.value }

  package init(_ value: Any) { box = KnownSendable(value) }

  /// The argument that a caller passed; `nil` if it passed none.
  package static func passed<Argument>(_ argument: Argument) -> PassedArgument? {
    Argument.self == NoArgument.self ? nil : PassedArgument(argument)
  }
}

/// The argument of a request without one: the default of `with:`.
@frozen
public struct NoArgument: Sendable {
  /// Says that nothing is passed.
  @inlinable
  public init() {}
}
