// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What the symbol graphs tell about the types of one double.
struct TypeFacts {
  let index: GraphIndex
  /// What a name stands for in the double: `Self` for the double itself.
  let names: [String: String]
  /// Names that are not `Sendable` although no symbol says so: a double that is not, and its generic
  /// parameters.
  let unsharedNames: Set<String>

  /// Types of the standard library and of Foundation that are common and not `Sendable`.
  private static let notSendable: Set<String> = [
    "Any", "AnyObject", "AnyIterator", "AnySequence", "AnyCollection", "Mirror", "Unmanaged",
    "JSONEncoder", "JSONDecoder", "Thread", "RunLoop", "Process", "Pipe", "InputStream",
    "OutputStream", "Scanner", "Timer", "DateFormatter", "NumberFormatter", "AnyKeyPath", "KeyPath",
    "WritableKeyPath", "ReferenceWritableKeyPath", "PartialKeyPath",
  ]
  /// Protocols of the standard library whose values are `Sendable`.
  private static let sendableProtocols: Set<String> = [
    "Sendable", "Error", "Actor", "AnyActor", "CodingKey", "Clock", "InstantProtocol", "Executor",
    "SerialExecutor", "TaskExecutor", "LocalizedError", "DistributedActor", "UnicodeCodec",
  ]

  /// A type as the double writes it.
  func text(_ type: TypeText) -> String { type.replacing(names).text }

  /// A type as the generic arguments of a spy name it.
  func storedText(_ type: TypeText) -> String {
    var tokens = type.stored.replacing(names).tokens
    if tokens.last?.text == "!" { tokens[tokens.count - 1].text = "?" }
    return tokens.text
  }

  /// Whether values of a type can be shared between threads; unknown types are taken to be fine.
  func isSendable(_ type: TypeText) -> Bool {
    isSendable(type, depth: 0)
  }

  private func isSendable(_ type: TypeText, depth: Int) -> Bool {
    let tokens = type.tokens
    let words = Set(tokens.map(\.text))
    if words.contains("->") { return words.contains("@Sendable") || words.contains("@MainActor") }
    if words.contains("any") {
      if words.contains("Type") { return false }
      return tokens.contains { isSendableProtocol($0) }
    }
    if words.contains("Sendable"), words.contains("&") { return true }
    for (position, token) in tokens.enumerated() {
      if position > 0, tokens[position - 1].text == "." { continue }
      if unsharedNames.contains(token.text) { return false }
      if Self.notSendable.contains(token.text), type.tokens.last?.text != "Type" { return false }
      if token.text.hasPrefix("Unsafe") || token.usr?.hasPrefix("c:objc(cs)") == true {
        return false
      }
    }
    return !tokens.contains { token in
      guard let usr = token.usr, let symbol = index.symbols[usr] else { return false }
      switch symbol.kind.identifier {
      case "swift.typealias":
        guard depth < 8, let underlying = underlying(symbol) else { return false }
        return !isSendable(underlying, depth: depth + 1)
      case "swift.class", "swift.struct", "swift.enum":
        if symbol.declarationFragments?.first?.spelling == "@MainActor" { return false }
        return !index.allConformances(of: usr).contains(StandardProtocol.sendable)
      default: return false
      }
    }
  }

  private func isSendableProtocol(_ token: Token) -> Bool {
    if Self.sendableProtocols.contains(token.text) { return true }
    guard let usr = token.usr, index.symbols[usr]?.kind.identifier == "swift.protocol" else {
      return false
    }
    let inherited = index.allConformances(of: usr)
    return inherited.contains { StandardProtocol.all[$0]?.isSendable == true }
  }

  /// Whether values of a type cannot be copied.
  func isNoncopyable(_ type: TypeText) -> Bool { mentions(index.noncopyable, type) }

  /// Whether values of a type cannot outlive the call that they are passed to.
  func isNonescapable(_ type: TypeText) -> Bool { mentions(index.nonescapable, type) }

  /// Whether no spy can keep a value of a type.
  func isUnkeepable(_ type: TypeText) -> Bool { isNoncopyable(type) || isNonescapable(type) }

  private func mentions(_ types: Set<String>, _ type: TypeText) -> Bool {
    guard type.function == nil else { return false }
    return type.tokens.contains { $0.usr.map(types.contains) ?? false }
  }

  /// The function type that a parameter's type is, also by another name.
  func function(_ type: TypeText) -> FunctionType? {
    if let function = type.function { return function }
    guard type.stored.tokens.count == 1, let usr = type.stored.tokens[0].usr,
      let symbol = index.symbols[usr], symbol.kind.identifier == "swift.typealias"
    else { return nil }
    return underlying(symbol).flatMap { function($0) }
  }

  func underlying(_ alias: SymbolGraph.Symbol) -> TypeText? {
    let tokens = [Token](fragments: alias.declarationFragments ?? [])
    return tokens[...].first(["="]).map { TypeText(Array(tokens[($0 + 1)...])) }
  }

  /// Whether a symbol is a protocol, also one of another module.
  func isProtocol(_ token: Token) -> Bool {
    guard let usr = token.usr else { return false }
    if let symbol = index.symbols[usr] { return symbol.kind.identifier == "swift.protocol" }
    return usr.hasSuffix("P") || StandardProtocol.all[usr] != nil || usr.count <= 4
  }
}
