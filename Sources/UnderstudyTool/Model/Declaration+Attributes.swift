// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An attribute of function types that a graph may lose, and its sign in a mangled name.
private struct LostAttribute {
  var text: String
  /// The attribute's argument, which tells it from others of the same name.
  var argument: String
  var signs: [String]

  var name: String { String(text.prefix { $0 != "(" }) }

  static let all = [
    LostAttribute(text: "@convention(c)", argument: "c", signs: ["XC"]),
    LostAttribute(text: "@convention(block)", argument: "block", signs: ["XB", "XL"]),
    LostAttribute(
      text: "@isolated(any)", argument: "any", signs: ["YAc"] + "ABCDEKL".map { "YAX\($0)" }),
  ]
}

extension Declaration {
  /// Restores attributes of functions that a graph has lost: `@convention(c)` and
  /// `@convention(block)` in an extracted graph, and `@isolated(any)` in an emitted one. An
  /// extracted graph has also lost the `@escaping` of a pack of functions.
  ///
  /// The mangled name still has them: `XC` for a pointer to a C function, `XB` for a block, `XL`
  /// for a block that may escape, `XE` for a function that must not escape, and `YA` before the
  /// sign of an isolated function.
  mutating func restoreAttributes(from usr: String, _ index: GraphIndex) {
    let signs = usr.withoutNames
    restoreAttributes(ofParameters: signs)
    for attribute in LostAttribute.all {
      let count = signs.found(attribute.signs).count
      if count == 0 { continue }
      var aliases: [String: Int] = [:]
      let said = types.map { $0.tokens.functions(with: attribute, index, &aliases) }.reduce(0, +)
      guard count > said else { continue }
      // The sign of a function within the function of the result is not that of the result.
      if let result = type, result.function != nil, said == 0, result.arrowCount == 1,
        !parameters.contains(where: { $0.type.has("->") })
      {
        type = result.adding(attribute)
      } else if attribute.argument == "c", count == 1, said == 0, restoreOnly(attribute) {
        continue
      } else {
        lostAttribute = attribute.text
      }
    }
  }

  /// Restores the attribute of the only function, within another type. Returns false if there are
  /// several functions.
  private mutating func restoreOnly(_ attribute: LostAttribute) -> Bool {
    guard types.map(\.arrowCount).reduce(0, +) == 1 else { return false }
    for index in parameters.indices where parameters[index].type.has("->") {
      parameters[index].type = parameters[index].type.addingInside(attribute)
    }
    type = type?.addingInside(attribute)
    return true
  }

  /// Finds a parameter whose type is the name of a function type in a module without a graph. Only
  /// an emitted graph has such names.
  ///
  /// The mangled name has `XE` for each function that must not escape.
  mutating func findUnknownFunction(in usr: String, _ index: GraphIndex) {
    let unknown = parameters.compactMap { parameter -> String? in
      guard let last = parameter.type.stored.tokens.last, let alias = last.usr,
        index.symbols[alias] == nil, alias.isOfForeignAlias
      else { return nil }
      return parameter.type.stored.text
    }
    guard let name = unknown.first else { return }
    let expander = AliasExpander(index: index, isOfAll: true)
    let functions = types.map { type in
      let isEscaping = type.function != nil && type.has("@escaping")
      return TypeText(expander.expanded(type.tokens)).arrowCount - (isEscaping ? 1 : 0)
    }
    let count = usr.withoutNames.found(["XE"]).count
    if count > functions.reduce(0, +) { unknownFunction = name }
  }

  private mutating func restoreAttributes(ofParameters signs: String) {
    guard parameters.contains(where: { $0.type.has("->") }) else { return }
    // A pointer to a C function may always escape, and only an emitted graph says so.
    for index in parameters.indices where parameters[index].type.text.contains("@convention(c") {
      parameters[index].type.tokens.removeAll { $0.text == "@escaping" }
    }
    for index in parameters.indices
    where parameters[index].type.tokens.first?.text == "repeat" && !signs.contains("XE") {
      parameters[index].type.escapeEach()
    }
    let functions = parameters.indices.filter { index in
      let specifiers = parameters[index].type.specifiers
      return parameters[index].type.function != nil && !parameters[index].isVariadic
        && !specifiers.contains("inout") && !specifiers.contains("@autoclosure")
    }
    let lasting = functions.filter { parameters[$0].type.has("@escaping") }
    let passing = functions.filter { !lasting.contains($0) }
    // The sign of a function in a list or an optional, before one of these, is no parameter's. Nor
    // is the sign of the result, of a function within another one, or of one in a tuple.
    let inTypes = ["G", "Sg"]
    let isOfParameters =
      type?.has("->") != true
      && parameters.indices.allSatisfy { index in
        let type = parameters[index].type
        return type.arrowCount == 0 || functions.contains(index) && type.arrowCount == 1
          || ["[", "repeat"].contains(type.tokens.first?.text ?? "")
          || type.tokens.last?.text == "?"
      }
    let ofPassing = signs.found(["YAXE", "YAXB", "YAXC", "XE", "XB", "XC"], notBefore: inTypes)
    // An equal type has no sign of its own.
    if isOfParameters && ofPassing.count == passing.count || Set(ofPassing).count == 1 {
      for (index, sign) in zip(passing, ofPassing + passing.map { _ in ofPassing.last ?? "" }) {
        restoreAttributes(ofParameter: index, sign)
      }
    }
    let ofLasting = signs.found(["YAc", "YAXL", "XL"], notBefore: inTypes)
    if isOfParameters, ofLasting.count == lasting.count {
      for (index, sign) in zip(lasting, ofLasting) { restoreAttributes(ofParameter: index, sign) }
    }
  }

