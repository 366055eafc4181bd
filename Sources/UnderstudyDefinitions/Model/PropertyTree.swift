// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The tree of properties while sources are merged into it.
///
/// Objects are merged deeply. Everything else, arrays too, is replaced: the last source wins (DE-31).
struct PropertyTree {
  enum Content {
    case value(PropertyValue)
    case object([String: PropertyTree])
  }

  var content: Content
  var origin: Origin
  /// Where the values stand that this one won over, the last first.
  var shadowed: [Origin] = []

  init(_ node: Node) {
    origin = node.origin
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
  ///   - node: What wins.
  ///   - isLoose: True if the source cannot spell keys as files do, so that `MAX_SIZE` is `maxSize`.
  /// - Complexity: O(size of `node`).
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
    let spellings = isLoose ? own.keys.spellings : [:]
    for member in members {
      let key = isLoose ? spellings[member.key.loose] ?? member.key : member.key
      if own[key] == nil {
        own[key] = PropertyTree(member.value)
      } else {
        own[key]?.merge(member.value, isLoose: isLoose)
      }
    }
    content = .object(own)
  }

  private mutating func replace(with winner: PropertyTree) {
    let beaten = [origin] + shadowed
    self = winner
    shadowed = beaten
  }

  /// Hides what a path names from everything that prints.
  mutating func conceal(_ pattern: ArraySlice<String>) {
    guard let first = pattern.first else { return concealAll() }
    guard case .object(var members) = content else { return }
    content = .value(.null)
    for key in first == "*" ? Array(members.keys) : [first] {
      members[key]?.conceal(pattern.dropFirst())
    }
    content = .object(members)
  }

  /// Hides every property of a name, however deep it lies.
  mutating func conceal(named name: String) {
    guard case .object(var members) = content else { return }
    content = .value(.null)
    for key in members.keys {
      if key == name { members[key]?.concealAll() } else { members[key]?.conceal(named: name) }
    }
    content = .object(members)
  }

  private mutating func concealAll() {
    switch content {
    case .value(.secret): break
    case .value(let value): content = .value(.secret(value))
    case .object(var members):
      content = .value(.null)
      for key in members.keys { members[key]?.concealAll() }
      content = .object(members)
    }
  }
}

extension Sequence<String> {
  /// The keys by what a source that spells loosely may call them.
  fileprivate var spellings: [String: String] {
    Dictionary(map { ($0.loose, $0) }) { Swift.min($0, $1) }
  }
}

extension String {
  /// The key without what tells `maxSize`, `max-size` and `MAX_SIZE` apart.
  fileprivate var loose: String {
    lowercased().filter { $0 != "_" && $0 != "-" }
  }
}
