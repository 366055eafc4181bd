// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a block is called with.
package struct Invocation {
  /// The resolver that was asked.
  package let resolver: Resolver
  /// What was asked for.
  package let request: Request

  /// The resolver for a block whose one parameter is one: an explicit argument wins (G9-08).
  var resolverArgument: Resolver {
    request.argument as? Resolver ?? resolver
  }

  /// The argument, as the type that the block takes.
  func argument<Argument>() throws(ArgumentMismatch) -> Argument {
    guard let argument = request.argument else {
      throw ArgumentMismatch(expected: Argument.self, given: nil)
    }
    guard let typed = argument as? Argument else {
      throw ArgumentMismatch(expected: Argument.self, given: type(of: argument))
    }
    return typed
  }
}

/// A block was asked for with an argument that it does not take.
package struct ArgumentMismatch: Error {
  package let expected: any Any.Type
  package let given: (any Any.Type)?
}

/// One question to a resolver.
package struct Request {
  package var key: AnyKey
  /// The production default, if the key is a declared dependency's.
  package var declared: AnyRegistration?
  package var lifecycle: Lifecycle
  package var argument: Any?
  package var callSite: CallSite

  package init(
    _ key: AnyKey, declared: AnyRegistration? = nil, lifecycle: Lifecycle = .cached,
    argument: Any? = nil, at callSite: CallSite
  ) {
    self.key = key
    self.declared = declared
    self.lifecycle = lifecycle
    self.argument = argument
    self.callSite = callSite
  }
}
