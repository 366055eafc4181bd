// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// A compiler writes nothing but types where a symbol graph has types. A graph by hand could write
// code there, which would run where the generated code is compiled: nothing is generated from it.

extension String {
  /// Whether the text can be no more than one type where it stands in code.
  var isType: Bool { !contains(where: \.isNewline) && [Token](parsing: self).isType }
}

extension [Token] {
  /// Whether they can be no more than one type where they stand in code: their brackets fit, and
  /// nothing in them calls, assigns, or ends the expression.
  var isType: Bool { self[...].isType }
}

extension ArraySlice<Token> {
  var isType: Bool {
    var closing: [(sign: String, opener: String)] = []
    var previous = ""
    for token in self {
      let isAfterName = !previous.hasPrefix("@") && !bracketWords.contains(previous)
      switch token.text {
      // Behind a name, each of them would be a call.
      case "(" where !isAfterName: closing.append((")", previous))
      case "[" where !isAfterName: closing.append(("]", previous))
      case "<": closing.append((">", previous))
      case ")", "]", ">":
        guard let last = closing.popLast(), last.sign == token.text else { return false }
        // The arguments of an attribute end no name.
        let isAttribute = last.opener.hasPrefix("@") || last.opener == "nonisolated"
        previous = isAttribute ? "@" : token.text
        continue
      case ",", ":": guard !closing.isEmpty else { return false }
      case ".", "&", "?", "!", "->", "~", "-", "...": break
      default:
        let isLiteral = closing.contains { $0.opener.hasPrefix("@") } && token.text.first == "\""
        guard token.isName || isLiteral && !token.text.contains(where: \.isNewline) else {
          return false
        }
      }
      previous = token.text
    }
    return !previous.isEmpty && closing.isEmpty
  }

  /// Whether they are no types, or some with commas between them, as an associated type inherits.
  fileprivate var areTypes: Bool { split(at: ",").allSatisfy(\.isType) }

  /// Whether each of them, apart from others by commas, compares two types: `A: B`, `A.C == D`.
  fileprivate var areConstraints: Bool {
    split(at: ",").allSatisfy { clause in
      guard let sign = clause.first([":", "=="]) else { return false }
      return clause[..<sign].isType && clause[(sign + 1)...].isType
    }
  }
}

/// The tokens of a type behind which a bracket may stand.
private let bracketWords: Set<String> = [
  "", "(", "[", "<", ",", ":", "->", "&", "any", "some", "inout", "borrowing", "consuming",
  "sending", "repeat", "each", "throws", "nonisolated", "isolated", "of", "__owned", "__shared",
  "_const",
]

extension Token {
  /// Whether this is a word, a number, an attribute, or a name in backticks; also with the names
  /// of the types around it.
  fileprivate var isName: Bool {
    var rest = text[...]
    if rest.first == "@" { rest.removeFirst() }
    while true {
      if rest.first == "`" {
        guard let end = rest.dropFirst().firstIndex(of: "`"),
          !rest[..<end].contains(where: \.isNewline)
        else { return false }
        rest = rest[rest.index(after: end)...]
      } else {
        let word = rest.prefix(while: \.isInWord)
        guard !word.isEmpty else { return false }
        rest = rest[word.endIndex...]
      }
      guard !rest.isEmpty else { return true }
      guard rest.removeFirst() == "." else { return false }
    }
  }

  /// Whether this can be an attribute: `@MainActor`, `@Some.Actor`.
  var isPlainAttribute: Bool { text.hasPrefix("@") && text.count > 1 && isName }
}

extension Character {
  fileprivate var isInWord: Bool {
    guard let ascii = asciiValue else { return !isWhitespace }
    return Unicode.Scalar(ascii).isASCIIWord || self == "$"
  }
}

extension Declaration {
  /// Whether each part that is written into a double is what it should be.
  var isChecked: Bool {
    let thrown: TypeText? = if case .typed(let type) = throwing { type } else { nil }
    return (types + (thrown.map { [$0] } ?? [])).allSatisfy(\.tokens.isType)
      && generics.allSatisfy { generic in
        Token(generic.name).isName && generic.constraint[...].areTypes
      }
      && constraint[...].areTypes && whereClause[...].areConstraints
      && modifiers.allSatisfy(\.isModifier)
      && (attributes + parameters.map(\.attributes)).allSatisfy { attribute in
        attribute.first?.isPlainAttribute != false
          && !attribute.contains { $0.text.contains(where: \.isNewline) }
      }
  }
}

extension ProtocolModel {
  /// Whether its clauses, its actor, its class and its fixed types are what they should be.
  var isHeadChecked: Bool {
    whereClause.allSatisfy { $0[...].areConstraints } && globalActor?.isPlainAttribute != false
      && superclass.map { superclass in
        [Token](parsing: superclass.type.text).isType
          && !superclass.name.contains(where: \.isNewline)
      } ?? true
      && associatedTypes.compactMap(\.fixed).allSatisfy(\.tokens.isType)
  }
}

extension String {
  /// Whether this is a modifier of a declaration: `static`, `nonisolated(unsafe)`.
  fileprivate var isModifier: Bool {
    let parts = split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
    guard let argument = parts.dropFirst().first else { return parts[0].isPlainWord }
    return parts[0].isPlainWord && argument.last == ")" && argument.dropLast().isPlainWord
  }
}

extension Substring {
  /// Whether it has only letters of ASCII and underscores, and at least one.
  fileprivate var isPlainWord: Bool {
    !isEmpty && utf8.allSatisfy { Unicode.Scalar($0).isASCIIWord && !(0x30...0x39).contains($0) }
  }
}
