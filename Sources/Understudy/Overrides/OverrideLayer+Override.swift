// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
  /// Overrides a declared dependency. The double is created as often as production would create its
  /// value: once, if the dependency is declared `.cached`.
  ///
  /// - Parameters:
  ///   - dependency: The overridden dependency: `\.mailer`.
  ///   - block: Creates the double.
  /// - Returns: The key of the dependency.
  @discardableResult
  public func override<Value>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ block: @escaping @Sendable () throws -> Value
  ) -> Key<Value> {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
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
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let key = Dependency.identified(dependency, at: callSite).key
    var traits = RegistrationTraits(key: key.erased, at: callSite)
    traits.lifecycle = lifecycle
    add(Registration(traits, sharing: SendableType(), .plain(block)))
    return key
  }

  /// Overrides a declared dependency with one double. It is created at the first request, and
  /// stored until the layer ends.
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
}

extension ResolutionLog {
  /// How often a declared dependency was resolved.
  public func count<Value>(of dependency: (Dependencies.Type) -> Dependency<Value>) -> Int {
    counts(of: dependency(Dependencies.self).key).resolved
  }
}
