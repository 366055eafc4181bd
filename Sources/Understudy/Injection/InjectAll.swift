// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Injects every registration of a type, in the order of registering, when its owner is made (DE-05).
///
/// ```swift
/// @InjectAll var plugins: [any Plugin]
/// @InjectAll(in: Group.plugins) var some: [any Plugin]
/// @InjectAll(qualifiedBy: Novel.self) var novels: [any Book]
/// ```
///
/// Empty if nothing is registered. A name, qualifier or container leaves only those that have it.
/// A registration that fails ends the process with the whole explanation.
@propertyWrapper
public struct InjectAll<Element> {
  /// What was injected.
  public var wrappedValue: [Element]

  /// Injects every registration of the element's type.
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

  /// Injects every registration of the element's type under a qualifier.
  public init(
    _ qualifier: any Qualifier.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      qualifiedBy: qualifier, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Injects what is registered for some keys, in their order; those that nothing answers are left
  /// out.
  ///
  /// - Parameters:
  ///   - keys: What is injected.
  public init(
    _ keys: [Key<Element>], fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    let resolver = Resolver.current
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    wrappedValue = keys.compactMap { resolver.optionalOrTrap($0, at: callSite) }
  }
}

extension InjectAll: Sendable where Element: Sendable {}
