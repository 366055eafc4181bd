// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Declaration {
  /// The identity of a requirement among its overloads. A type has one member for each identity.
  var identity: String { identity(where: [:]) }

  /// The same, with some names replaced.
  func identity(where names: [String: String]) -> String {
    let types = parameters.map { $0.type.replacing(names).text + ($0.isVariadic ? "..." : "") }
    let result = kind == .property ? "" : type?.replacing(names).text ?? ""
    let generic = whereClause.replacing(names).text + generics.map { $0.constraint.text }.joined()
    // A getter can be asynchronous, but it cannot be overloaded by that.
    let isOverload = isAsync && (kind == .function || kind == .initializer)
    return "\(isStatic) \(isOverload) \(title) \(types) \(result) \(generic)"
  }

  /// Makes this declaration fulfil another requirement of the same identity as well, by the
  /// stricter of each property.
  mutating func meet(_ other: Declaration) {
    isSettable = isSettable || other.isSettable
    isAsync = isAsync && other.isAsync
    isFailable = isFailable && other.isFailable
    throwing = throwing.strictest(with: other.throwing)
    for word in other.modifiers where !modifiers.contains(word) { modifiers.append(word) }
    // If the isolations differ, a nonisolated member fulfils both.
    let actors = actors
    guard actors != other.actors, !modifiers.contains(where: { $0.hasPrefix("nonisolated") }) else {
      return
    }
    attributes.removeAll { actors.contains($0.text) }
    modifiers.append("nonisolated")
  }

  /// Whether a call of this member has the same effects as a call of the other one.
  func isLike(_ other: Declaration) -> Bool {
    isSettable == other.isSettable && isAsync == other.isAsync && throwing == other.throwing
      && actors == other.actors && isMutating == other.isMutating
  }

  /// Makes the declaration nonisolated, unless it has an actor.
  mutating func leaveActors() {
    guard actors.isEmpty, !modifiers.contains(where: { $0.hasPrefix("nonisolated") }) else {
      return
    }
    modifiers.append("nonisolated")
  }

  /// Replaces `inout some` with a named generic parameter, so that an answer can have its type.
  mutating func nameOpaque() {
    for index in parameters.indices where parameters[index].type.specifiers.contains("inout") {
      let tokens = parameters[index].type.tokens
      guard let some = tokens.firstIndex(where: { $0.text == "some" }),
        tokens[..<some].allSatisfy({ parameters[index].type.specifiers.contains($0.text) })
      else { continue }
      let name = "Value\(index + 1)"
      let bounds = Array(tokens[(some + 1)...])
      generics.append(Generic(name: name, constraint: bounds))
      parameters[index].type.tokens =
        tokens[..<some] + [Token(name, spaceBefore: tokens[some].spaceBefore)]
    }
  }

  private var isMutating: Bool { modifiers.contains { ["mutating", "consuming"].contains($0) } }

  private var actors: Set<String> {
    let found = attributes.filter { $0.first?.usr != nil || $0.first?.text == "@MainActor" }
    return Set(found.map(\.text))
  }
}

extension Declaration.Throwing {
  fileprivate func strictest(with other: Self) -> Self {
    switch (self, other) {
    case (.any, _): other
    case (_, .any): self
    case (.typed(let type), .typed(let another)): type.text == another.text ? self : .never
    case (.rethrowing, .rethrowing): self
    default: .never
    }
  }
}
