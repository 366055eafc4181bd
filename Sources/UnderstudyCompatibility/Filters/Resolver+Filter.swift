// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// The registrations, as a resolution at the same place would see them: under the same layers, and
/// without one-time registrations that were used above a boundary. Work that lost its context sees
/// production's registrations. If a running test overrides one of them, this is an issue of the
/// run.
extension Resolver {
  /// The registered keys of a type, in the order of registration. A criterion that you leave out
  /// matches every key. Nothing is created.
  public func filter<Value>(
    _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> [Key<Value>] {
    keys(type, name, .of(container), at: CallSite(fileID, filePath, line, column))
      .map { Key(erased: $0) }
  }

  /// The keys of a type whose metadata is of the predicate's type and satisfies it.
  public func filter<Value, Metadata>(
    _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    where isIncluded: (Metadata) -> Bool
  ) -> [Key<Value>] {
    keys(
      type, name, .of(container), at: CallSite(fileID, filePath, line, column), where: isIncluded
    ).map { Key(erased: $0) }
  }

  /// The keys of a type whose metadata is of this type and equals this.
  public func filter<Value, Metadata: Equatable>(
    _ type: Value.Type, named name: (any Hashable & Sendable)? = nil,
    in container: (any Hashable & Sendable)? = nil, metadata: Metadata,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> [Key<Value>] {
    keys(
      type, name, .of(container),
      at: CallSite(fileID, filePath, line, column),
      where: { $0 == metadata }
    ).map { Key(erased: $0) }
  }

  /// The registered keys, in the order of registration. A criterion that you leave out matches
  /// every key. Nothing is created.
  public func filter(
    named name: (any Hashable & Sendable)? = nil, in container: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> [AnyKey] {
    keys(nil, name, .of(container), at: CallSite(fileID, filePath, line, column))
  }

  /// The keys whose metadata is of the predicate's type and satisfies it.
  public func filter<Metadata>(
    named name: (any Hashable & Sendable)? = nil, in container: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column, where isIncluded: (Metadata) -> Bool
  ) -> [AnyKey] {
    keys(nil, name, .of(container), at: CallSite(fileID, filePath, line, column), where: isIncluded)
  }

  /// The keys whose metadata is of this type and equals this.
  public func filter<Metadata: Equatable>(
    named name: (any Hashable & Sendable)? = nil, in container: (any Hashable & Sendable)? = nil,
    metadata: Metadata, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) -> [AnyKey] {
    keys(
      nil, name, .of(container),
      at: CallSite(fileID, filePath, line, column),
      where: { $0 == metadata })
  }

  /// The keys of a sequence that have a registration, in their order, each once.
  public func filter(
    _ keys: some Sequence<AnyKey>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) -> [AnyKey] {
    let callSite = CallSite(fileID, filePath, line, column)
    var seen: Set<AnyKey> = []
    return keys.filter { seen.insert($0).inserted && !answers(to: $0, at: callSite).isEmpty }
  }

  /// The keys of a sequence that have a registration, in their order, each once.
  public func filter<Value>(
    _ keys: some Sequence<Key<Value>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) -> [Key<Value>] {
    let callSite = CallSite(fileID, filePath, line, column)
    var seen: Set<Key<Value>> = []
    return keys.filter { seen.insert($0).inserted && !answers(to: $0.erased, at: callSite).isEmpty }
  }

  /// The metadata of a key's registration, or `nil` if it has another type or nothing is
  /// registered. Nothing is created.
  public func metadata<Value, Metadata>(
    of key: Key<Value>, as type: Metadata.Type = Metadata.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Metadata? {
    metadata(
      of: key.erased, as: type, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The metadata of a key's registration, or `nil` if it has another type or nothing is
  /// registered. Nothing is created.
  public func metadata<Metadata>(
    of key: AnyKey, as type: Metadata.Type = Metadata.self, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Metadata? {
    // An override without metadata has the metadata of the overridden registration.
    let answers = answers(to: key, at: CallSite(fileID, filePath, line, column))
    let answer = answers.first { !$0.isOfLayer || !($0.registration.metadata is Void) }
    return (answer ?? answers.last)?.registration.metadata as? Metadata
  }
}
