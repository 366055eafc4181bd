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

/// Gives every spy of a double a unique name and a unique title, whatever the order of the
/// requirements is.
///
/// The simplest of several overloads has the requirement's name. Each other one has a suffix: its
/// labels, then its parameter types, `Async`, its result, then the parameter types with the
/// attributes of functions, and last a number. It gets the shortest
/// name that it is the simplest one to have. So a new overload renames only spies of overloads that
/// are less simple than itself: the one with the plain name, or those with equal labels.
struct SpyNames {
  /// The names and the titles for these declarations, in the same order.
  static func spies(for declarations: [Declaration]) -> [SpyName] {
    let index = GraphIndex([])
    let all = declarations.enumerated().map { Overload($1, at: $0, index) }
      .sorted { ($0.base, $0.simplicity) < ($1.base, $1.simplicity) }
    var names = SpyNames(all)
    var found: [Int: SpyName] = [:]
    let groups = Dictionary(grouping: all) { "\($0.isStatic) \($0.base)" }
    let plain = Set(groups.values.compactMap(\.first?.position))
    // The members of the instance keep the titles that members of the type have, too.
    let (instance, type) = (all.filter { !$0.isStatic }, all.filter(\.isStatic))
    for overload in [instance, type].flatMap({ members in
      members.filter { plain.contains($0.position) }
        + members.filter { !plain.contains($0.position) }
    }) {
      let rivals = groups["\(overload.isStatic) \(overload.base)"] ?? []
      found[overload.position] = names.add(overload, among: rivals)
    }
    return declarations.indices.compactMap { found[$0] }
  }

  /// The names in the instance and in the type, which are separate.
  private var names: [Bool: Set<String>] = [:]
  private var titles: Set<String> = []
  /// The titles of all members of the instance.
  private let instanceTitles: Set<String>

  private init(_ overloads: [Overload]) {
    instanceTitles = Set(overloads.filter { !$0.isStatic }.map(\.declaration.title))
  }

  private mutating func add(_ overload: Overload, among rivals: [Overload]) -> SpyName {
    let declaration = overload.declaration
    let isStatic = overload.isStatic
    var spy = SpyName(name: name(of: overload, among: rivals), title: declaration.title)
    names[isStatic, default: []].insert(spy.name)
    let named = spy.name + declaration.title.drop { $0 != "(" }
    let isOfBoth = isStatic && instanceTitles.contains(spy.title)
    spy.title = unused(
      spy.title, isOfBoth ? "static \(spy.title)" : named, named,
      isStatic ? "static \(named)" : spy.name, spy.name)
    guard declaration.isSettable else { return spy }
    names[isStatic, default: []].insert(spy.setterName)
    spy.setterTitle =
      declaration.kind == .property
      ? unused(
        "\(isOfBoth ? "static " : "")\(declaration.name)(_:)", "\(spy.setterName)(_:)",
        spy.setterName)
      : unused("\(spy.title) set", spy.setterName, spy.setterName)
    return spy
  }

  /// The first of these titles that no spy has.
  private mutating func unused(_ titles: String...) -> String {
    let title = titles.first { !self.titles.contains($0) } ?? titles[0]
    self.titles.insert(title)
    return title
  }

  private func name(of overload: Overload, among rivals: [Overload]) -> String {
    let used = names[overload.isStatic] ?? []
    func isFree(_ name: String) -> Bool {
      !used.contains(name) && !(overload.declaration.isSettable && used.contains(name + "Set"))
    }
    for (step, name) in overload.names.enumerated() {
      // The rivals are sorted, so the first one is the simplest.
      let simplest = rivals.first { $0.names[step] == name }
      if simplest?.position == overload.position, isFree(name) { return name }
    }
    let name = overload.names.last ?? overload.base
    var number = 2
    while !isFree("\(name)\(number)") { number += 1 }
    return "\(name)\(number)"
  }

  /// A requirement with its possible names, from the shortest one.
  private struct Overload {
    let declaration: Declaration
    let position: Int
    let isStatic: Bool
    let base: String
    let names: [String]
    let simplicity: Simplicity

    init(_ declaration: Declaration, at position: Int, _ index: GraphIndex) {
      self.declaration = declaration
      self.position = position
      isStatic = declaration.isStatic || declaration.kind == .initializer
      base = SpyNames.base(declaration)
      let parameters = declaration.parameters
      // An operator has no labels.
      let labels =
        declaration.name.isOperator
        ? "" : parameters.map { $0.label == "_" ? "" : $0.label.capitalisedWord }.joined()
      let types = parameters.map { TypeWords.words(of: $0, in: declaration) }.joined()
      let attributed =
        parameters
        .map { TypeWords.words(of: $0, in: declaration, attributes: true) }.joined()
      let result = declaration.type.map { TypeWords.words(of: $0, in: declaration) } ?? "Void"
      let effect = declaration.isAsync ? "Async" : ""
      let ending = effect + (declaration.kind == .initializer ? "" : "Returning\(result)")
      let labelled = base + labels
      names =
        [base, labelled]
        + [types, attributed].flatMap { types in
          ["", effect, ending].map { labelled + types + $0 }
        }
      simplicity = Simplicity(
        sizes: [
          parameters.count, labels.count, types.count, declaration.isAsync ? 1 : 0,
          declaration.throwing == .never ? 0 : 1, declaration.type == nil ? 0 : result.count,
          declaration.generics.count,
        ], texts: [labels, types, result, declaration.identity(index)])
    }
  }

  /// How much a declaration says, in a total order of overloads.
  private struct Simplicity: Comparable {
    var sizes: [Int]
    var texts: [String]

    static func < (left: Self, right: Self) -> Bool {
      left.sizes == right.sizes
        ? left.texts.lexicographicallyPrecedes(right.texts)
        : left.sizes.lexicographicallyPrecedes(right.sizes)
    }
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
