// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The tree of properties while sources are merged.
///
/// Objects are merged deeply. Every other value is replaced, arrays too, and the last source wins.
/// A value that replaces a secret is secret, also inside an array, and so are members that are
/// added to a secret object.
struct PropertyTree {
  enum Content {
    case value(PropertyValue)
    case object([String: PropertyTree])
  }

  var content: Content
  var origin: Origin
  /// The places of the replaced values, the last one first.
  var shadowed: [Origin] = []
  /// True if neither the value nor its members are ever printed.
  private(set) var isSecret: Bool
  /// The positions of secrets in replaced arrays.
  private var secretPatterns: Set<SecretPattern> = []
  /// The keys of the object by their loose spelling, once a source needs them.
  private var spellings: [String: String]?

  init(_ node: Node) {
    origin = node.origin
    isSecret = node.isSecret
    if let members = node.members {
      content = .object(
        Dictionary(members.map { ($0.key, PropertyTree($0.value)) }) { $1 })
    } else {
      content = .value(node.value)
    }
  }

  /// Merges another source's tree into this one.
  ///
  /// - Parameters:
  ///   - node: The winning tree.
  ///   - isLoose: True if the source cannot spell keys as files do, so that `MAX_SIZE` is
  ///     `maxSize`, unless there is a `max_size`.
  /// - Complexity: O(size of `node`). The first source that cannot spell keys adds the number of
  ///   keys in the objects that it changes.
  mutating func merge(_ node: Node, isLoose: Bool = false) {
    guard let members = node.members else {
      replace(with: PropertyTree(node))
      return
    }
    guard case .object(var own) = content else {
      replace(with: PropertyTree(node))
      return
    }
    content = .value(.null)
    if isLoose, spellings == nil { spellings = own.keys.spellings }
    for member in members {
      let isExact = !isLoose || own[member.key]?.isSpelled == true
      let key = isExact ? member.key : spellings?[member.key.loose] ?? member.key
      if own[key] == nil {
        own[key] = PropertyTree(member.value)
        spellings?.add(key)
      } else {
        own[key]?.merge(member.value, isLoose: isLoose)
      }
    }
    content = .object(own)
    if isSecret || node.isSecret { concealAll() }
  }

  /// True if its key is from a file or from code, and so has the spelling that is meant.
  private var isSpelled: Bool { ([origin] + shadowed).contains { !$0.isOfText } }

  private mutating func replace(with winner: PropertyTree) {
    let beaten = [origin] + shadowed
    let wasSecret = isSecret
    var patterns = secretPatterns
    if case .value(let value) = content { patterns.formUnion(value.secretPatterns) }
    self = winner
    shadowed = beaten
    secretPatterns = patterns
    if wasSecret { concealAll() }
    for pattern in patterns { conceal(pattern[...]) }
  }

  /// Makes the values at a path secret, in any spelling of its keys.
  mutating func conceal(_ pattern: ArraySlice<PropertyPath.Step>) {
    guard let first = pattern.first else { return concealAll() }
    guard case .object(var members) = content else {
      if case .value(let value) = content { content = .value(value.concealing(pattern)) }
      return
    }
    content = .value(.null)
    for key in Array(members.keys) where first.namesLoosely(key) {
      members[key]?.conceal(pattern.dropFirst())
    }
    content = .object(members)
  }

  /// Makes every property with a name secret, at any depth and in any spelling.
  mutating func conceal(looselyNamed name: String) {
    guard case .object(var members) = content else {
      if case .value(let value) = content {
        content = .value(value.concealing(looselyNamed: name))
      }
      return
    }
    content = .value(.null)
    for key in Array(members.keys) {
      if key.loose == name {
        members[key]?.concealAll()
      } else {
        members[key]?.conceal(looselyNamed: name)
      }
    }
    content = .object(members)
  }

  private mutating func concealAll() {
    isSecret = true
    switch content {
    case .value(let value): content = .value(value.concealed)
    case .object(var members):
      content = .value(.null)
      for key in members.keys { members[key]?.concealAll() }
      content = .object(members)
    }
  }
}

extension Sequence<String> {
  /// The keys by their loose spelling.
  fileprivate var spellings: [String: String] {
    Dictionary(map { ($0.loose, $0) }) { Swift.min($0, $1) }
  }
}

extension [String: String] {
  /// Adds a key under its loose spelling. The first one in the order of texts wins.
  fileprivate mutating func add(_ key: String) {
    let loose = key.loose
    self[loose] = self[loose].map { Swift.min($0, key) } ?? key
  }
}

extension String {
  /// The key in a form that is the same for `maxSize`, `max-size` and `MAX_SIZE`.
  var loose: String {
    lowercased().filter { $0 != "_" && $0 != "-" }
  }
}
