// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Resolver {
  /// The stored instance of a type, or `nil`. Nothing is created.
  ///
  /// This is no resolution: it is not counted, and no fault strikes it. For an alias it returns the
  /// stored instance of the aliased registration.
  ///
  /// If a running test overrides the key, work that lost its context gets production's stored
  /// instance, and there is an issue of the run. It gets `nil` if a live guard forbids that
  /// instance.
  ///
  /// - Returns: The stored instance that `resolve` would return to the calling task.
  public func existing<Value>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Value? {
    let key = Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container)
    let request = Request(key.erased, at: CallSite(fileID, filePath, line, column))
    return existing(Value.self, for: request)
  }
}
