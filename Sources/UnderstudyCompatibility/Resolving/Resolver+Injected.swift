// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension Resolver {
  /// Resolves a type in a place that cannot throw, such as the default of an initialiser's
  /// parameter.
  ///
  /// ```swift
  /// init(mailer: any Mailer = Resolver.injected()) { … }
  /// ```
  ///
  /// It resolves from `Resolver.current`, as `@Inject` does. If nothing is registered, the test has
  /// an issue, and the process ends with the same message. `resolve` throws instead, and
  /// `resolve(T?.self)` is `nil`.
  public static func injected<Value>(
    _ type: Value.Type = Value.self, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Value {
    let key = Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container)
    let callSite = CallSite(fileID, filePath, line, column)
    let injected: Injected<Value> = current.injected(Request(key.erased, at: callSite))
    return injected.valueOrTrap
  }
}
