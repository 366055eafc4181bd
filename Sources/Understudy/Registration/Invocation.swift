// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package struct Invocation: Sendable {
  package let resolver: Resolver
  package let request: Request

  /// The resolver for a block with one parameter of that type. An explicit argument wins.
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
  package var lifecycle: Lifecycle { didSet { noteWhetherCacheable() } }
  package let argument: PassedArgument?
  package var callSite: CallSite
  /// True if the caller is known to be on the main actor.
  package var isOnMainActor: Bool
  /// True for a wrapper. It stores an error, which is reported when the value is read.
  var keepsErrors = false
  /// True if the caller can continue without an answer: it requested `T?` or `[T]`.
  package var mayBeMissing = false { didSet { noteWhetherCacheable() } }
  /// True if an equal request has the same answer.
  private(set) var isCacheable = false

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
    noteWhetherCacheable()
  }

  private mutating func noteWhetherCacheable() {
    isCacheable = false
    if argument != nil || mayBeMissing { return }
    if case .cached = lifecycle { isCacheable = true }
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
