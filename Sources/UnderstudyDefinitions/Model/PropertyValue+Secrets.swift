// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A path of secrets, in which the key `*` stands for any one key or element.
typealias SecretPattern = [PropertyPath.Step]

extension PropertyPath.Step {
  /// True if this step is a star, or the key in any spelling.
  func namesLoosely(_ key: String) -> Bool {
    guard case .key(let name) = self else { return false }
    return name == "*" || name.loose == key.loose
  }

  fileprivate func names(_ index: Int) -> Bool { self == .index(index) || self == .key("*") }
}

extension PropertyValue {
  /// The value with all matches of a pattern as secrets.
  func concealing(_ pattern: ArraySlice<PropertyPath.Step>) -> PropertyValue {
    guard let first = pattern.first else { return concealed }
    let rest = pattern.dropFirst()
    switch self {
    case .array(let elements):
      return .array(
        elements.enumerated().map { first.names($0) ? $1.concealing(rest) : $1 })
    case .object(var members):
      for (key, member) in members where first.namesLoosely(key) {
        members[key] = member.concealing(rest)
      }
      return .object(members)
    default: return self
    }
  }

  /// The value with every property of a name as a secret, at any depth.
  func concealing(looselyNamed name: String) -> PropertyValue {
    switch self {
    case .array(let elements): return .array(elements.map { $0.concealing(looselyNamed: name) })
    case .object(var members):
      for (key, member) in members {
        members[key] =
          key.loose == name ? member.concealed : member.concealing(looselyNamed: name)
      }
      return .object(members)
    default: return self
    }
  }

  /// The patterns for the same secrets in a value that replaces this one. They contain no index,
  /// since elements may move.
  var secretPatterns: Set<SecretPattern> {
    switch self {
    case .secret: [[]]
    case .array(let elements):
      Set(
        elements.reduce(into: Set<SecretPattern>()) { $0.formUnion($1.secretPatterns) }
          .map { [.key("*")] + $0 })
    case .object(let members):
      members.reduce(into: []) { patterns, member in
        for pattern in member.value.secretPatterns { patterns.insert([.key(member.key)] + pattern) }
      }
    default: []
    }
  }
}
