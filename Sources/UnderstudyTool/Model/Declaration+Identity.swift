// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Declaration {
  /// The identity of a requirement among its overloads. A type has one member for each identity,
  /// whatever the names of generic parameters and of aliases are.
  ///
  /// `types` replace some associated types.
  func identity(_ index: GraphIndex, where types: [String: TypeText] = [:]) -> String {
    var named = self
    for index in parameters.indices { named.nameOpaque(at: index) }
    let names = Dictionary(
      named.generics.enumerated().map { ($1.name, "#\($0)") },
      uniquingKeysWith: { first, _ in first })
    let expander = AliasExpander(index: index, isOfAll: true)
    func text(_ tokens: some Sequence<Token>) -> String {
      expander.expanded(Array(tokens).replacing(types: types)).replacing(names)
        .map(\.text).joined(separator: " ")
    }
    let parameters = named.parameters.map { text($0.type.tokens) + ($0.isVariadic ? "..." : "") }
    let result = kind == .property ? "" : type.map { text($0.tokens) } ?? ""
    let bounds = named.generics.filter { !$0.constraint.isEmpty }
      .map { text([Token($0.name), Token(":")] + $0.constraint) }
    let clauses = whereClause[...].split(at: ",").map { text($0) }
    // A getter can be asynchronous, but it cannot be overloaded by that.
    let isOverload = isAsync && (kind == .function || kind == .initializer)
    let fixity = modifiers.filter { $0 == "prefix" || $0 == "postfix" }
    return
      "\(isStatic) \(isOverload) \(fixity) \(title) \(parameters) \(result) \((bounds + clauses).sorted())"
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
    guard actors != other.actors, !isNonisolated else { return }
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
    if actors.isEmpty, !isNonisolated { modifiers.append("nonisolated") }
  }

  /// Replaces `inout some` with a named generic parameter, so that an answer can have its type.
  mutating func nameOpaque() {
    for index in parameters.indices where parameters[index].type.specifiers.contains("inout") {
      nameOpaque(at: index)
    }
  }

  /// Replaces the opaque type of a parameter with a named generic parameter.
  private mutating func nameOpaque(at index: Int) {
    let tokens = parameters[index].type.tokens
    guard let some = tokens.firstIndex(where: { $0.text == "some" }),
      tokens[..<some].allSatisfy({ parameters[index].type.specifiers.contains($0.text) })
    else { return }
    let name = "Value\(index + 1)"
    let bounds = Array(tokens[(some + 1)...])
    generics.append(Generic(name: name, constraint: bounds))
    parameters[index].type.tokens =
      tokens[..<some] + [Token(name, spaceBefore: tokens[some].spaceBefore)]
  }

  private var isMutating: Bool { modifiers.contains { ["mutating", "consuming"].contains($0) } }

  /// The global actors that it names.
  var actors: Set<String> {
    Set(attributes.filter { $0.first?.isActor == true }.map(\.text))
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
