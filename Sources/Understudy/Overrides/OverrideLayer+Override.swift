// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// Overrides a declared dependency. The double is created as often as production would create its
  /// value: once, if the dependency is declared `.cached`.
  @discardableResult
  public func override<Value>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable () throws -> Value
  ) -> Key<Value> {
    let callSite = CallSite(fileID, filePath, line, column)
    let dependency = Dependency.identified(dependency, at: callSite)
    add(dependency.replacement(block, at: callSite))
    return dependency.key
  }

  /// Overrides a declared dependency with a double that is created as often as `lifecycle` says.
  @discardableResult
  public func override<Value: Sendable>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, lifecycle: Lifecycle,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column, _ block: @escaping @Sendable () throws -> Value
  ) -> Key<Value> {
    let callSite = CallSite(fileID, filePath, line, column)
    let key = Dependency.identified(dependency, at: callSite).key
    var traits = RegistrationTraits(key: key.erased, at: callSite)
    traits.lifecycle = lifecycle
    add(Registration(traits, sharing: SendableType(), .plain(block)))
    return key
  }

  /// Overrides a declared dependency with a double that is created on the main actor:
  /// `{ @MainActor in … }`. It is created as often as `lifecycle` says, or else the declaration.
  @discardableResult
  public func override<Value: Sendable>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, lifecycle: Lifecycle? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column, _ block: @escaping @MainActor @Sendable () throws -> Value
  ) -> Key<Value> {
    let callSite = CallSite(fileID, filePath, line, column)
    let dependency = Dependency.identified(dependency, at: callSite)
    var traits = RegistrationTraits(key: dependency.key.erased, at: callSite)
    traits.lifecycle = lifecycle ?? dependency.registration.lifecycle
    add(Registration(traits, sharing: SendableType(), .onMainActor(block)))
    return dependency.key
  }

  /// Overrides a declared dependency with one double. It is created at the first request, and
  /// stored until the layer ends. A property of a test class must be captured:
  /// `override(\.clock) { [clock] in clock }`.
  ///
  /// ```swift
  /// try withOverrides { $0.override(\.clock, with: ManualClock()) } operation: { … }
  /// ```
  @discardableResult
  public func override<Value: Sendable>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>,
    with double: @autoclosure @escaping @Sendable () -> Value, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Key<Value> {
    override(
      dependency, lifecycle: .cached, fileID: fileID, filePath: filePath, line: line,
      column: column, double)
  }

  /// Overrides a type that the test does not expect to be used. Using it is a violation.
  ///
  /// A form that can throw throws. A wrapper keeps the error until it is read.
  @discardableResult
  public func unimplemented<Value>(
    _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Key<Value> {
    unimplemented(
      Key(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      at: CallSite(fileID, filePath, line, column))
  }

  /// Overrides a declared dependency that the test does not expect to be used.
  ///
  /// `resolve(\.x)` cannot throw. The test has an issue, and the process ends.
  @discardableResult
  public func unimplemented<Value>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Key<Value> {
    let callSite = CallSite(fileID, filePath, line, column)
    return unimplemented(Dependency.identified(dependency, at: callSite).key, at: callSite)
  }

  private func unimplemented<Value>(_ key: Key<Value>, at callSite: CallSite) -> Key<Value> {
    var traits = RegistrationTraits(key: key.erased, at: callSite)
    traits.isUnimplemented = true
    add(Registration<Value>(traits, sharing: nil, .plain { throw NotCallable.unimplemented }))
    return key
  }

  /// The innermost layer that the calling task sees, to override more in the middle of a test.
  ///
  /// ```swift
  /// OverrideLayer.required.register { MemoryStore() as any Store }
  /// ```
  ///
  /// If there is no layer, the test has an issue, and nothing is overridden.
  public static var required: OverrideLayer {
    if let current { return current }
    var traits = LayerTraits(of: .current, named: "required", on: nil, at: .unknown)
    traits.absence = MissingLayer()
    let layer = OverrideLayer(traits)
    _ = layer.end()
    return layer
  }
}

/// Says once that a layer was required where there is none: at the override, or else when the layer
/// is released.
final class MissingLayer: Sendable {
  private let isReported = Lock(false)

  func report(_ override: AnyRegistration?) {
    if isReported.withLock({ exchange(&$0, with: true) }) { return }
    TestHosts.report(
      Violation(
        Message(
          override.map {
            "\($0.key) was registered on 'OverrideLayer.required', and no layer is live here."
          } ?? "'OverrideLayer.required' was used, and no layer is live here.",
          facts: override.map { [Message.Fact("Registered", "\($0.callSite)")] } ?? [],
          remedies: [
            "Give the test a layer:  \(MessagePlace.current.layer())",
            "Carry the context:  let context = OverrideContext.current … context.run { }",
          ]),
        at: override?.callSite ?? .unknown))
  }

  deinit { report(nil) }
}

extension Dependency {
  /// The dependency that a key path names, for a caller that overrides, counts or shares it. A
  /// computed static that calls a declaring function has no identity: that is an issue of the test,
  /// and without tests it ends the process.
  package static func identified(
    _ path: (Dependencies.Type) -> Dependency, at callSite: CallSite
  ) -> Dependency {
    var dependency = path(Dependencies.self)
    checkIdentity(of: &dependency, at: callSite)
    return dependency
  }

  /// Checks a dependency for a caller that resolves it. Only a shared instance needs an identity.
  package static func checkSharing(of dependency: inout Dependency, at callSite: CallSite) {
    guard dependency.registration.lifecycle == .cached else { return }
    checkIdentity(of: &dependency, at: callSite)
  }

  /// Checks a dependency to which only the caller and possibly a stored static refer.
  package static func checkIdentity(of dependency: inout Dependency, at callSite: CallSite) {
    guard let declaration = dependency.registration.key.declaration,
      let function = declaration.function, isKnownUniquelyReferenced(&dependency)
    else { return }
    let type = TypeDescription.of(Value.self)
    let violation = Violation(
      Message(
        "'\(function)' declares '\(type)' anew at each access, so two dependencies of it are not told apart.",
        facts: [
          Message.Fact("Declared", "\(declaration.callSite)"), Message.Fact("Used", "\(callSite)"),
        ],
        remedies: [
          "Store it:  static let … = \(function)",
          "Declare it in its static:  static var …: Dependency<\(type)> { Dependency { … } }",
        ]),
      at: callSite)
    // The caller cannot throw, and there is no test to report on.
    guard TestHosts.areAny else { fatalError("\n\(violation)") }
    TestHosts.report(violation)
  }
}

extension Request {
  /// The request of a wrapper for a declared dependency.
  package init<Value>(_ path: (Dependencies.Type) -> Dependency<Value>, at callSite: CallSite) {
    var dependency = path(Dependencies.self)
    Dependency.checkSharing(of: &dependency, at: callSite)
    self.init(
      dependency.erasedKey, declared: dependency.registration, at: callSite, keepsErrors: true)
  }
}
