// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension OverrideLayer {
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
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Overrides a declared dependency that the test does not expect to be used.
  ///
  /// `resolve(\.x)` cannot throw. The test has an issue, and the process ends.
  @discardableResult
  public func unimplemented<Value>(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Key<Value> {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return unimplemented(Dependency.identified(dependency, at: callSite).key, at: callSite)
  }

  private func unimplemented<Value>(_ key: Key<Value>, at callSite: CallSite) -> Key<Value> {
    var traits = RegistrationTraits(key: key.erased, at: callSite)
    traits.isUnimplemented = true
    add(Registration<Value>(traits, sharing: nil, .plain { throw NotCallable.unimplemented }))
    return key
  }
}
