// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The words of a type, for the name of a spy: `ArrayOfInt` for `[Int]`.
struct TypeWords {
  private let declaration: Declaration
  /// Whether the attributes of functions have words, `MainActorVoidToVoid`.
  private let hasAttributes: Bool

  static func words(
    of parameter: Declaration.Parameter, in declaration: Declaration, attributes: Bool = false
  ) -> String {
    (parameter.isVariadic ? "Variadic" : "")
      + (parameter.type.specifiers.contains("inout") ? "Inout" : "")
      + words(of: parameter.type, in: declaration, attributes: attributes)
  }

  static func words(
    of type: TypeText, in declaration: Declaration, attributes: Bool = false
  ) -> String {
    TypeWords(declaration: declaration, hasAttributes: attributes)
      .words(type.stored.withoutSelf.tokens[...])
  }

  private func words(_ tokens: ArraySlice<Token>) -> String {
    var words: [String] = []
    // The first word of the type that a `?` makes optional.
    var start = 0
    var position = tokens.startIndex
    while position < tokens.endIndex {
      let text = tokens[position].text
      switch text {
      case "?", "!": words.insert("Optional", at: start)
      case "[", "(":
        start = words.count
        let inner = tokens.inside(from: position)
        let end = tokens.closing(from: position)
        position = end
        if text == "[" {
          words.append(list(inner))
        } else if let arrow = arrow(in: tokens[end...]) {
          let effects = tokens[end..<arrow].filter { ["async", "throws"].contains($0.text) }
          let parameters = inner.isEmpty ? "Void" : inner.split(at: ",").map(self.words).joined()
          words.append(parameters + effects.map(\.text.capitalisedWord).joined() + "To")
          position = arrow
        } else {
          words.append(tuple(inner))
        }
      case "<":
        // An optional type includes its arguments.
        words.append(self.words(tokens.inside(from: position)))
        position = tokens.closing(from: position)
      default:
        if position == tokens.startIndex || tokens[position - 1].text != ".", text != "." {
          start = words.count
        }
        words += named(text)
      }
      position += 1
    }
    return words.joined()
  }

  private func list(_ inner: ArraySlice<Token>) -> String {
    let parts = inner.split(at: ":").map(words)
    return parts.count == 2 ? "DictionaryOf\(parts[0])To\(parts[1])" : "ArrayOf\(words(inner))"
  }

  private func tuple(_ inner: ArraySlice<Token>) -> String {
    if inner.isEmpty { return "Void" }
    let parts = inner.split(at: ",")
    return (parts.count > 1 ? "TupleOf" : "") + parts.map(words).joined()
  }

  /// The position of the `->` of a function type whose parameters end in front.
  private func arrow(in tokens: ArraySlice<Token>) -> Int? {
    var position = tokens.startIndex + 1
    while position < tokens.endIndex {
      switch tokens[position].text {
      case "->": return position
      case "async", "throws": position += 1
      case "(" where tokens[position - 1].text == "throws":
        position = tokens.closing(from: position) + 1
      default: return nil
      }
    }
    return nil
  }

  /// The words of a name. A generic parameter has the words of its constraint.
  private func named(_ text: String) -> [String] {
    text.split { $0 == "." || $0 == "`" }.map(String.init)
      .map { hasAttributes ? String($0.trimmingPrefix("@")) : $0 }
      .filter { $0.first?.isLetter == true && $0 != "nonisolated" }
      .filter { hasAttributes || $0 != "nonsending" }
      .map { (constraint(of: $0) ?? $0).capitalisedWord }
  }

  private func constraint(of name: String) -> String? {
    guard let generic = declaration.generics.first(where: { $0.name == name }) else { return nil }
    let clauses = declaration.whereClause[...].split(at: ",")
    let clause = clauses.first { $0.first?.text == name && $0.dropFirst().first?.text == ":" }
    return generic.constraint.first?.text ?? clause?.dropFirst(2).first?.text
  }
}
