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
  /// `{ @MainActor in … }`. Without a `lifecycle`, it has the lifecycle of the declaration.
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
    with double: @autoclosure @escaping @Sendable () throws -> Value,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Key<Value> {
    override(
      dependency, lifecycle: .cached, fileID: fileID, filePath: filePath, line: line,
      column: column, double)
  }

  /// Overrides a type that the test does not expect to be used. Using it is a violation.
  ///
  /// A request that can throw throws `ResolutionError`. A wrapper keeps it until the value is read.
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
  /// Since `resolve(\.x)` cannot throw, its use is an issue of the test and ends the process.
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
}