  private mutating func restoreAttributes(ofParameter index: Int, _ sign: String) {
    if sign == "XE" { return }
    for attribute in LostAttribute.all where !sign.found(attribute.signs).isEmpty {
      parameters[index].type = parameters[index].type.adding(attribute)
    }
  }
}

extension String {
  /// Whether this is the unique identifier of an alias outside the standard library, in Swift or in
  /// C.
  fileprivate var isOfForeignAlias: Bool {
    hasPrefix("c:") ? contains("@T@") : hasSuffix("a") && !hasPrefix("s:s")
  }

  /// The signs of functions in this mangled name, in their order, without those before `others`.
  ///
  /// A regular expression would be compiled again for each name.
  fileprivate func found(_ signs: [String], notBefore others: [String] = []) -> [String] {
    var found: [String] = []
    var rest = self[...]
    while let start = rest.firstIndex(where: { $0 == "X" || $0 == "Y" }) {
      rest = rest[start...]
      let sign = signs.first { sign in
        rest.hasPrefix(sign) && !others.contains { rest.dropFirst(sign.count).hasPrefix($0) }
      }
      if let sign { found.append(sign) }
      rest = rest.dropFirst(sign?.count ?? 1)
    }
    return found
  }
}

extension TypeText {
  fileprivate var arrowCount: Int { tokens.count { $0.text == "->" } }

  /// The function type with an attribute, unless it has one like it.
  fileprivate func adding(_ attribute: LostAttribute) -> TypeText {
    let isActor = tokens.contains(where: \.isActor) && attribute.argument == "any"
    guard !has(attribute.name), !isActor else { return self }
    var tokens = tokens
    tokens[0].spaceBefore = true
    return TypeText(([Token](parsing: attribute.text) + tokens).withEqualSigns)
  }

  /// The type with an attribute at the only function within it.
  fileprivate func addingInside(_ attribute: LostAttribute) -> TypeText {
    guard let arrow = tokens.firstIndex(where: { $0.text == "->" }),
      let open = tokens.indices.first(where: { position in
        tokens[position].text == "(" && tokens[...].closing(from: position) == arrow - 1
      })
    else { return self }
    var added = [Token](parsing: attribute.text)
    added[0].spaceBefore = tokens[open].spaceBefore
    var changed = tokens
    changed[open].spaceBefore = true
    changed.insert(contentsOf: added, at: open)
    return TypeText(changed.withEqualSigns)
  }

  /// Writes the `@escaping` of a pack of functions.
  fileprivate mutating func escapeEach() {
    guard tokens.count > 1, has("->"), !has("@escaping") else { return }
    tokens[1].spaceBefore = true
    tokens.insert(Token("@escaping", spaceBefore: true), at: 1)
  }
}

extension [Token] {
  /// The number of the functions with an attribute, and of functions behind aliases that may have
  /// it.
  ///
  /// `aliases` has the numbers of the aliases that are known already.
  fileprivate func functions(
    with attribute: LostAttribute, _ index: GraphIndex, _ aliases: inout [String: Int]
  ) -> Int {
    var count = 0
    for position in indices {
      let token = self[position]
      if token.text == attribute.name,
        self[position...].dropFirst(2).first?.text == attribute.argument
      {
        count += 1
      }
      guard let usr = token.usr else { continue }
      // Without a symbol, the name may be one of C or of another module. The standard library has
      // no such name.
      guard let symbol = index.symbols[usr] else {
        if usr.hasPrefix("c:") || usr.hasSuffix("a") && !usr.hasPrefix("s:s") { count += 1 }
        continue
      }
      guard let type = symbol.underlyingType else { continue }
      // In a graph by hand, aliases may be endless.
      if aliases[usr] == nil, aliases.count < 100 {
        aliases[usr] = 0
        aliases[usr] =
          type.filter { $0.text == "->" }.count + type.functions(with: attribute, index, &aliases)
      }
      count = Swift.min(count + (aliases[usr] ?? 0), 1_000)
    }
    return count
  }
}
