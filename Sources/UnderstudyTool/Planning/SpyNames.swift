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
/// attributes of functions, and last a number. It gets the shortest name that it is the simplest
/// one to have. So a new overload renames only spies of overloads that are less simple than
/// itself: the one with the plain name, or those with equal labels. No overload renames a spy of an
/// existing double.
struct SpyNames {
  /// The names and the titles for these declarations, in the same order.
  ///
  /// `kept` are the spies of an existing double that keep their names, in the same order.
  static func spies(
    for declarations: [Declaration], keeping kept: [KeptNames.Spy?] = []
  ) -> [SpyName] {
    let all = declarations.enumerated().map { Overload($1, at: $0) }.sorted { $0.precedes($1) }
    var names = SpyNames(all)
    for overload in all where overload.position < kept.count {
      if let spy = kept[overload.position] { names.keep(spy, for: overload) }
    }
    var found: [Int: SpyName] = [:]
    let groups = Dictionary(grouping: all) { "\($0.isStatic) \($0.base)" }
    let plain = Set(groups.values.compactMap(\.first?.position))
    // The members of the instance keep the titles that members of the type have, too.
    func rank(_ overload: Overload) -> Int {
      let isKept = names.kept[overload.position] != nil
      return (overload.isStatic ? 3 : 0)
        + (isKept ? 0 : plain.contains(overload.position) ? 1 : 2)
    }
    for overload in (0...5).flatMap({ position in all.filter { rank($0) == position } }) {
      let rivals = groups["\(overload.isStatic) \(overload.base)"] ?? []
      found[overload.position] = names.add(overload, among: rivals)
    }
    return declarations.indices.compactMap { found[$0] }
  }

  /// The names in the instance and in the type, which are separate.
  private var names: [Bool: Set<String>] = [:]
  private var titles: Set<String> = []
  /// The spies that keep their names, by the positions of the requirements. An empty title is new.
  private var kept: [Int: SpyName] = [:]
  /// The titles of all members of the instance.
  private let instanceTitles: Set<String>

  private init(_ overloads: [Overload]) {
    instanceTitles = Set(overloads.filter { !$0.isStatic }.map(\.declaration.title))
  }

  private mutating func add(_ overload: Overload, among rivals: [Overload]) -> SpyName {
    var spy =
      kept[overload.position] ?? SpyName(name: name(of: overload, among: rivals), title: "")
    take(spy.name, for: overload)
    if spy.title.isEmpty { spy.title = unused(possibleTitles(of: spy, for: overload)) }
    guard overload.declaration.isSettable, spy.setterTitle.isEmpty else { return spy }
    spy.setterTitle = unused(possibleSetterTitles(of: spy, for: overload))
    return spy
  }

  /// Gives the spy of a requirement the name and the titles that it has in an existing double.
  ///
  /// It gets a new name if another spy has the name, or the name tells other types than those of
  /// the requirement. A title that no spy would get is not kept.
  private mutating func keep(_ old: KeptNames.Spy, for overload: Overload) {
    guard isFree(old.name, for: overload), old.isSame || overload.names.contains(old.name) else {
      return
    }
    take(old.name, for: overload)
    var spy = SpyName(name: old.name, title: "")
    func found(_ title: String?, among possible: [String]) -> String? {
      possible.first { $0.literal == title && !titles.contains($0) }
    }
    let title = found(old.title, among: possibleTitles(of: spy, for: overload))
    // A title of the instance is the one of its own member, also if that is new.
    if let title, !overload.isStatic || !instanceTitles.contains(title) {
      spy.title = title
      titles.insert(title)
    }
    let setterTitle = found(old.setterTitle, among: possibleSetterTitles(of: spy, for: overload))
    if let setterTitle, overload.declaration.isSettable {
      spy.setterTitle = setterTitle
      titles.insert(setterTitle)
    }
    kept[overload.position] = spy
  }

  /// The titles that a spy may have, from the plain one.
  private func possibleTitles(of spy: SpyName, for overload: Overload) -> [String] {
    let title = overload.declaration.title
    let named = spy.name + title.drop { $0 != "(" }
    let isOfBoth = overload.isStatic && instanceTitles.contains(title)
    return [
      title, isOfBoth ? "static \(title)" : named, named,
      overload.isStatic ? "static \(named)" : spy.name, spy.name,
    ]
  }

  /// The titles that the spy of a setter may have, from the plain one.
  private func possibleSetterTitles(of spy: SpyName, for overload: Overload) -> [String] {
    let declaration = overload.declaration
    guard declaration.kind == .property else { return ["\(spy.title) set", spy.setterName] }
    let isOfBoth = overload.isStatic && instanceTitles.contains(declaration.title)
    return [
      "\(isOfBoth ? "static " : "")\(declaration.name)(_:)", "\(spy.setterName)(_:)",
      spy.setterName,
    ]
  }

  /// The first of these titles that no spy has.
  private mutating func unused(_ titles: [String]) -> String {
    let title = titles.first { !self.titles.contains($0) } ?? titles[0]
    self.titles.insert(title)
    return title
  }

  private mutating func take(_ name: String, for overload: Overload) {
    names[overload.isStatic, default: []].insert(name)
    if overload.declaration.isSettable {
      names[overload.isStatic, default: []].insert(name + "Set")
    }
  }

  private func isFree(_ name: String, for overload: Overload) -> Bool {
    let used = names[overload.isStatic] ?? []
    return !used.contains(name)
      && !(overload.declaration.isSettable && used.contains(name + "Set"))
  }

  private func name(of overload: Overload, among rivals: [Overload]) -> String {
    func isFree(_ name: String) -> Bool { self.isFree(name, for: overload) }
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
    private let sizes: [Int]
    private let texts: [String]

    init(_ declaration: Declaration, at position: Int) {
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
      sizes = [
        parameters.count, labels.count, types.count, declaration.isAsync ? 1 : 0,
        declaration.throwing == .never ? 0 : 1, declaration.type == nil ? 0 : result.count,
        declaration.generics.count,
      ]
      texts = [labels, types, result]
    }

    /// The order of the plain names, then of how much the declarations say.
    func precedes(_ other: Overload) -> Bool {
      if base != other.base { return base < other.base }
      if sizes != other.sizes { return sizes.lexicographicallyPrecedes(other.sizes) }
      if texts != other.texts { return texts.lexicographicallyPrecedes(other.texts) }
      let index = GraphIndex([])
      return declaration.identity(index) < other.declaration.identity(index)
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
