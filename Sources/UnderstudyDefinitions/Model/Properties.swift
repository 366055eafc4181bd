// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The properties of a program: values by path, merged from sources, with the place of each.
///
/// It is an immutable value. After you install it, each property is a registration, so layers
/// override it and the log counts it.
///
/// ```swift
/// let properties = try Properties(
///   [.file("common.json"), .file("application-dev.json"), .environment(prefix: "APP")],
///   secrets: ["password"])
/// let url = try properties.value("server.url", as: URL.self)
/// ```
public struct Properties: Sendable {
  /// A property, or an object with properties.
  package struct Entry: Equatable, Sendable {
    package let value: PropertyValue
    package let origin: Origin
    /// The places of the replaced values, the last one first.
    package let shadowed: [Origin]
    /// The keys of an object, or `nil` for a property.
    package let children: [String]?
    /// True if the value is never printed, and neither are values that are added to it.
    package let isSecret: Bool

    var isObject: Bool { children != nil }
  }

  /// All values by canonical path. The whole tree has the path `""`.
  package internal(set) var entries: [String: Entry]
  /// Findings that are no errors: an optional file that is missing.
  public let warnings: [Finding]
  /// The sources that are not empty, in the order of merging.
  package let sources: [String]
  /// The names and paths of secrets. They also apply to values that are added after installation.
  let secretRules: Set<SecretRule>

  /// Reads and merges sources. If two have the same property, the last one wins.
  ///
  /// - Parameters:
  ///   - sources: Where the properties come from.
  ///   - secrets: Values that are never printed: a name (`password`), or a path in which `*` stands
  ///     for any one key or element (`databases.*.url`). `apiKey` covers `API_KEY`, too. Later
  ///     values under such a name or path are secrets as well.
  ///   - limits: The limits of the reader.
  /// - Throws: All findings about the sources, at once.
  public init(
    _ sources: [ValueSource], secrets: [String] = [], limits: ReadingLimits = ReadingLimits()
  ) throws(DefinitionError) {
    var tree = PropertyTree(Node(.object([]), at: .nowhere))
    var warnings: [Finding] = []
    var errors: [Finding] = []
    var names: [String] = []
    for source in sources {
      let reading = source.read(limits)
      warnings += reading.warnings
      errors += reading.errors
      for node in reading.nodes {
        tree.merge(node, isLoose: reading.isLoose)
        if names.last != node.origin.source { names.append(node.origin.source) }
      }
    }
    var rules: Set<SecretRule> = []
    for secret in secrets {
      do throws(PropertyPath.Malformed) {
        rules.formUnion(try SecretRule.rules(for: secret))
      } catch {
        errors.append(error.finding(of: secret))
      }
    }
    guard errors.isEmpty else { throw DefinitionError(errors) }
    for rule in rules { tree.conceal(rule) }
    guard tree.hasPaths(within: limits.pathByteCount) else {
      throw DefinitionError(.pathsTooLong(limit: limits.pathByteCount))
    }
    self.init(tree, warnings: warnings, sources: names, secretRules: rules)
  }

  private init(
    _ tree: PropertyTree, warnings: [Finding], sources: [String],
    secretRules: Set<SecretRule> = []
  ) {
    var entries: [String: Entry] = [:]
    _ = tree.flatten(at: PropertyPath([]), into: &entries)
    self.entries = entries
    self.warnings = warnings
    self.sources = sources
    self.secretRules = secretRules
  }

  /// The properties of a single tree.
  package static func merged(_ node: Node) -> Properties {
    Properties(PropertyTree(node), warnings: [], sources: [node.origin.source])
  }

  /// The value at a path, or `nil` if there is none or the path is malformed.
  ///
  /// - Complexity: O(1) expected for a path in its canonical spelling.
  public subscript(path: String) -> PropertyValue? {
    if let entry = entries[path] { return entry.value }
    guard let steps = try? PropertyPath(path).splitAtIndex else { return nil }
    return entries[steps.keys.description]?.value.value(at: steps.rest)
  }

  /// The value at a path as a type, or `nil` if it is missing, malformed or of another type.
  public subscript<Value: PropertyScalar>(path: String, as type: Value.Type) -> Value? {
    self[path].flatMap { Value(propertyValue: $0.revealed) }
  }

  /// The source of the value at a path, and the sources that it replaced:
  /// `server.url from application-dev.json line 4, over common.json`.
  ///
  /// The whole tree has no source, since each source has a part of it.
  public func provenance(of path: String) -> String? {
    guard self[path] != nil, let entry = entry(at: path), entry.origin.ifSomewhere != nil else {
      return nil
    }
    return entry.origin.provenance(of: path, over: entry.shadowed)
  }

  /// The place of the value at a path, or of the nearest array or object around it.
  package func origin(of path: String) -> Origin? { entry(at: path)?.origin.ifSomewhere }

  private func entry(at path: String) -> Entry? {
    if let entry = entries[path] { return entry }
    guard let keys = try? PropertyPath(path).splitAtIndex.keys else { return nil }
    return entries[keys.description]
  }

  /// The path of every property, sorted.
  public var paths: [String] { entries.filter { $0.value.children == nil }.keys.sorted() }
}

extension Properties: CustomStringConvertible, CustomReflectable {
  /// Every property with its value and its source. A secret has only its source.
  public var description: String {
    paths.map { path in
      "\(path) = \(self[path] ?? .null)  (\(entries[path]?.origin.prose ?? ""))"
    }.joined(separator: "\n")
  }

  /// The paths without values, so that `dump` prints no secret.
  public var customMirror: Mirror { Mirror(self, children: ["paths": paths]) }
}

extension PropertyTree {
  /// True if the paths in the tree have at most `limit` bytes together.
  fileprivate func hasPaths(within limit: Int) -> Bool {
    var rest = max(limit, 0)
    return takePaths(below: 0, from: &rest)
  }

  /// Subtracts the bytes of all paths from the rest. Returns false if the rest is used up.
  private func takePaths(below parent: Int, from rest: inout Int) -> Bool {
    guard case .object(let members) = content else { return true }
    return members.allSatisfy { key, member in
      // A canonical spelling may be longer by a dot, or by brackets, quotes and escapes.
      let length = parent + key.utf8.count + 1
      rest -= length
      return rest >= 0 && member.takePaths(below: length, from: &rest)
    }
  }

  /// Adds this value and everything below it by path, and returns the whole value.
  fileprivate func flatten(
    at path: PropertyPath, into entries: inout [String: Properties.Entry]
  ) -> PropertyValue {
    let value: PropertyValue
    var children: [String]?
    switch content {
    case .value(let own): value = own
    case .object(let members):
      children = members.keys.sorted()
      value = .object(
        Dictionary(
          uniqueKeysWithValues: members.map { key, member in
            (key, member.flatten(at: path.appending(key), into: &entries))
          }))
    }
    // The whole tree is never secret as such, since other sources may add to it.
    let isWholeTree = children != nil && path.steps.isEmpty
    entries[path.description] = Properties.Entry(
      value: value, origin: origin, shadowed: shadowed, children: children,
      isSecret: isSecret && !isWholeTree)
    return value
  }
}
