// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A name or a path whose values are never printed, wherever they come from.
enum SecretRule: Hashable, Sendable {
  /// A name in its loose spelling, at any depth.
  case name(String)
  /// A path from the whole tree.
  case path(SecretPattern)

  /// Parses a rule. A lone star is a path that covers everything. A path with dots may also be the
  /// name of a key with dots.
  static func rules(for text: String) throws(PropertyPath.Malformed) -> Set<SecretRule> {
    let steps = try PropertyPath(text).steps
    if steps.count == 1, case .key(let name) = steps[0], name != "*" { return [.name(name.loose)] }
    return steps.count > 1 ? [.path(steps), .name(text.loose)] : [.path(steps)]
  }

  /// True if the rule covers a path, or an object around it.
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

  /// The value at a path, with everything that the rule covers as secrets.
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
  /// Makes the values that a rule covers secret.
  mutating func conceal(_ rule: SecretRule) {
    switch rule {
    case .name(let name): conceal(looselyNamed: name)
    case .path(let pattern): conceal(pattern[...])
    }
  }
}

extension Properties {
  /// These properties with the rules of others applied to them.
  func concealing(_ rules: Set<SecretRule>) -> Properties {
    guard !rules.isEmpty else { return self }
    var copy = self
    copy.entries = Dictionary(
      uniqueKeysWithValues: entries.map { path, entry in
        // The whole tree is never secret as such, since others may add to it.
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
