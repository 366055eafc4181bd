// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Injects a dependency when its owner is made.
///
/// ```swift
/// final class Checkout {
///   @Inject(\.mailer) var mailer
///   @Inject var store: any Store
///   @Inject(named: Name.real) var named: any Mailer
/// }
/// ```
///
/// Asks `Resolver.current` under the layers that the calling task sees. A dependency that nothing
/// answers ends the process with the whole explanation, since an initialiser of a property cannot
/// throw; a declared one cannot be missing.
@propertyWrapper
@frozen
public struct Inject<Value> {
  /// What was injected.
  public var wrappedValue: Value

  /// Injects a declared dependency.
  ///
  /// - Parameters:
  ///   - dependency: What is injected: `\.mailer`.
  @inlinable
  public init(
    _ dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    wrappedValue = Resolver.current.resolve(
      dependency, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Injects what is registered for the property's type.
  public init(
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    wrappedValue = Resolver.current.resolvedOrTrap(
      Key(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container),
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension Inject: Sendable where Value: Sendable {}

extension Resolver {
  /// Resolves for a caller whose form cannot throw.
  func resolvedOrTrap<Value>(_ key: Key<Value>, at callSite: CallSite) -> Value {
    let request = Request(key.erased, at: callSite)
    do throws(ResolutionError) {
      return try value(for: request)
    } catch {
      guard error.isEscape else { error.trap() }
      return productionValue(for: request, insteadOf: error)
    }
  }
}
