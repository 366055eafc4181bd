// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The type of a component or of a dependency.
struct WiredType: Hashable {
  /// The type as the wiring writes it, `any Mailer`.
  var text: String
  /// Distinguishes the type from others, whatever its spelling.
  var identity: String
  /// The unique identifiers of its parts. `any A & B` has two.
  var usrs: [String]
  var isExistential: Bool
  /// Its tokens, if it is more than a name.
  var tokens: [Token] = []

  /// Creates a type from tokens.
  init(_ tokens: [Token], _ index: GraphIndex) {
    if tokens.count > 1 { self.tokens = tokens }
    var parts: [String] = []
    var spelled: [Token] = []
    usrs = []
    for (position, token) in tokens.enumerated() {
      if token.text == "any" || token.text == "(" || token.text == ")" {
        // Whitespace and dots do not affect the identity.
      } else if token.text == "." {
        parts.removeLast(parts.isEmpty ? 0 : 1)
        if token.usr == nil, position > 0, tokens[position - 1].usr != nil { usrs.removeLast() }
      } else {
        parts.append(token.usr ?? token.text)
      }
      if let usr = token.usr { usrs.append(usr) }
      spelled.append(
        Self.spelled(token, isFirst: position == 0 || tokens[position - 1].text != ".", index))
    }
    identity = parts.joined(separator: " ")
    // What is no type is a name that no type has.
    text = spelled.isType ? spelled.text : "`\(spelled.text.escaped.withoutBackticks)`"
    let isProtocol =
      usrs.count == 1 && !tokens.contains { ["?", "[", "<"].contains($0.text) }
      && index.symbols[usrs[0]]?.isProtocol == true
    isExistential = tokens.first?.text == "any" || isProtocol
    if isExistential, tokens.first?.text != "any" { text = "any " + text }
  }

  /// The type of a symbol.
  init(usr: String, _ index: GraphIndex) {
    identity = usr
    usrs = [usr]
    isExistential = index.symbols[usr]?.isProtocol == true
    let name = (index.symbols[usr]?.pathComponents ?? [usr]).map(\.escapedType)
      .joined(separator: ".")
    text = isExistential ? "any \(name)" : name
  }

  /// A type of a module that is known only from its results.
  init(text: String, usr: String) {
    self.text = text
    identity = usr
    usrs = [usr]
    isExistential = text.hasPrefix("any ")
  }

  /// The types of which this is a generic instance, such as `Box` for `Box<Book>`. Empty for an
  /// array, an optional, a tuple or a function.
  var heads: [String] {
    if isExistential { return usrs }
    let isName = !tokens.contains {
      ["[", "(", "?", "!", "->"].contains($0.text) || $0.text.hasPrefix("@")
    }
    if isName, tokens.isEmpty { return usrs }
    let head = tokens.prefix { $0.text != "<" }
    let end = tokens.last?.text
    guard
      isName || !head.isEmpty && end == ">" && head.allSatisfy({ $0.usr != nil || $0.text == "." })
    else { return [] }
    return head.last?.usr.map { [$0] } ?? []
  }

  /// The generic arguments, such as `Book` for `Box<Book>`. An argument is `nil` if it is more than
  /// a name.
  var arguments: [String?] {
    guard !isExistential, let start = tokens.firstIndex(where: { $0.text == "<" }),
      tokens[...].closing(from: start) == tokens.count - 1
    else { return [] }
    return tokens[...].inside(from: start).split(at: ",").map {
      $0.count == 1 ? $0.first?.usr : nil
    }
  }

  /// The type as an expression, `(any Mailer).self`.
  var metatype: String { isExistential ? "(\(text)).self" : "\(text).self" }

  /// The type of a parameter that is passed on.
  var parameter: String { TypeText(parsing: text).function == nil ? text : "@escaping \(text)" }

  /// The name of the type in messages.
  var title: String { isExistential ? String(text.trimmingPrefix("any ")) : text }

  /// A name with its outer types, since it is written in another place. It has its module if
  /// another type has that name.
  private static func spelled(_ token: Token, isFirst: Bool, _ index: GraphIndex) -> Token {
    guard isFirst, let usr = token.usr else { return token }
    var token = token
    let path = index.symbols[usr]?.pathComponents.map(\.escapedType) ?? [token.text]
    token.text = path.joined(separator: ".")
    guard let module = index.modules[usr] ?? ModuleName.naming(usr), index.outermost[module] == nil,
      index.outermost[path[0]]?.keys.contains(where: { $0 != module }) == true
    else { return token }
    token.text = "\(module.escaped).\(token.text)"
    return token
  }
}
