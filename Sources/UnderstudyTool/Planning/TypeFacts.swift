// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The facts about the types of one double, from the symbol graphs.
struct TypeFacts {
  let index: GraphIndex
  /// The protocol of the double.
  var usr = ""
  /// The replacements for names in the double: the double itself for `Self`.
  let names: [String: String]
  /// The associated types that are fixed.
  var pinned: [String: TypeText] = [:]
  /// The clauses about associated types and their members.
  var clauses: [[Token]] = []
  /// Names that are not `Sendable` although no symbol says so: a double that is not, and its
  /// generic parameters.
  let unsharedNames: Set<String>
  /// The names that the double writes itself.
  var words = Vocabulary.plain
  /// The names of the run's doubles with `init()`, by protocol.
  var doubles: [String: String] = [:]

  /// A type as the double writes it.
  func text(_ type: TypeText) -> String { type.replacing(names).text }

  /// A type as a generic argument of a spy.
  func storedText(_ type: TypeText) -> String {
    var tokens = type.stored.replacing(names).tokens
    if tokens.last?.text == "!" { tokens[tokens.count - 1].text = "?" }
    return tokens.text
  }

  /// Whether it is `Never`, or an associated type that is fixed to it.
  func isNever(_ type: TypeText) -> Bool {
    type.isNever || pinned[type.withoutSelf.text]?.isNever == true
  }

  /// Whether a type has no values, so that a call with one can never happen.
  func isUninhabited(_ type: TypeText) -> Bool {
    if isNever(type) { return true }
    if type.tokens.first?.text == "(",
      type.tokens[...].closing(from: 0) == type.tokens.count - 1
    {
      return type.tokens.dropFirst().dropLast().split(at: ",").contains { element in
        let label = element.first([":"]).map { $0 + 1 } ?? element.startIndex
        return isUninhabited(TypeText(Array(element[label...])))
      }
    }
    // One token may be a whole path.
    guard
      type.tokens.allSatisfy({ $0.text.split(separator: ".").allSatisfy { String($0).isWord } }),
      let usr = type.tokens.last?.usr, index.symbols[usr]?.kind.identifier == "swift.enum"
    else { return false }
    return !index.memberSymbols(of: usr).contains { $0.kind.identifier == "swift.enum.case" }
  }

  /// Whether values of a type cannot be copied.
  func isNoncopyable(_ type: TypeText) -> Bool {
    mentions(index.noncopyable, type) || type.function == nil && type.has("~")
  }

  /// Whether values of a type cannot outlive the call that they are passed to.
  func isNonescapable(_ type: TypeText) -> Bool { mentions(index.nonescapable, type) }

  /// Whether a spy cannot store a value of a type.
  func isUnkeepable(_ type: TypeText) -> Bool { isNoncopyable(type) || isNonescapable(type) }

  private func mentions(_ types: Set<String>, _ type: TypeText) -> Bool {
    guard type.function == nil else { return false }
    return index.holds(type.tokens[...], types)
  }

  /// The function type of a parameter's type, also behind an alias.
  func function(_ type: TypeText) -> FunctionType? {
    if let function = type.function { return function }
    if let pinned = pinned[type.stored.withoutSelf.text] { return pinned.function }
    guard type.stored.tokens.count == 1, let usr = type.stored.tokens[0].usr else { return nil }
    return index.symbols[usr]?.underlyingType.flatMap { function(TypeText($0)) }
  }

  /// Whether a symbol is a protocol, in this module or another one.
  func isProtocol(_ token: Token) -> Bool {
    guard let usr = token.usr else { return false }
    if let symbol = index.symbols[usr] { return symbol.isProtocol }
    return StandardProtocol.isProtocol(usr)
  }
}
