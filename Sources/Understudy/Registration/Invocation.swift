// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package struct Invocation: Sendable {
  package let resolver: Resolver
  package let request: Request

  /// The resolver for a block that takes only a resolver. One that is passed as an argument wins.
  var resolverArgument: Resolver { request.resolverArgument ?? resolver }
}

package enum NotCallable: Error {
  /// The block got an argument that it does not take.
  case argument(expected: any Any.Type, given: (any Any.Type)?)
  case nothingToDecorate
  /// The caller is synchronous, and the block is not.
  case needsAwait
  /// The block is one of the main actor, and the caller is somewhere else.
  case needsMainActor
  case unimplemented
  /// A weakly held object is gone.
  case released
  /// A value type cannot be held weakly.
  case notAnObject
}

package struct Request: Sendable {
  package var key: AnyKey
  /// The production default, if the caller already has the declared dependency.
  package var declared: AnyRegistration?
  package var lifecycle: Lifecycle
  package let argument: PassedArgument?
  package var callSite: CallSite
  /// True if the caller is known to be on the main actor.
  package var isOnMainActor: Bool
  /// True for a wrapper. It stores an error, which is reported when the value is read.
  package var keepsErrors = false
  /// True if the caller can continue without an answer: it requested `T?` or `[T]`.
  package var mayBeMissing = false
  /// True for the request of a decorator, and for the one that an alias makes for it. A decorator
  /// is an override, so a strict layer does not refuse them.
  package var isDecorated = false

  package init(
    _ key: AnyKey, declared: AnyRegistration? = nil, lifecycle: Lifecycle = .cached,
    argument: PassedArgument? = nil, at callSite: CallSite, isOnMainActor: Bool = false,
    keepsErrors: Bool = false
  ) {
    self.key = key
    self.declared = declared
    self.lifecycle = lifecycle
    self.argument = argument
    self.callSite = callSite
    self.isOnMainActor = isOnMainActor
    self.keepsErrors = keepsErrors
  }

  /// True if an equal request has the same answer.
  var isCacheable: Bool {
    // Each request asks this. A debug build compares an optional in generic code.
    if case .some = argument { return false }
    if case .cached = lifecycle { return !mayBeMissing }
    return false
  }

  /// The resolver that was passed as an argument.
  package var resolverArgument: Resolver? { argument?.value as? Resolver }
}

/// An error that a fault threw, with the description of the fault.
package struct InjectedFault: Error {
  package let underlying: any Error
  package let note: String

  package init(underlying: any Error, note: String) {
    self.underlying = underlying
    self.note = note
  }
}

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
  @inlinable
  package init() {}
}
