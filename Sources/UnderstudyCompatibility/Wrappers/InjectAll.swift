// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// Injects the values of all registrations of a type, in the order of registration, when its owner
/// is created.
///
/// ```swift
/// @InjectAll var plugins: [any Plugin]
/// @InjectAll(in: Group.plugins) var some: [any Plugin]
/// @InjectAll(qualifiedBy: Novel.self) var novels: [any Book]
/// ```
///
/// The array is empty if nothing is registered. A name, a qualifier or a container restricts it to
/// the registrations that have it. If a registration fails, the wrapper keeps the error, as
/// `@Inject` does. `try $plugins.get()` throws it.
@propertyWrapper
public struct InjectAll<Element> {
  private var inject: Inject<[Element]>

  /// The injected values.
  ///
  /// - Precondition: No registration failed. Otherwise the test has an issue, and the process ends.
  public var wrappedValue: [Element] {
    get { inject.wrappedValue }
    set { inject.wrappedValue = newValue }
  }

  /// The wrapper itself, to read the values without a trap.
  public var projectedValue: InjectAll { self }

  /// The injected values.
  ///
  /// - Throws: `ResolutionError`, if a registration failed when the owner was created.
  public func get() throws(ResolutionError) -> [Element] { try inject.get() }

  /// True if no registration failed, also if there is none.
  public var isAvailable: Bool { inject.isAvailable }

  /// Injects the values of all registrations of the element's type.
  public init(
    named name: (any Hashable & Sendable)? = nil, scopedTo scope: (any Scope.Type)? = nil,
    qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    inject = Inject(
      named: name, scopedTo: scope, qualifiedBy: qualifier, in: container, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Injects the values of all registrations of the element's type under a qualifier.
  public init(
    _ qualifier: any Qualifier.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(
      qualifiedBy: qualifier, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Injects the values of some keys, in the order of the keys. A key without a registration is
  /// left out.
  ///
  /// - Parameters:
  ///   - keys: The injected keys.
  public init(
    _ keys: [Key<Element>], fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    let callSite = CallSite(fileID, filePath, line, column)
    let resolver = Resolver.current
    inject = Inject(
      resolver.kept { () throws(ResolutionError) -> [Element] in
        try resolver.values(
          of: keys.map { Request($0.erased, at: callSite, keepsErrors: true) })
      })
  }
}

extension InjectAll: RecordsLayer {
  package var recordedLayer: OverrideLayer? { inject.recordedLayer }
}

extension InjectAll: Sendable where Element: Sendable {}
