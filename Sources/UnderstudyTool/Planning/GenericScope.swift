// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The generic parameters of one requirement, and the stored types of their values.
struct GenericScope {
  private let names: Set<String>
  private let noncopyable: Set<String>
  private let nonescapable: Set<String>
  private let constraints: [String: [[Token]]]

  init(_ declaration: Declaration) {
    names = Set(declaration.generics.map(\.name))
    var constraints: [String: [[Token]]] = [:]
    for generic in declaration.generics where !generic.constraint.isEmpty {
      constraints[generic.name, default: []].append(generic.constraint)
    }
    for clause in declaration.whereClause[...].split(at: ",") {
      guard let colon = clause.first([":"]), clause.count > 2 else { continue }
      let subject = clause[..<colon]
      guard subject.count == 1, let name = subject.first?.text, names.contains(name) else {
        continue
      }
      constraints[name, default: []].append(Array(clause[(colon + 1)...]))
    }
    self.constraints = constraints
    noncopyable = Set(
      constraints.filter { $0.value.joined().contains { $0.text == "~" } }.map(\.key))
    nonescapable = Set(
      constraints.filter { $0.value.joined().contains { $0.text == "Escapable" } }.map(\.key))
  }

  /// Whether a type mentions a generic parameter, named or not.
  func isMentioned(in type: TypeText) -> Bool {
    for (index, token) in type.tokens.enumerated() {
      if index > 0, type.tokens[index - 1].text == "." { continue }
      if token.text == "some" || names.contains(token.text) { return true }
    }
    return false
  }

  /// Whether a parameter is a pack, and not one value whose type contains a pack.
  func isPack(_ type: TypeText) -> Bool { type.stored.tokens.first?.text == "repeat" }

  /// Whether a type mentions a generic parameter whose values cannot be copied or cannot escape.
  func isNoncopyable(_ type: TypeText) -> Bool {
    type.has("~") || type.tokens.contains { noncopyable.contains($0.text) }
  }

  /// Whether a type mentions a generic parameter whose values cannot escape.
  func isNonescapable(_ type: TypeText) -> Bool {
    type.has("Escapable") || type.tokens.contains { nonescapable.contains($0.text) }
  }

  /// Whether a type is the metatype of a generic parameter, and nothing else.
  func isMetatype(_ type: TypeText) -> Bool {
    let tokens = type.stored.tokens
    return tokens.count == 3 && names.contains(tokens[0].text) && tokens[2].text == "Type"
  }

  /// The stored type of a generic value: an existential if possible, else `Any`.
  func erased(_ type: TypeText, _ facts: TypeFacts) -> TypeText {
    let tokens = type.stored.tokens
    if isMetatype(type) { return TypeText(parsing: "Any.Type") }
    if tokens.first?.text == "some" {
      // `any` is not allowed for a class.
      if tokens.count == 2, tokens[1].usr?.hasSuffix("C") == true || tokens[1].isForeignClass {
        return TypeText(Array(tokens.dropFirst()))
      }
      return TypeText([Token("any")] + tokens.dropFirst())
    }
    guard tokens.count == 1, let bounds = constraints[tokens[0].text], !bounds.isEmpty else {
      return TypeText(parsing: "Any")
    }
    let parts = bounds.flatMap { $0[...].split(at: "&").map { Array($0) } }
    if parts.count == 1, let usr = parts[0].first?.usr,
      facts.index.symbols[usr]?.isClass == true
    {
      return TypeText(parts[0])
    }
    guard
      parts.allSatisfy({ $0.count == 1 && ($0[0].text == "AnyObject" || facts.isProtocol($0[0])) })
    else { return TypeText(parsing: "Any") }
    var composed = [Token("any")]
    for (index, part) in parts.enumerated() {
      if index > 0 { composed.append(Token("&", spaceBefore: true)) }
      composed.append(Token(part[0].text, usr: part[0].usr, spaceBefore: true))
    }
    return TypeText(composed)
  }
}

extension Token {
  /// Whether it is an Objective-C class.
  fileprivate var isForeignClass: Bool { usr?.hasPrefix("c:objc(cs)") == true }
}
