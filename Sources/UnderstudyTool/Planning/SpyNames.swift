// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Gives every spy of a double a unique name.
///
/// The base is the requirement's name. Overloads are distinguished by their labels, then by their
/// parameter types, then by their results, then by being asynchronous, and last by a number.
enum SpyNames {
  /// The names for these declarations, in the same order.
  static func names(for declarations: [Declaration]) -> [String] {
    var names = declarations.map(base)
    let steps: [(Declaration) -> String] = [
      { $0.parameters.map { $0.label == "_" ? "" : capitalised($0.label) }.joined() },
      { declaration in declaration.parameters.map { words($0.type, declaration) }.joined() },
      { declaration in declaration.type.map { "Returning" + words($0, declaration) } ?? "" },
      { $0.isAsync ? "Async" : "" },
    ]
    for step in steps {
      for group in Dictionary(grouping: names.indices, by: { names[$0] }).values {
        let suffixes = group.map { step(declarations[$0]) }
        guard Set(suffixes).count > 1 else { continue }
        for (index, suffix) in zip(group, suffixes) { names[index] += suffix }
      }
    }
    // A setter has a spy of its own beside the getter's.
    var used = Set(
      zip(names, declarations).filter { $1.isSettable && ($1.isStatic || $1.kind == .subscripting) }
        .map { $0.0 + "Set" })
    for index in names.indices {
      var number = 2
      let name = names[index]
      while !used.insert(names[index]).inserted {
        names[index] = "\(name)\(number)"
        number += 1
      }
    }
    return names
  }

  private static func base(_ declaration: Declaration) -> String {
    switch declaration.kind {
    case .initializer: return "initialize"
    case .subscripting: return "subscript"
    default: break
    }
    let name = declaration.name
    if ["self", "Self", "Type", "Protocol", "init"].contains(name) { return name + "Spy" }
    guard name.isOperator else { return name }
    let words = name.map { signs[$0] ?? unicodeName(of: $0) }
    return words.prefix(1).joined() + words.dropFirst().map(capitalised).joined()
  }

  /// The words of a type. A generic parameter has the words of its constraint.
  private static func words(_ type: TypeText, _ declaration: Declaration) -> String {
    let words = type.stored.replacing([:]).tokens.flatMap { token -> [String] in
      token.text.split { $0 == "." || $0 == "`" }.map(String.init)
    }
    .filter { word in
      word.first?.isLetter == true && word != "nonisolated" && word != "nonsending"
    }
    return words.map { word -> String in
      guard declaration.generics.contains(where: { $0.name == word }) else { return word }
      let clauses = declaration.whereClause[...].split(at: ",")
      let clause = clauses.first { $0.first?.text == word && $0.dropFirst().first?.text == ":" }
      return clause?.dropFirst(2).first?.text ?? word
    }
    .map(capitalised).joined()
  }

  /// The Unicode name of a symbol, such as `squareRoot`.
  private static func unicodeName(of sign: Character) -> String {
    let name = sign.unicodeScalars.first?.properties.name ?? ""
    let words = name.lowercased().split { !$0.isLetter }.map(String.init)
    return words.prefix(1).joined() + words.dropFirst().map(capitalised).joined()
  }

  private static func capitalised(_ word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }

  private static let signs: [Character: String] = [
    "+": "plus", "-": "minus", "*": "times", "/": "slash", "=": "equal", "<": "less",
    ">": "greater", "!": "not", "&": "and", "|": "or", "^": "caret", "~": "tilde",
    "%": "percent", "?": "question", ".": "dot",
  ]
}
