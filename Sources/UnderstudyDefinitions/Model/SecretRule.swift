// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What is never printed, wherever it comes from and whenever: a name, or a path.
enum SecretRule: Hashable, Sendable {
  /// A name without what tells `maxSize` and `MAX_SIZE` apart, however deep it lies.
  case name(String)
  /// A path from the whole tree.
  case path(SecretPattern)

  /// Reads what is a secret; a star alone is a path, of everything, and a path may be a name in
  /// which dots are dots.
  static func rules(for text: String) throws(PropertyPath.Malformed) -> Set<SecretRule> {
    let steps = try PropertyPath(text).steps
    if steps.count == 1, case .key(let name) = steps[0], name != "*" { return [.name(name.loose)] }
    return steps.count > 1 ? [.path(steps), .name(text.loose)] : [.path(steps)]
  }

  /// True if it names what is at a path, or something around that.
  func names(_ steps: [PropertyPath.Step]) -> Bool {
    switch self {
    case .name(let name):
      steps.contains { if case .key(let key) = $0 { key.loose == name } else { false } }
    case .path(let pattern):
      pattern.count <= steps.count
        && zip(pattern, steps).allSatisfy { step, own in
          if case .key(let key) = own { step.namesLoosely(key) } else { step == own }
        }
    }
  }

  /// The value at a path in which everything is a secret that this names.
  func conceal(_ value: PropertyValue, at steps: [PropertyPath.Step]) -> PropertyValue {
    if names(steps) { return value.concealed }
    switch self {
    case .name(let name): return value.concealing(looselyNamed: name)
    case .path(let pattern):
      guard SecretRule.path(Array(pattern.prefix(steps.count))).names(steps) else { return value }
      return value.concealing(pattern.dropFirst(steps.count))
    }
  }
}

extension PropertyTree {
  /// Hides what a rule names.
  mutating func conceal(_ rule: SecretRule) {
    switch rule {
    case .name(let name): conceal(looselyNamed: name)
    case .path(let pattern): conceal(pattern[...])
    }
  }
}

extension Properties {
  /// These with what the rules of others hide, which they are added to.
  func concealing(_ rules: Set<SecretRule>) -> Properties {
    guard !rules.isEmpty else { return self }
    var copy = self
    copy.entries = Dictionary(
      uniqueKeysWithValues: entries.map { path, entry in
        // The whole tree is not hidden as one: others may add to it.
        guard !path.isEmpty, let steps = try? PropertyPath(path).steps else { return (path, entry) }
        return (path, entry.concealing(rules, at: steps))
      })
    return copy
  }
}

extension Properties.Entry {
  fileprivate func concealing(
    _ rules: Set<SecretRule>, at steps: [PropertyPath.Step]
  ) -> Properties.Entry {
    Properties.Entry(
      value: rules.reduce(value) { $1.conceal($0, at: steps) }, origin: origin, shadowed: shadowed,
      children: children, isSecret: isSecret || rules.contains { $0.names(steps) })
  }
}
