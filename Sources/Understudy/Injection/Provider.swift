// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The means to get a value later, or one for each payload; resolved without being registered, like
/// any other dependency.
///
/// ```swift
/// struct Catalogue {
///   let store: Provider<any Store>                  // asked for when it is needed
///   let session: Provider<(User) -> Session>        // one for each user
///   func open() throws -> Session { try session(User()) }
/// }
/// resolver.register { (r, user: User) in Session(user: user, store: try r.resolve()) }
/// resolver.register(autowiring: Catalogue.init(store:session:))
/// ```
///
/// It asks in the context in which it was made: an object made in a test keeps the test's doubles,
/// and called under a layer that was pushed later and overrides what it asks for it gets the old
/// one, which is a warning. What it provides counts at once as something that its owner was made
/// from, as for `LazyInject`. A provider breaks a cycle, since making it makes nothing else.
public struct Provider<Value>: Sendable {
  private let reference: ResolverReference
  private let context: OverrideContext
  private let key: AnyKey

  init(_ key: AnyKey, of resolver: Resolver) {
    reference =
      Construction.current?.creation == nil ? .strong(resolver) : ResolverReference(weak: resolver)
    self.key = key
    context = .current
    resolver.noteLaterUse(of: key, isProvided: true)
  }

  private func resolver(at callSite: CallSite) throws(ResolutionError) -> Resolver {
    guard let resolver = reference.resolver else {
      throw ResolutionError(.resolverGone, key: key, path: [key], callSite: callSite)
    }
    return resolver
  }

  /// Makes a provider of what is registered for a type.
  public init(
    of resolver: Resolver = .current, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil
  ) {
    self.init(
      AnyKey(
        Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container)),
      of: resolver)
  }

  /// Resolves the value.
  ///
  /// - Throws: `ResolutionError`, which explains itself.
  public func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) throws(ResolutionError) -> Value {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let resolver = try resolver(at: callSite)
    OverrideLayer.noteEarlyAsker(
      for: key, of: resolver, madeUnder: context.layer, at: callSite)
    return try context.run { () throws(ResolutionError) -> Value in
      try resolver.value(for: Request(key, at: callSite))
    }
  }

  /// Resolves what the function would return, with its parameter as the argument.
  ///
  /// - Throws: `ResolutionError`, which explains itself.
  public func callAsFunction<Payload, Made>(
    _ payload: Payload, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) throws(ResolutionError) -> Made where Value == (Payload) -> Made {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let key = key.ofType(Made.self)
    let resolver = try resolver(at: callSite)
    OverrideLayer.noteEarlyAsker(
      for: key, of: resolver, madeUnder: context.layer, at: callSite)
    return try context.run { () throws(ResolutionError) -> Made in
      try resolver.value(
        for: Request(key, argument: PassedArgument(payload), at: callSite))
    }
  }
}

extension Provider: ImplicitlyResolvable {
  static var askedType: any Any.Type { Value.self }

  /// A provider; the value that it provides is not requested yet.
  static func resolve(_ whole: Resolution) throws(ResolutionError) -> Provider {
    Provider(whole.request.key.ofType(Value.self), of: whole.resolver)
  }

  static func resolveAsync(_ whole: Resolution) async throws(ResolutionError) -> Provider {
    try resolve(whole)
  }
}

extension Provider: ImpliedDependency {
  static var impliedType: any Any.Type { Value.self }
  static var impliedKind: DependencyGraph.Edge.Kind { .deferred }
}

extension Provider: RecordsLayer {
  var recordedLayer: OverrideLayer? { context.layer }
}
