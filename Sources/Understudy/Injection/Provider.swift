// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Resolves a value later, or one for each payload. You inject a provider like any other
/// dependency, and need not register it.
///
/// ```swift
/// struct Catalogue {
///   let store: Provider<any Store>                  // asked for when it is needed
///   let session: Provider<(User) -> Session>        // one for each user
///   func open() throws -> Session { try session(User()) }
/// }
/// resolver.register { (r, user: User) in Session(user: user, store: try r.resolve()) }
/// ```
///
/// A provider resolves in the context in which it was created, and counts as a dependency of its
/// owner, as `LazyInject` does. A provider breaks a cycle, since its creation creates nothing else.
public struct Provider<Value>: Sendable {
  private let reference: ResolverReference
  private let context: OverrideContext
  private let key: AnyKey

  init(_ key: AnyKey, of resolver: Resolver) {
    reference = .captured(resolver)
    self.key = key
    context = .current
    resolver.noteLaterUse(of: key, isProvided: true)
  }

  /// Creates a provider of the value that is registered for a type.
  public init(
    of resolver: Resolver = .current, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil
  ) {
    self.init(
      AnyKey(Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container)),
      of: resolver)
  }

  /// Resolves the value.
  ///
  /// - Throws: `ResolutionError`, with the whole explanation.
  public func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) throws(ResolutionError) -> Value {
    try value(of: key, at: CallSite(fileID, filePath, line, column))
  }

  /// Resolves the result type of the function, with the function's parameter as the argument.
  ///
  /// - Throws: `ResolutionError`, with the whole explanation.
  public func callAsFunction<Payload, Made>(
    _ payload: Payload, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) throws(ResolutionError) -> Made where Value == (Payload) -> Made {
    try value(
      of: key.ofType(Made.self), PassedArgument(payload),
      at: CallSite(fileID, filePath, line, column))
  }

  /// Resolves a key in the context in which the provider was created.
  private func value<Made>(
    of key: AnyKey, _ argument: PassedArgument? = nil, at callSite: CallSite
  ) throws(ResolutionError) -> Made {
    let resolver = try reference.resolver(for: key, at: callSite)
    try context.checkEarlyAsker(for: key, of: resolver, at: callSite, keepsErrors: false)
    return try context.run { () throws(ResolutionError) -> Made in
      try resolver.value(for: Request(key, argument: argument, at: callSite))
    }
  }
}

extension Provider: ImplicitlyResolvable {
  static var askedType: any Any.Type { Value.self }

  static func resolve(_ whole: Resolution) throws(ResolutionError) -> Provider {
    Provider(whole.request.key.ofType(Value.self), of: whole.resolver)
  }

  static func resolveAsync(_ whole: Resolution) async throws(ResolutionError) -> Provider {
    try resolve(whole)
  }
}

extension Provider: AskingLater {}

extension Provider: RecordsLayer {
  package var recordedLayer: OverrideLayer? { context.layer }
}
