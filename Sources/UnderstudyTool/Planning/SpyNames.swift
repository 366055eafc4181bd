// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The name of a spy in its double, and in messages.
struct SpyName: Hashable {
  var name: String
  /// The name of its calls in messages. No other spy of the double has it.
  var title: String
  /// The same for the spy of the setter.
  var setterTitle = ""

  var setterName: String { name + "Set" }
}

/// Gives every spy of a double a unique name and a unique title.
///
/// The first of several overloads has the requirement's name. Each later one differs from all
/// earlier ones: by its labels, then by its parameter types, its result, by being asynchronous, and
/// last by a number. So an overload that is added after the others renames none of them.
struct SpyNames {
  /// The names and the titles for these declarations, in the same order.
  static func spies(for declarations: [Declaration]) -> [SpyName] {
    var names = SpyNames()
    return declarations.map { names.add($0) }
  }

  /// The names in the instance and in the type, which are separate.
  private var names: [Bool: Set<String>] = [:]
  private var titles: Set<String> = []
  private var overloads: [Bool: [String: [Declaration]]] = [:]

  private mutating func add(_ declaration: Declaration) -> SpyName {
    let isStatic = declaration.isStatic || declaration.kind == .initializer
    var spy = SpyName(name: name(of: declaration, isStatic), title: declaration.title)
    names[isStatic, default: []].insert(spy.name)
    overloads[isStatic, default: [:]][Self.base(declaration), default: []].append(declaration)
    let labels = declaration.title.drop { $0 != "(" }
    spy.title = unused(spy.title, isStatic ? "static \(spy.title)" : spy.name + labels, spy.name)
    guard declaration.isSettable else { return spy }
    names[isStatic, default: []].insert(spy.setterName)
    spy.setterTitle =
      declaration.kind == .property
      ? unused("\(declaration.name)(_:)", "\(spy.setterName)(_:)", spy.setterName)
      : unused("\(spy.title) set", spy.setterName, spy.setterName)
    return spy
  }

  /// The first of these titles that no spy has.
  private mutating func unused(_ titles: String...) -> String {
    let title = titles.first { !self.titles.contains($0) } ?? titles[0]
    self.titles.insert(title)
    return title
  }

  private func name(of declaration: Declaration, _ isStatic: Bool) -> String {
    let base = Self.base(declaration)
    let used = names[isStatic] ?? []
    func isFree(_ name: String) -> Bool {
      !used.contains(name) && !(declaration.isSettable && used.contains(name + "Set"))
    }
    var rivals = overloads[isStatic]?[base] ?? []
    var name = base
    for step in Self.steps where !rivals.isEmpty || !isFree(name) {
      let suffix = step(declaration)
      let alike = rivals.filter { step($0) == suffix }
      if !rivals.isEmpty, alike.count == rivals.count { continue }
      name += suffix
      rivals = alike
    }
    var number = 2
    var numbered = name
    while !isFree(numbered) {
      numbered = "\(name)\(number)"
      number += 1
    }
    return numbered
  }

  private static let steps: [@Sendable (Declaration) -> String] = [
    { $0.parameters.map { $0.label == "_" ? "" : $0.label.capitalisedWord }.joined() },
    { declaration in
      let words = declaration.parameters.map { TypeWords.words(of: $0, in: declaration) }
      return words.isEmpty && declaration.kind != .property ? "WithoutArguments" : words.joined()
    },
    { declaration in
      if declaration.kind == .initializer { return "" }
      return "Returning"
        + (declaration.type.map { TypeWords.words(of: $0, in: declaration) } ?? "Void")
    },
    { $0.isAsync ? "Async" : "Sync" },
  ]

  private static func base(_ declaration: Declaration) -> String {
    switch declaration.kind {
    case .initializer: return "initialize"
    case .subscripting: return "subscript"
    default: break
    }
    let name = declaration.name
    if ["self", "Self", "Type", "Protocol", "init"].contains(name) { return name + "Spy" }
    guard name.isOperator else { return name }
    return camelCased(name.map { signs[$0] ?? unicodeName(of: $0) })
  }

  /// The Unicode name of a symbol, such as `squareRoot`.
  private static func unicodeName(of sign: Character) -> String {
    let name = sign.unicodeScalars.first?.properties.name ?? ""
    return camelCased(name.lowercased().split { !$0.isLetter }.map(String.init))
  }

  private static func camelCased(_ words: [String]) -> String {
    words.prefix(1).joined() + words.dropFirst().map(\.capitalisedWord).joined()
  }

  private static let signs: [Character: String] = [
    "+": "plus", "-": "minus", "*": "times", "/": "slash", "=": "equal", "<": "less",
    ">": "greater", "!": "not", "&": "and", "|": "or", "^": "caret", "~": "tilde",
    "%": "percent", "?": "question", ".": "dot",
  ]
}

extension String {
  var capitalisedWord: String { prefix(1).uppercased() + dropFirst() }
}
