// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Injects a dependency when it is first read, and keeps it.
///
/// The context is captured when the owner is made: an object made in a test keeps the test's doubles,
/// from whatever thread it reads them. First read under a layer that was pushed later and overrides it, it gets
/// what was there when the owner was made, which is a warning (O9). What it will ask for counts at once as something
/// that its owner was made from, so an override of it bites (O6); and so does what that is known to need before it is
/// made: what is autowired, or stated with `needing(_:)`. What else its block asks for is found out when that runs, in
/// the context of the owner.
///
/// Reading does not mutate: a `let` of a structure and an actor can use it. Threads that read for the
/// first time at once all get the same value: one of them asks for it, and the others wait, under no lock. A value
/// whose making reads it, on whatever thread, is a cycle, which ends the process with the whole explanation.
@propertyWrapper
public struct LazyInject<Value: Sendable>: Sendable {
  private let reading: FirstReading<Value>

  /// What is injected.
  public var wrappedValue: Value { reading.value }

  /// Injects a declared dependency.
  ///
  /// - Parameters:
  ///   - dependency: What is injected: `\.mailer`.
  public init(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    let registration = dependency(Dependencies.self).registration
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let request = Request(registration.key, declared: registration, at: callSite)
    self.init(request) { resolver in
      resolver.declaredValue(for: request)
    } insteadOf: { resolver, failure in
      resolver.productionValue(for: request, insteadOf: failure)
    }
  }

  /// Injects what is registered for the property's type.
  public init(
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      key: Key(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  init(key: Key<Value>, at callSite: CallSite) {
    self.init(Request(key.erased, at: callSite)) {
      $0.resolvedOrTrap(key, at: callSite)
    } insteadOf: {
      $1.trap()
    }
  }

  /// Makes the value when it is first read, in the context of now.
  init(making make: @escaping @Sendable () -> Value, at callSite: CallSite) {
    reading = FirstReading(
      of: AnyKey(type: Value.self), at: callSite, make, insteadOf: { $0.trap() })
  }

  private init(
    _ request: Request, _ resolve: @escaping @Sendable (Resolver) -> Value,
    insteadOf answer: @escaping @Sendable (Resolver, ResolutionError) -> Value
  ) {
    let reference = ResolverReference.current
    let resolver = Resolver.current
    reading = FirstReading(
      of: request.key, at: request.callSite, from: reference,
      { resolve(reference.resolver(for: request)) },
      insteadOf: { answer(reference.resolver(for: request), $0) })
    resolver.noteLaterUse(of: request.key)
  }
}

extension ResolverReference {
  /// The resolver; the process ends with an explanation if it is gone.
  func resolver(for request: Request) -> Resolver {
    guard let resolver else {
      ResolutionError(
        .resolverGone, key: request.key, path: [request.key], callSite: request.callSite
      ).trap()
    }
    return resolver
  }
}
