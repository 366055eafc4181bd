// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Declaration {
  /// Parses a declaration, or returns `nil` if a protocol cannot have such a requirement.
  ///
  /// The text was written by the compiler, so it is not checked again.
  init?(_ tokens: [Token]) {
    var parser = DeclarationParser(tokens)
    guard let declaration = parser.parse() else { return nil }
    self = declaration
  }

  /// The same of a text, in which types refer to no symbols.
  init?(parsing text: String) { self.init([Token](parsing: text)) }
}

private struct DeclarationParser {
  private var tokens: ArraySlice<Token>

  init(_ tokens: [Token]) {
    self.tokens = tokens[...]
  }

  mutating func parse() -> Declaration? {
    var attributes: [[Token]] = []
    var modifiers: [String] = []
    while let first = tokens.first {
      if first.text.hasPrefix("@") {
        attributes.append(takeAttribute())
        continue
      }
      switch first.text {
      case "func", "var", "let", "subscript", "init", "associatedtype":
        var declaration = declaration(takeFirst().text)
        declaration.attributes = attributes
        declaration.modifiers += modifiers
        return declaration
      default:
        let modifier = takeFirst().text
        modifiers.append(modifier + takeGroup("(").map(\.text).joined())
      }
    }
    return nil
  }

  private mutating func declaration(_ keyword: String) -> Declaration {
    switch keyword {
    case "func":
      var function = Declaration(kind: .function, name: takeFirst().text.withoutBackticks)
      signature(&function)
      return function
    case "subscript":
      var subscripting = Declaration(kind: .subscripting, name: "subscript")
      signature(&subscripting)
      for index in subscripting.parameters.indices where subscripting.parameters[index].hasOneName {
        subscripting.parameters[index].label = "_"
      }
      accessors(&subscripting)
      return subscripting
    case "init":
      var initializer = Declaration(kind: .initializer, name: "init")
      if tokens.first?.text == "?" || tokens.first?.text == "!" {
        _ = takeFirst()
        initializer.isFailable = true
      }
      signature(&initializer)
      return initializer
    case "associatedtype":
      var associated = Declaration(kind: .associatedType, name: takeFirst().text.withoutBackticks)
      let end = tokens.first(["where"]) ?? tokens.endIndex
      let head = tokens[..<end]
      let equals = head.first(["="]) ?? head.endIndex
      if head.first?.text == ":" { associated.constraint = Array(head[..<equals].dropFirst()) }
      if equals < head.endIndex { associated.type = TypeText(Array(head[(equals + 1)...])) }
      associated.whereClause = Array(tokens[end...].dropFirst())
      return associated
    default:
      var property = Declaration(kind: .property, name: takeFirst().text.withoutBackticks)
      if tokens.first?.text == ":" { _ = takeFirst() }
      property.type = TypeText(take(until: ["{"]))
      accessors(&property)
      return property
    }
  }

  private mutating func signature(_ declaration: inout Declaration) {
    let generics = takeGroup("<")
    declaration.generics = generics.dropFirst().dropLast().split(at: ",").map(generic)
    let parameters = takeGroup("(")
    declaration.parameters = parameters.dropFirst().dropLast().split(at: ",").map(parameter)
    effects(&declaration)
    if tokens.first?.text == "->" {
      _ = takeFirst()
      let type = TypeText(take(until: ["where", "{"]))
      declaration.type = type.isVoid ? nil : type
    }
    if tokens.first?.text == "where" {
      _ = takeFirst()
      declaration.whereClause = take(until: ["{"])
    }
  }

  private mutating func effects(_ declaration: inout Declaration) {
    while let first = tokens.first {
      switch first.text {
      case "async", "reasync": declaration.isAsync = true
      case "rethrows": declaration.throwing = .rethrowing
      case "throws":
        _ = takeFirst()
        let type = TypeText(Array(takeGroup("(").dropFirst().dropLast()))
        switch type.text {
        case "", "any Error": declaration.throwing = .any
        case _ where type.isNever: declaration.throwing = .never
        default: declaration.throwing = .typed(type)
        }
        continue
      default: return
      }
      _ = takeFirst()
    }
  }

  private mutating func accessors(_ declaration: inout Declaration) {
    let group = takeGroup("{")
    guard !group.isEmpty else { return }
    var rest = DeclarationParser(Array(group.dropFirst().dropLast()))
    while let first = rest.tokens.first {
      _ = rest.takeFirst()
      if first.text == "mutating", rest.tokens.first?.text == "get" {
        declaration.modifiers.append("mutating")
      }
      if first.text == "set" { declaration.isSettable = true }
      if first.text == "get" { rest.effects(&declaration) }
    }
  }

  private func generic(_ tokens: ArraySlice<Token>) -> Declaration.Generic {
    let colon = tokens.first([":"]) ?? tokens.endIndex
    var words = tokens[..<colon].map(\.text)
    let isPack = words.first == "each"
    let isValue = words.first == "let"
    if isPack || isValue { words.removeFirst() }
    let constraint = Array(tokens[colon...].dropFirst())
    return Declaration.Generic(
      name: words.joined(), isPack: isPack, valueType: isValue ? constraint : nil,
      constraint: constraint)
  }

  private func parameter(_ tokens: ArraySlice<Token>) -> Declaration.Parameter {
    var head = DeclarationParser(Array(tokens))
    var attributes: [Token] = []
    while let first = head.tokens.first, first.text.hasPrefix("@") {
      attributes += head.takeAttribute()
    }
    let names = head.take(until: [":"]).map(\.text.withoutBackticks)
    _ = head.takeFirst()
    let equals = head.tokens.first(["="])
    var type = Array(head.tokens[..<(equals ?? head.tokens.endIndex)])
    let isVariadic = type.last?.text == "..."
    if isVariadic { type.removeLast() }
    let name = names.last == "_" ? nil : names.last
    return Declaration.Parameter(
      attributes: attributes, label: names.first ?? "_", name: name, type: TypeText(type),
      isVariadic: isVariadic, hasDefault: equals != nil, hasOneName: names.count == 1)
  }

  private mutating func takeFirst() -> Token {
    tokens.popFirst() ?? Token("")
  }

  private mutating func take(until words: Set<String>) -> [Token] {
    let end = tokens.first(words) ?? tokens.endIndex
    defer { tokens = tokens[end...] }
    return Array(tokens[..<end])
  }

  /// Takes an attribute with its arguments: `@Builder<Int>`, `@available(…)`.
  private mutating func takeAttribute() -> [Token] {
    [takeFirst()] + takeGroup("<") + takeGroup("(")
  }

  private mutating func takeGroup(_ bracket: String) -> [Token] {
    guard tokens.first?.text == bracket else { return [] }
    let end = tokens.closing(from: tokens.startIndex)
    defer { tokens = tokens[(end + 1)...] }
    return Array(tokens[...end])
  }
}

extension String {
  var withoutBackticks: String {
    hasPrefix("`") && hasSuffix("`") && count > 1 ? String(dropFirst().dropLast()) : self
  }
}
