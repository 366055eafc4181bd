// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Injects a dependency when it is first read, and keeps it.
///
/// The context is captured when the owner is made: an object made in a test keeps the test's doubles,
/// from whatever thread it reads them. What it will ask for counts at once as something that its owner
/// was made from, so an override of it bites (O6).
///
/// Reading does not mutate: a `let` of a structure and an actor can use it. Threads that read for the
/// first time at once all get the same value.
@propertyWrapper
public struct LazyInject<Value: Sendable>: Sendable {
  private let storage: Lock<Value?>
  private let resolve: @Sendable () -> Value

  /// What is injected.
  public var wrappedValue: Value {
    if let value = storage.withLock({ $0 }) { return value }
    let fresh = resolve()
    return storage.withLock { value in
      let kept = value ?? fresh
      value = kept
      return kept
    }
  }

  /// Injects a declared dependency.
  ///
  /// - Parameters:
  ///   - dependency: What is injected: `\.mailer`.
  ///   - fileID: Where it is injected.
  ///   - filePath: Where it is injected.
  ///   - line: Where it is injected.
  ///   - column: Where it is injected.
  public init(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    let registration = dependency(Dependencies.self).registration
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(registration.key, declared: registration) { resolver in
      resolver.declaredValue(
        for: Request(registration.key, declared: registration, at: callSite))
    }
  }

  /// Injects what is registered for the property's type.
  ///
  /// - Parameters:
  ///   - name: The name that it was registered under.
  ///   - scope: The scope that it was registered in.
  ///   - qualifier: The qualifier that it was registered under.
  ///   - container: The container that it was registered in.
  ///   - fileID: Where it is injected.
  ///   - filePath: Where it is injected.
  ///   - line: Where it is injected.
  ///   - column: Where it is injected.
  public init(
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    let key = Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container)
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(key.erased, declared: nil) { $0.resolvedOrTrap(key, at: callSite) }
  }

  private init(
    _ key: AnyKey, declared: AnyRegistration?, _ resolve: @escaping @Sendable (Resolver) -> Value
  ) {
    let context = OverrideContext.current
    let resolver = Resolver.current
    storage = Lock(nil)
    self.resolve = { context.run { resolve(resolver) } }
    resolver.noteLaterUse(of: Request(key, declared: declared, at: CallSite()))
  }
}

extension Resolver {
  /// Says that what is being made will ask for something later.
  fileprivate func noteLaterUse(of request: Request) {
    guard let tracker = Construction.current?.tracker else { return }
    // What holds the context of a layer must not outlive the layer.
    tracker.contribute(.current)
    let found = answer(
      to: request, from: .current, boundary: OverrideLayer.current?.boundary)
    tracker.contribute(found?.layer)
    tracker.add(
      Provenance(
        of: request.key, answer: found.map { .registration($0.registration) } ?? .nothing,
        level: found?.level ?? 0, resolver: self))
  }
}
